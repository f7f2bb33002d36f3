import { invalidInput, type ValidationIssue } from '../../failures.ts';
import type {
  AnalyticsCellJson,
  AnalyticsColumnJson,
  AnalyticsMoneyJson,
  AnalyticsResolvedRangeJson,
  AnalyticsResultJson,
  AnalyticsRowJson,
} from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { builder } from '../kit/builder.ts';
import { Issue } from '../kit/errors.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import { RecordFields } from '../kit/records.ts';
import { toDecimalText } from './decimals.ts';
import { toUtc } from './moments.ts';
import { nearest } from './nearest.ts';
import { toInput } from './normalized.ts';
import { Aggregation, CellStatus, ResultStatus, TimeBucket, ValueType } from './words.ts';

/** Names of the columns, in their order, by which a row finds its cells. */
const COLUMNS = Symbol('columns');

interface Row extends AnalyticsRowJson {
  readonly [COLUMNS]: readonly string[];
}

/** The SQL that a result was asked by, written out. */
export const NORMALIZED_SQL = Symbol('normalizedSql');

export interface Result extends AnalyticsResultJson {
  readonly [NORMALIZED_SQL]?: string | undefined;
}

const toMoney = ({ amount, currency }: AnalyticsMoneyJson) => ({ amount: toDecimalText(amount ?? {}), currencyCode: currency ?? '' });

const Money = new RecordFields<AnalyticsMoneyJson>('AnalyticsMoney').type('AnalyticsMoney', {
  description: 'An amount of money that may have more digits than its currency has: a mean, for one.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'In the currency’s main unit, such as euros, with all its digits: 250.00.',
      resolve: (money) => toMoney(money).amount,
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      nullable: false,
      description: 'The currency.',
      resolve: (money) => toMoney(money).currencyCode,
    }),
  }),
});

/** Values are shown of cells that are ready: others carry none, whatever an upstream sends beside the status. */
const isReady = ({ status }: AnalyticsCellJson) => CellStatus.fromWire(status) === 'READY';

/** The value of a cell as JSON has it, numbers as text. */
function plainValue(cell: AnalyticsCellJson): unknown {
  if (!isReady(cell)) return null;
  const { text, integer, decimal, money, boolean, timestamp, date } = cell;
  if (decimal) return toDecimalText(decimal);
  if (money) return toMoney(money);
  return text ?? (integer === undefined ? undefined : String(integer)) ?? boolean ?? toUtc(timestamp) ?? date ?? null;
}

const cell = new RecordFields<AnalyticsCellJson>('AnalyticsCell');

const Cell = cell.type('AnalyticsCell', {
  description: 'A value of a row. The column’s `valueType` tells which of these fields holds it; the others are null.',
  fields: (t) => ({
    ...cell.word(t, 'status', CellStatus, 'Whether it has a value.'),
    text: t.string({ ...cell.mark('text', 'A TEXT.'), resolve: (each) => (isReady(each) ? (each.text ?? null) : null) }),
    integer: t.field({
      type: 'Int64',
      ...cell.mark('integer', 'An INTEGER.'),
      resolve: (each) => (isReady(each) && each.integer !== undefined ? String(each.integer) : null),
    }),
    decimal: t.field({
      type: 'Decimal',
      ...cell.mark('decimal', 'A DECIMAL, with all its digits.'),
      resolve: (each) => (isReady(each) && each.decimal ? toDecimalText(each.decimal) : null),
    }),
    money: t.field({
      type: Money,
      ...cell.mark('money', 'A MONEY.'),
      resolve: (each) => (isReady(each) ? (each.money ?? null) : null),
    }),
    boolean: t.boolean({ ...cell.mark('boolean', 'A BOOLEAN.'), resolve: (each) => (isReady(each) ? (each.boolean ?? null) : null) }),
    timestamp: t.field({
      type: 'DateTime',
      ...cell.mark('timestamp', 'A TIMESTAMP. Fractions of a second are shown where the Workspace API has them.'),
      resolve: (each) => (isReady(each) ? toUtc(each.timestamp) : null),
    }),
    date: t.field({ type: 'Date', ...cell.mark('date', 'A DATE.'), resolve: (each) => (isReady(each) ? each.date || null : null) }),
    value: t.field({
      type: 'JSON',
      description: 'The value, of whatever kind: text of whole and decimal numbers, `amount` and `currencyCode` of amounts.',
      resolve: plainValue,
    }),
  }),
});

/** The cell of a row by the name of its column. Fails with ValidationError, which names the columns, when there is none of this name. */
function cellIn({ cells, [COLUMNS]: columns }: Row, column: string): AnalyticsCellJson {
  const found = columns.indexOf(column);
  if (found >= 0) return cells?.[found] ?? {};
  const meant = nearest(column, columns);
  const hint = meant ? `: did you mean ${meant}?` : '.';
  throw invalidInput(
    ['column'],
    'UNKNOWN_NAME',
    `must be one of ${columns.join(', ')}, but is ${JSON.stringify(column.slice(0, 100))}${hint}`,
  );
}

const Row = new RecordFields<Row>('AnalyticsRow').type('AnalyticsRow', {
  description: 'A group of rows, or a single one.',
  fields: (t) => ({
    cells: t.field({
      type: [Cell],
      nullable: false,
      description: 'Its cells, in the order of the columns.',
      resolve: ({ cells }) => cells ?? [],
    }),
    cell: t.field({
      type: Cell,
      description: 'The cell of one column. Under an alias for each column a row is an object with those names.',
      extensions: NULL_ONLY_WITH_ERROR,
      args: { column: t.arg.string({ required: true, description: 'The name of the column.' }) },
      resolve: (row, { column }) => cellIn(row, column),
    }),
  }),
});

