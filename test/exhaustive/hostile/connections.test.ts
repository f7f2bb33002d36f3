import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Overload } from '../../../src/server/execution/overload.ts';
import { connectRaw, type RawConnection, sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** Short, because tests wait for it. */
const TIMEOUT_MS = 300;
/** Long enough to send and reject a body of 1 MB on a busy machine. */
const REQUEST_TIMEOUT_MS = 2_000;
const CONNECTIONS = 20;

const testGraph = useTestGraph();
const shortTimeouts = useTestGraph({}, undefined, {
  app: {
    http: {
      headersTimeoutMs: TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      idleTimeoutMs: TIMEOUT_MS,
      checkEveryMs: 20,
      connections: CONNECTIONS,
    },
  },
});

const POST = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer demo-owner\r\n';
const READ = JSON.stringify({ query: '{ contacts(first: 1) { nodes { rawId } } }' });
const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };

/** Whether the server responds with success. */
const canServe = async ({ url } = testGraph) => (await sendRaw(url, { method: 'POST', headers: HEADERS, body: READ })).status === 200;

/** Writes until the connection is closed. */
async function keepWriting({ socket, ended }: RawConnection, write: (index: number) => string): Promise<void> {
  let isOpen = true;
  void ended.then(() => {
    isOpen = false;
  });
  for (let index = 0; isOpen; index += 1) {
    await new Promise((resolve) => socket.write(write(index), resolve));
    await setImmediate();
  }
}

describe('slow client', () => {
  it('receives 408 if it sends half of the headers', async () => {
    const { socket, ended } = connectRaw(shortTimeouts.url);
    socket.write(POST);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('returns 408 or 431 if the client keeps sending headers one at a time', async () => {
    const connection = connectRaw(shortTimeouts.url);
    connection.socket.write(POST);
    await keepWriting(connection, (index) => `X-${index % 10}: y\r\n`);
    expect(await connection.ended).toMatch(/^HTTP\/1\.1 (408|431) /);
  });

  it('receives 408 if it sends half of the body, and nothing is executed', async () => {
    const [text, calls] = await shortTimeouts.recordCalls(() => {
      const { socket, ended } = connectRaw(shortTimeouts.url);
      socket.write(`${POST}Content-Length: ${READ.length}\r\n\r\n${READ.slice(0, -1)}`);
      return ended;
    });
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(calls).toEqual([]);
  });

  it('gets disconnected if it sends no next request', async () => {
    const { socket, ended } = connectRaw(shortTimeouts.url);
    socket.write(`${POST}Content-Length: ${READ.length}\r\n\r\n${READ}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('causes no error if it disconnects while sending the body', async () => {
    for (const length of [0, 1, READ.length - 1]) {
      const { socket, ended } = connectRaw(testGraph.url);
      await new Promise((resolve) => socket.write(`${POST}Content-Length: ${READ.length}\r\n\r\n${READ.slice(0, length)}`, resolve));
      socket.destroy();
      await ended;
    }
    expect(await canServe()).toBe(true);
  });
});

describe('oversized request', () => {
  it.each([
    ['1 MB with a key', { authorization: 'Bearer demo-owner' }, 1024 * 1024],
    ['1 MB with a key in the other header', { 'x-api-key': 'demo-owner' }, 1024 * 1024],
    ['128 kB without a key', {}, 128 * 1024],
    ['128 kB with an empty key', { authorization: '' }, 128 * 1024],
  ])('returns 413 if the body exceeds %s', async (_name, credential, maxBytes) => {
    const headers = { 'content-type': 'application/json', ...credential };
    const send = async (bytes: number) => {
      const start = '{"query":"{ __typename }","extensions":{},"other":"';
      const { status, body } = await sendRaw(testGraph.url, {
        method: 'POST',
        headers,
        body: `${start}${'x'.repeat(bytes - start.length - 2)}"}`,
      });
      return [status, JSON.parse(body.toString()).errors?.[0].extensions.code];
    };
    expect(await send(maxBytes)).toEqual([200, undefined]);
    expect(await send(maxBytes + 1)).toEqual([413, 'REQUEST_ENTITY_TOO_LARGE']);
  });

  it('returns 413 and disconnects the client if the body never ends', async () => {
    const connection = connectRaw(shortTimeouts.url);
    connection.socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
    const writing = keepWriting(connection, () => `10000\r\n${'x'.repeat(0x10000)}\r\n`);
    expect(await connection.waitFor(/REQUEST_ENTITY_TOO_LARGE/)).toMatch(/^HTTP\/1\.1 413 /);
    await writing;
    expect(await canServe()).toBe(true);
  });

  it.each([
    ['a header is', { 'x-long': 'y'.repeat(17_000) }, '/graphql'],
    ['the list of headers is', Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`x-${index}`, 'y'])), '/graphql'],
    ['the URL is', {}, `/graphql?query=${'x'.repeat(17_000)}`],
  ])('returns 431 if %s too long', async (_name, headers, path) => {
    expect((await sendRaw(testGraph.url, { headers, path })).status).toBe(431);
  });

  it('succeeds with many headers, including the API key in the last one', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, index) => [index.toString(36), '']));
    const headers = { ...many, ...HEADERS };
    const { body } = await sendRaw(testGraph.url, { method: 'POST', headers, body: READ });
    expect(JSON.parse(body.toString()).data.contacts.nodes).toHaveLength(1);
  });

  it('gets a closed connection if there are too many, and the server continues to work', async () => {
    const all = Array.from({ length: CONNECTIONS + 10 }, () => connectRaw(shortTimeouts.url));
    for (const { socket } of all) socket.write(POST);
    const texts = await Promise.all(all.map(({ ended }) => ended));
    expect(texts.filter((text) => text === '').length).toBeGreaterThanOrEqual(10);
    while (!(await canServe(shortTimeouts)));
  });
});

