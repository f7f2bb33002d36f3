import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsAggregate,
  type AnalyticsDimension,
  type AnalyticsMeasure,
  type AnalyticsQuery,
  AnalyticsFieldType as FieldType,
  AnalyticsSortDirection as SortDirection,
  AnalyticsTimeBucket as TimeBucket,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { type Bucket, listBuckets } from './buckets.ts';
import { FIELDLESS } from './catalog.ts';
import { type Cell, compareCells, UNAVAILABLE } from './cells.ts';
import { getCurrencyDigits } from './currencyDigits.ts';
import { requireField } from './invalidQuery.ts';
import { computeMeasure, computeRatio, createAggregates, measureType } from './measures.ts';
import { type Column, createUnresolvedSql, createUnresolvedWarnings, type QueryResult, type Source, type Value } from './queryResult.ts';
import type { Range } from './ranges.ts';
import { floorAndCeiling, toSeconds } from './values.ts';

/** A dimension with its SQL. */
interface Key {
  readonly dimension: AnalyticsDimension;
  readonly column: Column;
  readonly sql: string;
  readonly scale: number;
  readonly buckets: readonly Bucket[];
}

/** A measure of one field, or of none. */
interface CompiledMeasure {
  readonly measure: AnalyticsMeasure;
  readonly column: Column;
  /** Scale of its numbers. */
  readonly scale: number;
  /** Index of the dimension with the currency of its amounts. */
  readonly currencyAt: number | undefined;
  /** SQL aggregates. For amounts, the last one is whether any of them is unresolved. */
  readonly aggregates: readonly string[];
}

/** The buckets of a dimension that contain rows. */
function computeBuckets({ store, compiler, sql, query }: Source, { bucket }: AnalyticsDimension, field: string): Bucket[] {
  if (bucket === TimeBucket.UNSPECIFIED) return [];
  const timestamps = store.rows(`SELECT DISTINCT ${field} ${sql} AND ${field} IS NOT NULL ORDER BY 1`, compiler.bindings);
  return listBuckets(
    bucket,
    timestamps.map(([timestamp]) => Number(timestamp)),
    query.timezone,
  );
}

/** SQL for the first day of the bucket that contains a timestamp, found by binary search. */
function createBucketSql(timestamp: string, buckets: readonly Bucket[]): string {
  const middle = Math.floor(buckets.length / 2);
  if (middle === 0) return buckets[0] ? `'${buckets[0].day}'` : 'NULL';
  const [earlier, later] = [buckets.slice(0, middle), buckets.slice(middle)].map((half) => createBucketSql(timestamp, half));
  return `CASE WHEN ${timestamp} < ${buckets[middle]?.start} THEN ${earlier} ELSE ${later} END`;
}

function compileKey(source: Source, dimension: AnalyticsDimension): Key {
  const { bucket, field: name, id } = dimension;
  const field = requireField(source.entity, name, name);
  const isBucketed = bucket !== TimeBucket.UNSPECIFIED;
  const buckets = computeBuckets(source, dimension, field.sql);
  return {
    dimension,
    column: { id, type: isBucketed ? FieldType.DATE : field.type, field: name, bucket },
    sql: isBucketed ? `CASE WHEN ${field.sql} IS NOT NULL THEN ${createBucketSql(field.sql, buckets)} END` : field.sql,
    scale: field.scale ?? 0,
    buckets,
  };
}

function compileMeasure({ entity, compiler, query }: Source, measure: AnalyticsMeasure): CompiledMeasure {
  const { id, aggregation, field: name, condition } = measure;
  const field = FIELDLESS.includes(aggregation) ? undefined : requireField(entity, name, name);
  const type = measureType(entity, measure);
  const filter = condition ? ` FILTER (WHERE ${compiler.createFilterCondition(entity, condition)})` : '';
  const aggregates = [
    ...createAggregates(measure, field?.sql ?? 'NULL'),
    ...(type === FieldType.MONEY ? [`max(${createUnresolvedSql(entity)})`] : []),
  ];
  return {
    measure,
    column: { id, type, field: name, aggregation },
    scale: field?.scale ?? 0,
    currencyAt:
      field?.currencyField === undefined
        ? undefined
        : query.aggregate?.dimensions.findIndex((each) => each.field === field.currencyField && each.bucket === TimeBucket.UNSPECIFIED),
    aggregates: aggregates.map((aggregate) => `${aggregate}${filter}`),
  };
}

