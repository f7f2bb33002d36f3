import { describe, expect, it } from 'vitest';
import { JSON_BODY, useBothPaths } from '../../support/bothPaths.ts';
import { sendRaw } from '../../support/rawHttp.ts';

const both = useBothPaths({ env: { MCP: 'true' } });

const QUERY = JSON.stringify({ query: '{ viewer { workspace { name } } }' });
const LIST_TOOLS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const MESSAGE = 'The request has several credentials. Send one `Authorization` header, or one `X-API-Key` header.';
const OWNER = 'Bearer demo-owner';

type Headers = Record<string, string | string[]>;

const listTools = (headers: Headers) => {
  const accept = 'application/json, text/event-stream';
  return sendRaw(both.worlds[0].url, { method: 'POST', path: '/mcp', headers: { ...JSON_BODY, accept, ...headers }, body: LIST_TOOLS });
};

describe('request with several credentials', () => {
  it.each<[string, Headers]>([
    ['different ones in both headers', { authorization: OWNER, 'x-api-key': 'demo-warehouse' }],
    ['two keys', { 'x-api-key': ['demo-owner', 'demo-warehouse'] }],
    ['the same key twice', { 'x-api-key': ['demo-owner', 'demo-owner'] }],
    ['two keys in one header', { 'x-api-key': 'demo-owner, demo-warehouse' }],
    ['two bearer tokens', { authorization: [OWNER, 'Bearer demo-warehouse'] }],
    ['a bearer token after another scheme', { authorization: ['Basic eDp5', OWNER] }],
    ['a bearer token before another scheme', { authorization: [OWNER, 'Basic eDp5'] }],
    ['a list of tokens and a key', { authorization: [OWNER, OWNER], 'x-api-key': 'demo-owner' }],
  ])('causes 400 without a call: %s', async (_name, headers) => {
    const [{ status, headers: sent, body, calls }] = await both.equal({
      method: 'POST',
      headers: { ...JSON_BODY, ...headers },
      body: QUERY,
    });
    expect([status, sent['www-authenticate'], calls]).toEqual([400, 'Bearer error="invalid_request"', []]);
    expect(JSON.parse(Buffer.from(body, 'latin1').toString()).errors).toEqual([
      { message: MESSAGE, extensions: { code: 'BAD_REQUEST', reason: 'TWO_CREDENTIALS', retry: 'NEVER' } },
    ]);
    const tools = await listTools(headers);
    expect([tools.status, JSON.parse(tools.body.toString()).error.message]).toEqual([400, MESSAGE]);
  });
});

describe('request with one credential', () => {
  it.each<[string, Headers]>([
    ['the same one in both headers', { authorization: OWNER, 'x-api-key': 'demo-owner' }],
    ['an empty X-API-Key', { authorization: OWNER, 'x-api-key': '' }],
    ['a password of a proxy in Authorization', { authorization: 'Basic eDp5', 'x-api-key': 'demo-owner' }],
    ['a signature of a proxy in Authorization', { authorization: 'AWS4-HMAC-SHA256 Credential=a, Signature=b', 'x-api-key': 'demo-owner' }],
  ])('causes no error: %s', async (_name, headers) => {
    const [{ status, body }] = await both.equal({ method: 'POST', headers: { ...JSON_BODY, ...headers }, body: QUERY });
    expect([status, JSON.parse(body).data]).toEqual([200, { viewer: { workspace: { name: 'Demo Works' } } }]);
    expect((await listTools(headers)).status).toBe(200);
  });
});