describe('client that does not read the response', () => {
  const overload = new Overload({ maxRequests: 1, maxDelayMs: 60_000 });
  const limited = useTestGraph({}, undefined, { app: { overload, http: { unreadTimeoutMs: TIMEOUT_MS } } });
  /** Resolves to 0 if it's disconnected itself: on a busy machine, this test also reads too slowly. */
  const read = () =>
    sendRaw(limited.url, { method: 'POST', headers: HEADERS, body: READ }).then(
      ({ status }) => status,
      () => 0,
    );

  it('gets disconnected, so that other requests are accepted again', async () => {
    const { socket } = connectRaw(limited.url);
    socket.pause();
    // The five responses, of nine megabytes each, exceed the buffers of the system.
    socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n'.repeat(5));
    while ((await read()) !== 503);
    while ((await read()) !== 200);
    socket.destroy();
  });

  it('remains connected while its request is being executed', async () => {
    limited.sandbox.faults.add({ operation: 'Contact/ListContacts', latencyMs: 3 * TIMEOUT_MS, times: 1 });
    expect(await read()).toBe(200);
  });
});

describe('malformed HTTP', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a name', `${POST}: x\r\n\r\n`],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk without a size', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a line break in a header', `${POST}X-Request-Id: a\nX-Evil: b\r\n\r\n\0`],
    ['a missing host', 'GET /graphql HTTP/1.1\r\n\r\n'],
  ])('returns 400: %s', async (_name, bytes) => {
    const { socket, ended } = connectRaw(testGraph.url);
    socket.write(Buffer.from(bytes, 'latin1'));
    expect(await ended).toMatch(/^HTTP\/1\.1 400 /);
    expect(await canServe()).toBe(true);
  });

  it('fails if it requests a tunnel or a protocol upgrade', async () => {
    const tunnel = connectRaw(shortTimeouts.url);
    tunnel.socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    expect(await tunnel.ended).toBe('');
    const upgrade = connectRaw(shortTimeouts.url);
    upgrade.socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await upgrade.ended).toMatch(/^HTTP\/1\.1 400 .*"BAD_REQUEST"/s);
  });
});

