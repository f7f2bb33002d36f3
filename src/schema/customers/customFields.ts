import type { Context } from '../../context.ts';
import { ListDataFields } from '../../upstream/contract/generated/operations.ts';
import type { DataFieldRecordJson } from '../../upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import type { ObjectFields } from '../kit/builder.ts';
import { builder } from '../kit/builder.ts';
import { assumed } from '../kit/marks.ts';
import { Money, toMoney } from '../kit/money.ts';
import { isDate, isDecimal } from '../kit/scalars.ts';
import { CustomFieldDefinition, CustomFieldKind } from './dataFields.ts';

interface CustomFieldShape {
  readonly name: string;
  readonly value: string;
}

type Kind = NonNullable<ReturnType<typeof CustomFieldKind.fromWire>>;
type Properties = Readonly<Record<string, unknown>>;

/** The properties of a value that is a JSON object in a string, when it has one of the given names; null for other values. */
function propertiesOf(value: string, names: readonly string[]): Properties | null {
  if (!value.trimStart().startsWith('{')) return null;
  try {
    const json: unknown = JSON.parse(value);
    return typeof json === 'object' && json !== null && names.some((name) => name in json) ? (json as Properties) : null;
  } catch {
    return null;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

const numberOf = (value: unknown) => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

const ADDRESS_PROPERTIES = ['street', 'house_number', 'zipcode', 'city', 'country', 'latitude', 'longitude', 'full_address'];
const COMPANY_PROPERTIES = ['company_name', 'registration_number', 'vat_number'];

const PostalAddress = builder.objectRef<Properties>('PostalAddress').implement({
  description: 'A postal address, as a custom field holds it.',
  fields: (t) => ({
    street: t.string({ description: 'The street.', resolve: ({ street }) => textOf(street) }),
    houseNumber: t.string({ description: 'The house number with its addition.', resolve: ({ house_number }) => textOf(house_number) }),
    postalCode: t.string({ description: 'The postal code.', resolve: ({ zipcode }) => textOf(zipcode) }),
    city: t.string({ description: 'The city.', resolve: ({ city }) => textOf(city) }),
    country: t.string({ description: 'The country, as it was entered.', resolve: ({ country }) => textOf(country) }),
    latitude: t.float({ description: 'Degrees north.', resolve: ({ latitude }) => numberOf(latitude) }),
    longitude: t.float({ description: 'Degrees east.', resolve: ({ longitude }) => numberOf(longitude) }),
    fullAddress: t.string({ description: 'The address in one line.', resolve: ({ full_address }) => textOf(full_address) }),
  }),
});

const CompanyDetails = builder.objectRef<Properties>('CompanyDetails').implement({
  description: 'The name and numbers of a company, as a custom field holds them.',
  fields: (t) => ({
    companyName: t.string({ description: 'The name.', resolve: ({ company_name }) => textOf(company_name) }),
    registrationNumber: t.string({
      description: 'The number in the trade register.',
      resolve: ({ registration_number }) => textOf(registration_number),
    }),
    vatNumber: t.string({ description: 'The VAT number.', resolve: ({ vat_number }) => textOf(vat_number) }),
  }),
});

/** The definition of a custom field of one of the kinds; null for a field of another, and for a name that has none. */
async function definitionOf(name: string, kinds: readonly Kind[], context: Context): Promise<DataFieldRecordJson | null> {
  const definition = await CustomFieldDefinition.load(name, context);
  const kind = CustomFieldKind.fromWire(definition?.type);
  return kind && kinds.includes(kind) ? definition : null;
}

/** A value that only the definition of its field can tell the kind of. The definitions are not asked for a value that cannot be of the kinds. */
const ofKind =
  <Value>(kinds: readonly Kind[], read: (value: string) => Value | null) =>
  async ({ name, value }: CustomFieldShape, _args: object, context: Context): Promise<Value | null> => {
    const found = read(value);
    return found !== null && (await definitionOf(name, kinds, context)) ? found : null;
  };

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

export const CustomField = builder.objectRef<CustomFieldShape>('CustomField').implement({
  description: 'The value of one custom field of a record. Of the typed fields, those that are not of its kind are null.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'The name of the custom field.', resolve: ({ name }) => name }),
    definition: t.field({
      type: CustomFieldDefinition.ref,
      description: 'The definition of the field; null for a name that the workspace has not defined.',
      extensions: { looksIn: ListDataFields },
      // Read even when only keys are asked for: a name does not say whether it is defined.
      resolve: ({ name }, _args, context) => CustomFieldDefinition.load(name, context),
    }),
    value: t.string({ nullable: false, description: 'The stored value as text, whatever its kind.', resolve: ({ value }) => value }),
    text: t.string({
      description: 'The value of a field that holds text or a choice.',
      extensions: { looksIn: ListDataFields },
      resolve: ofKind(['TEXT', 'SELECT'], textOf),
    }),
    number: t.field({
      type: 'Decimal',
      ...assumed('The value of a field that holds a number; null when it is not stored as a decimal number.'),
      extensions: { looksIn: ListDataFields },
      resolve: ofKind(['NUMBER'], (value) => (isDecimal(value) ? value : null)),
    }),
    boolean: t.boolean({
      ...assumed('The value of a field that holds yes or no; null when it is not stored as `true` or `false`.'),
      extensions: { looksIn: ListDataFields },
      resolve: ofKind(['BOOLEAN'], (value) => BOOLEANS.get(value) ?? null),
    }),
    date: t.field({
      type: 'Date',
      ...assumed('The value of a field that holds a calendar day; null when it is not stored as YYYY-MM-DD.'),
      extensions: { looksIn: ListDataFields },
      resolve: ofKind(['DATE'], (value) => (isDate(value) ? value : null)),
    }),
    money: t.field({
      type: Money,
      description: 'The value of a field that holds money, in the currency of its definition.',
      extensions: { looksIn: ListDataFields },
      resolve: async ({ name, value }, _args, context) => {
        if (!/^-?\d+$/.test(value)) return null;
        const definition = await definitionOf(name, ['MONEY'], context);
        return definition && toMoney(value, definition.currency);
      },
    }),
    address: t.field({
      type: PostalAddress,
      description: 'The value as a postal address, wherever it is stored as one.',
      resolve: ({ value }) => propertiesOf(value, ADDRESS_PROPERTIES),
    }),
    company: t.field({
      type: CompanyDetails,
      description: 'The value as a company, wherever it is stored as one.',
      resolve: ({ value }) => propertiesOf(value, COMPANY_PROPERTIES),
    }),
  }),
});

