/** Keys that can cause prototype pollution in code that copies objects carelessly. */
const POLLUTING_KEYS = ['__proto__', 'constructor', 'prototype'] as const;

/** Matches strings that may contain such a key. */
export const POLLUTING_TEXT = new RegExp(POLLUTING_KEYS.join('|'));

const pollutingKeys: ReadonlySet<string> = new Set(POLLUTING_KEYS);

export const isPolluting = (key: string): boolean => pollutingKeys.has(key);

/**
 * Maximum nesting depth of objects and lists. Chosen: the deepest valid input, an analytics query with eight levels of conditions in a measure, has 26 levels.
 */
const MAX_DEPTH = 32;

/** What is wrong with a JSON value. */
interface JsonProblem {
  /** Names and indexes that lead to the value. Empty if the value as a whole is wrong. */
  readonly path: readonly string[];
  /** The end of a sentence. */
  readonly message: string;
}

/** UTF-8 can't encode these. Encoders replace all of them by the same character, so that different texts would become equal. */
const UNPAIRED: JsonProblem = {
  path: [],
  message: 'must not contain unpaired surrogates, such as `\\ud800` without a second half',
};

const TOO_DEEP: JsonProblem = { path: [], message: `must not nest more than ${MAX_DEPTH} levels deep` };

const prependPath = (name: string, problem: JsonProblem): JsonProblem =>
  problem === TOO_DEEP ? problem : { path: [name, ...problem.path], message: problem.message };

/** Recursive, because pushing hundreds of thousands of objects to an array takes longer than parsing them. */
function findProblemIn(value: unknown, depth: number): JsonProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : UNPAIRED;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = findProblemIn(value[index], depth + 1);
      if (problem) return prependPath(String(index), problem);
    }
    return undefined;
  }
  for (const name in value) {
    if (isPolluting(name)) return { path: [], message: `must not have a key named ${name}` };
    if (!name.isWellFormed()) return UNPAIRED;
    const problem = findProblemIn((value as Readonly<Record<string, unknown>>)[name], depth + 1);
    if (problem) return prependPath(name, problem);
  }
  return undefined;
}

/** Finds what is wrong with a caller's JSON value. Undefined if it's valid. */
export const findProblem = (root: unknown): JsonProblem | undefined => findProblemIn(root, 0);

/** Matches strings that JSON doesn't escape. */
const UNESCAPED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const countStringBytes = (text: string) => (UNESCAPED.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text)));

const hasToJson = (value: object): value is { toJSON(): unknown } => 'toJSON' in value && typeof value.toJSON === 'function';

/**
 * Counts the bytes of a value's JSON without creating it. Stops at the limit, and then returns a number above it. Iterative, because upstream values can be
 * nested deeper than the call stack.
 */
export function countJsonBytes(root: unknown, limit = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  const pending: unknown[] = [root];
  while (pending.length > 0 && bytes <= limit) {
    const value = pending.pop();
    if (typeof value === 'string') bytes += countStringBytes(value);
    else if (typeof value !== 'object' || value === null) bytes += String(value).length;
    else if (Array.isArray(value)) {
      bytes += 2 + Math.max(0, value.length - 1);
      for (const entry of value) pending.push(entry);
    } else if (hasToJson(value)) pending.push(value.toJSON());
    else {
      let members = 0;
      for (const name in value) {
        const member = (value as Record<string, unknown>)[name];
        if (member === undefined) continue;
        members += 1;
        bytes += countStringBytes(name) + 1;
        pending.push(member);
      }
      bytes += 2 + Math.max(0, members - 1);
    }
  }
  return bytes;
}

/** Maximum number of bytes of a code unit in JSON: `\u0000`. */
const MAX_UNIT_BYTES = 6;
/** Maximum number of bytes of a number, a boolean or null: `-1.2345678901234567e-300`. */
const MAX_SCALAR_BYTES = 24;
/** Maximum depth of `computeRemainingBytes`. Chosen: responses are less deep, and upstream values can be nested deeper than the call stack. */
const MAX_ESTIMATE_DEPTH = 64;

/** Returns the remaining bytes if each value has its maximum size. Negative if they may not be enough. */
function computeRemainingBytes(value: unknown, remaining: number, depth: number): number {
  if (typeof value === 'string') return remaining - MAX_UNIT_BYTES * value.length - 2;
  if (typeof value !== 'object' || value === null) return remaining - MAX_SCALAR_BYTES;
  if (depth === 0 || hasToJson(value)) return -1;
  let remainingAfter = remaining - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && remainingAfter >= 0; index += 1)
      remainingAfter = computeRemainingBytes(value[index], remainingAfter - 1, depth - 1);
    return remainingAfter;
  }
  for (const name in value) {
    remainingAfter = computeRemainingBytes(
      (value as Record<string, unknown>)[name],
      remainingAfter - MAX_UNIT_BYTES * name.length - 4,
      depth - 1,
    );
    if (remainingAfter < 0) return remainingAfter;
  }
  return remainingAfter;
}

/** Whether a value's JSON is within the limit even if every character is escaped. Four times as fast as `countJsonBytes`. False is inconclusive. */
export const isDefinitelyWithin = (value: unknown, limit: number): boolean => computeRemainingBytes(value, limit, MAX_ESTIMATE_DEPTH) >= 0;
