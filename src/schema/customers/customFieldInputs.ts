import type { Context } from '../../context.ts';
import { invalidInput } from '../../failures/failures.ts';
import type { PatchCustomerDataFieldsRequestJson } from '../../upstream/contract/generated/publicapi/v1/customers_pb.ts';
import { builder } from '../kit/builder.ts';
import { annotateAssumed } from '../kit/fieldAnnotations.ts';
import { checkCurrency, MoneyInput, readMinorUnits } from '../kit/money.ts';
import { CustomFieldDefinition } from './dataFields.ts';

const PostalAddressInput = builder.inputType('PostalAddressInput', {
  description:
    'A postal address. Replaces the stored address completely, so omitted parts are removed. Specify at least one part. `latitude` and `longitude` must be set together.',
  fields: (t) => ({
    street: t.string({ description: 'Street name.' }),
    houseNumber: t.string({ description: 'House number, including any addition.' }),
    postalCode: t.string({ description: 'Postal or ZIP code.' }),
    city: t.string({ description: 'City or town.' }),
    countryCode: t.field({ type: 'CountryCode', description: 'Country.' }),
    countryText: t.string({ description: 'Country as free text, if its code isn’t known. Must not differ from `countryCode`.' }),
    latitude: t.float({ description: 'Latitude in degrees north, from -90 to 90.' }),
    longitude: t.float({ description: 'Longitude in degrees east, from -180 to 180.' }),
    fullAddress: t.string({ description: 'Full address in one line.' }),
  }),
});

const CompanyDetailsInput = builder.inputType('CompanyDetailsInput', {
  description:
    'The name and registration numbers of a company. Replaces the stored values completely, so omitted parts are removed. Specify at least one part.',
  fields: (t) => ({
    companyName: t.string({ description: 'Name of the company.' }),
    registrationNumber: t.string({ description: 'Company number in the trade register.' }),
    vatNumber: t.string({ description: 'VAT identification number.' }),
  }),
});

const CustomFieldValueInput = builder.inputType('CustomFieldValueInput', {
  description: 'A value of a custom field. Specify exactly one field, the one that matches the kind of the custom field.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Value of a `TEXT` or `SELECT` field.' }),
    number: t.field({ type: 'Decimal', ...annotateAssumed('Value of a `NUMBER` field. All digits are preserved.') }),
    boolean: t.boolean(annotateAssumed('Value of a `BOOLEAN` field.')),
    date: t.field({ type: 'Date', ...annotateAssumed('Value of a `DATE` field.') }),
    money: t.field({ type: MoneyInput, description: 'Value of a `MONEY` field, in the currency of its definition.' }),
    address: t.field({ type: PostalAddressInput, description: 'Value of an `ADDRESS` field.' }),
    company: t.field({ type: CompanyDetailsInput, description: 'Value of a `COMPANY` field.' }),
    json: t.field({ type: 'JSON', description: 'Any JSON value, for fields whose format only the client knows.' }),
  }),
});

export const CustomFieldInput = builder.inputType('CustomFieldInput', {
  description: 'A custom field to set or clear.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the custom field.' }),
    value: t.field({ type: CustomFieldValueInput, description: 'New value. Null clears the field. Omitting it is an error.' }),
  }),
});

type FieldInput = typeof CustomFieldInput.$inferInput;
type CustomFieldValue = NonNullable<FieldInput['value']>;

/** Upstream names of properties, if they aren't the input's in snake case. */
const STORED_NAMES: Readonly<Record<string, string>> = { postalCode: 'zipcode', countryCode: 'country', countryText: 'country' };

const getStoredName = (name: string) => STORED_NAMES[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Selects the properties that are set, under the upstream's names. */
const toStoredProperties = (properties: object) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [getStoredName(name), value as unknown]),
  );

const isWithin = (value: number, limit: number) => Math.abs(value) <= limit;

const isEmpty = (properties: object) => Object.values(properties).every((value) => value === '');

const createRangeError = (path: readonly string[], value: number, limit: number) =>
  invalidInput(path, 'OUT_OF_RANGE', `must be between -${limit} and ${limit}, but is ${value}.`, Math.sign(value) * limit);

