import { useApolloClient, useQuery } from '@apollo/client/react';
import { MutationFailure, unwrap } from '@workspace-graph/client';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { type SubmitEvent, useState } from 'react';
import { QuoteToEdit, UpdateQuote } from './documents.ts';
import type { EditedQuoteFragment, QuoteUpdateInput } from './gql/graphql.ts';
import { Status } from './Status.tsx';

/** `quote` is the newest version in the cache. If an update is rejected because the quote has changed, the response contains it. */
function QuoteForm({ quote }: { quote: EditedQuoteFragment }) {
  const client = useApolloClient();
  const [edited, setEdited] = useState(quote);
  const { run, state } = useIdempotentMutation(async (input: QuoteUpdateInput, intent) => {
    const { data, error } = await client.mutate({ mutation: UpdateQuote, variables: { input }, context: { intent }, errorPolicy: 'all' });
    if (!data?.quoteUpdate && error) throw error;
    setEdited(unwrap(data?.quoteUpdate).quote ?? quote);
  });
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const quantities = new FormData(event.currentTarget);
    // An update replaces all lines and discounts, so it sends back those that were read.
    const lines = edited.lines.map(({ id, productId, priceType }) => ({ productId, priceType, quantity: Number(quantities.get(id)) }));
    const discounts = edited.discounts.map(({ discountId }) => ({ discountId }));
    void run({ quoteId: quote.id, expectedVersion: quote.version ?? '', lines, discounts });
  };

  const isRejected = state.status === 'failed' && state.error instanceof MutationFailure && state.error.is('VERSION_CONFLICT');
  const hasConflict = isRejected && quote.version !== edited.version;
  const stored = quote.lines.map(({ quantity, productName }) => `${quantity} × ${productName}`).join(', ');
  const conflict = `Not saved, because this quote has been changed to ${stored}. To edit that instead, close this quote and open it again.`;
  const failed = hasConflict ? conflict : 'Not saved.';
  const texts = { idle: '', pending: 'Saving…', succeeded: 'Saved.', failed, unknown: 'This may not have been saved.' };
  return (
    <form onSubmit={save}>
      {/* While the outcome is unknown, the user can only send the same input again. */}
      <fieldset key={edited.version} disabled={state.status === 'pending' || state.status === 'unknown'}>
        {edited.lines.map(({ id, productName, quantity }) => (
          <label key={id}>
            {productName} <input type="number" name={id} min="1" required defaultValue={quantity} />
          </label>
        ))}
        <button type="submit">{hasConflict ? 'Save anyway' : 'Save'}</button>
      </fieldset>
      <Status {...(!hasConflict && state)} text={texts[state.status]} />
    </form>
  );
}

/** Edits the current version of a quote. */
export function QuoteEditor({ id }: { id: string }) {
  const { data, error, loading, refetch } = useQuery(QuoteToEdit, { variables: { id }, errorPolicy: 'all', fetchPolicy: 'network-only' });
  if (data?.quote) return <QuoteForm quote={data.quote} />;
  return <Status text={loading && 'Loading…'} error={error} retry={() => refetch()} />;
}
