import { GraphQLError } from 'graphql';
import { invalidInput, type ValidationIssue } from '../../failures/failures.ts';
import { formatInstant, parseInstant } from '../../lib/instant.ts';
import { decodeAnalyticsCell } from '../../upstream/contract/generated/decoders.ts';
import type {
  AnalyticsCell,
  AnalyticsColumn,
  AnalyticsMoney,
  AnalyticsResolvedRange,
  AnalyticsResult as AnalyticsResultRecord,
  AnalyticsRow,
  ListCatalogResponse,
} from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import { Issue } from '../kit/errors.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { type Entity, getEntityByName } from '../kit/registry.ts';
import { followSubject } from '../kit/subjects.ts';
import { getContractField } from './contractFields.ts';
import { toDecimalText } from './decimals.ts';
import { Aggregation, CellStatus, ResultStatus, TimeBucket, ValueType } from './enums.ts';
import { getFieldEnum, toMember } from './fieldEnums.ts';
import { findNearest } from './nearest.ts';
import { needsCatalog, toQueryInput } from './normalizedQuery.ts';
import { MAX_ROWS } from './wireQuery.ts';

/** Entities that the columns of a result refer to by ID, by the columns' names. */
type RowTargets = ReadonlyMap<string, Entity<object>>;

/** Returns the entity whose IDs a column contains. Undefined for measures, for values that aren't IDs, and for IDs of objects that can't be looked up. */
function getTarget(entity: string, { id, field, aggregation }: AnalyticsColumn): Entity<object> | undefined {
  if (Aggregation.fromWire(aggregation) !== null) return undefined;
  const { refers, list: isList } = getContractField(entity, field || id) ?? {};
  return refers && !isList ? getEntityByName(refers) : undefined;
}

/** Maps the columns of a result that contain IDs to the entities that they refer to. `entity` is the queried entity, by its name in SQL. */
const getRowTargets = (entity: string, columns: readonly AnalyticsColumn[]): RowTargets =>
  new Map(
    columns.flatMap((column) => {
      const target = getTarget(entity, column);
      return target ? [[column.id, target] as const] : [];
    }),
  );

/** Returns the entity that a column refers to. Throws ValidationError with the names of the columns of IDs if it isn't one of them. */
function requireTarget(targets: RowTargets, column: string, columns: readonly string[]): Entity<object> {
  const target = targets.get(column);
  if (target) return target;
  const names = [...targets.keys()];
  const suggestion = findNearest(column, names);
  const expected = names.length > 0 ? `must be one of the columns of IDs, ${names.join(', ')}` : 'must be a column of IDs';
  const hint = names.length > 0 ? '' : ' Select one, such as `id`, or group by one.';
  throw invalidInput(
    ['column'],
    columns.includes(column) ? 'NOT_ALLOWED' : 'UNKNOWN_NAME',
    `${expected}, but is ${JSON.stringify(column.slice(0, 100))}${suggestion ? `. Did you mean ${suggestion}?` : '.'}${hint}`,
  );
}

/** Column names in order, by which a row finds its cells. */
const COLUMNS = Symbol('columns');

/** Entities of the columns of IDs, by which a row finds its records. */
const TARGETS = Symbol('targets');

interface ResultRow extends AnalyticsRow {
  readonly [COLUMNS]: readonly string[];
  readonly [TARGETS]: RowTargets;
}

/** The queried entity, by its name in SQL. */
export const ENTITY = Symbol('entity');

/** Function that reads the caller's catalog. Resolves to null if it can't be read. */
export const CATALOG = Symbol('catalog');

/** The executed SQL in normalized form. */
export const NORMALIZED_SQL = Symbol('normalizedSql');

export interface NormalizedResult extends AnalyticsResultRecord {
  readonly [ENTITY]: string;
  readonly [CATALOG]: () => Promise<ListCatalogResponse | null>;
  readonly [NORMALIZED_SQL]?: string;
}

