import type { ApolloClient } from '@apollo/client';
import { ConfirmQuote, QuoteNow, UpdateQuote } from './documents.ts';
import { type ActResult, failureOf } from './failure.ts';
import type { QuotePartsFragment, QuoteUpdateInput } from './gql/graphql.ts';

/** Confirming needs neither a key nor a version: a repeat answers the same order. */
export async function confirmQuote(client: ApolloClient, quoteId: string): Promise<ActResult> {
  // With `all` a payload counts even if a part of it, such as the stock, could not be read.
  const { data, error } = await client.mutate({ mutation: ConfirmQuote, variables: { input: { quoteId } }, errorPolicy: 'all' });
  if (!data?.quoteConfirm) return failureOf(error);
  if (data.quoteConfirm.__typename !== 'QuoteConfirmPayload') return data.quoteConfirm;
  const { order } = data.quoteConfirm;
  return order ? `Confirmed as order ${order.referenceNumber}.` : 'Confirmed.';
}

/** Changes a quote. The same input may be sent again: by its key the graph knows that it is the same act. */
export async function updateQuote(client: ApolloClient, input: QuoteUpdateInput): Promise<ActResult> {
  const { data, error } = await client.mutate({ mutation: UpdateQuote, variables: { input }, errorPolicy: 'all' });
  if (!data?.quoteUpdate) return failureOf(error);
  if (data.quoteUpdate.__typename !== 'QuoteUpdatePayload') return data.quoteUpdate;
  return data.quoteUpdate.effect === 'REPLAYED' ? 'Already saved by the first attempt.' : 'Saved.';
}

/** Reads a quote anew, for who does not know what became of it. */
export async function lookAgain(client: ApolloClient, id: string): Promise<ActResult> {
  const { data, error } = await client.query({ query: QuoteNow, variables: { id }, fetchPolicy: 'network-only', errorPolicy: 'all' });
  return data?.quote ? `Reloaded. The quote is at version ${data.quote.version}.` : failureOf(error);
}

/** Whether every line can be sent back: an update replaces all of them, and `OTHER` isn't an input. */
export const isEditable = ({ status, version, lines }: QuotePartsFragment): boolean =>
  status === 'CONCEPT' && version !== null && lines.every(({ priceType }) => priceType !== 'OTHER');

/** An intended change of an editable quote, with a key of its own: the quantities by the `id` of their lines. */
export const changeOf = (quote: QuotePartsFragment, quantities: ReadonlyMap<string, number>): QuoteUpdateInput => ({
  quoteId: quote.id,
  expectedVersion: quote.version ?? '',
  idempotencyKey: crypto.randomUUID(),
  // By their IDs, which are there even if the product or the discount can't be read.
  lines: quote.lines.map(({ id, productId, quantity, priceType }) => ({
    productId,
    quantity: quantities.get(id) ?? quantity,
    priceType,
  })),
  discounts: quote.discounts.map(({ discountId }) => ({ discountId })),
});
