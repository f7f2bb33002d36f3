import type { Context } from '../../context.ts';
import { isCountryCode, isDate, isDecimal } from '../../lib/scalarTexts.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import type { DataFieldRecord } from '../../upstream/contract/generated/records.ts';
import type { ObjectFields } from '../kit/builder.ts';
import { builder } from '../kit/builder.ts';
import { annotateAssumed } from '../kit/fieldAnnotations.ts';
import { Money, toMoney } from '../kit/money.ts';
import { CustomFieldDefinition, CustomFieldKind } from './dataFields.ts';

interface CustomFieldShape {
  readonly name: string;
  readonly value: string;
}

type FieldKind = NonNullable<ReturnType<typeof CustomFieldKind.fromWire>>;
type Properties = Readonly<Record<string, unknown>>;

/** Parses a value that is a JSON object with at least one of the specified properties. Null for other values. */
function parseProperties(value: string, names: readonly string[]): Properties | null {
  if (!value.trimStart().startsWith('{')) return null;
  try {
    const json: unknown = JSON.parse(value);
    return typeof json === 'object' && json !== null && names.some((name) => name in json) ? (json as Properties) : null;
  } catch {
    return null;
  }
}

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

const toNumber = (value: unknown) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

const ADDRESS_PROPERTIES = ['street', 'house_number', 'zipcode', 'city', 'country', 'latitude', 'longitude', 'full_address'];
const COMPANY_PROPERTIES = ['company_name', 'registration_number', 'vat_number'];

const PostalAddress = builder.objectRef<Properties>('PostalAddress').implement({
  description: 'A postal address stored in a custom field.',
  fields: (t) => ({
    street: t.string({ description: 'Street name.', resolve: ({ street }) => toText(street) }),
    houseNumber: t.string({ description: 'House number, including any addition.', resolve: ({ house_number }) => toText(house_number) }),
    postalCode: t.string({ description: 'Postal or ZIP code.', resolve: ({ zipcode }) => toText(zipcode) }),
    city: t.string({ description: 'City or town.', resolve: ({ city }) => toText(city) }),
    countryCode: t.field({
      type: 'CountryCode',
      description: 'Country. Null if it isn’t stored as a code: see `countryText`.',
      resolve: ({ country }) => (isCountryCode(country) ? country : null),
    }),
    countryText: t.string({
      description: 'Country as stored, such as a name. The Workspace API doesn’t restrict it.',
      resolve: ({ country }) => toText(country),
    }),
    latitude: t.float({ description: 'Latitude in degrees north.', resolve: ({ latitude }) => toNumber(latitude) }),
    longitude: t.float({ description: 'Longitude in degrees east.', resolve: ({ longitude }) => toNumber(longitude) }),
    fullAddress: t.string({ description: 'Full address in one line.', resolve: ({ full_address }) => toText(full_address) }),
  }),
});

const CompanyDetails = builder.objectRef<Properties>('CompanyDetails').implement({
  description: 'The name and registration numbers of a company, stored in a custom field.',
  fields: (t) => ({
    companyName: t.string({ description: 'Name of the company.', resolve: ({ company_name }) => toText(company_name) }),
    registrationNumber: t.string({
      description: 'Company number in the trade register.',
      resolve: ({ registration_number }) => toText(registration_number),
    }),
    vatNumber: t.string({ description: 'VAT identification number.', resolve: ({ vat_number }) => toText(vat_number) }),
  }),
});

/** Loads the definition of a custom field. Null if the field isn't defined, or isn't of one of the kinds. */
async function loadDefinition(name: string, kinds: readonly FieldKind[], context: Context): Promise<DataFieldRecord | null> {
  const definition = await CustomFieldDefinition.load(name, context);
  const kind = definition && CustomFieldKind.fromWire(definition.type);
  return kind && kinds.includes(kind) ? definition : null;
}

/** Resolves a value whose kind only the field's definition determines. Definitions aren't loaded for a value that can't be of the kinds. */
const resolveByKind =
  <Value>(kinds: readonly FieldKind[], read: (value: string) => Value | null) =>
  async ({ name, value }: CustomFieldShape, _args: object, context: Context): Promise<Value | null> => {
    const parsed = read(value);
    return parsed !== null && (await loadDefinition(name, kinds, context)) ? parsed : null;
  };

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