describe('mutation by GET', () => {
  const MUTATION = 'mutation M { contactCreate(input: { lastName: "Got" }) { __typename } }';
  const QUERY_AND_MUTATION = `query Q { __typename } ${MUTATION}`;
  const get = (parameters: Record<string, string>) => ({ path: `/graphql?${new URLSearchParams(parameters)}` });

  it.each([
    ['as the only operation', get({ query: MUTATION })],
    ['with an operation name', get({ query: QUERY_AND_MUTATION, operationName: 'M' })],
    [
      'with two operation names, the query first',
      { path: `${get({ query: QUERY_AND_MUTATION, operationName: 'Q' }).path}&operationName=M` },
    ],
    [
      'with two operation names, the mutation first',
      { path: `${get({ query: QUERY_AND_MUTATION, operationName: 'M' }).path}&operationName=Q` },
    ],
    ['after a query, without an operation name', get({ query: QUERY_AND_MUTATION })],
    ['in a second query parameter', { path: `${get({ query: '{ __typename }' }).path}&query=${encodeURIComponent(MUTATION)}` }],
    ['in the body', { ...get({ query: '{ __typename }' }), body: JSON.stringify({ query: MUTATION }) }],
    ['with a header that overrides the method', { ...get({ query: MUTATION }), headers: { 'x-http-method-override': 'POST' } }],
    ['with HEAD', { ...get({ query: MUTATION }), method: 'HEAD' }],
    ['as a subscription', get({ query: 'subscription { contactCreate { __typename } }' })],
  ])('executes nothing: %s', async (_name, request) => {
    const { headers = {}, ...rest } = request as { headers?: Record<string, string>; path: string };
    const [, calls] = await testGraph.recordCalls(() =>
      sendRaw(testGraph.url, { ...rest, headers: { ...headers, authorization: 'Bearer demo-owner' } }),
    );
    expect(calls).toEqual([]);
  });
});

describe('batched requests', () => {
  it.each([
    ['an empty list', '[]'],
    ['one', `[${READ}]`],
    ['two', `[${READ},${READ}]`],
    ['a nested list', `[[${READ}]]`],
  ])('return an error: %s', async (_name, body) => {
    const [response, calls] = await testGraph.recordCalls(() => sendRaw(testGraph.url, { method: 'POST', headers: HEADERS, body }));
    expect([response.status, JSON.parse(response.body.toString()).errors, calls]).toEqual([
      400,
      [{ message: 'Batching is not supported.', extensions: { code: 'BAD_REQUEST' } }],
      [],
    ]);
  });
});

describe('malformed URL', () => {
  it.each([
    ['a host with spaces', 'GET /graphql HTTP/1.1\r\nHost: a b\r\n'],
    ['a host with an invalid port', 'GET /graphql HTTP/1.1\r\nHost: a:b\r\n'],
    ['a host with a path', 'GET /graphql HTTP/1.1\r\nHost: a/../b?c#d[\r\n'],
    ['an absolute URL', 'GET http://x/graphql HTTP/1.1\r\nHost: x\r\n'],
    ['two slashes', 'GET //graphql HTTP/1.1\r\nHost: x\r\n'],
    ['two slashes and a port', 'GET //[:99999 HTTP/1.1\r\nHost: x\r\n'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n'],
    ['an invalid percent encoding', 'GET /%?%ff=% HTTP/1.1\r\nHost: x\r\n'],
  ])('gets a response without internal details: %s', async (_name, bytes) => {
    const { socket, ended } = connectRaw(testGraph.url);
    socket.write(`${bytes}Connection: close\r\n\r\n`);
    const text = await ended;
    expect(text).toMatch(/^HTTP\/1\.1 (200|204|302|400|404|405) /);
    expect(text).not.toMatch(/node_modules|\n\s+at /);
  });
});
