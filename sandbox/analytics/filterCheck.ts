import {
  type AnalyticsComparison,
  type AnalyticsFilter,
  type AnalyticsRelatedFilter,
  type AnalyticsValue,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
  AnalyticsOperatorSchema as OperatorSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { isDate } from '../work/calendar.ts';
import { type CatalogEntity, type CatalogField, listOperators } from './catalog.ts';
import { entityByName } from './entities.ts';
import { getEnumName } from './enumNames.ts';
import { InvalidQueryError, requireField, requireRelationship } from './invalidQuery.ts';
import { LIMITS } from './limits.ts';
import { listKinds, parseTimestamp, type ValueKind } from './values.ts';

/** The maximum length of five years, in seconds: 1,827 days. Documented: nowOffsetSeconds can be up to five years. */
const MAX_OFFSET_SECONDS = 1_827n * 86_400n;

/** Maximum number of decimal places. Chosen: as many as 64 bits can hold. */
const MAX_SCALE = 18;

/** The kinds of values that a field of each type can be compared with. */
const KINDS: Readonly<Partial<Record<FieldType, readonly ValueKind[]>>> = {
  [FieldType.TEXT]: ['text'],
  [FieldType.INTEGER]: ['integer'],
  [FieldType.DECIMAL]: ['decimal'],
  [FieldType.BOOLEAN]: ['boolean'],
  [FieldType.TIMESTAMP]: ['timestamp', 'nowOffsetSeconds'],
  [FieldType.DATE]: ['date'],
};

const WITHOUT_VALUE: readonly Operator[] = [Operator.IS_NULL, Operator.IS_NOT_NULL];
const WITH_SEVERAL: readonly Operator[] = [Operator.IN, Operator.NOT_IN];

const FORMS = ['all', 'any', 'compare', 'related'] as const;

/** Name of an operator in the contract. */
const getOperatorName = (operator: Operator) => getEnumName(OperatorSchema, operator);

const listAcceptedKinds = (field: CatalogField): readonly ValueKind[] => [
  ...(KINDS[field.type] ?? []),
  ...(field.isMember ? ['currentMember' as const] : []),
];

/** Position of a filter: its root, its level starting from 1, and the relationships that lead to it. */
interface FilterPlace {
  readonly entity: CatalogEntity;
  readonly path: string;
  readonly level: number;
  readonly hops: number;
}

function checkCount(operator: Operator, count: number, path: string): void {
  const name = getOperatorName(operator);
  if (WITHOUT_VALUE.includes(operator)) {
    if (count > 0) throw new InvalidQueryError(path, `must be empty with ${name}, but has ${count}.`);
  } else if (WITH_SEVERAL.includes(operator)) {
    if (count === 0) throw new InvalidQueryError(path, `must have at least one value with ${name}, but is empty.`);
  } else if (count !== 1) throw new InvalidQueryError(path, `must have one value with ${name}, but has ${count}.`);
}

function checkContent(field: CatalogField, operator: Operator, value: AnalyticsValue, path: string): void {
  const { text, decimal, timestamp, date, currentMember, nowOffsetSeconds } = value;
  if (text !== undefined && field.enumValues && operator !== Operator.CONTAINS && !field.enumValues.includes(text))
    throw new InvalidQueryError(
      `${path}.text`,
      `must be a value of ${field.name}, but is ${JSON.stringify(text)}. Valid values: ${field.enumValues.join(', ')}.`,
    );
  if (decimal && (decimal.scale < 0 || decimal.scale > MAX_SCALE))
    throw new InvalidQueryError(`${path}.decimal.scale`, `must be from 0 to ${MAX_SCALE}, but is ${decimal.scale}.`);
  if (timestamp !== undefined && !parseTimestamp(timestamp))
    throw new InvalidQueryError(
      `${path}.timestamp`,
      `must be an RFC 3339 timestamp with at most six decimals, but is ${JSON.stringify(timestamp)}.`,
    );
  if (date !== undefined && !isDate(date))
    throw new InvalidQueryError(`${path}.date`, `must be a calendar date, but is ${JSON.stringify(date)}.`);
  if (currentMember === false) throw new InvalidQueryError(`${path}.current_member`, 'must be true. Omit it otherwise.');
  if (nowOffsetSeconds !== undefined && (nowOffsetSeconds > MAX_OFFSET_SECONDS || nowOffsetSeconds < -MAX_OFFSET_SECONDS))
    throw new InvalidQueryError(
      `${path}.now_offset_seconds`,
      `must be within five years (${MAX_OFFSET_SECONDS} seconds), but is ${nowOffsetSeconds}.`,
    );
}

function checkValue(field: CatalogField, operator: Operator, value: AnalyticsValue, path: string): void {
  const kinds = listKinds(value);
  const [kind] = kinds;
  const wanted = listAcceptedKinds(field);
  if (kinds.length !== 1 || !kind)
    throw new InvalidQueryError(path, `must have exactly one of ${wanted.join(', ')}, but has ${kinds.length}.`);
  const isWanted = wanted.includes(kind) && !(operator === Operator.CONTAINS && kind !== 'text');
  if (!isWanted) throw new InvalidQueryError(path, `must be ${wanted.join(' or ')} for ${field.name}, but is ${kind}.`);
  checkContent(field, operator, value, path);
}

function checkComparison(entity: CatalogEntity, { field: name, operator, values }: AnalyticsComparison, path: string): void {
  const field = requireField(entity, name, `${path}.field`);
  const operators = listOperators(field);
  if (!operators.includes(operator)) {
    const validValues = operators.map(getOperatorName).join(', ') || 'none';
    throw new InvalidQueryError(
      `${path}.operator`,
      `must be an operator that ${name} supports, but is ${getOperatorName(operator)}. Valid values: ${validValues}.`,
    );
  }
  checkCount(operator, values.length, `${path}.values`);
  for (const [index, value] of values.entries()) checkValue(field, operator, value, `${path}.values[${index}]`);
}

/** Checks the filters of one query. Their nodes, including those in conditions of measures, share one limit. */
export class FilterCheck {
  #nodes = 0;

  /** Throws if a filter of this root's rows breaks a rule. */
  check(entity: CatalogEntity, filter: AnalyticsFilter, path: string): void {
    this.#check(filter, { entity, path, level: 1, hops: 0 });
  }

  #check(filter: AnalyticsFilter, place: FilterPlace): void {
    const { entity, path, level } = place;
    this.#nodes += 1;
    if (this.#nodes > LIMITS.maxFilterNodes)
      throw new InvalidQueryError(
        path,
        `must be removed. A query can have at most ${LIMITS.maxFilterNodes} filters, including those of its conditions.`,
      );
    if (level > LIMITS.maxFilterLevels)
      throw new InvalidQueryError(path, `must be removed. Filters can have at most ${LIMITS.maxFilterLevels} levels.`);
    const forms = FORMS.filter((form) => filter[form] !== undefined);
    if (forms.length !== 1) throw new InvalidQueryError(path, `must have exactly one of ${FORMS.join(', ')}, but has ${forms.length}.`);
    if (filter.all) this.#checkGroup(filter.all.children, { ...place, path: `${path}.all` });
    if (filter.any) this.#checkGroup(filter.any.children, { ...place, path: `${path}.any` });
    if (filter.compare) checkComparison(entity, filter.compare, `${path}.compare`);
    if (filter.related) this.#checkRelated(filter.related, { ...place, path: `${path}.related` });
  }

  #checkGroup(children: readonly AnalyticsFilter[], place: FilterPlace): void {
    const path = `${place.path}.children`;
    if (children.length === 0) throw new InvalidQueryError(path, 'must have at least one filter, but is empty.');
    for (const [index, child] of children.entries()) this.#check(child, { ...place, path: `${path}[${index}]`, level: place.level + 1 });
  }

  #checkRelated({ relationship: name, filter }: AnalyticsRelatedFilter, { entity, path, level, hops }: FilterPlace): void {
    const relationship = requireRelationship(entity, name, `${path}.relationship`);
    if (hops === LIMITS.maxRelationshipHops)
      throw new InvalidQueryError(path, `must be removed. Filters can follow at most ${LIMITS.maxRelationshipHops} relationships.`);
    const other = entityByName.get(relationship.entity);
    if (!other) throw new Error(`The relationship ${name} must lead to a root, but leads to ${relationship.entity}.`);
    if (filter) this.#check(filter, { entity: other, path: `${path}.filter`, level: level + 1, hops: hops + 1 });
  }
}
