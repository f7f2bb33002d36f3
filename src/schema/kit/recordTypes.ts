import type { FieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type ObjectFields, type Types } from './builder.ts';
import { declareOwner, RAW_ID_DESCRIPTION, toGlobalId, toJointId, UNRESOLVABLE_ID_DESCRIPTION } from './globalIds.ts';
import { declareKey, OWNER } from './parts.ts';
import { rawRecord } from './rawRecords.ts';
import { idMember } from './recordMembers.ts';
import { RecordFields, recordNamed } from './records.ts';
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
  /** The type of the record that it belongs to, if its raw ID is only unique within that record. `ownedBy` sets the owning record. */
  readonly owner?: string;
}

/** Pothos options of an object type for a record. Adds `upstreamRecord`, unless the record contains a sensitive member. */
export function objectOptions<RecordShape extends object>({ record, description, fields }: RecordOptions<RecordShape>) {
  return {
    description,
    extensions: { record },
    fields: (t: ObjectFields<RecordShape>) => ({
      ...fields(new RecordFields(record, t), t),
      ...(!recordNamed(record).sensitive && rawRecord(t)),
    }),
  };
}

/** Declares an object type for a record that isn't an entity. */
export function recordType<RecordShape extends object>(
  name: string,
  { key, owner, ...options }: RecordTypeOptions<RecordShape>,
): ObjectRef<Types, RecordShape> {
  const ref = builder.objectRef<RecordShape>(name);
  registerType(options.record, ref);
  if (owner) declareOwner(name, owner);
  if (key !== undefined) declareKey(name, [key].flat());
  return ref.implement(
    objectOptions({ ...options, fields: (f, t) => ({ ...(key !== undefined && idFields(t, name, key, owner)), ...options.fields(f, t) }) }),
  );
}

/** Reads a member of a record's ID. Fails if it's missing. */
type ReadId<RecordShape> = (record: RecordShape, args: object, context: object, info: GraphQLResolveInfo) => string;

/** `id`, and `rawId` if a single member is the key. */
function idFields<RecordShape extends object>(
  t: ObjectFields<RecordShape>,
  name: string,
  key: (keyof RecordShape & string) | readonly (keyof RecordShape)[],
  owner: string | undefined,
): FieldMap {
  const marks = { description: UNRESOLVABLE_ID_DESCRIPTION, nullable: false as const };
  const jointId =
    (members: readonly (keyof RecordShape)[]): ReadId<RecordShape> =>
    (record, _args, _context, info) =>
      toJointId(
        name,
        members.map((member) => idMember(record, member, info)),
      );
  if (typeof key !== 'string') return { id: t.id({ ...marks, resolve: jointId(key) }) };
  const rawId: ReadId<RecordShape> = (record, _args, _context, info) => idMember(record, key, info);
  return {
    id: t.id({
      ...marks,
      resolve: owner ? jointId([OWNER as keyof RecordShape, key]) : (...args) => toGlobalId(name, rawId(...args)),
    }),
    rawId: t.id({ description: RAW_ID_DESCRIPTION, nullable: false, resolve: rawId }),
  };
}
