import { isJsonObject } from '../../lib/json.ts';
import type { Field, MessageFields } from './fields.ts';
import { enums } from './generated/messages.ts';

/**
 * How a value differs from its field in the contract.
 * - `TYPE`: another JSON type, such as a string instead of a number.
 * - `FORMAT`: a string that isn't a country or currency code.
 * - `ENUM`: a value that the contract's enum doesn't have.
 * - `MILLISECONDS`: a timestamp that is only plausible in milliseconds, not in seconds.
 */
export type Drift = 'TYPE' | 'FORMAT' | 'ENUM' | 'MILLISECONDS';

/** Result for a member of a response. `UNKNOWN`: the contract's message has no such member. */
export type Verdict = 'CONFIRMED' | 'UNKNOWN' | Drift;

/** Called for each member of a message that has a value. The value is only for counting its format: it must not be stored or reported. */
export type Witness = (message: MessageFields, name: string, verdict: Verdict, value: unknown) => void;

/** From here on, seconds are after the year 5000, and milliseconds after 1973. */
const FIRST_MILLISECOND = 1e11;

const WHOLE = /^-?\d+$/;
const FORMS: Readonly<Partial<Record<NonNullable<Field['unit']>, RegExp>>> = { COUNTRY: /^[A-Z]{2}$/, CURRENCY: /^[A-Z]{3}$/ };
/** proto-JSON strings for numbers that JSON can't express. */
const NO_NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

/** Member names that can be reported: letters, as in records. A name with digits may be a key in a client's data. */
const TELLABLE = /^[A-Za-z][A-Za-z_]{0,63}$/;

/** Returns the name of a member for reports, or a placeholder if it may be data. */
export const tellableName = (name: string): string => (TELLABLE.test(name) ? name : '(redacted name)');

const isWhole = (value: unknown) => (typeof value === 'string' ? WHOLE.test(value) : Number.isSafeInteger(value));

const typeIf = (isRight: boolean): Verdict => (isRight ? 'CONFIRMED' : 'TYPE');

function judgeText(value: unknown, { unit }: Field): Verdict {
  if (typeof value !== 'string') return 'TYPE';
  const form = unit && FORMS[unit];
  return form === undefined || value === '' || form.test(value) ? 'CONFIRMED' : 'FORMAT';
}

/** Values of each enum, created on first use. */
const wordsOf = new Map<string, ReadonlySet<string>>();

function isWord(value: unknown, type = ''): boolean {
  let words = wordsOf.get(type);
  if (!words) {
    words = new Set((enums[type] ?? []).map(({ name }) => name));
    wordsOf.set(type, words);
  }
  return typeof value === 'string' && (value === '' || words.has(value));
}

/** Checks one value, or one entry of a list. 64-bit integers can be strings or numbers: the graph accepts both. */
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

/** Whether a value could belong to a field, by its format alone. */
export function fits(value: unknown, field: Field): boolean {
  if (field.list) return Array.isArray(value) && value.every((entry) => judgeValue(entry, field) === 'CONFIRMED');
  return judgeValue(value, field) === 'CONFIRMED';
}

/**
 * Compares a message with the contract, member by member, with up to `maxRows` entries of each list. Absent and null members are skipped, because proto-JSON
 * can omit defaults. The message must be in the contract's names.
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
  // An empty list is confirmed as well.
  if (!Array.isArray(value) || value.length === 0) witness(message, name, typeIf(Array.isArray(value)), value);
  else for (const entry of value.slice(0, maxRows)) judgeEntry(message, name, field, entry, witness, maxRows);
}
