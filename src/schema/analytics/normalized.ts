import type {
  AnalyticsDimension,
  AnalyticsFilter,
  AnalyticsMeasure,
  AnalyticsQuery,
  AnalyticsSort,
  AnalyticsTimeRange,
  AnalyticsValue,
} from '../../upstream/contract/generated/records.ts';
import type { WireWord } from '../kit/enums.ts';
import { toDecimalText } from './decimals.ts';
import { Aggregation, entityMember, Operator, TimeBucket } from './words.ts';

/** A part of the input, as JSON. */
type Json = Readonly<Record<string, unknown>>;

/** Thrown at what the input has no form for. */
class Unsayable extends Error {}

/** A member of an enum that the input has. */
function known(member: string | null): string {
  if (member === null || member === 'OTHER') throw new Unsayable();
  return member;
}

const bare = (word: WireWord, prefix: string): string => known(String(word).replace(`${prefix}_`, '') || null);

const toValue = ({ decimal, ...value }: AnalyticsValue): Json => ({ ...value, ...(decimal && { decimal: toDecimalText(decimal) }) });

function toFilter({ all, any, compare, related }: AnalyticsFilter): Json {
  if (all) return { all: all.children.map(toFilter) };
  if (any) return { any: any.children.map(toFilter) };
  if (related) return { related: { relationship: related.relationship, ...(related.filter && { filter: toFilter(related.filter) }) } };
  if (!compare) throw new Unsayable();
  const { field, operator, values } = compare;
  return { compare: { field, operator: known(Operator.fromWire(operator)), ...(values.length > 0 && { values: values.map(toValue) }) } };
}

function toTimeRange({ field, calendar, timestamp, relative }: AnalyticsTimeRange): Json {
  if (calendar) return { field, range: { calendar } };
  if (timestamp) return { field, range: { timestamp: { from: timestamp.start, to: timestamp.end } } };
  if (!relative) throw new Unsayable();
  return { field, range: { relative: { period: bare(relative.period, 'ANALYTICS_RELATIVE_PERIOD'), offset: relative.offset } } };
}

/** The members of the input by the measures. */
const MEASURES: Readonly<Record<string, string>> = {
  COUNT: 'count',
  COUNT_DISTINCT: 'countDistinct',
  SUM: 'sum',
  AVG: 'avg',
  MIN: 'min',
  MAX: 'max',
  PERCENTILE_DISC: 'percentile',
  RATIO: 'ratio',
};

function toMeasure({ id, aggregation, field, percentile, condition, numerator, denominator }: AnalyticsMeasure): Json {
  const kind = known(Aggregation.fromWire(aggregation));
  const name = MEASURES[kind] ?? '';
  if (kind === 'RATIO') return { [name]: { name: id, numerator, denominator } };
  return {
    [name]: {
      name: id,
      ...(kind !== 'COUNT' && { field }),
      ...(kind === 'PERCENTILE_DISC' && { percentile: toDecimalText(percentile) }),
      ...(condition && { condition: toFilter(condition) }),
    },
  };
}

function toDimension({ id, field, bucket }: AnalyticsDimension): Json {
  const stretch = TimeBucket.fromWire(bucket);
  return { name: id, field, ...(stretch && { bucket: known(stretch) }) };
}

function toSort({ column, direction }: AnalyticsSort): Json {
  const isTold = direction !== 'ANALYTICS_SORT_DIRECTION_UNSPECIFIED';
  return { column, ...(isTold && { direction: bare(direction, 'ANALYTICS_SORT_DIRECTION') }) };
}

function written({ entity, timezone, timeRange, filter, aggregate, records, sort, limit }: AnalyticsQuery): Json {
  const { measures = [], dimensions = [] } = aggregate ?? {};
  return {
    entity: known(entityMember(entity)),
    ...(timezone && { timezone }),
    ...(timeRange && { timeRange: toTimeRange(timeRange) }),
    ...(filter && { filter: toFilter(filter) }),
    select: records
      ? { records: records.fields }
      : { aggregate: { measures: measures.map(toMeasure), ...(dimensions.length > 0 && { dimensions: dimensions.map(toDimension) }) } },
    ...(sort.length > 0 && { sort: sort.map(toSort) }),
    ...(limit && { limit }),
  };
}

/** A query of the contract as `AnalyticsQueryInput`; null if it has words that the input doesn't define. */
export function toInput(query: AnalyticsQuery): Json | null {
  try {
    return written(query);
  } catch (error) {
    if (error instanceof Unsayable) return null;
    throw error;
  }
}
