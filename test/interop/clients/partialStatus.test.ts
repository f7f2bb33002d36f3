import { ApolloClient, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange, gql } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const PARTIAL = '{ contacts(first: 1) { nodes { id } } customers(first: -1) { nodes { id } } }';

/** A `fetch` that sends the key and records the statuses of its responses. */
function createWatchedFetch() {
  const statuses: number[] = [];
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', 'Bearer demo-owner');
    const response = await fetch(input, { ...init, headers });
    statuses.push(response.status);
    return response;
  };
  return { statuses, send };
}

describe('partial response with status 294', () => {
  const expectPartial = (data: unknown, errors: unknown) => {
    expect(data).toMatchObject({ contacts: { nodes: [{ id: expect.any(String) }] }, customers: null });
    expect(errors).toMatchObject([{ path: ['customers'], extensions: { code: 'BAD_USER_INPUT' } }]);
  };

  it('returns data and errors in Apollo Client', async () => {
    const { statuses, send } = createWatchedFetch();
    const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: `${testGraph.url}/graphql`, fetch: send }) });
    const { data, error } = await client.query({ query: apolloGql`${PARTIAL}`, errorPolicy: 'all' });
    expect(statuses).toEqual([294]);
    expectPartial(data, (error as { readonly errors?: unknown } | undefined)?.errors);
  });

  it('returns data and errors in urql', async () => {
    const { statuses, send } = createWatchedFetch();
    const client = new Client({ url: `${testGraph.url}/graphql`, fetch: send, exchanges: [fetchExchange], preferGetMethod: false });
    const { data, error } = await client.query(gql`${PARTIAL}`, {}).toPromise();
    expect(statuses).toEqual([294]);
    expectPartial(data, error?.graphQLErrors);
    expect(error?.networkError).toBeUndefined();
  });
});
