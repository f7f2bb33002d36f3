import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { composeSupergraph, readSubgraph, type Subgraph } from '../../../examples/supergraph/compose.ts';
import { serveGateway, WORKSPACE } from '../../../examples/supergraph/gateway.ts';
import type { ListeningServer } from '../../../examples/supergraph/listen.ts';
import { serveLoyalty } from '../../../examples/supergraph/loyalty.ts';
import { FULL } from '../../../sandbox/demo.ts';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { MAX_LOOKUPS } from '../../../src/schema/kit/nodes.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { listBlocks } from '../../support/codeBlocks.ts';
import { postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';
import { APOLLO, GUILD } from './composers.ts';
import { serveApolloGateway, type Tap, tap } from './gateways.ts';

/** The initial data of the example, because its variables use these records. */
const SEED = 1;
const testGraph = useTestGraph({ seed: SEED });
const demoId = (name: string) => createUuid(SEED, `demo ${name}`);
/** All sizes of the demo data. */
const CUSTOMERS = Array.from({ length: 60 }, (_, index) => demoId(`customer ${index}`));

const servers: ListeningServer[] = [];
const registerServer = <Server extends ListeningServer>(server: Server): Server => {
  servers.unshift(server);
  return server;
};
afterAll(async () => {
  for (const server of servers) await server.close();
});

let workspace: Tap;
let loyalty: Tap;
let subgraphs: Subgraph[];
beforeAll(async () => {
  const service = registerServer(await serveLoyalty(0));
  workspace = registerServer(await tap(`${testGraph.url}/graphql`));
  loyalty = registerServer(await tap(`${service.url}/graphql`));
  subgraphs = [await readSubgraph(WORKSPACE, `${workspace.url}/graphql`), await readSubgraph('loyalty', `${loyalty.url}/graphql`)];
});

const read = (name: string) => readFileSync(new URL(`../../../examples/supergraph/${name}`, import.meta.url), 'utf8');
const readDocument = (name: string) => ({
  query: read(`${name}.graphql`),
  variables: name === 'customer-loyalty' ? {} : JSON.parse(read(`${name}.variables.json`)),
});

it.each([APOLLO, GUILD])('composes the graph and the loyalty service in $name without hints', ({ compose }) => {
  const { messages, warnings } = compose(subgraphs);
  expect(messages).toEqual([]);
  expect(warnings).toEqual([]);
});

const RUST = 'Hive Gateway with its planner in Rust';

const GATEWAYS = {
  'Apollo’s gateway': () => serveApolloGateway(APOLLO.compose(subgraphs).supergraphSdl ?? ''),
  'Hive Gateway': () => serveGateway(composeSupergraph(subgraphs), 0, { logging: false }),
  // The binary exists for Linux and macOS.
  ...(process.platform !== 'win32' && {
    [RUST]: () => serveGateway(composeSupergraph(subgraphs), 0, { logging: false, planner: 'rust' }),
  }),
};
const urls = new Map<string, string>();
beforeAll(async () => {
  for (const [name, serve] of Object.entries(GATEWAYS)) urls.set(name, registerServer(await serve()).url);
});

const names = Object.keys(GATEWAYS);
const sendQuery = (gateway: string, query: string, variables?: object, key: string | null = 'demo-owner') =>
  postQuery(urls.get(gateway) ?? '', key, query, variables);
const sendExample = (gateway: string, name: string) => {
  const { query, variables } = readDocument(name);
  return sendQuery(gateway, query, variables);
};

/** Returns the result of `action`, the number of requests to each subgraph, and the upstream calls. */
async function countRequests<Result>(action: () => Promise<Result>) {
  const before = [workspace.received.length, loyalty.received.length] as const;
  const [result, calls] = await testGraph.recordCalls(action);
  return { result, calls, requests: { workspace: workspace.received.length - before[0], loyalty: loyalty.received.length - before[1] } };
}

describe('every gateway', () => {
  it.each(['customer-loyalty', 'vouchers', 'quote-loyalty'])('return the same for %s', async (name) => {
    const results = [];
    for (const gateway of names) results.push(await sendExample(gateway, name));
    for (const { data, errors } of results) expect({ data, errors }).toEqual({ data: results[0]?.data, errors: undefined });
  });
});

describe.each(names)('%s', (gateway) => {
  const RAW_IDS: readonly string[] = readDocument('vouchers').variables.rawIds;
  const [known = ''] = RAW_IDS;

  it('fetches all customers at once, and all products at once, from the loyalty service', async () => {
    const { result, calls, requests } = await countRequests(() => sendExample(gateway, 'customer-loyalty'));
    expect(result.data.customersByIdentifier).toEqual([
      {
        title: 'Heat pump Utrecht',
        loyaltyTier: 'BRONZE',
        loyaltyPoints: 671,
        loyaltyCardNumber: 'LOYAL-000001',
        quotes: {
          nodes: [
            { referenceNumber: 'Q-00237', lines: [{ quantity: 4, product: { name: 'Insulation board Pro 12', bonusPoints: 12 } }] },
            {
              referenceNumber: 'Q-00235',
              lines: [
                { quantity: 5, product: { name: 'Solar panel Max 30', bonusPoints: 0 } },
                { quantity: 3, product: { name: 'Charging station Compact 15', bonusPoints: 48 } },
              ],
            },
          ],
        },
      },
    ]);
    // The planner in Rust fetches both in a single request.
    expect(requests).toEqual({ workspace: 1, loyalty: gateway === RUST ? 1 : 2 });
    expect(calls).toEqual(['Customer/LookupCustomersByIdentifier', 'Quote/ListQuotes', ...Array(3).fill('Catalog/GetProduct')]);
  });

  it('fetches each of three customers once for ten vouchers in one request', async () => {
    const { result, calls, requests } = await countRequests(() => sendExample(gateway, 'vouchers'));
    const vouchers: { customer: { id: string } }[] = result.data.loyaltyVouchers;
    expect(vouchers).toHaveLength(10);
    expect([...new Set(vouchers.map(({ customer }) => customer.id))]).toEqual(RAW_IDS.map((rawId) => toGlobalId('Customer', rawId)));
    expect(requests).toEqual({ workspace: 1, loyalty: 2 });
    expect(calls).toEqual([...Array(3).fill('Customer/GetCustomer'), ...Array(3).fill('Quote/ListQuotes')]);
  });

  it('fetches every customer once for more vouchers than the lookup limit', async () => {
    const { customers } = (await testGraph.execute('{ customers(first: 100) { nodes { rawId title } } }')).data;
    const titles = new Map<string, string>(customers.nodes.map(({ rawId, title }: { rawId: string; title: string }) => [rawId, title]));
    const query = 'query ($rawIds: [ID!]!) { loyaltyVouchers(rawIds: $rawIds) { customer { rawId title } } }';
    const { result, calls, requests } = await countRequests(() => sendQuery(gateway, query, { rawIds: CUSTOMERS }));
    const owners: { rawId: string; title: string }[] = result.data.loyaltyVouchers.map(({ customer }: { customer: object }) => customer);
    expect(result.errors).toBeUndefined();
    expect(owners.length).toBeGreaterThan(MAX_LOOKUPS);
    expect(owners).toEqual(owners.map(({ rawId }) => ({ rawId, title: titles.get(rawId) })));
    expect(calls).toEqual(Array(new Set(owners.map(({ rawId }) => rawId)).size).fill('Customer/GetCustomer'));
    expect(requests).toEqual({ workspace: 1, loyalty: 1 });
  });

  it('rejects too many representations without an upstream call', async () => {
    const rawIds = [...CUSTOMERS, ...Array.from({ length: MAX_LOOKUPS + 1 - CUSTOMERS.length }, (_, index) => `absent ${index}`)];
    const query = 'query ($rawIds: [ID!]!) { loyalCustomers(rawIds: $rawIds) { loyaltyTier title } }';
    const { result, calls } = await countRequests(() => sendQuery(gateway, query, { rawIds }));
    expect(result.data.loyalCustomers).toEqual(rawIds.map(() => ({ loyaltyTier: expect.any(String), title: null })));
    // Gateways differ: some return one error for all entities, others an error for each.
    const uniqueErrors = new Set(result.errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`));
    expect([...uniqueErrors]).toEqual([
      'BAD_USER_INPUT: representations must have at most 100 different entries, but has 101. Request a smaller page.',
    ]);
    expect(calls).toEqual([]);
  });

  it('converts raw IDs to global IDs without an upstream call', async () => {
    const query = 'query ($rawIds: [ID!]!) { loyalCustomers(rawIds: $rawIds) { rawId id } }';
    const { result, calls, requests } = await countRequests(() => sendQuery(gateway, query, { rawIds: RAW_IDS }));
    const ids = new Map(result.data.loyalCustomers.map(({ rawId, id }: { rawId: string; id: string }) => [rawId, id]));
    expect(ids).toEqual(new Map(RAW_IDS.map((rawId) => [rawId, toGlobalId('Customer', rawId)])));
    expect([requests, calls]).toEqual([{ workspace: 1, loyalty: 1 }, []]);
  });

  it.each([
    ['authorization', 'Bearer demo-owner'],
    ['x-api-key', 'demo-owner'],
  ])('forwards the key in %s only to the graph', async (header, value) => {
    const query = 'query ($id: ID!) { customer(id: $id) { title loyaltyTier } }';
    const response = await fetch(`${urls.get(gateway)}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [header]: value },
      body: JSON.stringify({ query, variables: { id: known } }),
    });
    expect(await response.json()).toEqual({ data: { customer: { title: 'Insulation Groningen', loyaltyTier: 'GOLD' } } });
    expect(workspace.received.at(-1)).toHaveProperty(header, value);
    expect(loyalty.received.at(-1)).not.toHaveProperty(header);
  });

  it('returns UNAUTHENTICATED without a key', async () => {
    const { data, errors } = await sendQuery(gateway, 'query ($id: ID!) { customer(id: $id) { title } }', { id: known }, null);
    expect(data).toEqual({ customer: null });
    expect(errors).toMatchObject([{ path: ['customer'], extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('returns FORBIDDEN with the missing scopes, alongside the data that the key can read', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'customer:read') });
    const query = 'query ($rawIds: [ID!]!) { loyalCustomers(rawIds: $rawIds) { loyaltyTier title } }';
    const { result, calls } = await countRequests(() => sendQuery(gateway, query, { rawIds: [known] }, key));
    expect(result.data).toEqual({ loyalCustomers: [{ loyaltyTier: 'GOLD', title: null }] });
    expect(result.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'MISSING_SCOPE', missingScopes: ['customer:read'] } }]);
    expect(calls).toEqual([]);
  });

  it('resolves only missing entities to null', async () => {
    const LOYAL = (fields: string) => `query ($rawIds: [ID!]!) { loyalCustomers(rawIds: $rawIds) { rawId ${fields} } }`;
    const rawIds = [known, 'absent'];
    const { data, errors } = await sendQuery(gateway, LOYAL('title'), { rawIds });
    expect(data.loyalCustomers).toEqual([
      { rawId: known, title: 'Insulation Groningen' },
      { rawId: 'absent', title: null },
    ]);
    expect(errors).toBeUndefined();
    // A non-null field propagates its null.
    const demanding = await sendQuery(gateway, LOYAL('customFields { name }'), { rawIds });
    expect(demanding.data.loyalCustomers).toEqual([{ rawId: known, customFields: expect.any(Array) }, null]);
  });

  it('reports only the invalid reference', async () => {
    const query = 'query ($rawIds: [ID!]!) { loyalCustomers(rawIds: $rawIds) { rawId title } }';
    const { data, errors } = await sendQuery(gateway, query, { rawIds: [known, ''] });
    expect(data.loyalCustomers).toContainEqual({ rawId: known, title: 'Insulation Groningen' });
    expect(data.loyalCustomers).toContainEqual({ rawId: '', title: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  it('rejects an operation that is too expensive without an upstream call', async () => {
    const query = `query ($rawIds: [ID!]!) {
      loyalCustomers(rawIds: $rawIds) { quotes(first: 100) { nodes { lines { product { inventoryBalances { nodes { onHand } } } } } } }
    }`;
    const rawIds = Array.from({ length: 20 }, (_, index) => demoId(`customer ${index}`));
    const { result, calls } = await countRequests(() => sendQuery(gateway, query, { rawIds }));
    expect(result.errors?.map(({ extensions }) => extensions.code)).toContain('QUERY_TOO_EXPENSIVE');
    expect(calls).toEqual([]);
  });

  it('paginates forward and backward', async () => {
    const WHOLE = '{ customers(first: 9) { nodes { rawId } } }';
    const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String) {
      customers(first: $first, after: $after, last: $last, before: $before) {
        nodes { rawId loyaltyPoints }
        pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
      }
    }`;
    const rawIds = ({ nodes }: { nodes: { rawId: string }[] }) => nodes.map(({ rawId }) => rawId);
    const expected = rawIds((await testGraph.execute(WHOLE)).data.customers);
    const page = async (window: object) => (await sendQuery(gateway, PAGE, window)).data.customers;
    const first = await page({ first: 4 });
    const second = await page({ first: 5, after: first.pageInfo.endCursor });
    expect([...rawIds(first), ...rawIds(second)]).toEqual(expected);
    expect(first.nodes[0].loyaltyPoints).toEqual(expect.any(Number));
    expect([first.pageInfo.hasPreviousPage, second.pageInfo.hasPreviousPage]).toEqual([false, true]);
    const back = await page({ last: 4, before: second.pageInfo.startCursor });
    expect(back).toEqual({ ...first, pageInfo: { ...first.pageInfo, hasNextPage: true } });
  });

  const CREATE = `mutation ($input: QuoteCreateInput!) {
    quoteCreate(input: $input) {
      __typename
      ... on QuoteCreatePayload { quote { customer { loyaltyTier } } }
      ... on ValidationError { issues { path } }
      ... on MutationError { code }
    }
  }`;
  const lines = (quantity: number, productId = demoId('product 1')) => [{ productId, quantity }];

  it('returns the payload or the error of a mutation', async () => {
    const create = async (input: object) => (await sendQuery(gateway, CREATE, { input: { customerId: known, ...input } })).data.quoteCreate;
    expect(await create({ lines: lines(1) })).toEqual({
      __typename: 'QuoteCreatePayload',
      quote: { customer: { loyaltyTier: 'GOLD' } },
    });
    expect(await create({ lines: lines(0) })).toEqual({
      __typename: 'ValidationError',
      issues: [{ path: ['lines', '0', 'quantity'] }],
      code: 'BAD_USER_INPUT',
    });
    expect(await create({ lines: lines(1, 'nothing') })).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
  });

  it('sends a mutation once even if its response is lost', async () => {
    workspace.dropsResponses = true;
    const { result, calls, requests } = await countRequests(() =>
      sendQuery(gateway, CREATE, { input: { customerId: known, lines: lines(1) } }),
    );
    workspace.dropsResponses = false;
    expect(result.data?.quoteCreate ?? null).toBeNull();
    expect(result.errors).toHaveLength(1);
    expect(requests).toEqual({ workspace: 1, loyalty: 0 });
    expect(calls.filter((name) => name === 'Quote/CreateQuote')).toHaveLength(1);
  });
});

it('serves the supergraph as described in its README and exits cleanly', async () => {
  const [start = '', request = '', expected = ''] = listBlocks('supergraph').map(([, { text }]) => text);
  expect(start).toMatch(/^npm --prefix examples\/supergraph start\b/);
  const [, body = ''] = / -d '(.+)'/.exec(request) ?? [];
  const graph = await startTestGraph({ seed: 1, sizes: FULL });
  onTestFinished(() => graph.close());
  const settings = { GRAPH_URL: graph.app.url, LOYALTY_PORT: '0', GATEWAY_PORT: '0' };
  const child = spawn(process.execPath, ['examples/supergraph/start.ts'], { env: { ...process.env, ...settings } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    output += chunk.toString();
    if (output.includes('demo-owner')) break;
  }
  const [, url = ''] = /supergraph is on (\S+)/.exec(output) ?? [];
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
  const response = await fetch(url, { method: 'POST', headers, body });
  expect(await response.json()).toEqual(JSON.parse(expected));
  expect(graph.sandbox.received.map(({ operation }) => operation)).toContain('Quote/ListQuotes');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
