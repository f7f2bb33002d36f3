import type { IssueCode } from '../../failures/errorCodes.ts';
import type { ValidationIssue } from '../../failures/failures.ts';
import { countCharacters, isLongerThan } from '../../lib/characters.ts';
import { isInt64 } from '../../lib/int64.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Limits, MessageField, MessageFields } from './fields.ts';
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
export const pickLimits = (field: MessageField): Limits => Object.fromEntries(Object.entries(field).filter(([member]) => member in LIMITS));

/** Selects rules of the contract. */
interface RuleFilter {
  readonly hasLimit: (limit: keyof Limits, field: MessageField) => boolean;
  readonly hasCombination: (message: MessageFields) => boolean;
}

/** Creates a function that derives the rules of messages from their fields. It caches the rules, because every call is checked against them. */
function createRulesFactory({ hasLimit, hasCombination }: RuleFilter): (message: MessageFields) => Rules {
  const cache = new Map<MessageFields, Rules>();

  const pickFilteredLimits = (field: MessageField): Limits =>
    Object.fromEntries(Object.entries(pickLimits(field)).filter(([limit]) => hasLimit(limit as keyof Limits, field)));

  /** Whether a message, or a nested one, has a rule. `seen` has the visited messages, because messages can be recursive. */
  function hasRules(message: MessageFields, seen = new Set<MessageFields>()): boolean {
    if (seen.has(message)) return false;
    seen.add(message);
    if ((message.exactlyOne || message.atLeastOne) && hasCombination(message)) return true;
    return Object.values(message.fields).some(
      (field) => Object.keys(pickFilteredLimits(field)).length > 0 || (field.message !== undefined && hasRules(field.message, seen)),
    );
  }

  return function rulesOfMessage(message) {
    const known = cache.get(message);
    if (known) return known;
    const fields: Record<string, Rule> = {};
    const { exactlyOne, atLeastOne } = hasCombination(message) ? message : {};
    const rules: Rules = { ...(exactlyOne && { exactlyOne }), ...(atLeastOne && { atLeastOne }), fields };
    // Cached before its fields are visited, because messages can be recursive.
    cache.set(message, rules);
    for (const [name, field] of Object.entries(message.fields)) {
      const each = field.message && hasRules(field.message) ? rulesOfMessage(field.message) : undefined;
      const rule: Rule = { ...pickFilteredLimits(field), ...(each && { each }) };
      if (Object.keys(rule).length > 0) fields[name] = rule;
    }
    return rules;
  };
}

/** Returns all rules of a message. Fields without rules are omitted. */
export const rulesOf = createRulesFactory({ hasLimit: () => true, hasCombination: () => true });

/** Whether the limit is that an ID must not be empty. Without the ID, the graph couldn't know what is requested. */
const isRequiredId = (limit: keyof Limits, { refers, minLength }: MessageField) =>
  limit === 'minLength' && minLength === 1 && refers !== undefined;

/**
 * Returns the rules by which a request can be rejected before it's sent: those that are documented. An assumed rule may be wrong and would block requests that
 * the upstream accepts.
 */
export const getDocumentedRules = createRulesFactory({
  hasLimit: (limit, field) => field.stated?.includes(limit) === true || isRequiredId(limit, field),
  hasCombination: ({ combinationStated }) => combinationStated === true,
});

/** Compiled patterns, of which the contract has a few. */
const patterns = new Map<string, RegExp>();

function compilePattern(source: string): RegExp {
  let pattern = patterns.get(source);
  if (!pattern) {
    pattern = new RegExp(source, 'u');
    patterns.set(source, pattern);
  }
  return pattern;
}

/** A rule that a value breaks. */
type Problem = Omit<ValidationIssue, 'path'>;

const createProblem = (code: IssueCode, message: string, limit: number | null = null): Problem => ({ code, limit, message });

/** Size of a text in UTF-8. Without `Buffer`, which browsers lack. */
const countBytes = (text: string): number => new TextEncoder().encode(text).length;

function findStringProblems(value: string, rule: Rule): Problem[] {
  const problems: Problem[] = [];
  const isTooLong = rule.maxLength !== undefined && isLongerThan(value, rule.maxLength);
  // Patterns can take time that grows with the square of the length.
  if (rule.pattern !== undefined && !isTooLong && !compilePattern(rule.pattern).test(value)) {
    problems.push(
      rule.pattern === '\\S'
        ? createProblem('BLANK', 'must not be blank.')
        : createProblem('INVALID_FORMAT', `must match ${rule.pattern}.`),
    );
  } else if (rule.minLength !== undefined && !isLongerThan(value, rule.minLength - 1)) {
    const { minLength } = rule;
    problems.push(
      minLength === 1
        ? createProblem('BLANK', 'must not be empty.')
        : createProblem('TOO_SHORT', `must have at least ${minLength} characters.`, minLength),
    );
  }
  if (isTooLong) {
    problems.push(
      createProblem('TOO_LONG', `must have at most ${rule.maxLength} characters, but has ${countCharacters(value)}.`, rule.maxLength),
    );
  }
  if (rule.maxBytes !== undefined && countBytes(value) > rule.maxBytes)
    problems.push(createProblem('TOO_LONG', `must have at most ${rule.maxBytes} bytes, but has ${countBytes(value)}.`, rule.maxBytes));
  if (rule.in && !rule.in.includes(value))
    problems.push(createProblem('NOT_ALLOWED', `must be one of ${rule.in.filter(Boolean).join(', ')}.`));
  if (rule.uuid && !UUID.test(value)) problems.push(createProblem('INVALID_FORMAT', 'must be a UUID.'));
  return problems;
}

