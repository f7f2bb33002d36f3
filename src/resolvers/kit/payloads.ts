import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { FETCHED_BY_ID, HOLDS_RECORDS } from '../../schema/kit/costExtensions.ts';
import { follow, followIfExists, getObjectType, resolvePartial } from '../../schema/kit/edges.ts';
import { getSelectionNeed } from '../../schema/kit/lookahead.ts';
import { getKeyMembers, OWNER } from '../../schema/kit/parts.ts';
import { MutationPayload, type PayloadShape, type TypedRecord } from '../../schema/kit/payloads.ts';
import { type Entity, getEntityByName, getRecordType } from '../../schema/kit/registry.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { canReread, rereadRecords } from './rereads.ts';

interface ReturnedOptions {
  readonly description: string;
  /** Whether the mutation can succeed without the record. */
  readonly isOptional?: true;
  /** Operation that a field of the record calls. */
  readonly calls?: AnyOperation;
}

type Returned = string | ReturnedOptions;

/** Descriptions of the records or record lists of the response that the payload contains, by response field. */
export type ReturnedRecords<Response> = { readonly [Member in keyof Response & string]?: Returned };

/** Records that the mutation builds from a response that contains only some of their fields: their types and descriptions. */
export type PartialRecords = Readonly<Record<string, readonly [type: Pick<ObjectRef<Types, object>, 'name'>, description: string]>>;

/** A record, or a list of records, that a payload contains. */
export interface PayloadRecord extends ReturnedOptions {
  readonly member: string;
  readonly type: ObjectRef<Types, object>;
  readonly isList: boolean;
}

/** Lists the records that a payload contains, with their GraphQL types. */
export function toPayloadRecords<Response>(
  { name, answers: contractRecords }: AnyOperation,
  returned: ReturnedRecords<Response> = {},
  partial: PartialRecords = {},
): readonly PayloadRecord[] {
  const completeRecords = Object.entries(returned as Readonly<Record<string, Returned>>).map(([member, options]) => {
    const { record, list = false } = contractRecords[member] ?? {};
    if (record === undefined) throw new Error(`${name} doesn’t return a record as ${member}.`);
    return { member, type: getRecordType(record), isList: list, ...(typeof options === 'string' ? { description: options } : options) };
  });
  const partialRecords = Object.entries(partial).map(([member, [type, description]]) => ({
    member,
    type: getEntityByName(type.name)?.ref ?? (type as ObjectRef<Types, object>),
    isList: false,
    description,
  }));
  return [...completeRecords, ...partialRecords];
}

/** An object that the mutation changes and the payload refers to: its type, description, and raw ID. The ID is null if unknown. */
export type AffectedRecord<Response, Request> = readonly [
  target: Pick<Entity<object>, 'name'>,
  description: string,
  getId: (response: Response, request: Request) => string | null | undefined,
];

/** Whether mutations return only some fields of an entity. */
const isReturnedPartial = ({ knownFields }: Entity<object>): boolean => Object.keys(knownFields).length > 0;

type Resolve = (shape: PayloadShape, args: object, context: Context, info: GraphQLResolveInfo) => unknown;

const readMember = <Value>(shape: object, member: string) => (shape as Readonly<Record<string, Value | null>>)[member];

/** Resolves a record of a payload: as the mutation returned it, or re-read if that was an earlier request. */
function createResolver({ member, type, isList }: PayloadRecord, title: string): Resolve {
  const target = getEntityByName(type.name);
  if (target) {
    const isPartial = isReturnedPartial(target);
    return (shape, _args, context, info) => {
      const record = readMember<object>(shape, member);
      if (!record || (shape.isCurrent && !isPartial)) return record;
      const id = target.getId(record);
      if (isPartial) return resolvePartial(target, shape.isCurrent ? record : target.createStub(id), context, info);
      return followIfExists(target, id, context, info);
    };
  }
  if (!canReread(type.name))
    throw new Error(`${title}Payload returns ${type.name}, which isn’t an entity. Call registerReread to declare its re-read.`);
  return async (shape, _args, context, info) => {
    const value = readMember<object>(shape, member);
    if (!value || shape.isCurrent || getSelectionNeed(info, getObjectType(info, type.name)) !== 'record') return value;
    const found = await rereadRecords(type.name, [value].flat(), context);
    return isList ? found : (found[0] ?? null);
  };
}

