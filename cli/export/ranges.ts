import { StartError } from '../../src/lib/startup.ts';
import { RequestError } from '../bulk/graphResponse.ts';

/**
 * Number of rows that a range should contain. One that has more is continued by a shorter one. Chosen: an upstream that sorts all matching rows of a query sorts
 * some thousands, and the last pages of ranges, which aren't full, add one call in fifty.
 */
const RANGE_ROWS = 2_000;
/** Number of pages of the next range that are read ahead. Chosen: most of a range, so that two requests are sent at a time. */
const PAGES_AHEAD = 20;
/** First width of a range in seconds, and the factors by which it can grow or shrink. Chosen: a gap of two years takes eight queries. */
const FIRST_WIDTH = 3_600;
const MAX_GROWTH = 4;
const MIN_GROWTH = 1 / MAX_GROWTH;

/** A row of a page. */
export interface PageRow<Row> {
  /** Raw ID of its record. */
  readonly id: string;
  /** The timestamp that rows are read by, in whole Unix seconds. */
  readonly at: number;
  readonly row: Row;
  /** Names of its values that the upstream didn't return. */
  readonly unavailable: readonly string[];
}

/** A page of the rows of a range, sorted by their timestamps. */
export interface Page<Row> {
  readonly rows: readonly PageRow<Row>[];
  /** Null on the last page. */
  readonly endCursor: string | null;
  /** Whether rows are left out because too many have the same timestamp. */
  readonly isTruncated: boolean;
}

/** A time range in Unix seconds: from `from`, inclusive, to `to`, exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Reads the page of a range after a cursor. */
export type ReadPage<Row> = (range: Range, after: string | null) => Promise<Page<Row>>;

/** Where reading continues: after the rows of the range of `width` seconds from `from` that were read. JSON. */
export interface Place {
  readonly from: number;
  readonly width: number;
  /** The last row. `at` is in Unix seconds, with a fraction in files of version 0.2.0. */
  readonly last: { readonly at: string; readonly id: string } | null;
  /** IDs of all rows of its second that were read. Version 0.2.0, which sorted them by ID, doesn't store them. */
  readonly ids?: readonly string[];
}

/** Rows, and the place after them. */
export interface Batch<Row> {
  readonly rows: readonly Row[];
  /** Names of the values that the upstream didn't return, once for each row that lacks it. */
  readonly unavailable: readonly string[];
  readonly place: Place;
}

export const createFirstPlace = (from: number): Place => ({ from, width: FIRST_WIDTH, last: null });

/** Scales the width of a range, of which `seconds` contained `count` rows. */
function scaleWidth(width: number, seconds: number, count: number): number {
  const wanted = (seconds * RANGE_ROWS) / Math.max(1, count);
  return Math.max(1, Math.ceil(Math.min(width * MAX_GROWTH, Math.max(width * MIN_GROWTH, wanted))));
}

/** Compares IDs by code points, as the upstream sorts them. */
const isNotAfter = (id: string, last: string | undefined) => last !== undefined && Buffer.compare(Buffer.from(id), Buffer.from(last)) <= 0;

/** The last second with rows that were read, and these rows. A range never ends within a second, so no other rows can be read twice. */
class LastSecond {
  #last: Place['last'];
  #at: number;
  #ids: Set<string>;
  /** Of version 0.2.0: rows of the second whose ID isn't after this one were read. */
  #lastId: string | undefined;

  constructor({ last, ids }: Place) {
    this.#last = last;
    this.#at = last ? Math.floor(Number(last.at)) : Number.NEGATIVE_INFINITY;
    this.#ids = new Set(ids);
    if (!ids) this.#lastId = last?.id;
  }

  get at(): number {
    return this.#at;
  }

