import { type Clock, createTimeRange, EXPIRED, getRemainingMs, type TimeRange } from '../lib/clock.ts';

/** How long a state that was seen is remembered, in milliseconds. Chosen: much longer than the overlap of two polls. */
export const SEEN_MS = 10 * 60_000;

/** Whether an instance may poll now, and what earlier polls found. */
export interface PollTurn {
  readonly isMine: boolean;
  /** Time of the newest record that was found, in Unix seconds. Null before the first poll. */
  readonly watermark: number | null;
  /** Age of the latest poll, in milliseconds. Null before the first one. */
  readonly ageMs: number | null;
}

/** What the instances that poll the same index share. `name` identifies the index and the workspace. */
export interface PollStore {
  /** Takes the turn if no other instance has it, and extends it otherwise. It expires after `ttlMs`. */
  begin(name: string, ttlMs: number): Promise<PollTurn>;
  /** Stores the result of a poll. Returns the states that weren't seen before. Empty if the turn has expired. */
  finish(name: string, watermark: number, states: readonly string[]): Promise<readonly string[]>;
  /** Marks states as seen. */
  markSeen(name: string, states: readonly string[]): Promise<void>;
  /** Ends the turn of this instance. */
  release(name: string): Promise<void>;
}

interface PollEntry {
  watermark: number | null;
  polledAt: number | null;
  readonly seen: Map<string, TimeRange>;
  /** When the entry can be discarded, because nothing is polled anymore. */
  lifetime: TimeRange;
}

/** A store for a single instance, whose turn it always is. */
export class MemoryPollStore implements PollStore {
  readonly #clock: Clock;
  readonly #entries = new Map<string, PollEntry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async begin(name: string): Promise<PollTurn> {
    const { watermark, polledAt } = this.#getEntry(name);
    return { isMine: true, watermark, ageMs: polledAt === null ? null : this.#clock.monotonicMs() - polledAt };
  }

  async finish(name: string, watermark: number, states: readonly string[]): Promise<readonly string[]> {
    const entry = this.#getEntry(name);
    entry.watermark = watermark;
    entry.polledAt = this.#clock.monotonicMs();
    return this.#addSeen(entry, states);
  }

  async markSeen(name: string, states: readonly string[]): Promise<void> {
    this.#addSeen(this.#getEntry(name), states);
  }

  async release(): Promise<void> {}

  #addSeen({ seen }: PollEntry, states: readonly string[]): readonly string[] {
    const now = this.#clock.monotonicMs();
    for (const [state, lifetime] of seen) if (getRemainingMs(lifetime, now) === 0) seen.delete(state);
    const added = states.filter((state) => !seen.has(state));
    for (const state of added) seen.set(state, createTimeRange(now, SEEN_MS));
    return added;
  }

  #getEntry(name: string): PollEntry {
    const now = this.#clock.monotonicMs();
    for (const [other, { lifetime }] of this.#entries) if (getRemainingMs(lifetime, now) === 0) this.#entries.delete(other);
    const entry = this.#entries.get(name) ?? { watermark: null, polledAt: null, seen: new Map(), lifetime: EXPIRED };
    entry.lifetime = createTimeRange(now, SEEN_MS);
    this.#entries.set(name, entry);
    return entry;
  }
}