type FieldValues = Readonly<Record<string, string>> | undefined;

const fieldOf = (values: FieldValues, name: string): CustomFieldShape | null =>
  values && Object.hasOwn(values, name) ? { name, value: String(values[name]) } : null;

export const ONE_FIELD = 'The value of the custom field of this name; null when the record has none.';
export const ALL_FIELDS = 'The values of the custom fields, in the order of their names.';
export const NAMES = 'Only these names; all that have a value when absent.';

/** The custom fields of a record: one by its name, and all of them or those of some names, in the order of their names. */
export const customFields = <RecordShape extends { customFields?: Record<string, string> }>(t: ObjectFields<RecordShape>) => ({
  customField: t.field({
    type: CustomField,
    description: ONE_FIELD,
    args: { name: t.arg.string({ required: true, description: 'The name of the custom field.' }) },
    resolve: (record: RecordShape, { name }) => fieldOf(record.customFields, name),
  }),
  customFields: t.field({
    type: [CustomField],
    nullable: false,
    description: ALL_FIELDS,
    args: { names: t.arg.stringList({ description: NAMES }) },
    resolve: ({ customFields: values }: RecordShape, { names }): CustomFieldShape[] =>
      Object.keys(values ?? {})
        .filter((name) => !names || names.includes(name))
        .sort((left, right) => (left < right ? -1 : 1))
        .flatMap((name) => fieldOf(values, name) ?? []),
  }),
});
