import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import type { MessageField, MessageFields } from '../../src/upstream/contract/fields.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';

/** Maximum number of IDs or strings per kind. Chosen: if an owner has no rows, others are tried. */
const MAX_VALUES = 5;

/** Whether a request field requires a string of a record that isn't an ID, such as an email address or the value of an identifier. */
const isTextField = (name: string, { kind, refers }: MessageField, { exactlyOne = [] }: MessageFields, isRequired: boolean) =>
  kind === 'string' && refers === undefined && (isRequired || exactlyOne.includes(name));

/** The names of the string fields that reads require. */
export function listTextFields(operations: readonly AnyOperation[]): ReadonlySet<string> {
  return new Set(
    operations.flatMap(({ request }) =>
      Object.entries(request.fields).flatMap(([name, field]) => (isTextField(name, field, request, field.required === true) ? [name] : [])),
    ),
  );
}

/** IDs by record type and strings by field name, from which requests are created. A report never contains them. */
export class Pool {
  readonly #texts: ReadonlySet<string>;
  readonly #ids = new Map<string, Set<string>>();
  readonly #values = new Map<string, Set<string>>();

  constructor(texts: ReadonlySet<string>) {
    this.#texts = texts;
  }

  /**
   * Adds the values of a response. IDs of rows come before the IDs that the rows refer to, because those can belong to records that aren't visible to the key.
   */
  add(message: MessageFields, json: JsonObject): void {
    for (const [name, field] of Object.entries(message.fields)) {
      const value = json[name];
      for (const each of Array.isArray(value) ? value : [value]) this.#addEntry(name, field, each);
    }
  }

  #addEntry(name: string, { refers, kind, message }: MessageField, value: unknown): void {
    if (message && isJsonObject(value)) this.add(message, value);
    if (kind !== 'string' || typeof value !== 'string' || value === '') return;
    if (refers !== undefined) addValue(this.#ids, refers, value);
    else if (this.#texts.has(name)) addValue(this.#values, name, value);
  }

  getIds(type: string): readonly string[] {
    return [...(this.#ids.get(type) ?? [])];
  }

  getTexts(name: string): readonly string[] {
    return [...(this.#values.get(name) ?? [])];
  }
}

function addValue(map: Map<string, Set<string>>, name: string, value: string): void {
  const values = map.get(name) ?? new Set();
  if (values.size < MAX_VALUES) map.set(name, values.add(value));
}
