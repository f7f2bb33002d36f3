import { describe, expect, it } from 'vitest';
import { MUTATION, SMALL } from '../../support/bothPaths.ts';
import { connectRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', ADMIN_PORT: '0' } });

const INVALID = 'Invalid request URL or Host header.';
const LIST_TOOLS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const QUERY = JSON.stringify({ query: SMALL });

interface Entry {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly isAdmin?: boolean;
  /** In a successful response. */
  readonly expected: string;
}

/** Everything that the two ports serve. */
const ENTRIES: readonly (readonly [string, Entry])[] = [
  ['the fast path', { path: '/graphql', body: QUERY, expected: '{"data":{"__typename":"Query"}}' }],
  ['Yoga', { path: '/graphql?', body: QUERY, expected: '{"data":{"__typename":"Query"}}' }],
  ['a query by GET', { path: `/graphql?query=${encodeURIComponent(SMALL)}`, expected: '{"data":{"__typename":"Query"}}' }],
  ['the tools', { path: '/mcp', body: LIST_TOOLS, expected: '"tools":[' }],
  ['the landing page', { path: '/', expected: '"graphql": "/graphql"' }],
  ['the landing page without a path', { path: '', expected: '"graphql": "/graphql"' }],
  ['a health check', { path: '/health/live', expected: '{"status":"ok"}' }],
  ['a health check of the admin port', { path: '/health/ready', isAdmin: true, expected: '{"status":"ok"' }],
  ['the metrics', { path: '/metrics', isAdmin: true, expected: '# HELP' }],
];

/** Sends a request, and returns the response. Node.js closes the connection. */
function send({ body, method = body === undefined ? 'GET' : 'POST', path, isAdmin }: Entry, hosts: readonly string[], origin = '') {
  const { socket, ended } = connectRaw((isAdmin ? testGraph.adminUrl : testGraph.url) ?? '');
  const headers = [
    ...hosts.map((host) => `Host: ${host}`),
    'Authorization: Bearer demo-owner',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    'Accept: application/json, text/event-stream',
    'Connection: close',
  ];
  socket.write([`${method} ${origin}${path} HTTP/1.1`, ...headers, '', body ?? ''].join('\r\n'));
  return ended;
}

const graphqlEntry = ENTRIES[0]?.[1] as Entry;
const toolsEntry = ENTRIES[3]?.[1] as Entry;
const metricsEntry = ENTRIES[8]?.[1] as Entry;
const served = ENTRIES.filter(([, { path }]) => path !== '');

describe('request target of the whole server', () => {
  it('returns its methods for OPTIONS', async () => {
    expect(await send({ path: '*', method: 'OPTIONS', expected: '' }, ['localhost'])).toMatch(
      /^HTTP\/1\.1 204 .*\r\nallow: GET, HEAD, POST, OPTIONS\r\n/s,
    );
  });

  it('causes 400 with other methods, and with an invalid Host header', async () => {
    for (const method of ['GET', 'POST'])
      expect(await send({ path: '*', method, expected: '' }, ['localhost'])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await send({ path: '*', method: 'OPTIONS', expected: '' }, ['a b'])).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('request target in absolute form', () => {
  it.each(ENTRIES)('reaches %s', async (_name, entry) => {
    for (const origin of ['http://localhost', 'HTTPS://localhost:8443']) {
      const text = await send(entry, ['localhost'], origin);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      expect(text).toContain(entry.expected);
    }
  });

  it.each([
    ['agent tools', toolsEntry],
    ['the admin port', metricsEntry],
  ])('replaces the Host header, which is checked by %s', async (_name, entry) => {
    expect(await send(entry, ['rebound.example.com'], 'http://localhost')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(entry, ['localhost'], 'http://rebound.example.com')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each(['ftp://localhost', 'http://', 'http://user@localhost', 'http://localhost:99999', 'http://a%20b'])(
    'causes 400 with a code on every path if it starts with %s',
    async (origin) => {
      for (const [, entry] of served) {
        const text = await send(entry, ['localhost'], origin);
        expect(text).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s);
        expect(text).toContain(INVALID);
      }
    },
  );
});

describe('Host header', () => {
  it.each([
    'user@localhost',
    'localhost/x',
    'localhost?x',
    '?x',
    '#x',
    'local\thost',
    'a b',
    'a\\b',
    'localhost:99999',
    'localhost:x',
    'a%20b',
    '[::1',
    '[x]',
    '::1',
  ])('causes 400 with a code on every path if it is %j', async (host) => {
    for (const [, entry] of served) {
      const text = await send(entry, [host]);
      expect(text).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s);
      expect(text).toContain(INVALID);
    }
  });

  it.each([[['localhost', 'localhost']], [['localhost', 'x']], [['localhost', '']], [['', 'localhost']]])(
    'causes 400 with a code on every path if there are several: %j',
    async (hosts) => {
      for (const [, entry] of served) expect(await send(entry, hosts)).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s);
      expect(await send(graphqlEntry, hosts, 'http://localhost')).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  it('prevents a mutation if there are several', async () => {
    const create = { ...graphqlEntry, body: JSON.stringify({ query: MUTATION }) };
    const [text, calls] = await testGraph.recordCalls(() => send(create, ['localhost', 'localhost']));
    expect([text.includes(INVALID), calls]).toEqual([true, []]);
  });

  it.each(['localhost', 'LOCALHOST:80', 'localhost:', 'a_b.example', '127.0.0.1:4000', '[::1]:4000', 'a-b.example', ''])(
    'causes no error if it is %j',
    async (host) => {
      for (const [, entry] of ENTRIES.slice(0, 3)) expect(await send(entry, [host])).toContain(entry.expected);
    },
  );
});
