import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { ApiError, NotFoundError } from '../../failures/failures.ts';
import { toRawId } from './globalIds.ts';
import { getSelectionNeed } from './lookahead.ts';
import type { Entity } from './registry.ts';
import { getTypeByCanonicalName } from './typeNames.ts';

/** The object type of an entity in the schema that is executed, whatever the deployment calls it. */
export const getObjectType = (info: GraphQLResolveInfo, name: string) => getTypeByCanonicalName(info.schema, name) as GraphQLObjectType;

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
  if (getSelectionNeed(info, getObjectType(info, target.name)) !== 'record') return target.createStub(id);
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
export async function findById<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape | null> {
  const rawId = toRawId(target.name, id, ['id']);
  if (getSelectionNeed(info, getObjectType(info, target.name)) === 'edges') return target.createStub(rawId);
  await context.upstream.requireScopes(target.operation);
  return target.load(rawId, context);
}

/** Why records were not read that are shown as far as they were told. */
const loadFailures = new WeakMap<object, ApiError>();

/** Why a field of a record cannot be shown: the record was told in part, and could not be read. Undefined when the field is at hand. */
export const getLoadFailure = (record: object, member: string | undefined): ApiError | undefined =>
  member !== undefined && (record as Readonly<Record<string, unknown>>)[member] !== undefined ? undefined : loadFailures.get(record);

/**
 * The object of which an answer told some members only: as it was told when they, its keys and edges that its id serves are all that is asked for, else
 * its record. A key that may do something need not be one that may read: where the record cannot be read, the object is shown as it was told, and
 * each other field fails by itself.
 */
export async function resolvePartial<RecordShape extends object>(
  target: Entity<RecordShape>,
  known: Partial<RecordShape>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> {
  const fields = Object.keys(target.knownFields).filter((field) => known[target.knownFields[field] as keyof RecordShape] !== undefined);
  // Members that weren't told are either not selected, or fail on their own: see `withPartialRecords`.
  const object = { ...known } as RecordShape;
  if (getSelectionNeed(info, getObjectType(info, target.name), fields) !== 'record') return object;
  try {
    await context.upstream.requireScopes(target.operation);
    return await loadOrThrow(target, target.getId(object), context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    loadFailures.set(object, error);
    return object;
  }
}

/** The record of an id; fails with NotFoundError when there is none. */
export async function loadOrThrow<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
): Promise<RecordShape> {
  const record = await target.load(id, context);
  if (!record) throw new NotFoundError(`${target.name} ${id} not found.`, id);
  return record;
}
