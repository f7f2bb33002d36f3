import { getNullableType } from 'graphql';
import { StartError } from '../../src/lib/startup.ts';
import type { InputColumn } from './columns.ts';
import type { ImportMutation } from './mutations.ts';

/** Fields that identify one record, by the mutation that creates it. Its fields are also those of the update, except for custom fields. */
const UNIQUE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  contactCreate: ['email'],
  customerCreate: ['email', 'referenceNumber'],
  productCreate: ['sku'],
  roleCreate: ['name'],
  teamCreate: ['name'],
};

/** What the records of a mutation can be matched by. */
export const listMatchFields = (create: string): readonly string[] => UNIQUE_FIELDS[create] ?? [];

/** How rows whose record exists become updates. */
export interface Match {
  /** What records are looked up by. */
  readonly field: string;
  readonly update: ImportMutation;
  /** The field of the update that has the ID. */
  readonly idField: string;
}

/** Finds the mutation that updates the records which another one creates. Throws StartError if they can't be matched by the field. */
export function createMatch(create: string, field: string, requireUpdate: (name: string) => ImportMutation): Match {
  const fields = UNIQUE_FIELDS[create];
  if (!fields) throw new StartError(`--match can’t be used with ${create}, but with ${Object.keys(UNIQUE_FIELDS).join(', ')}.`);
  if (!fields.includes(field))
    throw new StartError(`Records of ${create} can’t be matched by ${field}. Match them by ${fields.join(' or ')}.`);
  const entity = create.replace(/Create$/, '');
  return { field, update: requireUpdate(`${entity}Update`), idField: `${entity}Id` };
}

/** The mutation of a row: the update if the input has the ID of a record. */
export const chooseMutation = (mutation: ImportMutation, input: Readonly<Record<string, unknown>>): ImportMutation =>
  mutation.match && mutation.match.idField in input ? mutation.match.update : mutation;

/** The text of a matched column, as it's compared: email addresses, SKUs, and names of roles that differ in case are the same. */
export const normalizeMatch = (text: string): string => text.toLowerCase();

/** A column for the IDs of matched records. `column` has what they're looked up by. Rows without a record are created if `isOptional`. */
export function createMatchColumn(
  column: Omit<InputColumn, 'path' | 'type'>,
  { field, update, idField }: Match,
  isOptional: boolean,
): InputColumn {
  const type = update.input.getFields()[idField]?.type;
  if (!type) throw new Error(`${update.name} has no ${idField}.`);
  return { ...column, path: [idField], type: getNullableType(type), lookup: field, isOptional };
}

/** Adds the column of the records' IDs. Throws StartError if a column can't be updated, or if none is matched. */
export function addMatchColumn(columns: readonly InputColumn[], match: Match): readonly InputColumn[] {
  const { field, update, idField } = match;
  const fixed = columns.find(({ path }) => !(String(path[0]) in update.input.getFields()));
  if (fixed)
    throw new StartError(
      `The column ${fixed.header} can’t be imported with --match, because ${update.name} has no ${fixed.path[0]}. Import it separately.`,
    );
  if (columns.some(({ path }) => path[0] === idField)) return columns;
  const column = columns.find(({ path }) => path.length === 1 && path[0] === field);
  if (!column) throw new StartError(`No column is for ${field}, which --match names.`);
  return [...columns, createMatchColumn(column, match, true)];
}
