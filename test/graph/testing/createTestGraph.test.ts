import { describe, expect, it } from 'vitest';
import { DEMO_KEYS, NEIGHBOUR_KEYS } from '../../../sandbox/workspace/workspaceDemo.ts';
import { createTestGraph, startProxy, type TestGraph } from '../../../src/testing/index.ts';
import type { GraphResult } from '../../support/testGraph.ts';

/** Posts a document, as a client does. */
async function post(url: string, key: string, query: string, variables: object = {}) {
  const operationName = /(?:query|mutation) (\w+)/.exec(query)?.[1];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables, operationName }),
  });
  return (await response.json()) as Pick<GraphResult, 'data' | 'errors'>;
}

const CREATE = `mutation CreateContact($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on ContactCreatePayload { effect contact { id } }
    ... on MutationError { code retry }
  }
}`;

/** Creates a contact. Its name is also the idempotency key. */
const createContact = ({ keys }: TestGraph, url: string, lastName: string, key = keys.owner) =>
  post(url, key, CREATE, { input: { lastName, idempotencyKey: lastName } });

const countCreations = ({ calls }: TestGraph) => calls.filter(({ operation }) => operation === 'Contact/CreateContact').length;

describe('createTestGraph', () => {
  it('returns the same IDs for the same seed, and others for another seed', async () => {
    const listIds = async (seed: number) => {
      await using graph = await createTestGraph({ seed });
      const { data } = await post(graph.url, graph.keys.reader, '{ customers(first: 3) { nodes { id } } }');
      const created = await createContact(graph, graph.url, 'Same');
      return [...data.customers.nodes, created.data.contactCreate.contact];
    };
    const one = await listIds(1);
    const other = await listIds(4);
    // Only the last seed’s data is cached, so this creates it again. The other tests reuse it.
    const same = await listIds(1);
    expect(one).toHaveLength(4);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('drops the connection of upstream calls before or after they take effect', async () => {
    await using graph = await createTestGraph();
    const countContacts = async (lastName: string) => {
      const { data } = await post(graph.url, graph.keys.owner, `{ contacts(query: "${lastName}", first: 5) { nodes { id } } }`);
      return data.contacts.nodes.length;
    };
    graph.arm({ operation: 'Contact/CreateContact', cut: 'before' });
    expect(await createContact(graph, graph.url, 'Unsent')).toMatchObject({ data: { contactCreate: { code: 'OUTCOME_UNKNOWN' } } });
    graph.arm({ operation: 'Contact/CreateContact', cut: 'after' });
    expect(await createContact(graph, graph.url, 'Applied')).toMatchObject({ data: { contactCreate: { code: 'OUTCOME_UNKNOWN' } } });
    graph.arm({ operation: '*', cut: 'after', times: 5 });
    graph.disarm();
    expect(await createContact(graph, graph.url, 'Normal')).toMatchObject({ data: { contactCreate: { effect: 'DONE' } } });
    expect([await countContacts('Unsent'), await countContacts('Applied'), await countContacts('Normal')]).toEqual([0, 1, 1]);
  });

  it('records upstream calls with their requests, except those that identify the key', async () => {
    await using graph = await createTestGraph();
    expect(graph.calls).toEqual([]);
    await createContact(graph, graph.url, 'Recorded');
    expect(graph.calls).toMatchObject([{ operation: 'Contact/CreateContact', request: { lastName: 'Recorded' } }]);
  });

  it('has the demo keys of the sandbox by name', async () => {
    await using graph = await createTestGraph();
    expect(Object.entries(graph.keys).map(([name, key]) => [`demo-${name}`, key])).toEqual(
      [...DEMO_KEYS, ...NEIGHBOUR_KEYS].map(({ key }) => [key, key]),
    );
    expect(await createContact(graph, graph.url, 'Denied', graph.keys.reader)).toMatchObject({
      data: { contactCreate: { code: 'FORBIDDEN' } },
    });
  });

  it('applies settings, and rejects those that it would ignore', async () => {
    await using graph = await createTestGraph({ settings: { CORS_ORIGINS: 'http://127.0.0.1:5173' } });
    const { headers } = await fetch(graph.url, { method: 'OPTIONS', headers: { origin: 'http://127.0.0.1:5173' } });
    expect(headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:5173');
    await expect(createTestGraph({ settings: { CORS_ORIGIN: '*' } })).rejects.toThrow('Unknown settings: CORS_ORIGIN.');
    await expect(createTestGraph({ settings: { HOST: '0.0.0.0' } })).rejects.toThrow('doesn’t support the settings HOST.');
    await expect(createTestGraph({ settings: { PORT: 'x' } })).rejects.toThrow('PORT');
    await expect(createTestGraph({ settings: { PORT: new URL(graph.url).port } })).rejects.toThrow('another process is listening there');
  });

  it('rejects faults that would never apply', async () => {
    await using graph = await createTestGraph();
    expect(() => graph.arm({ operation: 'contactCreate', cut: 'after' })).toThrow('Unknown upstream operation contactCreate.');
    expect(() => graph.arm({ operation: '*', cut: 'after', times: 0 })).toThrow('times must be a positive integer, but is 0.');
  });
});

describe('startProxy', () => {
  it('drops the response of a mutation that took effect, so that a retry with its key is replayed', async () => {
    await using graph = await createTestGraph();
    await using proxy = await startProxy(graph.url);
    proxy.drop({ operationName: 'CreateContact' });
    expect(await post(proxy.url, graph.keys.reader, 'query Viewer { viewer { workspace { name } } }')).toEqual({
      data: { viewer: { workspace: { name: 'Demo Works' } } },
      extensions: expect.any(Object),
    });
    await expect(createContact(graph, proxy.url, 'Retried')).rejects.toThrow('fetch failed');
    expect(countCreations(graph)).toBe(1);
    expect(await createContact(graph, proxy.url, 'Retried')).toMatchObject({ data: { contactCreate: { effect: 'REPLAYED' } } });
    expect(proxy.requests).toMatchObject([
      { operationName: 'Viewer', isDropped: false },
      { operationName: 'CreateContact', isDropped: true },
      { operationName: 'CreateContact', isDropped: false },
    ]);
  });

  it('drops requests before they reach the graph', async () => {
    await using graph = await createTestGraph();
    await using proxy = await startProxy(graph.url);
    proxy.drop({ cut: 'before', times: 2 });
    await expect(createContact(graph, proxy.url, 'Unsent')).rejects.toThrow('fetch failed');
    await expect(createContact(graph, proxy.url, 'Unsent')).rejects.toThrow('fetch failed');
    expect(countCreations(graph)).toBe(0);
    expect(await createContact(graph, proxy.url, 'Unsent')).toMatchObject({ data: { contactCreate: { effect: 'DONE' } } });
  });
});

describe('accounts of a test graph', () => {
  const QUERY = '{ customers(first: 1) { nodes { id } } products(first: 1) { nodes { id } } }';

  it('sign in with tokens, and can be limited to scopes', async () => {
    await using graph = await createTestGraph({ accounts: { alice: {}, bob: { key: 'reader', scopes: ['customer:read'] } } });
    const query = async (subject: string) => post(graph.url, await graph.signInAs(subject), QUERY);
    expect((await query('alice')).data).toMatchObject({ customers: { nodes: [{}] }, products: { nodes: [{}] } });
    const limited = await query('bob');
    expect([limited.data.customers.nodes.length, limited.errors?.[0]?.extensions.reason]).toEqual([1, 'ACCOUNT_SCOPE']);
    expect((await query('carol')).errors?.[0]?.extensions.reason).toBe('NO_KEY_ASSIGNED');
    expect((await post(graph.url, await graph.signInAs('alice', { expiresInSeconds: -60 }), QUERY)).errors?.[0]?.extensions.reason).toBe(
      'TOKEN_EXPIRED',
    );
    expect((await post(graph.url, graph.keys.owner, QUERY)).errors).toBeUndefined();
  });

  it('can be the only way to get access, also for agents', async () => {
    const settings = { AUTH_API_KEYS: 'false', AUTH_RESOURCE: 'https://graph.example', MCP: 'true' };
    await using graph = await createTestGraph({ accounts: { alice: {} }, settings });
    expect((await post(graph.url, graph.keys.owner, QUERY)).errors?.[0]?.extensions.reason).toBe('API_KEYS_DISABLED');
    expect((await post(graph.url, await graph.signInAs('alice'), QUERY)).errors).toBeUndefined();
    await expect(createTestGraph({ settings })).rejects.toThrow('AUTH_API_KEYS requires AUTH_ISSUER.');
  });

  it('must be passed to the test graph', async () => {
    await expect(createTestGraph({ settings: { AUTH_ISSUER: 'http://127.0.0.1:1' } })).rejects.toThrow('Pass `accounts` instead');
    await using graph = await createTestGraph();
    await expect(graph.signInAs('alice')).rejects.toThrow('Pass `accounts` to createTestGraph');
  });
});