export const CustomField = builder.objectRef<CustomFieldShape>('CustomField').implement({
  description: 'A custom field of a record and its value. Typed fields such as `number` are null if the custom field is of another kind.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'Name of the custom field.', resolve: ({ name }) => name }),
    definition: t.field({
      type: CustomFieldDefinition.ref,
      description: 'Definition of the custom field. Null if the workspace hasn’t defined a field with this name.',
      extensions: { sharedCall: ListDataFields },
      // Loaded even if only keys are selected, because the name may not be defined.
      resolve: ({ name }, _args, context) => CustomFieldDefinition.load(name, context),
    }),
    value: t.string({ nullable: false, description: 'Stored value as text, whatever its kind.', resolve: ({ value }) => value }),
    text: t.string({
      description: 'Value of a `TEXT` or `SELECT` field.',
      extensions: { sharedCall: ListDataFields },
      resolve: resolveByKind(['TEXT', 'SELECT'], toText),
    }),
    number: t.field({
      type: 'Decimal',
      ...annotateAssumed('Value of a `NUMBER` field. Null if it isn’t stored as a decimal number.'),
      extensions: { sharedCall: ListDataFields },
      resolve: resolveByKind(['NUMBER'], (value) => (isDecimal(value) ? value : null)),
    }),
    boolean: t.boolean({
      ...annotateAssumed('Value of a `BOOLEAN` field. Null if it isn’t stored as `true` or `false`.'),
      extensions: { sharedCall: ListDataFields },
      resolve: resolveByKind(['BOOLEAN'], (value) => BOOLEANS.get(value) ?? null),
    }),
    date: t.field({
      type: 'Date',
      ...annotateAssumed('Value of a `DATE` field. Null if it isn’t stored as `YYYY-MM-DD`.'),
      extensions: { sharedCall: ListDataFields },
      resolve: resolveByKind(['DATE'], (value) => (isDate(value) ? value : null)),
    }),
    money: t.field({
      type: Money,
      description: 'Value of a `MONEY` field, in the currency of its definition.',
      extensions: { sharedCall: ListDataFields },
      resolve: async ({ name, value }, _args, context) => {
        if (!/^-?\d+$/.test(value)) return null;
        const definition = await loadDefinition(name, ['MONEY'], context);
        return definition && toMoney(value, definition.currency);
      },
    }),
    address: t.field({
      type: PostalAddress,
      description: 'Value as a postal address, whatever the kind of the field. Null if it isn’t stored as an address.',
      resolve: ({ value }) => parseProperties(value, ADDRESS_PROPERTIES),
    }),
    company: t.field({
      type: CompanyDetails,
      description: 'Value as company details, whatever the kind of the field. Null if it isn’t stored as company details.',
      resolve: ({ value }) => parseProperties(value, COMPANY_PROPERTIES),
    }),
  }),
});

type FieldValues = Readonly<Record<string, string>>;

const getField = (values: FieldValues, name: string): CustomFieldShape | null =>
  Object.hasOwn(values, name) ? { name, value: String(values[name]) } : null;

export const ONE_FIELD = 'Custom field of the record, by name. Null if the record has no value for it.';
export const ALL_FIELDS = 'Custom fields of the record that have a value, ordered by name.';
export const NAMES = 'Names of the custom fields to return. Defaults to all fields with a value.';

/** Fields of a record with custom fields: one custom field by name, and all or some of them ordered by name. */
export const defineCustomFields = <RecordShape extends { readonly customFields: FieldValues }>(t: ObjectFields<RecordShape>) => ({
  customField: t.field({
    type: CustomField,
    description: ONE_FIELD,
    args: { name: t.arg.string({ required: true, description: 'Name of the custom field.' }) },
    resolve: (record: RecordShape, { name }) => getField(record.customFields, name),
  }),
  customFields: t.field({
    type: [CustomField],
    nullable: false,
    description: ALL_FIELDS,
    args: { names: t.arg.stringList({ description: NAMES }) },
    resolve: ({ customFields: values }: RecordShape, { names }): CustomFieldShape[] =>
      Object.keys(values)
        .filter((name) => !names || names.includes(name))
        .sort((left, right) => (left < right ? -1 : 1))
        .flatMap((name) => getField(values, name) ?? []),
  }),
});
