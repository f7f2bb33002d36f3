import {
  type GraphQLInputField,
  type GraphQLInputFieldMap,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { StartError } from '../../src/lib/startup.ts';
import { isCellType } from './cells.ts';
import { addMatchColumn, createMatchColumn } from './match.ts';
import type { ImportMutation } from './mutations.ts';
import type { TableRow } from './table.ts';

/** The input field that an import adds. */
export const KEY_FIELD = 'idempotencyKey';

/** Where the values of a column go. */
export interface InputColumn {
  /** Header in the file. Several of them if the value is combined. */
  readonly header: string;
  /** Steps from the input to the value: names of fields, and positions in lists. */
  readonly path: readonly (string | number)[];
  readonly type: GraphQLInputType;
  /** Name of a custom field, whose kind decides how its value is written. */
  readonly customField?: string;
  /** What references are looked up by, such as `referenceNumber`. Undefined for IDs. */
  readonly lookup?: string;
  /** Whether a row without a matching record is valid. */
  readonly isOptional?: boolean;
  /** Replaces `{Header}` by the cells of a row. */
  readonly template?: string;
  /** The text that all rows have, in the standard notation. */
  readonly constant?: string;
  /** Texts that replace cells. Empty if the value is left out. */
  readonly values?: ReadonlyMap<string, string>;
}

/** Changes what columns mean. */
export interface ColumnMap {
  /** Fields by header. Null leaves a column out. */
  readonly columns: ReadonlyMap<string, string | null>;
  /** Texts that all rows have, by field, in the standard notation. */
  readonly constants: ReadonlyMap<string, string>;
  /** Texts with headers in braces, by field. */
  readonly combine: ReadonlyMap<string, string>;
  /** Texts that replace cells, by header and cell. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Changes nothing. */
export const NO_MAP: ColumnMap = { columns: new Map(), constants: new Map(), combine: new Map(), values: new Map() };

/** A position in a list. The limit is chosen: a row of a spreadsheet has at most 16,384 cells. Source: https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3. */
const POSITION = /^\d{1,5}$/;

const listFields = (type: GraphQLInputObjectType): string =>
  Object.keys(type.getFields())
    .filter((name) => name !== KEY_FIELD)
    .join(', ');

/** The input field of a column, or why there's none. */
type Resolution = Omit<InputColumn, 'header'> | { readonly problem: string };

function resolveField(header: string, field: string, input: GraphQLInputObjectType): Resolution {
  const [text = '', lookup] = field.split(':').map((part) => part.trim());
  const steps = text.split('.');
  const path: (string | number)[] = [];
  let type: GraphQLInputType = input;
  const fail = (problem: string, suggestion = ''): Resolution => ({ problem: `The column ${header} ${problem}.${suggestion}` });
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] ?? '';
    const nullable: GraphQLInputType = getNullableType(type);
    if (isListType(nullable)) {
      const item = getNamedType(nullable);
      if (item.name === 'CustomFieldInput') {
        const customField = steps.slice(index).join('.');
        return { path: [...path, customField], type: item, customField };
      }
      const list = steps.slice(0, index).join('.');
      if (!POSITION.test(step)) return fail(`must have a position after ${list}, such as ${list}.0`);
      path.push(Number(step));
      type = nullable.ofType;
      continue;
    }
    const fields: GraphQLInputFieldMap = isInputObjectType(nullable) ? nullable.getFields() : Object.create(null);
    const found: GraphQLInputField | undefined = step === KEY_FIELD ? undefined : fields[step];
    if (!found) {
      const [nearest] = suggestionList(step, Object.keys(fields));
      const suggestion = nearest === undefined ? '' : ` Did you mean ${[...steps.slice(0, index), nearest].join('.')}?`;
      return fail(`isn’t a field of ${nullable}${isInputObjectType(nullable) ? `, which has ${listFields(nullable)}` : ''}`, suggestion);
    }
    path.push(step);
    type = found.type;
  }
  const last = getNullableType(type);
  const isListOfObjects = isListType(last) && !isCellType(last);
  if (isListOfObjects || !isCellType(type)) {
    const named = getNamedType(type);
    return fail(
      `is an object. Use a column for each of its fields, such as ${text}.${isListOfObjects ? '0.' : ''}${isInputObjectType(named) ? Object.keys(named.getFields())[0] : ''}`,
    );
  }
  if (lookup !== undefined && getNamedType(type).name !== 'ID') return fail('isn’t a reference, so it can’t be looked up');
  return { path, type, ...(lookup !== undefined && { lookup }) };
}

/** Columns of the file aren't fields of the mutation. */
export class UnknownColumnsError extends StartError {}

