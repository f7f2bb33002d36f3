import { ApiError, UpstreamInvalidError } from '../failures/failures.ts';
import { floorSeconds, formatInstant, type Instant, isBefore } from '../lib/instant.ts';
import { StartError } from '../lib/startup.ts';
import { compareIds } from '../schema/search/keyset.ts';

/** Number of rows that a range should contain. Chosen: an upstream that sorts all matching rows of a query never sorts more than a few thousand. */
const RANGE_ROWS = 1_000;
/** Number of rows after which a range that has more is continued by a shorter one. */
const MAX_RANGE_ROWS = 2 * RANGE_ROWS;
/** First width of a range in seconds, and the factors by which it can grow or shrink. Chosen: a gap of two years takes eight queries. */
const FIRST_WIDTH = 3_600;
const MAX_GROWTH = 4;
const MIN_GROWTH = 1 / MAX_GROWTH;

/** Number of rows with the same timestamp from which the next query excludes them. It returns fewer again, which are skipped. Chosen: half of a query's rows. */
const MIN_EXCLUDED = 50;
/** Maximum number of excluded rows. Chosen: the IDs of more don't fit into a query of 32 KiB. */
const MAX_EXCLUDED = 500;

/** Position of a row: rows are sorted by timestamp, then by ID. */
interface ReadPosition {
  readonly at: Instant;
  readonly id: string;
}

/** A row with its position. */
interface PositionedRow<Row> extends ReadPosition {
  readonly row: Row;
}

/** A query for rows from `start`, inclusive, to `end`, exclusive, in Unix seconds, sorted by timestamp and ID. */
export interface RangeQuery {
  readonly start: Instant;
  readonly end: number;
  /** IDs of rows at `start` to exclude, because IDs can't be compared upstream. */
  readonly excluded: readonly string[];
}

/** The first rows of a query, and whether more match. */
export interface RangePage<Row> {
  readonly rows: readonly PositionedRow<Row>[];
  readonly isTruncated: boolean;
}

/** Where reading continues: in the range of `width` seconds from `from`, after the last row. JSON. */
export interface Place {
  readonly from: number;
  readonly width: number;
  readonly last: ReadPosition | null;
}

/** Rows, and the place after them. */
export interface Batch<Row> {
  readonly rows: readonly Row[];
  readonly place: Place;
}

export const createFirstPlace = (from: number): Place => ({ from, width: FIRST_WIDTH, last: null });

const isAfter = (row: ReadPosition, other: ReadPosition) =>
  isBefore(other.at, row.at) || (row.at === other.at && compareIds(row.id, other.id) > 0);

/** Scales the width of a range, of which `seconds` contained `count` rows. */
function scaleWidth(width: number, seconds: number, count: number): number {
  const wanted = (seconds * RANGE_ROWS) / Math.max(1, count);
  return Math.max(1, Math.ceil(Math.min(width * MAX_GROWTH, Math.max(width * MIN_GROWTH, wanted))));
}

/** Checks that the rows of a page are in the range and in strictly ascending order, so that no row is read twice. */
function checkOrder(rows: readonly ReadPosition[], { start, end }: RangeQuery): void {
  let previous: ReadPosition | undefined;
  for (const row of rows) {
    if (isBefore(row.at, start) || floorSeconds(row.at) >= end)
      throw new UpstreamInvalidError('an analytics query returned a row outside of its time range');
    if (previous && !isAfter(row, previous))
      throw new UpstreamInvalidError('rows of an analytics query aren’t sorted by timestamp and ID, or are repeated');
    previous = row;
  }
}

const createTieError = (at: Instant) =>
  new StartError(
    `More than ${MAX_EXCLUDED} rows have the timestamp ${formatInstant(at)}, and the analytics index can’t list them separately. Split the export with --where, such as by status.`,
  );

/** Reads the rows of a range from a place in it, at least one query at a time. */
class RangeReader<Row> {
  readonly #read: (query: RangeQuery) => Promise<RangePage<Row>>;
  readonly #until: number;
  #place: Place;
  /** Rows read in the current range. */
  #count = 0;
  /** IDs of the last rows with the same timestamp, if the next query excludes them. */
  #excluded: readonly string[] = [];

  constructor(read: (query: RangeQuery) => Promise<RangePage<Row>>, until: number, place: Place) {
    this.#read = read;
    this.#until = until;
    this.#place = place;
  }

  get isAtEnd(): boolean {
    return this.#place.from >= this.#until;
  }

  async readNext(): Promise<Batch<Row>> {
    const { query, page } = await this.#readPage();
    const { rows, isTruncated } = page;
    const { from, width, last } = this.#place;
    checkOrder(rows, query);
    const added = rows.filter((row) => !last || isAfter(row, last));
    this.#count += added.length;
    if (isTruncated) this.#continueRange(query, rows, added.length > 0);
    else this.#openRange(query.end, scaleWidth(width, query.end - from, this.#count));
    const position = added.at(-1) ?? last;
    this.#place = { ...this.#place, last: position && { at: position.at, id: position.id } };
    return { rows: added.map(({ row }) => row), place: this.#place };
  }

  /** Reads a page of the current range. Shortens the range if the upstream times out, because it may have to sort all matching rows. */
  async #readPage(): Promise<{ readonly query: RangeQuery; readonly page: RangePage<Row> }> {
    for (;;) {
      const { from, width, last } = this.#place;
      const start = last && !isBefore(last.at, String(from)) ? last.at : String(from);
      const query = { start, end: Math.min(this.#until, from + width), excluded: this.#excluded };
      try {
        return { query, page: await this.#read(query) };
      } catch (error) {
        const seconds = query.end - floorSeconds(start);
        if (!(error instanceof ApiError) || error.code !== 'UPSTREAM_TIMEOUT' || seconds <= 1) throw error;
        this.#place = { ...this.#place, from: floorSeconds(start), width: Math.ceil(seconds * MIN_GROWTH) };
        this.#count = 0;
      }
    }
  }

  #openRange(from: number, width: number): void {
    this.#place = { ...this.#place, from, width };
    this.#excluded = [];
    this.#count = 0;
  }

  /** Continues a range that has more rows: after many, in one whose width follows from the density of the last rows. */
  #continueRange({ start }: RangeQuery, rows: readonly PositionedRow<Row>[], hasAdded: boolean): void {
    const at = rows.at(-1)?.at;
    if (at === undefined) throw new UpstreamInvalidError('an analytics query returned no rows, but reports more');
    const tied = [...(at === start ? this.#excluded : []), ...rows.filter((row) => row.at === at).map(({ id }) => id)];
    if (tied.length > MAX_EXCLUDED) throw createTieError(at);
    const end = floorSeconds(at);
    const seconds = Math.max(1, end - floorSeconds(rows[0]?.at ?? at));
    if (this.#count >= MAX_RANGE_ROWS && end > this.#place.from) this.#openRange(end, Math.ceil((seconds * RANGE_ROWS) / rows.length));
    this.#excluded = hasAdded && tied.length < MIN_EXCLUDED ? [] : tied;
  }
}

/** Reads all rows from a place to `until`, in time ranges that adapt to their density. */
export async function* readRanges<Row>(
  read: (query: RangeQuery) => Promise<RangePage<Row>>,
  until: number,
  place: Place,
): AsyncGenerator<Batch<Row>> {
  const reader = new RangeReader(read, until, place);
  while (!reader.isAtEnd) yield await reader.readNext();
}
