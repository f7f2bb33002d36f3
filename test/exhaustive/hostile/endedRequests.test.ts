import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { findFreePort } from '../../support/faults/redisProcess.ts';
import { postQuery } from '../../support/testGraph.ts';

/** Requests of each kind. */
const COUNT = Number(process.env.ENDED_REQUESTS ?? 20);
const PARALLEL = 20;
/** More than are in progress at the same time. */
const MAX_REQUESTS = 8 * PARALLEL;
/** Growth of the heap with each group, in bytes, once its requests have ended. Measured: at most 0.8 MB. A request whose body is being read has 13 kB. */
const MAX_GROWTH = 2_000_000;

/** How a connection ends: the client resets it, closes it, closes only its sending side, or waits until the server closes it. */
type Ending = 'reset' | 'close' | 'half' | 'server';

interface Kind {
  readonly name: string;
  readonly bytes: string;
  readonly ending: Ending;
  /** Ends the connection once this has been received. By default, after a few milliseconds. */
  readonly after?: RegExp;
  /** Reads nothing. */
  readonly isUnread?: boolean;
  readonly isAdmin?: boolean;
}

const KEY = 'Authorization: Bearer demo-owner';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const TRACED = 'Apollo-Federation-Include-Trace: ftv1';
const formatHead = (request: string, ...headers: readonly string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const formatPost = (body: string, headers: readonly string[] = [], length = body.length, path = '/graphql') =>
  `${formatHead(`POST ${path}`, JSON_TYPE, `Content-Length: ${length}`, ...headers)}${body}`;

const toBody = (query: string) => JSON.stringify({ query });
const SMALL = toBody('{ __typename }');
const READ = toBody('{ contacts(first: 1) { nodes { rawId } } }');
const WRITE = toBody('mutation { contactCreate(input: { lastName: "Ended" }) { __typename } }');
const DEFERRED = toBody('{ __typename ... @defer { contacts(first: 1) { nodes { rawId } } } }');
const SUBSCRIPTION = toBody('subscription { recordsChanged(types: [ORDER]) { __typename } }');
/** A large response with an error, which the fast path delegates to Yoga. */
const PARTIAL = toBody(
  `{ ${Array.from({ length: 8 }, (_, index) => `c${index}: contacts(first: 100) { nodes { id rawId lastName } }`).join(' ')} customer(id: "x") { title } }`,
);
const TOOL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const LIVE = formatHead('GET /health/live');

const SSE = 'Accept: text/event-stream';
const MULTIPART = 'Accept: multipart/mixed';

/** Forms of requests with a body: one for each code path. */
const FORMS: readonly (readonly [name: string, path: string, body: string, headers: readonly string[]])[] = [
  ['fast path', '/graphql', READ, [KEY]],
  ['Yoga', '/graphql/', SMALL, []],
  ['incremental', '/graphql', DEFERRED, [KEY, MULTIPART]],
  ['trace', '/graphql', READ, [KEY, TRACED]],
  ['tools', '/mcp', TOOL, [KEY, 'Accept: application/json, text/event-stream']],
  ['subscription', '/graphql', SUBSCRIPTION, [KEY, SSE]],
  ['landing page', '/', SMALL, []],
  ['health', '/health/live', SMALL, []],
];

const kinds: Kind[] = [
  ...FORMS.flatMap(([form, path, body, headers]): Kind[] => [
    { name: `${form}: Content-Length too short`, bytes: formatPost(body, headers, body.length - 1, path), ending: 'server' },
    { name: `${form}: Content-Length too long, closed`, bytes: formatPost(body, headers, body.length + 1, path), ending: 'close' },
    { name: `${form}: Content-Length too long, half-closed`, bytes: formatPost(body, headers, body.length + 1, path), ending: 'half' },
    { name: `${form}: Content-Length too long, reset`, bytes: formatPost(body, headers, body.length + 1, path), ending: 'reset' },
    {
      name: `${form}: invalid chunk`,
      bytes: `${formatHead(`POST ${path}`, JSON_TYPE, CHUNKED, ...headers)}5\r\n{"que\r\nzz\r\n`,
      ending: 'server',
    },
    {
      name: `${form}: half of the chunks`,
      bytes: `${formatHead(`POST ${path}`, JSON_TYPE, CHUNKED, ...headers)}5\r\n{"que\r\n5\r\nx`,
      ending: 'reset',
    },
    { name: `${form}: reset after the request`, bytes: formatPost(body, headers, body.length, path), ending: 'reset' },
    { name: `${form}: closed after the request`, bytes: formatPost(body, headers, body.length, path), ending: 'close' },
    { name: `${form}: pipelined, reset`, bytes: formatPost(body, headers, body.length, path).repeat(4), ending: 'reset' },
    {
      name: `${form}: pipelined and half a request, reset`,
      bytes: `${formatPost(READ, [KEY, MULTIPART])}${formatPost(body, headers, body.length, path).slice(0, -1)}`,
      ending: 'reset',
    },
    {
      name: `${form}: pipelined before garbage`,
      bytes: `${formatPost(body, headers, body.length, path).repeat(2)}\x16\x03\x01`,
      ending: 'server',
    },
    {
      name: `${form}: waits for 100, reset`,
      bytes: formatPost('', ['Expect: 100-continue', ...headers], body.length, path),
      ending: 'reset',
      after: /100 Continue/,
    },
    {
      name: `${form}: unknown expectation`,
      bytes: formatPost('', ['Expect: tea', ...headers], body.length, path),
      ending: 'close',
      after: /417/,
    },
    {
      name: `${form}: upgrade`,
      bytes: formatPost(body.slice(0, -1), ['Connection: Upgrade', 'Upgrade: websocket', ...headers], body.length, path),
      ending: 'reset',
    },
  ]),
  { name: 'CONNECT', bytes: formatHead('CONNECT localhost:1'), ending: 'server' },
  { name: 'half of a head', bytes: 'POST /graphql HTTP/1.1\r\nHos', ending: 'reset' },
  {
    name: 'GET, reset',
    bytes: formatHead(`GET /graphql?query=${encodeURIComponent('{ contacts(first: 1) { nodes { rawId } } }')}`, KEY),
    ending: 'reset',
  },
  {
    name: 'GET, pipelined, reset',
    bytes: formatHead(`GET /graphql?query=${encodeURIComponent('{ contacts(first: 1) { nodes { rawId } } }')}`, KEY).repeat(3),
    ending: 'reset',
  },
  { name: 'subscription, open, closed', bytes: formatPost(SUBSCRIPTION, [KEY, SSE]), ending: 'close', after: /200 OK/ },
  { name: 'subscription, open, half-closed', bytes: formatPost(SUBSCRIPTION, [KEY, SSE]), ending: 'close', after: /200 OK/ },
  {
    name: 'requests behind a subscription',
    bytes: `${formatPost(SUBSCRIPTION, [KEY, SSE])}${formatPost(READ, [KEY]).repeat(3)}`,
    ending: 'reset',
    after: /200 OK/,
  },
  { name: 'partial response, unread', bytes: formatPost(PARTIAL, [KEY]).repeat(3), ending: 'reset', isUnread: true },
  { name: 'incremental response, unread', bytes: formatPost(PARTIAL, [KEY, MULTIPART]).repeat(3), ending: 'reset', isUnread: true },
  {
    name: 'compressed response, unread',
    bytes: formatPost(PARTIAL, [KEY, 'Accept-Encoding: br']).repeat(3),
    ending: 'reset',
    isUnread: true,
  },
  { name: 'page, unread', bytes: formatHead('GET /graphql', 'Accept: text/html').repeat(3), ending: 'reset', isUnread: true },
  { name: 'write, reset', bytes: formatPost(WRITE, [KEY]), ending: 'reset' },
  { name: 'metrics, pipelined, reset', bytes: formatHead('GET /metrics').repeat(3), ending: 'reset', isAdmin: true },
  { name: 'metrics, with half of a body', bytes: formatPost('{', [], 10, '/metrics'), ending: 'reset', isAdmin: true },
  { name: 'health on the admin port, half-closed', bytes: LIVE, ending: 'half', isAdmin: true },
];

let sandbox: TestSandbox;
let graph: GraphProcess;
let adminUrl = '';

beforeAll(async () => {
  sandbox = await openSandbox();
  const adminPort = await findFreePort();
  adminUrl = `http://127.0.0.1:${adminPort}`;
  graph = await startGraph(
    {
      UPSTREAM_URL: sandbox.url,
      LEDGER_URL: `file:${join(mkdtempSync(join(tmpdir(), 'ended-')), 'ledger.sqlite')}`,
      ADMIN_PORT: String(adminPort),
      MCP: 'true',
      LIVE: 'on',
      GRAPHIQL: 'true',
      LOG_LEVEL: 'info',
      MAX_CONCURRENT_REQUESTS: String(MAX_REQUESTS),
      SHUTDOWN_TIMEOUT_MS: '600000',
    },
    ['--max-old-space-size=250', '--expose-gc', '--import', './test/support/faults/heap.ts'],
  );
});
afterAll(async () => {
  await killAll();
  await sandbox?.close();
});

const end = (socket: Socket, ending: Ending) => {
  if (ending === 'reset') socket.resetAndDestroy();
  else if (ending === 'close') socket.destroy();
  else if (ending === 'half') socket.end();
};

/** Sends one request and ends its connection. */
async function attack(url: string, { bytes, ending, after, isUnread }: Kind): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const received = Promise.withResolvers<void>();
  let text = '';
  if (!isUnread)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (after?.test(text)) received.resolve();
    });
  await Promise.race([closed, new Promise<void>((resolve) => socket.write(bytes, 'latin1', () => resolve()))]);
  await Promise.race([closed, after ? received.promise : wait(ending === 'server' ? 0 : 5 + 20 * Math.random())]);
  end(socket, ending);
  await closed;
}

