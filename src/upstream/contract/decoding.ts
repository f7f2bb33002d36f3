import { isJsonObject } from '../../lib/json.ts';
import type { AnyOperation } from './operation.ts';

// Helpers of the generated decoders, which convert proto3 JSON, with or without default values, to complete records: see
// docs/decisions/0025-one-shape-behind-the-transport.md.

type Absent = null | undefined;

/** The value of an absent list. Shared by all records. */
export const NO_ITEMS: readonly never[] = Object.freeze([]);

/** The value of an absent map. Shared by all records. */
export const NO_ENTRIES: Readonly<Record<string, never>> = Object.freeze({});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a 64-bit integer as a decimal string, also if the upstream sends it as a number. Other values are returned unchanged. */
export function int64(value: string | number | Absent): string {
  if (typeof value === 'string') return value;
  return optionalInt64(value) ?? '0';
}

/** Like `int64`, but undefined if the value is absent. */
export function optionalInt64(value: string | number | Absent): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  // A larger number may have lost digits, and a fraction isn't an integer. Both are left to the field that returns them.
  return Number.isSafeInteger(value) ? String(value) : (value as unknown as string);
}

/** Decodes a nested message. Undefined if it's absent. A value that isn't an object is returned unchanged. */
export function message<Json extends object, Message>(value: Json | Absent, decode: (json: Json) => Message): Message | undefined {
  if (isObject(value)) return decode(value);
  return value === null ? undefined : value;
}

/** Decodes a list of messages. Empty if it's absent. A value that isn't a list, and items that aren't objects, are returned unchanged. */
export function list<Json extends object, Message>(value: readonly Json[] | Absent, decode: (json: Json) => Message): readonly Message[] {
  if (value === undefined || value === null) return NO_ITEMS;
  if (!Array.isArray(value)) return value as never;
  const messages: Message[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const item: Json = value[index];
    messages.push(isObject(item) ? decode(item) : item);
  }
  return messages;
}

function omitPath(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => omitPath(each, [name, ...rest]));
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? others : { ...others, [name]: omitPath(inner, rest) };
}

/** Returns a response without the members that let anyone who has them act, so that it can be stored or logged. */
export const omitSecrets = <Response extends object>(response: Response, { sensitive = [] }: AnyOperation): Response =>
  sensitive.reduce<unknown>((result, path) => omitPath(result, path.split('.')), response) as Response;
