import { InvalidCursorError, invalidInput, QueryTooExpensiveError, UpstreamInvalidError } from '../../failures/failures.ts';
import { parseInstant } from '../../lib/instant.ts';
import { countJsonBytes } from '../kit/jsonValues.ts';
import { type Fingerprint, parsePosition } from '../paging/cursors.ts';
import { parseWindow, type TruncatableSlice, type Window, type WindowArgs } from '../paging/window.ts';
import { all, any, compare, type IndexCondition, type IndexValue, type OperatorName } from './conditions.ts';
import { RowLimit } from './rowLimit.ts';

/** Maximum number of executions for a page. Chosen: a page needs one, and a few more where many rows have the same sort values, or texts are long. */
const MAX_PAGE_EXECUTIONS = 8;

/** Maximum number of rows with the same sort values that a list returns, if their IDs fit into a query. Chosen: most do without a filter. */
const MAX_TIED_ROWS = 500;

/** Bytes of a query for its condition and the IDs of these rows. Chosen: less than the upstream's 32 KiB by a position, columns and a sort order. */
const MAX_CONDITION_BYTES = 30_000;

/** Bytes of an ID in a condition: `{"text":"…"},` with a UUID. */
const ID_BYTES = 48;

/** Maximum length of a cursor. Chosen: a position has up to three timestamps and an ID. */
const MAX_CURSOR_LENGTH = 600;

export type Direction = 'ASC' | 'DESC';

/** Column that rows are sorted by. It has comparison operators, and a value in every row of its segment. */
export interface SortKey {
  readonly column: string;
  readonly kind: 'timestamp' | 'integer';
  readonly direction: Direction;
}

/**
 * Part of a list, which is a concatenation of segments: rows with a value and rows without one, or one segment for each value of an enum. So nothing depends on
 * where the upstream sorts empty cells, and enums follow the order of the schema.
 */
export interface Segment {
  readonly condition: IndexCondition | undefined;
  /** Rows with equal keys are sorted by ID. */
  readonly keys: readonly SortKey[];
}

/** A row of the index: the values of its sort keys as text, exactly as the upstream returned them. */
export interface IndexRow {
  readonly id: string;
  readonly getValue: (column: string) => string | null;
}

export interface IndexRows<Row extends IndexRow> {
  readonly rows: readonly Row[];
  /** Whether more rows match. */
  readonly isTruncated: boolean;
}

export interface IndexQuery {
  readonly condition: IndexCondition | undefined;
  readonly sort: readonly { readonly column: string; readonly direction: Direction }[];
  readonly limit: number;
}

/** Executes a query, which must return the sort columns of each row. */
export type ExecuteIndexQuery<Row extends IndexRow> = (query: IndexQuery) => Promise<IndexRows<Row>>;

/** Executions that an operation has left. Its searches share it. */
export interface ExecutionBudget {
  readonly limit: number;
  readonly left: number;
  take(): void;
}

/** Position of a row in its segment. */
interface KeysetPlace {
  readonly values: readonly string[];
  readonly id: string;
  /** Number of rows with the same values that are read before it. Only a hint for the number of rows to request, because rows can be added. */
  readonly rank: number;
}

/** Position of a row in its list. */
export interface KeysetCursor {
  readonly segment: number;
  readonly place: KeysetPlace;
}

interface PlacedRow<Row> extends KeysetCursor {
  readonly row: Row;
}

const reverse = (direction: Direction): Direction => (direction === 'ASC' ? 'DESC' : 'ASC');

/** Matches the rows after a position: those with later values and, if it's inclusive, those with the same values, because IDs can't be compared upstream. */
function startingAt(keys: readonly SortKey[], values: readonly string[], isForward: boolean, isInclusive: boolean): IndexCondition {
  const [key, ...otherKeys] = keys;
  const [value = '', ...otherValues] = values;
  if (!key) throw new Error('A segment must have a key.');
  const operator = (key.direction === 'ASC') === isForward ? 'GT' : 'LT';
  const operand: IndexValue = { [key.kind]: value };
  if (otherKeys.length === 0) return compare(key.column, (isInclusive ? `${operator}E` : operator) as OperatorName, operand);
  const tied = all(compare(key.column, 'EQ', operand), startingAt(otherKeys, otherValues, isForward, isInclusive));
  return any([compare(key.column, operator, operand), ...(tied ? [tied] : [])]);
}

/** Compares IDs by code points, as the upstream sorts them. UTF-8 has the same order, UTF-16 doesn't. */
export const compareIds = (id: string, other: string): number => Buffer.compare(Buffer.from(id), Buffer.from(other));

/** The rows that a page has read with the same sort values. */
interface Tie {
  readonly values: readonly string[];
  readonly ids: string[];
  /** Whether there are more than can be read. */
  isExceeded: boolean;
}

const createTie = (values: readonly string[]): Tie => ({ values, ids: [], isExceeded: false });

const isSame = (values: readonly string[], others: readonly string[]) => values.every((value, index) => value === others[index]);

