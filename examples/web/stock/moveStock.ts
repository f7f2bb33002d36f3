import type { ApolloClient } from '@apollo/client';
import { type Intent, settle, unwrap } from '@workspace-graph/client';
import type { LocationPartsFragment } from '../gql/graphql.ts';
import { mutate } from '../mutate.ts';
import { MoveStock, ProductStock } from './documents.ts';

/** An intended move of a product. */
export interface Move {
  readonly productId: string;
  readonly quantity: number;
  readonly source: LocationPartsFragment;
  readonly destination: LocationPartsFragment;
  readonly reference: string | null;
}

/** Moves stock. The response contains the changed balances. Returns a message for the user. */
export async function moveStock(client: ApolloClient, move: Move, intent: Intent): Promise<string> {
  const { productId, quantity, source, destination, reference } = move;
  const lines = [{ productId, sourceLocationId: source.id, quantity }];
  const { inventoryMove } = await mutate(client, {
    mutation: MoveStock,
    variables: { input: { destinationLocationId: destination.id, lines, reference, idempotencyKey: intent.key } },
    context: { intent },
    update: (cache, { data }) => {
      const result = data?.inventoryMove && settle(data.inventoryMove);
      const changed = (result?.ok && result.payload.changedBalances) || [];
      cache.updateQuery({ query: ProductStock, variables: { id: productId } }, (cached) => {
        const balances = cached?.product?.inventoryBalances;
        if (!cached?.product || !balances) return cached;
        // The destination may have had no balance.
        const added = changed.filter(({ id }) => balances.edges.every(({ node }) => node.id !== id));
        const edges = [...balances.edges, ...added.map((node) => ({ cursor: '', node }))];
        return { ...cached, product: { ...cached.product, inventoryBalances: { ...balances, edges } } };
      });
    },
  });
  const { effect } = unwrap(inventoryMove);
  return effect === 'REPLAYED'
    ? 'Already moved by the first attempt.'
    : `Moved ${quantity} ${quantity === 1 ? 'unit' : 'units'} from ${source.name} to ${destination.name}.`;
}
