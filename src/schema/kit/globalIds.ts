import { invalidInput } from '../../failures/failures.ts';
import { countCharacters, isLongerThan } from '../../lib/characters.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';

const TYPE_AND_ID = /^([A-Z][A-Za-z]*):(.+)$/s;

/** Maximum length of an ID in characters. Chosen: upstream IDs have 36 characters, so their global IDs have about 80. */
export const MAX_ID_LENGTH = 1_000;

/** Descriptions of the ID fields of all types. */
export const ID_DESCRIPTION = 'Global ID of the object, unique across all types.';
/** For types that aren't nodes: the upstream has no operation that returns one by ID. */
export const UNRESOLVABLE_ID_DESCRIPTION = `${ID_DESCRIPTION} Identifies the object in client caches; \`node\` doesn’t accept it.`;
export const RAW_ID_DESCRIPTION = 'ID of the record in the Workspace API and its exports.';

/** Encodes an ID that is unique across all types: base64url of `Type:rawId`. */
export const toGlobalId = (type: string, rawId: string): string => Buffer.from(`${type}:${rawId}`).toString('base64url');

/** Owner types, by each type whose raw IDs are unique only within their owner. */
const owners = new Map<string, string>();

/** Declares that the raw IDs of a type are unique only within their owner. Its global IDs encode `Type:<owner>/<rawId>`. */
export const declareOwner = (type: string, owner: string): void => void owners.set(type, owner);

/** Returns the type within which raw IDs are unique. Undefined if they are unique in the workspace. */
export const getOwnerType = (type: string): string | undefined => owners.get(type);

/** Types that expose the same records as another type, by the name of that type, which lists all of them. */
const recordTypes = new Map<string, string>();

/** Declares that the records of a type are also those of another one, with the same raw IDs. Arguments accept the global IDs of both. */
export const declareSameRecords = (type: string, listed: string): void => void recordTypes.set(type, listed);

/** Returns the type whose global IDs identify a record in exports: of several types of a record, the one that lists all of them. */
export const getListedType = (type: string): string => recordTypes.get(type) ?? type;

/** Whether two types expose the same records. */
export const haveSameRecords = (one: string, other: string): boolean => getListedType(one) === getListedType(other);

/** Joins several IDs into one. `splitIds` reverses it. */
export const joinIds = (ids: readonly string[]): string => ids.map((id) => id.replace(/[%/]/g, encodeURIComponent)).join('/');

/** Encodes the global ID of an object that several raw IDs identify together, such as a line within its order. */
export const toCompositeId = (type: string, rawIds: readonly string[]): string => toGlobalId(type, joinIds(rawIds));

/** Splits the IDs that `joinIds` joined. */
export const splitIds = (id: string): string[] => id.split('/').map((rawId) => rawId.replace(/%2F|%25/g, decodeURIComponent));

/** Decodes a global ID. Null if it isn't one, as for a raw ID. */
export function decodeGlobalId(id: string): { readonly typename: string; readonly id: string } | null {
  if (id.length > MAX_ID_LENGTH || !/^[\w-]+=*$/.test(id)) return null;
  const bytes = Buffer.from(id, 'base64url');
  // A raw ID that happens to be base64 either doesn't round-trip or decodes to a string without a type.
  if (bytes.toString('base64url') !== id.replace(/=+$/, '')) return null;
  const [, typename, rawId] = TYPE_AND_ID.exec(decodeUtf8(bytes) ?? '') ?? [];
  return typename && rawId ? { typename, id: rawId } : null;
}

/** Prefixes a name with its indefinite article: `an Order`. */
export const withArticle = (type: string) => `${/^[AEIOU]/i.test(type) ? 'an' : 'a'} ${type}`;

/** The record that an ID argument refers to. */
interface DecodedId {
  readonly rawId: string;
  /** Raw ID of its owner, if the ID contains it. */
  readonly owner?: string;
}

