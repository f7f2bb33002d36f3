import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { ApiError, isDenied } from '../../failures.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { FOLLOWED, HOLDS_RECORDS } from '../../schema/kit/costMarks.ts';
import { anew, follow } from '../../schema/kit/edges.ts';
import { keysOf, OWNER } from '../../schema/kit/parts.ts';
import { MutationPayload, type PayloadShape } from '../../schema/kit/payloads.ts';
import { type Entity, entityNamed, typeOfRecord } from '../../schema/kit/registry.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';

/** Reads a record that is no entity as it is now; the one that was answered when it is not found. */
type ReadAgain<RecordShape> = (record: RecordShape, context: Context) => Promise<RecordShape>;

/** Records of a response that a payload shows: the description of each, and how one is read again whose type cannot tell. */
export type Answers<Response> = {
  readonly [Member in keyof Response & string]?:
    | string
    | readonly [description: string, again: ReadAgain<NonNullable<Response[Member]> & object>];
};

/** A record of a response that a payload shows. */
export interface Shown {
  readonly member: string;
  readonly type: ObjectRef<Types, object>;
  readonly description: string;
  readonly again: ReadAgain<object> | undefined;
}

/** The records that a payload shows, with the types that the contract's records have in the graph. */
export const answersOf = <Response>({ name, answers: told }: AnyOperation, answers: Answers<Response> = {}): Shown[] =>
  Object.entries<string | readonly [string, ReadAgain<object>]>(answers as never).map(([member, entry]) => {
    const record = told[member]?.record;
    if (record === undefined) throw new Error(`${name} doesn’t return a record as ${member}.`);
    const [description, again] = typeof entry === 'string' ? [entry] : entry;
    return { member, type: typeOfRecord(record), description, again };
  });

/** An object that has changed with what was done, which the payload leads to: its type, a description, and its raw id. Null when that is not known. */
export type Lead<Response, Request> = readonly [
  target: Pick<Entity<object>, 'name'>,
  description: string,
  idOf: (response: Response, request: Request) => string | null | undefined,
];

/**
 * Records of a replayed answer as the first page of a list shows them now, in one call: clients keep what they are told. As they were answered
 * then where they are not among its rows, or it cannot be read. Fails where it is denied to a key that has the scope for it.
 */
export async function amongFirst<Request, Response, RecordShape extends object>(
  records: readonly RecordShape[],
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  identify: (record: RecordShape) => unknown,
  { upstream }: Context,
): Promise<RecordShape[]> {
  const { kind, items = '', maxSize = 1 } = upstream.operation(operation).page ?? {};
  try {
    const answer = await upstream.call(operation, { ...request, ...(kind === 'PAGE' && { page: 1 }), pageSize: maxSize } as Request);
    const rows = (answer as Record<string, unknown>)[items] as readonly RecordShape[];
    const found = new Map(rows.map((row) => [identify(row), row]));
    return records.map((record) => found.get(identify(record)) ?? record);
  } catch (error) {
    if (error instanceof ApiError && !isDenied(error)) return [...records];
    throw error;
  }
}

/** Reads one record again by the first page of a list that shows it: the newest, or those of its owner. */
export const inFirstPage =
  <Request, Response, RecordShape extends object>(
    operation: Operation<Request, Response>,
    identify: (record: RecordShape) => unknown,
    request: (record: RecordShape) => Omit<Request, 'page' | 'pageSize'>,
  ): ReadAgain<RecordShape> =>
  async (record, context) =>
    (await amongFirst([record], operation, request(record), identify, context)).at(0) ?? record;

interface PayloadOptions {
  readonly payload?: unknown;
  readonly leadsTo?: Readonly<Record<string, Lead<never, never>>>;
}

/** Declares the payload type: what is shown of the response, and the mutation's own fields. The records of a replayed answer are read anew. */
export function payloadOf(
  name: string,
  title: string,
  answers: readonly Shown[],
  { payload, leadsTo = {} }: PayloadOptions,
): ObjectRef<Types, PayloadShape> {
  const ref = builder.objectRef<PayloadShape>(`${title}Payload`).implement({
    description: `Returned by \`${name}\` on success.`,
    interfaces: [MutationPayload],
    extensions: HOLDS_RECORDS,
  });
  for (const { member, type, description, again } of answers) {
    const resolve = (shape: PayloadShape, _args: object, context: Context, info: GraphQLResolveInfo) => {
      const record = (shape as unknown as Record<string, object>)[member] as object;
      if (shape.road !== 'REPLAYED') return record;
      const target = entityNamed(type.name);
      if (target) return anew(target, record, context, info);
      return again ? again(record, context) : record;
    };
    builder.objectField(ref, member, (t) => t.field({ type, nullable: false, description, resolve }));
  }
  if (payload) builder.objectFields(ref, payload as never);
  for (const [member, [{ name: entityName }, description]] of Object.entries(leadsTo)) {
    const target = entityNamed(entityName);
    if (!target) throw new Error(`${title}Payload links to ${entityName}, which isn’t an entity.`);
    builder.objectField(ref, member, (t) =>
      t.field({
        type: target.ref,
        description,
        extensions: FOLLOWED,
        resolve: (shape, _args, context, info) => follow(target, (shape as unknown as Record<string, string>)[member], context, info),
      }),
    );
  }
  return ref;
}

/** Whether a member is the record that was promised. It has its ID, or any value at all if its type has none. */
function isRecordOf(type: ObjectRef<Types, object>, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const keys = keysOf(type.name);
  if (keys.length === 0) return Object.values(value).some((member) => Boolean(member) && member !== '0');
  return keys.every((member) => member === OWNER || Boolean((value as Record<PropertyKey, unknown>)[member]));
}

/** The members of a response that are shown as they are; undefined for what is no record. */
export const shown = (answers: readonly Shown[], response: object): Record<string, object | undefined> =>
  Object.fromEntries(
    answers.map(({ member, type }) => {
      const value = (response as Record<string, unknown>)[member];
      return [member, isRecordOf(type, value) ? value : undefined];
    }),
  );

/** Hands the records of an answer to their loaders: what the payload leads to need not be read again. */
export function prime(answers: readonly Shown[], records: Record<string, object | undefined>, context: Context): void {
  for (const { member, type } of answers) {
    const record = records[member];
    if (record) entityNamed(type.name)?.prime(record, context);
  }
}
