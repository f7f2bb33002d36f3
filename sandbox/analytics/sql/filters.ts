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
import { COMPARISONS, correlationSql } from './keywords.ts';
import type { Reader } from './reader.ts';
import { type Token, Tokens } from './tokens.ts';
import { parseLiteral } from './values.ts';

type Filters = readonly [AnalyticsFilter, ...AnalyticsFilter[]];

/** Groups filters. A single filter isn't wrapped. */
function createGroup(reader: Reader, kind: 'all' | 'any', token: Token, children: Filters): AnalyticsFilter {
  if (children.length === 1) return children[0];
  const group = create(AnalyticsFilterGroupSchema, { children: [...children] });
  return reader.places.mark(create(AnalyticsFilterSchema, { [kind]: group }), token);
}

interface Test {
  readonly token: Token;
  readonly operator: Operator;
  readonly values: readonly AnalyticsValue[];
}

function parseNullTest(reader: Reader, token: Token): Test {
  reader.words(['is']);
  const isNegated = reader.takeWord('not');
  reader.words(['null'], isNegated ? 'NULL' : 'NULL or NOT NULL');
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
  reader.words(['in'], isNegated ? 'IN' : 'one of =, <>, <, <=, >, >=, IN, NOT IN, and IS after the field');
  const values = reader.nested(() => reader.list(() => parseLiteral(reader, field)));
  return { token, operator: isNegated ? Operator.NOT_IN : Operator.IN, values };
}

function parseComparison(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const name = reader.name('a condition: a field, contains, EXISTS, or a parenthesis');
  if (reader.isSymbol('('))
    throw reader.error(name, `unknown condition ${reader.shown(name)}; expected a field, contains(field, string), or EXISTS`);
  const field = reader.field(name, entity);
  if (reader.isSymbol('.')) throw reader.unexpectedError('the field without the name of its entity');
  const { token, operator, values } = parseTest(reader, field);
  const compare = create(AnalyticsComparisonSchema, { field: field.name, operator, values: [...values] });
  reader.places.mark(compare, name, { operator: token });
  return create(AnalyticsFilterSchema, { compare });
}

function parseContains(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const first = reader.words(['contains']);
  return reader.nested(() => {
    const name = reader.name('a field');
    const field = reader.field(name, entity);
    reader.symbol(',');
    const token = reader.text('a string in single quotes');
    const value = reader.places.mark(create(AnalyticsValueSchema, { text: token.value }), token);
    const compare = create(AnalyticsComparisonSchema, { field: field.name, operator: Operator.CONTAINS, values: [value] });
    reader.places.mark(compare, first, { field: name, operator: first });
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
    const condition = correlationSql(entity, relationship);
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
      throw reader.unexpectedError(`the condition of the relationship, ${candidates.map(({ condition }) => condition).join(' or ')}`);
    reader.take();
    candidates = fitting;
  }
}

function parseRelated(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  const first = reader.words(['exists']);
  return reader.nested(() => {
    reader.words(['select']);
    if (reader.next.kind !== 'number' || reader.next.value !== '1') throw reader.unexpectedError('1');
    reader.take();
    reader.words(['from']);
    const name = reader.name('a related entity');
    const relationships = entity.relationships.filter((relationship) => relationship.entity === name.value);
    const other = entityByName.get(name.value);
    if (relationships.length === 0 || !other) {
      const known = [...new Set(entity.relationships.map((relationship) => relationship.entity))];
      throw reader.error(name, `${entity.name} are not related to ${reader.shown(name)}; expected one of ${known.join(', ')}`);
    }
    reader.words(['where'], 'WHERE and the condition of the relationship');
    const { name: relationship } = parseCorrelation(reader, entity, relationships);
    const filter = reader.takeWord('and') ? parseConjunction(reader, other) : undefined;
    const related = create(AnalyticsRelatedFilterSchema, { relationship, ...(filter && { filter }) });
    reader.places.mark(related, first, { relationship: name });
    return create(AnalyticsFilterSchema, { related });
  });
}

/** A comparison, an existence test, or several conditions in parentheses. */
function parseCondition(reader: Reader, entity: CatalogEntity): AnalyticsFilter {
  if (reader.isSymbol('(')) return reader.nested(() => parseAlternatives(reader, entity));
  if (reader.isWord('exists')) return parseRelated(reader, entity);
  if (reader.isWord('contains')) return parseContains(reader, entity);
  if (reader.isWord('svc')) throw reader.unexpectedError('a condition (a time range can only follow svc.timezone, and only once)');
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