/** Finds the input fields of columns, constants, and combined columns. Throws UnknownColumnsError if a column has none, unless it's that of the keys. */
export function resolveColumns(
  headers: readonly string[],
  keyColumn: string | undefined,
  map: ColumnMap,
  { input, match }: ImportMutation,
): readonly InputColumn[] {
  const missing = [...map.columns.keys()].find((header) => !headers.includes(header));
  if (missing !== undefined) throw new StartError(`The file has no column ${missing}, which --map names.`);
  const used = new Set([...map.combine.values()].flatMap(listHeaders));
  const unknown = [...used].find((header) => !headers.includes(header));
  if (unknown !== undefined)
    throw new StartError(`The file has no column ${unknown}, which combine of --map names. It has ${headers.join(', ')}.`);
  if (keyColumn !== undefined && !(keyColumn in input.getFields())) used.add(keyColumn);
  const own = headers.flatMap((header) => {
    const field = map.columns.has(header) ? map.columns.get(header) : used.has(header) ? null : header;
    return field === null || field === undefined ? [] : [{ header, field }];
  });
  const constants = [...map.constants].map(([field, constant]) => ({ header: field, field, constant }));
  const combined = [...map.combine].map(([field, template]) => ({ header: field, field, template }));
  const problems: string[] = [];
  const columns = [...own, ...constants, ...combined].flatMap(({ field, ...column }): InputColumn[] => {
    // Some are only known of existing records.
    if (match?.field === field && !(field in input.getFields())) return [createMatchColumn(column, match, false)];
    const found = resolveField(column.header, field, input);
    if (!('problem' in found)) return [{ ...column, ...found }];
    problems.push(found.problem);
    return [];
  });
  if (problems.length > 0)
    throw new UnknownColumnsError(
      `${problems.join('\n')}\nRename columns, or leave them out with --map: columns: { "Their header": null }`,
    );
  checkTargets(columns);
  checkPositions(columns);
  const withValues = addValues(columns, map);
  return match ? addMatchColumn(withValues, match) : withValues;
}

/** Adds the texts that replace cells. Throws StartError if they're of a column without a field. */
function addValues(columns: readonly InputColumn[], { values }: ColumnMap): readonly InputColumn[] {
  const unused = new Map(values);
  const changed = columns.map((column) => {
    const found = column.template === undefined && column.constant === undefined ? values.get(column.header) : undefined;
    if (!found) return column;
    unused.delete(column.header);
    return { ...column, values: found };
  });
  for (const header of unused.keys()) throw new StartError(`No column ${header} is imported to a field, but values of --map names it.`);
  return changed;
}

/** Throws StartError if two columns have the same field, because one of their values would be lost. */
function checkTargets(columns: readonly InputColumn[]): void {
  const headers = new Map<string, string>();
  for (const { header, path } of columns) {
    const field = path.join('.');
    const other = headers.get(field);
    if (other !== undefined)
      throw new StartError(
        `${other === header ? `--map names ${header} again` : `The columns ${other} and ${header} are both for ${field}`}. Leave one out with --map: columns: { ${JSON.stringify(header)}: null }`,
      );
    headers.set(field, header);
  }
}

/** Throws StartError if the items of a list aren't numbered from 0 without gaps, because each gap would be a null. */
function checkPositions(columns: readonly InputColumn[]): void {
  const prefixes = new Set(columns.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join('.'))));
  for (const { header, path } of columns)
    for (const [index, step] of path.entries()) {
      const list = path.slice(0, index).join('.');
      if (typeof step !== 'number' || step === 0 || prefixes.has(`${list}.${step - 1}`)) continue;
      throw new StartError(
        `The column ${header} is for item ${step} of ${list}, but no column is for ${list}.${step - 1}. Number the items from 0.`,
      );
    }
}

const HEADER = /\{([^{}]+)\}/g;

const listHeaders = (template: string): readonly string[] => [...template.matchAll(HEADER)].map(([, name = '']) => name);

/** What a row has for a column. */
export interface ColumnCell {
  /** Without white space at its ends. Empty if there's none. */
  readonly text: string;
  /** Whether the text is in the standard notation, whatever the notation of its column is: constants, values of the map, and what isn't a text in a workbook. */
  readonly isStandard: boolean;
  /** Why it can't be read, as a sentence. */
  readonly failure?: string | undefined;
}

/** Reads what a row with cells has for a column. */
export function readCell({ header, template, constant, values }: InputColumn, { cells, sheetCells }: TableRow): ColumnCell {
  if (constant !== undefined) return { text: constant, isStandard: true };
  const read = (name: string) => cells?.get(name) ?? '';
  const text = (template === undefined ? read(header) : template.replaceAll(HEADER, (_, name: string) => read(name))).trim();
  const value = values?.get(text);
  if (value !== undefined) return { text: value, isStandard: true };
  if (!sheetCells) return { text, isStandard: false };
  const headers = template === undefined ? [header] : listHeaders(template);
  return {
    text,
    isStandard: headers.some((name) => sheetCells.typed.has(name)),
    failure: headers.map((name) => sheetCells.failures.get(name)).find((failure) => failure !== undefined),
  };
}

/** Writes a value into an input. Creates the objects and lists that contain it. */
export function setAt(target: Record<string | number, unknown>, path: readonly (string | number)[], value: unknown): void {
  const [step = '', ...rest] = path;
  if (rest.length === 0) target[step] = value;
  else {
    target[step] ??= typeof rest[0] === 'number' ? [] : {};
    setAt(target[step] as Record<string | number, unknown>, rest, value);
  }
}
