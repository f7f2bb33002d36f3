import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type CatalogEntity, type CatalogField, listAggregations, listOperators } from '../../../sandbox/analytics/catalog.ts';
import { ENTITIES, entityByName } from '../../../sandbox/analytics/entities.ts';
import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsDimensionSchema,
  type AnalyticsFilterSchema,
  type AnalyticsMeasureSchema,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  type AnalyticsTimeRangeSchema,
  type AnalyticsValueSchema,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
  AnalyticsQuerySemantics as Semantics,
  AnalyticsSortDirection as SortDirection,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { fc } from '../../support/seeded.ts';

type Init<Schema extends Parameters<typeof create>[0]> = MessageInitShape<Schema>;
type Filter = Init<typeof AnalyticsFilterSchema>;
type Value = Init<typeof AnalyticsValueSchema>;
type Arbitrary<Some> = ReturnType<typeof fc.constant<Some>>;

/** After the start of the demo data, and before the clock of tests. */
const BETWEEN = { min: new Date('2025-06-01T00:00:00Z'), max: new Date('2026-04-01T00:00:00Z'), noInvalidDate: true };
const MAX_INT64 = 2n ** 63n - 1n;

const dateText = fc.date(BETWEEN).map((date) => date.toISOString().slice(0, 10));
const timestampText = fc.date(BETWEEN).map((date) => date.toISOString());
const plainText = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0') && text.isWellFormed());
const hostileText = fc.constantFrom('', "'", "''", "x' OR 'a' = 'a", '\\', "\\'", '--', '/*', ';', '%', '_', '\n', '"', '$1', '::text');
const int64 = fc.bigInt({ min: -MAX_INT64 - 1n, max: MAX_INT64 });
const smallInteger = fc.bigInt({ min: -5n, max: 500n });

function valueArb(field: CatalogField): Arbitrary<Value> {
  if (field.enumValues) return fc.constantFrom(...field.enumValues).map((text) => ({ text }));
  const text = fc.oneof(plainText, hostileText).map((each): Value => ({ text: each }));
  switch (field.type) {
    case FieldType.INTEGER:
      return fc.oneof(smallInteger, int64).map((integer) => ({ integer }));
    case FieldType.DECIMAL:
      return fc.record({ unscaled: fc.oneof(smallInteger, int64), scale: fc.nat(6) }).map((decimal) => ({ decimal }));
    case FieldType.BOOLEAN:
      return fc.boolean().map((boolean) => ({ boolean }));
    case FieldType.TIMESTAMP:
      return timestampText.map((timestamp) => ({ timestamp }));
    case FieldType.DATE:
      return dateText.map((date) => ({ date }));
    default:
      return field.isMember ? fc.oneof(text, fc.constant<Value>({ currentMember: true })) : text;
  }
}

const valuesArb = (field: CatalogField, operator: Operator): Arbitrary<Value[]> => {
  if (operator === Operator.IS_NULL || operator === Operator.IS_NOT_NULL) return fc.constant([]);
  if (operator === Operator.CONTAINS) return fc.oneof(plainText, hostileText).map((text) => [{ text: text === '' ? 'x' : text }]);
  const isList = operator === Operator.IN || operator === Operator.NOT_IN;
  return fc.array(valueArb(field), { minLength: 1, maxLength: isList ? 4 : 1 });
};

const comparisonArb = ({ fields }: CatalogEntity): Arbitrary<Filter> =>
  fc
    .constantFrom(...fields.filter((field) => listOperators(field).length > 0))
    .chain((field) =>
      fc
        .constantFrom(...listOperators(field))
        .chain((operator) => valuesArb(field, operator).map((values): Filter => ({ compare: { field: field.name, operator, values } }))),
    );

const groupArb = (child: Arbitrary<Filter>): Arbitrary<Filter> =>
  fc
    .tuple(fc.constantFrom('all', 'any'), fc.array(child, { minLength: 2, maxLength: 3 }))
    .map(([kind, children]) => ({ [kind]: { children } }));

function relatedArb(entity: CatalogEntity, levels: number, hops: number): Arbitrary<Filter> {
  return fc.constantFrom(...entity.relationships).chain((relationship) => {
    const other = entityByName.get(relationship.entity);
    if (!other) throw new Error(`The catalog has no ${relationship.entity}.`);
    return fc
      .option(filterArb(other, levels - 1, hops - 1), { nil: undefined })
      .map((filter): Filter => ({ related: { relationship: relationship.name, ...(filter && { filter }) } }));
  });
}

/** A filter that SQL can express, so without groups of only one filter. */
function filterArb(entity: CatalogEntity, levels: number, hops: number): Arbitrary<Filter> {
  const comparison = comparisonArb(entity);
  if (levels < 2) return comparison;
  const group = fc.constant(undefined).chain(() => groupArb(filterArb(entity, levels - 1, hops)));
  return hops > 0 ? fc.oneof(comparison, group, relatedArb(entity, levels, hops)) : fc.oneof(comparison, group);
}

const BUCKETS = [TimeBucket.DAY, TimeBucket.WEEK, TimeBucket.MONTH, TimeBucket.QUARTER, TimeBucket.YEAR];
/** Column IDs. Each column uses the next one, so that they are distinct. */
const IDS = ['a', 'b_1', 'c2', 'count', 'sum', 'total', 'state', 'x', 'contains', 'month', 'status', 'svc'];