function decodeId(type: string, id: string, path: readonly string[]): DecodedId {
  if (isLongerThan(id, MAX_ID_LENGTH))
    throw invalidInput(
      path,
      'TOO_LONG',
      `must be ${withArticle(type)} ID of at most ${MAX_ID_LENGTH} characters, but has ${countCharacters(id)}.`,
      MAX_ID_LENGTH,
    );
  if (id.trim() === '') throw invalidInput(path, 'BLANK', `must be ${withArticle(type)} ID, but is blank.`);
  const global = decodeGlobalId(id);
  if (!global) return { rawId: id };
  if (!haveSameRecords(global.typename, type))
    throw invalidInput(path, 'NOT_ALLOWED', `must be ${withArticle(type)} ID, but is ${withArticle(global.typename)} ID.`);
  if (!owners.has(type)) return { rawId: global.id };
  const [owner, rawId, ...more] = splitIds(global.id);
  if (!owner || !rawId || more.length > 0) throw invalidInput(path, 'INVALID_FORMAT', `must be ${withArticle(type)} ID.`);
  return { rawId, owner };
}

/** Converts an ID argument, global or raw, to the upstream's ID. Throws ValidationError if it's blank, too long, or of another type. */
export const toRawId = (type: string, id: string, path: readonly string[]): string => decodeId(type, id, path).rawId;

/**
 * Replaces the IDs of an input by raw IDs. `types` contains the type of each ID by its path, such as `customerId` or `lines.productId`, where lists need no
 * index. Throws ValidationError if an ID belongs to another owner than the one in the input.
 */
export function withRawIds<Input extends object>(input: Input, types: Readonly<Record<string, string>>): Input {
  const owned: OwnedId[] = [];
  const raw = Object.entries(types).reduce((result, [path, type]) => replaceId(result, path.split('.'), type, [], owned) as Input, input);
  for (const { type, owner, path } of owned) {
    const [name] = Object.entries(types).find(([, each]) => each === owners.get(type)) ?? [];
    const inputOwner = name === undefined ? undefined : (raw as Readonly<Record<string, unknown>>)[name];
    if (typeof inputOwner === 'string' && inputOwner !== owner)
      throw invalidInput(
        path,
        'NOT_ALLOWED',
        `must be the ID of ${withArticle(type)} that belongs to the ${owners.get(type)} in \`${name}\`, but belongs to another.`,
      );
  }
  return raw;
}

/** An id in an input. */
export interface InputId {
  /** Name of its type. */
  readonly type: string;
  readonly id: string;
  /** Path in the input, starting with the outermost field. */
  readonly path: readonly string[];
}

/** Lists the IDs of an input. `types` is the same as for `withRawIds`. */
export const listInputIds = (input: object, types: Readonly<Record<string, string>>): InputId[] =>
  Object.entries(types).flatMap(([path, type]) => collectIds(input, path.split('.'), type, []));

function collectIds(value: unknown, steps: readonly string[], type: string, path: readonly string[]): InputId[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => collectIds(entry, steps, type, [...path, String(index)]));
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === 'string' ? [{ type, id: value, path }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return collectIds((value as Record<string, unknown>)[step], rest, type, [...path, step]);
}

/** An ID of an input that contains the ID of its owner. */
interface OwnedId {
  readonly type: string;
  readonly owner: string;
  readonly path: readonly string[];
}

/** Adds IDs that contain their owner's ID to `owned`. */
function replaceId(value: unknown, steps: readonly string[], type: string, path: readonly string[], owned: OwnedId[]): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => replaceId(entry, steps, type, [...path, String(index)], owned));
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (typeof value !== 'string') return value;
    const { rawId, owner } = decodeId(type, value, path);
    if (owner !== undefined) owned.push({ type, owner, path });
    return rawId;
  }
  if (typeof value !== 'object' || value === null || !(step in value)) return value;
  return { ...value, [step]: replaceId((value as Record<string, unknown>)[step], rest, type, [...path, step], owned) };
}
