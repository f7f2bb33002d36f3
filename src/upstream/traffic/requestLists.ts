import type { CallBudget } from './callBudget.ts';
import type { SessionTrace } from './callTrace.ts';
import type { ListStats, ListStatsStore, PartsStats } from './listStats.ts';
import type { QuotaView } from './quota.ts';

/** Share of a key's window below which each of its calls counts. Ours. */
const SCARCE = 0.25;

interface RequestListsOptions {
  readonly shapes: ListStatsStore;
  readonly budget: Pick<CallBudget, 'left'>;
  /** Fails with UnauthenticatedError when there is no key. */
  readonly keyHash: () => string;
  readonly quota: () => QuotaView | null;
  /** Told of a list that does not show what its contract says it shows. */
  readonly onPartialRows: ((list: string) => void) | undefined;
  /** Null where no spans are exported. */
  readonly trace: SessionTrace | null;
}

/** Lists that may stand for many calls of a request. */
export class RequestLists {
  readonly #options: RequestListsOptions;
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

  recordSavedCalls(calls: number): void {
    this.#savedCalls += calls;
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
