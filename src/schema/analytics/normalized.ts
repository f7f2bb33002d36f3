import type {
  AnalyticsComparison,
  AnalyticsDimension,
  AnalyticsFilter,
  AnalyticsMeasure,
  AnalyticsQuery,
  AnalyticsSort,
  AnalyticsTimeRange,
  AnalyticsValue,
  ListCatalogResponse,
} from '../../upstream/contract/generated/records.ts';
import type { WireEnumValue } from '../kit/enums.ts';
import { toDecimalText } from './decimals.ts';
import { enumOf, toMember } from './enumTexts.ts';
import { Aggregation, entityMember, Operator, TimeBucket } from './words.ts';

/** A part of the input, as JSON. */
type Json = Readonly<Record<string, unknown>>;

/** Thrown if the input can't express a part of a query. */
class Unsayable extends Error {}

/** Returns an enum member that the input accepts. Throws for others. */
function known(member: string | null): string {
  if (member === null || member === 'OTHER') throw new Unsayable();
  return member;
}

const bare = (word: WireEnumValue, prefix: string): string => known(String(word).replace(`${prefix}_`, '') || null);

/** The entity that a filter applies to, by its name in SQL. Undefined if the catalog doesn't contain the relationship. */
interface Place {
  readonly entity: string | undefined;
  readonly catalog: ListCatalogResponse | null;
}

function toValue({ decimal, ...value }: AnalyticsValue, field: string, { entity }: Place): Json {
  const member = typeof value.text === 'string' && entity !== undefined ? toMember(enumOf(entity, field), value.text) : undefined;
  return { ...value, ...(member !== undefined && { text: member }), ...(decimal && { decimal: toDecimalText(decimal) }) };
}

function toComparison({ field, operator, values }: AnalyticsComparison, place: Place): Json {
  return {
    field,
    operator: known(Operator.fromWire(operator)),
    ...(values.length > 0 && { values: values.map((value) => toValue(value, field, place)) }),
  };
}

function behind(relationship: string, { entity, catalog }: Place): Place {
  const { relationships = [] } = catalog?.entities.find(({ name }) => name === entity) ?? {};
  return { catalog, entity: relationships.find(({ name }) => name === relationship)?.entity };
}

function toFilter({ all, any, compare, related }: AnalyticsFilter, place: Place): Json {
  if (all) return { all: all.children.map((each) => toFilter(each, place)) };
  if (any) return { any: any.children.map((each) => toFilter(each, place)) };
  if (compare) return { compare: toComparison(compare, place) };
  if (!related) throw new Unsayable();
  const { relationship, filter } = related;
  return { related: { relationship, ...(filter && { filter: toFilter(filter, behind(relationship, place)) }) } };
}

function toTimeRange({ field, calendar, timestamp, relative }: AnalyticsTimeRange): Json {
  if (calendar) return { field, range: { calendar } };
  if (timestamp) return { field, range: { timestamp: { from: timestamp.start, to: timestamp.end } } };
  if (!relative) throw new Unsayable();
  return { field, range: { relative: { period: bare(relative.period, 'ANALYTICS_RELATIVE_PERIOD'), offset: relative.offset } } };
}

/** Fields of the measure input by aggregation. */
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

function toMeasure({ id, aggregation, field, percentile, condition, numerator, denominator }: AnalyticsMeasure, place: Place): Json {
  const kind = known(Aggregation.fromWire(aggregation));
  const name = MEASURES[kind] ?? '';
  if (kind === 'RATIO') return { [name]: { name: id, numerator, denominator } };
  return {
    [name]: {
      name: id,
      ...(kind !== 'COUNT' && { field }),
      ...(kind === 'PERCENTILE_DISC' && { percentile: toDecimalText(percentile) }),
      ...(condition && { condition: toFilter(condition, place) }),
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

function written(
  { entity, timezone, timeRange, filter, aggregate, records, sort, limit }: AnalyticsQuery,
  catalog: ListCatalogResponse | null,
): Json {
  const place = { entity, catalog };
  const { measures = [], dimensions = [] } = aggregate ?? {};
  return {
    entity: known(entityMember(entity)),
    ...(timezone && { timezone }),
    ...(timeRange && { timeRange: toTimeRange(timeRange) }),
    ...(filter && { filter: toFilter(filter, place) }),
    select: records
      ? { records: records.fields }
      : {
          aggregate: {
            measures: measures.map((each) => toMeasure(each, place)),
            ...(dimensions.length > 0 && { dimensions: dimensions.map(toDimension) }),
          },
        },
    ...(sort.length > 0 && { sort: sort.map(toSort) }),
    ...(limit && { limit }),
  };
}

/** Whether the enum values of a query can only be converted with a catalog, which contains the target of each relationship. */
export const needsCatalog = (query: AnalyticsQuery): boolean => JSON.stringify(query).includes('"related":{');

/**
 * Converts a query of the contract to `AnalyticsQueryInput`. Null if it has values that the input doesn't define. Without a catalog, enum values of related
 * entities keep the upstream's spelling, which the input accepts too.
 */
export function toInput(query: AnalyticsQuery, catalog: ListCatalogResponse | null): Json | null {
  try {
    return written(query, catalog);
  } catch (error) {
    if (error instanceof Unsayable) return null;
    throw error;
  }
}
