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

/** A quote as it was when editing started, and the quantities that the user has typed, by line ID. */
export interface QuoteEdit {
  readonly quote: QuotePartsFragment;
  readonly quantities: ReadonlyMap<string, number>;
}

/** Creates the input that saves the typed quantities. It's rejected if others have changed the quote since. */
export const createQuoteUpdate = ({ quote, quantities }: QuoteEdit): QuoteUpdateInput => ({
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

type Line = QuotePartsFragment['lines'][number];

/** Lines by product, price, and occurrence, because every update of a quote replaces the IDs of its lines. */
function indexLines(lines: readonly Line[]): Map<string, Line> {
  const groups = Map.groupBy(lines, ({ productId, priceType }) => `${productId} ${priceType}`);
  return new Map([...groups].flatMap(([key, group]) => group.map((line, index) => [`${key} ${index}`, line] as const)));
}

/** A line in both versions of a quote. A quantity is null if the version doesn't have the line. */
export interface ComparedLine {
  readonly key: string;
  readonly productName: string;
  readonly typed: number | null;
  readonly stored: number | null;
}

/** Compares what the user has typed with what is stored now. */
export function compareLines({ quote, quantities }: QuoteEdit, storedLines: readonly Line[]): ComparedLine[] {
  const [edited, stored] = [indexLines(quote.lines), indexLines(storedLines)];
  return [...new Map([...edited, ...stored])].map(([key, { productName }]) => {
    const line = edited.get(key);
    return {
      key,
      productName,
      typed: line ? (quantities.get(line.id) ?? line.quantity) : null,
      stored: stored.get(key)?.quantity ?? null,
    };
  });
}

/** The typed quantities in the version that is stored now. Lines that others have added or removed stay so. */
export function rebase({ quote, quantities }: QuoteEdit, stored: QuotePartsFragment): QuoteEdit {
  const edited = indexLines(quote.lines);
  const typed = [...indexLines(stored.lines)].map(([key, { id, quantity }]) => {
    const line = edited.get(key);
    return [id, line ? (quantities.get(line.id) ?? line.quantity) : quantity] as const;
  });
  return { quote: stored, quantities: new Map(typed) };
}
