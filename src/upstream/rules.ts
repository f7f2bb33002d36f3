import type { ValidationIssue } from './errors.ts';
import { isInt64 } from './int64.ts';
import type { Rule, Rules } from './operation.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The number of code points, as the contract counts. */
const lengthOf = (text: string) => [...text].length;

/** A code point takes two units at most: a text that is long enough in any case is not counted. */
const isShorter = (text: string, length: number) => text.length < 2 * length && lengthOf(text) < length;

function* textProblems(value: string, rule: Rule): Generator<string> {
  if (rule.pattern !== undefined && !new RegExp(rule.pattern, 'u').test(value)) {
    yield rule.pattern === '\\S' ? 'must not be blank.' : `must match ${rule.pattern}.`;
  } else if (rule.minLength !== undefined && isShorter(value, rule.minLength)) {
    yield rule.minLength === 1 ? 'must not be empty.' : `must have at least ${rule.minLength} characters.`;
  }
  if (rule.maxLength !== undefined && value.length > rule.maxLength && lengthOf(value) > rule.maxLength) {
    yield `must have at most ${rule.maxLength} characters, but has ${lengthOf(value)}.`;
  }
  if (rule.in && !rule.in.includes(value)) yield `must be one of ${rule.in.filter(Boolean).join(', ')}.`;
  if (rule.uuid && !UUID.test(value)) yield 'must be a UUID.';
}

/** A whole number in decimal, as numbers of 64 bits are written on the wire. */
const WHOLE = /^-?\d+$/;

function* numberProblems(value: number | bigint, rule: Rule): Generator<string> {
  if (typeof value === 'bigint' && !isInt64(value)) yield 'must fit in 64 bits.';
  if (rule.gt !== undefined && value <= rule.gt) yield `must be greater than ${rule.gt}, but is ${value}.`;
  if (rule.gte !== undefined && value < rule.gte) yield `must be at least ${rule.gte}, but is ${value}.`;
  if (rule.lte !== undefined && value > rule.lte) yield `must be at most ${rule.lte}, but is ${value}.`;
  if (rule.not !== undefined && value === (typeof value === 'bigint' ? BigInt(rule.not) : rule.not)) yield `must not be ${rule.not}.`;
}

const isNumeric = (rule: Rule) => rule.gt !== undefined || rule.gte !== undefined || rule.lte !== undefined || rule.not !== undefined;

function* sizeProblems(size: number, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Rule): Generator<string> {
  if (size < minItems) yield `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}.`;
  if (size > maxItems) yield `must have at most ${maxItems} entries, but has ${size}.`;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function* fieldIssues(value: unknown, rule: Rule, path: readonly string[]): Generator<ValidationIssue> {
  if (typeof value === 'string' && isNumeric(rule)) {
    if (!WHOLE.test(value)) yield { path, message: 'must be a whole number.' };
    else for (const message of numberProblems(BigInt(value), rule)) yield { path, message };
  } else if (typeof value === 'string') {
    for (const message of textProblems(value, rule)) yield { path, message };
  } else if (typeof value === 'number') {
    for (const message of numberProblems(value, rule)) yield { path, message };
  } else if (Array.isArray(value)) {
    for (const message of sizeProblems(value.length, rule)) yield { path, message };
    if (rule.each) for (const [index, entry] of value.entries()) yield* issuesIn(entry, rule.each, [...path, String(index)]);
  } else if (isRecord(value)) {
    for (const message of sizeProblems(Object.keys(value).length, rule)) yield { path, message };
    if (rule.each) yield* issuesIn(value, rule.each, path);
  }
}

/** What a missing field counts as: proto3 leaves defaults out, so a rule on the default still applies. */
function missingIssue(rule: Rule): string | undefined {
  if (rule.minItems) return `must have at least ${rule.minItems} ${rule.minItems === 1 ? 'entry' : 'entries'}.`;
  return undefined;
}

function* issuesIn(message: unknown, rules: Rules, path: readonly string[]): Generator<ValidationIssue> {
  if (!isRecord(message)) return;
  if (rules.exactlyOne) {
    const given = rules.exactlyOne.filter((field) => message[field] !== undefined);
    if (given.length !== 1) {
      yield {
        path,
        message: `Give exactly one of ${rules.exactlyOne.join(' and ')}; ${given.length === 0 ? 'none' : given.join(' and ')} was given.`,
      };
    }
  }
  for (const [field, rule] of Object.entries(rules.fields)) {
    const value = message[field];
    if (value !== undefined) yield* fieldIssues(value, rule, [...path, field]);
    else {
      const problem = missingIssue(rule);
      if (problem) yield { path: [...path, field], message: problem };
    }
  }
}

/** Everything in a request that breaks a rule of the contract. Paths are in the contract's names. */
export const brokenRules = (request: unknown, rules: Rules): ValidationIssue[] => [...issuesIn(request, rules, [])];
