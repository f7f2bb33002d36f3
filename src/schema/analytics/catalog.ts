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
import type { WireEnum, WireWord } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import { enumOf, toMember } from './enumTexts.ts';
import { withMembersInSql } from './sqlTexts.ts';
import { Aggregation, AnalyticsEntity, entityMember, Operator, TimeBucket, ValueType } from './words.ts';

const field = new RecordFields<AnalyticsField>('AnalyticsField');

/** The members for a list of the upstream's words, without those that it has left unspecified. */
const membersOf = <Member extends string>({ fromWire }: WireEnum<Member, string>, words: readonly WireWord[]): Member[] =>
  words.flatMap((word) => fromWire(word) ?? []);

const Field = field.type('AnalyticsField', {
  description: 'A field of an entity that queries can use.',
  fields: (t) => ({
    name: field.requiredText(t, 'name', 'Name of the field, as used in queries.'),
    description: field.text(t, 'description', 'Meaning of the field.'),
    ...field.word(t, 'type', ValueType, 'Type of the field’s values.', { name: 'valueType' }),
    operators: t.field({
      type: [Operator.ref],
      nullable: false,
      ...field.mark('operators', 'Comparison operators that the field supports.'),
      resolve: ({ operators }) => membersOf(Operator, operators),
    }),
    aggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      ...field.mark('aggregations', 'Aggregations that the field supports.'),
      resolve: ({ aggregations }) => membersOf(Aggregation, aggregations),
    }),
    buckets: t.field({
      type: [TimeBucket.ref],
      nullable: false,
      ...field.mark('buckets', 'Time intervals that the field can be grouped by.'),
      resolve: ({ buckets }) => membersOf(TimeBucket, buckets),
    }),
    supportsCurrentMember: field.flag(t, 'supportsCurrentMember', 'Whether the field can be compared with the key’s member.'),
    currencyField: field.text(
      t,
      'currencyField',
      'Field with the currency of an amount. Must be a dimension wherever the amount is measured. Null for other fields.',
    ),
    words: field.texts(t, 'words', 'All possible values of the field, as spelled in this schema. Empty if it can contain any text.'),
    isNullable: field.flag(t, 'isNullable', 'Whether rows can have no value for the field.'),
  }),
});

const relationship = new RecordFields<AnalyticsRelationship>('AnalyticsRelationship');

const Relationship = relationship.type('AnalyticsRelationship', {
  description: 'A relationship from one entity to another, for use in filters.',
  fields: (t) => ({
    name: relationship.requiredText(t, 'name', 'Name of the relationship, as used in filters.'),
    description: relationship.text(t, 'description', 'Meaning of the relationship.'),
    entity: t.field({
      type: AnalyticsEntity,
      nullable: false,
      ...relationship.mark('entity', 'Entity that the relationship leads to.'),
      resolve: ({ entity }) => entityMember(entity),
    }),
    entityName: relationship.text(t, 'entity', 'Name of that entity in SQL. Useful if `entity` is `OTHER`.'),
  }),
});

const entity = new RecordFields<AnalyticsEntityRecord>('AnalyticsEntity');

const Entity = entity.type('AnalyticsCatalogEntity', {
  description: 'An entity that can be queried, with its fields and relationships.',
  fields: (t) => ({
    entity: t.field({
      type: AnalyticsEntity,
      nullable: false,
      ...entity.mark('name', 'Entity as used in `AnalyticsQueryInput`.'),
      resolve: ({ name }) => entityMember(name),
    }),
    name: entity.requiredText(t, 'name', 'Name of the entity in SQL.'),
    description: entity.text(t, 'description', 'Meaning of the entity.'),
    fields: t.field({
      type: [Field],
      nullable: false,
      ...entity.mark('fields', 'Fields of the entity.'),
      resolve: ({ name, fields }) =>
        fields.map((each) => ({ ...each, words: each.words.map((word) => toMember(enumOf(name, each.name), word)) })),
    }),
    relationships: entity.list(t, 'relationships', Relationship, 'Relationships to other entities.'),
  }),
});

const limits = new RecordFields<AnalyticsLimits>('AnalyticsLimits');

const NO_LIMITS = decodeAnalyticsLimits({});

const Limits = limits.type('AnalyticsLimits', {
  description: 'Limits of analytics queries.',
  fields: (t) => ({
    maxRows: limits.int(t, 'maxRows', 'Maximum number of rows in a result.'),
    maxFilterNodes: limits.int(t, 'maxFilterNodes', 'Maximum number of conditions in a query.'),
    maxFilterLevels: limits.int(t, 'maxFilterLevels', 'Maximum nesting depth of conditions.'),
    maxRelationshipHops: limits.int(t, 'maxRelationshipHops', 'Maximum nesting depth of relationships.'),
    maxMeasures: limits.int(t, 'maxMeasures', 'Maximum number of measures in a query.'),
    maxDimensions: limits.int(t, 'maxDimensions', 'Maximum number of dimensions in a query.'),
    maxProjectedFields: limits.int(t, 'maxProjectedFields', 'Maximum number of fields in a query for records.'),
    maxQueryBytes: limits.int(t, 'maxQueryBytes', 'Maximum size of a query in bytes, as sent to the Workspace API.'),
    maxSqlBytes: limits.int(t, 'maxSqlBytes', 'Maximum size of an SQL statement in bytes.'),
    maxResultBytes: limits.int(t, 'maxResultBytes', 'Maximum size of a result in bytes.'),
    maxTimeRangeYears: limits.int(t, 'maxTimeRangeYears', 'Maximum length of a time range in years.'),
    maxRelativeOffset: limits.int(t, 'maxRelativeOffset', 'Maximum number of periods that a relative range can be shifted by.'),
    deadlineSeconds: limits.int(t, 'deadlineSeconds', 'Maximum execution time of a query in seconds.'),
  }),
});

const sqlSupport = new RecordFields<AnalyticsSqlSupport>('AnalyticsSqlSupport');

const NO_SQL_SUPPORT = decodeAnalyticsSqlSupport({});

const SqlSupport = sqlSupport.type('AnalyticsSqlSupport', {
  description: 'The SQL subset that `analyticsSql` accepts.',
  fields: (t) => ({
    functions: sqlSupport.texts(t, 'functions', 'Supported functions.'),
    aggregations: t.field({
      type: [Aggregation.ref],
      nullable: false,
      ...sqlSupport.mark('aggregations', 'Supported aggregations.'),
      resolve: ({ aggregations }) => membersOf(Aggregation, aggregations),
    }),
    examples: t.stringList({
      nullable: false,
      ...sqlSupport.mark('examples', 'Complete example statements.'),
      resolve: ({ examples }) => examples.map(withMembersInSql),
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
      resolve: ({ fieldlessAggregations }) => membersOf(Aggregation, fieldlessAggregations),
    }),
    sqlSupport: t.field({
      type: SqlSupport,
      nullable: false,
      description: 'The SQL subset that `analyticsSql` accepts.',
      resolve: ({ sqlSupport = NO_SQL_SUPPORT }) => sqlSupport,
    }),
  }),
});
