import { ListDataFields } from '../upstream/generated/operations.ts';
import type { ObjectFields } from './builder.ts';
import { builder } from './builder.ts';
import { DataField, DataFieldType } from './dataFields.ts';
import { Money, toMoney } from './money.ts';

interface CustomFieldShape {
  readonly name: string;
  readonly value: string;
}

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

const LOCATION_PROPERTIES = ['street', 'house_number', 'zipcode', 'city', 'country', 'latitude', 'longitude', 'full_address'];
const COMPANY_PROPERTIES = ['company_name', 'registration_number', 'vat_number'];

const Location = builder.objectRef<Properties>('Location').implement({
  description: 'A place, as a custom field holds it.',
  fields: (t) => ({
    street: t.string({ description: 'The street.', resolve: ({ street }) => textOf(street) }),
    houseNumber: t.string({ description: 'The house number with its addition.', resolve: ({ house_number }) => textOf(house_number) }),
    zipcode: t.string({ description: 'The postal code.', resolve: ({ zipcode }) => textOf(zipcode) }),
    city: t.string({ description: 'The city.', resolve: ({ city }) => textOf(city) }),
    country: t.string({ description: 'The country, as it was entered.', resolve: ({ country }) => textOf(country) }),
    latitude: t.float({ description: 'Degrees north.', resolve: ({ latitude }) => numberOf(latitude) }),
    longitude: t.float({ description: 'Degrees east.', resolve: ({ longitude }) => numberOf(longitude) }),
    fullAddress: t.string({ description: 'The address in one line.', resolve: ({ full_address }) => textOf(full_address) }),
  }),
});

const Company = builder.objectRef<Properties>('Company').implement({
  description: 'A company, as a custom field holds it.',
  fields: (t) => ({
    companyName: t.string({ description: 'The name.', resolve: ({ company_name }) => textOf(company_name) }),
    registrationNumber: t.string({
      description: 'The number in the trade register.',
      resolve: ({ registration_number }) => textOf(registration_number),
    }),
    vatNumber: t.string({ description: 'The VAT number.', resolve: ({ vat_number }) => textOf(vat_number) }),
  }),
});

const CustomField = builder.objectRef<CustomFieldShape>('CustomField').implement({
  description:
    'The value of one data field. `value` is what the upstream stores; the typed fields read it, and are null when it is of another type.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'The name of the data field.', resolve: ({ name }) => name }),
    value: t.string({ description: 'The value as the upstream stores it.', resolve: ({ value }) => value }),
    field: t.field({
      type: DataField.ref,
      description: 'The data field; null for a name that the workspace has no data field of.',
      extensions: { looksIn: ListDataFields },
      // Read even when only keys are asked for: a name does not say whether there is a field of that name.
      resolve: ({ name }, _args, context) => DataField.load(name, context),
    }),
    money: t.field({
      type: Money,
      description: 'The value as money, in the currency of its data field.',
      extensions: { looksIn: ListDataFields },
      resolve: async ({ name, value }, _args, context) => {
        if (!/^-?\d+$/.test(value)) return null;
        const field = await DataField.load(name, context);
        return DataFieldType.fromWire(field?.type) === 'CURRENCY' ? toMoney(value, field?.currency) : null;
      },
    }),
    location: t.field({
      type: Location,
      description: 'The value as a place.',
      resolve: ({ value }) => propertiesOf(value, LOCATION_PROPERTIES),
    }),
    company: t.field({
      type: Company,
      description: 'The value as a company.',
      resolve: ({ value }) => propertiesOf(value, COMPANY_PROPERTIES),
    }),
  }),
});

/** The custom fields of a record, all of them or those of some names, in the order of their names. */
export const customFields = <RecordShape extends { customFields?: Record<string, string> }>(t: ObjectFields<RecordShape>) =>
  t.field({
    type: [CustomField],
    nullable: false,
    description: 'The values of the workspace’s own fields, by name.',
    args: { names: t.arg.stringList({ description: 'Only these names; all that have a value when absent.' }) },
    resolve: (record: RecordShape, { names }): CustomFieldShape[] =>
      Object.entries(record.customFields ?? {})
        .filter(([name]) => !names || names.includes(name))
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, value]) => ({ name, value: String(value) })),
  });
