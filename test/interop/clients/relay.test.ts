import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  type Environment,
  getRefetchMetadata,
  getSingularSelector,
  type ReaderFragment,
  type Variables,
} from 'relay-runtime';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { useRelayArtifacts } from './relayArtifacts.ts';
import { createRelay, fetch, paginate } from './relayClient.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useTestGraph();
const { createQuote, lamp } = createQuoting(testGraph);
const artifact = useRelayArtifacts();

refuseWarnings();

const CUSTOMER = toGlobalId('Customer', demoId('customer 0'));

/** A Relay program for a key. */
const startRelay = (key?: string) => createRelay(`${testGraph.url}/graphql`, key);

/** Opens the screen of a customer's quotes. */
async function openScreen(
  environment: Environment,
  variables: { count: number; cursor?: string; filter?: { statuses: readonly string[] } },
) {
  const { customer } = await fetch(environment, await artifact('quotesScreenQuery'), { id: CUSTOMER, ...variables });
  return paginate(environment, await artifact('quotesScreen_quotes'), 'quotes', customer);
}

/** Data of the quote component's fragment. `node` is the node of the list at the position of the fragment spread. */
async function showQuote(environment: Environment, node: unknown) {
  const fragment = await artifact<ReaderFragment>('quotesScreen_quote');
  return environment.lookup(getSingularSelector(fragment, node)).data as unknown as Record<string, unknown>;
}

/** Executes a mutation and returns the member of its result union. */
async function commit(environment: Environment, name: string, variables: Variables) {
  const mutation = await artifact<ConcreteRequest>(name);
  const response = await new Promise<Record<string, Record<string, unknown>>>((onCompleted, onError) => {
    commitMutation(environment, { mutation, variables, onCompleted: (data) => onCompleted(data as never), onError });
  });
  return Object.values(response)[0];
}

/** The customer's newest quotes, fetched without Relay. */
async function fetchNewestQuotes(status?: string): Promise<{ readonly cursor: string; readonly node: { readonly id: string } }[]> {
  const { data } = await testGraph.execute(
    'query ($id: ID!, $filter: QuoteFilterInput) { customer(id: $id) { quotes(first: 100, filter: $filter) { edges { cursor node { id } } } } }',
    { id: CUSTOMER, filter: status && { statuses: [status] } },
  );
  return data.customer.quotes.edges;
}

const getIds = (edges: readonly { readonly node: { readonly id: string } }[]) => edges.map(({ node }) => node.id);

it('finds an object of the store by `node(id:)` without a request', async () => {
  const environment = startRelay();
  const list = await openScreen(environment, { count: 1, filter: { statuses: ['CONFIRMED'] } });
  const request = await artifact<ConcreteRequest>('quotesScreenQuoteQuery');
  const check = (id: string | undefined) => environment.check(createOperationDescriptor(request, { id })).status;
  expect([check(list.ids()[0]), check(CUSTOMER), check('other')]).toEqual(['available', 'available', 'missing']);
});

