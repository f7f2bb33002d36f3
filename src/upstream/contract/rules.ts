import type { IssueCode } from '../../failures/errorCodes.ts';
import type { ValidationIssue } from '../../failures/failures.ts';
import { isInt64 } from '../../lib/int64.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Field, Limits, MessageFields } from './fields.ts';
import type { Rule, Rules } from './operation.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const LIMITS: Readonly<Record<keyof Limits, true>> = {
  minLength: true,
  maxLength: true,
  maxBytes: true,
  pattern: true,
  in: true,
  uuid: true,
  gt: true,
  gte: true,
  lte: true,
  not: true,
  minItems: true,
  maxItems: true,
};

/** The limits of a field, without what else is known of it. */
export const limitsOf = (field: Field): Limits => Object.fromEntries(Object.entries(field).filter(([member]) => member in LIMITS));

/** Which of the contract's rules are looked at. */
interface Choice {
  readonly hasLimit: (limit: keyof Limits, field: Field) => boolean;
  readonly hasCombination: (message: MessageFields) => boolean;
}

/** Makes the rules of messages from their fields, once for each message: every call is checked against them. */
function rulesMaker({ hasLimit, hasCombination }: Choice): (message: MessageFields) => Rules {
  const made = new Map<MessageFields, Rules>();

  const chosenIn = (field: Field): Limits =>
    Object.fromEntries(Object.entries(limitsOf(field)).filter(([limit]) => hasLimit(limit as keyof Limits, field)));

  /** Whether a message has a rule, or one inside it has. Messages that are gone through already are `seen`, since a message may hold itself. */
  function hasRules(message: MessageFields, seen = new Set<MessageFields>()): boolean {
    if (seen.has(message)) return false;
    seen.add(message);
    if ((message.exactlyOne || message.atLeastOne) && hasCombination(message)) return true;
    return Object.values(message.fields).some(
      (field) => Object.keys(chosenIn(field)).length > 0 || (field.message !== undefined && hasRules(field.message, seen)),
    );
  }

  return function rulesOfMessage(message) {
    const known = made.get(message);
    if (known) return known;
    const fields: Record<string, Rule> = {};
    const { exactlyOne, atLeastOne } = hasCombination(message) ? message : {};
    const rules: Rules = { ...(exactlyOne && { exactlyOne }), ...(atLeastOne && { atLeastOne }), fields };
    // Kept before its fields are gone through: a message may hold itself.
    made.set(message, rules);
    for (const [name, field] of Object.entries(message.fields)) {
      const each = field.message && hasRules(field.message) ? rulesOfMessage(field.message) : undefined;
      const rule: Rule = { ...chosenIn(field), ...(each && { each }) };
      if (Object.keys(rule).length > 0) fields[name] = rule;
    }
    return rules;
  };
}

/** All rules of a message, without the fields that have none. */
export const rulesOf = rulesMaker({ hasLimit: () => true, hasCombination: () => true });

/** Whether the field is an id that must not be empty: without it the graph could not tell what is asked for. */
const isNeededId = (limit: keyof Limits, { refers, minLength }: Field) => limit === 'minLength' && minLength === 1 && refers !== undefined;

/**
 * The rules by which a request may be refused before it is sent: those that the upstream documents. A rule that is only assumed may be wrong, and
 * would keep back what the upstream takes.
 */
export const statedRulesOf = rulesMaker({
  hasLimit: (limit, field) => field.stated?.includes(limit) === true || isNeededId(limit, field),
  hasCombination: ({ combinationStated }) => combinationStated === true,
});

/** The number of code points, as the contract counts. */
const lengthOf = (text: string) => [...text].length;

/** A code point takes two units at most: a text that is long enough in any case is not counted. */
const isShorter = (text: string, length: number) => text.length < 2 * length && lengthOf(text) < length;

/** Compiled once: the contract has a few. */
const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  let pattern = patterns.get(source);
  if (!pattern) {
    pattern = new RegExp(source, 'u');
    patterns.set(source, pattern);
  }
  return pattern;
}

/** A rule that a value breaks. */
type Problem = Omit<ValidationIssue, 'path'>;

const problem = (code: IssueCode, message: string, limit: number | null = null): Problem => ({ code, limit, message });

