import {
  AnalyticsAggregation as Aggregation,
  AnalyticsAggregationSchema as AggregationSchema,
  type AnalyticsAggregate,
  type AnalyticsDecimal,
  type AnalyticsDimension,
  type AnalyticsMeasure,
  AnalyticsFieldType as FieldType,
  AnalyticsFieldTypeSchema as FieldTypeSchema,
  AnalyticsTimeBucket as TimeBucket,
  AnalyticsTimeBucketSchema as TimeBucketSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { type CatalogEntity, FIELDLESS, listAggregations } from './catalog.ts';
import { getEnumName, getShortEnumName } from './enumNames.ts';
import type { FilterCheck } from './filterCheck.ts';
import { assignIds } from './ids.ts';
import { InvalidQueryError, requireField } from './invalidQuery.ts';
import { LIMITS } from './limits.ts';
import { measureType } from './measures.ts';

/**
 * Explicit column IDs. Assumed: the upstream only requires them to be valid. Their length isn't limited, because derived IDs can be long, and clients can send
 * a normalized query back.
 */
const ID = /^[a-z][a-z0-9_]*$/;

/** Maximum number of decimal places of a percentile. Chosen: as many as 64 bits can hold. */
const MAX_SCALE = 18;

const getAggregationName = (aggregation: Aggregation) => getEnumName(AggregationSchema, aggregation);

/** Parts of the query other than the aggregate that its rules depend on. */
interface CheckContext {
  readonly filters: FilterCheck;
  readonly hasTimeRange: boolean;
}

function checkDimension(entity: CatalogEntity, { field: name, bucket }: AnalyticsDimension, path: string, hasTimeRange: boolean): void {
  const field = requireField(entity, name, `${path}.field`);
  // Assumed: rejected because a group would contain amounts in several currencies.
  if (field.type === FieldType.MONEY)
    throw new InvalidQueryError(`${path}.field`, `must not be an amount, but ${name} is one. Aggregate it instead.`);
  if (bucket === TimeBucket.UNSPECIFIED) return;
  if (getShortEnumName(TimeBucketSchema, bucket) === undefined)
    throw new InvalidQueryError(`${path}.bucket`, `must be a bucket, but is ${bucket}.`);
  if (field.type !== FieldType.TIMESTAMP)
    throw new InvalidQueryError(`${path}.bucket`, `must be omitted, because ${name} isn’t a timestamp.`);
  if (!hasTimeRange) throw new InvalidQueryError(`${path}.bucket`, 'requires an explicit time_range.');
}

function checkPercentile(percentile: AnalyticsDecimal | undefined, path: string): void {
  if (!percentile) throw new InvalidQueryError(path, 'is required with ANALYTICS_AGGREGATION_PERCENTILE_DISC.');
  const { unscaled, scale } = percentile;
  if (scale < 0 || scale > MAX_SCALE) throw new InvalidQueryError(`${path}.scale`, `must be from 0 to ${MAX_SCALE}, but is ${scale}.`);
  if (unscaled < 0n || unscaled > 10n ** BigInt(scale)) throw new InvalidQueryError(path, 'must be from 0 to 1.');
}

function checkMoney(entity: CatalogEntity, { measures, dimensions }: AnalyticsAggregate): void {
  for (const [index, { field: name, aggregation }] of measures.entries()) {
    const path = `aggregate.measures[${index}].field`;
    const currencyField = FIELDLESS.includes(aggregation) ? undefined : requireField(entity, name, path).currencyField;
    const isApart = dimensions.some(({ field, bucket }) => field === currencyField && bucket === TimeBucket.UNSPECIFIED);
    if (currencyField !== undefined && !isApart)
      throw new InvalidQueryError(
        path,
        `must have ${currencyField} as an unbucketed dimension, because ${name} is an amount. Amounts in different currencies are never summed.`,
      );
  }
}

/** Throws if an operand of a ratio isn't the ID of another numeric measure. */
function checkRatio(entity: CatalogEntity, aggregate: AnalyticsAggregate, index: number): void {
  const { measures } = aggregate;
  const ratio = measures[index];
  const ids = assignIds(aggregate).measures;
  if (!ratio) return;
  const path = `aggregate.measures[${index}]`;
  for (const name of ['numerator', 'denominator'] as const) {
    const id = ratio[name];
    const operand = measures[ids.indexOf(id)];
    const wanted = 'must be the ID of another measure';
    if (id === '' || !operand)
      throw new InvalidQueryError(`${path}.${name}`, `${wanted}, but is ${JSON.stringify(id)}. Valid values: ${ids.join(', ')}.`);
    if (operand.aggregation === Aggregation.RATIO)
      throw new InvalidQueryError(`${path}.${name}`, `${wanted} that isn’t a ratio, but ${id} is one.`);
    const type = measureType(entity, operand);
    if (type !== FieldType.INTEGER && type !== FieldType.DECIMAL)
      throw new InvalidQueryError(
        `${path}.${name}`,
        `${wanted} that is a number, but ${id} is ${getShortEnumName(FieldTypeSchema, type)}.`,
      );
  }
}

function checkMeasure(entity: CatalogEntity, measure: AnalyticsMeasure, path: string, filters: FilterCheck): void {
  const { aggregation, field: name, percentile, condition, numerator, denominator } = measure;
  const isRatio = aggregation === Aggregation.RATIO;
  const aggregationText = getAggregationName(aggregation);
  if (getShortEnumName(AggregationSchema, aggregation) === undefined)
    throw new InvalidQueryError(`${path}.aggregation`, `must be an aggregation, but is ${aggregationText}.`);
  if (FIELDLESS.includes(aggregation)) {
    if (name !== '') throw new InvalidQueryError(`${path}.field`, `must be empty with ${aggregationText}, but is ${JSON.stringify(name)}.`);
  } else {
    const aggregations = listAggregations(requireField(entity, name, `${path}.field`));
    if (!aggregations.includes(aggregation))
      throw new InvalidQueryError(
        `${path}.aggregation`,
        `must be an aggregation that ${name} supports, but is ${aggregationText}. Valid values: ${aggregations.map(getAggregationName).join(', ')}.`,
      );
  }
  if (aggregation === Aggregation.PERCENTILE_DISC) checkPercentile(percentile, `${path}.percentile`);
  else if (percentile) throw new InvalidQueryError(`${path}.percentile`, `must be omitted with ${aggregationText}.`);
  if (condition && isRatio) throw new InvalidQueryError(`${path}.condition`, `must be omitted with ${aggregationText}.`);
  if (condition) filters.check(entity, condition, `${path}.condition`);
  if (isRatio) return;
  if (numerator !== '') throw new InvalidQueryError(`${path}.numerator`, `must be empty with ${aggregationText}. It is only for ratios.`);
  if (denominator !== '')
    throw new InvalidQueryError(`${path}.denominator`, `must be empty with ${aggregationText}. It is only for ratios.`);
}

function checkIds({ measures, dimensions }: AnalyticsAggregate): void {
  const given = [
    ...dimensions.map(({ id }, index) => ({ id, path: `aggregate.dimensions[${index}].id` })),
    ...measures.map(({ id }, index) => ({ id, path: `aggregate.measures[${index}].id` })),
  ].filter(({ id }) => id !== '');
  for (const [index, { id, path }] of given.entries()) {
    if (!ID.test(id))
      throw new InvalidQueryError(
        path,
        `must be a letter from a to z, followed by letters, digits, and underscores, but is ${JSON.stringify(id)}.`,
      );
    if (given.findIndex((each) => each.id === id) !== index) throw new InvalidQueryError(path, `must be unique, but ${id} occurs twice.`);
  }
}

/** Throws if an aggregate over rows of this root breaks a rule. */
export function checkAggregate(entity: CatalogEntity, aggregate: AnalyticsAggregate, { filters, hasTimeRange }: CheckContext): void {
  const { measures, dimensions } = aggregate;
  if (measures.length === 0 || measures.length > LIMITS.maxMeasures)
    throw new InvalidQueryError('aggregate.measures', `must have 1 to ${LIMITS.maxMeasures} measures, but has ${measures.length}.`);
  if (dimensions.length > LIMITS.maxDimensions)
    throw new InvalidQueryError(
      'aggregate.dimensions',
      `must have at most ${LIMITS.maxDimensions} dimensions, but has ${dimensions.length}.`,
    );
  for (const [index, dimension] of dimensions.entries()) checkDimension(entity, dimension, `aggregate.dimensions[${index}]`, hasTimeRange);
  for (const [index, measure] of measures.entries()) checkMeasure(entity, measure, `aggregate.measures[${index}]`, filters);
  checkIds(aggregate);
  checkMoney(entity, aggregate);
  for (const [index, { aggregation }] of measures.entries()) if (aggregation === Aggregation.RATIO) checkRatio(entity, aggregate, index);
}
