import type { CallBudget } from './callBudget.ts';
import type { SessionTrace } from './callTrace.ts';
import type { BatchProgress, KnownLists, KnownOwnersList, KnownRecordList } from './knownLists.ts';
import type { QuotaView } from './quota.ts';

interface RequestListsOptions {
  readonly knownLists: KnownLists;
  readonly budget: Pick<CallBudget, 'left' | 'counted' | 'admission'>;
  /** Throws UnauthenticatedError if there is no key. */
  readonly keyHash: () => string;
  readonly quota: () => QuotaView | null;
  /** Looks up the key's scopes, whose response reports the quota. */
  readonly lookUpQuota: () => Promise<unknown>;
  /** Called for a list whose rows differ from what the contract says they equal. */
  readonly onPartialRows: ((list: string) => void) | undefined;
  /** Null if no spans are exported. */
  readonly trace: SessionTrace | null;
}

/** The lists that can replace calls of one request. */
export class RequestLists {
  readonly #options: RequestListsOptions;
  readonly #open = new Set<BatchProgress>();
  #savedCalls = 0;

  constructor(options: RequestListsOptions) {
    this.#options = options;
  }

  /** Upstream calls that pages of lists saved the request. Negative if a fetched page didn’t pay off. */
  get savedCalls(): number {
    return this.#savedCalls;
  }

  /** Starts a span for pages that replace calls. Undefined if no spans are exported. To end the span, call the result with the number of replaced calls. */
  traceCoveredRead(list: string): ((replacedCalls: number) => void) | undefined {
    return this.#options.trace?.startCoveredRead(list);
  }

  /** Registers a batch until `close`. */
  open(missing: number): BatchProgress {
    const batch = { missing, found: 0, pages: 0, calls: 0 };
    this.#open.add(batch);
    return batch;
  }

  /** Settles when `spareCalls` is known: when all batches that start at the same time are registered, and the quota has been reported. */
  async waitForSpareCalls(): Promise<void> {
    // If the lookup fails, so will the calls, and report why.
    await (this.#options.quota() === null ? this.#options.lookUpQuota().catch(() => {}) : null);
  }

  close(batch: BatchProgress): void {
    if (this.#open.delete(batch)) this.#savedCalls += batch.found - batch.calls;
  }

  /**
   * Number of calls that can be wasted on pages that save nothing. Pages must not make a request exceed its limit or the quota of its key, considering the
   * records of all batches and the calls that the operation is predicted to send. Infinite if the records can't be fetched one by one anyway.
   */
  get spareCalls(): number {
    const { budget } = this.#options;
    const { admission } = budget;
    const { predicted = Number.POSITIVE_INFINITY, left = Number.POSITIVE_INFINITY, spare = 0 } = admission ?? {};
    const batches = [...this.#open];
    const missing = batches.reduce((sum, batch) => sum + batch.missing, 0);
    if (missing > Math.min(budget.left, left)) return Number.POSITIVE_INFINITY;
    const isPredictedToFit = predicted <= budget.counted + Math.min(budget.left, left);
    const saved = batches.reduce((sum, { found, calls }) => sum + found - calls, this.#savedCalls);
    const needed = isPredictedToFit ? Math.max(missing, predicted - budget.counted - saved) : missing;
    return Math.max(0, Math.min(budget.left, left - spare) - needed);
  }

  /** Returns what the key has learned about a list of complete records. Throws UnauthenticatedError if there is no key. */
  getRecordList(list: string): KnownRecordList {
    const { knownLists, keyHash } = this.#options;
    return knownLists.getRecordList(keyHash(), list);
  }

  /** Returns what the key has learned about a list of many owners' rows. `list` is its name and its filters. Throws UnauthenticatedError if there is no key. */
  getOwnersList(list: string): KnownOwnersList {
    const { knownLists, keyHash } = this.#options;
    return knownLists.getOwnersList(keyHash(), list);
  }

  /** Reports a list whose rows differ from what the contract says they equal. */
  reportPartialRows(list: string): void {
    this.#options.onPartialRows?.(list);
  }
}
