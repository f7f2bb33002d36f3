import type { ApolloClient } from '@apollo/client';
import { ConfirmQuote, QuoteNow, UpdateQuote } from './documents.ts';
import { type MutationResult, toFailure } from './failure.ts';
import type { QuotePartsFragment, QuoteUpdateInput } from './gql/graphql.ts';

/** Confirming requires neither a key nor a version: a repeat returns the same order. */
export async function confirmQuote(client: ApolloClient, quoteId: string): Promise<MutationResult> {
  // With `all`, a payload counts even if part of it, such as the stock, couldn't be read.
  const { data, error } = await client.mutate({ mutation: ConfirmQuote, variables: { input: { quoteId } }, errorPolicy: 'all' });
  if (!data?.quoteConfirm) return toFailure(error);
  if (data.quoteConfirm.__typename !== 'QuoteConfirmPayload') return data.quoteConfirm;
  const { order } = data.quoteConfirm;
  return order ? `Confirmed as order ${order.referenceNumber}.` : 'Confirmed.';
}

/** Updates a quote. The same input can be sent again: its key identifies the update. */
export async function updateQuote(client: ApolloClient, input: QuoteUpdateInput): Promise<MutationResult> {
  const { data, error } = await client.mutate({ mutation: UpdateQuote, variables: { input }, errorPolicy: 'all' });
  if (!data?.quoteUpdate) return toFailure(error);
  if (data.quoteUpdate.__typename !== 'QuoteUpdatePayload') return data.quoteUpdate;
  return data.quoteUpdate.effect === 'REPLAYED' ? 'Already saved by the first attempt.' : 'Saved.';
}

/** Reloads a quote after an unknown outcome. */
export async function reloadQuote(client: ApolloClient, id: string): Promise<MutationResult> {
  const { data, error } = await client.query({ query: QuoteNow, variables: { id }, fetchPolicy: 'network-only', errorPolicy: 'all' });
  return data?.quote ? `Reloaded. The quote is at version ${data.quote.version}.` : toFailure(error);
}

/** Whether every line can be sent back: an update replaces all of them, and `OTHER` isn't an input. */
export const isEditable = ({ status, version, lines }: QuotePartsFragment): boolean =>
  status === 'CONCEPT' && version !== null && lines.every(({ priceType }) => priceType !== 'OTHER');

/** Creates the input for updating an editable quote, with a new key. `quantities` are by line ID. */
export const createQuoteUpdate = (quote: QuotePartsFragment, quantities: ReadonlyMap<string, number>): QuoteUpdateInput => ({
  quoteId: quote.id,
  expectedVersion: quote.version ?? '',
  idempotencyKey: crypto.randomUUID(),
  // By their IDs, which are present even if the product or the discount can't be read.
  lines: quote.lines.map(({ id, productId, quantity, priceType }) => ({
    productId,
    quantity: quantities.get(id) ?? quantity,
    priceType,
  })),
  discounts: quote.discounts.map(({ discountId }) => ({ discountId })),
});
