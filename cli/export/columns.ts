import { isJsonObject } from '../../src/lib/json.ts';
import { StartError } from '../../src/lib/startup.ts';
import { createInvalidError } from '../bulk/graphResponse.ts';
import type { ExportColumn } from './roots.ts';
import type { SearchRow } from './rows.ts';

/** An amount of money, in major units. */
export interface Amount {
  readonly amount: string;
  readonly currencyCode: string;
}

export type Value = string | boolean | Amount | null;

/** Values of a row, in the order of the columns. */
export type ExportRow = readonly Value[];

/** Selects columns by name, in the order of the names. Without names, selects the default columns. Throws StartError for unknown names. */
export function selectColumns(columns: readonly ExportColumn[], names: readonly string[] | undefined): readonly ExportColumn[] {
  if (!names) return columns.filter(({ isDefault }) => isDefault);
  return [...new Set(names)].map((name) => {
    const column = columns.find((each) => each.name === name);
    if (column) return column;
    throw new StartError(`Unknown column ${name}. The columns of this root are ${columns.map((each) => each.name).join(', ')}.`);
  });
}

/** Name of the column with the currency of all amounts of a row. */
export const CURRENCY = 'currencyCode';

/** The columns of a format without nested values: with amounts, also the column of their currency. */
export function withCurrency(columns: readonly ExportColumn[], all: readonly ExportColumn[]): readonly ExportColumn[] {
  const hasAmounts = columns.some(({ kind }) => kind === 'MONEY');
  const currency = all.find(({ name }) => name === CURRENCY);
  return hasAmounts && currency && !columns.includes(currency) ? [...columns, currency] : columns;
}

const getPath = ({ path, rawPath = path }: ExportColumn, hasRawIds: boolean) => (hasRawIds ? rawPath : path);

/** The fields of columns, as a GraphQL selection. */
export const printSelection = (columns: readonly ExportColumn[], hasRawIds: boolean): string =>
  columns
    .map((column) => {
      const path = getPath(column, hasRawIds);
      const fields = column.kind === 'MONEY' ? [...path, 'amount currencyCode'] : path;
      return `${fields.join(' { ')}${' }'.repeat(fields.length - 1)}`;
    })
    .join(' ');

const isAmount = (value: unknown): boolean =>
  value === null || (isJsonObject(value) && typeof value.amount === 'string' && typeof value.currencyCode === 'string');

/** Returns a function that reads the values of columns. Values that the upstream didn't return are null. */
export function createRowConverter(columns: readonly ExportColumn[], hasRawIds: boolean): (row: SearchRow) => ExportRow {
  const paths = columns.map((column) => getPath(column, hasRawIds));
  return (row) =>
    paths.map((path) => {
      let value: unknown = row;
      for (const name of path) value = (value as Readonly<Record<string, unknown>> | null)?.[name] ?? null;
      if (typeof value !== 'object' || isAmount(value)) return value as Value;
      throw createInvalidError(`has a value of ${path.join('.')} that isn’t one of its type`);
    });
}

/** Name of the column with a field. */
export const getColumnName = (columns: readonly ExportColumn[], field: string | undefined): string =>
  columns.find(({ path: [name] }) => name === field)?.name ?? String(field);

/** Returns a whole record without the members that position it. References have the IDs of the types that exports list. */
export function toRecord({ rowId: _id, rowAt: _at, ...record }: SearchRow): object {
  return JSON.parse(JSON.stringify(record), (_name, value) => value?.listed ?? value);
}
