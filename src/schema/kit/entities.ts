import type { InterfaceRef, ObjectFieldsShape, ObjectRef } from '@pothos/core';
import type { GraphQLNamedType, GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { ApiError, invalidInput, NotFoundError, UpstreamInvalidError } from '../../failures.ts';
import type { Loader } from '../../loaders/loader.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { builder, type Types } from './builder.ts';
import { ID_DESCRIPTION, RAW_ID_DESCRIPTION, toGlobalId, toRawId } from './globalIds.ts';
import { needOf } from './lookahead.ts';
import type { RecordFields } from './records.ts';
import { ownNameOf, typeOwnNamed } from './typeNames.ts';

/** An object that has an id of its own, can be read by it, and is an entity of the supergraph. */
export interface Entity<RecordShape extends object> {
  readonly name: string;
  readonly ref: ObjectRef<Types, RecordShape>;
  /** The member of the record that is its id. */
  readonly key: string;
  /** The operation that reads it. */
  readonly operation: AnyOperation;
  /** Fields that a mutation's answer may tell without the record, each with the member that it shows. */
  readonly told: Told<RecordShape>;
  readonly idOf: (record: RecordShape) => string;
  /** An object that knows its id and nothing else. */
  readonly stub: (id: string) => RecordShape;
  /** Reads the record, once per request. Null when there is none. */
  readonly load: (id: string, context: Context) => Promise<RecordShape | null>;
  /** Hands a whole record to the loader, so that nobody asks for it again. */
  readonly prime: (record: RecordShape, context: Context) => void;
  /** The object that a supergraph refers to by either key. Rejects alone: a throw would fail every reference of the request. */
  readonly resolveReference: (reference: Reference, context: Context, info: GraphQLResolveInfo) => Promise<RecordShape | null>;
}

/** A record as a supergraph knows it: the name of its type, and either key. */
export interface Reference {
  readonly __typename?: unknown;
  readonly id?: unknown;
  readonly rawId?: unknown;
}

export type Told<RecordShape extends object = object> = Readonly<Record<string, keyof RecordShape & string>>;

interface EntityOptions<RecordShape extends object> {
  /** The record that it shows. */
  readonly record: RecordFields<RecordShape>;
  readonly description: string;
  readonly operation: AnyOperation;
  readonly loader: (context: Context) => Loader<RecordShape>;
  /** The member of the record that is its id. */
  readonly key: keyof RecordShape & string;
  readonly fields: ObjectFieldsShape<Types, RecordShape>;
  /** Loaders of other entities that show the same record. */
  readonly alsoPrimes?: readonly ((context: Context) => Loader<RecordShape>)[];
  /** Further than `Node`: the fields of these are its own to declare. */
  readonly interfaces?: readonly InterfaceRef<Types, RecordShape>[];
  /** For records that mutations answer in part; see `partial`. */
  readonly told?: Told<RecordShape>;
}

/** The keys that supergraphs refer to an entity by. */
const KEY_DIRECTIVES = ['id', 'rawId'].map((fields) => ({ name: 'key', args: { fields } }));

const declared = new Map<string, Entity<object>>();

/** The entity of this name in the code; undefined for other types. */
export const entityNamed = (name: string): Entity<object> | undefined => declared.get(name);

/** The entity that a type of a schema shows, whatever the deployment calls it; undefined for other types. */
export const entityOf = (type: GraphQLNamedType): Entity<object> | undefined => entityNamed(ownNameOf(type));

const typeNamed = (info: GraphQLResolveInfo, name: string) => typeOwnNamed(info.schema, name) as GraphQLObjectType;

/** The raw id in a reference, by whichever of its keys it has. */
function keyOf(name: string, { id, rawId }: Reference): string {
  const read = (key: string, value: unknown) => {
    if (typeof value === 'string' && value.trim() !== '') return key === 'rawId' ? value : toRawId(name, value, [key]);
    throw invalidInput([key], 'INVALID_FORMAT', `must be the ${key} of a ${name}, as text.`);
  };
  if (rawId === undefined || rawId === null) return read('id', id);
  const found = read('rawId', rawId);
  if (id !== undefined && id !== null && read('id', id) !== found)
    throw invalidInput(['id'], 'NOT_ALLOWED', `must name the same ${name} as \`rawId\`.`);
  return found;
}

/** Declares an entity. It comes with `id`, `rawId`, `node`, both federation keys, and its place in the loaders. */
export function entity<RecordShape extends object>(name: string, options: EntityOptions<RecordShape>): Entity<RecordShape> {
  const { record: shape, operation, loader, key, told, interfaces = [], alsoPrimes = [] } = options;
  const ref = builder.objectRef<RecordShape>(name);
  const idOf = (record: RecordShape) => {
    const id = record[key];
    if (typeof id === 'string' && id !== '') return id;
    throw new UpstreamInvalidError(`a ${name} has no ${key}`);
  };
  const stub = (id: string) => ({ [key]: id }) as RecordShape;
  const load = (id: string, context: Context) => loader(context).load(id);
  const primed = [loader, ...alsoPrimes];

  // Not `builder.node`: its ids are promises, of which a page would make hundreds.
  const { extensions, ...shown } = shape.shown(options);
  builder.objectType(ref, {
    ...shown,
    interfaces: [builder.nodeInterfaceRef(), ...interfaces],
    extensions: { ...extensions, operation, directives: KEY_DIRECTIVES, ...(told && { told }) },
  });
  builder.objectFields(ref, (t) => ({
    id: t.id({
      description: ID_DESCRIPTION,
      nullable: false,
      resolve: (record) => toGlobalId(name, idOf(record)),
    }),
    rawId: t.id({
      description: RAW_ID_DESCRIPTION,
      nullable: false,
      resolve: idOf,
    }),
  }));

  const made: Entity<RecordShape> = {
    name,
    ref,
    key,
    operation,
    told: told ?? {},
    idOf,
    stub,
    load,
    prime: (record, context) => {
      for (const each of primed) each(context).prime(String(record[key] ?? ''), record);
    },
    resolveReference: async (reference, context, info) => {
      const found = keyOf(name, reference);
      return needOf(info, typeNamed(info, name)) === 'record' ? load(found, context) : stub(found);
    },
  };
  declared.set(name, made as unknown as Entity<object>);
  return made;
}

/**
 * The object behind an id: a stub when its keys serve the selection, else the record. Null when there is none. Lists of thousands of edges come
 * here: what is known at once is answered at once.
 */
export function follow<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string | null | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape | null> | RecordShape | null {
  if (!id) return null;
  if (needOf(info, typeNamed(info, target.name)) !== 'record') return target.stub(id);
  const asked = context.upstream.requireScopes(target.operation);
  return asked ? asked.then(() => target.load(id, context)) : target.load(id, context);
}

/** As `follow`, for an id that always has its record: fails with NotFoundError when it cannot be found, in a list that is cut off for example. */
export function followRequired<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> | RecordShape {
  const mustBe = (record: RecordShape | null) => {
    if (record) return record;
    throw new NotFoundError(`The ${target.name} ${id} cannot be found.`, id);
  };
  const found = follow(target, id, context, info);
  return found instanceof Promise ? found.then(mustBe) : mustBe(found);
}

/**
 * The object that a caller names. Unlike an edge it is read even when only keys are asked for, since that asks whether it exists; edges
 * that the id alone serves need no reading.
 */
export async function find<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape | null> {
  const rawId = toRawId(target.name, id, ['id']);
  if (needOf(info, typeNamed(info, target.name)) === 'edges') return target.stub(rawId);
  await context.upstream.requireScopes(target.operation);
  return target.load(rawId, context);
}

/** Why records were not read that are shown as far as they were told. */
const failures = new WeakMap<object, ApiError>();

/** Why a field of a record cannot be shown: the record was told in part, and could not be read. Undefined when the field is at hand. */
export const failureOf = (record: object, member: string | undefined): ApiError | undefined =>
  member !== undefined && (record as Readonly<Record<string, unknown>>)[member] !== undefined ? undefined : failures.get(record);

/**
 * The object of which an answer told some members only: as it was told when they, its keys and edges that its id serves are all that is asked for, else
 * its record. A key that may do something need not be one that may read: where the record cannot be read, the object is shown as it was told, and
 * each other field fails by itself.
 */
export async function partial<RecordShape extends object>(
  target: Entity<RecordShape>,
  told: RecordShape,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> {
  const fields = Object.keys(target.told).filter((field) => told[target.told[field] as keyof RecordShape] !== undefined);
  if (needOf(info, typeNamed(info, target.name), fields) !== 'record') return told;
  try {
    await context.upstream.requireScopes(target.operation);
    return await mustLoad(target, target.idOf(told), context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const shown = { ...told };
    failures.set(shown, error);
    return shown;
  }
}

/**
 * The object of an answer that may be out of date: its record as it is now, read when more than its keys is asked for, since clients keep what
 * they are told. As it was answered where it cannot be read: a key that may change a record need not be one that may read it.
 */
export async function anew<RecordShape extends object>(
  target: Entity<RecordShape>,
  answered: RecordShape,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> {
  const id = target.idOf(answered);
  if (needOf(info, typeNamed(info, target.name)) !== 'record') return target.stub(id);
  try {
    await context.upstream.requireScopes(target.operation);
    return await mustLoad(target, id, context);
  } catch (error) {
    if (error instanceof ApiError) return answered;
    throw error;
  }
}

/** The record of an id; fails with NotFoundError when there is none. */
export async function mustLoad<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
): Promise<RecordShape> {
  const record = await target.load(id, context);
  if (!record) throw new NotFoundError(`There is no ${target.name} ${id}.`, id);
  return record;
}
