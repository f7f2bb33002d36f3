import { OTHER } from '../kit/enums.ts';
import { Operator } from './enums.ts';
import { listFieldValues } from './fieldEnums.ts';
import { type EntityOrNone, type FieldOrNone, type Findings, getOnlyMember, getValueType } from './findings.ts';
import type { ComparisonShape, FilterShape, ValueShape } from './inputs.ts';
import type { WirePath } from './wireQuery.ts';

/** Five years in seconds, with leap days in every year: slightly more than the upstream accepts, because it knows the exact dates. */
const FIVE_YEARS_S = 5 * 366 * 24 * 60 * 60;

/** Type of the fields that a value can be compared with, by the fields of the value input. */
const VALUE_TYPES = {
  text: 'TEXT',
  integer: 'INTEGER',
  decimal: 'DECIMAL',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
} as const;

/** Returns the minimum and maximum number of values of an operator. */
function getValueCounts(operator: string): readonly [number, number] {
  if (operator === 'IN' || operator === 'NOT_IN') return [1, Number.POSITIVE_INFINITY];
  return operator === 'IS_NULL' || operator === 'IS_NOT_NULL' ? [0, 0] : [1, 1];
}

/** Describes how to fix a value of the wrong type: the input field for values of a type. Amounts have none. */
function getTypeHint(type: string): string {
  const member = Object.entries(VALUE_TYPES).find(([, kind]) => kind === type)?.[0];
  return member ? `Use \`${member}\` instead` : 'Fields of this type can’t be compared with values';
}

/** Counts the conditions of a filter and its nesting levels. Iterative, because a filter can be nested deeper than the call stack. */
function measureFilter(filter: FilterShape): { nodes: number; levels: number } {
  let nodes = 0;
  let levels = 0;
  const pending: [FilterShape, number][] = [[filter, 1]];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const [{ all, any, related }, level] = entry;
    nodes += 1;
    levels = Math.max(levels, level);
    for (const child of [...(all ?? []), ...(any ?? []), ...(related?.filter ? [related.filter] : [])]) pending.push([child, level + 1]);
  }
  return { nodes, levels };
}

/**
 * Reports a string that isn't one of the field's values. A comparison with it would match nothing, for no visible reason. The upstream's spelling is accepted
 * too.
 */
function checkEnumValue(
  findings: Findings,
  text: string | null | undefined,
  operator: string,
  field: FieldOrNone,
  entity: EntityOrNone,
  path: WirePath,
): void {
  const values = field?.words ?? [];
  if (typeof text !== 'string' || values.length === 0 || operator === 'CONTAINS' || values.includes(text)) return;
  findings.checkName(text, listFieldValues(entity, field?.name ?? ''), path, `a value of ${field?.name}`);
}

function checkValue(
  findings: Findings,
  value: ValueShape,
  operator: string,
  field: FieldOrNone,
  entity: EntityOrNone,
  path: WirePath,
): void {
  const kind = getOnlyMember(value);
  const at = [...path, kind];
  if (kind === 'currentMember') {
    if (!value.currentMember) findings.addIssue(at, 'NOT_ALLOWED', 'must be true. To compare with another value, omit it.');
    else if (field && findings.declares('supportsCurrentMember') && !field.supportsCurrentMember)
      findings.addIssue(at, 'NOT_ALLOWED', `must be omitted, because ${field.name} can’t be compared with the current member.`);
    return;
  }
  const type = getValueType(field);
  if (kind === 'nowOffsetSeconds') {
    if (type !== null && type !== 'TIMESTAMP')
      findings.addIssue(at, 'NOT_ALLOWED', `is only for TIMESTAMP fields, but ${field?.name} is ${type}.`);
    if (Math.abs(Number(value.nowOffsetSeconds)) > FIVE_YEARS_S)
      findings.addIssue(at, 'OUT_OF_RANGE', 'must be within five years of the current time.', FIVE_YEARS_S);
    return;
  }
  const comparableType = VALUE_TYPES[kind as keyof typeof VALUE_TYPES];
  if (type !== null && comparableType !== type)
    findings.addIssue(at, 'NOT_ALLOWED', `doesn’t match ${field?.name}, which is ${type}. ${getTypeHint(type)}.`);
  else checkEnumValue(findings, value.text, operator, field, entity, at);
  if (value.timestamp) findings.checkPrecision(value.timestamp, at);
}

function checkComparison(
  findings: Findings,
  { field: name, operator, values }: ComparisonShape,
  entity: EntityOrNone,
  path: WirePath,
): void {
  const field = findings.findField(name, entity, [...path, 'field']);
  const operators: readonly (string | null)[] = (field?.operators ?? [])
    .map((value) => Operator.fromWire(value))
    .filter((value) => value !== OTHER);
  if (field && findings.declares('operators') && !operators.includes(operator)) {
    const problem =
      operators.length > 0
        ? `must be one of ${operators.join(', ')} for ${name}, but is ${operator}.`
        : `can’t be ${operator}, because ${name} can’t be compared.`;
    findings.addIssue([...path, 'operator'], 'NOT_ALLOWED', problem);
    return;
  }
  const [min, max] = getValueCounts(operator);
  const count = values?.length ?? 0;
  if (count < min) findings.addIssue([...path, 'values'], 'TOO_SHORT', `must have at least 1 value for ${operator}.`, 1);
  if (count > max)
    findings.addIssue(
      [...path, 'values'],
      'TOO_LONG',
      `must have at most ${max} ${max === 1 ? 'value' : 'values'} for ${operator}, but has ${count}.`,
      max,
    );
  for (const [index, value] of (values ?? []).entries())
    checkValue(findings, value, operator, field, entity, [...path, 'values', String(index)]);
}

function checkNode(
  findings: Findings,
  { all, any, compare, related }: FilterShape,
  entity: EntityOrNone,
  path: WirePath,
  hops: number,
): void {
  for (const [name, children] of Object.entries({ all, any })) {
    if (children?.length === 0) findings.addIssue([...path, name], 'TOO_SHORT', 'must have at least 1 condition.', 1);
    for (const [index, child] of (children ?? []).entries()) checkNode(findings, child, entity, [...path, name, String(index)], hops);
  }
  if (compare) checkComparison(findings, compare, entity, [...path, 'compare']);
  if (!related) return;
  const { maxRelationshipHops: max } = findings.limits;
  const at = [...path, 'related'];
  if (hops === max) findings.addIssue(at, 'TOO_LONG', `must be nested at most ${max} levels deep.`, max);
  const other = findings.findRelated(related.relationship, entity, [...at, 'relationship']);
  if (related.filter && hops < max) checkNode(findings, related.filter, other, [...at, 'filter'], hops + 1);
}

/** Checks the filter of a query, or the condition of a measure. */
export function checkFilter(findings: Findings, filter: FilterShape, entity: EntityOrNone, path: WirePath): void {
  const { maxFilterNodes, maxFilterLevels } = findings.limits;
  const { nodes, levels } = measureFilter(filter);
  const isFlat = findings.checkMax(levels, maxFilterLevels, 'levels of nested conditions', path);
  const isSmall = findings.checkMax(nodes, maxFilterNodes, 'conditions', path);
  if (isFlat && isSmall) checkNode(findings, filter, entity, path, 0);
}