/** Converts the enum values of a result to this schema's spelling. */
export function translateEnumValues(result: AnalyticsResultRecord, entity: string): AnalyticsResultRecord {
  const enums = result.columns.map(({ field, id }) => getFieldEnum(entity, field || id));
  if (enums.every((each) => each === undefined)) return result;
  const translate = (cell: AnalyticsCell, index: number): AnalyticsCell =>
    typeof cell.text === 'string' ? { ...cell, text: toMember(enums[index], cell.text) } : cell;
  return { ...result, rows: result.rows.map((row) => ({ ...row, cells: row.cells.map(translate) })) };
}

const toMoney = ({ amount, currency }: AnalyticsMoney) => ({ amount: toDecimalText(amount), currencyCode: currency });

const Money = defineRecordType<AnalyticsMoney>('AnalyticsMoney', {
  record: 'AnalyticsMoney',
  description: 'An amount of money that can have more decimal places than its currency, such as a mean.',
  fields: (_f, t) => ({
    amount: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Amount in the currency’s main unit, such as euros, with all its digits: 250.00.',
      resolve: (money) => toMoney(money).amount,
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      nullable: false,
      description: 'Currency of the amount.',
      resolve: (money) => toMoney(money).currencyCode,
    }),
  }),
});

/** Whether a cell has a value. The values of other cells are ignored, even if the upstream sends some. */
const isReady = ({ status }: AnalyticsCell) => CellStatus.fromWire(status) === 'READY';

/** Converts a timestamp to UTC. Null if it's absent. The upstream may use any offset. */
function toUtc(timestamp: string | undefined): string | null {
  if (!timestamp) return null;
  const instant = parseInstant(timestamp);
  if (instant === undefined) throw new GraphQLError(`DateTime cannot represent ${JSON.stringify(timestamp).slice(0, 100)}.`);
  return formatInstant(instant);
}

/** Returns the value of a cell as JSON, with numbers as strings. */
function toJsonValue(cell: AnalyticsCell): unknown {
  if (!isReady(cell)) return null;
  const { text, integer, decimal, money, boolean, timestamp, date } = cell;
  if (decimal) return toDecimalText(decimal);
  if (money) return toMoney(money);
  return text ?? integer ?? boolean ?? toUtc(timestamp) ?? date ?? null;
}

const Cell = defineRecordType<AnalyticsCell>('AnalyticsCell', {
  record: 'AnalyticsCell',
  description: 'A value of a row. The column’s `valueType` determines which field contains it. The other fields are null.',
  fields: (f, t) => ({
    ...f.enumWithText('status', CellStatus, 'Whether the cell has a value.'),
    text: t.string({ ...f.annotate('text', 'Value of a `TEXT` column.'), resolve: (each) => (isReady(each) ? each.text : null) }),
    integer: t.field({
      type: 'Int64',
      ...f.annotate('integer', 'Value of an `INTEGER` column.'),
      resolve: (each) => (isReady(each) ? each.integer : null),
    }),
    decimal: t.field({
      type: 'Decimal',
      ...f.annotate('decimal', 'Value of a `DECIMAL` column, with all its digits.'),
      resolve: (each) => (isReady(each) && each.decimal ? toDecimalText(each.decimal) : null),
    }),
    money: t.field({
      type: Money,
      ...f.annotate('money', 'Value of a `MONEY` column.'),
      resolve: (each) => (isReady(each) ? each.money : null),
    }),
    boolean: t.boolean({
      ...f.annotate('boolean', 'Value of a `BOOLEAN` column.'),
      resolve: (each) => (isReady(each) ? each.boolean : null),
    }),
    timestamp: t.field({
      type: 'DateTime',
      ...f.annotate('timestamp', 'Value of a `TIMESTAMP` column. Includes fractions of a second if the Workspace API returns them.'),
      resolve: (each) => (isReady(each) ? toUtc(each.timestamp) : null),
    }),
    date: t.field({
      type: 'Date',
      ...f.annotate('date', 'Value of a `DATE` column.'),
      resolve: (each) => (isReady(each) ? each.date || null : null),
    }),
    value: t.field({
      type: 'JSON',
      description: 'Value as JSON, whatever its type. Numbers are strings. Amounts are objects with `amount` and `currencyCode`.',
      resolve: toJsonValue,
    }),
  }),
});

