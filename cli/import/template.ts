import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { isCellType } from './cells.ts';
import { KEY_FIELD } from './columns.ts';
import { type CustomField, VALUE_MEMBERS } from './customFields.ts';
import type { ImportMutation } from './mutations.ts';

const CUSTOM_FIELD = 'CustomFieldInput';

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
export interface TemplateColumn {
  readonly header: string;
  readonly sample: string;
  readonly isRequired: boolean;
}

/** The columns of custom fields whose values fit into a cell. */
function listCustomColumns(item: GraphQLInputObjectType, prefix: string, customFields: readonly CustomField[]): readonly TemplateColumn[] {
  const values = getNamedType(item.getFields().value?.type);
  return customFields.flatMap(({ name, kind, options }) => {
    const type = isInputObjectType(values) ? values.getFields()[VALUE_MEMBERS[kind] ?? '']?.type : undefined;
    return type ? [{ header: `${prefix}.${name}`, sample: options[0] ?? createSample(type), isRequired: false }] : [];
  });
}

/** The columns of an object: of lists, for one item, and of `@oneOf`, for the first field. */
function listColumns(
  type: GraphQLInputType,
  prefix: string,
  isRequired: boolean,
  customFields: readonly CustomField[],
): readonly TemplateColumn[] {
  const named = getNamedType(type);
  if (isCellType(type)) return [{ header: prefix, sample: createSample(type), isRequired }];
  if (!isInputObjectType(named)) return [];
  if (named.name === CUSTOM_FIELD) return listCustomColumns(named, prefix, customFields);
  const fields = Object.values(named.getFields()).filter(({ name }) => name !== KEY_FIELD);
  const path = prefix === '' ? '' : `${prefix}.${isListType(getNullableType(type)) ? '0.' : ''}`;
  return (named.isOneOf ? fields.slice(0, 1) : fields).flatMap((field) =>
    listColumns(field.type, `${path}${field.name}`, isRequired && (isNonNullType(field.type) || named.isOneOf), customFields),
  );
}

/** Whether a mutation sets custom fields, whose names the schema doesn't have. */
export const hasCustomFields = ({ input }: ImportMutation): boolean =>
  Object.values(input.getFields()).some(({ type }) => getNamedType(type).name === CUSTOM_FIELD);

/** All columns of a mutation, with one for each field of the first item of a list. */
export const listTemplateColumns = ({ input }: ImportMutation, customFields: readonly CustomField[]): readonly TemplateColumn[] =>
  listColumns(input, '', true, customFields);

/** Quotes a cell if it has to be. */
const toCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A CSV file with all columns of a mutation, and two sample rows: one with all cells, and one with those that are required. */
export function formatTemplate(mutation: ImportMutation, customFields: readonly CustomField[]): string {
  const columns = listTemplateColumns(mutation, customFields);
  const rows = [
    columns.map(({ header }) => header),
    columns.map(({ sample }) => sample),
    columns.map(({ sample, isRequired }) => (isRequired ? sample : '')),
  ];
  return rows.map((cells) => `${cells.map(toCell).join(',')}\n`).join('');
}