const timeRangeArb = ({ fields }: CatalogEntity): Arbitrary<Init<typeof AnalyticsTimeRangeSchema>> => {
  const timestamps = fields.filter(({ type }) => type === FieldType.TIMESTAMP).map(({ name }) => name);
  const bounds = fc.oneof(
    fc.tuple(dateText, dateText).map((dates) => {
      const [startDate = '', endDate = ''] = dates.toSorted();
      return { calendar: { startDate, endDate } };
    }),
    fc
      .tuple(timestampText, timestampText)
      .filter(([start, end]) => start !== end)
      .map((timestamps) => {
        const [start = '', end = ''] = timestamps.toSorted();
        return { timestamp: { start, end } };
      }),
  );
  return fc.tuple(fc.constantFrom(...timestamps), bounds).map(([field, range]) => ({ field, ...range }));
};

type Dimension = Init<typeof AnalyticsDimensionSchema>;

const dimensionsArb = ({ fields }: CatalogEntity, hasRange: boolean): Arbitrary<Dimension[]> =>
  fc
    .subarray(
      fields.filter(({ type }) => type !== FieldType.MONEY),
      { maxLength: 3 },
    )
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((field) =>
          field.type === FieldType.TIMESTAMP && hasRange
            ? fc.constantFrom(TimeBucket.UNSPECIFIED, ...BUCKETS).map((bucket): Dimension => ({ field: field.name, bucket }))
            : fc.constant<Dimension>({ field: field.name }),
        ),
      ),
    );

type Measure = Init<typeof AnalyticsMeasureSchema>;

function measureArb(entity: CatalogEntity, dimensions: readonly Dimension[]): Arbitrary<Measure> {
  const isGrouped = (name: string) => dimensions.some(({ field, bucket }) => field === name && !bucket);
  const fields = entity.fields.filter(({ currencyField }) => currencyField === undefined || isGrouped(currencyField));
  const ofField = fc.constantFrom(...fields.filter((field) => listAggregations(field).length > 0)).chain((field) =>
    fc.tuple(fc.constantFrom(...listAggregations(field)), fc.bigInt({ min: 1n, max: 100n })).map(
      ([aggregation, unscaled]): Measure => ({
        aggregation,
        field: field.name,
        ...(aggregation === Aggregation.PERCENTILE_DISC && { percentile: { unscaled, scale: 2 } }),
      }),
    ),
  );
  return fc.oneof({ weight: 1, arbitrary: fc.constant<Measure>({ aggregation: Aggregation.COUNT }) }, { weight: 4, arbitrary: ofField });
}

/** Either all columns have explicit IDs or none, because derived IDs could conflict with explicit ones. */
const named = <Column extends object>(columns: readonly Column[], isNamed: boolean, from = 0) =>
  columns.map((column, index) => ({ ...column, id: isNamed ? (IDS[from + index] ?? '') : '' }));

const aggregateArb = (entity: CatalogEntity, hasRange: boolean) =>
  dimensionsArb(entity, hasRange).chain((dimensions) =>
    fc.tuple(fc.array(measureArb(entity, dimensions), { minLength: 1, maxLength: 8 }), fc.boolean()).map(([measures, isNamed]) => ({
      aggregate: { dimensions: named(dimensions, isNamed), measures: named(measures, isNamed, dimensions.length) },
    })),
  );

const recordsArb = ({ fields }: CatalogEntity) =>
  fc
    .subarray(
      fields.map(({ name }) => name),
      { minLength: 1 },
    )
    .map((names) => ({ records: { fields: names } }));

const listColumns = (output: Init<typeof AnalyticsQuerySchema>): readonly string[] =>
  output.records?.fields ??
  [...(output.aggregate?.dimensions ?? []), ...(output.aggregate?.measures ?? [])].flatMap(({ id }) => (id ? [id] : []));

const sortArb = (columns: readonly string[]) =>
  fc
    .subarray([...columns], { maxLength: Math.min(3, columns.length) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((column) =>
          fc.constantFrom(SortDirection.UNSPECIFIED, SortDirection.ASC, SortDirection.DESC).map((direction) => ({ column, direction })),
        ),
      ),
    );

/** Valid queries of the catalog that SQL can express. */
export const sqlQuery: Arbitrary<AnalyticsQuery> = fc.constantFrom(...ENTITIES).chain((entity) =>
  fc.option(timeRangeArb(entity), { nil: undefined }).chain((timeRange) =>
    fc.oneof(aggregateArb(entity, timeRange !== undefined), recordsArb(entity)).chain((output) =>
      fc
        .record({
          filter: fc.option(filterArb(entity, 4, 2), { nil: undefined }),
          timezone: fc.constantFrom('UTC', 'Europe/Amsterdam', 'America/New_York', 'Asia/Kathmandu'),
          sort: sortArb(listColumns(output)),
          limit: fc.integer({ min: 1, max: 100 }),
        })
        .map(({ filter, timezone, sort, limit }) =>
          create(AnalyticsQuerySchema, {
            version: 1,
            entity: entity.name,
            semantics: Semantics.CURRENT_STATE,
            timezone,
            ...(timeRange && { timeRange }),
            ...(filter && { filter }),
            ...output,
            sort,
            limit,
          }),
        ),
    ),
  ),
);
