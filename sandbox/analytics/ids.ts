import { clone } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsAggregationSchema as AggregationSchema,
  type AnalyticsAggregate,
  type AnalyticsDimension,
  type AnalyticsMeasure,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  AnalyticsSortDirection as SortDirection,
  AnalyticsTimeBucket as TimeBucket,
  AnalyticsTimeBucketSchema as TimeBucketSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { getShortEnumName } from './enumNames.ts';
import { LIMITS } from './limits.ts';
import { canonicalizeTimeZone } from './ranges.ts';

const createDimensionId = ({ field, bucket }: AnalyticsDimension) =>
  bucket === TimeBucket.UNSPECIFIED ? field : `${field}_${getShortEnumName(TimeBucketSchema, bucket)?.toLowerCase()}`;

function measureId({ aggregation, field, numerator, denominator }: AnalyticsMeasure): string {
  if (aggregation === Aggregation.COUNT) return 'count';
  if (aggregation === Aggregation.RATIO) return `${numerator}_per_${denominator}`;
  return `${getShortEnumName(AggregationSchema, aggregation)?.toLowerCase()}_${field}`;
}

/** The column IDs of an aggregate, in the order of the result. */
export interface ColumnIds {
  readonly dimensions: readonly string[];
  readonly measures: readonly string[];
}

/**
 * Returns the explicit column IDs, and derives the others. Duplicates get the suffix `_2`, and so on. Assumed: explicit IDs are assigned first, then those of
 * dimensions, then those of measures.
 */
export function assignIds({ dimensions, measures }: AnalyticsAggregate): ColumnIds {
  const taken = new Set([...dimensions, ...measures].map(({ id }) => id).filter((id) => id !== ''));
  const resolve = (given: string, made: string): string => {
    if (given !== '') return given;
    let id = made;
    for (let number = 2; taken.has(id); number += 1) id = `${made}_${number}`;
    taken.add(id);
    return id;
  };
  return {
    dimensions: dimensions.map((dimension) => resolve(dimension.id, createDimensionId(dimension))),
    measures: measures.map((measure) => resolve(measure.id, measureId(measure))),
  };
}

/** Adds the defaults to a checked query: IDs, directions, the limit and the time zone. Relative ranges remain relative. */
export function normalize(query: AnalyticsQuery, workspaceZone: string): AnalyticsQuery {
  const normalized = clone(AnalyticsQuerySchema, query);
  normalized.timezone = canonicalizeTimeZone(query.timezone || workspaceZone) ?? query.timezone;
  normalized.limit = query.limit || LIMITS.maxRows;
  for (const sort of normalized.sort) sort.direction ||= SortDirection.ASC;
  const { aggregate } = normalized;
  if (aggregate) {
    const ids = assignIds(aggregate);
    for (const [index, dimension] of aggregate.dimensions.entries()) dimension.id = ids.dimensions[index] ?? '';
    for (const [index, measure] of aggregate.measures.entries()) measure.id = ids.measures[index] ?? '';
  }
  return normalized;
}