async function attackAll(kind: Kind, count: number): Promise<void> {
  let started = 0;
  const loop = async () => {
    while (started < count) {
      started += 1;
      await attack(kind.isAdmin ? adminUrl : graph.url, kind);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, loop));
}

const measureHeap = async () => Number(await graph.requestMessage());

// A single execution that doesn't end would keep the process running, because of its SHUTDOWN_TIMEOUT_MS.
it('retains nothing of requests that ended early, and shuts down without waiting for them', async () => {
  for (const kind of kinds) await attackAll(kind, PARALLEL);
  for (const [name, group] of Map.groupBy(kinds, (kind) => kind.name.split(':')[0] ?? '')) {
    const before = await measureHeap();
    for (const kind of group) await attackAll(kind, COUNT);
    sandbox.received.length = 0;
    // The last requests may not have ended yet.
    await expect.poll(measureHeap, { message: name }).toBeLessThan(before + MAX_GROWTH);
  }
  // None is still counted as in progress.
  const responses = await Promise.all(
    Array.from({ length: MAX_REQUESTS }, () => postQuery(graph.url, 'demo-owner', '{ contacts(first: 1) { nodes { rawId } } }')),
  );
  expect(responses.filter(({ errors }) => errors)).toEqual([]);
  expect(await graph.terminate()).toBe(0);
});
