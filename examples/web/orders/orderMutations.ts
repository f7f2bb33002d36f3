import type { ApolloClient } from '@apollo/client';
import { type MutationResult, toFailure } from '../failure.ts';
import type { OrderCancelInput, OrderDetailsFragment } from '../gql/graphql.ts';
import { CancelOrder } from './documents.ts';

/** Creates the input for canceling an order in the version that is displayed, with a new key. */
export const createCancellation = ({ id, version }: OrderDetailsFragment): OrderCancelInput => ({
  orderId: id,
  expectedVersion: version ?? '',
  idempotencyKey: crypto.randomUUID(),
});

/** Cancels an order. The same input can be sent again: its key identifies the cancellation. */
export async function cancelOrder(client: ApolloClient, input: OrderCancelInput): Promise<MutationResult> {
  const { data, error } = await client.mutate({ mutation: CancelOrder, variables: { input }, errorPolicy: 'all' });
  if (!data?.orderCancel) return toFailure(error);
  if (data.orderCancel.__typename !== 'OrderCancelPayload') return data.orderCancel;
  return data.orderCancel.effect === 'REPLAYED' ? 'Already canceled by the first attempt.' : 'Canceled.';
}