describe('@connection', () => {
  it('paginates through `node(id:)`, one upstream page each', async () => {
    const all = getIds(await fetchNewestQuotes('CONFIRMED'));
    const [list, opened] = await testGraph.recordCalls(() => openScreen(startRelay(), { count: 4, filter: { statuses: ['CONFIRMED'] } }));
    expect([list.ids(), opened]).toEqual([all.slice(0, 4), ['Customer/GetCustomer', 'Quote/ListQuotes']]);
    for (let count = 4; list.read().pageInfo.hasNextPage; count += 4) {
      expect(list.ids()).toEqual(all.slice(0, count));
      const [, calls] = await testGraph.recordCalls(() => list.load('forward', 4));
      expect(calls).toEqual(['Quote/ListQuotes']);
    }
    expect(list.ids()).toEqual(all);
  });

  it('extends in both directions from the middle of the list, up to the first record', async () => {
    const all = await fetchNewestQuotes();
    const list = await openScreen(startRelay(), { count: 3, cursor: all[7]?.cursor ?? '' });
    expect(list.ids()).toEqual(getIds(all.slice(8, 11)));
    expect(list.read().pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    await list.load('backward', 5);
    await list.load('forward', 2);
    expect(list.ids()).toEqual(getIds(all.slice(3, 13)));
    const [, calls] = await testGraph.recordCalls(() => list.load('backward', 5));
    expect(list.ids()).toEqual(getIds(all.slice(0, 13)));
    expect(list.read().pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    expect(calls).toEqual(['Quote/ListQuotes']);
  });

  it('stores a separate list per filter', async () => {
    const environment = startRelay();
    const concepts = await openScreen(environment, { count: 2, filter: { statuses: ['CONCEPT'] } });
    const confirmed = await openScreen(environment, { count: 2, filter: { statuses: ['CONFIRMED'] } });
    await concepts.load('forward', 2);
    expect([concepts.ids().length, confirmed.ids().length]).toEqual([4, 2]);
    expect(concepts.read().__id).not.toBe(confirmed.read().__id);
  });

  it('paginates a root list', async () => {
    const environment = startRelay();
    const root = await fetch(environment, await artifact('quotesScreenProductsQuery'), { count: 3 });
    const list = paginate(environment, await artifact('quotesScreen_products'), 'products', root);
    const [, calls] = await testGraph.recordCalls(() => list.load('forward', 3));
    const { data } = await testGraph.execute('{ products(first: 6) { edges { node { id } } } }');
    expect([list.ids(), calls]).toEqual([getIds(data.products.edges), ['Catalog/ListProducts']]);
  });
});

describe('@refetchable fragment', () => {
  it('refetches a single record by global ID and updates every list', async () => {
    const { id, version, rawId } = await createQuote({ customerId: CUSTOMER });
    const environment = startRelay();
    const list = await openScreen(environment, { count: 1 });
    const [edge] = list.read().edges;
    expect(await showQuote(environment, edge?.node)).toMatchObject({ id, version: '1', totalOnce: { amount: '20.00' } });
    const input = { quoteId: rawId, expectedVersion: version, lines: [{ productId: await lamp(), quantity: 7 }], discounts: [] };
    await testGraph.execute('mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { __typename } }', { input });
    const { refetchableRequest } = getRefetchMetadata(await artifact('quotesScreen_quote'), 'the quote');
    const [, calls] = await testGraph.recordCalls(() => fetch(environment, refetchableRequest, { id }));
    expect(calls).toEqual(['Quote/GetQuote']);
    expect(await showQuote(environment, edge?.node)).toMatchObject({ id, version: '2', totalOnce: { amount: '70.00' } });
  });
});

describe('mutation', () => {
  it('returns a union discriminated by __typename and updates its record everywhere', async () => {
    const { id } = await createQuote({ customerId: CUSTOMER });
    const environment = startRelay();
    const list = await openScreen(environment, { count: 1 });
    const [edge] = list.read().edges;
    expect(await showQuote(environment, edge?.node)).toMatchObject({ id, status: 'CONCEPT', version: '1' });
    const [result, calls] = await testGraph.recordCalls(() =>
      commit(environment, 'quotesScreenConfirmMutation', { input: { quoteId: id } }),
    );
    expect(result).toMatchObject({ __typename: 'QuoteConfirmPayload', quote: { order: { status: 'OPEN' } } });
    expect(calls).toEqual(['Quote/GetQuote', 'Quote/ConfirmQuote']);
    expect(await showQuote(environment, edge?.node)).toMatchObject({ id, status: 'CONFIRMED', version: '2' });
  });

  it('returns specific and common error fields and leaves the store unchanged if it is rejected', async () => {
    const { id } = await createQuote({ customerId: CUSTOMER });
    const environment = startRelay();
    const list = await openScreen(environment, { count: 1 });
    await testGraph.execute('mutation ($input: QuoteDiscardInput!) { quoteDiscard(input: $input) { __typename } }', {
      input: { quoteId: id },
    });
    expect(await commit(environment, 'quotesScreenConfirmMutation', { input: { quoteId: id } })).toEqual({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_QUOTE_STATUS_DISCARDED',
      blockers: [{ code: 'WRONG_STATUS', message: expect.any(String) }],
      code: 'TRANSITION_BLOCKED',
      message: expect.any(String),
    });
    expect(await showQuote(environment, list.read().edges[0]?.node)).toMatchObject({ id, status: 'CONCEPT', version: '1' });
    const missing = { input: { quoteId: 'no such quote' } };
    expect(await commit(environment, 'quotesScreenConfirmMutation', missing)).toMatchObject({ __typename: 'NotFoundError' });
  });

  it('types each aliased fragment separately and sets only those that match', async () => {
    const type = (await artifact.source('quotesScreenDiscardMutation')).replace(/\s+/g, ' ');
    expect(type).toContain('readonly done: { readonly quote: { readonly status: QuoteStatus');
    expect(type).toMatch(
      /readonly blocked: \{ readonly blockers: ReadonlyArray<\{ readonly code: BlockerCode; \}>; readonly fromText: [^}]*\} \| null/,
    );
    expect(type).toMatch(/readonly failure: \{ readonly code: ErrorCode; readonly retry: RetryAdvice; \} \| null/);
    const environment = startRelay();
    const discard = (quoteId: string) => commit(environment, 'quotesScreenDiscardMutation', { input: { quoteId } });
    expect(await discard((await createQuote({ customerId: CUSTOMER })).id)).toEqual({
      done: { quote: { status: 'DISCARDED' } },
      blocked: null,
      failure: null,
    });
    const { id: confirmed } = await createQuote({ customerId: CUSTOMER });
    await commit(environment, 'quotesScreenConfirmMutation', { input: { quoteId: confirmed } });
    expect(await discard(confirmed)).toEqual({
      done: null,
      blocked: { fromText: 'PUBLIC_QUOTE_STATUS_CONFIRMED', blockers: [{ code: 'WRONG_STATUS' }] },
      failure: { code: 'TRANSITION_BLOCKED', retry: 'NEVER' },
    });
  });

  it('adds the created record to the displayed list', async () => {
    const environment = startRelay();
    const list = await openScreen(environment, { count: 2 });
    const before = list.ids();
    const result = await commit(environment, 'quotesScreenCreateMutation', {
      input: { customerId: CUSTOMER, title: 'From Relay', lines: [{ productId: await lamp(), quantity: 3 }] },
      connections: [list.read().__id],
    });
    expect(result).toMatchObject({ __typename: 'QuoteCreatePayload', quote: { id: list.ids()[0] } });
    expect(list.ids().slice(1)).toEqual(before);
    expect(getIds(await fetchNewestQuotes()).slice(0, 3)).toEqual(list.ids());
  });
});

describe('partial data', () => {
  it('reports errors separately with @catch and has a non-null type', async () => {
    const type = (await artifact.source('quotesScreenPartialQuery')).replace(/\s+/g, ' ');
    expect(type).toContain(
      'readonly orders: Result<{ readonly nodes: ReadonlyArray<{ readonly id: string; readonly totalOnce: { readonly amount: any;',
    );
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'order:read') });
    const request = await artifact<ConcreteRequest>('quotesScreenPartialQuery');
    const page = async (environment: Environment) => (await fetch(environment, request, { id: CUSTOMER })).customer;
    const whole = { title: expect.any(String), quotes: { nodes: [expect.anything()] } };
    expect(await page(startRelay())).toMatchObject({ ...whole, orders: { ok: true, value: { nodes: [{ version: expect.any(String) }] } } });
    expect(await page(startRelay(key))).toMatchObject({
      ...whole,
      orders: { ok: false, errors: [{ extensions: { code: 'FORBIDDEN', missingScopes: ['order:read'] } }] },
    });
  });

  it('has a non-null type in a fragment with @throwOnFieldError', async () => {
    const type = (await artifact.source('quotesScreen_total')).replace(/\s+/g, ' ');
    expect(type).toContain('readonly totalOnce: { readonly amount: any; }; readonly version: any;');
  });
});
