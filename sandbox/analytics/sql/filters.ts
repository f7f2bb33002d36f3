import { create } from '@bufbuild/protobuf';
import {
  AnalyticsComparisonSchema,
  type AnalyticsFilter,
  AnalyticsFilterGroupSchema,
  AnalyticsFilterSchema,
  AnalyticsRelatedFilterSchema,
  type AnalyticsValue,
  AnalyticsValueSchema,
  AnalyticsOperator as Operator,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity, CatalogField, CatalogRelationship } from '../catalog.ts';
import { entityByName } from '../entities.ts';
import { COMPARISONS, createCorrelationSql } from './keywords.ts';
import type { Reader } from './reader.ts';
import { type Token, Tokens } from './tokens.ts';
import { parseLiteral } from './values.ts';

type Filters = readonly [AnalyticsFilter, ...AnalyticsFilter[]];

/** Groups filters. A single filter isn't wrapped. */
function createGroup(reader: Reader, kind: 'all' | 'any', token: Token, children: Filters): AnalyticsFilter {
  if (children.length === 1) return children[0];
  const group = create(AnalyticsFilterGroupSchema, { children: [...children] });
  return reader.places.recordPosition(create(AnalyticsFilterSchema, { [kind]: group }), token);
}

interface Test {
  readonly token: Token;
  readonly operator: Operator;
  readonly values: readonly AnalyticsValue[];
}

function parseNullTest(reader: Reader, token: Token): Test {
  reader.expectWords(['is']);
  const isNegated = reader.takeWord('not');
  reader.expectWords(['null'], isNegated ? 'NULL' : 'NULL or NOT NULL');
  return { token, operator: isNegated ? Operator.IS_NOT_NULL : Operator.IS_NULL, values: [] };
}

function parseTest(reader: Reader, field: CatalogField): Test {
  const { next: token } = reader;
  const operator = token.kind === 'symbol' ? COMPARISONS.get(token.value) : undefined;
  if (operator !== undefined) {
    reader.take();
    return { token, operator, values: [parseLiteral(reader, field)] };
  }
  if (reader.isWord('is')) return parseNullTest(reader, token);
  const isNegated = reader.takeWord('not');
  reader.expectWords(['in'], isNegated ? 'IN' : 'one of =, <>, <, <=, >, >=, IN, NOT IN, and IS after the field');
  const values = reader.parseNested(() => reader.parseList(() => parseLiteral(reader, field)));
  return { token, operator: isNegated ? Operator.NOT_IN : Operator.IN, values };
}

function parseComparison(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const name = reader.expectName('a condition: a field, contains, EXISTS, or a parenthesis');
  if (reader.isSymbol('('))
    throw reader.createError(name, `unknown condition ${reader.formatToken(name)}; expected a field, contains(field, string), or EXISTS`);
  const field = reader.expectField(name, entity);
  if (reader.isSymbol('.')) throw reader.createUnexpectedError('the field without the name of its entity');
  const { token, operator, values } = parseTest(reader, field);
  const compare = create(AnalyticsComparisonSchema, { field: field.name, operator, values: [...values] });
  reader.places.recordPosition(compare, name, { operator: token });
  return create(AnalyticsFilterSchema, { compare });
}

function parseContains(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const first = reader.expectWords(['contains']);
  return reader.parseNested(() => {
    const name = reader.expectName('a field');
    const field = reader.expectField(name, entity);
    reader.expectSymbol(',');
    const token = reader.expectText('a string in single quotes');
    const value = reader.places.recordPosition(create(AnalyticsValueSchema, { text: token.value }), token);
    const compare = create(AnalyticsComparisonSchema, { field: field.name, operator: Operator.CONTAINS, values: [value] });
    reader.places.recordPosition(compare, first, { field: name, operator: first });
    return create(AnalyticsFilterSchema, { compare });
  });
}

interface Candidate {
  readonly relationship: CatalogRelationship;
  readonly condition: string;
  readonly tokens: Tokens;
}

/** The relationship between two roots whose join condition comes next. */
function parseCorrelation(reader: Reader, entity: CatalogEntity, relationships: readonly CatalogRelationship[]): CatalogRelationship {
  let candidates: readonly Candidate[] = relationships.map((relationship) => {
    const condition = createCorrelationSql(entity, relationship);
    return { relationship, condition, tokens: new Tokens(condition) };
  });
  for (;;) {
    const ended = candidates.find(({ tokens }) => tokens.next.kind === 'end');
    if (ended) return ended.relationship;
    const { kind, value } = reader.next;
    const fitting = candidates.filter(({ tokens }) => {
      const wanted = tokens.consume();
      return wanted.kind === kind && wanted.value === value;
    });
    if (fitting.length === 0)
      throw reader.createUnexpectedError(`the condition of the relationship, ${candidates.map(({ condition }) => condition).join(' or ')}`);
    reader.take();
    candidates = fitting;
  }
}

function parseRelated(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const first = reader.expectWords(['exists']);
  return reader.parseNested(() => {
    reader.expectWords(['select']);
    if (reader.next.kind !== 'number' || reader.next.value !== '1') throw reader.createUnexpectedError('1');
    reader.take();
    reader.expectWords(['from']);
    const name = reader.expectName('a related entity');
    const relationships = entity.relationships.filter((relationship) => relationship.entity === name.value);
    const other = entityByName.get(name.value);
    if (relationships.length === 0 || !other) {
      const known = [...new Set(entity.relationships.map((relationship) => relationship.entity))];
      throw reader.createError(name, `${entity.name} are not related to ${reader.formatToken(name)}; expected one of ${known.join(', ')}`);
    }
    reader.expectWords(['where'], 'WHERE and the condition of the relationship');
    const { name: relationship } = parseCorrelation(reader, entity, relationships);
    const filter = reader.takeWord('and') ? parseConjunction(reader, other) : undefined;
    const related = create(AnalyticsRelatedFilterSchema, { relationship, ...(filter && { filter }) });
    reader.places.recordPosition(related, first, { relationship: name });
    return create(AnalyticsFilterSchema, { related });
  });
}

/** A comparison, an existence test, or several conditions in parentheses. */
function parseCondition(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  if (reader.isSymbol('(')) return reader.parseNested(() => parseAlternatives(reader, entity));
  if (reader.isWord('exists')) return parseRelated(reader, entity);
  if (reader.isWord('contains')) return parseContains(reader, entity);
  if (reader.isWord('svc')) throw reader.createUnexpectedError('a condition (a time range can only follow svc.timezone, and only once)');
  return parseComparison(reader, entity);
}

/** Conditions joined by AND. */
export function parseConjunction(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const { next: token } = reader;
  const conditions: [AnalyticsFilter, ...AnalyticsFilter[]] = [parseCondition(reader, entity)];
  while (reader.takeWord('and')) conditions.push(parseCondition(reader, entity));
  return createGroup(reader, 'all', token, conditions);
}

/** Conditions joined by AND and OR. AND binds more tightly. */
function parseAlternatives(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const { next: token } = reader;
  const alternatives: [AnalyticsFilter, ...AnalyticsFilter[]] = [parseConjunction(reader, entity)];
  while (reader.takeWord('or')) alternatives.push(parseConjunction(reader, entity));
  return createGroup(reader, 'any', token, alternatives);
}
