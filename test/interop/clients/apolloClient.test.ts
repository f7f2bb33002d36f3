import {
  ApolloClient,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  type OperationVariables,
  type TypedDocumentNode,
} from '@apollo/client';
import { asapScheduler, filter, firstValueFrom, mergeMap, observeOn } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { cacheConfig } from '../../../client/src/apollo/index.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, MAIN, VAN } from '../../sandbox/stock.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);
const takeWarnings = refuseWarnings();

const CUSTOMER = toGlobalId('Customer', demoId('customer 0'));

interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly status: string; readonly version: string };
}
interface Connection {
  readonly edges: readonly Edge[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}
interface Lists {
  readonly customer?: { readonly quotes: Connection | null } | null;
  readonly products?: Connection | null;
}

const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const QUOTES: TypedDocumentNode<Lists> = gql`query Quotes($id: ID!, $filter: QuoteFilterInput, $first: Int, $after: String, $last: Int, $before: String) {
  customer(id: $id) {
    id
    quotes(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id status version } }
      ${PAGE}
    }
  }
}`;

const PRODUCTS: TypedDocumentNode<Lists> = gql`query Products($query: String, $first: Int, $after: String) {
  products(query: $query, first: $first, after: $after) { edges { cursor node { id name } } ${PAGE} }
}`;

const CONFIRM: TypedDocumentNode<
  { readonly quoteConfirm: Readonly<Record<string, unknown>> },
  { readonly input: { readonly quoteId: string } }
> = gql`mutation Confirm($input: QuoteConfirmInput!) {
  quoteConfirm(input: $input) {
    ... on QuoteConfirmPayload { quote { id status version } order { id status } }
    ... on TransitionBlockedError { fromText blockers { code message } }
    ... on MutationError { code message retry }
  }
}`;

/** A program with Apollo Client, set up as the docs recommend. */
function startApollo({ key = 'demo-owner', possibleTypes = cacheConfig.possibleTypes } = {}) {
  const cache = new InMemoryCache({ ...cacheConfig, possibleTypes });
  const link = new HttpLink({ uri: `${testGraph.url}/graphql`, headers: { authorization: `Bearer ${key}` } });
  return new ApolloClient({ cache, link, devtools: { enabled: false } });
}

/** Watches the list of a document like a component. Resolves once the list is loaded. */
async function watch(client: ApolloClient, query: TypedDocumentNode<Lists>, variables: OperationVariables) {
  const watched = client.watchQuery({ query, variables });
  const connections = watched.pipe(
    // Apollo Client 4.3 throws if a subscriber unsubscribes during a notification.
    observeOn(asapScheduler),
    mergeMap(({ data, dataState }) => (dataState === 'complete' ? [data.customer?.quotes ?? data.products] : [])),
    filter((connection) => connection != null),
  );
  const read = () => firstValueFrom(connections);
  await read();
  return {
    shown: read,
    ids: async () => (await read()).edges.map(({ node }) => node.id),
    /** The first matching connection that is displayed. */
    until: (fits: (connection: Connection) => boolean) => firstValueFrom(connections.pipe(filter(fits))),
    more: (window: OperationVariables) => watched.fetchMore({ variables: window }),
  };
}

const watchQuotes = (client: ApolloClient, variables: OperationVariables) => watch(client, QUOTES, { id: CUSTOMER, ...variables });

/** The customer's newest quotes, fetched without Apollo Client. */
async function fetchNewestQuotes(status?: string): Promise<Edge[]> {
  const { data } = await testGraph.execute(
    'query ($id: ID!, $filter: QuoteFilterInput) { customer(id: $id) { quotes(first: 100, filter: $filter) { edges { cursor node { id } } } } }',
    { id: CUSTOMER, filter: status && { statuses: [status] } },
  );
  return data.customer.quotes.edges;
}

const getIds = (edges: readonly { readonly node: { readonly id: string } }[]) => edges.map(({ node }) => node.id);

describe('relayStylePagination', () => {
  it('appends pages without duplicates, one upstream page each, and rereads the list from the cache', async () => {
    const client = startApollo();
    const all = getIds(await fetchNewestQuotes('CONFIRMED'));
    const list = await watchQuotes(client, { first: 4, filter: { statuses: ['CONFIRMED'] } });
    for (let pages = 1; pages <= 2; pages += 1) {
      expect(await list.ids()).toEqual(all.slice(0, 4 * pages));
      const after = (await list.shown()).pageInfo.endCursor;
      const [, calls] = await testGraph.recordCalls(() => list.more({ after }));
      expect(calls).toEqual(['Quote/ListQuotes']);
    }
    const [again, calls] = await testGraph.recordCalls(() => watchQuotes(client, { first: 4, filter: { statuses: ['CONFIRMED'] } }));
    expect([await again.ids(), calls]).toEqual([all.slice(0, 12), []]);
  });

  it('stores a separate list per status', async () => {
    const client = startApollo();
    const concepts = await watchQuotes(client, { first: 2, filter: { statuses: ['CONCEPT'] } });
    const confirmed = await watchQuotes(client, { first: 2, filter: { statuses: ['CONFIRMED'] } });
    await concepts.more({ after: (await concepts.shown()).pageInfo.endCursor });
    expect(await concepts.ids()).toEqual(getIds(await fetchNewestQuotes('CONCEPT')).slice(0, 4));
    expect(await confirmed.ids()).toEqual(getIds(await fetchNewestQuotes('CONFIRMED')).slice(0, 2));
  });

  it('stores a separate root list per search', async () => {
    const client = startApollo();
    const products = await watch(client, PRODUCTS, { first: 2 });
    const found = await watch(client, PRODUCTS, { first: 2, query: 'Inverter' });
    await products.more({ after: (await products.shown()).pageInfo.endCursor });
    const { data } = await testGraph.execute(`{
      all: products(first: 4) { edges { node { id } } }
      found: products(first: 2, query: "Inverter") { edges { node { id } } }
    }`);
    expect([await products.ids(), await found.ids()]).toEqual([getIds(data.all.edges), getIds(data.found.edges)]);
  });

  it('paginates backward to the first record from the middle of the list', async () => {
    const all = await fetchNewestQuotes();
    const list = await watchQuotes(startApollo(), { first: 3, after: all[6]?.cursor });
    expect(await list.ids()).toEqual(getIds(all.slice(7, 10)));
    for (const start of [3, 0]) {
      const { pageInfo } = await list.shown();
      expect(pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
      await list.more({ first: null, after: null, last: 4, before: pageInfo.startCursor });
      expect(await list.ids()).toEqual(getIds(all.slice(start, 10)));
    }
    expect((await list.shown()).pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
  });
});

describe('normalized cache', () => {
  it('updates a record in a list by global ID after a mutation without another request', async () => {
    const { id } = await createQuote({ customerId: CUSTOMER });
    const client = startApollo();
    const list = await watchQuotes(client, { first: 2 });
    expect((await list.shown()).edges[0]?.node).toMatchObject({ id, status: 'CONCEPT', version: '1' });
    const changed = list.until(({ edges }) => edges[0]?.node.status !== 'CONCEPT');
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      client.mutate({ mutation: CONFIRM, variables: { input: { quoteId: id } } }),
    );
    expect([data?.quoteConfirm, calls]).toMatchObject([{ __typename: 'QuoteConfirmPayload' }, ['Quote/GetQuote', 'Quote/ConfirmQuote']]);
    expect((await changed).edges[0]?.node).toMatchObject({ id, status: 'CONFIRMED', version: '2' });
  });

  it('matches an error type to MutationError with the generated possibleTypes', async () => {
    const { id } = await createQuote();
    await testGraph.execute('mutation ($input: QuoteDiscardInput!) { quoteDiscard(input: $input) { __typename } }', {
      input: { quoteId: id },
    });
    const variables = { input: { quoteId: id } };
    const blocked = {
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_QUOTE_STATUS_DISCARDED',
      blockers: [{ __typename: 'Blocker', code: 'WRONG_STATUS', message: expect.any(String) }],
    };
    const confirm = async (client: ApolloClient) => (await client.mutate({ mutation: CONFIRM, variables })).data?.quoteConfirm;
    expect(await confirm(startApollo())).toEqual({ ...blocked, code: 'TRANSITION_BLOCKED', message: expect.any(String), retry: 'NEVER' });
    expect(await confirm(startApollo({ possibleTypes: {} }))).toEqual(blocked);
    expect(takeWarnings().join()).toContain('missing `possibleTypes` entry');
  });
});

it('refetches an evicted list that has a new record', async () => {
  const client = startApollo();
  const query: TypedDocumentNode<{ readonly inventoryTransfers: { readonly nodes: readonly { readonly id: string }[] } }> =
    gql`{ inventoryTransfers(first: 3) { nodes { id } } }`;
  const ids = async () => (await client.query({ query })).data?.inventoryTransfers.nodes.map(({ id }) => id);
  const before = await ids();
  const [sourceLocationId, destinationLocationId] = [MAIN, VAN];
  const lines = [{ productId: demoId('product 1'), quantity: 1 }];
  const { data } = await client.mutate<{ inventoryTransferStart: { transfer: { id: string } } }>({
    mutation: gql`mutation ($input: InventoryTransferStartInput!) {
      inventoryTransferStart(input: $input) { ... on InventoryTransferStartPayload { transfer { id } } }
    }`,
    variables: { input: { sourceLocationId, destinationLocationId, lines, idempotencyKey: createIdempotencyKey() } },
    update: (cache) => void cache.evict({ id: 'ROOT_QUERY', fieldName: 'inventoryTransfers' }),
  });
  const [after, calls] = await testGraph.recordCalls(ids);
  expect([after, calls]).toEqual([
    [data?.inventoryTransferStart.transfer.id, ...(before ?? []).slice(0, 2)],
    ['Inventory/ListInventoryTransfers'],
  ]);
});

it('returns data alongside errors with errorPolicy all', async () => {
  const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'order:read') });
  const query = gql`query ($id: ID!) { customer(id: $id) { id title orders(first: 1) { nodes { id } } } }`;
  const { data, error } = await startApollo({ key }).query({ query, variables: { id: CUSTOMER }, errorPolicy: 'all' });
  expect(data).toEqual({ customer: { __typename: 'Customer', id: CUSTOMER, title: expect.any(String), orders: null } });
  expect(CombinedGraphQLErrors.is(error) && error.errors).toMatchObject([
    { path: ['customer', 'orders'], extensions: { code: 'FORBIDDEN', missingScopes: ['order:read'] } },
  ]);
});
