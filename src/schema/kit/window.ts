import { createHash } from 'node:crypto';
import { InvalidCursorError, invalidInput } from '../../failures.ts';
import { canonicalJson } from '../../lib/canonicalJson.ts';

/** The arguments of a connection. */
export interface WindowArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** A part of a list: the rows from offset `from` up to, not including, `to`. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Where a row is in its list: its offset, or the text of another kind of place. Cursors carry it. */
export type Position = number | string;

/** The rows of a window. */
export interface Slice<Row, Place extends Position = number> {
  readonly rows: readonly Row[];
  /** The position of each row. */
  readonly offsets: readonly Place[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A slice of a list that may have rows that nobody can read. */
interface CutSlice<Row> extends Slice<Row> {
  readonly isTruncated: boolean;
}

/** Rows that a connection answers when the caller names no number. Ours. */
export const DEFAULT_SIZE = 25;
/** The most rows that a connection answers. Ours: the page cap of every upstream list whose cap is known. */
export const MAX_SIZE = 100;

/** 48 bits that stand for a list: its operation, its parent and its filters. A cursor carries them. */
export const fingerprintOf = (operation: string, request: object): string =>
  createHash('sha256')
    .update(`${operation}\0${canonicalJson(request)}`)
    .digest('base64url')
    .slice(0, 8);

/** The fingerprint of a list; as text when it is asked for, since most lists are read without a cursor. */
export type Fingerprint = Pick<string, 'toString'>;

/** `fingerprintOf`, when it is asked for. */
export class LateFingerprint implements Fingerprint {
  readonly #operation: string;
  readonly #request: object;
  #text: string | undefined;

  constructor(operation: string, request: object) {
    this.#operation = operation;
    this.#request = request;
  }

  toString(): string {
    this.#text ??= fingerprintOf(this.#operation, this.#request);
    return this.#text;
  }
}

/** Ours: the longest that `encodeCursor` makes has 31 characters. */
const MAX_CURSOR_LENGTH = 100;

export const encodeCursor = (position: Position, fingerprint: Fingerprint): string =>
  Buffer.from(`1:${position}:${fingerprint}`).toString('base64url');

/** The position in a cursor, of the form that the list gives them. Refuses what is not a cursor, and cursors of other lists: they would answer a random window. */
export function positionIn(cursor: string, fingerprint: Fingerprint, form: RegExp): string {
  const text = cursor.length > MAX_CURSOR_LENGTH ? '' : Buffer.from(cursor, 'base64url').toString('latin1');
  const [, position = '', list] = /^1:([\d.-]+):([\w-]{8})$/.exec(text) ?? [];
  if (list !== undefined && list !== fingerprint.toString())
    throw new InvalidCursorError('This cursor belongs to another list, or to this list with other filters. Start again without a cursor.');
  if (!form.test(position)) throw new InvalidCursorError('Invalid cursor. Use one from `edges { cursor }` or `pageInfo`.');
  return position;
}

/** The offset in a cursor. */
export const decodeCursor = (cursor: string, fingerprint: Fingerprint): number => Number(positionIn(cursor, fingerprint, /^\d{1,12}$/));

function checkSize(name: 'first' | 'last', size: number | null | undefined): void {
  if (size === null || size === undefined) return;
  if (size < 0) throw invalidInput([name], 'OUT_OF_RANGE', `must not be negative, but is ${size}.`, 0);
  if (size > MAX_SIZE)
    throw invalidInput([name], 'OUT_OF_RANGE', `must be at most ${MAX_SIZE}, but is ${size}. Paginate with \`after\`.`, MAX_SIZE);
}

/** Refuses sizes of pages that no list answers. */
export function checkSizes({ first, last }: WindowArgs): void {
  checkSize('first', first);
  checkSize('last', last);
  if (typeof first === 'number' && typeof last === 'number') throw invalidInput(['last'], 'NOT_ALLOWED', 'can’t be combined with `first`.');
}

/** The window that the arguments ask for. `total` is the length of the list, where it is known. */
export function toWindow(args: WindowArgs, fingerprint: Fingerprint, total?: number): Window {
  checkSizes(args);
  const { first, last } = args;
  const low = args.after ? decodeCursor(args.after, fingerprint) + 1 : 0;
  const before = args.before ? decodeCursor(args.before, fingerprint) : undefined;
  const high = Math.min(before ?? Number.POSITIVE_INFINITY, total ?? Number.POSITIVE_INFINITY);
  if (typeof last === 'number') {
    if (high === Number.POSITIVE_INFINITY)
      throw invalidInput(['last'], 'NOT_ALLOWED', 'requires `before`, because the length of this list is unknown.');
    const to = Math.max(low, high);
    return { from: Math.max(low, to - last), to };
  }
  return { from: low, to: Math.max(low, Math.min(low + (first ?? DEFAULT_SIZE), high)) };
}

export interface PagePlan {
  readonly pageSize: number;
  /** Counted from 1. */
  readonly firstPage: number;
  readonly pages: number;
}

/**
 * The fewest pages that cover a window, then the fewest rows. One page does when some size up to the cap has no page boundary within the
 * window; two pages of the window's own size always do. Null when the upstream lists no page that far.
 */
export function planPages({ from, to }: Window, maxSize: number, maxPage = Number.POSITIVE_INFINITY): PagePlan | null {
  let best: PagePlan | null = null;
  for (let pageSize = Math.min(Math.max(to - from, 1), maxSize); pageSize <= maxSize; pageSize += 1) {
    const first = Math.floor(from / pageSize);
    const last = Math.floor((to - 1) / pageSize);
    const pages = last - first + 1;
    if (last + 1 <= maxPage && (!best || pages < best.pages)) best = { pageSize, firstPage: first + 1, pages };
    if (best?.pages === 1) break;
  }
  return best;
}

export interface UpstreamPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

interface PageOptions<Row> {
  readonly maxSize: number;
  readonly maxPage?: number | undefined;
  /** Tells rows apart; rows without an identity are taken as different. */
  readonly identify?: ((row: Row) => unknown) | undefined;
}

/** Reads a window from a list that comes in pages. `isTruncated`: the last page that can be asked for is not the end of the list. */
export async function readPages<Row>(
  window: Window,
  { maxSize, maxPage = Number.POSITIVE_INFINITY, identify }: PageOptions<Row>,
  fetchPage: (page: number, pageSize: number) => Promise<UpstreamPage<Row>>,
): Promise<CutSlice<Row>> {
  const { from } = window;
  const isEmpty = window.to === from;
  const end = maxPage * maxSize;
  // An empty window still tells whether something follows: that takes the row at `from`.
  const to = isEmpty ? from + 1 : Math.min(window.to, Math.max(end, from + 1));
  const plan = planPages({ from, to }, maxSize, maxPage);
  if (!plan) throw invalidInput(['after'], 'OUT_OF_RANGE', `is beyond the last page that the Workspace API returns (page ${maxPage}).`);
  const rows: Row[] = [];
  const offsets: number[] = [];
  const seen = new Set<unknown>();
  // Rows that are inserted between two page calls push others onto the second page too: they are shown once, and counted.
  let pushedBack = 0;
  let hasMore = true;
  for (let index = 0; index < plan.pages && hasMore; index += 1) {
    const number = plan.firstPage + index;
    const page = await fetchPage(number, plan.pageSize);
    hasMore = page.hasMore && page.rows.length > 0;
    page.rows.forEach((row, place) => {
      const identity = identify?.(row);
      if (identity !== undefined && seen.has(identity)) pushedBack += 1;
      else {
        const offset = offsetOf(place, page.rows.length, hasMore, number, plan.pageSize);
        if (offset >= from) offsets[rows.push(row) - 1] = offset;
      }
      if (identity !== undefined) seen.add(identity);
    });
  }
  const length = isEmpty ? 0 : Math.min(rows.length, to - from);
  const firstOfSecond = plan.firstPage * plan.pageSize;
  const isTruncated = hasMore && to >= end;
  return {
    rows: rows.slice(0, length),
    // Where the rows are now, for the walk to go on from.
    offsets: offsets.slice(0, length).map((offset) => (offset < firstOfSecond ? offset + pushedBack : offset)),
    hasNextPage: rows.length > length || (hasMore && !isEmpty && !isTruncated),
    hasPreviousPage: from > 0,
    isTruncated,
  };
}

/**
 * Where a row of a page is in the list. An upstream may leave rows out of a page, those that the key may not see, say; then the last row that it
 * does show stands for all the page, so that a walk goes on behind it.
 */
function offsetOf(place: number, rows: number, hasMore: boolean, page: number, pageSize: number): number {
  const isLastOfShort = hasMore && rows < pageSize && place === rows - 1;
  return (page - 1) * pageSize + (isLastOfShort ? pageSize - 1 : place);
}

/** The first rows of a list, all that can be had. `isCut` says whether there are more, where the upstream tells. */
interface Prefix<Row> {
  readonly rows: readonly Row[];
  readonly isCut?: boolean | undefined;
}

/** Reads a window from a list of which only the first `maxSize` rows can be had. A full prefix counts as cut off where the upstream does not tell. */
export async function readPrefix<Row>(
  { from, to }: Window,
  maxSize: number,
  fetchPrefix: (pageSize: number) => Promise<Prefix<Row>>,
): Promise<CutSlice<Row>> {
  if (from >= maxSize) return { rows: [], offsets: [], hasNextPage: false, hasPreviousPage: true, isTruncated: true };
  const reach = Math.min(to, maxSize);
  // All that can be had, in any case: only that tells whether the list goes on behind it, and every window is then the same one call.
  const { rows, isCut = rows.length >= maxSize } = await fetchPrefix(maxSize);
  const selected = rows.slice(from, reach);
  return {
    rows: selected,
    offsets: selected.map((_row, index) => from + index),
    hasNextPage: rows.length > reach,
    hasPreviousPage: from > 0,
    isTruncated: isCut,
  };
}

/** Cuts a window out of a list that is known whole. */
export function cutWhole<Row>({ from, to }: Window, all: readonly Row[]): Slice<Row> {
  const rows = all.slice(from, to);
  return { rows, offsets: rows.map((_row, index) => from + index), hasNextPage: all.length > to, hasPreviousPage: from > 0 };
}