/** Describes how a replay returns the payload field. */
function describeReplay(isPartial: boolean, isList: boolean): string {
  if (isPartial)
    return 'Its ID is always returned. Fields that the response lacks are fetched. If that fails, each of them is null with an error.';
  return isList ? 'A replay omits entries that it can’t find.' : 'Null if a replay can’t find it.';
}

interface DeclaredPayload {
  readonly payload?: { readonly fields?: unknown };
  readonly affects?: Readonly<Record<string, AffectedRecord<never, never>>>;
}

/** Declares the payload type: the records of the response, and the fields specific to the mutation. */
export function declarePayload(
  name: string,
  title: string,
  returned: readonly PayloadRecord[],
  { payload, affects = {} }: DeclaredPayload,
): ObjectRef<Types, PayloadShape> {
  const ref = builder.objectRef<PayloadShape>(`${title}Payload`).implement({
    description: `Returned by \`${name}\` on success.`,
    interfaces: [MutationPayload],
    extensions: HOLDS_RECORDS,
  });
  for (const payloadRecord of returned) {
    const { member, type, isList } = payloadRecord;
    const target = getEntityByName(type.name);
    const isPartial = target !== undefined && isReturnedPartial(target);
    const calls = isPartial ? target.operation : payloadRecord.calls;
    const options = {
      description: `${payloadRecord.description} ${describeReplay(isPartial, isList)}`,
      extensions: { ...(calls && { calls }) },
      resolve: createResolver(payloadRecord, title) as never,
    };
    builder.objectField(ref, member, (t) =>
      isList
        ? t.field({ ...options, type: [type], nullable: { list: true, items: false } })
        : t.field({ ...options, type, nullable: true }),
    );
  }
  if (payload?.fields) builder.objectFields(ref, payload.fields as never);
  for (const [member, [{ name: entityName }, description]] of Object.entries(affects)) {
    const target = getEntityByName(entityName);
    if (!target) throw new Error(`${title}Payload links to ${entityName}, which isn’t an entity.`);
    builder.objectField(ref, member, (t) =>
      t.field({
        type: target.ref,
        description,
        extensions: FETCHED_BY_ID,
        resolve: (shape, _args, context, info) => {
          // The object of an earlier request may no longer exist.
          const lead = shape.isCurrent ? follow : followIfExists;
          return lead(target, readMember<string>(shape, member), context, info);
        },
      }),
    );
  }
  return ref;
}

/** Whether the value is a record of the type: it has its ID or, if the type has none, any non-default value. */
function isRecord(type: ObjectRef<Types, object>, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const keys = getKeyMembers(type.name);
  if (keys.length === 0) return Object.values(value).some((member) => Boolean(member) && member !== '0');
  return keys.every((member) => member === OWNER || Boolean((value as Record<PropertyKey, unknown>)[member]));
}

/** Selects the members of a response that the payload contains. A member is undefined if the response lacks it. */
export const pickRecords = (returned: readonly PayloadRecord[], response: object): Record<string, object | null | undefined> =>
  Object.fromEntries(
    returned.map(({ member, type, isList, isOptional }) => {
      const value = (response as Record<string, unknown>)[member];
      if (isList) return [member, Array.isArray(value) ? value : undefined];
      return [member, isRecord(type, value) ? value : isOptional ? null : undefined];
    }),
  );

export const listRecords = (returned: readonly PayloadRecord[], members: Readonly<Record<string, unknown>>): TypedRecord[] =>
  returned.flatMap(({ member, type }) => {
    const records = [members[member] ?? []].flat() as readonly object[];
    return records.map((record) => [type.name, record, member] as const);
  });

/** Primes loaders with the records of a response, so that the payload's edges don't fetch them again. */
export function primeLoaders(records: readonly TypedRecord[], context: Context): void {
  for (const [type, record] of records) {
    const target = getEntityByName(type);
    if (target && !isReturnedPartial(target)) target.prime(record, context);
  }
}
