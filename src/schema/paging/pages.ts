import { invalidInput } from '../../failures/failures.ts';
import type { RowOrder, RowRun } from './anchors.ts';
import type { OffsetCursor } from './cursors.ts';
import { createLostCursorError, findBoundary, sliceRun, type TruncatableSlice, type Window } from './window.ts';

/** A range of offsets; `to` isn’t included. */
interface OffsetRange {
  readonly from: number;
  readonly to: number;
}

interface PagePlan {
  readonly pageSize: number;
  /** Counted from 1. */
  readonly firstPage: number;
  readonly pages: number;
}

/**
 * Plans the fewest pages that cover a range. Among those, prefers pages that also cover `wider`, then the fewest rows. One page suffices if some size up to the
 * cap has no page boundary within the range; two pages of the range’s own size always do. Null if the upstream returns no page that far.
 */
export function planPages(
  { from, to }: OffsetRange,
  maxSize: number,
  maxPage = Number.POSITIVE_INFINITY,
  wider?: OffsetRange,
): PagePlan | null {
  let best: (PagePlan & { readonly isWide: boolean }) | null = null;
  for (let pageSize = Math.min(Math.max(to - from, 1), maxSize); pageSize <= maxSize; pageSize += 1) {
    const first = Math.floor(from / pageSize);
    const last = Math.floor((to - 1) / pageSize);
    const pages = last - first + 1;
    const isWide = !wider || (wider.from >= first * pageSize && wider.to <= (last + 1) * pageSize);
    const isBetter = !best || pages < best.pages || (pages === best.pages && isWide && !best.isWide);
    if (last + 1 <= maxPage && isBetter) best = { pageSize, firstPage: first + 1, pages, isWide };
    if (best?.pages === 1 && best.isWide) break;
  }
  return best;
}

export interface UpstreamPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

type FetchPage<Row> = (page: number, pageSize: number) => Promise<UpstreamPage<Row>>;

interface PageOptions<Row> extends RowOrder<Row> {
  readonly maxSize: number;
  readonly maxPage?: number | undefined;
}

/** Maximum number of pages to read to find a moved position, in addition to those of the window. Chosen. */
const MAX_SEARCH = 4;

/** Consecutive pages of one size. */
class PageRun<Row> implements RowRun<Row> {
  readonly rows: Row[] = [];
  readonly offsets: number[] = [];
  readonly pageSize: number;
  readonly #fetchPage: FetchPage<Row>;
  readonly #identify: (row: Row) => string | undefined;
  readonly #maxPage: number;
  readonly #seen = new Set<string>();
  /** Range of the pages read, counted from 1; `#next` isn’t included. */
  #first: number;
  #next: number;
  #hasMore = true;
  #isAtEnd = false;

  constructor(pageSize: number, firstPage: number, fetchPage: FetchPage<Row>, { identify = () => undefined, maxPage }: PageOptions<Row>) {
    this.pageSize = pageSize;
    this.#fetchPage = fetchPage;
    this.#identify = identify;
    this.#maxPage = maxPage ?? Number.POSITIVE_INFINITY;
    this.#first = firstPage;
    this.#next = firstPage;
  }

