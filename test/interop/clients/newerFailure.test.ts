import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type ConcreteRequest, commitMutation, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { describe, expect, it } from 'vitest';
import { cacheConfig } from '../../../client/src/apollo/index.ts';
import { createPossibleTypes, FAILURES } from '../../../client/src/core/possibleTypes.ts';
import { MutationFailure, unwrap } from '../../../client/src/index.ts';
import { graphcacheConfig, newerFailuresExchange } from '../../../client/src/urql/index.ts';
import { ConfirmQuoteDocument, type ConfirmQuoteMutation } from '../../../examples/client/gql/graphql.ts';
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
    return error instanceof MutationFailure ? [error.code, error.retry, error.message] : error;
  }
};

describe('error type that is newer than the program', () => {
  const confirm = async (cache: InMemoryCache) => {
    const link = new HttpLink({ uri: `${testGraph.url}/graphql`, headers, fetch: laterFetch });
    const client = new ApolloClient({ cache, link, devtools: { enabled: false } });
    const { data } = await client.mutate({ mutation: ConfirmQuoteDocument, variables, errorPolicy: 'all' });
    return data?.quoteConfirm;
  };

  it('preserves its fields in Apollo Client with the cache configuration of the package', async () => {
    const result = await confirm(new InMemoryCache(cacheConfig));
    expect(result).toMatchObject(expectedError);
    expect(summarizeFailure(result)).toEqual(['FORBIDDEN', 'NEVER', expectedError.message]);
  });

  it('preserves only its name in Apollo Client with possibleTypes alone, and unwrap throws it', async () => {
    const result = await confirm(new InMemoryCache({ possibleTypes: createPossibleTypes(FAILURES) }));
    expect(result).toEqual({ __typename: 'LaterError' });
    expect(summarizeFailure(result)).toEqual([undefined, 'CHECK_FIRST', expect.stringContaining('LaterError')]);
  });

  it('preserves its fields in urql with the exchange of the package', async () => {
    const client = new Client({
      url: `${testGraph.url}/graphql`,
      exchanges: [cacheExchange(graphcacheConfig()), newerFailuresExchange, fetchExchange],
      fetch: laterFetch,
      fetchOptions: { headers },
    });
    const { data, error } = await client.mutation(ConfirmQuoteDocument, variables).toPromise();
    expect([data?.quoteConfirm, error]).toMatchObject([{ ...expectedError, __typename: 'UnknownError' }, undefined]);
    expect(summarizeFailure(data?.quoteConfirm)).toEqual(['FORBIDDEN', 'NEVER', expectedError.message]);
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