/** Returns the number of rows with the same sort values that a list with this condition returns. */
function countMaxTied(condition: IndexCondition | undefined): number {
  const bytes = condition ? countJsonBytes(condition) : 0;
  return Math.min(MAX_TIED_ROWS, Math.floor((MAX_CONDITION_BYTES - bytes) / ID_BYTES));
}

/** Reads the rows of a segment in one direction. */
class SegmentReader<Row extends IndexRow> {
  readonly #execute: ExecuteIndexQuery<Row>;
  readonly #segment: Segment;
  readonly #isForward: boolean;
  readonly #start: KeysetPlace | undefined;
  readonly #limit: RowLimit;
  #maxTied = MAX_TIED_ROWS;
  #tie: Tie | undefined;
  readonly rows: { readonly row: Row; readonly place: KeysetPlace }[] = [];
  /** Whether all rows up to the end of the segment were read. */
  isAtEnd = false;
  /** Whether rows were left out because too many have the same sort values. */
  isTruncated = false;

  constructor(execute: ExecuteIndexQuery<Row>, segment: Segment, isForward: boolean, start: KeysetPlace | undefined, limit: RowLimit) {
    this.#execute = execute;
    this.#limit = limit;
    this.#segment = segment;
    this.#isForward = isForward;
    this.#start = start;
    this.#tie = start && createTie(start.values);
  }

  /** Reads until there are `count` rows, or until the segment or the budget ends. Requests one row more, because fewer rows show that the segment ends. */
  async read(count: number, condition: IndexCondition | undefined, takeExecution: () => boolean): Promise<void> {
    this.#maxTied = countMaxTied(condition);
    while (!this.isAtEnd && this.rows.length < this.#countNeeded(count) && takeExecution()) {
      const query = this.#createQuery(count, condition);
      try {
        this.#addAll(await this.#execute(query));
      } catch (error) {
        this.#limit.reduce(error, query.limit);
      }
    }
  }

  #addAll({ rows, isTruncated }: IndexRows<Row>): void {
    let previous: KeysetPlace | undefined;
    for (const row of rows) previous = this.#add(row, previous);
    this.isAtEnd = !isTruncated;
  }

  /** At least one row, which shows whether the list continues. After as many rows as are read with the same values, only the next one shows whether some are left out. */
  #countNeeded(count: number): number {
    return this.#tie?.ids.length === this.#maxTied ? count + 1 : Math.max(1, count);
  }

  #createQuery(count: number, condition: IndexCondition | undefined): IndexQuery {
    const { keys } = this.#segment;
    const { values, ids, isExceeded } = this.#tie ?? createTie([]);
    const skipped = this.#start && ids.length === 0 ? this.#start.rank + 1 : 0;
    const direction = keys[0]?.direction ?? 'ASC';
    return {
      condition: all(
        condition,
        this.#segment.condition,
        this.#tie && startingAt(keys, values, this.#isForward, !isExceeded),
        ids.length > 0 && !isExceeded ? compare('id', 'NOT_IN', ...ids.map((text) => ({ text }))) : undefined,
      ),
      sort: [...keys, { column: 'id', direction }].map((key) => ({
        column: key.column,
        direction: this.#isForward ? key.direction : reverse(key.direction),
      })),
      limit: this.#isSkipping() ? this.#limit.rows : Math.min(this.#limit.rows, count + 1 - this.rows.length + skipped),
    };
  }

  /** Whether all rows read so far are before the start. More than its rank are if rows were added, or if it was read in the other direction. */
  #isSkipping(): boolean {
    return this.rows.length === 0 && this.#tie !== undefined && this.#tie.ids.length > 0;
  }

  /** Rows that were added before the last one while the page is read are skipped, as if the page had been read at once. */
  #add(row: Row, previous: KeysetPlace | undefined): KeysetPlace {
    const values = this.#segment.keys.map(({ column }) => row.getValue(column));
    if (row.id === '' || !values.every((value) => value !== null))
      throw new UpstreamInvalidError('a row of an analytics query has no ID or no sort value');
    const isBehind = (place: KeysetPlace) => !isSame(values, place.values) || this.#isBefore(place.id, row.id);
    if (previous && !isBehind(previous))
      throw new UpstreamInvalidError('rows of an analytics query with the same values aren’t sorted by ID');
    if (!this.#tie || !isSame(values, this.#tie.values)) this.#tie = createTie(values);
    const { ids } = this.#tie;
    const place = { values, id: row.id, rank: ids.length };
    if (ids.length === this.#maxTied) {
      this.#tie.isExceeded = true;
      this.isTruncated = true;
      return place;
    }
    ids.push(row.id);
    const last = this.rows.at(-1)?.place ?? this.#start;
    if (!last || isBehind(last)) this.rows.push({ row, place });
    return place;
  }

  #isBefore(id: string, other: string): boolean {
    const isAscending = (this.#segment.keys[0]?.direction === 'ASC') === this.#isForward;
    const order = compareIds(id, other);
    return isAscending ? order < 0 : order > 0;
  }
}

