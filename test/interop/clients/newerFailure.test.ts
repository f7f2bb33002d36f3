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

/** A key that may not confirm, so that the answer is a ForbiddenError. */
const headers = { authorization: 'Bearer demo-reader', 'content-type': 'application/json' };
const variables = { quoteId: 'any' };

/** The graph as it may be later: with a failure that the programs of today do not know. */
const laterFetch: typeof fetch = async (url, init) => {
  const response = await fetch(url, init);
  return new Response((await response.text()).replaceAll('"ForbiddenError"', '"LaterError"'), response);
};

const whole = {
  __typename: 'LaterError',
  code: 'FORBIDDEN',
  message: 'The API key is missing a required scope: quote:confirm. Use a key that has it.',
  retry: 'NEVER',
};

const failureOf = (result: ConfirmQuoteMutation['quoteConfirm'] | null | undefined) => {
  try {
    return unwrap(result);
  } catch (error) {
    return error instanceof MutationFailure ? [error.failure.code, error.isRepeatable, describeFailure(error)] : error;
  }
};

describe('a failure that is newer than the program', () => {
  const confirm = async (cache: InMemoryCache) => {
    const link = new HttpLink({ uri: `${testGraph.url}/graphql`, headers, fetch: laterFetch });
    const client = new ApolloClient({ cache, link, devtools: { enabled: false } });
    const { data } = await client.mutate({ mutation: ConfirmQuoteDocument, variables, errorPolicy: 'all' });
    return data?.quoteConfirm;
  };

  it('keeps its fields in Apollo Client, in the cache of the example', async () => {
    const result = await confirm(createCache());
    expect(result).toMatchObject(whole);
    expect(failureOf(result)).toEqual([
      'FORBIDDEN',
      false,
      'FORBIDDEN: The API key is missing a required scope: quote:confirm. Use a key that has it.',
    ]);
  });

  it('has only its name in Apollo Client with possibleTypes alone: unwrap throws it all the same', async () => {
    const result = await confirm(new InMemoryCache({ possibleTypes: possible.possibleTypes }));
    expect(result).toEqual({ __typename: 'LaterError' });
    expect(failureOf(result)).toEqual(['NEWER_THAN_PROGRAM', false, expect.stringContaining('newer than this program (LaterError)')]);
  });

  it('is an error in urql, behind the exchange of the example', async () => {
    const client = new Client({
      url: `${testGraph.url}/graphql`,
      exchanges: [...cacheExchanges, fetchExchange],
      fetch: laterFetch,
      fetchOptions: { headers },
    });
    const { data, error } = await client.mutation(ConfirmQuoteDocument, variables).toPromise();
    const { message, ...extensions } = whole;
    expect(data).toEqual({ quoteConfirm: null });
    expect(error?.graphQLErrors).toMatchObject([{ message, path: ['quoteConfirm'], extensions }]);
  });

  it('keeps its fields in Relay, which asks the graph whether it is a MutationError', async () => {
    const network = Network.create(async ({ text }, input) => {
      const body = JSON.stringify({ query: text, variables: input });
      return (await laterFetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body })).json();
    });
    const environment = new Environment({ network, store: new Store(new RecordSource()) });
    const mutation = await artifact<ConcreteRequest>('quotesScreenDiscardMutation');
    const answer = await new Promise((onCompleted, onError) => {
      commitMutation(environment, { mutation, variables: { input: variables }, onCompleted, onError });
    });
    expect(answer).toEqual({ quoteDiscard: { done: null, blocked: null, failure: { code: 'FORBIDDEN', retry: 'NEVER' } } });
  });
});
