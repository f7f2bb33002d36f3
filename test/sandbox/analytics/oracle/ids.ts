import { clone } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsAggregationSchema,
  type AnalyticsMeasure,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  AnalyticsTimeBucketSchema,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';

/** The name of an enum value in lower case, without the prefix of its enum. */
const toShortName = (name: string | undefined, prefix: string) => (name ?? '').slice(prefix.length).toLowerCase();

function measureName({ aggregation, field, numerator, denominator }: AnalyticsMeasure): string {
  if (aggregation === Aggregation.COUNT) return 'count';
  if (aggregation === Aggregation.RATIO) return `${numerator}_per_${denominator}`;
  return `${toShortName(AnalyticsAggregationSchema.value[aggregation]?.name, 'ANALYTICS_AGGREGATION_')}_${field}`;
}

/** The query with the IDs of all its columns. Explicit IDs remain unchanged, and derived ones avoid conflicts with them. */
export function resolveIds(original: AnalyticsQuery): AnalyticsQuery {
  const query = clone(AnalyticsQuerySchema, original);
  const { dimensions = [], measures = [] } = query.aggregate ?? {};
  const taken = new Set([...dimensions, ...measures].map(({ id }) => id));
  const findFreeId = (name: string) => {
    let id = name;
    for (let number = 2; taken.has(id); number += 1) id = `${name}_${number}`;
    taken.add(id);
    return id;
  };
  for (const dimension of dimensions) {
    const { field, bucket } = dimension;
    const suffix = toShortName(AnalyticsTimeBucketSchema.value[bucket]?.name, 'ANALYTICS_TIME_BUCKET_');
    dimension.id ||= findFreeId(bucket === TimeBucket.UNSPECIFIED ? field : `${field}_${suffix}`);
  }
  for (const measure of measures) measure.id ||= findFreeId(measureName(measure));
  return query;
}
