import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { killAll, startGraph } from '../../support/faults/process.ts';
import { findFreePort } from '../../support/faults/redisProcess.ts';
import { connectTools, PROTOCOL_MODES, type ProtocolMode } from '../../support/toolClient.ts';
import { createSecret, type OidcProvider, startOidcProvider } from './provider.ts';
import { createSignInEnv } from './signedInGraph.ts';

/** Paths that the graph itself reads from the provider. */
const GRAPH_PATHS = ['/.well-known/openid-configuration', '/jwks'];

let sandbox: TestSandbox;
let provider: OidcProvider;
let url = '';
beforeAll(async () => {
  [sandbox, provider] = await Promise.all([openSandbox(), startOidcProvider()]);
  const PORT = String(await findFreePort());
  const keys = { alice: { key: 'demo-owner' }, bob: { key: 'demo-owner', scopes: ['me:read', 'customer:read'] } };
  const graph = await startGraph({
    ...createSignInEnv(provider.issuer, sandbox.url, 'env:ASSIGNED_KEYS'),
    ASSIGNED_KEYS: JSON.stringify(keys),
    PORT,
    AUTH_RESOURCE: `http://127.0.0.1:${PORT}`,
    MCP: 'true',
  });
  url = graph.url;
});
afterAll(async () => {
  await killAll();
  await Promise.all([sandbox.close(), provider.stop()]);
});

/** Connects a client that only knows the address of the tools and its own credentials. */
async function connect(clientId: string, mode: ProtocolMode) {
  const authProvider = new ClientCredentialsProvider({
    clientId,
    clientSecret: createSecret(clientId),
    scope: 'workspace',
    expectedIssuer: provider.issuer,
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider }));
  return client;
}

const listNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('agents', () => {
  it.each(PROTOCOL_MODES)('find the provider through the response 401, and list the tools that their account can use: %s', async (mode) => {
    provider.requests.length = 0;
    const alice = await connect('alice', mode);
    const ofClient = provider.requests.filter((path) => !GRAPH_PATHS.includes(path));
    expect(ofClient).toEqual(['/.well-known/oauth-authorization-server', '/token']);
    const bob = await connect('bob', mode);
    const [all, some] = [await listNames(alice), await listNames(bob)];
    expect(all).toEqual(expect.arrayContaining(['svc_find_customer', 'svc_stock_of_product']));
    expect(some).toContain('svc_find_customer');
    expect(some).not.toContain('svc_stock_of_product');
    await Promise.all([alice.close(), bob.close()]);
  });

  it('get 403 without an API key, and 401 with a token for GraphQL requests', async () => {
    await expect(connect('stranger', 'auto')).rejects.toThrow('403');
    await expect(connectTools(url, await provider.requestToken('alice'))).rejects.toThrow('401');
    const tools = await connectTools(url, await provider.requestToken('alice', `${url}/mcp`));
    expect(await tools.names()).toContain('svc_find_customer');
    await tools.close();
  });
});