/** A decimal integer, which is how 64-bit integers are written on the wire. */
const INTEGER = /^-?\d+$/;

function findNumberProblems(value: number | bigint, rule: Rule): Problem[] {
  const problems: Problem[] = [];
  if (typeof value === 'bigint' && !isInt64(value)) problems.push(createProblem('OUT_OF_RANGE', 'must fit in 64 bits.'));
  // The contract uses `gt` for integers only: the next integer is the minimum.
  if (rule.gt !== undefined && value <= rule.gt)
    problems.push(createProblem('OUT_OF_RANGE', `must be greater than ${rule.gt}, but is ${value}.`, rule.gt + 1));
  if (rule.gte !== undefined && value < rule.gte)
    problems.push(createProblem('OUT_OF_RANGE', `must be at least ${rule.gte}, but is ${value}.`, rule.gte));
  if (rule.lte !== undefined && value > rule.lte)
    problems.push(createProblem('OUT_OF_RANGE', `must be at most ${rule.lte}, but is ${value}.`, rule.lte));
  if (rule.not !== undefined && value === (typeof value === 'bigint' ? BigInt(rule.not) : rule.not))
    problems.push(createProblem('NOT_ALLOWED', `must not be ${rule.not}.`));
  return problems;
}

const isNumeric = (rule: Rule) => rule.gt !== undefined || rule.gte !== undefined || rule.lte !== undefined || rule.not !== undefined;

function findSizeProblems(size: number, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Rule): Problem[] {
  if (size < minItems)
    return [createProblem('TOO_SHORT', `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}.`, minItems)];
  return size > maxItems ? [createProblem('TOO_LONG', `must have at most ${maxItems} entries, but has ${size}.`, maxItems)] : [];
}

/** Returns the problems of a value itself, without its fields. */
function findProblems(value: unknown, rule: Rule): Problem[] {
  // proto3 omits defaults: a missing list is an empty one.
  if (value === undefined) return findSizeProblems(0, rule);
  if (typeof value === 'string') {
    if (!isNumeric(rule)) return findStringProblems(value, rule);
    return INTEGER.test(value) ? findNumberProblems(BigInt(value), rule) : [createProblem('INVALID_FORMAT', 'must be an integer.')];
  }
  if (typeof value === 'number') return findNumberProblems(value, rule);
  if (Array.isArray(value)) return findSizeProblems(value.length, rule);
  return isJsonObject(value) ? findSizeProblems(Object.keys(value).length, rule) : [];
}

function findEntryIssues(value: unknown, each: Rules, path: readonly string[]): ValidationIssue[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => findIssues(entry, each, [...path, String(index)]));
  return findIssues(value, each, path);
}

function findIssues(message: unknown, rules: Rules, path: readonly string[]): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  if (!isJsonObject(message)) return issues;
  if (rules.exactlyOne) {
    const presentFields = rules.exactlyOne.filter((field) => message[field] !== undefined);
    if (presentFields.length !== 1) {
      const received = presentFields.length === 0 ? 'none' : presentFields.join(' and ');
      const message = `Specify exactly one of ${rules.exactlyOne.join(' and ')}. Received: ${received}.`;
      issues.push({ path, ...createProblem(presentFields.length === 0 ? 'REQUIRED' : 'NOT_ALLOWED', message) });
    }
  }
  if (rules.atLeastOne && !rules.atLeastOne.some((field) => message[field] !== undefined)) {
    issues.push({ path, ...createProblem('REQUIRED', `Specify at least one of ${rules.atLeastOne.join(', ')}.`) });
  }
  // Every call is checked here, so entries and paths are only created if they are needed.
  for (const field in rules.fields) {
    const rule = rules.fields[field] as Rule;
    const value = message[field];
    for (const each of findProblems(value, rule)) issues.push({ path: [...path, field], ...each });
    if (rule.each) issues.push(...findEntryIssues(value, rule.each, [...path, field]));
  }
  return issues;
}

/** Returns everything in a request that breaks a rule of the contract. Paths are in the contract's names. */
export const findBrokenRules = (request: unknown, rules: Rules): ValidationIssue[] => findIssues(request, rules, []);
