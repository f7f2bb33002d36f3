import { RejectedError } from '../../../src/failures/failures.ts';
import { computeFingerprint } from '../../../src/schema/paging/cursors.ts';
import type { TruncatableSlice, WindowArgs } from '../../../src/schema/paging/window.ts';
import { compare, type IndexCondition, type IndexValue } from '../../../src/schema/search/conditions.ts';
import {
  type Direction,
  type ExecutionBudget,
  type IndexQuery,
  type IndexRow,
  type IndexRows,
  type KeysetList,
  parseKeysetWindow,
  readKeysetPage,
  type Segment,
  type SortKey,
} from '../../../src/schema/search/keyset.ts';

/** A row by column. Timestamps are in one format and integers have few digits, so that texts and numbers can be compared. */
export type Cells = Readonly<Record<string, string | null>>;

export interface MemoryRow extends IndexRow {
  readonly cells: Cells;
}

export const createRow = (id: string, cells: Cells): MemoryRow => ({
  id,
  cells,
  getValue: (column) => (column === 'id' ? id : (cells[column] ?? null)),
});

/** Maximum number of rows of an execution, as upstream. */
const MAX_ROWS = 100;

const isInteger = (text: string) => /^-?\d+$/.test(text);

/** Compares values: integers by number, texts by code points. */
export function compareValues(one: string, other: string): number {
  if (one === other) return 0;
  if (isInteger(one) && isInteger(other)) return Number(BigInt(one) - BigInt(other));
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const toText = ({ text, timestamp, integer }: IndexValue): string => String(text ?? timestamp ?? integer);

const PREDICATES: Readonly<Record<string, (value: string, operand: string, operands: ReadonlySet<string>) => boolean>> = {
  IS_NULL: () => false,
  IS_NOT_NULL: () => true,
  EQ: (value, operand) => value === operand,
  GT: (value, operand) => compareValues(value, operand) > 0,
  GTE: (value, operand) => compareValues(value, operand) >= 0,
  LT: (value, operand) => compareValues(value, operand) < 0,
  LTE: (value, operand) => compareValues(value, operand) <= 0,
  NOT_IN: (value, _operand, operands) => !operands.has(value),
};

/** Whether rows match a condition. As in SQL, a comparison never matches an empty cell. */
function createPredicate(condition: IndexCondition | undefined): (row: MemoryRow) => boolean {
  if (!condition) return () => true;
  const { all, any, compare: comparison } = condition;
  const children = (all ?? any)?.children?.map(createPredicate) ?? [];
  if (all) return (row) => children.every((matches) => matches(row));
  if (any) return (row) => children.some((matches) => matches(row));
  if (!comparison) throw new Error(`Unexpected condition: ${JSON.stringify(condition)}`);
  const operator = String(comparison.operator).replace('ANALYTICS_OPERATOR_', '');
  const operands = new Set(comparison.values?.map(toText));
  const [operand = ''] = operands;
  const matches = PREDICATES[operator];
  if (!matches) throw new Error(`Unexpected operator: ${operator}`);
  return (row) => {
    const value = row.getValue(comparison.field ?? '');
    return value === null ? operator === 'IS_NULL' : matches(value, operand, operands);
  };
}

/** An index in memory that executes queries as the upstream does. IDs can be sorted but not compared. */
export class MemoryIndex {
  readonly rows = new Map<string, MemoryRow>();
  readonly queries: IndexQuery[] = [];
  /** Called before each execution. */
  onExecute: () => void = () => {};
  /** Number of rows that fit into a result. The upstream limits its size, too. */
  maxRows = MAX_ROWS;
  /** Maximum size of a result. The upstream rejects queries with larger ones. */
  maxSize = Number.POSITIVE_INFINITY;

  constructor(rows: Iterable<MemoryRow>) {
    for (const row of rows) this.rows.set(row.id, row);
  }

  readonly execute = async ({ condition, sort, limit, ...rest }: IndexQuery): Promise<IndexRows<MemoryRow>> => {
    this.queries.push({ condition, sort, limit, ...rest });
    this.onExecute();
    if (limit < 1 || limit > MAX_ROWS) throw new Error(`The limit must be from 1 to ${MAX_ROWS}, but is ${limit}.`);
    const found = [...this.rows.values()].filter(createPredicate(condition));
    found.sort((one, other) => {
      for (const { column, direction } of sort) {
        const difference = compareValues(one.getValue(column) ?? '', other.getValue(column) ?? '');
        if (difference !== 0) return direction === 'ASC' ? difference : -difference;
      }
      return 0;
    });
    const rows = found.slice(0, Math.min(limit, this.maxRows));
    if (rows.reduce((sum, { id }) => sum + id.length, 0) > this.maxSize) throw new RejectedError(409, 'failed_precondition', 'Too large.');
    return { rows, isTruncated: found.length > rows.length };
  };
}

export const FINGERPRINT = computeFingerprint('AnalyticsService/ExecuteQuery orders', {});

function createBudget(limit: number): ExecutionBudget {
  let left = limit;
  return {
    limit,
    get left() {
      return left;
    },
    take: () => {
      left -= 1;
    },
  };
}

/** A list of an index without a filter. */
export const createList = (
  { execute }: Pick<MemoryIndex, 'execute'>,
  segments: readonly Segment[],
  left = Number.POSITIVE_INFINITY,
): KeysetList<MemoryRow> => ({ execute, segments, condition: undefined, fingerprint: FINGERPRINT, budget: createBudget(left) });

/** Reads the page with these pagination arguments. */
export const readPage = async (args: WindowArgs, list: KeysetList<MemoryRow>): Promise<TruncatableSlice<MemoryRow, string>> =>
  readKeysetPage(parseKeysetWindow(args, list), list);

const key = (column: string, direction: Direction, kind: SortKey['kind'] = 'timestamp'): SortKey => ({ column, direction, kind });

/** The known values of `status`, in ascending order. */
export const STATUSES = ['OPEN', 'DONE'];

/** Sort orders: the segments of a list, and the columns by which a naive implementation sorts it. */
export const ORDERS = {
  created: {
    columns: [],
    createSegments: (direction: Direction): readonly Segment[] => [{ condition: undefined, keys: [key('created', direction)] }],
  },
  updated: {
    columns: ['updated'],
    createSegments: (direction: Direction): readonly Segment[] => [
      { condition: undefined, keys: [key('updated', direction), key('created', direction)] },
    ],
  },
  size: {
    columns: ['size'],
    createSegments: (direction: Direction): readonly Segment[] => [
      { condition: undefined, keys: [key('size', direction, 'integer'), key('created', direction)] },
    ],
  },
  canceled: {
    columns: ['canceled'],
    createSegments: (direction: Direction): readonly Segment[] => [
      { condition: compare('canceled', 'IS_NOT_NULL'), keys: [key('canceled', direction), key('created', direction)] },
      { condition: compare('canceled', 'IS_NULL'), keys: [key('created', direction)] },
    ],
  },
  status: {
    columns: ['status'],
    createSegments: (direction: Direction): readonly Segment[] => {
      const values = STATUSES.map((text) => ({ text }));
      const known = values.map((value) => compare('status', 'EQ', value));
      return [...(direction === 'ASC' ? known : known.reverse()), compare('status', 'NOT_IN', ...values)].map((condition) => ({
        condition,
        keys: [key('created', direction)],
      }));
    },
  },
} as const;

export type OrderName = keyof typeof ORDERS;

/** Compares the places of rows in a list, without segments. Rows without a value and unknown statuses come last in both directions. */
export function createComparator(order: OrderName, direction: Direction): (one: MemoryRow, other: MemoryRow) => number {
  const sign = direction === 'ASC' ? 1 : -1;
  const isLast = (row: MemoryRow, column: string) => {
    const value = row.getValue(column);
    return value === null || (column === 'status' && !STATUSES.includes(value));
  };
  const compareCells = (column: string, one: MemoryRow, other: MemoryRow): number => {
    const [first, second] = [isLast(one, column), isLast(other, column)];
    if (first || second) return Number(first) - Number(second);
    const [value, otherValue] = [one.getValue(column) ?? '', other.getValue(column) ?? ''];
    return sign * (column === 'status' ? STATUSES.indexOf(value) - STATUSES.indexOf(otherValue) : compareValues(value, otherValue));
  };
  return (one, other) => {
    for (const column of [...ORDERS[order].columns, 'created', 'id']) {
      const difference = compareCells(column, one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
