import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { ApiError, NotFoundError } from '../../failures/failures.ts';
import { toRawId } from './globalIds.ts';
import { needOf } from './lookahead.ts';
import type { Entity } from './registry.ts';
import { typeOwnNamed } from './typeNames.ts';

/** The object type of an entity in the schema that is executed, whatever the deployment calls it. */
export const typeNamed = (info: GraphQLResolveInfo, name: string) => typeOwnNamed(info.schema, name) as GraphQLObjectType;

/**
 * The object that an ID refers to: a stub if its keys serve the selection, otherwise the record. Null without an ID, and if the record doesn't exist: use it
 * for records that can be deleted. Returns known objects synchronously, because lists can have thousands of edges.
 */
export function followIfExists<RecordShape extends object>(
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

/** Same, but throws NotFoundError if the record doesn't exist: null would say that there is no ID. */
export function follow<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string | null | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> | RecordShape | null {
  if (!id) return null;
  const mustExist = (record: RecordShape | null) => {
    if (record) return record;
    throw new NotFoundError(`${target.name} ${id} not found.`, id);
  };
  const found = followIfExists(target, id, context, info);
  return found instanceof Promise ? found.then(mustExist) : mustExist(found);
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
  told: Partial<RecordShape>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> {
  const fields = Object.keys(target.told).filter((field) => told[target.told[field] as keyof RecordShape] !== undefined);
  // Members that weren't told are either not selected, or fail on their own: see `withPartialRecords`.
  const shown = { ...told } as RecordShape;
  if (needOf(info, typeNamed(info, target.name), fields) !== 'record') return shown;
  try {
    await context.upstream.requireScopes(target.operation);
    return await mustLoad(target, target.idOf(shown), context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    failures.set(shown, error);
    return shown;
  }
}

/** The record of an id; fails with NotFoundError when there is none. */
export async function mustLoad<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
): Promise<RecordShape> {
  const record = await target.load(id, context);
  if (!record) throw new NotFoundError(`${target.name} ${id} not found.`, id);
  return record;
}