function computeCell({ measure, column, scale, currencyAt }: CompiledMeasure, key: readonly Value[], values: readonly Value[]): Cell {
  if (column.type !== FieldType.MONEY) return computeMeasure(measure, values, scale);
  if (values.at(-1) === 1n) return UNAVAILABLE;
  const currency = String(key[currencyAt ?? -1] ?? '');
  return { ...computeMeasure(measure, values, getCurrencyDigits(currency)), currency };
}

/** The cells of a group, from its row: the values of the keys, then those of each measure's aggregates. */
function computeRow(row: readonly Value[], keys: readonly Key[], compiledMeasures: readonly CompiledMeasure[]): Cell[] {
  const key = row.slice(0, keys.length);
  let end = keys.length;
  const own = compiledMeasures.map((part) => {
    const start = end;
    end += part.aggregates.length;
    return computeCell(part, key, row.slice(start, end));
  });
  const findOperand = (id: string) => own[compiledMeasures.findIndex(({ column }) => column.id === id)] ?? UNAVAILABLE;
  const cells = compiledMeasures.map(({ measure }, index) =>
    measure.aggregation === Aggregation.RATIO
      ? computeRatio(findOperand(measure.numerator), findOperand(measure.denominator))
      : (own[index] ?? UNAVAILABLE),
  );
  return [...keys.map(({ scale }, index): Cell => ({ value: key[index] ?? null, scale })), ...cells];
}

/** Warnings about buckets that the time range cuts off. */
function createCutOffWarnings(field: string, { start, end }: Range, keys: readonly Key[]): string[] {
  const [first, last] = [start, end].map((timestamp) => Number(floorAndCeiling(toSeconds(timestamp), 0).ceiling));
  const own = keys.filter(({ dimension, buckets }) => dimension.field === field && buckets.length > 0);
  return own.flatMap(({ column, buckets }) => [
    ...(Number(buckets[0]?.start) < Number(first)
      ? [`The first bucket of ${column.id} starts before the time range. It only counts what lies within the range.`]
      : []),
    ...(Number(buckets.at(-1)?.end) > Number(last)
      ? [`The last bucket of ${column.id} ends after the time range. It only counts what lies within the range.`]
      : []),
  ]);
}

/** Sorts the rows as requested. The dimensions break ties, then all columns. */
function sortRows(rows: readonly (readonly Cell[])[], columns: readonly Column[], { sort }: AnalyticsQuery): (readonly Cell[])[] {
  const requested = sort.map(({ column, direction }) => ({
    at: columns.findIndex(({ id }) => id === column),
    direction: direction === SortDirection.DESC ? (-1 as const) : (1 as const),
  }));
  const order = [...requested, ...columns.map((_column, at) => ({ at, direction: 1 as const }))];
  return rows.toSorted((one, other) => {
    for (const { at, direction } of order) {
      const [left, right] = [one[at], other[at]];
      const compared = left && right ? compareCells(left, right, direction) : 0;
      if (compared !== 0) return compared;
    }
    return 0;
  });
}

/** Groups the rows and computes the measures of each group. Totals are exact, because no number is converted to a double. */
export function executeAggregate(source: Source, { dimensions, measures }: AnalyticsAggregate): QueryResult {
  const { store, compiler, entity, range, query, sql, checkTime } = source;
  const keys = dimensions.map((dimension) => compileKey(source, dimension));
  checkTime();
  const compiledMeasures = measures.map((measure) => compileMeasure(source, measure));
  const columns = [...keys, ...compiledMeasures].map(({ column }) => column);
  const isAboutMoney = compiledMeasures.some(({ column }) => column.type === FieldType.MONEY);
  const selected = [
    ...keys.map((key) => key.sql),
    ...compiledMeasures.flatMap(({ aggregates }) => aggregates),
    ...(isAboutMoney ? [`sum(${createUnresolvedSql(entity)})`] : []),
  ];
  const groupBy = keys.length > 0 ? ` GROUP BY ${keys.map((_key, index) => index + 1).join(', ')}` : '';
  const rows = store.rows(`SELECT ${selected.join(', ')} ${sql}${groupBy}`, compiler.bindings) as Value[][];
  checkTime();
  return {
    columns,
    rows: sortRows(
      rows.map((row) => computeRow(row, keys, compiledMeasures)),
      columns,
      query,
    ),
    warnings: [
      ...(range && query.timeRange ? createCutOffWarnings(query.timeRange.field, range, keys) : []),
      ...createUnresolvedWarnings(isAboutMoney ? rows.reduce((count, row) => count + Number(row.at(-1)), 0) : 0),
    ],
  };
}
