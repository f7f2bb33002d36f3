import type {
  AnalyticsEntityJson,
  AnalyticsFieldJson,
  AnalyticsLimitsJson,
  AnalyticsRelationshipJson,
  AnalyticsSqlSupportJson,
  ListCatalogResponseJson,
} from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { builder } from '../kit/builder.ts';
import type { WireEnum, WireWord } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import { Aggregation, AnalyticsEntity, entityMember, Operator, TimeBucket, ValueType } from './words.ts';

const field = new RecordFields<AnalyticsFieldJson>('AnalyticsField');

/** The members for a list of the upstream's words, without those that it has left unspecified. */
const membersOf = <Member extends string>({ fromWire }: WireEnum<Member, string>, words: readonly WireWord[] | undefined): Member[] =>
  (words ?? []).flatMap((word) => fromWire(word) ?? []);

const Field = field.type('AnalyticsField', {
  description: 'A field of the records that a query counts.',
  fields: (t) => ({
    name: field.requiredText(t, 'name', 'The name, which is what queries call it.'),
    description: field.text(t, 'description', 'The meaning.'),
    ...field.word(t, 'type', ValueType, 'The kind of its values.', { name: 'valueType' }),
    operators: t.field({
      type: [Operator.ref],
      nullable: false,
      ...field.mark('operators', 'The ways in which it can be compared.'),
      resolve: ({ operators }) => membersOf(Operator, operators),
    }),
    aggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      ...field.mark('aggregations', 'The measures that can be made of it.'),
      resolve: ({ aggregations }) => membersOf(Aggregation, aggregations),
    }),
    buckets: t.field({
      type: [TimeBucket.ref],
      nullable: false,
      ...field.mark('buckets', 'The stretches of time that it can be grouped by.'),
      resolve: ({ buckets }) => membersOf(TimeBucket, buckets),
    }),
    supportsCurrentMember: field.flag(t, 'supportsCurrentMember', 'Whether it can be compared with the member behind the key.'),
    currencyField: field.text(t, 'currencyField', 'Of an amount: the field that must be a dimension wherever it is measured.'),
    words: field.texts(t, 'words', 'The only texts that it has; none where it has any.'),
    isNullable: field.flag(t, 'isNullable', 'Whether rows may have no value in it.'),
  }),
});

const relationship = new RecordFields<AnalyticsRelationshipJson>('AnalyticsRelationship');

const Relationship = relationship.type('AnalyticsRelationship', {
  description: 'A way from a row to rows of another entity, for conditions.',
  fields: (t) => ({
    name: relationship.requiredText(t, 'name', 'The name, which is what conditions call it.'),
    description: relationship.text(t, 'description', 'The meaning.'),
    entity: t.field({
      type: AnalyticsEntity,
      nullable: false,
      ...relationship.mark('entity', 'The entity that it leads to.'),
      resolve: ({ entity }) => entityMember(entity),
    }),
    entityName: relationship.text(t, 'entity', 'The name of that entity in SQL: useful when it is OTHER.'),
  }),
});

const entity = new RecordFields<AnalyticsEntityJson>('AnalyticsEntity');

const Entity = entity.type('AnalyticsCatalogEntity', {
  description: 'Records that a query can count, with all that can be asked of them.',
  fields: (t) => ({
    entity: t.field({
      type: AnalyticsEntity,
      nullable: false,
      ...entity.mark('name', 'The entity.'),
      resolve: ({ name }) => entityMember(name),
    }),
    name: entity.requiredText(t, 'name', 'Its name in SQL.'),
    description: entity.text(t, 'description', 'The meaning.'),
    fields: entity.list(t, 'fields', Field, 'Its fields.'),
    relationships: entity.list(t, 'relationships', Relationship, 'The ways to rows of other entities.'),
  }),
});

const limits = new RecordFields<AnalyticsLimitsJson>('AnalyticsLimits');

const Limits = limits.type('AnalyticsLimits', {
  description: 'The limits of queries.',
  fields: (t) => ({
    maxRows: limits.int(t, 'maxRows', 'Rows of a result.'),
    maxFilterNodes: limits.int(t, 'maxFilterNodes', 'Conditions of a query.'),
    maxFilterLevels: limits.int(t, 'maxFilterLevels', 'Conditions within each other.'),
    maxRelationshipHops: limits.int(t, 'maxRelationshipHops', 'Relationships within each other.'),
    maxMeasures: limits.int(t, 'maxMeasures', 'Measures of a query.'),
    maxDimensions: limits.int(t, 'maxDimensions', 'Dimensions of a query.'),
    maxProjectedFields: limits.int(t, 'maxProjectedFields', 'Fields of a query for records.'),
    maxQueryBytes: limits.int(t, 'maxQueryBytes', 'Bytes of a query, as it is sent to the Workspace API.'),
    maxSqlBytes: limits.int(t, 'maxSqlBytes', 'Bytes of SQL.'),
    maxResultBytes: limits.int(t, 'maxResultBytes', 'Bytes of a result.'),
    maxTimeRangeYears: limits.int(t, 'maxTimeRangeYears', 'Years of a time range.'),
    maxRelativeOffset: limits.int(t, 'maxRelativeOffset', 'Periods that a relative range may be moved by.'),
    deadlineSeconds: limits.int(t, 'deadlineSeconds', 'Seconds for which a query may run.'),
  }),
});

const sqlSupport = new RecordFields<AnalyticsSqlSupportJson>('AnalyticsSqlSupport');

const SqlSupport = sqlSupport.type('AnalyticsSqlSupport', {
  description: 'The part of SQL that `analyticsSql` takes.',
  fields: (t) => ({
    functions: sqlSupport.texts(t, 'functions', 'The functions.'),
    aggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      ...sqlSupport.mark('aggregations', 'The measures.'),
      resolve: ({ aggregations }) => membersOf(Aggregation, aggregations),
    }),
    examples: sqlSupport.texts(t, 'examples', 'Whole queries, to begin with.'),
  }),
});

export const Catalog = builder.objectRef<ListCatalogResponseJson>('AnalyticsCatalog').implement({
  description: 'All that queries can ask of the records of the workspace.',
  fields: (t) => ({
    entities: t.field({
      type: [Entity],
      nullable: false,
      description: 'The entities.',
      resolve: ({ entities }) => entities ?? [],
    }),
    limits: t.field({ type: Limits, nullable: false, description: 'The limits of queries.', resolve: ({ limits }) => limits ?? {} }),
    authorizationPolicy: t.string({
      description: 'The access that queries take, in words.',
      resolve: ({ authorizationPolicy }) => authorizationPolicy || null,
    }),
    fieldlessAggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      description: 'The measures that take no field.',
      resolve: ({ fieldlessAggregations }) => membersOf(Aggregation, fieldlessAggregations),
    }),
    sqlSupport: t.field({
      type: SqlSupport,
      nullable: false,
      description: 'The part of SQL that `analyticsSql` takes.',
      resolve: ({ sqlSupport }) => sqlSupport ?? {},
    }),
  }),
});
