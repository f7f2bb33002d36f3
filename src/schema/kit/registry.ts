import type { ObjectRef } from '@pothos/core';
import type { GraphQLNamedType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { Types } from './builder.ts';

/** An object type with its own ID that can be read by ID, and that is an entity of the supergraph. */
export interface Entity<RecordShape extends object> {
  readonly name: string;
  readonly ref: ObjectRef<Types, RecordShape>;
  /** Members of the record that identify it. */
  readonly key: readonly string[];
  /** Operation that reads the record. */
  readonly operation: AnyOperation;
  /** Fields that a mutation's response may contain without the full record, with the member that each exposes. */
  readonly knownFields: KnownFields<RecordShape>;
  readonly getId: (record: RecordShape) => string;
  /** Creates an object that contains only its ID. */
  readonly createStub: (id: string) => RecordShape;
  /** Reads the record, once per request. Null if it doesn't exist. */
  readonly load: (id: string, context: Context) => Promise<RecordShape | null>;
  /** Returns the version of a record. Null if it has none. */
  readonly getVersion: (record: RecordShape) => string | null;
  readonly state: RecordState<RecordShape> | undefined;
  /** Adds a complete record to the loader's cache, so that it isn't read again. */
  readonly prime: (record: RecordShape, context: Context) => void;
  /** Resolves a federation reference by either key. Returns a rejected promise on failure: a throw would fail every reference of the request. */
  readonly resolveReference: (reference: Reference, context: Context, info: GraphQLResolveInfo) => Promise<RecordShape | null>;
}

/** The status that determines which transitions a record allows. */
export interface RecordState<RecordShape extends object> {
  /** Returns the upstream's value of the status. */
  readonly getStatus: (record: RecordShape) => string | undefined;
  /** Whether the record's status allows no further transitions, according to the contract. */
  readonly isTerminal?: (record: RecordShape) => boolean;
}

/** A federation reference: the name of a type and either key. */
export interface Reference {
  readonly __typename?: unknown;
  readonly id?: unknown;
  readonly rawId?: unknown;
}

export type KnownFields<RecordShape extends object = object> = Readonly<Record<string, keyof RecordShape & string>>;

const entitiesByName = new Map<string, Entity<object>>();

/** Registers an entity, so that mutations, `node` and supergraphs find it by the name of its type. */
export const registerEntity = <RecordShape extends object>(entity: Entity<RecordShape>): void =>
  void entitiesByName.set(entity.name, entity as unknown as Entity<object>);

/** Looks up an entity by its type's name in the code. Undefined for other types. */
export const getEntityByName = (name: string): Entity<object> | undefined => entitiesByName.get(name);

/** Lists all entities that are registered so far. */
export const listEntities = (): readonly Entity<object>[] => [...entitiesByName.values()];

/** Returns the entity of a type. Undefined for other types. */
export const getEntityOfType = ({ extensions }: GraphQLNamedType): Entity<object> | undefined =>
  extensions.entity as Entity<object> | undefined;

const typesByRecord = new Map<string, ObjectRef<Types, object>>();

/** Registers the type that represents a record of the contract. */
export const registerType = <RecordShape extends object>(record: string, ref: ObjectRef<Types, RecordShape>): void =>
  void typesByRecord.set(record, ref as ObjectRef<Types, object>);

/** Returns the type that represents a record of the contract. Throws if none is defined yet: import the file of `src/schema` that defines it. */
export function getRecordType(record: string): ObjectRef<Types, object> {
  const ref = typesByRecord.get(record);
  if (!ref) throw new Error(`No type represents ${record} yet. Import the schema that declares it before the one that returns it.`);
  return ref;
}
