import { invalidInput } from '../../failures/failures.ts';

const TYPE_AND_ID = /^([A-Z][A-Za-z]*):(.+)$/s;

/** The longest id that is looked into, in characters. Ours: those of the upstream have 36, which makes a global id of some 80. */
const MAX_LENGTH = 1_000;

/** Descriptions of the two ids of an object, wherever they are shown. */
export const ID_DESCRIPTION = 'Global ID of the object, unique across all types.';
/** For types that aren't nodes: the upstream has no operation that returns one by ID. */
export const UNRESOLVABLE_ID_DESCRIPTION = `${ID_DESCRIPTION} Identifies the object in client caches; \`node\` doesn’t accept it.`;
export const RAW_ID_DESCRIPTION = 'ID of the record in the Workspace API and its exports.';

/** The id that is unique over all types: base64url of `Type:rawId`. */
export const toGlobalId = (type: string, rawId: string): string => Buffer.from(`${type}:${rawId}`).toString('base64url');

/** The owner's type of each type whose raw ids are unique only within their owner. */
const owners = new Map<string, string>();

/** Says that the raw ids of a type are unique only within their owner: its global ids are `Type:<owner>/<rawId>`. */
export const declareOwner = (type: string, owner: string): void => void owners.set(type, owner);

/** The type within which the raw ids of a type are unique; undefined when they are unique in the workspace. */
export const getOwnerType = (type: string): string | undefined => owners.get(type);

/** Several ids as one, which `readJointId` takes apart. */
export const joinIds = (ids: readonly string[]): string => ids.map((id) => id.replace(/[%/]/g, encodeURIComponent)).join('/');

/** The global id of what several raw ids identify together, such as a line within its order. */
export const toCompositeId = (type: string, rawIds: readonly string[]): string => toGlobalId(type, joinIds(rawIds));

/** The ids that were joined. */
export const splitIds = (id: string): string[] => id.split('/').map((rawId) => rawId.replace(/%2F|%25/g, decodeURIComponent));

/** Takes a global id apart; null for anything else, such as a raw id. */
export function decodeGlobalId(id: string): { readonly typename: string; readonly id: string } | null {
  if (id.length > MAX_LENGTH || !/^[\w-]+=*$/.test(id)) return null;
  const bytes = Buffer.from(id, 'base64url');
  // A raw id that happens to be base64 decodes to something that does not encode back, or has no type in front.
  if (bytes.toString('base64url') !== id.replace(/=+$/, '')) return null;
  const [, typename, rawId] = TYPE_AND_ID.exec(bytes.toString('utf8')) ?? [];
  return typename && rawId ? { typename, id: rawId } : null;
}

/** Prefixes a name with its indefinite article: `an Order`. */
export const withArticle = (type: string) => `${/^[AEIOU]/i.test(type) ? 'an' : 'a'} ${type}`;

/** The record that an id argument names. */
interface DecodedId {
  readonly rawId: string;
  /** The raw id of its owner, where the id tells. */
  readonly owner?: string;
}

function decodeId(type: string, id: string, path: readonly string[]): DecodedId {
  if (id.length > MAX_LENGTH)
    throw invalidInput(
      path,
      'TOO_LONG',
      `must be ${withArticle(type)} ID of at most ${MAX_LENGTH} characters, but has ${id.length}.`,
      MAX_LENGTH,
    );
  if (id.trim() === '') throw invalidInput(path, 'BLANK', `must be ${withArticle(type)} ID, but is blank.`);
  const global = decodeGlobalId(id);
  if (!global) return { rawId: id };
  if (global.typename !== type)
    throw invalidInput(path, 'NOT_ALLOWED', `must be ${withArticle(type)} ID, but is ${withArticle(global.typename)} ID.`);
  if (!owners.has(type)) return { rawId: global.id };
  const [owner, rawId, ...more] = splitIds(global.id);
  if (!owner || !rawId || more.length > 0) throw invalidInput(path, 'INVALID_FORMAT', `must be ${withArticle(type)} ID.`);
  return { rawId, owner };
}

/** The upstream's id for an id argument, which may be global or raw. Fails with ValidationError when it is blank, too long, or of another type. */
export const toRawId = (type: string, id: string, path: readonly string[]): string => decodeId(type, id, path).rawId;

/**
 * The input with its ids made raw. `types` names the type of each id by its path, such as `customerId` or `lines.productId`; lists on the
 * way are gone through. Fails with ValidationError when an id carries another owner than the input names.
 */
export function withRawIds<Input extends object>(input: Input, types: Readonly<Record<string, string>>): Input {
  const owned: OwnedId[] = [];
  const raw = Object.entries(types).reduce((result, [path, type]) => replaceId(result, path.split('.'), type, [], owned) as Input, input);
  for (const { type, owner, path } of owned) {
    const [name] = Object.entries(types).find(([, each]) => each === owners.get(type)) ?? [];
    const given = name === undefined ? undefined : (raw as Readonly<Record<string, unknown>>)[name];
    if (typeof given === 'string' && given !== owner)
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
  /** The name of its type. */
  readonly type: string;
  readonly id: string;
  /** Where it stands, from the outermost field in. */
  readonly path: readonly string[];
}

/** The ids in an input, by the types that `withRawIds` takes. */
export const listInputIds = (input: object, types: Readonly<Record<string, string>>): InputId[] =>
  Object.entries(types).flatMap(([path, type]) => collectIds(input, path.split('.'), type, []));

function collectIds(value: unknown, steps: readonly string[], type: string, path: readonly string[]): InputId[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => collectIds(entry, steps, type, [...path, String(index)]));
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === 'string' ? [{ type, id: value, path }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return collectIds((value as Record<string, unknown>)[step], rest, type, [...path, step]);
}

/** An id in an input that carries its owner's. */
interface OwnedId {
  readonly type: string;
  readonly owner: string;
  readonly path: readonly string[];
}

/** `owned` takes up the ids that carry their owner's. */
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
