import { type DescEnum, type DescField, type DescMessage, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { isInt64 } from '../../src/lib/int64.ts';
import { invalid } from './errors.ts';
import { shorten } from './texts.ts';

/** How much of a refused value an error message repeats, in characters. Ours. */
const MAX_SHOWN = 60;
const shown = (value: JsonValue) => shorten(JSON.stringify(value), MAX_SHOWN).text;

const refused = (path: string, wanted: string, value: JsonValue) => invalid(`${path}: must be ${wanted}, but is ${shown(value)}.`);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The tokens of JSON that tell where objects begin and end, and what stands in them. Texts come first, so that nothing within one counts. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/** The first name that one object of a JSON text has twice. `JSON.parse` would keep the last of the two, and say nothing. */
function repeatedName(json: string): string | undefined {
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

/** Texts are stored as UTF-8 and searched with functions that end at U+0000: others would come back changed, or match what they should not. */
function checkText(path: string, text: string): void {
  if (!text.isWellFormed()) throw refused(path, 'well-formed Unicode without unpaired surrogates', text);
  if (text.includes('\0')) throw refused(path, 'a string without U+0000', text);
}

/** JSON numbers are read as doubles, which do not keep all digits of larger whole numbers. */
function checkDigits(path: string, value: number): void {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw refused(path, 'a string, to preserve all digits', value);
}

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const MAX_INT32 = 2n ** 31n;
const isInt32 = (value: bigint) => value >= -MAX_INT32 && value < MAX_INT32;

/** Refuses what the decoder would take for another number: `""` for 0, `"0x10"` for 16, and what it rounds. */
function checkInteger(path: string, value: JsonValue, bits: 32 | 64): void {
  if (typeof value === 'number') checkDigits(path, value);
  const isWhole = typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && WHOLE.test(value);
  const fits = bits === 32 ? isInt32 : isInt64;
  if (!isWhole || !fits(BigInt(value as string | number))) throw refused(path, `a ${bits}-bit integer`, value);
}

function checkScalar(path: string, type: ScalarType, value: JsonValue): void {
  switch (type) {
    case ScalarType.STRING:
      if (typeof value !== 'string') throw refused(path, 'a string', value);
      checkText(path, value);
      return;
    case ScalarType.BOOL:
      if (typeof value !== 'boolean') throw refused(path, 'true or false', value);
      return;
    case ScalarType.INT32:
      checkInteger(path, value, 32);
      return;
    case ScalarType.INT64:
      checkInteger(path, value, 64);
      return;
    case ScalarType.DOUBLE:
      if (typeof value !== 'number' && !(typeof value === 'string' && DECIMAL.test(value))) throw refused(path, 'a number', value);
      return;
    default:
      throw new Error(`${path} has a type that no request used before. Implement the check of its JSON.`);
  }
}

/** The decoder drops words that it does not know, which would turn a filter off, and keeps numbers that stand for nothing. */
function checkEnum(path: string, { values }: DescEnum, value: JsonValue): void {
  if (values.some(({ name, number }) => value === name || value === number)) return;
  const words = values.filter(({ number }) => number !== 0).map(({ name }) => name);
  throw refused(path, `one of ${words.join(', ')}`, value);
}

/** A value of any kind. Without recursion: it may be nested deeper than the stack goes. */
function checkAny(path: string, whole: JsonValue): void {
  const left = [whole];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') checkText(path, value);
    else if (typeof value === 'number') checkDigits(path, value);
    else if (Array.isArray(value)) for (const entry of value) left.push(entry);
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        checkText(path, name);
        left.push(member);
      }
    }
  }
}

/** Maximum depth of messages within each other. Chosen: the default of protobuf decoders. */
const MAX_LEVELS = 100;

/** A value of a field: that of a single one, or an entry of a list or a map. `level` is that of the message with the field. */
function checkEntry(path: string, field: DescField, value: JsonValue, level: number): void {
  if (field.message?.typeName === 'google.protobuf.Value') checkAny(path, value);
  else if (field.message) checkMessage(path, field.message, value, level + 1);
  else if (field.enum) checkEnum(path, field.enum, value);
  else if (field.scalar !== undefined) checkScalar(path, field.scalar, value);
}

function checkField(path: string, field: DescField, value: JsonValue, level: number): void {
  if (field.fieldKind === 'list') {
    if (!Array.isArray(value)) throw refused(path, 'an array', value);
    for (const [index, entry] of value.entries()) checkEntry(`${path}[${index}]`, field, entry, level);
  } else if (field.fieldKind === 'map') {
    if (!isObject(value)) throw refused(path, 'an object', value);
    for (const [name, entry] of Object.entries(value)) {
      checkText(path, name);
      checkEntry(`${path}[${JSON.stringify(name)}]`, field, entry, level);
    }
    // The empty text is no word of an enum; like the empty text of a plain field, it stands for the value of an absent one.
  } else if (!(field.enum && value === '')) checkEntry(path, field, value, level);
}

function checkMessage(path: string, schema: DescMessage, value: JsonValue, level = 1): void {
  if (level > MAX_LEVELS) throw invalid(`Messages must be nested at most ${MAX_LEVELS} levels deep, but these go deeper.`);
  if (!isObject(value)) throw refused(path, 'an object', value);
  for (const field of schema.fields) {
    const own = path === '' ? field.name : `${path}.${field.name}`;
    // Both spellings are taken; the decoder refuses a request that has both.
    for (const name of new Set([field.jsonName, field.name])) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined && member !== null) checkField(own, field, member, level);
    }
  }
}

/**
 * Reads the JSON of a request, and refuses what proto-JSON decoders take for something else than was written, with the path of the field.
 * Fields that the request does not have are ignored, as proto-JSON servers do.
 */
export function readRequest(schema: DescMessage, body: string): JsonObject {
  let json: JsonValue;
  try {
    json = JSON.parse(body) as JsonValue;
  } catch {
    throw invalid('The body must be a JSON object, but isn’t valid JSON.');
  }
  if (!isObject(json)) throw invalid('The body must be a JSON object.');
  const repeated = repeatedName(body);
  if (repeated !== undefined) throw invalid(`Duplicate name ${shown(repeated)} in a JSON object.`);
  checkMessage('', schema, json);
  return json;
}
