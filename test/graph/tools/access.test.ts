import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { startTestGraph, useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true' } });
afterEach(() => testGraph.sandbox.faults.clear());

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: 'Bearer demo-owner',
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Posts to the tools with any headers, also those that `fetch` keeps to itself. */
async function post(
  body: string,
  headers: Record<string, string | undefined> = {},
  { url = testGraph.url, method = 'POST', path = '/mcp' } = {},
) {
  const given = Object.entries({ ...HEADERS, ...headers }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const sent = httpRequest(url + path, { method, headers: Object.fromEntries(given) });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode as number, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

const call = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

describe('a missing key, a missing scope, a denied record and a tool server that is off', () => {
  it('are four answers', spec('5.34', '5.35'), async () => {
    const off = await startTestGraph();
    const disabled = await post(JSON.stringify(LIST), {}, { url: off.app.url });
    await off.close();
    expect([disabled.status, JSON.parse(disabled.text)]).toEqual([
      404,
      { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'The MCP server is disabled. Set MCP=true to enable it.' } },
    ]);

    const missingKey = await post(JSON.stringify(LIST), { authorization: undefined });
    expect([missingKey.status, missingKey.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(missingKey.text).toContain('Missing API key. Send it as');

    const orderId = demoId('order 0');
    const narrow = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'order:read'] }));
    const [missingScope, calls] = await testGraph.recordCalls(() => narrow.call('svc_order_status', { orderId }));
    expect([missingScope.isError, missingScope.body.errors, calls]).toEqual([
      true,
      [
        {
          code: 'FORBIDDEN',
          reason: 'MISSING_SCOPE',
          message: 'The API key is missing a required scope: inventory:read. Use a key that has it.',
          requiredScopes: ['inventory:read', 'order:read'],
          missingScopes: ['inventory:read'],
        },
      ],
      [],
    ]);
    await narrow.close();

    const unknown = await connectTools(
      testGraph.url,
      makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'me:read') }),
    );
    const [undetermined, sent] = await testGraph.recordCalls(() => unknown.call('svc_order_status', { orderId }));
    expect([await unknown.names(), undetermined.isError, undetermined.body.errors, sent]).toEqual([
      [],
      true,
      [
        {
          code: 'FORBIDDEN',
          reason: 'UNDETERMINED',
          message:
            'The graph can’t read the API key’s scopes, which tools require. Use a key that has the scope me:read and those of the tool by name: inventory:read, order:read.',
          requiredScopes: ['inventory:read', 'order:read'],
          missingScopes: [],
        },
      ],
      [],
    ]);
    await unknown.close();

    const blind = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { view: { customers: 'teams' } }));
    const denied = await blind.call('svc_open_quotes', { customerId: demoId('customer 0') });
    expect([denied.isError, denied.body.errors[0]]).toMatchObject([true, { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' }]);
    await blind.close();
  });

  it('is 404 for every method and key while the tool server is off', spec('5.34'), async () => {
    const off = await startTestGraph();
    const statuses = await Promise.all(
      ['GET', 'POST', 'DELETE'].map(async (method) => (await post('', { authorization: undefined }, { url: off.app.url, method })).status),
    );
    await off.close();
    expect(statuses).toEqual([404, 404, 404]);
  });

  it.each(['demo-expired', 'demo-revoked', 'nobody'])('is 401 for the key %s too', async (key) => {
    const { status, text } = await post(JSON.stringify(LIST), { authorization: `Bearer ${key}` });
    expect([status, text.includes(key)]).toEqual([401, false]);
  });

  it('is 403 for a key that may not be used from here', async () => {
    expect((await post(JSON.stringify(LIST), { authorization: 'Bearer demo-office' })).status).toBe(403);
  });

  it('is 503 while nobody can tell', async () => {
    testGraph.sandbox.faults.add({ operation: 'Workspace/Me', status: 500 });
    const { status } = await post(JSON.stringify(LIST), { authorization: `Bearer ${makeKey(testGraph.sandbox.world)}` });
    expect(status).toBe(503);
  });
});

describe('a request', () => {
  it('may bring its key as X-API-Key', async () => {
    const { status } = await post(JSON.stringify(LIST), { authorization: undefined, 'x-api-key': 'demo-owner' });
    expect(status).toBe(200);
  });

  it.each([
    ['2025', {}],
    ['2026', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }],
  ])('of the era of %s is answered as plain JSON', async (era, headers) => {
    const params = era === '2026' ? { _meta: META } : {};
    const answer = await post(JSON.stringify({ ...LIST, params }), headers as Record<string, string>);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(JSON.parse(answer.text).result.tools.length).toBeGreaterThan(10);
  });

  it.each([
    ['with the Host of another site', { host: 'rebound.example.com' }, 403],
    ['with a Host that is none', { host: 'a b' }, 400],
    ['of a page of another site', { origin: 'https://evil.example.com' }, 403],
    ['of a page without an address', { origin: 'null' }, 403],
    ['of a page of this machine', { origin: 'http://localhost:6274' }, 200],
    ['as a form', { 'content-type': 'text/plain' }, 415],
    ['with a coding', { 'content-encoding': 'gzip' }, 415],
  ])('%s is answered as it is meant to be', async (_title, headers, status) => {
    expect((await post(JSON.stringify(LIST), headers)).status).toBe(status);
  });

  it('may name the hosts of the setting, and no others', async () => {
    const hosted = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_HOSTS: 'Tools.example.com' } });
    const statusOf = async (headers: Record<string, string>) => (await post(JSON.stringify(LIST), headers, { url: hosted.app.url })).status;
    expect(await statusOf({ host: 'tools.example.com:8443' })).toBe(200);
    expect(await statusOf({ host: 'tools.example.com', origin: 'https://tools.example.com' })).toBe(200);
    expect(await statusOf({ host: 'localhost' })).toBe(403);
    expect(await statusOf({ host: 'tools.example.com', origin: 'http://localhost' })).toBe(403);
    await hosted.close();
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('by %s is answered 405', async (method) => {
    const { status, headers } = await post('', {}, { method });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it.each([
    ['no JSON', '{', 400],
    ['a list of messages', JSON.stringify([LIST, LIST]), 400],
    ['a text', '"tools/list"', 400],
    ['no message', '{}', 400],
  ])('with %s is refused', async (_title, body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it('of more than 256 KiB is refused, also where it does not say so', spec('8.22'), async () => {
    const body = call('svc_find_customer', { query: 'x'.repeat(256 * 1024) });
    expect((await post(body)).status).toBe(413);
    expect((await post(body, { 'transfer-encoding': 'chunked' })).status).toBe(413);
  });

  it('opens no stream', async () => {
    const params = { _meta: META, notifications: { toolsListChanged: true } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    const { text } = await post(body, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' });
    expect(text).toMatch(/error/);
  });

  it('for a tool that there is not is refused without a call', async () => {
    const [{ text }, calls] = await testGraph.recordCalls(() => post(call('svc_nothing', {})));
    expect([/-32602/.test(text), calls]).toEqual([true, []]);
  });

  it('for a change is one for a tool that there is not, unless changes are served', async () => {
    const [{ text }, calls] = await testGraph.recordCalls(() => post(call('svc_quote_confirm', { quoteId: demoId('quote 0') })));
    expect([/Unknown tool\. Call tools\/list/.test(text), calls]).toEqual([true, []]);
  });
});
