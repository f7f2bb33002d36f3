import { AbandonedError, RateLimitedError, UnauthenticatedError } from '../../failures/failures.ts';
import { isRequesterLimit } from '../../upstream/calls/readCoalescer.ts';
import type { BatchProgress, KnownList, RequestLists } from '../../upstream/traffic/coveringLists.ts';

/** Number of calls that a page must replace on average. Chosen: a page of 100 rows takes as long as two to five gets. */
export const CALLS_PER_PAGE = 3;

/** Maximum number of pages that can replace this many calls. */
export const getMaxPages = (calls: number, spareCalls: number): number => Math.min(Math.floor(calls / CALLS_PER_PAGE), spareCalls);

/** A batch of calls that pages of a list may replace: decides whether they do, and records what the key learns about the list. */
export class CoveredRead {
  readonly known: KnownList;
  readonly progress: BatchProgress;
  readonly #lists: RequestLists;
  readonly #name: string;

  /** `name` is the name of the list's operation. `list` also identifies its filters. */
  constructor(lists: RequestLists, name: string, list = name) {
    this.#lists = lists;
    this.#name = name;
    this.known = lists.getKnown(list);
    this.progress = lists.open();
  }

  /** Number of calls that pages can waste now. */
  get spareCalls(): number {
    return this.#lists.spareCalls;
  }

  /** Whether this many calls can be sent to find out whether the list saves calls. */
  canProbe(calls: number): boolean {
    return this.#lists.probesLeft >= calls;
  }

  /**
   * Calls `read` with the maximum number of pages, if pages replace more calls than they cost. `countPages` returns this number for a number of calls that can be
   * wasted. It's 0 if pages save no calls. Undefined if nothing has to be waited for.
   */
  run(countPages: (spareCalls: number) => number, read: (pages: number) => Promise<void>): Promise<void> | undefined {
    return countPages(Number.POSITIVE_INFINITY) === 0 ? undefined : this.#run(countPages, read);
  }

  async #run(countPages: (spareCalls: number) => number, read: (pages: number) => Promise<void>): Promise<void> {
    await this.#lists.waitForSpareCalls();
    const pages = countPages(this.spareCalls);
    if (pages === 0) return;
    const onEnd = this.#lists.traceCoveredRead(this.#name);
    try {
      await read(pages);
    } finally {
      onEnd?.(this.progress.found);
    }
  }

  /** Ends the batch. */
  close(): void {
    this.#lists.close(this.progress);
  }

  /**
   * Pauses the list after a failure, unless it comes from the requester's own limits. Rethrows a failure after which every further call of the request would fail
   * too: the key is invalid, or the client has disconnected.
   */
  pauseAfter(error: unknown): void {
    if (error instanceof UnauthenticatedError || error instanceof AbandonedError) throw error;
    if (!isRequesterLimit(error) && !(error instanceof RateLimitedError)) this.known.pause();
  }

  /** Pauses a list whose rows couldn't be verified. `mismatches` is the number of comparisons in which they differed. */
  rejectRows(mismatches: number): void {
    if (this.known.rejectRows(mismatches)) this.#lists.reportPartialRows(this.#name);
  }
}
