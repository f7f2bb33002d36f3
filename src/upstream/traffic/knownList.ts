import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, EXPIRED, getRemainingMs, type TimeRange } from '../../lib/clock.ts';

/** Pause after a failure or a wasted read, in milliseconds. Chosen: as long as most outages. */
const PAUSE_MS = 60_000;
/** Number of mismatches after which a list is disabled. After one, a row may have changed between two calls. */
const MAX_MISMATCHES = 2;
/** Maximum number of lists of an API key. Chosen: more than the contract has, each with a few filters. */
const MAX_LISTS = 32;
/** Maximum number of IDs that a list is known to omit, and their maximum length in characters. Chosen: about 2 kB per list. */
const MAX_ABSENT = 20;
const MAX_ID = 64;
/** How long a list is known, in milliseconds. Chosen: changes of the upstream's behavior are noticed after this time, and learning again costs a call or two. */
const TTL_MS = 600_000;

/** What an API key has learned about a list whose pages can replace other calls: its length, and whether it can be used. Contains no rows. */
export class KnownList {
  readonly #clock: Clock;
  readonly #absent = new Set<string>();
  #pause: TimeRange = EXPIRED;
  #mismatches = 0;
  /** Number of pages. Null if the end hasn't been read. */
  pages: number | null = null;
  /** Number of pages that are known not to reach the end. */
  longerThan = 0;
  /** Whether its rows have been compared with the calls that they replace. */
  isVerified = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isPaused(): boolean {
    return getRemainingMs(this.#pause, this.#clock.monotonicMs()) > 0;
  }

  /** Disables the list for at least this time. */
  pause(ms = PAUSE_MS): void {
    const now = this.#clock.monotonicMs();
    if (getRemainingMs(this.#pause, now) < ms) this.#pause = createTimeRange(now, ms);
  }

  isAbsent(id: string): boolean {
    return this.#absent.has(id);
  }

  /** Records that the whole list was read without finding this ID. */
  markAbsent(id: string): void {
    if (id.length > MAX_ID) return;
    this.#absent.add(id);
    const [oldest] = this.#absent;
    if (this.#absent.size > MAX_ABSENT && oldest !== undefined) this.#absent.delete(oldest);
  }

  markPresent(id: string): void {
    this.#absent.delete(id);
  }

  /**
   * Pauses a list whose rows couldn't be verified. `mismatches` is the number of comparisons in which they differed. Returns whether they have differed so often
   * that the list is now disabled until everything about it expires.
   */
  rejectRows(mismatches: number): boolean {
    this.#mismatches += mismatches;
    const isDisabled = this.#mismatches >= MAX_MISMATCHES;
    this.pause(isDisabled ? TTL_MS : PAUSE_MS);
    return isDisabled;
  }
}

/** The part of an API key with what it has learned about lists. Not shared between keys, because keys can see different rows. */
export interface ListKey {
  lists: BoundedCache<KnownList> | null;
}

/** Returns what a key has learned about a list. `list` is its name, and its filters if there are several lists with this name. */
export function getKnownList(key: ListKey, list: string, clock: Clock): KnownList {
  key.lists ??= new BoundedCache({ entries: MAX_LISTS, ttlMs: TTL_MS, clock });
  const known = key.lists.get(list);
  if (known) return known;
  const created = new KnownList(clock);
  key.lists.set(list, created);
  return created;
}
