import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, getNamedType, isCompositeType, isEnumType } from 'graphql';
import { StartError } from '../lib/startup.ts';
import { toWords } from '../lib/words.ts';
import { getWireEnum, OTHER } from '../schema/kit/enums.ts';
import { getListedType, getOwnerType, toGlobalId } from '../schema/kit/globalIds.ts';
import { type Amount, toMoney } from '../schema/kit/money.ts';
import { getMember } from '../schema/kit/operations.ts';
import { toTimestamp } from '../schema/kit/recordMembers.ts';
import { type CellRow, toMemberValue } from '../schema/search/indexes.ts';
import { listSearches, type Search } from '../schema/search/searches.ts';
import type { IndexColumns, MessageField } from '../upstream/contract/fields.ts';

/** How formats represent the values of a column. Enum values and IDs are text. */
type ColumnKind = 'TEXT' | 'TIMESTAMP' | 'BOOLEAN' | 'MONEY';

export type Value = string | boolean | Amount | null;

/** Values of a row, in the order of the columns. */
export type ExportRow = readonly Value[];

/** A column of an export: a field of the graph whose value the index has. */
export interface ExportColumn {
  /** Name of the field. That of a reference to another record ends with `Id`. */
  readonly name: string;
  /** Name of its GraphQL type. `ID` for references. */
  readonly type: string;
  readonly kind: ColumnKind;
  /** Name in the index, as in the contract. */
  readonly column: string;
  /** Whether it's exported if no columns are selected. */
  readonly isDefault: boolean;
  /** Reads its value from a row. Undefined if the upstream doesn't return it, or if it can't be represented. */
  readonly read: (row: CellRow) => Value | undefined;
}

/** A member of a record in the upstream's JSON, which is neither null nor undefined. */
type Convert = (member: unknown, row: CellRow) => Value | undefined;

type FieldShape = Omit<ExportColumn, 'column' | 'read'> & { readonly convert: Convert };

/** Empty texts are null, as in the graph. */
const toText: Convert = (member) => String(member) || null;

const createIdConverter =
  (type: string, hasRawIds: boolean): Convert =>
  (member) => {
    const id = String(member);
    if (id === '') return null;
    return hasRawIds ? id : toGlobalId(getListedType(type), id);
  };

/** How a field represents a member. Undefined if it has no value of its own, such as the ID of a record without a global ID. */
function describeField(
  { name, type }: GraphQLField<unknown, unknown>,
  field: MessageField,
  column: string,
  hasRawIds: boolean,
): FieldShape | undefined {
  const named = getNamedType(type);
  const { refers, type: enumName = '' } = field;
  const wireEnum = getWireEnum(enumName);
  const text: FieldShape = { name, type: named.name, kind: 'TEXT', isDefault: true, convert: toText };
  if (named.name === 'Money')
    return {
      ...text,
      kind: 'MONEY',
      convert: (member, row) => toMoney(String(member), row.getCell(column)?.money?.currency) ?? undefined,
    };
  if (isEnumType(named)) return { ...text, convert: (member) => wireEnum?.fromWire(String(member)) ?? OTHER };
  // The upstream's value of an enum, which `OTHER` stands for.
  if (wireEnum) return { ...text, isDefault: false, convert: (member) => wireEnum.toText(String(member)) };
  if (isCompositeType(named)) {
    if (refers === undefined || getOwnerType(refers) !== undefined) return undefined;
    return { ...text, name: `${name}Id`, type: 'ID', convert: createIdConverter(refers, hasRawIds) };
  }
  if (named.name === 'DateTime') return { ...text, kind: 'TIMESTAMP', convert: (member) => toTimestamp(String(member)) };
  if (named.name === 'Boolean') return { ...text, kind: 'BOOLEAN', convert: (member) => Boolean(member) };
  return text;
}

function createColumn({ convert, ...shape }: FieldShape, column: string, field: MessageField): ExportColumn {
  const read = (row: CellRow) => {
    const member = toMemberValue(field, row.getCell(column));
    return member === null || member === undefined ? member : convert(member, row);
  };
  return { ...shape, column, read };
}

/**
 * Lists the columns that an export of a root can have: the fields of its type that expose a member of the index. `available` are the columns that the upstream
 * has.
 */
export function listColumns(
  { index: { record }, target }: Search<object>,
  available: IndexColumns,
  schema: GraphQLSchema,
  hasRawIds: boolean,
): readonly ExportColumn[] {
  const fields = Object.values((schema.getType(target.name) as GraphQLObjectType).getFields()).filter(({ args }) => args.length === 0);
  const id: FieldShape = { name: 'id', type: 'ID', kind: 'TEXT', isDefault: true, convert: createIdConverter(target.name, hasRawIds) };
  return Object.entries(available).flatMap(([member, column]) => {
    const field = record.fields[member] as MessageField;
    if (target.key.includes(member)) return [createColumn(id, column, field)];
    const shapes = fields.filter((each) => getMember(each) === member).map((each) => describeField(each, field, column, hasRawIds));
    return shapes.flatMap((shape) => (shape ? [createColumn(shape, column, field)] : []));
  });
}

/** Selects columns by name, in the order of the names. Without names, selects the default columns. Throws StartError for unknown names. */
export function selectColumns(columns: readonly ExportColumn[], names: readonly string[] | undefined): readonly ExportColumn[] {
  if (!names) return columns.filter(({ isDefault }) => isDefault);
  const selected = [...new Set(names)].map((name) => {
    const column = columns.find((each) => each.name === name);
    if (!column)
      throw new StartError(`Unknown column ${name}. The columns of this root are ${columns.map((each) => each.name).join(', ')}.`);
    return column;
  });
  return selected;
}

/** Name of the column with the currency of all amounts of a row. */
export const CURRENCY = 'currencyCode';

/** The columns of a format without nested values: with amounts, also the column of their currency. */
export function withCurrency(columns: readonly ExportColumn[], all: readonly ExportColumn[]): readonly ExportColumn[] {
  const hasAmounts = columns.some(({ kind }) => kind === 'MONEY');
  const currency = all.find(({ name }) => name === CURRENCY);
  return hasAmounts && currency && !columns.includes(currency) ? [...columns, currency] : columns;
}

/** Name of a search's root in commands, such as `work-orders`. */
export const getRootName = ({ target }: Search<object>): string => `${toWords(target.name).replaceAll(' ', '-')}s`;

/** Looks up a search by the name of its root. Throws StartError for unknown names. */
export function requireSearch(name: string): Search<object> {
  const search = listSearches().find((each) => getRootName(each) === name);
  if (search) return search;
  throw new StartError(`Unknown root ${name}. Expected one of ${listSearches().map(getRootName).join(', ')}.`);
}
