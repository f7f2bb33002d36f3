import { isJsonObject } from '../../lib/json.ts';
import type { MessageField, MessageFields } from './fields.ts';
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
export type ComparisonResult = 'CONFIRMED' | 'UNKNOWN' | Drift;

/** Called for each member of a message that has a value. The value is only for counting its format: it must not be stored or reported. */
export type MemberVisitor = (message: MessageFields, name: string, result: ComparisonResult, value: unknown) => void;

/** Values from here on are after the year 5000 in seconds, and after 1973 in milliseconds. */
const FIRST_MILLISECOND = 1e11;

const INTEGER = /^-?\d+$/;
const FORMATS: Readonly<Partial<Record<NonNullable<MessageField['unit']>, RegExp>>> = { COUNTRY: /^[A-Z]{2}$/, CURRENCY: /^[A-Z]{3}$/ };
/** proto-JSON strings for numbers that JSON can't express. */
const NON_JSON_NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

/** Member names that can be reported: letters, as in records. A name with digits may be a key in a client's data. */
const REPORTABLE_NAME = /^[A-Za-z][A-Za-z_]{0,63}$/;

/** Returns the name of a member for reports, or a placeholder if it may be data. */
export const redactName = (name: string): string => (REPORTABLE_NAME.test(name) ? name : '(redacted name)');

const isInteger = (value: unknown) => (typeof value === 'string' ? INTEGER.test(value) : Number.isSafeInteger(value));

const confirmType = (isRight: boolean): ComparisonResult => (isRight ? 'CONFIRMED' : 'TYPE');

function compareString(value: unknown, { unit }: MessageField): ComparisonResult {
  if (typeof value !== 'string') return 'TYPE';
  const format = unit && FORMATS[unit];
  return format === undefined || value === '' || format.test(value) ? 'CONFIRMED' : 'FORMAT';
}

/** Values of each enum, created on first use. */
const enumValues = new Map<string, ReadonlySet<string>>();

function isEnumValue(value: unknown, type = ''): boolean {
  let values = enumValues.get(type);
  if (!values) {
    values = new Set((enums[type] ?? []).map(({ name }) => name));
    enumValues.set(type, values);
  }
  return typeof value === 'string' && (value === '' || values.has(value));
}

/** Checks one value, or one entry of a list. 64-bit integers can be strings or numbers: the graph accepts both. */
function compareValue(value: unknown, field: MessageField): ComparisonResult {
  switch (field.kind) {
    case 'string':
      return compareString(value, field);
    case 'bool':
      return confirmType(typeof value === 'boolean');
    case 'int':
      return confirmType(Number.isInteger(value));
    case 'int64':
      if (!isInteger(value)) return 'TYPE';
      return field.unit === 'MOMENT' && Math.abs(Number(value)) >= FIRST_MILLISECOND ? 'MILLISECONDS' : 'CONFIRMED';
    case 'double':
      return confirmType(typeof value === 'number' || NON_JSON_NUMBERS.includes(value));
    case 'enum':
      return isEnumValue(value, field.type) ? 'CONFIRMED' : 'ENUM';
    case 'message':
    case 'map':
      return confirmType(isJsonObject(value));
    case 'json':
      return 'CONFIRMED';
  }
}

/** Whether a value could belong to a field, by its format alone. */
export function matchesField(value: unknown, field: MessageField): boolean {
  if (field.list) return Array.isArray(value) && value.every((entry) => compareValue(entry, field) === 'CONFIRMED');
  return compareValue(value, field) === 'CONFIRMED';
}

/**
 * Compares a message with the contract, member by member, with up to `maxRows` entries of each list. Absent and null members are skipped, because proto-JSON
 * can omit defaults. The message must be in the contract's names.
 */
export function compareMessage(message: MessageFields, value: object, visit: MemberVisitor, maxRows = Number.POSITIVE_INFINITY): void {
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (member === null || member === undefined) continue;
    const field = Object.hasOwn(message.fields, name) ? message.fields[name] : undefined;
    if (!field) visit(message, name, 'UNKNOWN', member);
    else if (field.list) compareList(message, name, field, member, visit, maxRows);
    else compareEntry(message, name, field, member, visit, maxRows);
  }
}

function compareEntry(
  message: MessageFields,
  name: string,
  field: MessageField,
  value: unknown,
  visit: MemberVisitor,
  maxRows: number,
): void {
  visit(message, name, compareValue(value, field), value);
  if (field.message && isJsonObject(value)) compareMessage(field.message, value, visit, maxRows);
}

function compareList(
  message: MessageFields,
  name: string,
  field: MessageField,
  value: unknown,
  visit: MemberVisitor,
  maxRows: number,
): void {
  // An empty list is confirmed as well.
  if (!Array.isArray(value) || value.length === 0) visit(message, name, confirmType(Array.isArray(value)), value);
  else for (const entry of value.slice(0, maxRows)) compareEntry(message, name, field, entry, visit, maxRows);
}
