import type { ApolloClient } from '@apollo/client';
import { type Intent, unwrap } from '@workspace-graph/client';
import type { OrderCancelInput, OrderDetailsFragment } from '../gql/graphql.ts';
import { mutate } from '../mutate.ts';
import { CancelOrder } from './documents.ts';

/** A cancellation. The key is that of its intent. */
export type Cancellation = Omit<OrderCancelInput, 'idempotencyKey'>;

/** Creates the input for canceling an order in the version that is displayed. */
export const createCancellation = ({ id, version }: OrderDetailsFragment): Cancellation => ({
  orderId: id,
  expectedVersion: version ?? '',
});

/** Cancels an order. Returns a message for the user. */
export async function cancelOrder(client: ApolloClient, cancellation: Cancellation, intent: Intent): Promise<string> {
  const variables = { input: { ...cancellation, idempotencyKey: intent.key } };
  const { orderCancel } = await mutate(client, { mutation: CancelOrder, variables, context: { intent } });
  return unwrap(orderCancel).effect === 'REPLAYED' ? 'Already canceled by the first attempt.' : 'Canceled.';
}