const createEmptyError = (path: readonly string[]) => invalidInput(path, 'REQUIRED', 'must have at least one non-empty part.');

function serializeAddress(address: NonNullable<CustomFieldValue['address']>, path: readonly string[]): string {
  const { latitude, longitude, countryCode, countryText } = address;
  if (countryCode && typeof countryText === 'string' && countryText !== countryCode)
    throw invalidInput([...path, 'countryText'], 'NOT_ALLOWED', 'can’t be combined with another `countryCode`.');
  const hasLatitude = typeof latitude === 'number';
  const hasLongitude = typeof longitude === 'number';
  if (hasLatitude !== hasLongitude) throw invalidInput(path, 'REQUIRED', 'must have both latitude and longitude, or neither.');
  if (hasLatitude && !isWithin(latitude, 90)) throw createRangeError([...path, 'latitude'], latitude, 90);
  if (hasLongitude && !isWithin(longitude, 180)) throw createRangeError([...path, 'longitude'], longitude, 180);
  const properties = toStoredProperties(address);
  if (isEmpty(properties)) throw createEmptyError(path);
  return JSON.stringify(properties);
}

function serializeCompany(company: NonNullable<CustomFieldValue['company']>, path: readonly string[]): string {
  const properties = toStoredProperties(company);
  if (isEmpty(properties)) throw createEmptyError(path);
  return JSON.stringify(properties);
}

function requireText(text: string, path: readonly string[]): string {
  if (text.trim() === '') throw invalidInput(path, 'BLANK', 'must not be blank. Send null as the `value` to clear the field.');
  return text;
}

/**
 * Converts the value of one field for a request. Null clears the field. Numbers, booleans and dates are sent as strings: whether the upstream stores them in
 * another format isn't documented.
 */
function toWireValue({ value }: FieldInput, path: readonly string[]): unknown {
  if (value === undefined) throw invalidInput(path, 'REQUIRED', 'is required. Send null to clear the field.');
  if (value === null) return null;
  const { text, number, boolean, date, money, address, company, json } = value;
  if (typeof text === 'string') return requireText(text, [...path, 'text']);
  if (money) return readMinorUnits(money, [...path, 'money']);
  if (address) return serializeAddress(address, [...path, 'address']);
  if (company) return serializeCompany(company, [...path, 'company']);
  return number ?? date ?? (typeof boolean === 'boolean' ? String(boolean) : json);
}

const getValuePath = (index: number) => ['customFields', String(index), 'value'];

/** Throws ValidationError for an amount in another currency than its custom field. Reads the definitions only if an amount specifies its currency. */
export async function checkAmounts(inputs: readonly FieldInput[], context: Context): Promise<void> {
  for (const [index, { name, value }] of inputs.entries()) {
    const money = value?.money;
    if (!money?.currencyCode) continue;
    checkCurrency(money, (await CustomFieldDefinition.load(name, context))?.currency, [...getValuePath(index), 'money']);
  }
}

/** Converts the inputs to a patch, by field name. Throws ValidationError for an invalid value and for a duplicate name. */
export function toPatch(inputs: readonly FieldInput[]): NonNullable<PatchCustomerDataFieldsRequestJson['fields']> {
  const patch = new Map<string, unknown>();
  for (const [index, input] of inputs.entries()) {
    const path = ['customFields', String(index)];
    if (input.name.trim() === '') throw invalidInput([...path, 'name'], 'BLANK', 'must not be blank.');
    if (patch.has(input.name)) throw invalidInput([...path, 'name'], 'DUPLICATE', `must be unique, but ${input.name} is specified twice.`);
    patch.set(input.name, toWireValue(input, getValuePath(index)));
  }
  return Object.fromEntries(patch) as NonNullable<PatchCustomerDataFieldsRequestJson['fields']>;
}

/** Converts the inputs to the values of a new record: strings by field name. Skips fields to clear, because a new record has no values. */
export function toValues(inputs: readonly FieldInput[]): Record<string, string> {
  const entries = Object.entries(toPatch(inputs)).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
}
