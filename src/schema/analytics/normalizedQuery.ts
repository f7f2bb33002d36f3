import type { JsonObject } from '../../lib/json.ts';
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
import { Aggregation, Operator, TimeBucket, toEntityMember } from './enums.ts';
import { getFieldEnum, toMember } from './fieldEnums.ts';

/** Thrown if the input can't express a part of a query. */
class UnsupportedQueryError extends Error {}

/** Returns an enum member that the input accepts. Throws for others. */
function requireKnown(member: string | null): string {
  if (member === null || member === 'OTHER') throw new UnsupportedQueryError();
  return member;
}

const removePrefix = (value: WireEnumValue, prefix: string): string => requireKnown(String(value).replace(`${prefix}_`, '') || null);

/** The entity that a filter applies to, by its name in SQL. Undefined if the catalog doesn't contain the relationship. */
interface FilterContext {
  readonly entity: string | undefined;
  readonly catalog: ListCatalogResponse | null;
}

function toValue({ decimal, ...value }: AnalyticsValue, field: string, { entity }: FilterContext): JsonObject {
  const member = typeof value.text === 'string' && entity !== undefined ? toMember(getFieldEnum(entity, field), value.text) : undefined;
  return { ...value, ...(member !== undefined && { text: member }), ...(decimal && { decimal: toDecimalText(decimal) }) };
}

function toComparison({ field, operator, values }: AnalyticsComparison, context: FilterContext): JsonObject {
  return {
    field,
    operator: requireKnown(Operator.fromWire(operator)),
    ...(values.length > 0 && { values: values.map((value) => toValue(value, field, context)) }),
  };
}

function followRelationship(relationship: string, { entity, catalog }: FilterContext): FilterContext {
  const { relationships = [] } = catalog?.entities.find(({ name }) => name === entity) ?? {};
  return { catalog, entity: relationships.find(({ name }) => name === relationship)?.entity };
}

function toFilter({ all, any, compare, related }: AnalyticsFilter, context: FilterContext): JsonObject {
  if (all) return { all: all.children.map((each) => toFilter(each, context)) };
  if (any) return { any: any.children.map((each) => toFilter(each, context)) };
  if (compare) return { compare: toComparison(compare, context) };
  if (!related) throw new UnsupportedQueryError();
  const { relationship, filter } = related;
  return { related: { relationship, ...(filter && { filter: toFilter(filter, followRelationship(relationship, context)) }) } };
}

function toTimeRange({ field, calendar, timestamp, relative }: AnalyticsTimeRange): JsonObject {
  if (calendar) return { field, range: { calendar } };
  if (timestamp) return { field, range: { timestamp: { gte: timestamp.start, lt: timestamp.end } } };
  if (!relative) throw new UnsupportedQueryError();
  return { field, range: { relative: { period: removePrefix(relative.period, 'ANALYTICS_RELATIVE_PERIOD'), offset: relative.offset } } };
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

function toMeasure(
  { id, aggregation, field, percentile, condition, numerator, denominator }: AnalyticsMeasure,
  context: FilterContext,
): JsonObject {
  const kind = requireKnown(Aggregation.fromWire(aggregation));
  const name = MEASURES[kind] ?? '';
  if (kind === 'RATIO') return { [name]: { name: id, numerator, denominator } };
  return {
    [name]: {
      name: id,
      ...(kind !== 'COUNT' && { field }),
      ...(kind === 'PERCENTILE_DISC' && { percentile: toDecimalText(percentile) }),
      ...(condition && { condition: toFilter(condition, context) }),
    },
  };
}

function toDimension({ id, field, bucket }: AnalyticsDimension): JsonObject {
  const timeBucket = TimeBucket.fromWire(bucket);
  return { name: id, field, ...(timeBucket && { bucket: requireKnown(timeBucket) }) };
}

function toSort({ column, direction }: AnalyticsSort): JsonObject {
  const hasDirection = direction !== 'ANALYTICS_SORT_DIRECTION_UNSPECIFIED';
  return { column, ...(hasDirection && { direction: removePrefix(direction, 'ANALYTICS_SORT_DIRECTION') }) };
}

function convertQuery(
  { entity, timezone, timeRange, filter, aggregate, records, sort, limit }: AnalyticsQuery,
  catalog: ListCatalogResponse | null,
): JsonObject {
  const context = { entity, catalog };
  const { measures = [], dimensions = [] } = aggregate ?? {};
  return {
    entity: requireKnown(toEntityMember(entity)),
    ...(timezone && { timezone }),
    ...(timeRange && { timeRange: toTimeRange(timeRange) }),
    ...(filter && { filter: toFilter(filter, context) }),
    select: records
      ? { records: records.fields }
      : {
          aggregate: {
            measures: measures.map((each) => toMeasure(each, context)),
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
export function toQueryInput(query: AnalyticsQuery, catalog: ListCatalogResponse | null): JsonObject | null {
  try {
    return convertQuery(query, catalog);
  } catch (error) {
    if (error instanceof UnsupportedQueryError) return null;
    throw error;
  }
}
