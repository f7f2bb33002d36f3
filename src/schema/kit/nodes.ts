import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput } from '../../failures/failures.ts';
import { builder } from './builder.ts';
import { decodeGlobalId } from './globalIds.ts';
import { getSelectionNeed } from './lookahead.ts';
import { getEntityByName } from './registry.ts';
import { brandRecord } from './subjects.ts';
import { getTypeByCanonicalName } from './typeNames.ts';

/** Maximum number of objects that one field looks up. Chosen: each may cost one upstream call. */
export const MAX_LOOKUPS = 100;

/** Looks up an object by its global ID, branded for the interface. Null if it doesn't exist. */
async function resolveNode(globalId: string, path: readonly string[], context: Context, info: GraphQLResolveInfo): Promise<object | null> {
  const decoded = decodeGlobalId(globalId);
  const target = decoded && getEntityByName(decoded.typename);
  if (!target) {
    const problem = 'must be the global ID of an object that implements `Node`. For raw IDs, use a typed field such as `customer(id:)`.';
    throw invalidInput(path, 'INVALID_FORMAT', problem);
  }
  const { id } = decoded;
  const isServedByKey = getSelectionNeed(info, getTypeByCanonicalName(info.schema, target.name) as GraphQLObjectType) === 'edges';
  const record = isServedByKey ? target.createStub(id) : await target.load(id, context);
  return record && brandRecord(target, record);
}

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    description: 'Looks up an object by its global ID. Null if it doesn’t exist.',
    args: { id: t.arg.id({ required: true, description: 'Global ID, as returned by `id` fields.' }) },
    resolve: (_root, { id }, context, info) => resolveNode(id, ['id'], context, info),
  }),

  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `Looks up objects by their global IDs, in the same order. Null for each object that doesn’t exist. Up to ${MAX_LOOKUPS} IDs.`,
    args: { ids: t.arg.idList({ required: true, description: 'Global IDs, as returned by `id` fields.' }) },
    extensions: { assumedSize: MAX_LOOKUPS },
    resolve: (_root, { ids }, context, info) => {
      if (ids.length > MAX_LOOKUPS)
        throw invalidInput(['ids'], 'TOO_LONG', `must have at most ${MAX_LOOKUPS} entries, but has ${ids.length}.`, MAX_LOOKUPS);
      return ids.map((id, index) => resolveNode(id, ['ids', String(index)], context, info));
    },
  }),
}));
