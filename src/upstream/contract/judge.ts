import { isJsonObject } from '../../lib/json.ts';
import type { Field, MessageFields } from './fields.ts';
import { enums } from './generated/messages.ts';

/**
 * Drift: how a value differs from its field in the contract.
 * - `TYPE`: another type of JSON, such as text where a number was expected.
 * - `FORMAT`: text that is no code of a country or a currency.
 * - `ENUM`: a word that the enum of the contract does not have.
 * - `MILLISECONDS`: a moment that is no date in seconds, and one in milliseconds.
 */
export type Drift = 'TYPE' | 'FORMAT' | 'ENUM' | 'MILLISECONDS';

/** Verdict on a member of an answer; `UNKNOWN` is a member that its message does not have in the contract. */
export type Verdict = 'CONFIRMED' | 'UNKNOWN' | Drift;

/** Told of each member of a message that has a value. The value is for counting its form: it must not be kept, or told to anyone. */
export type Witness = (message: MessageFields, name: string, verdict: Verdict, value: unknown) => void;

/** Seconds from here on are past the year 5000, and milliseconds are past 1973. */
const FIRST_MILLISECOND = 1e11;

const WHOLE = /^-?\d+$/;
const FORMS: Readonly<Partial<Record<NonNullable<Field['unit']>, RegExp>>> = { COUNTRY: /^[A-Z]{2}$/, CURRENCY: /^[A-Z]{3}$/ };
/** Numbers that JSON has no other way to write, as proto-JSON has them. */
const NO_NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

/** Names of members that may be told: letters, as records have them. A name with digits may be a key of somebody's data. */
const TELLABLE = /^[A-Za-z][A-Za-z_]{0,63}$/;

/** The name of a member for people; words in its place where it may be data. */
export const tellableName = (name: string): string => (TELLABLE.test(name) ? name : '(redacted name)');

const isWhole = (value: unknown) => (typeof value === 'string' ? WHOLE.test(value) : Number.isSafeInteger(value));

const typeIf = (isRight: boolean): Verdict => (isRight ? 'CONFIRMED' : 'TYPE');

function judgeText(value: unknown, { unit }: Field): Verdict {
  if (typeof value !== 'string') return 'TYPE';
  const form = unit && FORMS[unit];
  return form === undefined || value === '' || form.test(value) ? 'CONFIRMED' : 'FORMAT';
}

/** Sets of the words of each enum, made when they are first asked for. */
const wordsOf = new Map<string, ReadonlySet<string>>();

function isWord(value: unknown, type = ''): boolean {
  let words = wordsOf.get(type);
  if (!words) {
    words = new Set((enums[type] ?? []).map(({ name }) => name));
    wordsOf.set(type, words);
  }
  return typeof value === 'string' && (value === '' || words.has(value));
}

/** Verdict on one value, or on one entry of a list. Numbers of 64 bits may be text or numbers: the graph reads both. */
function judgeValue(value: unknown, field: Field): Verdict {
  switch (field.kind) {
    case 'string':
      return judgeText(value, field);
    case 'bool':
      return typeIf(typeof value === 'boolean');
    case 'int':
      return typeIf(Number.isInteger(value));
    case 'int64':
      if (!isWhole(value)) return 'TYPE';
      return field.unit === 'MOMENT' && Math.abs(Number(value)) >= FIRST_MILLISECOND ? 'MILLISECONDS' : 'CONFIRMED';
    case 'double':
      return typeIf(typeof value === 'number' || NO_NUMBERS.includes(value));
    case 'enum':
      return isWord(value, field.type) ? 'CONFIRMED' : 'ENUM';
    case 'message':
    case 'map':
      return typeIf(isJsonObject(value));
    case 'json':
      return 'CONFIRMED';
  }
}

/** Whether a value could be that of a field, by its form alone. */
export function fits(value: unknown, field: Field): boolean {
  if (field.list) return Array.isArray(value) && value.every((entry) => judgeValue(entry, field) === 'CONFIRMED');
  return judgeValue(value, field) === 'CONFIRMED';
}

/**
 * Compares a message with the contract, member by member, down to `maxRows` entries of each list. A member that is absent or null says nothing, since
 * proto-JSON may leave defaults out. The message is in the contract's words: one under other names is to be decoded first.
 */
export function judge(message: MessageFields, value: object, witness: Witness, maxRows = Number.POSITIVE_INFINITY): void {
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (member === null || member === undefined) continue;
    const field = Object.hasOwn(message.fields, name) ? message.fields[name] : undefined;
    if (!field) witness(message, name, 'UNKNOWN', member);
    else if (field.list) judgeList(message, name, field, member, witness, maxRows);
    else judgeEntry(message, name, field, member, witness, maxRows);
  }
}

function judgeEntry(message: MessageFields, name: string, field: Field, value: unknown, witness: Witness, maxRows: number): void {
  witness(message, name, judgeValue(value, field), value);
  if (field.message && isJsonObject(value)) judge(field.message, value, witness, maxRows);
}

function judgeList(message: MessageFields, name: string, field: Field, value: unknown, witness: Witness, maxRows: number): void {
  // An empty list has the right form as well.
  if (!Array.isArray(value) || value.length === 0) witness(message, name, typeIf(Array.isArray(value)), value);
  else for (const entry of value.slice(0, maxRows)) judgeEntry(message, name, field, entry, witness, maxRows);
}
