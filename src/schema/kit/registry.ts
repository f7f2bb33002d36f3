import type { ObjectRef } from '@pothos/core';
import type { GraphQLNamedType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { Types } from './builder.ts';
import { getCanonicalName } from './typeNames.ts';

/** An object that has an id of its own, can be read by it, and is an entity of the supergraph. */
export interface Entity<RecordShape extends object> {
  readonly name: string;
  readonly ref: ObjectRef<Types, RecordShape>;
  /** The members of the record that identify it: its id, or several that do so together. */
  readonly key: readonly string[];
  /** The operation that reads it. */
  readonly operation: AnyOperation;
  /** Fields that a mutation's answer may tell without the record, each with the member that it shows. */
  readonly knownFields: KnownFields<RecordShape>;
  readonly getId: (record: RecordShape) => string;
  /** An object that knows its id and nothing else. */
  readonly createStub: (id: string) => RecordShape;
  /** Reads the record, once per request. Null when there is none. */
  readonly load: (id: string, context: Context) => Promise<RecordShape | null>;
  /** The version of a record; null when it tells none, or has no versions. */
  readonly getVersion: (record: RecordShape) => string | null;
  readonly state: RecordState<RecordShape> | undefined;
  /** Hands a whole record to the loader, so that nobody asks for it again. */
  readonly prime: (record: RecordShape, context: Context) => void;
  /** The object that a supergraph refers to by either key. Rejects alone: a throw would fail every reference of the request. */
  readonly resolveReference: (reference: Reference, context: Context, info: GraphQLResolveInfo) => Promise<RecordShape | null>;
}

/** The state that decides which steps a record may take. */
export interface RecordState<RecordShape extends object> {
  /** In the upstream's word. */
  readonly getStatus: (record: RecordShape) => string | undefined;
  /** Whether the contract says that no step is for a record of this state any more. */
  readonly isTerminal?: (record: RecordShape) => boolean;
}

/** A record as a supergraph knows it: the name of its type, and either key. */
export interface Reference {
  readonly __typename?: unknown;
  readonly id?: unknown;
  readonly rawId?: unknown;
}

export type KnownFields<RecordShape extends object = object> = Readonly<Record<string, keyof RecordShape & string>>;

const entitiesByName = new Map<string, Entity<object>>();

/** Enters an entity into the registry, from which mutations, `node` and supergraphs find it by the name of its type. */
export const registerEntity = <RecordShape extends object>(entity: Entity<RecordShape>): void =>
  void entitiesByName.set(entity.name, entity as unknown as Entity<object>);

/** The entity of this name in the code; undefined for other types. */
export const getEntityByName = (name: string): Entity<object> | undefined => entitiesByName.get(name);

/** The entity that a type of a schema shows, whatever the deployment calls it; undefined for other types. */
export const getEntityOfType = (type: GraphQLNamedType): Entity<object> | undefined => getEntityByName(getCanonicalName(type));

const typesByRecord = new Map<string, ObjectRef<Types, object>>();

/** Enters the type that shows a record of the contract. */
export const registerType = <RecordShape extends object>(record: string, ref: ObjectRef<Types, RecordShape>): void =>
  void typesByRecord.set(record, ref as unknown as ObjectRef<Types, object>);

/** The type that shows a record of the contract. Fails while none is declared: import the file of `src/schema` that does. */
export function getRecordType(record: string): ObjectRef<Types, object> {
  const ref = typesByRecord.get(record);
  if (!ref) throw new Error(`No type represents ${record} yet. Import the schema that declares it before the one that returns it.`);
  return ref;
}
