import { decodeAnalyticsLimits, decodeAnalyticsSqlSupport } from '../../upstream/contract/generated/decoders.ts';
import type {
  AnalyticsEntity as AnalyticsEntityRecord,
  AnalyticsField,
  AnalyticsLimits,
  AnalyticsRelationship,
  AnalyticsSqlSupport,
  ListCatalogResponse,
} from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import type { WireEnum, WireEnumValue } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { Aggregation, AnalyticsEntity, Operator, TimeBucket, toEntityMember, ValueType } from './enums.ts';
import { getFieldEnum, toMember } from './fieldEnums.ts';
import { translateSqlEnumValues } from './wireSql.ts';

/** Converts a list of upstream enum values. Drops unspecified ones. */
const toMembers = <Member extends string>({ fromWire }: WireEnum<Member, string>, values: readonly WireEnumValue[]): Member[] =>
  values.flatMap((value) => fromWire(value) ?? []);

const Field = defineRecordType<AnalyticsField>('AnalyticsField', {
  record: 'AnalyticsField',
  description: 'A field of an entity that queries can use.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Name of the field, as used in queries.'),
    description: f.string('description', 'Meaning of the field.'),
    ...f.enumWithText('type', ValueType, 'Type of the field’s values.', { name: 'valueType' }),
    operators: t.field({
      type: [Operator.ref],
      nullable: false,
      ...f.annotate('operators', 'Comparison operators that the field supports.'),
      resolve: ({ operators }) => toMembers(Operator, operators),
    }),
    aggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      ...f.annotate('aggregations', 'Aggregations that the field supports.'),
      resolve: ({ aggregations }) => toMembers(Aggregation, aggregations),
    }),
    buckets: t.field({
      type: [TimeBucket.ref],
      nullable: false,
      ...f.annotate('buckets', 'Time intervals that the field can be grouped by.'),
      resolve: ({ buckets }) => toMembers(TimeBucket, buckets),
    }),
    supportsCurrentMember: f.boolean('supportsCurrentMember', 'Whether the field can be compared with the key’s member.'),
    currencyField: f.string(
      'currencyField',
      'Field with the currency of an amount. Must be a dimension wherever the amount is measured. Null for other fields.',
    ),
    words: f.stringList('words', 'All possible values of the field, as spelled in this schema. Empty if it can contain any text.'),
    isNullable: f.boolean('isNullable', 'Whether rows can have no value for the field.'),
  }),
});

const Relationship = defineRecordType<AnalyticsRelationship>('AnalyticsRelationship', {
  record: 'AnalyticsRelationship',
  description: 'A relationship from one entity to another, for use in filters.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Name of the relationship, as used in filters.'),
    description: f.string('description', 'Meaning of the relationship.'),
    entity: t.field({
      type: AnalyticsEntity,
      nullable: false,
      ...f.annotate('entity', 'Entity that the relationship leads to.'),
      resolve: ({ entity }) => toEntityMember(entity),
    }),
    entityName: f.string('entity', 'Name of that entity in SQL. Useful if `entity` is `OTHER`.'),
  }),
});

const Entity = defineRecordType<AnalyticsEntityRecord>('AnalyticsCatalogEntity', {
  record: 'AnalyticsEntity',
  description: 'An entity that can be queried, with its fields and relationships.',
  fields: (f, t) => ({
    entity: t.field({
      type: AnalyticsEntity,
      nullable: false,
      ...f.annotate('name', 'Entity as used in `AnalyticsQueryInput`.'),
      resolve: ({ name }) => toEntityMember(name),
    }),
    name: f.requiredString('name', 'Name of the entity in SQL.'),
    description: f.string('description', 'Meaning of the entity.'),
    fields: t.field({
      type: [Field],
      nullable: false,
      ...f.annotate('fields', 'Fields of the entity.'),
      resolve: ({ name, fields }) =>
        fields.map((each) => ({ ...each, words: each.words.map((value) => toMember(getFieldEnum(name, each.name), value)) })),
    }),
    relationships: f.list('relationships', Relationship, 'Relationships to other entities.'),
  }),
});

const NO_LIMITS = decodeAnalyticsLimits({});

const Limits = defineRecordType<AnalyticsLimits>('AnalyticsLimits', {
  record: 'AnalyticsLimits',
  description: 'Limits of analytics queries.',
  fields: (f) => ({
    maxRows: f.int('maxRows', 'Maximum number of rows in a result.'),
    maxFilterNodes: f.int('maxFilterNodes', 'Maximum number of conditions in a query.'),
    maxFilterLevels: f.int('maxFilterLevels', 'Maximum nesting depth of conditions.'),
    maxRelationshipHops: f.int('maxRelationshipHops', 'Maximum nesting depth of relationships.'),
    maxMeasures: f.int('maxMeasures', 'Maximum number of measures in a query.'),
    maxDimensions: f.int('maxDimensions', 'Maximum number of dimensions in a query.'),
    maxProjectedFields: f.int('maxProjectedFields', 'Maximum number of fields in a query for records.'),
    maxQueryBytes: f.int('maxQueryBytes', 'Maximum size of a query in bytes, as sent to the Workspace API.'),
    maxSqlBytes: f.int('maxSqlBytes', 'Maximum size of an SQL statement in bytes.'),
    maxResultBytes: f.int('maxResultBytes', 'Maximum size of a result in bytes.'),
    maxTimeRangeYears: f.int('maxTimeRangeYears', 'Maximum length of a time range in years.'),
    maxRelativeOffset: f.int('maxRelativeOffset', 'Maximum number of periods that a relative range can be shifted by.'),
    deadlineSeconds: f.int('deadlineSeconds', 'Maximum execution time of a query in seconds.'),
  }),
});

const NO_SQL_SUPPORT = decodeAnalyticsSqlSupport({});

const SqlSupport = defineRecordType<AnalyticsSqlSupport>('AnalyticsSqlSupport', {
  record: 'AnalyticsSqlSupport',
  description: 'The SQL subset that `analyticsSql` accepts.',
  fields: (f, t) => ({
    functions: f.stringList('functions', 'Supported functions.'),
    aggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      ...f.annotate('aggregations', 'Supported aggregations.'),
      resolve: ({ aggregations }) => toMembers(Aggregation, aggregations),
    }),
    examples: t.stringList({
      nullable: false,
      ...f.annotate('examples', 'Complete example statements.'),
      resolve: ({ examples }) => examples.map(translateSqlEnumValues),
    }),
  }),
});

export const Catalog = builder.objectRef<ListCatalogResponse>('AnalyticsCatalog').implement({
  description: 'The entities, fields, and limits of analytics queries on the workspace.',
  fields: (t) => ({
    entities: t.field({
      type: [Entity],
      nullable: false,
      description: 'Entities that can be queried.',
      resolve: ({ entities }) => entities,
    }),
    limits: t.field({
      type: Limits,
      nullable: false,
      description: 'Limits of analytics queries.',
      resolve: ({ limits = NO_LIMITS }) => limits,
    }),
    authorizationPolicy: t.string({
      description: 'Access that queries require, as human-readable text.',
      resolve: ({ authorizationPolicy }) => authorizationPolicy || null,
    }),
    fieldlessAggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      description: 'Aggregations that don’t require a field.',
      resolve: ({ fieldlessAggregations }) => toMembers(Aggregation, fieldlessAggregations),
    }),
    sqlSupport: t.field({
      type: SqlSupport,
      nullable: false,
      description: 'The SQL subset that `analyticsSql` accepts.',
      resolve: ({ sqlSupport = NO_SQL_SUPPORT }) => sqlSupport,
    }),
  }),
});
