import { Client, fetchExchange, gql, type TypedDocumentNode } from '@urql/core';
import { cacheExchange, type UpdatesConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { describe, expect, it } from 'vitest';
import { graphcacheConfig } from '../../../client/src/urql/index.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useTestGraph();
const { createQuote, lamp } = createQuoting(testGraph);
refuseWarnings();

const CUSTOMER = toGlobalId('Customer', demoId('customer 0'));

/** Invalidates the customer's quote lists when a quote is created. */
const updates: UpdatesConfig = {
  Mutation: {
    quoteCreate: (_result, _variables, cache) => {
      for (const { fieldName, arguments: args } of cache.inspectFields({ __typename: 'Customer', id: CUSTOMER })) {
        if (fieldName === 'quotes') cache.invalidate({ __typename: 'Customer', id: CUSTOMER }, fieldName, args);
      }
    },
  },
};

/** A program with urql and a normalized cache. */
function startUrql(key = 'demo-owner'): Client {
  const config = graphcacheConfig(relayPagination({ mergeMode: 'outwards' }));
  return new Client({
    url: `${testGraph.url}/graphql`,
    exchanges: [cacheExchange({ ...config, updates }), fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
  });
}

interface Quote {
  readonly id: string;
  readonly status: string;
  readonly version: string;
}
interface Quotes {
  readonly customer: {
    readonly quotes: {
      readonly edges: readonly { readonly cursor: string; readonly node: Quote }[];
      readonly pageInfo: Readonly<Record<'hasNextPage' | 'hasPreviousPage' | 'startCursor' | 'endCursor', string | boolean>>;
    } | null;
  };
}
type Result = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const QUOTES: TypedDocumentNode<Quotes> = gql`query Quotes($id: ID!, $filter: QuoteFilterInput, $first: Int, $after: String, $last: Int, $before: String) {
  customer(id: $id) {
    id
    quotes(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id status version totalOnce { amount currencyCode } lines { id quantity } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

const FAILURE = '... on NotFoundError { missingId path } ... on MutationError { code message }';
const CONFIRM: TypedDocumentNode<Result> = gql`mutation Confirm($input: QuoteConfirmInput!) {
  quoteConfirm(input: $input) { __typename ... on QuoteConfirmPayload { quote { id status version } order { id status } } ... on TransitionBlockedError { fromText } ${FAILURE} }
}`;
const CREATE: TypedDocumentNode<Result> = gql`mutation Create($input: QuoteCreateInput!) {
  quoteCreate(input: $input) { __typename ... on QuoteCreatePayload { quote { id } effect } ${FAILURE} }
}`;

/** The customer's quotes in the cache after a query with these variables. */
async function fetchQuotes(client: Client, variables: object) {
  const { data, error } = await client.query(QUOTES, { id: CUSTOMER, ...variables }).toPromise();
  if (error || !data?.customer.quotes) throw error ?? new Error('There are no quotes.');
  const { edges, pageInfo } = data.customer.quotes;
  return { ids: edges.map(({ node }) => node.id), first: edges[0], pageInfo };
}

/** Executes a mutation and returns the member of its result union. */
async function change(client: Client, mutation: TypedDocumentNode<Result>, input: object) {
  const { data, error } = await client.mutation(mutation, { input }).toPromise();
  if (error) throw error;
  return Object.values(data ?? {}).find((member) => typeof member === 'object');
}

/** The customer's newest quotes, fetched without urql. */
async function fetchNewestQuotes(status?: string): Promise<{ readonly cursor: string; readonly id: string }[]> {
  const { data } = await testGraph.execute(
    'query ($id: ID!, $filter: QuoteFilterInput) { customer(id: $id) { quotes(first: 100, filter: $filter) { edges { cursor node { id } } } } }',
    { id: CUSTOMER, filter: status && { statuses: [status] } },
  );
  return data.customer.quotes.edges.map(({ cursor, node }: { cursor: string; node: { id: string } }) => ({ cursor, id: node.id }));
}

const getIds = (quotes: readonly { readonly id: string }[]) => quotes.map(({ id }) => id);

describe('relayPagination', () => {
  it('appends pages without duplicates, one upstream page each, and stores a separate list per status', async () => {
    const client = startUrql();
    const all = getIds(await fetchNewestQuotes('CONFIRMED'));
    await fetchQuotes(client, { first: 4, filter: { statuses: ['CONCEPT'] } });
    let after: unknown;
    for (const pages of [1, 2, 3]) {
      const [{ ids, pageInfo }, calls] = await testGraph.recordCalls(() =>
        fetchQuotes(client, { first: 4, after, filter: { statuses: ['CONFIRMED'] } }),
      );
      expect([ids, calls]).toEqual([all.slice(0, 4 * pages), ['Quote/ListQuotes']]);
      after = pageInfo.endCursor;
    }
    const [again, calls] = await testGraph.recordCalls(() => fetchQuotes(client, { first: 4, filter: { statuses: ['CONFIRMED'] } }));
    expect([again.ids, calls]).toEqual([all.slice(0, 12), []]);
  });

  it('paginates backward to the first record from the middle of the list', async () => {
    const client = startUrql();
    const all = await fetchNewestQuotes();
    let page = await fetchQuotes(client, { first: 3, after: all[6]?.cursor });
    expect(page.ids).toEqual(getIds(all.slice(7, 10)));
    for (const start of [3, 0]) {
      page = await fetchQuotes(client, { last: 4, before: page.first?.cursor });
      expect(page.ids).toEqual(getIds(all.slice(start, 10)));
      expect(page.pageInfo).toMatchObject({ hasPreviousPage: start > 0, hasNextPage: true });
    }
  });
});

describe('graphcache', () => {
  it('updates a record in a list by global ID after a mutation without another request', async () => {
    const { id } = await createQuote({ customerId: CUSTOMER });
    const client = startUrql();
    expect((await fetchQuotes(client, { first: 2 })).first?.node).toMatchObject({ id, status: 'CONCEPT', version: '1' });
    const [result, calls] = await testGraph.recordCalls(() => change(client, CONFIRM, { quoteId: id }));
    expect([result, calls]).toMatchObject([
      { __typename: 'QuoteConfirmPayload', order: { status: 'OPEN' } },
      ['Quote/GetQuote', 'Quote/ConfirmQuote'],
    ]);
    const [{ first }, more] = await testGraph.recordCalls(() => fetchQuotes(client, { first: 2 }));
    expect([first?.node, more]).toMatchObject([{ id, status: 'CONFIRMED', version: '2' }, []]);
  });

  it('refetches a list that an update has invalidated', async () => {
    const client = startUrql();
    const { ids } = await fetchQuotes(client, { first: 2 });
    const lines = [{ productId: await lamp(), quantity: 1 }];
    const created = await change(client, CREATE, { customerId: CUSTOMER, title: 'From urql', lines });
    const [{ ids: now }, calls] = await testGraph.recordCalls(() => fetchQuotes(client, { first: 2 }));
    expect([created, now, calls]).toMatchObject([
      { __typename: 'QuoteCreatePayload', quote: { id: now[0] }, effect: 'DONE' },
      [expect.any(String), ids[0]],
      ['Quote/ListQuotes'],
    ]);
  });

  it('matches error types, including those without a record', async () => {
    const { id } = await createQuote();
    await testGraph.execute('mutation ($input: QuoteDiscardInput!) { quoteDiscard(input: $input) { __typename } }', {
      input: { quoteId: id },
    });
    const client = startUrql();
    expect(await change(client, CONFIRM, { quoteId: id })).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_QUOTE_STATUS_DISCARDED',
      code: 'TRANSITION_BLOCKED',
    });
    const lines = [{ productId: 'nothing', quantity: 1 }];
    expect(await change(client, CREATE, { customerId: CUSTOMER, lines })).toMatchObject({
      __typename: 'NotFoundError',
      missingId: 'nothing',
      path: ['lines', '0', 'productId'],
      code: 'NOT_FOUND',
    });
  });

  it('returns data alongside errors', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer:read'] });
    const { data, error } = await startUrql(key).query(QUOTES, { id: CUSTOMER, first: 2 }).toPromise();
    expect(data).toMatchObject({ customer: { id: CUSTOMER, quotes: null } });
    expect(error?.graphQLErrors).toMatchObject([
      { path: ['customer', 'quotes'], extensions: { code: 'FORBIDDEN', missingScopes: ['quote:read'] } },
    ]);
  });
});
