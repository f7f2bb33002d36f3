import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createBrokenUpstream, SECRET } from '../../support/brokenUpstream.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { connectRaw } from '../../support/rawHttp.ts';
import { NO_IDLE_WAIT, postQuery, startTestGraph, type TestGraph, useTestGraph } from '../../support/testGraph.ts';

const manifest: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));

const logLines: string[] = [];
const testGraph = useTestGraph({}, undefined, { logger: pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) }) });
afterEach(() => testGraph.sandbox.faults.clear());

const READ = '{ contacts(first: 1) { nodes { __typename } } }';
const headers = { authorization: 'Bearer demo-owner', 'content-type': 'application/json' };

const sendPost = (body: unknown, more: Record<string, string> = {}) =>
  fetch(`${testGraph.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const sendGet = (parameters: Record<string, string>) => fetch(`${testGraph.url}/graphql?${new URLSearchParams(parameters)}`, { headers });

describe('landing page', () => {
  const fetchRoot = (init?: RequestInit) => fetch(`${testGraph.url}/`, init);

  it('lists the entry points as JSON for API clients', async () => {
    const response = await fetchRoot();
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Accept',
    ]);
    expect(await response.json()).toEqual({
      name: 'Workspace Graph',
      version: manifest.version,
      graphql: '/graphql',
      graphiql: '/graphql',
      health: { live: '/health/live', ready: '/health/ready' },
    });
  });

  it('returns a page with working local links and without scripts to browsers', async () => {
    const response = await fetchRoot({ headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(page).toContain(`Workspace Graph <small>${manifest.version}</small>`);
    expect(page).not.toContain('<script');
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');
    // The documentation isn’t on a website yet.
    expect(links).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/), '/graphql', '/health/ready']);
    for (const link of links.filter((href) => href.startsWith('/')))
      expect((await fetch(testGraph.url + link, { headers: { accept: 'text/html' } })).status).toBe(200);
  });

  it('returns 405 with the allowed methods for a POST', async () => {
    const response = await fetchRoot({ method: 'POST', headers, body: JSON.stringify({ query: READ }) });
    const { errors } = (await response.json()) as { errors: { extensions: unknown }[] };
    expect([response.status, response.headers.get('allow'), errors[0]?.extensions]).toEqual([405, 'GET, HEAD', { code: 'BAD_REQUEST' }]);
  });

  it.each([{}, { GRAPHIQL: 'false', MCP: 'true' }])(
    'lists only what the server serves with settings %o',
    async (env: Record<string, string>) => {
      const other = await startTestGraph({}, undefined, { env });
      const index = (await (await fetch(other.app.url)).json()) as Record<string, unknown>;
      await other.app.close();
      await other.sandbox.close();
      expect(['graphiql' in index, 'mcp' in index]).toEqual(env.MCP ? [false, true] : [true, false]);
    },
  );
});

describe('unknown path', () => {
  it('returns 404 with a page that leads to the entry points to browsers', async () => {
    const response = await fetch(`${testGraph.url}/nope`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(await response.text()).toContain('<a href="/">');
  });

  it.each(['/nope', '/graphql/nope', '/nope/graphql', '/nope?to=/graphql'])('returns 404 with a JSON body for %s', async (path) => {
    const before = testGraph.sandbox.received.length;
    const response = await fetch(testGraph.url + path, { method: 'POST', headers, body: JSON.stringify({ query: READ }) });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    expect(await response.json()).toEqual({
      errors: [
        {
          message: 'Unknown path. Send GraphQL requests to /graphql, or open / for a list of entry points.',
          extensions: { code: 'BAD_REQUEST' },
        },
      ],
    });
    expect(testGraph.sandbox.received.length).toBe(before);
  });
});

describe('request', () => {
  it.each([
    ['text/plain', JSON.stringify({ query: READ })],
    ['application/x-www-form-urlencoded', `query=${encodeURIComponent(READ)}`],
    [
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: READ })}\r\n--x--`,
    ],
    ['application/graphql', READ],
  ])('returns 415 for the content type %s', async (type, body) => {
    const [response, calls] = await testGraph.recordCalls(() => sendPost(body, { 'content-type': type }));
    expect([response.status, calls]).toEqual([415, []]);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'application/graphql+json'])(
    'succeeds with the content type %s',
    async (type) => {
      const response = await sendPost({ query: READ }, { 'content-type': type });
      expect([response.status, (await response.json()).data.contacts.nodes]).toEqual([200, [{ __typename: 'Contact' }]]);
    },
  );

  it.each([
    ['malformed JSON', '{'],
    ['JSON that isn’t an object', '5'],
    ['a batch', JSON.stringify([{ query: READ }])],
    ['no query', '{}'],
    ['a query that isn’t a string', JSON.stringify({ query: 5 })],
    ['variables that aren’t an object', JSON.stringify({ query: READ, variables: 'x' })],
    ['a query with a syntax error', JSON.stringify({ query: '{' })],
    ['an invalid query', JSON.stringify({ query: '{ nonsense }' })],
  ])('returns 400 for %s', async (_name, body) => {
    const response = await sendPost(body, { accept: 'application/graphql-response+json' });
    const { data, errors } = await response.json();
    expect([response.status, data, errors.length > 0]).toEqual([400, undefined, true]);
  });

  it('succeeds with GET for a query', async () => {
    const response = await sendGet({
      query: 'query ($id: ID!) { contact(id: $id) { rawId } }',
      variables: JSON.stringify({ id: demoId('contact 1') }),
    });
    expect([response.status, (await response.json()).data]).toEqual([200, { contact: { rawId: demoId('contact 1') } }]);
  });

  it('returns 405 with GET for a mutation', async () => {
    const [response, calls] = await testGraph.recordCalls(() =>
      sendGet({ query: 'mutation { contactCreate(input: { lastName: "Got" }) { __typename } }' }),
    );
    expect([response.status, calls]).toEqual([405, []]);
  });

  it.each(['{', 'undefined', '{"id":'])('returns 400 for the GET variables %j', async (variables) => {
    expect((await sendGet({ query: READ, variables })).status).toBe(400);
  });

  it.each([
    ['fields', `${'{ a '.repeat(5_000)}${'}'.repeat(5_000)}`],
    ['lists', `{ a(b: ${'['.repeat(5_000)}${']'.repeat(5_000)}) }`],
    ['objects', `{ a(b: ${'{c:'.repeat(5_000)}1${'}'.repeat(5_000)}) }`],
    ['fields after brackets in a comment', `#${')'.repeat(9_000)}\n{${'a{'.repeat(4_000)}b${'}'.repeat(4_000)}}`],
    ['types', `query ($a: ${'['.repeat(5_000)}Int${']'.repeat(5_000)}) { a }`],
  ])('returns 400 for deeply nested %s', async (_name, query) => {
    expect((await sendPost({ query }, { accept: 'application/graphql-response+json' })).status).toBe(400);
  });

  it('returns an error if it is too long', async () => {
    expect((await sendPost({ query: `{ ${'__typename '.repeat(20_000)} }` }, { accept: 'application/graphql-response+json' })).status).toBe(
      400,
    );
    expect((await sendPost({ query: `{ __typename } # ${'x'.repeat(2_000_000)}` })).status).toBe(413);
  });

  it('has status 404 for other paths', async () => {
    for (const path of ['/nope', '/graphql/x', '/health', '/health/other', '/..%2fetc'])
      expect((await fetch(testGraph.url + path)).status).toBe(404);
  });

  it('accepts the key in X-API-Key', async () => {
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'demo-owner' },
      body: JSON.stringify({ query: '{ viewer { workspace { name } } }' }),
    });
    expect((await response.json()).data.viewer.workspace.name).toBe('Demo Works');
  });

  it('has no CORS headers by default', async () => {
    const response = await sendPost({ query: READ }, { origin: 'https://elsewhere.example' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('X-Request-ID', () => {
  it('returns a valid ID unchanged', async () => {
    expect((await sendPost({ query: READ }, { 'x-request-id': 'my-request:1' })).headers.get('x-request-id')).toBe('my-request:1');
  });

  it.each(['', ' ', 'a b', 'x'.repeat(101), '<script>'])('replaces the ID %j', async (id) => {
    const requestId = (await sendPost({ query: READ }, { 'x-request-id': id })).headers.get('x-request-id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('shutdown', () => {
  const running: TestGraph[] = [];
  afterAll(() => Promise.all(running.map(({ sandbox }) => sandbox.close())));

  it('completes requests in progress and rejects new ones', async () => {
    const closing = await startTestGraph();
    running.push(closing);
    const held = closing.gate.hold('Contact/ListContacts');
    const response = postQuery(closing.app.url, 'demo-owner', READ);
    await held.arrived;
    const closed = closing.app.close();
    const connect = () =>
      new Promise<string>((resolve) => {
        httpRequest(`${closing.app.url}/health/live`, { agent: false }, (response) => resolve(`${response.resume().statusCode}`))
          .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
          .end();
      });
    await expect.poll(connect).toBe('ECONNREFUSED');
    held.release();
    expect((await response).data.contacts.nodes).toHaveLength(1);
    await closed;
  });

  it('doesn’t wait for connections without a request', async () => {
    const minute = 60_000;
    const http = { headersTimeoutMs: minute, requestTimeoutMs: minute };
    const closing = await startTestGraph({}, undefined, { env: { SHUTDOWN_TIMEOUT_MS: String(minute) }, app: { http } });
    running.push(closing);
    const { socket, ended } = connectRaw(closing.app.url);
    await once(socket, 'connect');
    // This request is sent later, so that the silent connection has been accepted by then.
    expect((await postQuery(closing.app.url, 'demo-owner', READ)).errors).toBeUndefined();
    await closing.app.close();
    expect(await ended).toBe('');
  });

  it('serves no further request over a keep-alive connection', async () => {
    const closing = await startTestGraph();
    running.push(closing);
    const held = closing.gate.hold('Contact/ListContacts');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = () =>
      new Promise<string>((resolve) => {
        const request = httpRequest(
          `${closing.app.url}/graphql`,
          { agent, method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' } },
          (response) => response.resume().on('end', () => resolve(`${response.statusCode} ${response.headers.connection}`)),
        );
        request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
        request.end(JSON.stringify({ query: READ }));
      });
    const first = send();
    await held.arrived;
    const closed = closing.app.close();
    held.release();
    expect(await first).toMatch(/^200 /);
    expect(['200 close', 'ECONNREFUSED', 'ECONNRESET']).toContain(await send());
    await closed;
    agent.destroy();
  });
});

describe('log', () => {
  it('contains every request ID, but no keys or documents', async () => {
    logLines.length = 0;
    const id = 'to-be-found';
    await sendPost({ query: '{ contacts { nodes { lastName } } }' }, { 'x-request-id': id });
    await fetch(`${testGraph.url}/graphql?query=${encodeURIComponent(READ)}`, { headers: { 'x-api-key': 'demo-owner' } });
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 200, body: '{"contacts":[{"id":"a","lastName":{}}]}' });
    await sendPost({ query: '{ contacts { nodes { lastName } } }' });
    const text = logLines.join('');
    expect(text).toContain(id);
    expect(logLines.length).toBeGreaterThanOrEqual(3);
    for (const secret of ['demo-owner', 'Bearer', 'authorization', 'lastName }']) expect(text).not.toContain(secret);
  });
});

describe('unexpected error', () => {
  it('appears in the log, and masked in the response', async () => {
    const lines: string[] = [];
    const config = readConfig({ PORT: '0' });
    const app = await startApp({
      config,
      upstream: createBrokenUpstream(),
      ledger: createMemoryLedger(),
      logger: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
      http: NO_IDLE_WAIT,
    });
    const response = await postQuery(app.url, 'demo-owner', READ);
    await app.close();
    expect(response.data).toEqual({ contacts: null });
    expect(response.errors).toEqual([
      {
        message: expect.not.stringContaining('secret'),
        path: ['contacts'],
        locations: expect.any(Array),
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ]);
    expect(lines.join('')).toContain(SECRET);
    expect(lines.map((line) => JSON.parse(line).requestId)).toContain(response.headers.get('x-request-id'));
  });
});

describe('settings', () => {
  it('report all problems at once', () => {
    const env = {
      PORT: '70000',
      UPSTREAM_URL: 'ftp://example.com',
      UPSTREAM_TIMEOUT_MS: 'soon',
      UPSTREAM_CONNECTIONS: '1.5',
      LOG_LEVEL: 'loud',
      GRAPHIQL: 'maybe',
      SHUTDOWN_TIMEOUT_MS: '-1',
    };
    const attempt = () => readConfig(env);
    expect(attempt).toThrow('The graph cannot start');
    for (const name of Object.keys(env)) expect(attempt).toThrow(name);
  });

  it('have defaults', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 4000,
      UPSTREAM_URL: 'http://127.0.0.1:4010',
      ADMIN_PORT: undefined,
      GRAPHIQL: true,
      CORS_ORIGINS: [],
    });
    expect(readConfig({ PORT: '', LOG_LEVEL: '', CORS_ORIGINS: 'https://a.example, https://b.example' })).toMatchObject({
      PORT: 4000,
      LOG_LEVEL: 'info',
      CORS_ORIGINS: ['https://a.example', 'https://b.example'],
    });
  });
});
