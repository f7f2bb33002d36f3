import type { Clock } from '../lib/clock.ts';
import type { QuotaView } from '../upstream/traffic/quota.ts';
import type { ChangeBus } from './bus.ts';
import type { LiveType } from './changes.ts';
import type { PollStore } from './pollStore.ts';

/** By how much two polls overlap, in seconds. Chosen: rows may be indexed late, and times have whole seconds. */
const OVERLAP_SECONDS = 60;
/** Number of intervals without a poll after which another instance polls. */
const TURN_INTERVALS = 3;
/** Share of the key's remaining calls below which it polls half as often, and below which it doesn't poll. Chosen: other requests need the rest. */
const LOW_SHARE = 0.2;
const MIN_SHARE = 0.1;

/** A record that was found in an index. */
export interface PolledRecord {
  readonly id: string;
  /** Differs between any two states of records. */
  readonly state: string;
  /** Unix seconds. */
  readonly updatedAt: number;
}

export interface PolledRecords {
  readonly records: readonly PolledRecord[];
  /** Whether there are more. */
  readonly isTruncated: boolean;
}

/** A subscriber with whose API key an index can be polled. */
export interface PollSource {
  /** Reads the records that were updated since a time in Unix seconds, with one upstream call. */
  readonly poll: (since: number) => Promise<PolledRecords>;
  readonly getQuota: () => QuotaView | null;
}

/** An index of a workspace that subscribers are interested in. */
interface Watch {
  readonly channel: string;
  readonly type: LiveType;
  readonly sources: Set<PollSource>;
  /** When this workspace's index was last polled by any instance, on the monotonic clock. Null if it's unknown. */
  polledAt: number | null;
  isBusy: boolean;
  isSkipped: boolean;
}

export interface PollerOptions {
  readonly bus: ChangeBus;
  readonly store: PollStore;
  readonly intervalMs: number;
  readonly clock: Clock;
}

const getName = (channel: string, type: LiveType) => `${channel}:${type}`;

/** Finds changes that were made elsewhere. Each index of a workspace is polled once per interval, by one instance, for all subscribers. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #watches = new Map<string, Watch>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.pollAll(), options.intervalMs).unref();
  }

  /** Polls an index with the key of a subscriber, until the returned function is called. */
  watch(channel: string, type: LiveType, source: PollSource): () => void {
    const name = getName(channel, type);
    const watch = this.#watches.get(name) ?? { channel, type, sources: new Set(), polledAt: null, isBusy: false, isSkipped: false };
    watch.sources.add(source);
    this.#watches.set(name, watch);
    return () => this.#remove(watch, source);
  }

  /** Seconds since the least recently polled of these types was polled. Null if one isn't polled. */
  getStaleness(channel: string, types: Iterable<LiveType>): number | null {
    const polled = Array.from(types, (type) => this.#watches.get(getName(channel, type))?.polledAt ?? null);
    const known = polled.filter((polledAt) => polledAt !== null);
    if (known.length < polled.length) return null;
    return Math.ceil((this.#options.clock.monotonicMs() - Math.min(...known)) / 1000);
  }

  /** Marks states that this graph has written, so that polls don't report them again. If that fails, they are reported twice. */
  async markSeen(channel: string, type: LiveType, states: readonly string[]): Promise<void> {
    if (states.length > 0) await this.#options.store.markSeen(getName(channel, type), states).catch(() => {});
  }

  /** Polls each index whose turn it is. Called regularly. */
  async pollAll(): Promise<void> {
    await Promise.all(Array.from(this.#watches.values(), (watch) => this.#pollOnce(watch)));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const watch of this.#watches.values()) this.#release(watch);
    this.#watches.clear();
  }

  #remove(watch: Watch, source: PollSource): void {
    if (!watch.sources.delete(source) || watch.sources.size > 0) return;
    this.#watches.delete(getName(watch.channel, watch.type));
    this.#release(watch);
  }

  #release({ channel, type }: Watch): void {
    this.#options.store.release(getName(channel, type)).catch(() => {});
  }

  async #pollOnce(watch: Watch): Promise<void> {
    const [source] = watch.sources;
    if (watch.isBusy || !source) return;
    watch.isBusy = true;
    try {
      await this.#poll(watch, source);
    } catch {
      // Its key may have lost its permission. Another subscriber's key is next, possibly in another instance.
      if (watch.sources.delete(source)) watch.sources.add(source);
      this.#release(watch);
    } finally {
      watch.isBusy = false;
    }
  }

  async #poll(watch: Watch, source: PollSource): Promise<void> {
    const { bus, store, intervalMs, clock } = this.#options;
    const { channel, type } = watch;
    const name = getName(channel, type);
    const turn = await store.begin(name, TURN_INTERVALS * intervalMs);
    if (turn.ageMs !== null) watch.polledAt = clock.monotonicMs() - turn.ageMs;
    if (!turn.isMine || this.#mustSpare(watch, source)) return;
    const now = Math.floor(clock.unixMs() / 1000);
    const watermark = turn.watermark ?? now;
    const { records, isTruncated } = await source.poll(watermark - OVERLAP_SECONDS);
    const newest = isTruncated ? now : Math.max(watermark, ...records.map(({ updatedAt }) => updatedAt));
    const states = new Set(
      await store.finish(
        name,
        newest,
        records.map(({ state }) => state),
      ),
    );
    watch.polledAt = clock.monotonicMs();
    const ids = new Set(records.filter(({ state }) => states.has(state)).map(({ id }) => id));
    if (ids.size > 0 || isTruncated) bus.publish(channel, { source: 'POLL', changes: [{ type, ids: [...ids], isTruncated }] });
  }

  /** Whether the key needs its remaining calls for requests. */
  #mustSpare(watch: Watch, { getQuota }: PollSource): boolean {
    const quota = getQuota();
    const share = quota ? quota.remaining / quota.limit : 1;
    watch.isSkipped = share < LOW_SHARE && !watch.isSkipped;
    return share < MIN_SHARE || watch.isSkipped;
  }
}
