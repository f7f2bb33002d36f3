import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput } from '../../failures/failures.ts';
import { getObjectType, toIdPath } from './edges.ts';
import { decodeGlobalId, toRawId } from './globalIds.ts';
import { getSelectionNeed } from './lookahead.ts';
import { getEntityByName } from './registry.ts';
import { brandRecord } from './subjects.ts';

/** Maximum number of objects that one field looks up. Chosen: each may cost one upstream call. */
export const MAX_LOOKUPS = 100;

/** Name of the enum of types that can be looked up by raw ID. */
export const NODE_TYPE = 'NodeType';

/** The arguments that identify an object: a global ID, or any ID with the name of its type. */
interface NodeKey {
  readonly id: string;
  readonly type?: string | null | undefined;
}

/** Decodes the ID of an object. Throws ValidationError if it doesn't identify an object that can be looked up. */
function decodeKey({ id, type }: NodeKey, path: readonly string[]) {
  const decoded = type ? { typename: type, id: toRawId(type, id, path) } : decodeGlobalId(id);
  const target = decoded && getEntityByName(decoded.typename);
  if (!target)
    throw invalidInput(
      path,
      'INVALID_FORMAT',
      'must be the global ID of an object that implements `Node`. For raw IDs, use a typed field such as `customer(id:)`, or `nodes` with `nodeType`.',
    );
  return { target, id: decoded.id };
}

/** Looks up an object by its ID, branded for the interface. Null if it doesn't exist. */
export async function resolveNode(
  key: NodeKey,
  path: readonly string[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const { target, id } = decodeKey(key, path);
  const isServedByKey = getSelectionNeed(info, getObjectType(info, target.name)) === 'edges';
  try {
    const record = isServedByKey ? target.createStub(id) : await target.load(id, context);
    return record && brandRecord(target, record);
  } catch (error) {
    throw toIdPath(error, path);
  }
}
