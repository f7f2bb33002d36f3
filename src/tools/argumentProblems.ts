import { countCharacters } from '../lib/characters.ts';
import type { JsonObject } from '../lib/json.ts';
import { isJsonObject } from '../lib/json.ts';
import { escapeText, quoteText } from '../lib/printableText.ts';
import type { JsonSchema } from './inputSchemas.ts';

/** A problem with the arguments of a call. */
export interface ArgumentProblem {
  readonly message: string;
  /** Path of the value, such as `lines[0].quantity`. */
  readonly argument: string;
}

/** The JSON Schema keywords that schemas of arguments use. */
interface Keywords {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

const TYPES: Readonly<Record<string, { readonly noun: string; readonly includes: (value: unknown) => boolean }>> = {
  string: { noun: 'a string', includes: (value) => typeof value === 'string' },
  integer: { noun: 'an integer', includes: Number.isInteger },
  number: { noun: 'a number', includes: (value) => typeof value === 'number' },
  boolean: { noun: 'a boolean', includes: (value) => typeof value === 'boolean' },
  array: { noun: 'a list', includes: Array.isArray },
  object: { noun: 'an object', includes: isJsonObject },
};

function describeType(value: unknown): string {
  if (value === null) return 'null';
  const type = Array.isArray(value) ? 'array' : typeof value;
  return TYPES[type]?.noun ?? type;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const isDate = (text: string): boolean => {
  const date = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const FORMATS: Readonly<Record<string, { readonly expected: string; readonly includes: (text: string) => boolean }>> = {
  date: { expected: 'a date such as 2026-03-31', includes: isDate },
  'date-time': {
    expected: 'an RFC 3339 timestamp such as 2026-03-31T09:30:00Z',
    includes: (text) => isDate(TIMESTAMP.exec(text)?.[1] ?? ''),
  },
  uri: { expected: 'an absolute URL', includes: (text) => URL.canParse(text) },
};

/** Maximum length of a name or value in a message, in characters. Chosen: enough to recognize it. */
const MAX_QUOTED = 60;

const shorten = (text: string): string => escapeText(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** Adds the name of a member to the path of an argument. */
export const joinPath = (path: string, name: string): string => (path === '' ? shorten(name) : `${path}.${shorten(name)}`);

const joinNames = (names: Iterable<string>): string => [...names].join(', ');

function* findStringProblems(value: string, { enum: allowed, pattern, format, minLength = 0, maxLength }: Keywords): Generator<string> {
  const length = countCharacters(value);
  const { expected, includes } = FORMATS[format ?? ''] ?? {};
  if (allowed && !allowed.includes(value)) yield `must be one of ${joinNames(allowed)}, but is ${quoteText(value, MAX_QUOTED)}`;
  else if (length < minLength)
    yield minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters, but has ${length}`;
  else if (maxLength !== undefined && length > maxLength) yield `must have at most ${maxLength} characters, but has ${length}`;
  else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    yield `must match ${pattern}, but is ${quoteText(value, MAX_QUOTED)}`;
  else if (includes && !includes(value)) yield `must be ${expected}, but is ${quoteText(value, MAX_QUOTED)}`;
}

function* findListProblems({ length }: readonly unknown[], { minItems = 0, maxItems }: Keywords): Generator<string> {
  if (length < minItems) yield `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}, but has ${length}`;
  else if (maxItems !== undefined && length > maxItems) yield `must have at most ${maxItems} entries, but has ${length}`;
}

function* findValueProblems(value: unknown, schema: Keywords): Generator<string> {
  if (typeof value === 'string') yield* findStringProblems(value, schema);
  if (Array.isArray(value)) yield* findListProblems(value, schema);
  if (typeof value !== 'number') return;
  const { minimum, maximum } = schema;
  if (minimum !== undefined && value < minimum) yield `must be at least ${minimum}, but is ${value}`;
  if (maximum !== undefined && value > maximum) yield `must be at most ${maximum}, but is ${value}`;
}

function* findMemberProblems(value: JsonObject, schema: Keywords, path: string): Generator<ArgumentProblem> {
  const { properties = {}, required = [], minProperties = 0, maxProperties } = schema;
  for (const name of required)
    if (value[name] === undefined || value[name] === null)
      yield { argument: joinPath(path, name), message: `Missing ${path === '' ? 'argument' : 'field'} \`${joinPath(path, name)}\`.` };
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const argument = joinPath(path, name);
    if (known && member !== null) yield* findArgumentProblems(member, known, argument);
    else if (!known && path === '')
      yield {
        argument,
        message: `Unknown argument \`${argument}\`. This tool accepts: ${joinNames(Object.keys(properties)) || 'no arguments'}.`,
      };
    else if (!known) yield { argument, message: `Unknown field \`${argument}\`. Expected: ${joinNames(Object.keys(properties))}.` };
  }
  const count = Object.keys(value).length;
  if (count < minProperties || count > (maxProperties ?? count))
    yield { argument: path, message: `\`${path}\` must have exactly one of ${joinNames(Object.keys(properties))}.` };
}

/** The subject of a message about an argument. */
export const nameArgument = (path: string): string => (path === '' ? 'The arguments' : `\`${path}\``);

/**
 * Finds the problems of a value by the JSON Schema of the arguments. An optional member that is null counts as omitted. Implemented here because the messages
 * of validators name schema keywords instead of what the caller must change.
 */
export function* findArgumentProblems(value: unknown, schema: JsonSchema, path = ''): Generator<ArgumentProblem> {
  const keywords = schema as Keywords;
  const type = TYPES[keywords.type ?? ''];
  if (type && !type.includes(value)) {
    yield {
      argument: path,
      message: `${nameArgument(path)} must be ${type.noun}, but ${path === '' ? 'are' : 'is'} ${describeType(value)}.`,
    };
    return;
  }
  for (const problem of findValueProblems(value, keywords)) yield { argument: path, message: `\`${path}\` ${problem}.` };
  if (Array.isArray(value) && keywords.items)
    for (const [index, entry] of value.entries()) yield* findArgumentProblems(entry, keywords.items, `${path}[${index}]`);
  if (isJsonObject(value) && keywords.properties) yield* findMemberProblems(value, keywords, path);
}
