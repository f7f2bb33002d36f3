import { once } from 'node:events';
import { stat } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Overload } from '../../../src/server/execution/overload.ts';
import { HTTP_LIMITS } from '../../../src/server/http/http.ts';
import { connectRaw, type RawConnection } from '../../support/rawHttp.ts';
import { startTestGraph, type TestGraphOptions } from '../../support/testGraph.ts';

const KEY = 'demo-owner';
const READ = '{ contacts(first: 100) { nodes { id rawId lastName } } }';
const create = (name: string) => `mutation { contactCreate(input: { lastName: "${name}" }) { __typename } }`;

/** A test graph with the default wait for idle connections. Other tests have none. */
async function openTestGraph(options: TestGraphOptions = {}) {
  const testGraph = await startTestGraph({}, undefined, {
    ...options,
    app: { http: { silenceMs: HTTP_LIMITS.silenceMs }, ...options.app },
  });
  onTestFinished(() => testGraph.sandbox.close());
  onTestFinished(() => testGraph.app.close());
  return testGraph;
}

/** Formats a raw HTTP request. */
function formatRequest(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const all = { host: 'graph', authorization: `Bearer ${KEY}`, ...(body && { 'content-length': String(body.length) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const formatPost = (query: string, headers: Record<string, string> = {}) =>
  formatRequest('POST', '/graphql', { 'content-type': 'application/json', ...headers }, JSON.stringify({ query }));

/** Opens a connection and receives one response, so that its client could send the next request at any time. */
async function openKeepAlive(url: string): Promise<RawConnection> {
  const connection = connectRaw(url);
  connection.socket.write(formatRequest('GET', '/health/live'));
  expect(await connection.waitFor(/\{"status":"ok"\}/)).toMatch(/^connection: keep-alive\r$/im);
  return connection;
}

/** Blocks the process while the operating system continues. */
const blockProcess = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Long enough for the system to open the connections on a busy machine. */
const HANDSHAKES_MS = 100;

/** The head of the last response in lower case. */
const getLastHead = (text: string) => (/^.*?\r\n\r\n/s.exec(text.slice(text.lastIndexOf('HTTP/1.1 '))) ?? [''])[0].toLowerCase();

const CLOSED_WITH_200 = /^http\/1\.1 200 .*^connection: close\r$/ms;

const HUGE = { 'content-length': String(2 * 1024 * 1024) };

/** Requests with the expected status of their response during shutdown. */
const REQUESTS: readonly (readonly [name: string, status: number, request: string])[] = [
  ['a query on the fast path', 200, formatPost(READ)],
  ['a query through Yoga', 200, formatRequest('GET', `/graphql?query=${encodeURIComponent(READ)}`)],
  ['a mutation', 200, formatPost(create('Closing'))],
  ['a compressed response', 200, formatPost(READ, { 'accept-encoding': 'br' })],
  ['a response with errors', 200, formatPost('{ customer(id: "x") { title } contacts(first: -1) { __typename } }')],
  ['a document with a syntax error', 400, formatPost('{', { accept: 'application/graphql-response+json' })],
  ['a multipart/mixed response', 200, formatPost('{ __typename ... @defer { a: __typename } }', { accept: 'multipart/mixed' })],
  ['a text/event-stream response', 200, formatPost('{ __typename ... @defer { a: __typename } }', { accept: 'text/event-stream' })],
  ['an unsupported content type', 415, formatPost(READ, { 'content-type': 'text/plain' })],
  ['an unsupported response type', 406, formatPost(READ, { accept: 'text/plain' })],
  ['an unsupported method', 405, formatRequest('DELETE', '/graphql')],
  ['an unknown path', 404, formatRequest('GET', '/nope')],
  ['an invalid Host', 400, formatRequest('GET', '/graphql', { host: 'a b' })],
  ['an unsupported Expect', 417, formatRequest('GET', '/graphql', { expect: 'wonders' })],
  ['a body that is too large', 413, formatRequest('POST', '/graphql', { 'content-type': 'application/json', ...HUGE })],
  ['the landing page', 200, formatRequest('GET', '/')],
  ['the liveness check', 200, formatRequest('GET', '/health/live')],
  ['the readiness check', 503, formatRequest('GET', '/health/ready')],
  ['a trace', 200, formatPost(READ, { 'apollo-federation-include-trace': 'ftv1' })],
];

describe('shutdown', () => {
  it('responds to each request over an idle keep-alive connection with Connection: close', async () => {
    const { app } = await openTestGraph();
    const connections = await Promise.all(REQUESTS.map(() => openKeepAlive(app.url)));
    const closed = app.close();
    const heads = await Promise.all(
      connections.map(({ socket, ended }, index) => {
        socket.write(REQUESTS[index]?.[2] ?? '');
        return ended.then(getLastHead);
      }),
    );
    await closed;
    const outcomes = heads.map((head) => [/^http\/1\.1 (\d+)/.exec(head)?.[1], /^connection: (.+)\r$/m.exec(head)?.[1]]);
    expect(Object.fromEntries(REQUESTS.map(([name], index) => [name, outcomes[index]]))).toEqual(
      Object.fromEntries(REQUESTS.map(([name, status]) => [name, [String(status), 'close']])),
    );
  });

  it('appears in the readiness check', async () => {
    const { app } = await openTestGraph();
    const { socket, ended } = await openKeepAlive(app.url);
    const closed = app.close();
    socket.write(formatRequest('GET', '/health/ready'));
    expect(await ended).toContain('{"status":"unavailable","reason":"The server is shutting down.","upstream":"unknown"}');
    await closed;
  });

  it('reports an overload with Connection: close, too', async () => {
    const overload = new Overload({ maxRequests: 1, maxDelayMs: 60_000 });
    const { app, gate } = await openTestGraph({ app: { overload } });
    const [busy, other] = [await openKeepAlive(app.url), await openKeepAlive(app.url)];
    const held = gate.hold('Contact/ListContacts');
    busy.socket.write(formatPost(READ));
    await held.arrived;
    const closed = app.close();
    other.socket.write(formatPost(READ));
    expect(getLastHead(await other.ended)).toMatch(/^http\/1\.1 503 .*^connection: close\r$/ms);
    held.release();
    expect(getLastHead(await busy.ended)).toMatch(CLOSED_WITH_200);
    await closed;
  });

  it.each([
    ['on the fast path', formatPost(READ)],
    ['through Yoga', formatRequest('GET', `/graphql?query=${encodeURIComponent(READ)}`)],
    ['compressed', formatPost(READ, { 'accept-encoding': 'gzip' })],
    ['with errors', formatPost(`${READ.slice(0, -1)} customer(id: "x") { title } }`)],
    ['as an event stream', formatPost(READ, { accept: 'text/event-stream' })],
  ])('closes the connection of a response in progress: %s', async (_name, request) => {
    const { app, gate } = await openTestGraph();
    const { socket, ended } = await openKeepAlive(app.url);
    const held = gate.hold('Contact/ListContacts');
    socket.write(request);
    await held.arrived;
    const closed = app.close();
    held.release();
    expect(getLastHead(await ended)).toMatch(CLOSED_WITH_200);
    await closed;
  });

  it('serves another request over a connection whose response head was already sent', async () => {
    const { app, gate } = await openTestGraph();
    const { socket, waitFor: until, ended } = await openKeepAlive(app.url);
    const held = gate.hold('Contact/ListContacts');
    socket.write(formatPost('{ __typename ... @defer { contacts(first: 1) { nodes { id } } } }', { accept: 'multipart/mixed' }));
    expect(getLastHead(await until(/"__typename":"Query"/))).toMatch(/^connection: keep-alive\r$/m);
    await held.arrived;
    const closed = app.close();
    held.release();
    await until(/hasNext":false.*\r\n0\r\n\r\n$/s);
    socket.write(formatPost(READ));
    expect(getLastHead(await ended)).toMatch(CLOSED_WITH_200);
    await closed;
  });

  it('serves a request that has arrived in part', async () => {
    const { app } = await openTestGraph();
    const { socket, ended } = await openKeepAlive(app.url);
    const request = formatPost(READ);
    socket.write(request.slice(0, 30));
    await new Promise<void>((resolve) => socket.write('', () => resolve()));
    const closed = app.close();
    socket.write(request.slice(30));
    expect(getLastHead(await ended)).toMatch(CLOSED_WITH_200);
    await closed;
  });

  it('serves a request over a connection that was opened just before', async () => {
    const { app } = await openTestGraph();
    const { socket, ended } = connectRaw(app.url);
    await once(socket, 'connect');
    // Opened after the other connection, so that the graph has accepted that one.
    await openKeepAlive(app.url).then((connection) => connection.socket.end());
    const closed = app.close();
    socket.write(formatPost(READ));
    expect(getLastHead(await ended)).toMatch(CLOSED_WITH_200);
    await closed;
  });

  it.each<[string, (start: () => void) => void]>([
    ['in an I/O callback, as for a signal', (start) => void stat('.', start)],
    ['after the I/O callbacks', setImmediate],
  ])('accepts the connections that are waiting when it starts to close %s', async (_name, schedule) => {
    const { app } = await openTestGraph();
    const { promise: connections, resolve } = Promise.withResolvers<readonly RawConnection[]>();
    schedule(() => {
      // The system opens the connections at once. The process notices them in its next turn, when it has started to close.
      resolve(Array.from({ length: 60 }, () => connectRaw(app.url)));
      process.nextTick(() => {
        blockProcess(HANDSHAKES_MS);
        void app.close();
      });
    });
    const heads = await Promise.all(
      (await connections).map(({ socket, ended }) => {
        socket.write(formatPost(READ));
        return ended.then(getLastHead);
      }),
    );
    for (const head of heads) expect(head).toMatch(CLOSED_WITH_200);
    await app.close();
  });

  it('serves new connections during SHUTDOWN_DRAIN_MS', async () => {
    const { app } = await openTestGraph({ env: { SHUTDOWN_DRAIN_MS: '600000' }, app: { http: { silenceMs: 0 } } });
    const closed = app.close();
    const responseCount = await Promise.all(['/health/ready', '/health/live'].map((path) => fetch(app.url + path)));
    expect(responseCount.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [503, 'close'],
      [200, 'close'],
    ]);
    // A second signal skips the rest of the drain time.
    await Promise.all([app.close(), closed]);
    await expect(fetch(`${app.url}/health/live`)).rejects.toThrow();
  });
});
