import type { Clock } from '../../lib/clock.ts';
import type { SessionTrace } from './callTrace.ts';
import { getKnownList, type KnownList, type ListKey } from './knownList.ts';
import type { QuotaView } from './quota.ts';

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
    const batches = [...this.#open];
    const missing = batches.reduce((sum, batch) => sum + batch.missing, 0);
    if (missing > left) return Number.POSITIVE_INFINITY;
    const saved = batches.reduce((sum, { found, calls }) => sum + found - calls, this.#savedCalls);
    const needed = predictedCalls <= counted + left ? Math.max(missing, predictedCalls - counted - saved) : missing;
    return Math.max(0, leftWithoutSpare - needed);
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