const column = new RecordFields<AnalyticsColumnJson>('AnalyticsColumn');

const Column = column.type('AnalyticsColumn', {
  description: 'A column of a result.',
  fields: (t) => ({
    name: column.requiredText(t, 'id', 'The name: for `cell`, and for `sort` of a query.'),
    ...column.word(t, 'type', ValueType, 'The kind of its values.', { name: 'valueType' }),
    field: column.text(t, 'field', 'The field that it shows or measures; null when there is no single one.'),
    ...column.word(t, 'aggregation', Aggregation, 'The measure; null for dimensions, and for fields of records.', { isPartial: true }),
    ...column.word(t, 'bucket', TimeBucket, 'The stretches of time of a dimension; null when it has none.', { isPartial: true }),
  }),
});

const range = new RecordFields<AnalyticsResolvedRangeJson>('AnalyticsResolvedRange');

const ResolvedRange = range.type('AnalyticsResolvedTimeRange', {
  description: 'The time range of a query: from `from` up to, not including, `to`.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', ...range.mark('start', 'The beginning.'), resolve: ({ start }) => toUtc(start) }),
    to: t.field({ type: 'DateTime', ...range.mark('end', 'The end, which is no part of it.'), resolve: ({ end }) => toUtc(end) }),
  }),
});

const result = new RecordFields<Result>('AnalyticsResult');

const AnalyticsResult = result.type('AnalyticsResult', {
  description: 'The answer to a query, from the records as they are now.',
  fields: (t) => ({
    ...result.word(t, 'status', ResultStatus, 'Whether there are rows.'),
    columns: result.list(t, 'columns', Column, 'The columns.'),
    rows: t.field({
      type: [Row],
      nullable: false,
      description: 'The rows.',
      // In the wire's JSON null is an empty list, too.
      resolve: ({ rows, columns }) => {
        const names = (columns ?? []).map(({ id }) => id ?? '');
        return (rows ?? []).map((row) => ({ ...row, [COLUMNS]: names }));
      },
    }),
    isTruncated: result.flag(t, 'truncated', 'Whether there are more rows or groups than `limit` lets through.'),
    isAggregationComplete: result.flag(
      t,
      'aggregationComplete',
      'Whether every row that counts was read. Groups may be left out all the same: see `isTruncated`.',
    ),
    warnings: result.texts(t, 'warnings', 'Remarks on the result, in words.'),
    timezone: t.field({
      type: 'TimeZone',
      ...result.mark('timezone', 'The zone of its days and stretches of time.'),
      resolve: ({ timezone }) => timezone || null,
    }),
    resolvedTimeRange: t.field({
      type: ResolvedRange,
      ...result.mark('resolvedTimeRange', 'The time range, with its ends; null without one.'),
      resolve: ({ resolvedTimeRange }) => resolvedTimeRange ?? null,
    }),
    generatedAt: t.field({
      type: 'DateTime',
      ...result.mark('generatedAt', 'The moment of the answer.'),
      resolve: ({ generatedAt }) => toUtc(generatedAt),
    }),
    normalizedQuery: t.field({
      type: 'JSON',
      ...result.mark(
        'normalizedQuery',
        'The query that was answered, with the names of all columns, as `AnalyticsQueryInput`: it can be sent again. Null for one that this graph has no input for.',
      ),
      resolve: ({ normalizedQuery }) => (normalizedQuery && toInput(normalizedQuery)) ?? null,
    }),
    normalizedSql: t.string({
      description: 'The SQL that was answered, written out: it can be sent again. Null for an `analyticsQuery`.',
      resolve: ({ [NORMALIZED_SQL]: sql }) => sql || null,
    }),
  }),
});

/** A query that was refused for what it says. */
export class RefusedQuery {
  readonly message: string;
  readonly issues: readonly ValidationIssue[];
  /** Place in the SQL, from 1; null where none is told. */
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, issues: readonly ValidationIssue[], line: number | null = null, column: number | null = null) {
    this.message = message;
    this.issues = issues;
    this.line = line;
    this.column = column;
  }
}

const QueryError = builder.objectType(RefusedQuery, {
  name: 'AnalyticsQueryError',
  description:
    'The query breaks a rule: people write queries, so that this is an answer and no error. All other failures are errors of the field.',
  fields: (t) => ({
    message: t.string({ nullable: false, description: 'The problem and its remedy in English.', resolve: ({ message }) => message }),
    issues: t.field({
      type: [Issue],
      nullable: false,
      description: 'Every value that breaks a rule, with its path from the argument in: `query`, `select`, `records`, `0`, say.',
      resolve: ({ issues }) => [...issues],
    }),
    line: t.int({ description: 'The line of the SQL, from 1; null where it is not known.', resolve: ({ line }) => line }),
    column: t.int({ description: 'The character of that line, from 1; null where it is not known.', resolve: ({ column }) => column }),
  }),
});

export const QueryResult = builder.unionType('AnalyticsQueryResult', {
  description: 'The answer to a query, or the reason why it has none.',
  types: [AnalyticsResult, QueryError],
  resolveType: (value) => (value instanceof RefusedQuery ? 'AnalyticsQueryError' : 'AnalyticsResult'),
});
