import { InvalidCursorError, invalidInput } from '../../failures/failures.ts';
import { type Anchor, createAnchor, createRun, locate, type RowOrder, type RowRun } from './anchors.ts';
import { decodeCursor, type Fingerprint, type OffsetCursor, type Position } from './cursors.ts';

/** Pagination arguments of a connection. */
export interface WindowArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** The part of a list that the arguments of a connection request, with the content of their cursors. */
export interface Window<Cursor = OffsetCursor> {
  /** Requested number of rows. */
  readonly size: number;
  /** Whether the rows at the end of the part are requested: `last`. */
  readonly isBackwards: boolean;
  readonly after: Cursor | undefined;
  readonly before: Cursor | undefined;
}

/** Rows of a window. */
export interface Slice<Row, At extends Position = number> {
  readonly rows: readonly Row[];
  /** Position of each row. */
  readonly offsets: readonly At[];
  /** Returns the anchor of a row by its index in `rows`. */
  readonly getAnchor?: (index: number) => Anchor | undefined;
  /** Positions of the first and the last row, if rows were left out. Otherwise a page without rows would have no cursors to continue from. */
  readonly ends?: readonly [first: At, last: At] | undefined;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A slice of a list that may have rows that can't be read. */
export interface TruncatableSlice<Row, At extends Position = number> extends Slice<Row, At> {
  readonly isTruncated: boolean;
  /** Number of rows of the list. Undefined unless all of them were read. */
  readonly totalCount?: number | undefined;
}

/** Page size if the caller specifies none. Chosen. */
export const DEFAULT_SIZE = 25;
/** Maximum page size. Chosen: the page cap of every upstream list whose cap is known. */
export const MAX_SIZE = 100;

function checkSize(name: 'first' | 'last', size: number | null | undefined): void {
  if (size === null || size === undefined) return;
  if (size < 0) throw invalidInput([name], 'OUT_OF_RANGE', `must not be negative, but is ${size}.`, 0);
  if (size > MAX_SIZE)
    throw invalidInput([name], 'OUT_OF_RANGE', `must be at most ${MAX_SIZE}, but is ${size}. Paginate with \`after\`.`, MAX_SIZE);
}

/** Parses the arguments of a connection, before the first call. `decode`: decodes a cursor of the list. */
export function parseWindow<Cursor>(
  { first, after, last, before }: WindowArgs,
  fingerprint: Fingerprint,
  decode: (cursor: string, fingerprint: Fingerprint) => Cursor,
): Window<Cursor> {
  checkSize('first', first);
  checkSize('last', last);
  if (typeof first === 'number' && typeof last === 'number') throw invalidInput(['last'], 'NOT_ALLOWED', 'can’t be combined with `first`.');
  return {
    size: last ?? first ?? DEFAULT_SIZE,
    isBackwards: typeof last === 'number',
    after: after ? decode(after, fingerprint) : undefined,
    before: before ? decode(before, fingerprint) : undefined,
  };
}

/** Parses the arguments of a connection whose cursors contain offsets. */
export const parseOffsetWindow = (args: WindowArgs, fingerprint: Fingerprint): Window => parseWindow(args, fingerprint, decodeCursor);

/** Whether a window ends at the end of its list. */
export const isAtEnd = ({ isBackwards, before }: Window): boolean => isBackwards && !before;

/** Rejects a window at the end of a list whose end can't be reached. */
export function rejectWindowAtEnd(window: Window): void {
  if (isAtEnd(window))
    throw invalidInput(['last'], 'NOT_ALLOWED', 'requires `before`, because this list is too long to reach its end in one upstream call.');
}

/** The cursor’s rows have moved too far, or have moved in a list whose sort order isn’t known. */
export const createLostCursorError = () =>
  new InvalidCursorError(
    'The list has changed around this cursor, so that items could be skipped or repeated. Start again without a cursor.',
  );

/** Index of the first row after a cursor (`after`), or of the row at it (`before`), in rows that may have moved. */
export function findBoundary<Row>(
  run: RowRun<Row>,
  { offset, anchor }: OffsetCursor,
  side: 'after' | 'before',
  order: RowOrder<Row>,
): number | 'EARLIER' | 'LATER' | 'ANYWHERE' | 'LOST' {
  if (!anchor) {
    const index = run.offsets.findIndex((each) => (side === 'after' ? each > offset : each >= offset));
    return index < 0 ? run.rows.length : index;
  }
  const location = locate(run, anchor, offset, order);
  if (typeof location === 'string') return location;
  return side === 'before' && location.isPresent ? location.index - 1 : location.index;
}

/** Selects the rows of a run between two indices. */
export function sliceRun<Row>(
  run: RowRun<Row>,
  { low, high }: { readonly low: number; readonly high: number },
  { size, isBackwards, after }: Window,
  order: RowOrder<Row>,
) {
  const end = Math.max(low, high);
  const from = isBackwards ? Math.max(low, end - size) : low;
  const to = isBackwards ? end : Math.min(end, low + size);
  return {
    from,
    to,
    rows: run.rows.slice(from, to),
    offsets: run.offsets.slice(from, to),
    getAnchor: (index: number) => createAnchor(run, from + index, order, after?.anchor),
  };
}

/** The first rows of a list, beyond which none can be read. `isTruncated`: whether there are more, if the upstream reports it. */
interface Prefix<Row> {
  readonly rows: readonly Row[];
  readonly isTruncated?: boolean | undefined;
}

/**
 * Reads a window of a list of which only the first `maxSize` rows can be read. A full prefix counts as truncated if the upstream doesn't report whether there
 * are more.
 */
export async function readPrefix<Row>(
  window: Window,
  { maxSize, ...order }: RowOrder<Row> & { readonly maxSize: number },
  fetchPrefix: (pageSize: number) => Promise<Prefix<Row>>,
): Promise<TruncatableSlice<Row>> {
  const { after, before } = window;
  if (after && after.offset + 1 >= maxSize && !before)
    return { rows: [], offsets: [], hasNextPage: false, hasPreviousPage: true, isTruncated: true };
  // Always requests the maximum. Otherwise it isn't known whether more rows follow, and windows couldn't share one call.
  const { rows, isTruncated = rows.length >= maxSize } = await fetchPrefix(maxSize);
  if (isTruncated) rejectWindowAtEnd(window);
  const readable = rows.slice(0, maxSize);
  return { ...sliceCompleteList(window, readable, order), isTruncated, totalCount: isTruncated ? undefined : readable.length };
}

/** Selects a window of a complete list. */
export function sliceCompleteList<Row>(window: Window, all: readonly Row[], order: RowOrder<Row> = {}): Slice<Row> {
  const run = createRun(all);
  const findIndex = (cursor: OffsetCursor | undefined, side: 'after' | 'before', unmoved: number) => {
    const index = cursor?.anchor ? findBoundary(run, cursor, side, order) : unmoved;
    // There are no later rows.
    if (index === 'LATER') return all.length;
    if (typeof index === 'string') throw createLostCursorError();
    return index;
  };
  const { after, before, isBackwards } = window;
  const low = findIndex(after, 'after', after ? after.offset + 1 : 0);
  const high = findIndex(before, 'before', before ? before.offset : all.length);
  const { from, to, ...slice } = sliceRun(run, { low, high: isBackwards ? Math.min(high, all.length) : high }, window, order);
  return { ...slice, hasNextPage: all.length > to, hasPreviousPage: from > 0 };
}
