import { requireObjects } from '../bulk/graphResponse.ts';
import type { Pacer } from '../bulk/pacer.ts';

/** A custom field of the workspace. */
export interface CustomField {
  readonly name: string;
  readonly kind: string;
  /** The values of a field of the kind `SELECT`. */
  readonly options: readonly string[];
}

/** Members of `CustomFieldValueInput` by the kind of the custom field, if a cell can have its value. */
export const VALUE_MEMBERS: Readonly<Record<string, string>> = {
  TEXT: 'text',
  SELECT: 'text',
  NUMBER: 'number',
  BOOLEAN: 'boolean',
  DATE: 'date',
  MONEY: 'money',
};

/** Reads the custom fields of the workspace. */
export async function readCustomFields(pacer: Pacer): Promise<readonly CustomField[]> {
  const { data } = await pacer.request('{ customFieldDefinitions { name kind options } }', {}, { calls: 1, depth: 1 });
  return requireObjects(data.customFieldDefinitions, 'customFieldDefinitions').map(({ name, kind, options }) => ({
    name: String(name),
    kind: String(kind),
    options: Array.isArray(options) ? options.map(String) : [],
  }));
}
