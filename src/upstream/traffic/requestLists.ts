import type { CallBudget } from './callBudget.ts';
import type { SessionTrace } from './callTrace.ts';
import type { ListStats, ListStatsStore, PartsStats } from './listStats.ts';
import type { QuotaView } from './quota.ts';

/** Share of a key's window below which each of its calls counts. Ours. */
const SCARCE = 0.25;

interface RequestListsOptions {
  readonly shapes: ListStatsStore;
  readonly budget: Pick<CallBudget, 'left' | 'counted' | 'admission'>;
  /** Fails with UnauthenticatedError when there is no key. */
  readonly keyHash: () => string;
  readonly quota: () => QuotaView | null;
  /** Looks up the key's scopes, whose response reports the quota. */
  readonly lookUpQuota: () => Promise<unknown>;
  /** Told of a list that does not show what its contract says it shows. */
  readonly onPartialRows: ((list: string) => void) | undefined;
  /** Null where no spans are exported. */
  readonly trace: SessionTrace | null;
}

/** Progress of a batch of records that pages of a list may serve. */
export interface BatchProgress {
  /** Records to fetch that no page has returned. */
  missing: number;
  /** Records that pages have returned. */
  found: number;
  /** Calls that the pages took. */
  calls: number;
}

/** Lists that may stand for many calls of a request. */
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

  /** Pages of a list are read in place of several calls. What it answers is told how many they have answered. */
  traceCoveredRead(list: string): ((answered: number) => void) | undefined {
    return this.#options.trace?.cover(list);
  }

  /** Registers a batch until `close`. */
  open(missing: number): BatchProgress {
    const batch = { missing, found: 0, calls: 0 };
    this.#open.add(batch);
    return batch;
  }

  /** Settles when `spareCalls` is known: when all batches that start at the same time are registered, and the quota has been reported. */
  async whenSpareIsKnown(): Promise<void> {
    // If the lookup fails, so will the calls, and report why.
    await (this.#options.quota() === null ? this.#options.lookUpQuota().catch(() => {}) : null);
  }

  close(batch: BatchProgress): void {
    if (this.#open.delete(batch)) this.#savedCalls += batch.found - batch.calls;
  }

  /**
   * Pages that may be fetched in vain: without the records of all batches, and without the calls that the operation is predicted to send, a request must not
   * exceed its limit or the quota of its key because of pages that save nothing. Infinite if the records can't be fetched one by one anyway.
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

  /** Shape of a list of whole records, as the key has seen it. Fails with UnauthenticatedError when there is no key. */
  statsFor(list: string, pageSize: number, maxPages: number): ListStats {
    const { shapes, keyHash } = this.#options;
    return shapes.ofRecords(keyHash(), list, pageSize, maxPages);
  }

  /** The same of a list that is the lists of many owners. `list` is its name, with what it is filtered by. */
  partsStatsFor(list: string): PartsStats {
    const { shapes, keyHash } = this.#options;
    return shapes.ofParts(keyHash(), list);
  }

  /** Whether so few calls are left that rows weigh nothing: to the key, or to the request, which may not make so many `calls`. */
  hasFewCallsLeft(calls: number): boolean {
    const { budget, quota } = this.#options;
    const view = quota();
    return budget.left < calls || (view !== null && view.remaining < SCARCE * view.limit);
  }

  /** A list does not show what its contract says it shows. */
  reportPartialRows(list: string): void {
    this.#options.onPartialRows?.(list);
  }
}
