import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { Field, MessageFields } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';

/** Ids, or texts, of one kind that are kept. Ours: an owner without rows is followed by another one. */
const MAX_KEPT = 5;

/** Fields of requests that take text of a record which is no id: an email address, the value of an identifier. */
const takesText = (name: string, { kind, refers }: Field, { exactlyOne = [] }: MessageFields, isRequired: boolean) =>
  kind === 'string' && refers === undefined && (isRequired || exactlyOne.includes(name));

/** The names of the texts that reads take. */
export function textsTaken(operations: readonly AnyOperation[]): ReadonlySet<string> {
  return new Set(
    operations.flatMap(({ request }) =>
      Object.entries(request.fields).flatMap(([name, field]) => (takesText(name, field, request, field.required === true) ? [name] : [])),
    ),
  );
}

/** Pool of ids by the type of their record, and of texts by the name of their member, from which requests are made. Nothing of it is told. */
export class Pool {
  readonly #texts: ReadonlySet<string>;
  readonly #ids = new Map<string, Set<string>>();
  readonly #values = new Map<string, Set<string>>();

  constructor(texts: ReadonlySet<string>) {
    this.#texts = texts;
  }

  /** Takes what an answer holds: ids of rows before those that rows refer to, since the latter may be of records that the key does not see. */
  add(message: MessageFields, json: JsonObject): void {
    for (const [name, field] of Object.entries(message.fields)) {
      const value = json[name];
      for (const each of Array.isArray(value) ? value : [value]) this.#addEntry(name, field, each);
    }
  }

  #addEntry(name: string, { refers, kind, message }: Field, value: unknown): void {
    if (message && isJsonObject(value)) this.add(message, value);
    if (kind !== 'string' || typeof value !== 'string' || value === '') return;
    if (refers !== undefined) keep(this.#ids, refers, value);
    else if (this.#texts.has(name)) keep(this.#values, name, value);
  }

  idsOf(type: string): readonly string[] {
    return [...(this.#ids.get(type) ?? [])];
  }

  textsOf(name: string): readonly string[] {
    return [...(this.#values.get(name) ?? [])];
  }
}

function keep(into: Map<string, Set<string>>, name: string, value: string): void {
  const kept = into.get(name) ?? new Set();
  if (kept.size < MAX_KEPT) into.set(name, kept.add(value));
}
