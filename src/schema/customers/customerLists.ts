import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { loaderFromScan } from '../../loaders/listScan.ts';
import type { Operation } from '../../upstream/contract/operation.ts';
import type { Types } from '../kit/builder.ts';
import { getObjectType } from '../kit/edges.ts';
import { getSelectionNeed } from '../kit/lookahead.ts';

/**
 * Resolves records by ID that only a list of their customer returns. Resolves to their IDs without a call if the selection needs no more. A field that uses it
 * declares the operation as its `reads`.
 */
export async function followInList<Request extends { readonly customerId?: string }, Response, Shape extends object>(
  { name }: ObjectRef<Types, Shape>,
  operation: Operation<Request, Response>,
  { customerId, ids }: { readonly customerId: string; readonly ids: readonly string[] },
  { upstream, loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<readonly (Promise<Shape | null> | Shape)[]> {
  if (getSelectionNeed(info, getObjectType(info, name)) !== 'record') return ids.map((id) => ({ id }) as Shape);
  await upstream.requireScopes(operation);
  const loader = loaders.getKeyed(`${operation.name} ${customerId}`, () => loaderFromScan(upstream, operation, { customerId } as Request));
  return ids.map((id) => loader.load(id) as Promise<Shape | null>);
}
