import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { connectRaw, sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const lines: string[] = [];
const logger = createLogger('debug', { write: (line: string) => void lines.push(line) });
const testGraph = useTestGraph({}, 500, { logger });
afterEach(() => {
  testGraph.sandbox.faults.clear();
  lines.length = 0;
});

/** An API key that is easy to find in any output. */
const SECRET = 'sk_live_Zq7"\\Qx9';
const READ = '{ contacts(first: 1) { nodes { lastName } } customers(first: 1) { nodes { title } } }';
const CREATE = 'mutation { contactCreate(input: { lastName: "A", idempotencyKey: "k" }) { __typename ... on MutationError { message } } }';

/** Upstream responses that contain the caller's API key in every text. */
const createFaults = (key: string) => {
  const formatError = (code: string) => JSON.stringify({ code, message: `no ${key} at https://me:${key}@internal.example/x?key=${key}` });
  return [
    { status: 400, body: formatError('invalid_argument') },
    { status: 401, body: formatError('unauthenticated') },
    { status: 403, body: formatError('permission_denied') },
    { status: 404, body: formatError('not_found') },
    { status: 404, body: `<html>${key}</html>`, contentType: 'text/html' },
    { status: 409, body: formatError('aborted') },
    { status: 418, body: formatError('teapot') },
    { status: 429, body: formatError('resource_exhausted') },
    { status: 500, body: `Error: ${key}\n    at handler (/srv/app/${key}.js:1:1)` },
    { status: 503, body: formatError('unavailable') },
    { status: 200, body: key },
    { status: 200, body: JSON.stringify([key]) },
    { status: 200, body: JSON.stringify({ contacts: [{ id: 'x', lastName: { [key]: key } }], customers: 5 }) },
    { status: 200, body: JSON.stringify({ contacts: key, customers: [{ id: 'x', title: [key] }] }) },
    { cut: 'before' as const },
    { cut: 'after' as const },
    { latencyMs: 1_000 },
  ];
};

describe('API key of a request', () => {
  it('appears in no log line and no response, whatever fails', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
    const responses: string[] = [];
    for (const fault of createFaults(key)) {
      for (const query of [READ, CREATE]) {
        testGraph.sandbox.faults.add({ operation: '*', ...fault });
        const { data, errors, headers } = await testGraph.executeAs(key, query);
        responses.push(JSON.stringify([data, errors?.map(({ message, extensions }) => [message, extensions]), [...headers]]));
        testGraph.sandbox.faults.clear();
      }
    }
    // The key's owner may see stored data unchanged. All other texts are the graph's own.
    const ownTexts = responses.filter((response) => !response.includes('"lastName"') && !response.includes('"title"'));
    expect(ownTexts.length).toBeGreaterThan(20);
    expect([...lines, ...ownTexts].filter((text) => text.includes(key))).toEqual([]);
    expect(ownTexts.filter((text) => /internal\.example|\/srv\/app/.test(text))).toEqual([]);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
    expect(lines.length).toBeGreaterThan(30);
  });

  it.each([
    ['with an unknown prefix', { authorization: `Bearer ${SECRET}` }],
    ['in X-API-Key', { 'x-api-key': SECRET }],
    ['in both headers', { 'x-api-key': SECRET, authorization: `Bearer ${SECRET}2` }],
    ['in an unsupported authorization scheme', { authorization: `Basic ${SECRET}` }],
    ['with non-ASCII bytes', { authorization: `Bearer ${SECRET}\xff`, 'x-api-key': `${SECRET} \xe9` }],
    ['in a cookie', { cookie: `key=${SECRET}` }],
    ['as the request ID', { 'x-request-id': `${SECRET}`, authorization: `Bearer ${SECRET}` }],
  ])('appears in no log line and no response: %s', async (_name, authHeaders) => {
    const headers = { ...authHeaders, 'content-type': 'application/json' };
    const requests = [
      { method: 'POST', headers, body: JSON.stringify({ query: READ }) },
      { method: 'POST', headers, body: JSON.stringify({ query: CREATE }) },
      { method: 'POST', headers, body: '{' },
      { method: 'POST', headers: { ...headers, 'content-type': SECRET } },
      { headers: { ...headers, accept: SECRET } },
      { headers: { ...headers, origin: SECRET } },
      { method: 'DELETE', headers },
    ];
    for (const request of requests) {
      const response = await sendRaw(testGraph.url, request);
      expect(response.status).toBeLessThan(500);
      expect(JSON.stringify(response.headers) + response.body.toString()).not.toContain('sk_live_Zq7');
    }
    expect(lines.join('')).not.toContain('sk_live_Zq7');
    expect(lines.filter((line) => JSON.parse(line).msg !== 'request')).toEqual([]);
  });

  it('causes a rejection without a call if a header cannot carry it', async () => {
    const before = testGraph.sandbox.received.length;
    for (const key of [`${SECRET}\xff`, `${SECRET} \xe9`, 'two words']) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const { body } = await sendRaw(testGraph.url, { method: 'POST', headers, body: JSON.stringify({ query: READ }) });
      expect(JSON.parse(body.toString()).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    }
    expect(testGraph.sandbox.received.slice(before)).toEqual([]);
  });

  it('appears redacted in the logged path', async () => {
    await sendRaw(testGraph.url, { path: `/sk_live_Zq7/${'x'.repeat(5_000)}`, headers: { authorization: 'Bearer sk_live_Zq7' } });
    expect(JSON.parse(lines[0] ?? '').path).toMatch(/^\/\[key\]\/x{1,190}$/);
  });

  it.each(['http', 'ftp'])('doesn’t appear in the logged path as the password of a URL with the scheme %s', async (scheme) => {
    for (const host of ['localhost', 'a b']) {
      const { socket, ended } = connectRaw(testGraph.url);
      socket.write(`GET ${scheme}://me:sk_live_Zq7@localhost/graphql HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await ended).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(Array(2).fill({ path: '/graphql', status: 400 }));
    expect(lines.join('')).not.toContain('sk_live_Zq7');
  });
});

describe('log line', () => {
  const getLine = (log: () => void): string => {
    log();
    return lines.at(-1) ?? '';
  };
  const cause = Object.assign(new Error('GET https://me:hunter22@example.com/ failed with Bearer hunter22'), {
    headers: { Authorization: 'Bearer hunter22', 'X-API-Key': 'hunter22', cookie: ['hunter22'], 'Set-Cookie': 'a="hunter22"' },
    rawHeaders: ['Authorization', 'hunter22', 'x-api-key', 'hunter22'],
    options: { deep: { deeper: [{ apiKey: 'hunter22', password: 'hunter22', 'proxy-authorization': 'hunter22' }] } },
  });

  it.each([
    ['an error', { err: cause }],
    ['a cause of an error', { err: new Error('outer', { cause }) }],
    ['an AggregateError', { err: new AggregateError([cause, new Error('Bearer hunter22')], 'all') }],
    ['an object', { request: cause }],
    ['the message', {}],
  ])('contains no secrets in %s and is valid JSON', (_name, object) => {
    const line = getLine(() => logger.error(object, 'redis://:hunter22@cache.example said "Bearer hunter22"'));
    expect(line).not.toContain('hunter22');
    expect(JSON.parse(line).msg).toBe('redis://[redacted]@cache.example said "Bearer [redacted]"');
  });

  it('preserves values that aren’t secrets', () => {
    const line = getLine(() => logger.info({ author: 'me', keys: 3, url: 'http://example.com/@me' }, 'the bearer'));
    expect(JSON.parse(line)).toMatchObject({ author: 'me', keys: 3, url: 'http://example.com/@me', msg: 'the bearer' });
  });
});
