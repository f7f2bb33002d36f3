import { describe, expect, it, onTestFinished } from 'vitest';
import { Overload } from '../../../src/server/execution/overload.ts';
import { connectRaw, type RawConnection, sendRaw } from '../../support/rawHttp.ts';
import { startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const SETTINGS = { MCP: 'true', LIVE: 'on', GRAPHIQL: 'true', SHUTDOWN_TIMEOUT_MS: '600000' };
/** As many as a test sends on one connection. Each one that is still counted after its end leaves room for one less. */
const MAX_REQUESTS = 3;

const HEADERS = ['Host: localhost', 'Content-Type: application/json', 'Authorization: Bearer demo-owner'];
const formatHead = (path: string, ...headers: readonly string[]) => [`POST ${path} HTTP/1.1`, ...HEADERS, ...headers, '', ''].join('\r\n');
const formatRequest = (path: string, body: string, headers: readonly string[], length = Buffer.byteLength(body)) =>
  `${formatHead(path, ...headers, `Content-Length: ${length}`)}${body}`;

const toBody = (query: string) => JSON.stringify({ query });
const READ = toBody('{ contacts(first: 1) { nodes { lastName } } }');
const TOOLS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const ACCEPT_TOOLS = ['Accept: application/json, text/event-stream'];

type Form = readonly [name: string, path: string, body: string, headers: readonly string[]];

const FORMS: readonly Form[] = [
  ['the fast path', '/graphql', READ, []],
  ['Yoga', '/graphql/', READ, []],
  [
    'an incremental response',
    '/graphql',
    toBody('{ __typename ... @defer { contacts(first: 1) { nodes { lastName } } } }'),
    ['Accept: multipart/mixed'],
  ],
  ['a traced request', '/graphql', READ, ['Apollo-Federation-Include-Trace: ftv1']],
  ['the tools', '/mcp', TOOLS, ACCEPT_TOOLS],
];
const SUBSCRIPTION: Form = [
  'a subscription',
  '/graphql',
  toBody('subscription { recordsChanged(types: [CUSTOMER]) { __typename } }'),
  ['Accept: text/event-stream'],
];

/** Sends bytes, and resets the connection after a response to a request that was sent before them, so that the graph has read them. */
async function sendAndReset(url: string, bytes: string): Promise<void> {
  const { socket, ended, waitFor } = connectRaw(url);
  socket.write(`GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n${bytes}`);
  await waitFor(/"ok"/);
  socket.resetAndDestroy();
  await ended;
}

const sendAndWait = async (url: string, bytes: string) => {
  const { socket, ended } = connectRaw(url);
  socket.write(bytes);
  return ended;
};

/** Ways in which a request ends before its response. */
const ENDINGS: readonly (readonly [name: string, act: (url: string, form: Form) => Promise<unknown>])[] = [
  [
    'with one byte less than its body',
    (url, [, path, body, headers]) => sendAndWait(url, formatRequest(path, body, headers, body.length - 1)),
  ],
  [
    'with one byte more than its body, then a reset',
    (url, [, path, body, headers]) => sendAndReset(url, formatRequest(path, body, headers, body.length + 1)),
  ],
  [
    'with an invalid chunk',
    (url, [, path, , headers]) => sendAndWait(url, `${formatHead(path, ...headers, 'Transfer-Encoding: chunked')}1\r\n{\r\nzz\r\n`),
  ],
  [
    'before 100 (Continue), with a reset',
    (url, [, path, body, headers]) =>
      sendAndReset(url, formatHead(path, ...headers, 'Expect: 100-continue', `Content-Length: ${body.length}`)),
  ],
  [
    'with an upgrade and half of its body, then a reset',
    (url, [, path, body, headers]) =>
      sendAndReset(url, formatHead(path, ...headers, 'Connection: Upgrade', 'Upgrade: websocket', `Content-Length: ${body.length}`)),
  ],
  [
    'behind other requests, with a reset',
    (url, [, path, body, headers]) => sendAndReset(url, formatRequest(path, body, headers).repeat(MAX_REQUESTS)),
  ],
];

/** Resolves when as many requests as possible are accepted at the same time, so none is counted that has ended. */
async function waitUntilIdle(url: string): Promise<void> {
  const canServe = async () => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' }, body: READ };
    const responses = await Promise.all(Array.from({ length: MAX_REQUESTS }, () => sendRaw(url, request)));
    return responses.map(({ status }) => status);
  };
  await expect.poll(canServe).toEqual(Array(MAX_REQUESTS).fill(200));
}