/** Replaces a cell that a row lacks. */
const NO_CELL = decodeAnalyticsCell({});

/** Returns the cell of a row by its column name. Throws ValidationError with the valid names if there is no such column. */
function getCell({ cells, [COLUMNS]: columns }: ResultRow, column: string): AnalyticsCell {
  const index = columns.indexOf(column);
  if (index >= 0) return cells[index] ?? NO_CELL;
  const suggestion = findNearest(column, columns);
  const hint = suggestion ? `. Did you mean ${suggestion}?` : '.';
  throw invalidInput(
    ['column'],
    'UNKNOWN_NAME',
    `must be one of ${columns.join(', ')}, but is ${JSON.stringify(column.slice(0, 100))}${hint}`,
  );
}

const Row = defineRecordType<ResultRow>('AnalyticsRow', {
  record: 'AnalyticsRow',
  description: 'A row of a result: a group of records, or a single record.',
  fields: (_f, t) => ({
    cells: t.field({
      type: [Cell],
      nullable: false,
      description: 'Cells of the row, in the order of the columns.',
      resolve: ({ cells }) => cells,
    }),
    cell: t.field({
      type: Cell,
      description: 'Cell of one column. With an alias for each column, a row is an object with those names.',
      extensions: NULL_ONLY_WITH_ERROR,
      args: { column: t.arg.string({ required: true, description: 'Name of the column.' }) },
      resolve: (row, { column }) => getCell(row, column),
    }),
    record: t.field({
      type: builder.nodeInterfaceRef(),
      description:
        'Record that a column of IDs refers to: `id` leads to the record that the row represents, `customer_id` to its customer. Null if the cell has no value, or if the record doesn’t exist.',
      args: {
        column: t.arg.string({
          required: true,
          defaultValue: 'id',
          description: 'Name of the column. It must contain IDs, as fields of records or as a dimension.',
        }),
      },
      resolve: (row, { column }, context, info) => {
        const target = requireTarget(row[TARGETS], column, row[COLUMNS]);
        const cell = getCell(row, column);
        return isReady(cell) ? followSubject(target, cell.text, context, info) : null;
      },
    }),
  }),
});

const Column = defineRecordType<AnalyticsColumn>('AnalyticsColumn', {
  record: 'AnalyticsColumn',
  description: 'A column of a result.',
  fields: (f) => ({
    name: f.requiredString('id', 'Name of the column, to use in `cell` and in the `sort` of a query.'),
    ...f.enumWithText('type', ValueType, 'Type of the column’s values.', { name: 'valueType' }),
    field: f.string('field', 'Field that the column contains or aggregates. Null if there is no single field.'),
    ...f.enumWithText('aggregation', Aggregation, 'Aggregation of a measure. Null for dimensions and for fields of records.', {
      isPartial: true,
    }),
    ...f.enumWithText('bucket', TimeBucket, 'Time interval of a dimension. Null if it has none.', { isPartial: true }),
  }),
});

const ResolvedRange = defineRecordType<AnalyticsResolvedRange>('AnalyticsResolvedTimeRange', {
  record: 'AnalyticsResolvedRange',
  description: 'The time range of a query: from `from` up to, but not including, `to`.',
  fields: (f, t) => ({
    from: t.field({ type: 'DateTime', ...f.annotate('start', 'Start of the range, inclusive.'), resolve: ({ start }) => toUtc(start) }),
    to: t.field({ type: 'DateTime', ...f.annotate('end', 'End of the range, exclusive.'), resolve: ({ end }) => toUtc(end) }),
  }),
});

