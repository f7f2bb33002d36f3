import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsColumnSchema,
  type AnalyticsMeasure,
  type AnalyticsQuery,
  type AnalyticsResultSchema,
  AnalyticsSortDirection as Direction,
  AnalyticsFieldType as FieldType,
  AnalyticsResultStatus as ResultStatus,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { matchesFilter, type Situation } from './filters.ts';
import { resolveIds } from './ids.ts';
import { getBucket, resolveRange } from './moments.ts';
import type { Row } from './rows.ts';
import { compareValues, type Decimal, divideDecimals, isEmpty, isNumber, toCell, toKey, type Value } from './values.ts';

type Column = MessageInitShape<typeof AnalyticsColumnSchema> & { readonly id: string };

/** The table of a result, before sorting and limiting. */
interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  /** Number of dimensions, which are the first columns. */
  readonly dimensions: number;
}

/** Additional decimal places of quotients, compared with the operand that has more. */
const MORE_DIGITS = 6;

const toDecimal = (value: Value): Decimal => {
  if (isEmpty(value)) throw new Error('Empty values are no numbers.');
  if ('integer' in value) return { unscaled: value.integer, scale: 0 };
  if ('decimal' in value) return value.decimal;
  if ('money' in value) return value.money.amount;
  throw new Error(`${toKey(value)} is no number.`);
};

/** A value of the same type with another number. */
function replaceNumber(like: Value, number: Decimal): Value {
  if (!isEmpty(like) && 'money' in like) return { money: { amount: number, currency: like.money.currency } };
  return !isEmpty(like) && 'integer' in like && number.scale === 0 ? { integer: number.unscaled } : { decimal: number };
}

function sum(values: readonly Value[]): Decimal {
  const numbers = values.map(toDecimal);
  const scale = numbers[0]?.scale ?? 0;
  if (numbers.some((number) => number.scale !== scale)) throw new Error('Numbers of several scales are not added.');
  return { unscaled: numbers.reduce((total, { unscaled }) => total + unscaled, 0n), scale };
}

/** The first value whose cumulative share isn't less than the percentile. */
function percentile(sorted: readonly Value[], { unscaled, scale }: Decimal): Value {
  const isReached = (count: number) => BigInt(count) * 10n ** BigInt(scale) >= unscaled * BigInt(sorted.length);
  return sorted.find((_, index) => isReached(index + 1)) ?? null;
}

function computeMeasure({ aggregation, field, percentile: wanted }: AnalyticsMeasure, rows: readonly Row[]): Value {
  if (aggregation === Aggregation.COUNT) return { integer: BigInt(rows.length) };
  const all = rows.map((row) => row[field] ?? null);
  if (all.includes('unavailable')) return 'unavailable';
  const values = all.filter((value) => value !== null);
  if (aggregation === Aggregation.COUNT_DISTINCT) return { integer: BigInt(new Set(values.map(toKey)).size) };
  const [like] = values;
  if (like === undefined) return null;
  const sorted = values.toSorted(compareValues);
  switch (aggregation) {
    case Aggregation.SUM:
      return replaceNumber(like, sum(values));
    case Aggregation.AVG: {
      const total = sum(values);
      return replaceNumber(like, divideDecimals(total, { unscaled: BigInt(values.length), scale: 0 }, total.scale + MORE_DIGITS));
    }
    case Aggregation.MIN:
      return like && (sorted[0] ?? null);
    case Aggregation.MAX:
      return sorted.at(-1) ?? null;
    case Aggregation.PERCENTILE_DISC:
      return percentile(sorted, wanted ?? { unscaled: 0n, scale: 0 });
    default:
      throw new Error(`The oracle knows no aggregation ${aggregation}.`);
  }
}

function divideValues(numerator: Value, denominator: Value): Value {
  if (isEmpty(numerator) || isEmpty(denominator)) return null;
  const [above, below] = [toDecimal(numerator), toDecimal(denominator)];
  return below.unscaled === 0n ? null : { decimal: divideDecimals(above, below, Math.max(above.scale, below.scale) + MORE_DIGITS) };
}

function measureType({ aggregation, field }: AnalyticsMeasure, type: () => FieldType): FieldType {
  if (aggregation === Aggregation.RATIO) return FieldType.DECIMAL;
  if (field === '' || aggregation === Aggregation.COUNT_DISTINCT) return FieldType.INTEGER;
  return aggregation === Aggregation.AVG && isNumber(type()) ? FieldType.DECIMAL : type();
}

function groupRows(rows: readonly Row[], listKeys: (row: Row) => readonly Value[]): { keys: readonly Value[]; rows: Row[] }[] {
  const groups = new Map<string, { keys: readonly Value[]; rows: Row[] }>();
  for (const row of rows) {
    const keys = listKeys(row);
    const name = keys.map(toKey).join();
    const group = groups.get(name);
    if (group) group.rows.push(row);
    else groups.set(name, { keys, rows: [row] });
  }
  return [...groups.values()];
}