async function openTestGraph() {
  const overload = new Overload({ maxRequests: MAX_REQUESTS, maxDelayMs: 60_000 });
  const ending = await startTestGraph({}, undefined, { env: SETTINGS, app: { overload } });
  onTestFinished(() => ending.sandbox.close());
  return ending.app;
}

describe.each([...FORMS, SUBSCRIPTION])('request on the path of %s', (...form) => {
  it('doesn’t count, or delay the shutdown, after it has ended early', async () => {
    const { url, close } = await openTestGraph();
    for (const [, act] of ENDINGS) {
      await act(url, form);
      await waitUntilIdle(url);
    }
    await close();
  });
});

it('doesn’t wait for a client that disconnects without reading a large response with errors', async () => {
  const { url, close } = await openTestGraph();
  const lists = Array.from({ length: 60 }, (_, index) => `c${index}: contacts(first: 100) { nodes { id rawId lastName firstName } }`);
  const { socket, ended } = connectRaw(url);
  socket.pause();
  socket.write(formatRequest('/graphql', toBody(`{ ${lists.join(' ')} customer(id: "x") { title } }`), []).repeat(MAX_REQUESTS));
  await expect.poll(async () => (await sendRaw(url, { path: '/graphql', headers: { accept: 'text/plain' } })).status).toBe(503);
  socket.resetAndDestroy();
  await ended;
  await waitUntilIdle(url);
  await close();
});

describe('client that closes its sending side after a request', () => {
  const testGraph = useTestGraph({}, undefined, { env: SETTINGS });

  const sendAndEnd = (url: string, bytes: string): RawConnection => {
    const connection = connectRaw(url);
    connection.socket.end(bytes);
    return connection;
  };

  // A stream that has begun is aborted.
  const complete = FORMS.filter(([, , , headers]) => !headers.some((header) => header.includes('multipart')));

  it.each(complete)('gets the response of %s, and the connection is closed', async (_name, path, body, headers) => {
    const response = await sendAndEnd(testGraph.url, formatRequest(path, body, headers)).ended;
    expect(response).toMatch(/HTTP\/1\.1 200 OK\r\n/);
    expect(response).toMatch(/lastName|"tools"/);
  });

  it.each([
    ['a GET request', `GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nHost: localhost\r\n\r\n`, /"Query"/],
    ['a GET request of HTTP/1.0', `GET /graphql?query=%7B__typename%7D HTTP/1.0\r\n\r\n`, /^HTTP\/1\.1 200 .*"Query"/s],
    ['a health check', 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', /"ok"/],
    ['the landing page', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', / 200 OK/],
    ['several requests', formatRequest('/graphql', READ, []).repeat(3), /(lastName.*){3}/s],
  ])('gets the response to %s, and the connection is closed', async (_name, bytes, expected) => {
    expect(await sendAndEnd(testGraph.url, bytes).ended).toMatch(expected);
  });

  it('gets the response to a request in progress, and to one during shutdown', async () => {
    const closing = await startTestGraph({}, undefined, { env: SETTINGS });
    onTestFinished(() => closing.sandbox.close());
    const held = closing.gate.hold('Contact/ListContacts');
    const { socket, ended, waitFor } = connectRaw(closing.app.url);
    socket.end(formatRequest('/graphql', READ, []));
    // Sent because the client may have disconnected.
    await waitFor(/^HTTP\/1\.1 102 /);
    const closed = closing.app.close();
    held.release();
    expect(await ended).toMatch(/HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*lastName/is);
    await closed;
  });

  it('counts as disconnected if it has closed both sides', async () => {
    const held = testGraph.gate.hold('Contact/ListContacts');
    const { socket } = connectRaw(testGraph.url);
    socket.write(formatRequest('/graphql', READ, []));
    await held.arrived;
    socket.destroy();
    await held.abandoned;
    held.release();
  });

  it('gets 400 if half of the request is missing', async () => {
    expect(await sendAndEnd(testGraph.url, formatRequest('/graphql', READ, [], READ.length + 1)).ended).toMatch(/^HTTP\/1\.1 400 /);
  });
});
