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

/** Returns the limits of a field, without its other properties. */
export const limitsOf = (field: Field): Limits => Object.fromEntries(Object.entries(field).filter(([member]) => member in LIMITS));

/** Selects rules of the contract. */
interface Choice {
  readonly hasLimit: (limit: keyof Limits, field: Field) => boolean;
  readonly hasCombination: (message: MessageFields) => boolean;
}

/** Creates a function that derives the rules of messages from their fields. It caches the rules, because every call is checked against them. */
function rulesMaker({ hasLimit, hasCombination }: Choice): (message: MessageFields) => Rules {
  const made = new Map<MessageFields, Rules>();

  const chosenIn = (field: Field): Limits =>
    Object.fromEntries(Object.entries(limitsOf(field)).filter(([limit]) => hasLimit(limit as keyof Limits, field)));

  /** Whether a message, or a nested one, has a rule. `seen` has the visited messages, because messages can be recursive. */
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
    // Cached before its fields are visited, because messages can be recursive.
    made.set(message, rules);
    for (const [name, field] of Object.entries(message.fields)) {
      const each = field.message && hasRules(field.message) ? rulesOfMessage(field.message) : undefined;
      const rule: Rule = { ...chosenIn(field), ...(each && { each }) };
      if (Object.keys(rule).length > 0) fields[name] = rule;
    }
    return rules;
  };
}

/** Returns all rules of a message. Fields without rules are omitted. */
export const rulesOf = rulesMaker({ hasLimit: () => true, hasCombination: () => true });

/** Whether the limit is that an ID must not be empty. Without the ID, the graph couldn't know what is requested. */
const isNeededId = (limit: keyof Limits, { refers, minLength }: Field) => limit === 'minLength' && minLength === 1 && refers !== undefined;

/**
 * Returns the rules by which a request can be rejected before it's sent: those that are documented. An assumed rule may be wrong and would block requests that
 * the upstream accepts.
 */
export const statedRulesOf = rulesMaker({
  hasLimit: (limit, field) => field.stated?.includes(limit) === true || isNeededId(limit, field),
  hasCombination: ({ combinationStated }) => combinationStated === true,
});

/** Returns the number of code points, which the contract's limits count. */
const lengthOf = (text: string) => [...text].length;

/** A code point has at most two UTF-16 units, so a string that is long enough anyway isn't counted. */
const isShorter = (text: string, length: number) => text.length < 2 * length && lengthOf(text) < length;

/** Compiled patterns, of which the contract has a few. */
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
  // Patterns can take time that grows with the square of the length.
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

/** A decimal integer, which is how 64-bit integers are written on the wire. */
const WHOLE = /^-?\d+$/;

function numberProblems(value: number | bigint, rule: Rule): Problem[] {
  const problems: Problem[] = [];
  if (typeof value === 'bigint' && !isInt64(value)) problems.push(problem('OUT_OF_RANGE', 'must fit in 64 bits.'));
  // The contract uses `gt` for integers only: the next integer is the minimum.
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

/** Returns the problems of a value itself, without its fields. */
function problemsOf(value: unknown, rule: Rule): Problem[] {
  // proto3 omits defaults: a missing list is an empty one.
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
  // Every call is checked here, so entries and paths are only created if they are needed.
  for (const field in rules.fields) {
    const rule = rules.fields[field] as Rule;
    const value = message[field];
    for (const each of problemsOf(value, rule)) issues.push({ path: [...path, field], ...each });
    if (rule.each) issues.push(...issuesInEntries(value, rule.each, [...path, field]));
  }
  return issues;
}

/** Returns everything in a request that breaks a rule of the contract. Paths are in the contract's names. */
export const brokenRules = (request: unknown, rules: Rules): ValidationIssue[] => issuesIn(request, rules, []);
