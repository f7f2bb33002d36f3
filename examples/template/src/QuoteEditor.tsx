import { useApolloClient, useQuery } from '@apollo/client/react';
import { Alert, Button, Fieldset, Group, NumberInput, Stack, Title } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { MutationFailure, unwrap } from '@workspace-graph/client';
import { useIdempotentMutation } from '@workspace-graph/client/react';
import { type SubmitEvent, useState } from 'react';
import { QuoteById, UpdateQuote } from './documents.ts';
import type { QuoteDetailsFragment, QuoteUpdateInput } from './gql/graphql.ts';
import { ButtonLink } from './links.tsx';
import { Status } from './Status.tsx';

/** `quote` is the newest version in the cache. If an update is rejected because the quote has changed, the response contains it. */
function QuoteForm({ quote }: { quote: QuoteDetailsFragment }) {
  const client = useApolloClient();
  const navigate = useNavigate();
  const [edited, setEdited] = useState(quote);
  const { run, reset, state } = useIdempotentMutation(async (input: QuoteUpdateInput, intent) => {
    const { data, error } = await client.mutate({ mutation: UpdateQuote, variables: { input }, context: { intent }, errorPolicy: 'all' });
    if (!data?.quoteUpdate && error) throw error;
    unwrap(data?.quoteUpdate);
    // Also after the first attempt has failed.
    await navigate({ to: '/quotes/$id', params: { id: quote.id } });
  });
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const quantities = new FormData(event.currentTarget);
    // An update replaces all lines and discounts, so it sends back those that were read.
    const lines = edited.lines.map(({ id, productId, priceType }) => ({ productId, priceType, quantity: Number(quantities.get(id)) }));
    const discounts = edited.discounts.map(({ discountId }) => ({ discountId }));
    void run({ quoteId: quote.id, expectedVersion: quote.version ?? '', lines, discounts });
  };
  const useStored = () => {
    setEdited(quote);
    reset();
  };

  const isRejected = state.status === 'failed' && state.error instanceof MutationFailure && state.error.is('VERSION_CONFLICT');
  const hasConflict = isRejected && quote.version !== edited.version;
  const stored = quote.lines.map(({ quantity, productName }) => `${quantity} × ${productName}`).join(', ');
  return (
    <form onSubmit={save}>
      {/* While the outcome is unknown, the user can only send the same input again. */}
      <Fieldset key={edited.version} disabled={state.status === 'pending' || state.status === 'unknown'} variant="unstyled">
        <Stack>
          {edited.lines.map(({ id, productName, quantity }) => (
            <NumberInput
              key={id}
              label={productName}
              name={id}
              min={1}
              allowDecimal={false}
              defaultValue={quantity}
              maw={320}
              required
              withAsterisk={false}
            />
          ))}
          {hasConflict && (
            <Alert color="orange" role="alert">
              Not saved. Someone else has changed this quote to {stored}.
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={state.status === 'pending'}>
              {hasConflict ? 'Save anyway' : 'Save'}
            </Button>
            {hasConflict && (
              <Button variant="default" onClick={useStored}>
                Edit their version
              </Button>
            )}
            <ButtonLink to="/quotes/$id" params={{ id: quote.id }} variant="subtle">
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </Fieldset>
      <Status text={state.status === 'unknown' && 'This may not have been saved.'} {...(!hasConflict && state)} />
    </form>
  );
}

/** Changes the quantities of the current version of a quote. */
export function QuoteEditor() {
  const { id } = useParams({ from: '/quotes/$id/edit' });
  const { data, error, loading, refetch } = useQuery(QuoteById, { variables: { id }, errorPolicy: 'all', fetchPolicy: 'network-only' });
  if (!data?.quote)
    return <Status isLoading={loading} text={!loading && !error && 'This quote doesn’t exist.'} error={error} retry={() => refetch()} />;
  return (
    <>
      <title>{`Change ${data.quote.referenceNumber}`}</title>
      <Title order={1} mb="md">
        Change quantities of {data.quote.referenceNumber}
      </Title>
      <QuoteForm quote={data.quote} />
    </>
  );
}
