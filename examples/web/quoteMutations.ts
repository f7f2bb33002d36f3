import type { ApolloClient } from '@apollo/client';
import { type Intent, unwrap } from '@workspace-graph/client';
import { ConfirmQuote, QuoteNow, UpdateQuote } from './documents.ts';
import type { QuoteConfirmInput, QuotePartsFragment, QuoteUpdateInput } from './gql/graphql.ts';
import { mutate } from './mutate.ts';

/** A change of a quote. */
export type QuoteChange = { readonly confirm: QuoteConfirmInput } | { readonly update: QuoteUpdateInput };

/** Changes a quote. Returns a message for the user. */
export async function changeQuote(client: ApolloClient, change: QuoteChange, intent: Intent): Promise<string> {
  const context = { intent };
  if ('confirm' in change) {
    const { quoteConfirm } = await mutate(client, { mutation: ConfirmQuote, variables: { input: change.confirm }, context });
    const { order } = unwrap(quoteConfirm);
    return order ? `Confirmed as order ${order.referenceNumber}.` : 'Confirmed.';
  }
  const { quoteUpdate } = await mutate(client, { mutation: UpdateQuote, variables: { input: change.update }, context });
  return unwrap(quoteUpdate).effect === 'REPLAYED' ? 'Already saved by the first attempt.' : 'Saved.';
}

/** Reloads a quote. Returns whether that succeeded. */
export async function reloadQuote(client: ApolloClient, id: string): Promise<boolean> {
  const { data } = await client.query({ query: QuoteNow, variables: { id }, fetchPolicy: 'network-only', errorPolicy: 'all' });
  return Boolean(data?.quote);
}

/** Whether every line can be sent back: an update replaces all of them, and `OTHER` isn't an input. */
export const isEditable = ({ status, version, lines }: QuotePartsFragment): boolean =>
  status === 'CONCEPT' && version !== null && lines.every(({ priceType }) => priceType !== 'OTHER');

/** Creates the input for updating an editable quote. `quantities` are by line ID. */
export const createQuoteUpdate = (quote: QuotePartsFragment, quantities: ReadonlyMap<string, number>): QuoteUpdateInput => ({
  quoteId: quote.id,
  expectedVersion: quote.version ?? '',
  // By their IDs, which are present even if the product or the discount can't be read.
  lines: quote.lines.map(({ id, productId, quantity, priceType }) => ({
    productId,
    quantity: quantities.get(id) ?? quantity,
    priceType,
  })),
  discounts: quote.discounts.map(({ discountId }) => ({ discountId })),
});