const SORT_VALUES: Readonly<Record<SortKey['kind'], (text: string) => boolean>> = {
  timestamp: (text) => parseInstant(text) !== undefined,
  integer: (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text),
};

const formatPlace = (segment: number, { values, id, rank }: KeysetPlace): string => JSON.stringify([segment, rank, id, ...values]);

/** Parses the position of a cursor. Sort values are validated, because they're sent to the upstream. */
function parseCursor(cursor: string, fingerprint: Fingerprint, segments: readonly Segment[]): KeysetCursor {
  const invalid = new InvalidCursorError('Invalid cursor. Use one from `edges { cursor }` or `pageInfo`.');
  const text = parsePosition(cursor, fingerprint, /^\[.*\]$/, MAX_CURSOR_LENGTH);
  let parts: unknown[];
  try {
    parts = JSON.parse(text) as unknown[];
  } catch {
    throw invalid;
  }
  const [segment, rank, id, ...values] = parts;
  const keys = typeof segment === 'number' ? segments[segment]?.keys : undefined;
  const isValid = (value: unknown, index: number): value is string =>
    typeof value === 'string' && SORT_VALUES[keys?.[index]?.kind ?? 'timestamp'](value);
  if (keys && Number.isSafeInteger(rank) && typeof id === 'string' && values.length === keys.length && values.every(isValid))
    return { segment: segment as number, place: { values, id, rank: Math.max(0, rank as number) } };
  throw invalid;
}

/** Parses the arguments of a connection. Rejects a cursor at the other end, up to which a page can't be read. */
export function parseKeysetWindow(
  args: WindowArgs,
  { segments, fingerprint }: Pick<KeysetList<IndexRow>, 'segments' | 'fingerprint'>,
): Window<KeysetCursor> {
  const isForward = typeof args.last !== 'number';
  if (isForward && args.before) throw invalidInput(['before'], 'NOT_ALLOWED', 'requires `last`.');
  if (!isForward && args.after) throw invalidInput(['after'], 'NOT_ALLOWED', 'can’t be combined with `last`.');
  return parseWindow(args, fingerprint, (cursor) => parseCursor(cursor, fingerprint, segments));
}

export interface KeysetList<Row extends IndexRow> {
  readonly execute: ExecuteIndexQuery<Row>;
  readonly condition: IndexCondition | undefined;
  readonly segments: readonly Segment[];
  readonly fingerprint: Fingerprint;
  readonly budget: ExecutionBudget;
}

/**
 * Reads a page of a list that is sorted by the keys of its segments. Each cursor contains the sort values of its row, so pages have no gaps or duplicates while
 * rows are added or removed elsewhere. If the budget ends, the page is shorter than requested, and the next one continues after it.
 */
export async function readKeysetPage<Row extends IndexRow>(
  { size, isBackwards, after, before }: Window<KeysetCursor>,
  { execute, condition, segments, budget }: KeysetList<Row>,
): Promise<TruncatableSlice<Row, string>> {
  const isForward = !isBackwards;
  const start = after ?? before;
  let executions = Math.min(MAX_PAGE_EXECUTIONS, budget.left);
  const takeExecution = () => {
    if (executions === 0 || budget.left <= 0) return false;
    executions -= 1;
    budget.take();
    return true;
  };
  const found: PlacedRow<Row>[] = [];
  let isComplete = true;
  let isTruncated = false;
  const limit = new RowLimit();
  const numbered = [...segments.entries()];
  for (const [number, segment] of isForward ? numbered : numbered.reverse()) {
    if (start && (isForward ? number < start.segment : number > start.segment)) continue;
    const reader = new SegmentReader(execute, segment, isForward, start?.segment === number ? start.place : undefined, limit);
    await reader.read(size - found.length, condition, takeExecution);
    for (const each of reader.rows) found.push({ ...each, segment: number });
    isComplete = reader.isAtEnd;
    isTruncated ||= reader.isTruncated;
    if (!isComplete || found.length > size) break;
  }
  if (found.length === 0 && !isComplete) throw createBudgetError(budget.left <= 0 ? budget.limit : MAX_PAGE_EXECUTIONS);
  const page = found.slice(0, size);
  if (!isForward) page.reverse();
  const hasMore = found.length > size || !isComplete;
  return {
    rows: page.map(({ row }) => row),
    offsets: page.map(({ segment, place }) => formatPlace(segment, place)),
    hasNextPage: isForward ? hasMore : Boolean(start),
    hasPreviousPage: isForward ? Boolean(start) : hasMore,
    isTruncated,
  };
}

/** The limit is that of an operation or of a page. */
export function createBudgetError(limit: number): QueryTooExpensiveError {
  const message = `The searches of this operation need more than ${limit} analytics queries. Split it into several operations.`;
  return new QueryTooExpensiveError(message, limit, 'ANALYTICS_QUERIES');
}