function textProblems(value: string, rule: Rule): Problem[] {
  const problems: Problem[] = [];
  const isTooLong = rule.maxLength !== undefined && value.length > rule.maxLength && lengthOf(value) > rule.maxLength;
  // Patterns may take a time that grows with the square of the length.
  if (rule.pattern !== undefined && !isTooLong && !patternOf(rule.pattern).test(value)) {
    problems.push(
      rule.pattern === '\\S' ? problem('BLANK', 'must not be blank.') : problem('INVALID_FORMAT', `must match ${rule.pattern}.`),
    );
  } else if (rule.minLength !== undefined && isShorter(value, rule.minLength)) {
    const { minLength } = rule;
    problems.push(
      minLength === 1
        ? problem('BLANK', 'must not be empty.')
        : problem('TOO_SHORT', `must have at least ${minLength} characters.`, minLength),
    );
  }
  if (isTooLong) {
    problems.push(problem('TOO_LONG', `must have at most ${rule.maxLength} characters, but has ${lengthOf(value)}.`, rule.maxLength));
  }
  if (rule.maxBytes !== undefined && Buffer.byteLength(value) > rule.maxBytes) {
    problems.push(problem('TOO_LONG', `must have at most ${rule.maxBytes} bytes, but has ${Buffer.byteLength(value)}.`, rule.maxBytes));
  }
  if (rule.in && !rule.in.includes(value)) problems.push(problem('NOT_ALLOWED', `must be one of ${rule.in.filter(Boolean).join(', ')}.`));
  if (rule.uuid && !UUID.test(value)) problems.push(problem('INVALID_FORMAT', 'must be a UUID.'));
  return problems;
}

/** A whole number in decimal, as numbers of 64 bits are written on the wire. */
const WHOLE = /^-?\d+$/;

function numberProblems(value: number | bigint, rule: Rule): Problem[] {
  const problems: Problem[] = [];
  if (typeof value === 'bigint' && !isInt64(value)) problems.push(problem('OUT_OF_RANGE', 'must fit in 64 bits.'));
  // The contract says `gt` of whole numbers only: the next one is allowed.
  if (rule.gt !== undefined && value <= rule.gt)
    problems.push(problem('OUT_OF_RANGE', `must be greater than ${rule.gt}, but is ${value}.`, rule.gt + 1));
  if (rule.gte !== undefined && value < rule.gte)
    problems.push(problem('OUT_OF_RANGE', `must be at least ${rule.gte}, but is ${value}.`, rule.gte));
  if (rule.lte !== undefined && value > rule.lte)
    problems.push(problem('OUT_OF_RANGE', `must be at most ${rule.lte}, but is ${value}.`, rule.lte));
  if (rule.not !== undefined && value === (typeof value === 'bigint' ? BigInt(rule.not) : rule.not))
    problems.push(problem('NOT_ALLOWED', `must not be ${rule.not}.`));
  return problems;
}

const isNumeric = (rule: Rule) => rule.gt !== undefined || rule.gte !== undefined || rule.lte !== undefined || rule.not !== undefined;

function sizeProblems(size: number, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Rule): Problem[] {
  if (size < minItems) return [problem('TOO_SHORT', `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}.`, minItems)];
  return size > maxItems ? [problem('TOO_LONG', `must have at most ${maxItems} entries, but has ${size}.`, maxItems)] : [];
}

/** The problems of a value itself, whatever it holds. */
function problemsOf(value: unknown, rule: Rule): Problem[] {
  // proto3 leaves defaults out: a list that is missing is an empty one.
  if (value === undefined) return sizeProblems(0, rule);
  if (typeof value === 'string') {
    if (!isNumeric(rule)) return textProblems(value, rule);
    return WHOLE.test(value) ? numberProblems(BigInt(value), rule) : [problem('INVALID_FORMAT', 'must be an integer.')];
  }
  if (typeof value === 'number') return numberProblems(value, rule);
  if (Array.isArray(value)) return sizeProblems(value.length, rule);
  return isJsonObject(value) ? sizeProblems(Object.keys(value).length, rule) : [];
}

function issuesInEntries(value: unknown, each: Rules, path: readonly string[]): ValidationIssue[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => issuesIn(entry, each, [...path, String(index)]));
  return issuesIn(value, each, path);
}

function issuesIn(message: unknown, rules: Rules, path: readonly string[]): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  if (!isJsonObject(message)) return issues;
  if (rules.exactlyOne) {
    const given = rules.exactlyOne.filter((field) => message[field] !== undefined);
    if (given.length !== 1) {
      const received = given.length === 0 ? 'none' : given.join(' and ');
      const message = `Specify exactly one of ${rules.exactlyOne.join(' and ')}. Received: ${received}.`;
      issues.push({ path, ...problem(given.length === 0 ? 'REQUIRED' : 'NOT_ALLOWED', message) });
    }
  }
  if (rules.atLeastOne && !rules.atLeastOne.some((field) => message[field] !== undefined)) {
    issues.push({ path, ...problem('REQUIRED', `Specify at least one of ${rules.atLeastOne.join(', ')}.`) });
  }
  // No entries and no paths unless they are received: every call comes here.
  for (const field in rules.fields) {
    const rule = rules.fields[field] as Rule;
    const value = message[field];
    for (const each of problemsOf(value, rule)) issues.push({ path: [...path, field], ...each });
    if (rule.each) issues.push(...issuesInEntries(value, rule.each, [...path, field]));
  }
  return issues;
}

/** Everything in a request that breaks a rule of the contract. Paths are in the contract's names. */
export const brokenRules = (request: unknown, rules: Rules): ValidationIssue[] => issuesIn(request, rules, []);
