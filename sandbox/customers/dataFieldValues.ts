import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isInt64 } from '../../src/lib/int64.ts';
import { PublicDataFieldType } from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import { invalid } from '../kernel/errors.ts';
import { shorten } from '../kernel/texts.ts';

/** Whole cents in a string. */
const CENTS = /^-?\d{1,19}$/;

/** The text properties of a location (spec 2.3). */
const LOCATION_TEXTS = new Set(['street', 'house_number', 'zipcode', 'city', 'country', 'full_address']);
/** The coordinates of a location, each with the most it may be away from zero, in degrees. */
const COORDINATES = new Map([
  ['latitude', 90],
  ['longitude', 180],
]);
/** The properties of a company (spec 2.3). */
const COMPANY_TEXTS = new Set(['company_name', 'registration_number', 'vat_number']);

/** How much of a refused value an error message repeats, in characters. Ours. */
const MAX_SHOWN = 60;
const shown = (value: JsonValue | undefined) => shorten(JSON.stringify(value) ?? 'missing', MAX_SHOWN).text;

function currencyText(name: string, value: JsonValue): string {
  if (typeof value === 'string' && CENTS.test(value) && isInt64(BigInt(value))) return value;
  throw invalid(
    `The data field ${name} must be an integer number of cents as a string, such as "25000" for 250.00, but is ${shown(value)}.`,
  );
}

function plainText(name: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(`The data field ${name} must be a string, a number, or a boolean, but is ${shown(value)}.`);
}

function encodedObject(name: string, value: JsonValue): { readonly text: string; readonly object: JsonObject } {
  const problem = `The data field ${name} must be a string that contains a JSON object, but is ${shown(value)}.`;
  if (typeof value !== 'string') throw invalid(problem);
  let object: JsonValue;
  try {
    object = JSON.parse(value) as JsonValue;
  } catch {
    throw invalid(problem);
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw invalid(problem);
  return { text: value, object };
}

function locationText(name: string, value: JsonValue): string {
  const { text, object } = encodedObject(name, value);
  for (const [property, member] of Object.entries(object)) {
    const bound = COORDINATES.get(property);
    if (bound !== undefined) {
      const fits = typeof member === 'number' && Math.abs(member) <= bound;
      if (!fits) throw invalid(`${property} of ${name} must be a number from -${bound} to ${bound}, but is ${shown(member)}.`);
    } else if (!LOCATION_TEXTS.has(property)) {
      throw invalid(
        `Unknown property ${property} of the location ${name}. Valid properties: ${[...LOCATION_TEXTS, ...COORDINATES.keys()].join(', ')}.`,
      );
    } else if (typeof member !== 'string') {
      throw invalid(`${property} of ${name} must be a string, but is ${shown(member)}.`);
    }
  }
  if (Object.hasOwn(object, 'latitude') !== Object.hasOwn(object, 'longitude')) {
    throw invalid(`The location ${name} must have both latitude and longitude, or neither.`);
  }
  return text;
}

function companyText(name: string, value: JsonValue): string {
  const { text, object } = encodedObject(name, value);
  for (const [property, member] of Object.entries(object)) {
    if (!COMPANY_TEXTS.has(property)) {
      throw invalid(`Unknown property ${property} of the company ${name}. Valid properties: ${[...COMPANY_TEXTS].join(', ')}.`);
    }
    if (typeof member !== 'string') throw invalid(`${property} of ${name} must be a string, but is ${shown(member)}.`);
  }
  if (Object.values(object).every((member) => member === '')) {
    throw invalid(`The company ${name} must have at least one non-empty property of ${[...COMPANY_TEXTS].join(', ')}.`);
  }
  return text;
}

function textOf(type: PublicDataFieldType | undefined, name: string, value: JsonValue): string {
  switch (type) {
    case undefined:
      // The workspace has no field of this name: what it means is not ours to judge, so it is kept.
      return typeof value === 'string' ? value : JSON.stringify(value);
    case PublicDataFieldType.CURRENCY:
      return currencyText(name, value);
    case PublicDataFieldType.LOCATION:
      return locationText(name, value);
    case PublicDataFieldType.COMPANY:
      return companyText(name, value);
    default:
      return plainText(name, value);
  }
}

/** A record's data fields after a patch: null removes a field, what the patch does not name stays. Refuses values that do not fit. */
export function patchFields(
  types: ReadonlyMap<string, PublicDataFieldType>,
  current: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, JsonValue>>,
): Record<string, string> {
  const fields = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else fields.set(name, textOf(types.get(name), name, value));
  }
  return Object.fromEntries(fields);
}
