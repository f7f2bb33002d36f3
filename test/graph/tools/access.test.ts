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

/** Posts to the tool server with any headers, including those that `fetch` doesn't allow. */
async function post(
  body: string | Buffer,
  headers: Record<string, string | undefined> = {},
  { url = testGraph.url, method = 'POST', path = '/mcp' } = {},
) {
  const definedHeaders = Object.entries({ ...HEADERS, ...headers }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const request = httpRequest(url + path, { method, headers: Object.fromEntries(definedHeaders) });
  request.end(body);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode as number, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

const createCallBody = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

describe('access errors', () => {
  it('distinguish a disabled tool server, a missing key, a missing scope, and a denied record', spec('5.34', '5.35'), async () => {
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
    const narrowClient = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'order:read'] }));
    const [missingScope, calls] = await testGraph.recordCalls(() => narrowClient.call('svc_order_status', { orderId }));
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
    await narrowClient.close();

    const unknownClient = await connectTools(
      testGraph.url,
      makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'me:read') }),
    );
    const [undeterminedScope, request] = await testGraph.recordCalls(() => unknownClient.call('svc_order_status', { orderId }));
    expect([await unknownClient.names(), undeterminedScope.isError, undeterminedScope.body.errors, request]).toEqual([
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
    await unknownClient.close();

    const restrictedClient = await connectTools(testGraph.url, makeKey(testGraph.sandbox.world, { view: { customers: 'teams' } }));
    const denied = await restrictedClient.call('svc_open_quotes', { customerId: demoId('customer 0') });
    expect([denied.isError, denied.body.errors[0]]).toMatchObject([true, { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' }]);
    await restrictedClient.close();
  });

  it('have status 404 for every method and key while the tool server is disabled', spec('5.34'), async () => {
    const off = await startTestGraph();
    const statuses = await Promise.all(
      ['GET', 'POST', 'DELETE'].map(async (method) => (await post('', { authorization: undefined }, { url: off.app.url, method })).status),
    );
    await off.close();
    expect(statuses).toEqual([404, 404, 404]);
  });

  it.each(['demo-expired', 'demo-revoked', 'absent'])('return 401 for the key %s', async (key) => {
    const { status, text } = await post(JSON.stringify(LIST), { authorization: `Bearer ${key}` });
    expect([status, text.includes(key)]).toEqual([401, false]);
  });

  it('return 403 for a key that can’t be used from this IP address', async () => {
    expect((await post(JSON.stringify(LIST), { authorization: 'Bearer demo-office' })).status).toBe(403);
  });

  it('have status 503 while the key can’t be checked', async () => {
    testGraph.sandbox.faults.add({ operation: 'Workspace/Me', status: 500 });
    const { status } = await post(JSON.stringify(LIST), { authorization: `Bearer ${makeKey(testGraph.sandbox.world)}` });
    expect(status).toBe(503);
  });
});

describe('request', () => {
  it('accepts the key as X-API-Key', async () => {
    const { status } = await post(JSON.stringify(LIST), { authorization: undefined, 'x-api-key': 'demo-owner' });
    expect(status).toBe(200);
  });

  it.each([
    ['2025', {}],
    ['2026', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }],
  ])('returns plain JSON in the %s protocol era', async (era, headers) => {
    const params = era === '2026' ? { _meta: META } : {};
    const response = await post(JSON.stringify({ ...LIST, params }), headers as Record<string, string>);
    expect([response.status, response.headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(JSON.parse(response.text).result.tools.length).toBeGreaterThan(10);
  });

  it.each([
    ['the Host of another site', { host: 'rebound.example.com' }, 403],
    ['another notation of 127.0.0.1', { host: '127.1' }, 403],
    ['a number as the Host', { host: '0x7f000001:4000' }, 403],
    ['a name of this machine in uppercase', { host: 'LocalHost:4000' }, 200],
    ['an invalid Host', { host: 'a b' }, 400],
    ['a page of another site', { origin: 'https://evil.example.com' }, 403],
    ['a page with the origin null', { origin: 'null' }, 403],
    ['a page of localhost', { origin: 'http://localhost:6274' }, 200],
    ['a form', { 'content-type': 'text/plain' }, 415],
    ['a content encoding', { 'content-encoding': 'gzip' }, 415],
  ])('returns the expected status for %s', async (_title, headers, status) => {
    expect((await post(JSON.stringify(LIST), headers)).status).toBe(status);
  });

  it('returns 415 with the media type or the coding that it accepts', async () => {
    const form = await post(JSON.stringify(LIST), { 'content-type': 'text/plain' });
    const encoded = await post(JSON.stringify(LIST), { 'content-encoding': 'gzip' });
    expect([form.headers.accept, encoded.headers['accept-encoding']]).toEqual(['application/json', 'identity']);
  });

  it('accepts only the hosts of MCP_HOSTS if set', async () => {
    const hosted = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_HOSTS: 'Tools.example.com' } });
    const getStatus = async (headers: Record<string, string>) =>
      (await post(JSON.stringify(LIST), headers, { url: hosted.app.url })).status;
    expect(await getStatus({ host: 'tools.example.com:8443' })).toBe(200);
    expect(await getStatus({ host: 'tools.example.com', origin: 'https://tools.example.com' })).toBe(200);
    expect(await getStatus({ host: 'localhost' })).toBe(403);
    expect(await getStatus({ host: 'tools.example.com', origin: 'http://localhost' })).toBe(403);
    await hosted.close();
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('returns 405 for %s', async (method) => {
    const { status, headers } = await post('', {}, { method });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it.each<[string, string | Buffer, number]>([
    ['malformed JSON', '{', -32_700],
    ['an empty body', '', -32_700],
    ['a body that isn’t UTF-8', Buffer.from('{"jsonrpc": "\xff"}', 'latin1'), -32_700],
    ['a batch', JSON.stringify([LIST, LIST]), -32_600],
    ['a batch of one message', JSON.stringify([LIST]), -32_600],
    ['an empty batch', '[]', -32_600],
    ['a string', '"tools/list"', -32_600],
    ['null', 'null', -32_600],
    ['an empty object', '{}', -32_600],
  ])('rejects %s with the code of JSON-RPC', async (_title, body, code) => {
    const { status, text } = await post(body);
    expect([status, JSON.parse(text)]).toEqual([400, { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } }]);
  });

  it('rejects a body of more than 256 KiB, also without Content-Length', spec('8.22'), async () => {
    const body = createCallBody('svc_find_customer', { query: 'x'.repeat(256 * 1024) });
    expect((await post(body)).status).toBe(413);
    expect((await post(body, { 'transfer-encoding': 'chunked' })).status).toBe(413);
  });

  it('opens no stream', async () => {
    const params = { _meta: META, notifications: { toolsListChanged: true } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    const { text } = await post(body, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' });
    expect(text).toMatch(/error/);
  });

  it('rejects an unknown tool without a call', async () => {
    const [{ text }, calls] = await testGraph.recordCalls(() => post(createCallBody('svc_nothing', {})));
    expect([/-32602/.test(text), calls]).toEqual([true, []]);
  });

  it('reports a write as an unknown tool unless writes are enabled', async () => {
    const [{ text }, calls] = await testGraph.recordCalls(() => post(createCallBody('svc_quote_confirm', { quoteId: demoId('quote 0') })));
    expect([/Unknown tool\. Call tools\/list/.test(text), calls]).toEqual([true, []]);
  });
});