const AnalyticsResult = defineRecordType<NormalizedResult>('AnalyticsResult', {
  record: 'AnalyticsResult',
  description: 'The result of an analytics query, computed from the current records.',
  fields: (f, t) => ({
    ...f.enumWithText('status', ResultStatus, 'Whether the result has rows.'),
    columns: f.list('columns', Column, 'Columns of the result.'),
    rows: t.field({
      type: [Row],
      nullable: false,
      description: 'Rows of the result.',
      extensions: { assumedSize: MAX_ROWS },
      resolve: ({ rows, columns, [ENTITY]: entity }) => {
        const names = columns.map(({ id }) => id);
        const targets = getRowTargets(entity, columns);
        return rows.map((row) => ({ ...row, [COLUMNS]: names, [TARGETS]: targets }));
      },
    }),
    isTruncated: f.boolean('truncated', 'Whether there are more rows or groups than `limit` allows.'),
    isAggregationComplete: f.boolean(
      'aggregationComplete',
      'Whether the aggregation includes every matching row. Groups can still be missing from the result: see `isTruncated`.',
    ),
    warnings: f.stringList('warnings', 'Human-readable remarks on the result.'),
    timezone: f.scalar('timezone', 'TimeZone', 'Time zone of the days and time intervals in the result.'),
    resolvedTimeRange: t.field({
      type: ResolvedRange,
      ...f.annotate('resolvedTimeRange', 'Time range of the query with its exact start and end. Null if the query has none.'),
      resolve: ({ resolvedTimeRange }) => resolvedTimeRange,
    }),
    generatedAt: t.field({
      type: 'DateTime',
      ...f.annotate('generatedAt', 'When the result was computed.'),
      resolve: ({ generatedAt }) => toUtc(generatedAt),
    }),
    normalizedQuery: t.field({
      type: 'JSON',
      ...f.annotate(
        'normalizedQuery',
        'Executed query as an `AnalyticsQueryInput`, with the names of all columns. Can be sent again. Null if the input can’t express it.',
      ),
      resolve: async ({ normalizedQuery, [CATALOG]: readCatalog }) =>
        (normalizedQuery && toQueryInput(normalizedQuery, needsCatalog(normalizedQuery) ? await readCatalog() : null)) ?? null,
    }),
    normalizedSql: t.string({
      description: 'Executed SQL in normalized form. Can be sent again. Null for `analyticsQuery`.',
      resolve: ({ [NORMALIZED_SQL]: sql }) => sql || null,
    }),
  }),
});

/** A query that was rejected because it violates a rule. */
export class RejectedQuery {
  readonly message: string;
  readonly issues: readonly ValidationIssue[];
  /** Position in the SQL, from 1. Null if it isn't known. */
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, issues: readonly ValidationIssue[], line: number | null = null, column: number | null = null) {
    this.message = message;
    this.issues = issues;
    this.line = line;
    this.column = column;
  }
}

const QueryError = builder.objectType(RejectedQuery, {
  name: 'AnalyticsQueryError',
  description:
    'The query breaks a rule. Returned as data because queries are often written by people. All other failures are errors of the field.',
  fields: (t) => ({
    message: t.string({
      nullable: false,
      description: 'Human-readable message in English: what went wrong and how to fix it. Don’t parse it.',
      resolve: ({ message }) => message,
    }),
    issues: t.field({
      type: [Issue],
      nullable: false,
      description: 'Values that break a rule, each with its path from the argument, such as `query`, `select`, `records`, `0`.',
      resolve: ({ issues }) => [...issues],
    }),
    line: t.int({ description: 'Line in the SQL, starting at 1. Null if it isn’t known.', resolve: ({ line }) => line }),
    column: t.int({ description: 'Character in that line, starting at 1. Null if it isn’t known.', resolve: ({ column }) => column }),
  }),
});

export const QueryResult = builder.unionType('AnalyticsQueryResult', {
  description: 'Result of an analytics query, or the reason why it was rejected.',
  types: [AnalyticsResult, QueryError],
  resolveType: (value) => (value instanceof RejectedQuery ? 'AnalyticsQueryError' : 'AnalyticsResult'),
});
