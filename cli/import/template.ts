import { type GraphQLInputType, getNamedType, getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { isCellType } from './cells.ts';
import { KEY_FIELD } from './columns.ts';
import type { ImportMutation } from './mutations.ts';

/** Sample cells by type. Texts of others are samples of themselves. */
const SAMPLES: Readonly<Record<string, string>> = {
  Boolean: 'true',
  CountryCode: 'NL',
  CurrencyCode: 'EUR',
  Date: '2026-01-31',
  DateTime: '2026-01-31T14:00:00Z',
  Decimal: '12.5',
  ID: '<ID>',
  Int: '1',
  Int64: '100',
  MoneyInput: '12.50 EUR',
};

function createSample(type: GraphQLInputType): string {
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  return SAMPLES[named.name] ?? 'Text';
}

/** A column of a template. */
interface TemplateColumn {
  readonly header: string;
  readonly sample: string;
  readonly isRequired: boolean;
}

/** The columns of an object: of lists, for one item, and of `@oneOf`, for the first field. Custom fields have names that the schema doesn't have. */
function listColumns(type: GraphQLInputType, prefix: string, isRequired: boolean): readonly TemplateColumn[] {
  const named = getNamedType(type);
  if (isCellType(type)) return [{ header: prefix, sample: createSample(type), isRequired }];
  if (!isInputObjectType(named) || named.name === 'CustomFieldInput') return [];
  const fields = Object.values(named.getFields()).filter(({ name }) => name !== KEY_FIELD);
  const path = prefix === '' ? '' : `${prefix}.${isListType(getNullableType(type)) ? '0.' : ''}`;
  return (named.isOneOf ? fields.slice(0, 1) : fields).flatMap((field) =>
    listColumns(field.type, `${path}${field.name}`, isRequired && (isNonNullType(field.type) || named.isOneOf)),
  );
}

/** A CSV file with all columns of a mutation, and two sample rows: one with all cells, and one with those that are required. */
export function formatTemplate({ input }: ImportMutation): string {
  const columns = listColumns(input, '', true);
  const rows = [
    columns.map(({ header }) => header),
    columns.map(({ sample }) => sample),
    columns.map(({ sample, isRequired }) => (isRequired ? sample : '')),
  ];
  return rows.map((cells) => `${cells.join(',')}\n`).join('');
}
