import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { Client, fetchExchange } from '@urql/core';
import { type GraphQLResponse, Observable, type RequestParameters } from 'relay-runtime';
import { afterAll, expect, it } from 'vitest';
import { cacheConfig, idempotencyLink } from '../../../client/src/apollo/index.ts';
import type { RetryOptions } from '../../../client/src/core/retry.ts';
import { createFetch } from '../../../client/src/relay/index.ts';
import { idempotencyExchange } from '../../../client/src/urql/index.ts';
import { startIdentityProvider } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const provider = await startIdentityProvider();
afterAll(() => provider.close());
const assignments = new AssignmentFile({ alice: { key: 'demo-owner' } });
const testGraph = useTestGraph({}, undefined, { env: createSignInSettings(provider, assignments) });

const QUERY = 'query ListCustomers($first: Int!) { customers(first: $first) { nodes { id } } }';

/** Sends the query. Rejects if there is no data. */
type Send = (first: number) => Promise<unknown>;

interface Options {
  readonly retry: RetryOptions;
  readonly getHeaders: () => { readonly authorization: string };
}

function startApollo({ retry, getHeaders }: Options): Send {
  const link = idempotencyLink(retry)
    .concat(new SetContextLink(() => ({ headers: getHeaders() })))
    .concat(new HttpLink({ uri: `${testGraph.url}/graphql` }));
  const client = new ApolloClient({ cache: new InMemoryCache(cacheConfig), link, devtools: { enabled: false } });
  return (first) => client.query({ query: gql(QUERY), variables: { first } });
}

function startUrql({ retry, getHeaders }: Options): Send {
  const exchanges = [idempotencyExchange(retry), fetchExchange];
  const client = new Client({ url: `${testGraph.url}/graphql`, fetchOptions: () => ({ headers: getHeaders() }), exchanges });
  return async (first) => {
    const { error } = await client.query(QUERY, { first }).toPromise();
    if (error) throw error;
  };
}

function startRelay({ retry, getHeaders }: Options): Send {
  const send = createFetch({ url: `${testGraph.url}/graphql`, headers: getHeaders, ...retry });
  const request = { operationKind: 'query', name: 'ListCustomers', text: QUERY, id: null } as RequestParameters;
  return async (first) => {
    const response = await Observable.from<GraphQLResponse>(send(request, { first }, {})).toPromise();
    if (!response || !('data' in response) || !response.data) throw response;
  };
}

it.each([
  ['Apollo Client', startApollo],
  ['urql', startUrql],
  ['Relay', startRelay],
])('renews an expired token once for three requests of %s', async (_, start) => {
  const expired = await provider.issue('alice', { claims: { exp: Math.floor(Date.now() / 1000) - 60 } });
  let token = expired;
  const sent: string[] = [];
  let renewals = 0;
  const renew = async () => {
    renewals += 1;
    token = await provider.issue('alice');
  };
  const getHeaders = () => {
    sent.push(token);
    return { authorization: `Bearer ${token}` };
  };
  const send = start({ retry: { renew }, getHeaders });
  await Promise.all([1, 2, 3].map(send));
  expect(renewals).toBe(1);
  expect(sent).toEqual([expired, expired, expired, token, token, token]);
});