function computeAggregate(situation: Situation, query: AnalyticsQuery, rows: readonly Row[], zone: string): Table {
  const { entity, aggregate } = query;
  const { measures = [], dimensions = [] } = aggregate ?? {};
  const listKeys = (row: Row) =>
    dimensions.map(({ field, bucket }): Value => {
      const value = row[field] ?? null;
      if (bucket === TimeBucket.UNSPECIFIED || isEmpty(value)) return value;
      if (!('moment' in value)) throw new Error(`${field} is not a timestamp.`);
      return { day: getBucket(value.moment, bucket, zone) };
    });
  const groups = dimensions.length === 0 ? [{ keys: [], rows }] : groupRows(rows, listKeys);
  const ids = measures.map(({ id }) => id);
  const cells = (members: readonly Row[]) => {
    const plain = measures.map((measure) => {
      if (measure.aggregation === Aggregation.RATIO) return null;
      return computeMeasure(
        measure,
        members.filter((row) => matchesFilter(situation, entity, measure.condition, row)),
      );
    });
    const named = (id: string) => plain[ids.indexOf(id)] ?? null;
    return measures.map((measure, index) =>
      measure.aggregation === Aggregation.RATIO
        ? divideValues(named(measure.numerator), named(measure.denominator))
        : (plain[index] ?? null),
    );
  };
  return {
    dimensions: dimensions.length,
    columns: [
      ...dimensions.map(({ id, field, bucket }) => ({
        id,
        field,
        bucket,
        type: bucket === TimeBucket.UNSPECIFIED ? situation.records.typeOf(entity, field) : FieldType.DATE,
      })),
      ...measures.map((measure) => ({
        id: measure.id,
        field: measure.field,
        aggregation: measure.aggregation,
        type: measureType(measure, () => situation.records.typeOf(entity, measure.field)),
      })),
    ],
    rows: groups.map((group) => [...group.keys, ...cells(group.rows)]),
  };
}

function computeProjection({ records }: Situation, { entity, records: projection }: AnalyticsQuery, rows: readonly Row[]): Table {
  const fields = projection?.fields ?? [];
  const byId = rows.toSorted((one, other) => compareValues(one.id ?? null, other.id ?? null));
  return {
    dimensions: 0,
    columns: fields.map((field) => ({ id: field, field, type: records.typeOf(entity, field) })),
    rows: byId.map((row) => fields.map((field) => row[field] ?? null)),
  };
}

/** Empty cells come last, in either direction. */
function compareCells(one: Value, other: Value, isFalling = false): number {
  if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other));
  return isFalling ? compareValues(other, one) : compareValues(one, other);
}

function sorted({ columns, rows, dimensions }: Table, { sort, records }: AnalyticsQuery): readonly (readonly Value[])[] {
  const isByItself = records !== undefined && sort.length === 0;
  if (isByItself) return rows;
  const wanted = sort.map(({ column, direction }) => ({
    index: columns.findIndex(({ id }) => id === column),
    isFalling: direction === Direction.DESC,
  }));
  const ties = columns.map((_, index) => ({ index, isFalling: false }));
  const order = [...wanted, ...ties.slice(0, dimensions), ...ties.slice(dimensions)];
  return rows.toSorted((one, other) => {
    for (const { index, isFalling } of order) {
      const difference = compareCells(one[index] ?? null, other[index] ?? null, isFalling);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

const MAX_ROWS = 100;

/** The result of a query, without its timestamp and warnings. */
export interface ExpectedResult
  extends Pick<MessageInitShape<typeof AnalyticsResultSchema>, 'columns' | 'rows' | 'timezone' | 'status' | 'truncated'> {
  readonly query: AnalyticsQuery;
  /** Unix microseconds. */
  readonly range: { readonly start: bigint; readonly end: bigint } | undefined;
  /** Number of rows without a limit. */
  readonly total: number;
}

/** Evaluates a valid query with a slow, literal implementation of the specification. */
export function evaluate(situation: Situation, original: AnalyticsQuery): ExpectedResult {
  const query = resolveIds(original);
  const zone = query.timezone || situation.zone;
  const { timeRange, filter, entity } = query;
  const range = timeRange && resolveRange(timeRange, zone, situation.now);
  const isWithin = (row: Row) => {
    if (!range || !timeRange) return true;
    const value = row[timeRange.field] ?? null;
    return !isEmpty(value) && 'moment' in value && value.moment >= range.start && value.moment < range.end;
  };
  const rows = situation.records.rows(entity).filter((row) => isWithin(row) && matchesFilter(situation, entity, filter, row));
  const table = query.aggregate ? computeAggregate(situation, query, rows, zone) : computeProjection(situation, query, rows);
  const limit = query.limit || MAX_ROWS;
  return {
    query,
    range,
    total: table.rows.length,
    columns: [...table.columns],
    rows: sorted(table, query)
      .slice(0, limit)
      .map((values) => ({ cells: values.map(toCell) })),
    timezone: zone,
    status: table.rows.length === 0 ? ResultStatus.EMPTY : ResultStatus.READY,
    truncated: table.rows.length > limit,
  };
}
