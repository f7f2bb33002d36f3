import { invalidInput, UpstreamInvalidError } from '../../failures/failures.ts';
import type { TimeSpan } from '../kit/ranges.ts';
import { type Fingerprint, parsePosition } from './cursors.ts';
import type { Slice, Window } from './window.ts';

/** Position of a row in a list by time: its start, and its number among the rows with the same start, from 1. */
interface TimePosition {
  readonly at: number;
  readonly rank: number;
}

/** First rows of a time range, earliest first. */
interface SpanRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

type FetchSpan<Row> = (span: TimeSpan, pageSize: number) => Promise<SpanRows<Row>>;

interface SpanOptions<Row> {
  /** Maximum number of rows per call. */
  readonly maxSize: number;
  /** Returns the start of a row in Unix seconds. */
  readonly startOf: (row: Row) => number;
}

/** Maximum number of calls to read backward. Chosen: all preceding rows must be read, because the upstream only returns the first rows of a time range. */
const BACKWARD_CALLS = 10;

/**
 * Calls that a page may need in addition to those for its rows: one for the rows at its start that the previous page returned, and one if those fill a whole
 * call.
 */
const EXTRA_CALLS = 2;

/** Estimates the maximum number of calls for a number of rows, forward or backward. */
export const estimateSpanCalls = (rows: number, maxSize: number, isBackwards: boolean): number =>
  isBackwards ? BACKWARD_CALLS : Math.ceil(Math.max(rows, 1) / maxSize) + EXTRA_CALLS;

const encodePosition = ({ at, rank }: TimePosition): string => `${at}.${rank}`;

/** Decodes a cursor in a list by time. */
export function decodeTimePosition(cursor: string, fingerprint: Fingerprint): TimePosition {
  const [at, rank] = parsePosition(cursor, fingerprint, /^-?\d{1,15}\.\d{1,6}$/).split('.');
  return { at: Number(at), rank: Number(rank) };
}

const isBefore = (one: TimePosition, other: TimePosition) => one.at < other.at || (one.at === other.at && one.rank < other.rank);

/** Throws UpstreamInvalidError if rows are out of order or outside the time range, because reading would never end. */
function checkOrder(starts: readonly number[], { from, to }: TimeSpan): void {
  for (const [index, at] of starts.entries()) {
    if (at >= from && at < to && at >= (starts[index - 1] ?? from)) continue;
    throw new UpstreamInvalidError('a list has rows that are out of order or outside the requested time range');
  }
}

/** Reads a list by time forward from a position. Each call starts at the start of the last row, because other rows may have the same start. */
class SpanWalk<Row> {
  readonly #to: number;
  readonly #options: SpanOptions<Row>;
  readonly #fetch: FetchSpan<Row>;
  #from: number;
  /** Number of known rows at exactly `#from`. */
  #known: number;
  readonly rows: { readonly row: Row; readonly position: TimePosition }[] = [];
  calls = 0;
  isAtEnd = false;
  /** Whether more rows have the same start than a call returns. */
  isStuck = false;
  /** Whether all rows of a full call have the same start. */
  #isFull = false;

  constructor(span: TimeSpan, after: TimePosition | undefined, options: SpanOptions<Row>, fetch: FetchSpan<Row>) {
    this.#from = Math.max(span.from, after?.at ?? span.from);
    this.#known = after && after.at >= span.from ? after.rank : 0;
    this.#to = span.to;
    this.#options = options;
    this.#fetch = fetch;
    this.isAtEnd = this.#from >= this.#to;
  }

  async #read(to: number, pageSize: number): Promise<SpanRows<Row> & { readonly starts: readonly number[] }> {
    this.calls += 1;
    const span = { from: this.#from, to };
    const { rows, hasMore } = await this.#fetch(span, pageSize);
    const starts = rows.map(this.#options.startOf);
    checkOrder(starts, span);
    return { rows, hasMore, starts };
  }

  /** Performs the next call, for the specified number of rows. */
  async readNext(requestedRows: number): Promise<void> {
    if (this.#isFull) return this.#skipFullStart();
    const { maxSize } = this.#options;
    const pageSize = Math.min(maxSize, requestedRows + this.#known);
    const { rows, hasMore, starts } = await this.#read(this.#to, pageSize);
    let at = this.#from;
    let rank = 0;
    for (const [index, row] of rows.entries()) {
      const start = starts[index] as number;
      rank = start === at ? rank + 1 : 1;
      at = start;
      if (start > this.#from || rank > this.#known) this.rows.push({ row, position: { at, rank } });
    }
    if (!hasMore) this.isAtEnd = true;
    else if (at > this.#from) [this.#from, this.#known] = [at, rank];
    else [this.#known, this.#isFull] = [Math.max(this.#known, rank), pageSize === maxSize];
  }

  /** Continues after a start whose rows filled a call. Gets stuck if it has more rows. */
  async #skipFullStart(): Promise<void> {
    const next = this.#from + 1;
    const { hasMore } = await this.#read(next, this.#options.maxSize);
    this.isStuck = hasMore;
    [this.#from, this.#known, this.#isFull] = [next, 0, false];
    this.isAtEnd = next >= this.#to;
  }
}

/** Reads a window of a list by time. `isTruncated`: the list ends early, because more rows have the same start than a call returns. */
export async function readTimeWindow<Row>(
  span: TimeSpan,
  { after, before, size, isBackwards }: Window<TimePosition>,
  options: SpanOptions<Row>,
  fetch: FetchSpan<Row>,
): Promise<Slice<Row, string> & { readonly isTruncated: boolean }> {
  const to = Math.min(span.to, before ? before.at + 1 : span.to);
  const walk = new SpanWalk({ from: span.from, to }, after, options, fetch);
  // An empty page also has `hasNextPage`, which depends on one row.
  const requestedRows = isBackwards ? Number.POSITIVE_INFINITY : Math.max(size, 1);
  const budget = estimateSpanCalls(size, options.maxSize, isBackwards);
  while (walk.rows.length < requestedRows && !walk.isAtEnd && !walk.isStuck && walk.calls < budget) {
    await walk.readNext(Math.min(requestedRows - walk.rows.length, options.maxSize));
  }
  const isFinished = walk.isAtEnd || walk.isStuck;
  if (isBackwards && !isFinished)
    throw invalidInput(
      ['last'],
      'OUT_OF_RANGE',
      `would require more than ${BACKWARD_CALLS} upstream calls. Paginate forward with \`first\`, or use a shorter time range.`,
    );
  const rowsBefore = before ? walk.rows.filter(({ position }) => isBefore(position, before)) : walk.rows;
  const isPastEnd = rowsBefore.length < walk.rows.length;
  const selected = isBackwards ? rowsBefore.slice(Math.max(0, rowsBefore.length - size)) : rowsBefore.slice(0, size);
  return {
    rows: selected.map(({ row }) => row),
    offsets: selected.map(({ position }) => encodePosition(position)),
    hasNextPage: isBackwards
      ? before !== undefined
      : rowsBefore.length > selected.length || (!isFinished && !isPastEnd) || before !== undefined,
    hasPreviousPage: after !== undefined || (isBackwards && rowsBefore.length > selected.length),
    isTruncated: walk.isStuck && !isPastEnd && (isBackwards || rowsBefore.length === selected.length),
  };
}
