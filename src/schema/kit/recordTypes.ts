import type { FieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type ObjectFields, type Types } from './builder.ts';
import { declareOwner, RAW_ID_DESCRIPTION, toCompositeId, toGlobalId, UNRESOLVABLE_ID_DESCRIPTION } from './globalIds.ts';
import { OWNER, registerKey } from './parts.ts';
import { readIdMember } from './recordMembers.ts';
import { RecordFields } from './records.ts';
import { registerType } from './registry.ts';

export interface RecordOptions<RecordShape extends object> {
  /** Name of the record in the contract. */
  readonly record: string;
  readonly description: string;
  /** Fields of the type: `f` defines those that expose a member of the record, and `t` all others. */
  readonly fields: (f: RecordFields<RecordShape>, t: ObjectFields<RecordShape>) => FieldMap;
}

interface RecordTypeOptions<RecordShape extends object> extends RecordOptions<RecordShape> {
  /** The member with the raw ID, which adds `id` and `rawId`. Several members that identify a record together only add `id`. */
  readonly key?: (keyof RecordShape & string) | readonly (keyof RecordShape)[];
  /** Type of the record that contains it, if its raw ID is unique only within that record. `withOwner` sets the containing record. */
  readonly owner?: string;
}

/** Creates the Pothos options of an object type for a record. */
export function createObjectOptions<RecordShape extends object>({ record, description, fields }: RecordOptions<RecordShape>) {
  return {
    description,
    extensions: { record },
    fields: (t: ObjectFields<RecordShape>) => fields(new RecordFields(record, t), t),
  };
}

/** Defines an object type for a record that isn't an entity. */
export function defineRecordType<RecordShape extends object>(
  name: string,
  { key, owner, ...options }: RecordTypeOptions<RecordShape>,
): ObjectRef<Types, RecordShape> {
  const ref = builder.objectRef<RecordShape>(name);
  registerType(options.record, ref);
  if (owner) declareOwner(name, owner);
  if (key !== undefined) registerKey(name, [key].flat());
  return ref.implement(
    createObjectOptions({
      ...options,
      fields: (f, t) => ({ ...(key !== undefined && createIdFields(t, name, key, owner)), ...options.fields(f, t) }),
    }),
  );
}

/** Reads a member of a record's ID. Fails if it's missing. */
type IdReader<RecordShape> = (record: RecordShape, args: object, context: object, info: GraphQLResolveInfo) => string;

/** Creates `id`, and `rawId` if the key is a single member. */
function createIdFields<RecordShape extends object>(
  t: ObjectFields<RecordShape>,
  name: string,
  key: (keyof RecordShape & string) | readonly (keyof RecordShape)[],
  owner: string | undefined,
): FieldMap {
  const options = { description: UNRESOLVABLE_ID_DESCRIPTION, nullable: false as const };
  const createCompositeId =
    (members: readonly (keyof RecordShape)[]): IdReader<RecordShape> =>
    (record, _args, _context, info) =>
      toCompositeId(
        name,
        members.map((member) => readIdMember(record, member, info)),
      );
  if (typeof key !== 'string') return { id: t.id({ ...options, resolve: createCompositeId(key) }) };
  const rawId: IdReader<RecordShape> = (record, _args, _context, info) => readIdMember(record, key, info);
  return {
    id: t.id({
      ...options,
      resolve: owner ? createCompositeId([OWNER as keyof RecordShape, key]) : (...args) => toGlobalId(name, rawId(...args)),
    }),
    rawId: t.id({ description: RAW_ID_DESCRIPTION, nullable: false, resolve: rawId }),
  };
}
