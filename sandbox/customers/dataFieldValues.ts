import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isInt64 } from '../../src/lib/int64.ts';
import { PublicDataFieldType } from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { truncate } from '../kernel/truncate.ts';

/** An integer number of cents, as a string. */
const CENTS = /^-?\d{1,19}$/;

/** Text properties of a location (section 2.3 of the specification). */
const LOCATION_TEXTS = new Set(['street', 'house_number', 'zipcode', 'city', 'country', 'full_address']);
/** Coordinates of a location, with their maximum absolute value in degrees. */
const COORDINATES = new Map([
  ['latitude', 90],
  ['longitude', 180],
]);
/** Properties of a company (section 2.3 of the specification). */
const COMPANY_TEXTS = new Set(['company_name', 'registration_number', 'vat_number']);

/** Maximum number of characters of a rejected value that an error message contains. Chosen. */
const MAX_QUOTED = 60;
const formatValue = (value: JsonValue | undefined) => truncate(JSON.stringify(value) ?? 'missing', MAX_QUOTED).text;

function toCurrencyText(name: string, value: JsonValue): string {
  if (typeof value === 'string' && CENTS.test(value) && isInt64(BigInt(value))) return value;
  throw invalidArgument(
    `The data field ${name} must be an integer number of cents as a string, such as "25000" for 250.00, but is ${formatValue(value)}.`,
  );
}

function toPlainText(name: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalidArgument(`The data field ${name} must be a string, a number, or a boolean, but is ${formatValue(value)}.`);
}

function parseEncodedObject(name: string, value: JsonValue): { readonly text: string; readonly object: JsonObject } {
  const problem = `The data field ${name} must be a string that contains a JSON object, but is ${formatValue(value)}.`;
  if (typeof value !== 'string') throw invalidArgument(problem);
  let object: JsonValue;
  try {
    object = JSON.parse(value) as JsonValue;
  } catch {
    throw invalidArgument(problem);
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw invalidArgument(problem);
  return { text: value, object };
}

function toLocationText(name: string, value: JsonValue): string {
  const { text, object } = parseEncodedObject(name, value);
  for (const [property, member] of Object.entries(object)) {
    const bound = COORDINATES.get(property);
    if (bound !== undefined) {
      const fits = typeof member === 'number' && Math.abs(member) <= bound;
      if (!fits)
        throw invalidArgument(`${property} of ${name} must be a number from -${bound} to ${bound}, but is ${formatValue(member)}.`);
    } else if (!LOCATION_TEXTS.has(property)) {
      throw invalidArgument(
        `Unknown property ${property} of the location ${name}. Valid properties: ${[...LOCATION_TEXTS, ...COORDINATES.keys()].join(', ')}.`,
      );
    } else if (typeof member !== 'string') {
      throw invalidArgument(`${property} of ${name} must be a string, but is ${formatValue(member)}.`);
    }
  }
  if (Object.hasOwn(object, 'latitude') !== Object.hasOwn(object, 'longitude')) {
    throw invalidArgument(`The location ${name} must have both latitude and longitude, or neither.`);
  }
  return text;
}

function toCompanyText(name: string, value: JsonValue): string {
  const { text, object } = parseEncodedObject(name, value);
  for (const [property, member] of Object.entries(object)) {
    if (!COMPANY_TEXTS.has(property)) {
      throw invalidArgument(`Unknown property ${property} of the company ${name}. Valid properties: ${[...COMPANY_TEXTS].join(', ')}.`);
    }
    if (typeof member !== 'string') throw invalidArgument(`${property} of ${name} must be a string, but is ${formatValue(member)}.`);
  }
  if (Object.values(object).every((member) => member === '')) {
    throw invalidArgument(`The company ${name} must have at least one non-empty property of ${[...COMPANY_TEXTS].join(', ')}.`);
  }
  return text;
}

function encodeValue(type: PublicDataFieldType | undefined, name: string, value: JsonValue): string {
  switch (type) {
    case undefined:
      // The workspace has no field with this name, so its value is stored unchecked.
      return typeof value === 'string' ? value : JSON.stringify(value);
    case PublicDataFieldType.CURRENCY:
      return toCurrencyText(name, value);
    case PublicDataFieldType.LOCATION:
      return toLocationText(name, value);
    case PublicDataFieldType.COMPANY:
      return toCompanyText(name, value);
    default:
      return toPlainText(name, value);
  }
}

/** Applies a patch to the data fields of a record. Null removes a field, and omitted fields keep their values. Throws for invalid values. */
export function patchFields(
  types: ReadonlyMap<string, PublicDataFieldType>,
  current: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, JsonValue>>,
): Record<string, string> {
  const fields = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else fields.set(name, encodeValue(types.get(name), name, value));
  }
  return Object.fromEntries(fields);
}
