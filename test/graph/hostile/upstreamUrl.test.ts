import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/settings/config.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly host: string | undefined;
}

/** Starts a server that records its requests and responds with `respond(request)`. */
async function startServer(respond: (request: IncomingMessage) => { status: number; headers?: Record<string, string>; body?: string }) {
  const requests: ReceivedRequest[] = [];
  const server: Server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, host: request.headers.host });
    const { status, headers, body = '{}' } = respond(request);
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('upstream redirect', () => {
  it.each([301, 302, 303, 307, 308])('returns status %i unfollowed', async (status) => {
    const elsewhere = await startServer(() => ({ status: 200 }));
    const upstream = await startServer(({ url }) => ({ status, headers: { location: `${elsewhere.url}${url}` } }));
    const transport = httpTransport({ url: upstream.url, connections: 1 });
    const request = { path: '/x', apiKey: 'secret', body: '{}', requestId: 'a', timeoutMs: 5_000 };
    expect((await transport.send(request)).status).toBe(status);
    await transport.close();
    expect([upstream.requests.length, elsewhere.requests]).toEqual([1, []]);
    await Promise.all([upstream.close(), elsewhere.close()]);
  });
});

describe('client input', () => {
  let elsewhere: Awaited<ReturnType<typeof startServer>>;
  let decoy: URL;
  beforeAll(async () => {
    elsewhere = await startServer(() => ({ status: 200 }));
    decoy = new URL(elsewhere.url);
  });
  afterAll(() => elsewhere.close());
  const testGraph = useTestGraph();

  /** IDs that would change the target if they were inserted into a URL. */
  const createIds = () => [
    '../../../admin',
    '..%2f..%2fadmin',
    '/etc/passwd',
    elsewhere.url,
    `//${decoy.host}/`,
    `@${decoy.host}`,
    '?x=1#y',
    'a\r\nHost: evil\r\n\r\n',
    '\u0000',
    '169.254.169.254',
    Buffer.from(`Customer:${elsewhere.url}/../x`).toString('base64url'),
  ];

  it('doesn’t influence the upstream URL: IDs', async () => {
    const ids = createIds();
    const names = ids.map((_, index) => `$i${index}: ID!`).join(', ');
    const fields = ids.map((_, index) => `a${index}: customer(id: $i${index}) { title }`).join(' ');
    const variables = Object.fromEntries(ids.map((id, index) => [`i${index}`, id]));
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(`query (${names}) { ${fields} }`, variables));
    expect(Object.values(data)).toEqual(ids.map(() => null));
    expect(new Set(calls)).toEqual(new Set(['Customer/GetCustomer']));
  });

  it('doesn’t influence the upstream URL: headers, path, and query string', async () => {
    const body = JSON.stringify({ query: '{ contacts(first: 1) { __typename nodes { rawId } } }' });
    const base = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
    const headerSets: readonly Record<string, string>[] = [
      { host: decoy.host },
      { 'x-forwarded-host': decoy.host, 'x-forwarded-proto': 'http', 'x-forwarded-port': decoy.port, 'x-forwarded-prefix': '/x' },
      { forwarded: `host=${decoy.host};proto=http`, 'x-original-url': elsewhere.url, 'x-rewrite-url': elsewhere.url },
      { 'x-upstream-url': elsewhere.url, referer: elsewhere.url, origin: elsewhere.url },
    ];
    for (const headers of headerSets) {
      const { status, body: respond } = await sendRaw(testGraph.url, { method: 'POST', headers: { ...base, ...headers }, body });
      expect([status, JSON.parse(respond.toString()).data.contacts.nodes.length]).toEqual([200, 1]);
    }
    const [{ status }, calls] = await testGraph.recordCalls(() =>
      sendRaw(testGraph.url, { method: 'POST', path: '/graphql?url=x', headers: { ...base, host: decoy.host }, body }),
    );
    expect([status, calls]).toEqual([200, ['Contact/ListContacts']]);
  });

  it('causes no request to another server', () => {
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('upstream call', () => {
  it('uses only the path of its operation, below the configured path', async () => {
    const upstream = await startServer(() => ({ status: 200 }));
    const transport = httpTransport({ url: `${upstream.url}/base/`, connections: 1 });
    await transport.send({ path: '/public-api/x', apiKey: 'k', body: '{}', requestId: 'a', timeoutMs: 5_000 });
    await transport.close();
    expect(upstream.requests).toEqual([{ method: 'POST', url: '/base/public-api/x', host: new URL(upstream.url).host }]);
    await upstream.close();
  });
});

describe('UPSTREAM_URL', () => {
  it.each([
    ['a user name and a password', 'https://me:hunter22@example.com', 'must not contain a user name or password'],
    ['a user name', 'https://hunter22@example.com', 'must not contain a user name or password'],
    ['a query string', 'https://example.com/?key=hunter22', 'must not contain a query string or a fragment'],
    ['a fragment', 'https://example.com/#hunter22', 'must not contain a query string or a fragment'],
    ['another protocol', 'ftp://me:hunter22@example.com', 'must be an http or https URL'],
    ['a file', 'file:///hunter22', 'must be an http or https URL'],
    ['no URL', 'hunter22', 'must be an http or https URL'],
  ])('fails validation with %s, without repeating the value', (_name, value, message) => {
    const attempt = () => readConfig({ UPSTREAM_URL: value });
    expect(attempt).toThrow(`UPSTREAM_URL ${message}`);
    expect(attempt).not.toThrow('hunter22');
  });

  it('accepts a path', () => {
    expect(readConfig({ UPSTREAM_URL: 'https://example.com/api' }).UPSTREAM_URL).toBe('https://example.com/api');
  });
});
