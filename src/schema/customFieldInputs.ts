import { invalidInput } from '../upstream/errors.ts';
import { builder } from './builder.ts';

const LocationInput = builder.inputType('LocationInput', {
  description: 'A place. Every part is optional; latitude and longitude go together.',
  fields: (t) => ({
    street: t.string({ description: 'The street.' }),
    houseNumber: t.string({ description: 'The house number with its addition.' }),
    zipcode: t.string({ description: 'The postal code.' }),
    city: t.string({ description: 'The city.' }),
    country: t.string({ description: 'The country.' }),
    latitude: t.float({ description: 'Degrees north, -90 to 90.' }),
    longitude: t.float({ description: 'Degrees east, -180 to 180.' }),
    fullAddress: t.string({ description: 'The address in one line.' }),
  }),
});

const CompanyInput = builder.inputType('CompanyInput', {
  description: 'A company. At least one part must be given.',
  fields: (t) => ({
    companyName: t.string({ description: 'The name.' }),
    registrationNumber: t.string({ description: 'The number in the trade register.' }),
    vatNumber: t.string({ description: 'The VAT number.' }),
  }),
});

const MoneyInput = builder.inputType('CustomFieldMoneyInput', {
  description: 'An amount in the currency of its data field.',
  fields: (t) => ({
    minorUnits: t.field({
      type: 'Int64',
      required: true,
      description: 'In the smallest unit of the currency, such as cents: 25000 is EUR 250.00.',
    }),
  }),
});

const CustomFieldValueInput = builder.inputType('CustomFieldValueInput', {
  description: 'A value: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Text, or any value in the form that the upstream stores.' }),
    json: t.field({ type: 'JSON', description: 'Any JSON value.' }),
    money: t.field({ type: MoneyInput, description: 'An amount, for a data field that holds money.' }),
    location: t.field({ type: LocationInput, description: 'A place, for a data field that holds one.' }),
    company: t.field({ type: CompanyInput, description: 'A company, for a data field that holds one.' }),
    clear: t.boolean({ description: 'True takes the value away.' }),
  }),
});

/** What a data field is to hold. */
export const CustomFieldInput = builder.inputType('CustomFieldInput', {
  description: 'What one data field is to hold.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the data field.' }),
    set: t.field({ type: CustomFieldValueInput, required: true, description: 'The new value.' }),
  }),
});

type FieldInput = typeof CustomFieldInput.$inferInput;
type Value = FieldInput['set'];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The properties that are given, in the upstream's names. */
const given = (properties: object) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [snakeCase(name), value as unknown]),
  );

const isWithin = (value: number, limit: number) => Math.abs(value) <= limit;

function locationText(location: NonNullable<Value['location']>, path: readonly string[]): string {
  const { latitude, longitude } = location;
  const hasLatitude = typeof latitude === 'number';
  const hasLongitude = typeof longitude === 'number';
  if (hasLatitude !== hasLongitude) throw invalidInput(path, 'must have latitude and longitude together, or neither.');
  if (hasLatitude && !isWithin(latitude, 90)) throw invalidInput([...path, 'latitude'], `must be from -90 to 90, but is ${latitude}.`);
  if (hasLongitude && !isWithin(longitude, 180))
    throw invalidInput([...path, 'longitude'], `must be from -180 to 180, but is ${longitude}.`);
  return JSON.stringify(given(location));
}

function companyText(company: NonNullable<Value['company']>, path: readonly string[]): string {
  const properties = given(company);
  if (!Object.values(properties).some((value) => value !== '')) throw invalidInput(path, 'must have at least one part that is not empty.');
  return JSON.stringify(properties);
}

/** The wire value of one field: null clears it. */
function wireValue({ set }: FieldInput, path: readonly string[]): unknown {
  if (set.text !== null && set.text !== undefined) return set.text;
  if (set.money) return set.money.minorUnits;
  if (set.location) return locationText(set.location, [...path, 'location']);
  if (set.company) return companyText(set.company, [...path, 'company']);
  if (set.clear) return null;
  if (set.json !== undefined) return set.json;
  throw invalidInput(path, 'must hold exactly one kind of value; `clear` can only be true.');
}

/** The patch that the inputs ask for, by field name. Fails with ValidationError when a value cannot be, or a name comes twice. */
export function toPatch(inputs: readonly FieldInput[]): Record<string, unknown> {
  const patch = new Map<string, unknown>();
  for (const [index, input] of inputs.entries()) {
    const path = ['customFields', String(index)];
    if (input.name.trim() === '') throw invalidInput([...path, 'name'], 'must not be blank.');
    if (patch.has(input.name)) throw invalidInput([...path, 'name'], `must be given once, but ${input.name} is given twice.`);
    patch.set(input.name, wireValue(input, [...path, 'set']));
  }
  return Object.fromEntries(patch);
}

/** The values for a new record: text by field name. There is nothing to clear yet, so fields to clear are left out. */
export function toValues(inputs: readonly FieldInput[]): Record<string, string> {
  const entries = Object.entries(toPatch(inputs)).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
}