  get start(): number {
    return (this.#first - 1) * this.pageSize;
  }

  get end(): number {
    return (this.#next - 1) * this.pageSize;
  }

  /** Whether the list continues after the last page that was read. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether the upstream reported that no page follows. An empty page isn’t the end if its rows were omitted. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  get canAppend(): boolean {
    return this.#hasMore && this.#next <= this.#maxPage;
  }

  /** Reads the next page. */
  async append(): Promise<void> {
    const { rows, hasMore } = await this.#fetchPage(this.#next, this.pageSize);
    this.#hasMore = hasMore && rows.length > 0;
    this.#isAtEnd = !hasMore;
    const fresh = this.#assignOffsets(rows, this.#next, this.#hasMore);
    // Rows that are inserted between two calls push others to the next page, so those are returned twice. Drops and counts the duplicates.
    const pushedBack = rows.length - fresh.length;
    for (const [index, offset] of this.offsets.entries()) this.offsets[index] = offset + pushedBack;
    for (const { row, offset } of fresh) this.offsets[this.rows.push(row) - 1] = offset;
    this.#next += 1;
  }

  /** Reads the page before the first one. */
  async prepend(): Promise<void> {
    const { rows } = await this.#fetchPage(this.#first - 1, this.pageSize);
    this.#first -= 1;
    const fresh = this.#assignOffsets(rows, this.#first, true);
    this.rows.unshift(...fresh.map(({ row }) => row));
    this.offsets.unshift(...fresh.map(({ offset }) => offset));
  }

  #assignOffsets(rows: readonly Row[], page: number, hasMore: boolean): { readonly row: Row; readonly offset: number }[] {
    return rows.flatMap((row, index) => {
      const identity = this.#identify(row);
      if (identity !== undefined && this.#seen.has(identity)) return [];
      if (identity !== undefined) this.#seen.add(identity);
      return [{ row, offset: computeOffset(index, rows.length, hasMore, page, this.pageSize) }];
    });
  }
}

/**
 * Computes the offset of a row. The upstream may omit rows from a page, such as rows that the key can’t see. Then the last returned row stands for the rest of
 * the page, so that paging continues after it.
 */
function computeOffset(index: number, rows: number, hasMore: boolean, page: number, pageSize: number): number {
  const isLastOfShort = hasMore && rows < pageSize && index === rows - 1;
  return (page - 1) * pageSize + (isLastOfShort ? pageSize - 1 : index);
}

/** Indices of a window in the rows of a run. */
interface LocatedWindow<Row> {
  readonly run: PageRun<Row>;
  readonly low: number;
  readonly high: number;
  /** Offset at which the window would end in a list that is long enough. */
  readonly end: number;
}

/** Reads a window on the assumption that its rows haven’t moved. */
async function readUnmoved<Row>(
  run: PageRun<Row>,
  { from, to }: OffsetRange,
  { before }: Window,
  options: PageOptions<Row>,
): Promise<LocatedWindow<Row>> {
  const index = run.offsets.findIndex((offset) => offset >= from);
  const low = index < 0 ? run.rows.length : index;
  while (run.end < to && run.canAppend) await run.append();
  const high = low + to - from;
  return { run, low, high: before?.anchor ? Math.min(high, findOtherEnd(run, before, 'before', options)) : high, end: to };
}

/** Searches for a boundary near its offset. Returns the last run read and the index. */
async function searchBoundary<Row>(
  first: PageRun<Row>,
  cursor: OffsetCursor,
  side: 'after' | 'before',
  options: PageOptions<Row>,
  open: (pageSize: number, page: number) => Promise<PageRun<Row>>,
): Promise<readonly [PageRun<Row>, number]> {
  const { maxSize, maxPage = Number.POSITIVE_INFINITY } = options;
  let run = first;
  for (let calls = 0; ; calls += 1) {
    const boundary = findBoundary(run, cursor, side, options);
    if (typeof boundary === 'number') return [run, boundary];
    if (boundary === 'LATER' && !run.hasMore) return [run, run.rows.length];
    const isEarlier = boundary === 'EARLIER' || (boundary === 'ANYWHERE' && (calls % 2 === 1 || !run.canAppend));
    if (boundary === 'LOST' || calls === MAX_SEARCH) throw createLostCursorError();
    if (run.pageSize < maxSize) run = await open(maxSize, Math.min(Math.floor(cursor.offset / maxSize) + 1, maxPage));
    else if (isEarlier && run.start > 0) await run.prepend();
    else if (boundary !== 'EARLIER' && run.canAppend) await run.append();
    else throw createLostCursorError();
  }
}

/** Index of the other boundary of a window, which may be far from the pages read. */
function findOtherEnd<Row>(
  run: PageRun<Row>,
  cursor: OffsetCursor | undefined,
  side: 'after' | 'before',
  options: PageOptions<Row>,
): number {
  if (!cursor) return side === 'after' ? 0 : run.rows.length;
  const boundary = findBoundary(run, cursor, side, options);
  if (boundary === 'EARLIER') return 0;
  if (boundary === 'LATER') return run.rows.length;
  if (typeof boundary === 'string') throw createLostCursorError();
  return boundary;
}

/** The offsets of a window, unless its rows have moved. A window that ends at the end of its list isn't read by pages. */
function toRange({ size, isBackwards, after, before }: Window): OffsetRange {
  const low = after ? after.offset + 1 : 0;
  const high = Math.max(low, before?.offset ?? Number.POSITIVE_INFINITY);
  return isBackwards ? { from: Math.max(low, high - size), to: high } : { from: low, to: Math.min(low + size, high) };
}

/** Reads a window of a paged list. `isTruncated`: the last page that can be requested isn't the end of the list. */
export async function readPages<Row>(window: Window, options: PageOptions<Row>, fetchPage: FetchPage<Row>): Promise<TruncatableSlice<Row>> {
  const { maxSize, maxPage = Number.POSITIVE_INFINITY } = options;
  const { isBackwards, after, before } = window;
  const { from, to: requestedTo } = toRange(window);
  const isEmpty = requestedTo === from;
  const readable = maxPage * maxSize;
  // An empty window also has `hasNextPage`, which depends on the row at `from`.
  const to = isEmpty ? from + 1 : Math.min(requestedTo, Math.max(readable, from + 1));
  const cursor = isBackwards ? before : after;
  // The cursor’s row reveals whether the list has changed. It’s read if that costs no extra call.
  const wider = cursor?.anchor && { from: Math.min(from, cursor.offset), to: Math.max(to, cursor.offset + 1) };
  const plan = planPages({ from, to }, maxSize, maxPage, wider);
  if (!plan) throw invalidInput(['after'], 'OUT_OF_RANGE', `is beyond the last page that the Workspace API returns (page ${maxPage}).`);
  const open = async (pageSize: number, page: number) => {
    const run = new PageRun(pageSize, page, fetchPage, options);
    await run.append();
    return run;
  };
  const first = await open(plan.pageSize, plan.firstPage);
  const { run, low, high, end } = cursor?.anchor
    ? await readMoved(first, { from, to }, { ...window, cursor }, options, open)
    : await readUnmoved(first, { from, to }, window, options);
  const isTruncated = run.hasMore && end >= readable;
  const slice = sliceRun(run, { low, high: isEmpty ? low : high }, window, options);
  return {
    rows: slice.rows,
    offsets: slice.offsets,
    getAnchor: slice.getAnchor,
    hasNextPage: run.rows.length > slice.to || (run.hasMore && !isEmpty && !isTruncated),
    hasPreviousPage: cursor?.anchor ? slice.from > 0 || run.start > 0 : from > 0,
    isTruncated,
    // On later pages, the offset of the end isn't the number of rows: the upstream may have omitted some before.
    totalCount: run.start === 0 && run.isAtEnd ? run.rows.length : undefined,
  };
}

/** Reads a window next to a row that may have moved. */
async function readMoved<Row>(
  first: PageRun<Row>,
  { from, to }: OffsetRange,
  { cursor, size, isBackwards, after, before }: Window & { readonly cursor: OffsetCursor },
  options: PageOptions<Row>,
  open: (pageSize: number, page: number) => Promise<PageRun<Row>>,
): Promise<LocatedWindow<Row>> {
  // The row of `before` is on the last page of the plan.
  while (isBackwards && first.end < to && first.canAppend) await first.append();
  const [run, boundary] = await searchBoundary(first, cursor, isBackwards ? 'before' : 'after', options, open);
  const offset = run.offsets[boundary] ?? run.end;
  if (!isBackwards) {
    const end = offset + to - from;
    while (run.end < end && run.canAppend) await run.append();
    return { run, low: boundary, high: findOtherEnd(run, before, 'before', options), end };
  }
  const known = run.rows.length;
  while (run.start > Math.max(0, offset - size)) await run.prepend();
  return { run, low: findOtherEnd(run, after, 'after', options), high: boundary + run.rows.length - known, end: offset };
}

/** Reads all rows of a paged list, with pages of the maximum size. Drops rows that are returned twice. Null if the list has more pages than `maxPages`. */
export async function readAllPages<Row>(
  options: PageOptions<Row>,
  maxPages: number,
  fetchPage: FetchPage<Row>,
): Promise<readonly Row[] | null> {
  const run = new PageRun(options.maxSize, 1, fetchPage, options);
  for (let page = 1; page <= maxPages && !run.isAtEnd; page += 1) await run.append();
  return run.isAtEnd ? run.rows : null;
}
