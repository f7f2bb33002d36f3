import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsAggregate,
  type AnalyticsDimension,
  type AnalyticsMeasure,
  AnalyticsFieldType as FieldType,
  AnalyticsTimeBucket as TimeBucket,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { type Bucket, listBuckets } from './buckets.ts';
import { FIELDLESS } from './catalog.ts';
import { type Cell, UNAVAILABLE } from './cells.ts';
import { getCurrencyDigits } from './currencyDigits.ts';
import { requireField } from './invalidQuery.ts';
import { computeMeasure, computeRatio, type MeasureInput, measureType } from './measures.ts';
import { type Column, createUnresolvedSql, createUnresolvedWarnings, type QueryResult, type Source } from './queryResult.ts';
import type { Range } from './ranges.ts';
import { floorAndCeiling, toSeconds } from './values.ts';

type Value = string | bigint | null;

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
  /** SQL for whether a row counts toward the measure, and for the row's value. */
  readonly sql: readonly [string, string];
}

/** The input of each measure from the rows of one group. */
interface Group {
  readonly key: readonly Value[];
  readonly inputs: readonly (MeasureInput & { isUnresolved: boolean })[];
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

function compileKey(source: Source, dimension: AnalyticsDimension, index: number): Key {
  const { bucket, field: name, id } = dimension;
  const field = requireField(source.entity, name, name);
  const isBucketed = bucket !== TimeBucket.UNSPECIFIED;
  return {
    dimension,
    column: { id, type: isBucketed ? FieldType.DATE : field.type, field: name, bucket },
    sql: isBucketed ? `(SELECT day FROM b${index} WHERE b${index}.start <= ${field.sql} AND ${field.sql} < b${index}.until)` : field.sql,
    scale: field.scale ?? 0,
    buckets: computeBuckets(source, dimension, field.sql),
  };
}

function compileMeasure({ entity, compiler, query }: Source, measure: AnalyticsMeasure): CompiledMeasure {
  const { id, aggregation, field: name, condition } = measure;
  const field = FIELDLESS.includes(aggregation) ? undefined : requireField(entity, name, name);
  const type = measureType(entity, measure);
  const isIncluded = condition ? `coalesce(${compiler.createFilterCondition(entity, condition)}, FALSE)` : 'TRUE';
  return {
    measure,
    column: { id, type, field: name, aggregation },
    scale: field?.scale ?? 0,
    currencyAt:
      field?.currencyField === undefined
        ? undefined
        : query.aggregate?.dimensions.findIndex((each) => each.field === field.currencyField && each.bucket === TimeBucket.UNSPECIFIED),
    sql: [isIncluded, field?.sql ?? 'NULL'],
  };
}

/** Selects each row's keys, then two columns per measured field, then whether its amounts are unresolved. */
function buildStatement({ compiler, entity, sql }: Source, keys: readonly Key[], compiledMeasures: readonly CompiledMeasure[]): string {
  const tables = keys.flatMap(({ buckets, dimension }, index) => {
    if (dimension.bucket === TimeBucket.UNSPECIFIED) return [];
    const rows = compiler.bind(JSON.stringify(buckets.map(({ start, end, day }) => [start, end, day])));
    return [`b${index} AS MATERIALIZED (SELECT value ->> 0 AS start, value ->> 1 AS until, value ->> 2 AS day FROM json_each(${rows}))`];
  });
  const columns = [...keys.map((key) => key.sql), ...compiledMeasures.flatMap((part) => part.sql), createUnresolvedSql(entity)];
  return `${tables.length > 0 ? `WITH ${tables.join(', ')} ` : ''}SELECT ${columns.join(', ')} ${sql}`;
}

const groupName = (key: readonly Value[]) =>
  JSON.stringify(key.map((value) => (typeof value === 'bigint' ? `${value}n` : value && `'${value}`)));

function groupRows(rows: readonly (readonly Value[])[], keys: readonly Key[], compiledMeasures: readonly CompiledMeasure[]): Group[] {
  const groups = new Map<string, Group>();
  const getGroup = (key: readonly Value[]): Group => {
    const name = groupName(key);
    const group = groups.get(name) ?? { key, inputs: compiledMeasures.map(() => ({ rows: 0, values: [], isUnresolved: false })) };
    groups.set(name, group);
    return group;
  };
  // Without dimensions, all rows form one group, which exists even without rows.
  if (keys.length === 0) getGroup([]);
  for (const row of rows) {
    const { inputs } = getGroup(row.slice(0, keys.length));
    for (const [index, part] of inputs.entries()) {
      const [isIncluded, value = null] = row.slice(keys.length + 2 * index, keys.length + 2 * index + 2);
      if (isIncluded !== 1n) continue;
      part.rows += 1;
      if (value !== null) part.values.push(value);
      if (row.at(-1) === 1n) part.isUnresolved = true;
    }
  }
  return [...groups.values()];
}

function computeCell({ measure, column, scale, currencyAt }: CompiledMeasure, group: Group, input: Group['inputs'][number]): Cell {
  if (column.type !== FieldType.MONEY) return computeMeasure(measure, input, scale);
  if (input.isUnresolved) return UNAVAILABLE;
  const currency = String(group.key[currencyAt ?? -1] ?? '');
  return { ...computeMeasure(measure, input, getCurrencyDigits(currency)), currency };
}

function computeRow(group: Group, keys: readonly Key[], compiledMeasures: readonly CompiledMeasure[]): Cell[] {
  const own = compiledMeasures.map((part, index) => {
    const input = group.inputs[index];
    return input ? computeCell(part, group, input) : UNAVAILABLE;
  });
  const findOperand = (id: string) => own[compiledMeasures.findIndex(({ column }) => column.id === id)] ?? UNAVAILABLE;
  const cells = compiledMeasures.map(({ measure }, index) =>
    measure.aggregation === Aggregation.RATIO
      ? computeRatio(findOperand(measure.numerator), findOperand(measure.denominator))
      : (own[index] ?? UNAVAILABLE),
  );
  return [...keys.map(({ scale }, index): Cell => ({ value: group.key[index] ?? null, scale })), ...cells];
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

/** Groups the rows and computes the measures of each group. Totals are exact, because no number is converted to a double. */
export function executeAggregate(source: Source, { dimensions, measures }: AnalyticsAggregate): QueryResult {
  const { store, compiler, range, query, checkTime } = source;
  const keys = dimensions.map((dimension, index) => compileKey(source, dimension, index));
  checkTime();
  const compiledMeasures = measures.map((measure) => compileMeasure(source, measure));
  const statement = buildStatement(source, keys, compiledMeasures);
  const rows = store.rows(statement, compiler.bindings) as Value[][];
  checkTime();
  const groups = groupRows(rows, keys, compiledMeasures);
  const isAboutMoney = compiledMeasures.some(({ column }) => column.type === FieldType.MONEY);
  return {
    columns: [...keys, ...compiledMeasures].map(({ column }) => column),
    rows: groups.map((group) => computeRow(group, keys, compiledMeasures)),
    warnings: [
      ...(range && query.timeRange ? createCutOffWarnings(query.timeRange.field, range, keys) : []),
      ...createUnresolvedWarnings(isAboutMoney ? rows.filter((row) => row.at(-1) === 1n).length : 0),
    ],
  };
}
