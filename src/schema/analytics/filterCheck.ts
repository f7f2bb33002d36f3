import { OTHER } from '../kit/enums.ts';
import { memberWords } from './enumTexts.ts';
import { type EntityOrNone, type FieldOrNone, type Findings, only, typeOf } from './findings.ts';
import type { GivenComparison, GivenFilter, GivenValue } from './inputs.ts';
import type { Path } from './wire.ts';
import { Operator } from './words.ts';

/** Five years in seconds, with leap days in every year: slightly more than the upstream accepts, because it knows the exact dates. */
const FIVE_YEARS_S = 5 * 366 * 24 * 60 * 60;

/** Type of the fields that a value can be compared with, by the fields of the value input. */
const KINDS = { text: 'TEXT', integer: 'INTEGER', decimal: 'DECIMAL', boolean: 'BOOLEAN', timestamp: 'TIMESTAMP', date: 'DATE' } as const;

/** Returns the minimum and maximum number of values of an operator. */
function countsOf(operator: string): readonly [number, number] {
  if (operator === 'IN' || operator === 'NOT_IN') return [1, Number.POSITIVE_INFINITY];
  return operator === 'IS_NULL' || operator === 'IS_NOT_NULL' ? [0, 0] : [1, 1];
}

/** Describes how to fix a value of the wrong type: the input field for values of a type. Amounts have none. */
function typeHint(type: string): string {
  const member = Object.entries(KINDS).find(([, kind]) => kind === type)?.[0];
  return member ? `Use \`${member}\` instead` : 'Fields of this type can’t be compared with values';
}

/** Counts the conditions of a filter and its nesting levels. Iterative, because a filter can be nested deeper than the call stack. */
function sizeOf(filter: GivenFilter): { nodes: number; levels: number } {
  let nodes = 0;
  let levels = 0;
  const open: [GivenFilter, number][] = [[filter, 1]];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [{ all, any, related }, level] = entry;
    nodes += 1;
    levels = Math.max(levels, level);
    for (const child of [...(all ?? []), ...(any ?? []), ...(related?.filter ? [related.filter] : [])]) open.push([child, level + 1]);
  }
  return { nodes, levels };
}

/**
 * Reports a string that isn't one of the field's values. A comparison with it would match nothing, for no visible reason. The upstream's spelling is accepted
 * too.
 */
function checkWord(
  found: Findings,
  text: string | null | undefined,
  operator: string,
  field: FieldOrNone,
  entity: EntityOrNone,
  path: Path,
): void {
  const words = field?.words ?? [];
  if (typeof text !== 'string' || words.length === 0 || operator === 'CONTAINS' || words.includes(text)) return;
  found.oneOf(text, memberWords(entity, field?.name ?? ''), path, `a value of ${field?.name}`);
}

function checkValue(found: Findings, value: GivenValue, operator: string, field: FieldOrNone, entity: EntityOrNone, path: Path): void {
  const kind = only(value);
  const at = [...path, kind];
  if (kind === 'currentMember') {
    if (!value.currentMember) found.tell(at, 'NOT_ALLOWED', 'must be true. To compare with another value, omit it.');
    else if (field && found.tells('supportsCurrentMember') && !field.supportsCurrentMember)
      found.tell(at, 'NOT_ALLOWED', `must be omitted, because ${field.name} can’t be compared with the current member.`);
    return;
  }
  const type = typeOf(field);
  if (kind === 'nowOffsetSeconds') {
    if (type !== null && type !== 'TIMESTAMP')
      found.tell(at, 'NOT_ALLOWED', `is only for TIMESTAMP fields, but ${field?.name} is ${type}.`);
    if (Math.abs(Number(value.nowOffsetSeconds)) > FIVE_YEARS_S)
      found.tell(at, 'OUT_OF_RANGE', 'must be within five years of the current time.', FIVE_YEARS_S);
    return;
  }
  const fits = KINDS[kind as keyof typeof KINDS];
  if (type !== null && fits !== type) found.tell(at, 'NOT_ALLOWED', `doesn’t match ${field?.name}, which is ${type}. ${typeHint(type)}.`);
  else checkWord(found, value.text, operator, field, entity, at);
  if (value.timestamp) found.checkPrecision(value.timestamp, at);
}

function checkComparison(found: Findings, { field: name, operator, values }: GivenComparison, entity: EntityOrNone, path: Path): void {
  const field = found.field(name, entity, [...path, 'field']);
  const operators: readonly (string | null)[] = (field?.operators ?? [])
    .map((word) => Operator.fromWire(word))
    .filter((word) => word !== OTHER);
  if (field && found.tells('operators') && !operators.includes(operator)) {
    const problem =
      operators.length > 0
        ? `must be one of ${operators.join(', ')} for ${name}, but is ${operator}.`
        : `can’t be ${operator}, because ${name} can’t be compared.`;
    found.tell([...path, 'operator'], 'NOT_ALLOWED', problem);
    return;
  }
  const [least, most] = countsOf(operator);
  const count = values?.length ?? 0;
  if (count < least) found.tell([...path, 'values'], 'TOO_SHORT', `must have at least 1 value for ${operator}.`, 1);
  if (count > most)
    found.tell(
      [...path, 'values'],
      'TOO_LONG',
      `must have at most ${most} ${most === 1 ? 'value' : 'values'} for ${operator}, but has ${count}.`,
      most,
    );
  for (const [index, value] of (values ?? []).entries())
    checkValue(found, value, operator, field, entity, [...path, 'values', String(index)]);
}

function checkNode(found: Findings, { all, any, compare, related }: GivenFilter, entity: EntityOrNone, path: Path, hops: number): void {
  for (const [name, children] of Object.entries({ all, any })) {
    if (children?.length === 0) found.tell([...path, name], 'TOO_SHORT', 'must have at least 1 condition.', 1);
    for (const [index, child] of (children ?? []).entries()) checkNode(found, child, entity, [...path, name, String(index)], hops);
  }
  if (compare) checkComparison(found, compare, entity, [...path, 'compare']);
  if (!related) return;
  const { maxRelationshipHops: most } = found.limits;
  const at = [...path, 'related'];
  if (hops === most) found.tell(at, 'TOO_LONG', `must be nested at most ${most} levels deep.`, most);
  const other = found.related(related.relationship, entity, [...at, 'relationship']);
  if (related.filter && hops < most) checkNode(found, related.filter, other, [...at, 'filter'], hops + 1);
}

/** Checks the filter of a query, or the condition of a measure. */
export function checkFilter(found: Findings, filter: GivenFilter, entity: EntityOrNone, path: Path): void {
  const { maxFilterNodes, maxFilterLevels } = found.limits;
  const { nodes, levels } = sizeOf(filter);
  found.atMost(levels, maxFilterLevels, 'levels of nested conditions', path);
  found.atMost(nodes, maxFilterNodes, 'conditions', path);
  if (levels <= maxFilterLevels && nodes <= maxFilterNodes) checkNode(found, filter, entity, path, 0);
}
