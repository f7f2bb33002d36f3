// Rejects JSON that a decoder would misinterpret, such as an unknown enum value, with the path of the field. As in proto3, a page of zero and an empty string in a
// plain field mean absent.
import { type DescEnum, type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { isInt64 } from '../../src/lib/int64.ts';
import { invalidArgument } from './errors.ts';
import { truncate } from './truncate.ts';

/** Maximum number of characters of a rejected value that an error message contains. Chosen. */
const MAX_QUOTED = 60;
const formatValue = (value: JsonValue) => truncate(JSON.stringify(value), MAX_QUOTED).text;

const wrongTypeError = (path: string, wanted: string, value: JsonValue) =>
  invalidArgument(`${path}: must be ${wanted}, but is ${formatValue(value)}.`);

const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON tokens that delimit objects and their members. Strings come first in the pattern, so that it skips their contents. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/** The first name that occurs twice in one object. `JSON.parse` would silently use the last value. */
function findDuplicateName(json: string): string | undefined {
  const open: Set<string>[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token !== ':') text = token;
    else {
      const name = JSON.parse(text) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
}

/**
 * Rejects lone surrogates and U+0000. Text is stored as UTF-8 and searched with functions that stop at U+0000, so such text would be stored incorrectly or
 * match the wrong records.
 */
function checkText(path: string, text: string): void {
  if (!text.isWellFormed()) throw wrongTypeError(path, 'well-formed Unicode without unpaired surrogates', text);
  if (text.includes('\0')) throw wrongTypeError(path, 'a string without U+0000', text);
}

/** Rejects integers that a double can't represent exactly, because JSON numbers are parsed as doubles. */
function checkDigits(path: string, value: number): void {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw wrongTypeError(path, 'a string, to preserve all digits', value);
}

const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const MAX_INT32 = 2n ** 31n;
const isInt32 = (value: bigint) => value >= -MAX_INT32 && value < MAX_INT32;

/** Rejects values that the decoder would misread: `""` as 0, `"0x10"` as 16, and numbers that it rounds. */
function checkInteger(path: string, value: JsonValue, bits: 32 | 64): void {
  if (typeof value === 'number') checkDigits(path, value);
  const isInteger = typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && INTEGER.test(value);
  const fits = bits === 32 ? isInt32 : isInt64;
  if (!isInteger || !fits(BigInt(value as string | number))) throw wrongTypeError(path, `a ${bits}-bit integer`, value);
}

function checkScalar(path: string, type: ScalarType, value: JsonValue): void {
  switch (type) {
    case ScalarType.STRING:
      if (typeof value !== 'string') throw wrongTypeError(path, 'a string', value);
      checkText(path, value);
      return;
    case ScalarType.BOOL:
      if (typeof value !== 'boolean') throw wrongTypeError(path, 'true or false', value);
      return;
    case ScalarType.INT32:
      checkInteger(path, value, 32);
      return;
    case ScalarType.INT64:
      checkInteger(path, value, 64);
      return;
    case ScalarType.DOUBLE:
      if (typeof value !== 'number' && !(typeof value === 'string' && DECIMAL.test(value))) throw wrongTypeError(path, 'a number', value);
      return;
    default:
      throw new Error(`${path} has a type that no request used before. Implement the check of its JSON.`);
  }
}

/** Rejects unknown enum values. The decoder drops unknown names, which would disable a filter, and accepts unknown numbers. */
function checkEnum(path: string, { values }: DescEnum, value: JsonValue): void {
  if (values.some(({ name, number }) => value === name || value === number)) return;
  const words = values.filter(({ number }) => number !== 0).map(({ name }) => name);
  throw wrongTypeError(path, `one of ${words.join(', ')}`, value);
}

/** Checks a value of any type. Not recursive, because nesting can be deeper than the stack allows. */
function checkAny(path: string, whole: JsonValue): void {
  const left = [whole];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') checkText(path, value);
    else if (typeof value === 'number') checkDigits(path, value);
    else if (Array.isArray(value)) for (const entry of value) left.push(entry);
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        checkText(path, name);
        left.push(member);
      }
    }
  }
}

/** Maximum nesting depth of messages. Chosen: the default of protobuf decoders. */
const MAX_LEVELS = 100;

/** Checks the value of a singular field, or an element of a list or map. `level` is the nesting depth of the field's message. */
function checkEntry(path: string, field: DescField, value: JsonValue, level: number): void {
  if (field.message?.typeName === 'google.protobuf.Value') checkAny(path, value);
  else if (field.message) checkMessage(path, field.message, value, level + 1);
  else if (field.enum) checkEnum(path, field.enum, value);
  else if (field.scalar !== undefined) checkScalar(path, field.scalar, value);
}

function checkField(path: string, field: DescField, value: JsonValue, level: number): void {
  if (field.fieldKind === 'list') {
    if (!Array.isArray(value)) throw wrongTypeError(path, 'an array', value);
    for (const [index, entry] of value.entries()) checkEntry(`${path}[${index}]`, field, entry, level);
  } else if (field.fieldKind === 'map') {
    if (!isJsonObject(value)) throw wrongTypeError(path, 'an object', value);
    for (const [name, entry] of Object.entries(value)) {
      checkText(path, name);
      checkEntry(`${path}[${JSON.stringify(name)}]`, field, entry, level);
    }
    // An empty string isn't an enum value. As in plain string fields, it means that the field is absent.
  } else if (!(field.enum && value === '')) checkEntry(path, field, value, level);
}

function checkMessage(path: string, schema: DescMessage, value: JsonValue, level = 1): void {
  if (level > MAX_LEVELS) throw invalidArgument(`Messages must be nested at most ${MAX_LEVELS} levels deep, but these go deeper.`);
  if (!isJsonObject(value)) throw wrongTypeError(path, 'an object', value);
  for (const field of schema.fields) {
    const own = path === '' ? field.name : `${path}.${field.name}`;
    // Both names are accepted. The decoder rejects requests that contain both.
    for (const name of new Set([field.jsonName, field.name])) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined && member !== null) checkField(own, field, member, level);
    }
  }
}

/**
 * Parses the JSON of a request. Rejects values that proto-JSON decoders would misread, with the path of the field. Ignores unknown fields, as proto-JSON
 * servers do.
 */
export function readRequest(schema: DescMessage, body: string): JsonObject {
  let json: JsonValue;
  try {
    json = JSON.parse(body) as JsonValue;
  } catch {
    throw invalidArgument('The body must be a JSON object, but isn’t valid JSON.');
  }
  if (!isJsonObject(json)) throw invalidArgument('The body must be a JSON object.');
  const repeated = findDuplicateName(body);
  if (repeated !== undefined) throw invalidArgument(`Duplicate name ${formatValue(repeated)} in a JSON object.`);
  checkMessage('', schema, json);
  return json;
}
