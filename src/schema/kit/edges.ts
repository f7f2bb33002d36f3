import type { GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import type { Context } from '../../context.ts';
import { ApiError, NotFoundError } from '../../failures/failures.ts';
import { toRawId } from './globalIds.ts';
import { toInputPaths } from './inputPaths.ts';
import { getSelectionNeed } from './lookahead.ts';
import type { Entity } from './registry.ts';

/** Returns an object type of the executed schema by its name in the code. */
export const getObjectType = ({ schema }: Pick<GraphQLResolveInfo, 'schema'>, name: string) =>
  (schema.extensions.types as ReturnType<GraphQLSchema['getTypeMap']>)[name] as GraphQLObjectType;

/**
 * Resolves the object that an ID refers to: a stub if its keys serve the selection, otherwise the record. Null without an ID, and if the record doesn't exist,
 * so use it for records that can be deleted. Returns known objects synchronously, because lists can have thousands of edges.
 */
export function followIfExists<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string | null | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape | null> | RecordShape | null {
  if (!id) return null;
  if (getSelectionNeed(info, getObjectType(info, target.name)) !== 'record') return target.createStub(id);
  const pendingScopes = context.upstream.requireScopes(target.operation);
  return pendingScopes ? pendingScopes.then(() => target.load(id, context)) : target.load(id, context);
}

/** Like `followIfExists`, but throws NotFoundError if the record doesn't exist: null would mean that there is no ID. */
export function follow<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string | null | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> | RecordShape | null {
  if (!id) return null;
  const requireRecord = (record: RecordShape | null) => {
    if (record) return record;
    throw new NotFoundError(`${target.name} ${id} not found.`, id);
  };
  const object = followIfExists(target, id, context, info);
  return object instanceof Promise ? object.then(requireRecord) : requireRecord(object);
}

/**
 * Looks up the object of an ID argument. Unlike an edge, it's read even if only keys are selected, because the caller wants to know whether it exists. It isn't
 * read if edges that its ID serves are selected.
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
  try {
    return await target.load(rawId, context);
  } catch (error) {
    throw toIdPath(error, ['id']);
  }
}

/** Sets the path of an ID argument in the issues of a rejected lookup: all fields of the request are parts of the ID. Returns other errors unchanged. */
export const toIdPath = (error: unknown, path: readonly string[]): unknown =>
  toInputPaths(
    error,
    path.reduceRight<object>((value, step) => ({ [step]: value }), {}),
    () => path,
  );

/** Errors of failed reads, by the partial record that is returned instead. */
const loadFailures = new WeakMap<object, ApiError>();

/** The error of a field that the partial record lacks, if the full record couldn't be read. Undefined if the field is available. */
export const getLoadFailure = (record: object, member: string | undefined): ApiError | undefined =>
  member !== undefined && (record as Readonly<Record<string, unknown>>)[member] !== undefined ? undefined : loadFailures.get(record);

/**
 * Resolves a record of which a response contains only some members. Returns it as is if the selection needs only these members, its keys, and edges that its ID
 * serves. Otherwise reads the record. A key that can perform a mutation may lack permission to read the record: then the partial record is returned, and each
 * other field fails on its own.
 */
export async function resolvePartial<RecordShape extends object>(
  target: Entity<RecordShape>,
  known: Partial<RecordShape>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape> {
  const fields = Object.keys(target.knownFields).filter((field) => known[target.knownFields[field] as keyof RecordShape] !== undefined);
  // Unknown members are either not selected or fail on their own: see `requireMember`.
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

/** Loads a record by ID. Throws NotFoundError if it doesn't exist. */
export async function loadOrThrow<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string,
  context: Context,
): Promise<RecordShape> {
  const record = await target.load(id, context);
  if (!record) throw new NotFoundError(`${target.name} ${id} not found.`, id);
  return record;
}
