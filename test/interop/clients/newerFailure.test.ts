import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { type ConcreteRequest, commitMutation, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { describe, expect, it } from 'vitest';
import { createCache } from '../../../examples/caches/apollo.ts';
import { cacheExchanges } from '../../../examples/caches/urql.ts';
import { describeFailure } from '../../../examples/client/advice.ts';
import { ConfirmQuoteDocument, type ConfirmQuoteMutation } from '../../../examples/client/gql/graphql.ts';
import { MutationFailure, unwrap } from '../../../examples/client/unwrap.ts';
import possible from '../../../examples/possibleTypes.gen.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { useRelayArtifacts } from './relayArtifacts.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useTestGraph();
const artifact = useRelayArtifacts();
refuseWarnings();

/** A key that can't confirm quotes, so that the response is a ForbiddenError. */
const headers = { authorization: 'Bearer demo-reader', 'content-type': 'application/json' };
const variables = { quoteId: 'any' };

/** The graph of a later version, with an error type that today's programs don't know. */
const laterFetch: typeof fetch = async (url, init) => {
  const response = await fetch(url, init);
  return new Response((await response.text()).replaceAll('"ForbiddenError"', '"LaterError"'), response);
};

const expectedError = {
  __typename: 'LaterError',
  code: 'FORBIDDEN',
  message: 'The API key is missing a required scope: quote:confirm. Use a key that has it.',
  retry: 'NEVER',
};

const summarizeFailure = (result: ConfirmQuoteMutation['quoteConfirm'] | null | undefined) => {
  try {
    return unwrap(result);
  } catch (error) {
    return error instanceof MutationFailure ? [error.failure.code, error.isRepeatable, describeFailure(error)] : error;
  }
};

describe('error type that is newer than the program', () => {
  const confirm = async (cache: InMemoryCache) => {
    const link = new HttpLink({ uri: `${testGraph.url}/graphql`, headers, fetch: laterFetch });
    const client = new ApolloClient({ cache, link, devtools: { enabled: false } });
    const { data } = await client.mutate({ mutation: ConfirmQuoteDocument, variables, errorPolicy: 'all' });
    return data?.quoteConfirm;
  };

  it('preserves its fields in Apollo Client with the cache of the example', async () => {
    const result = await confirm(createCache());
    expect(result).toMatchObject(expectedError);
    expect(summarizeFailure(result)).toEqual([
      'FORBIDDEN',
      false,
      'FORBIDDEN: The API key is missing a required scope: quote:confirm. Use a key that has it.',
    ]);
  });

  it('preserves only its name in Apollo Client with possibleTypes alone, and unwrap throws it', async () => {
    const result = await confirm(new InMemoryCache({ possibleTypes: possible.possibleTypes }));
    expect(result).toEqual({ __typename: 'LaterError' });
    expect(summarizeFailure(result)).toEqual(['NEWER_THAN_PROGRAM', false, expect.stringContaining('Unknown error type LaterError')]);
  });

  it('becomes an error in urql with the exchange of the example', async () => {
    const client = new Client({
      url: `${testGraph.url}/graphql`,
      exchanges: [...cacheExchanges, fetchExchange],
      fetch: laterFetch,
      fetchOptions: { headers },
    });
    const { data, error } = await client.mutation(ConfirmQuoteDocument, variables).toPromise();
    const { message, ...extensions } = expectedError;
    expect(data).toEqual({ quoteConfirm: null });
    expect(error?.graphQLErrors).toMatchObject([{ message, path: ['quoteConfirm'], extensions }]);
  });

  it('preserves its fields in Relay, which asks the graph whether it is a MutationError', async () => {
    const network = Network.create(async ({ text }, input) => {
      const body = JSON.stringify({ query: text, variables: input });
      return (await laterFetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body })).json();
    });
    const environment = new Environment({ network, store: new Store(new RecordSource()) });
    const mutation = await artifact<ConcreteRequest>('quotesScreenDiscardMutation');
    const result = await new Promise((onCompleted, onError) => {
      commitMutation(environment, { mutation, variables: { input: variables }, onCompleted, onError });
    });
    expect(result).toEqual({ quoteDiscard: { done: null, blocked: null, failure: { code: 'FORBIDDEN', retry: 'NEVER' } } });
  });
});
