import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, EXPIRED, getRemainingMs, type TimeRange } from '../../lib/clock.ts';
import type { SessionTrace } from './callTrace.ts';
import type { QuotaView } from './quota.ts';

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
function getKnownList(key: ListKey, list: string, clock: Clock): KnownList {
  key.lists ??= new BoundedCache({ entries: MAX_LISTS, ttlMs: TTL_MS, clock });
  const known = key.lists.get(list);
  if (known) return known;
  const created = new KnownList(clock);
  key.lists.set(list, created);
  return created;
}

/** Progress of a batch of calls that pages of a list can replace. */
export interface BatchProgress {
  /** Calls that no page has replaced. */
  missing: number;
  /** Calls that pages have replaced. */
  found: number;
  /** Number of pages that were read. */
  pages: number;
  /** Calls for the pages and for verifying them. */
  calls: number;
}

/** A request that reads lists. */
export interface ListReader {
  readonly key: ListKey;
  /** Null if no spans are exported. */
  readonly trace: SessionTrace | null;
  /** Calls that were sent or are about to be. */
  readonly counted: number;
  /** Number of calls that it can still send. */
  readonly left: number;
  /** Like `left`, without those that the quota of the key leaves to other operations. */
  readonly leftWithoutSpare: number;
  /** Upper bound of its calls. */
  readonly predictedCalls: number;
  /** Calls in addition that can find out whether pages of a list save calls. */
  readonly probeCalls: number;
  /** Null until the upstream has reported one. */
  readonly quota: QuotaView | null;
  /** Looks up the key's scopes, whose response reports the quota. Rejects with UnauthenticatedError if there is no key. */
  fetchGrants(): Promise<unknown>;
}

/** The lists that can replace calls of one request. */
export class RequestLists {
  readonly #reader: ListReader;
  readonly #clock: Clock;
  readonly #onPartialRows: ((list: string) => void) | undefined;
  readonly #open = new Set<BatchProgress>();
  #savedCalls = 0;

  /** `onPartialRows` is called for a list whose rows differ from what the contract says they equal. */
  constructor(reader: ListReader, clock: Clock, onPartialRows: ((list: string) => void) | undefined) {
    this.#reader = reader;
    this.#clock = clock;
    this.#onPartialRows = onPartialRows;
  }

  /** Upstream calls that pages of lists saved the request. Negative if a fetched page didn’t pay off. */
  get savedCalls(): number {
    return this.#savedCalls;
  }

  /** Starts a span for pages that replace calls. Undefined if no spans are exported. To end the span, call the result with the number of replaced calls. */
  traceCoveredRead(list: string): ((replacedCalls: number) => void) | undefined {
    return this.#reader.trace?.startCoveredRead(list);
  }

  /** Registers a batch until `close`. */
  open(): BatchProgress {
    const batch = { missing: 0, found: 0, pages: 0, calls: 0 };
    this.#open.add(batch);
    return batch;
  }

  /** Settles when `spareCalls` is known: when all batches that start at the same time are registered, and the quota has been reported. */
  async waitForSpareCalls(): Promise<void> {
    // If the lookup fails, so will the calls, and report why.
    await (this.#reader.quota === null ? this.#reader.fetchGrants().catch(() => {}) : null);
  }

  close(batch: BatchProgress): void {
    if (this.#open.delete(batch)) this.#savedCalls += batch.found - batch.calls;
  }

  /**
   * Number of calls that can be wasted on pages that save nothing. Pages must not make a request exceed its limit or the quota of its key, considering the
   * records of all batches and the calls that the operation is predicted to send. Infinite if the records can't be fetched one by one anyway.
   */
  get spareCalls(): number {
    const { counted, left, leftWithoutSpare, predictedCalls } = this.#reader;
    const missing = this.#countMissing();
    if (missing > left) return Number.POSITIVE_INFINITY;
    const needed = predictedCalls <= counted + left ? Math.max(missing, predictedCalls - counted - this.#countSaved()) : missing;
    return Math.max(0, leftWithoutSpare - needed);
  }

  /**
   * Number of calls that can be wasted on pages of lists whose length is unknown without exceeding the predicted calls: those that were predicted for that, and
   * those that pages have saved. Infinite if the records can't be fetched one by one anyway.
   */
  get probesLeft(): number {
    const { left, probeCalls } = this.#reader;
    return this.#countMissing() > left ? Number.POSITIVE_INFINITY : probeCalls + this.#countSaved();
  }

  #countMissing(): number {
    let missing = 0;
    for (const batch of this.#open) missing += batch.missing;
    return missing;
  }

  /** Including those of batches that haven't ended. */
  #countSaved(): number {
    let saved = this.#savedCalls;
    for (const { found, calls } of this.#open) saved += found - calls;
    return saved;
  }

  /** Returns what the key has learned about a list. `list` is its name, and its filters if there are several lists with this name. */
  getKnown(list: string): KnownList {
    return getKnownList(this.#reader.key, list, this.#clock);
  }

  /** Reports a list whose rows differ from what the contract says they equal. */
  reportPartialRows(list: string): void {
    this.#onPartialRows?.(list);
  }
}