  get place(): Pick<Place, 'last' | 'ids'> {
    return { last: this.#last, ids: [...this.#ids] };
  }

  /** Returns the rows that weren't read yet. Throws RequestError if their order is wrong. */
  add<Row>(rows: readonly PageRow<Row>[], { from, to }: Range): PageRow<Row>[] {
    return rows.filter(({ at, id }) => {
      if (at < Math.max(from, this.#at) || at >= to)
        throw new RequestError({ message: 'The graph returned rows that aren’t sorted by their timestamps, or aren’t in the time range.' });
      const isRead = at === this.#at && (this.#ids.has(id) || isNotAfter(id, this.#lastId));
      if (at > this.#at) [this.#ids, this.#lastId] = [new Set(), undefined];
      this.#ids.add(id);
      if (!isRead) [this.#at, this.#last] = [at, { at: String(at), id }];
      return !isRead;
    });
  }
}

const createTieError = (at: number) =>
  new StartError(
    `More rows have the timestamp ${new Date(at * 1_000).toISOString()} than the analytics index can list. Split the export with --where, such as by status.`,
  );

/** Reads the rows of a range, in shorter ranges where it has many. `start` is the place before or within it. */
async function* readRange<Row>(read: ReadPage<Row>, { from: first, to }: Range, start: Place): AsyncGenerator<Batch<Row>> {
  const second = new LastSecond(start);
  let [from, width] = [Math.max(first, second.at), to - first];
  /** Continues after the last row. */
  const shorten = (newWidth: number) => {
    [from, width] = [Math.max(from, second.at), newWidth];
  };
  while (from < to) {
    const range = { from, to: Math.min(to, from + width) };
    let count = 0;
    try {
      for (let after: string | null = null, isOpen = true; isOpen; ) {
        const { rows, endCursor, isTruncated }: Page<Row> = await read(range, after);
        if (isTruncated) throw createTieError(second.at > range.from ? second.at : (rows[0]?.at ?? range.from));
        const added = second.add(rows, range);
        count += added.length;
        const isDense = count >= RANGE_ROWS && second.at > range.from;
        if (endCursor === null) [from, width] = [range.to, scaleWidth(width, range.to - range.from, count)];
        else if (isDense) shorten(Math.ceil((Math.max(1, second.at - (rows[0]?.at ?? 0)) * RANGE_ROWS) / rows.length));
        [after, isOpen] = [endCursor, endCursor !== null && !isDense];
        const unavailable = added.flatMap((each) => each.unavailable);
        yield { rows: added.map(({ row }) => row), unavailable, place: { from, width, ...second.place } };
      }
    } catch (error) {
      // The upstream may have to sort all rows of the range.
      if (!(error instanceof RequestError) || error.code !== 'UPSTREAM_TIMEOUT' || range.to - from <= 1) throw error;
      shorten(Math.ceil((range.to - from) * MIN_GROWTH));
    }
  }
}

/** Calls `next` of a generator ahead of its consumer, up to `count` times. */
function bufferAhead<Value>(source: AsyncGenerator<Value>, count: number): AsyncGenerator<Value> {
  const requestNext = () => {
    const next = source.next();
    // A consumer that stops doesn't wait for it.
    next.catch(() => {});
    return next;
  };
  const pending = Array.from({ length: count }, requestNext);
  return (async function* () {
    for (let next = await pending.shift(); next && !next.done; next = await pending.shift()) {
      pending.push(requestNext());
      yield next.value;
    }
  })();
}

/**
 * Reads all rows from a place to `until`, in time ranges that adapt to their density. Requests the next page before the previous one is processed. If
 * `readsAhead`, also reads the next range meanwhile, where ranges have many rows.
 */
export async function* readRanges<Row>(read: ReadPage<Row>, until: number, start: Place, readsAhead: boolean): AsyncGenerator<Batch<Row>> {
  let { width } = start;
  const open = (from: number, place: Place, count: number) => {
    const range = { from, to: Math.min(until, from + width) };
    return { range, batches: bufferAhead(readRange(read, range, place), count) };
  };
  let next = start.from < until ? open(start.from, start, 1) : null;
  for (let isFull = false; next; ) {
    const { range, batches }: { readonly range: Range; readonly batches: AsyncGenerator<Batch<Row>> } = next;
    const openNext = (count: number) => (range.to < until ? open(range.to, { from: range.to, width, last: null }, count) : null);
    next = isFull && readsAhead ? openNext(PAGES_AHEAD) : null;
    let count = 0;
    for await (const batch of batches) {
      count += batch.rows.length;
      yield batch;
    }
    width = scaleWidth(width, range.to - range.from, count);
    isFull = count >= RANGE_ROWS / 2;
    next ??= openNext(1);
  }
}
