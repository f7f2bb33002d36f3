import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openUpstream } from '../../../src/server/openUpstream.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { httpTransport, type TransportOptions } from '../../../src/upstream/transport/http.ts';
import { type Transport, TransportError } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** A call received over a connection. */
interface ReceivedCall {
  readonly socket: Socket;
  /** Index of the connection in order of opening. */
  readonly connection: number;
  readonly key: string;
  readonly requestId: string;
  readonly body: string;
}

const formatResponse = (body: string, headers: Readonly<Record<string, string>> = {}) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`;
};

/** A raw TCP upstream whose responses and their timing each test controls. */
async function openRawUpstream(onCall: (call: ReceivedCall) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections;
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
        const length = Number(header('content-length'));
        if (text.length < end + 4 + length) return;
        const body = text.slice(end + 4, end + 4 + length);
        text = text.slice(end + 4 + length);
        onCall({ socket, connection, key: header('authorization').replace('Bearer ', ''), requestId: header('x-request-id'), body });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get openConnections() {
      return sockets.size;
    },
    get connectionCount() {
      return connections;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type RawUpstream = Awaited<ReturnType<typeof openRawUpstream>>;

const closeables: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of closeables.splice(0)) await each.close();
});

async function openTransport(
  onCall: (call: ReceivedCall) => void,
  options: Partial<TransportOptions> = {},
): Promise<readonly [RawUpstream, Transport]> {
  const upstream = await openRawUpstream(onCall);
  const transport = httpTransport({ url: upstream.url, connections: 1, ...options });
  closeables.push(transport, upstream);
  return [upstream, transport];
}

const send = (transport: Transport, body: string, apiKey = 'a key', requestId = 'a request') =>
  transport.send({ path: '/x', apiKey, body, requestId, timeoutMs: 10_000 });
const getOutcome = (sent: Promise<{ readonly body: string }>) =>
  sent.then(
    ({ body }) => body,
    (error: unknown) => (error instanceof TransportError ? `no answer, ${error.isSent ? 'sent' : 'not sent'}` : String(error)),
  );

describe('response without a pending call', () => {
  /** An upstream that responds, and access to the socket of its last response. */
  const openIdle = async () => {
    const sockets: Socket[] = [];
    const [upstream, transport] = await openTransport(({ socket, body }) => {
      sockets.push(socket);
      socket.write(formatResponse(body));
    });
    const getLastSocket = () => {
      const socket = sockets.at(-1);
      if (!socket) throw new Error('Nothing has been called yet.');
      return socket;
    };
    return { upstream, transport, getLastSocket };
  };

  it('closes its connection and is discarded', async () => {
    const { upstream, transport, getLastSocket } = await openIdle();
    expect(await getOutcome(send(transport, '"one"'))).toBe('"one"');
    getLastSocket().write(formatResponse('"twice"'));
    await expect.poll(() => upstream.openConnections).toBe(0);
    expect([await getOutcome(send(transport, '"two"')), upstream.connectionCount]).toEqual(['"two"', 2]);
  });

  it('goes unused if it arrives in one chunk with the first response', async () => {
    const [upstream, transport] = await openTransport(({ socket, body }) =>
      socket.write(formatResponse(body) + (body === '"one"' ? formatResponse('"twice"') : '')),
    );
    expect(await getOutcome(send(transport, '"one"'))).toBe('"one"');
    expect([await getOutcome(send(transport, '"two"')), upstream.connectionCount]).toEqual(['"two"', 2]);
  });

  it('goes unused if it is still unread when the next call is sent', async () => {
    const { transport, getLastSocket } = await openIdle();
    expect(await getOutcome(send(transport, '"one"'))).toBe('"one"');
    // Written to the socket buffer: this process hasn't read it yet.
    await new Promise((resolve) => getLastSocket().write(formatResponse('"twice"'), resolve));
    expect(await getOutcome(send(transport, '"two"'))).toBe('"two"');
  });

  it.each([
    ['a partial status line', 'HTTP/1.1 200 OK\r\n'],
    ['a letter', 'x'],
    ['a zero byte', '\0'],
  ])('closes the connection if it is %s', async (_name, rest) => {
    const { upstream, transport, getLastSocket } = await openIdle();
    expect(await getOutcome(send(transport, '"one"'))).toBe('"one"');
    getLastSocket().write(rest);
    await expect.poll(() => upstream.openConnections).toBe(0);
    expect(await getOutcome(send(transport, '"two"'))).toBe('"two"');
  });
});

/** Consecutive matching responses after which an upstream counts as echoing the request ID. */
const CONSISTENT = 20;

describe('response with the request ID of another call', () => {
  it('requires a unique ID per call, which starts with the ID of the request', async () => {
    const ids: string[] = [];
    const [, transport] = await openTransport(({ socket, requestId, body }) => {
      ids.push(requestId);
      socket.write(formatResponse(body));
    });
    for (const body of ['1', '2', '3']) await send(transport, body);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^a request\.\w{20}$/);
  });

  it('fails the call and closes the connection from the first call on if this graph sent the ID', async () => {
    let first = '';
    const [upstream, transport] = await openTransport(({ socket, requestId, body }) => {
      first ||= requestId;
      // The first response is repeated for the pending second call.
      socket.write(formatResponse(body === '"two"' ? '"one"' : body, { 'x-request-id': body === '"two"' ? first : requestId }));
    });
    expect(await getOutcome(send(transport, '"one"'))).toBe('"one"');
    expect(await getOutcome(send(transport, '"two"', 'another key'))).toBe('no answer, sent');
    expect([await getOutcome(send(transport, '"three"')), upstream.connectionCount]).toEqual(['"three"', 2]);
  });

  it('doesn’t shift the later responses of its connection', async () => {
    let delayed: string | undefined;
    const [, transport] = await openTransport(({ socket, requestId, body }) => {
      const own = formatResponse(body, { 'x-request-id': requestId });
      // Each fifth response is delayed and repeated before the response to the next call.
      socket.write(delayed === undefined ? own : delayed + own);
      delayed = Number(body) % 5 === 0 ? own : undefined;
    });
    const outcomes: string[] = [];
    for (let call = 1; call <= 60; call += 1) outcomes.push(await getOutcome(send(transport, String(call), `key ${call}`)));
    expect(outcomes).toEqual(outcomes.map((_, index) => (index > 0 && index % 5 === 0 ? 'no answer, sent' : String(index + 1))));
  });

  it.each([
    ['succeeds from an upstream that sends its own IDs', CONSISTENT * 2, () => 'its own'],
    [
      'succeeds from an upstream that has echoed too few IDs',
      CONSISTENT - 1,
      (id: string, call: number) => (call < CONSISTENT - 1 ? id : 'its own'),
    ],
    [
      'succeeds from an upstream that echoes IDs only sometimes',
      CONSISTENT * 2,
      (id: string, call: number) => (call % 7 === 3 ? 'its own' : id),
    ],
  ])('%s', async (_name, calls, getRequestId) => {
    let count = 0;
    const [, transport] = await openTransport(({ socket, requestId, body }) => {
      socket.write(formatResponse(body, { 'x-request-id': getRequestId(requestId, count) }));
      count += 1;
    });
    for (let call = 0; call <= calls; call += 1) expect(await getOutcome(send(transport, String(call)))).toBe(String(call));
  });

  it('fails the call after twenty consecutive echoes, even if this graph never sent the ID', async () => {
    let count = 0;
    const [, transport] = await openTransport(({ socket, requestId, body }) => {
      count += 1;
      // A mismatch before the upstream counts as echoing, and another client's response at the end.
      socket.write(formatResponse(body, { 'x-request-id': count === 3 || count > CONSISTENT + 3 ? 'of another client' : requestId }));
    });
    for (let call = 0; call < CONSISTENT + 3; call += 1) expect(await getOutcome(send(transport, String(call)))).toBe(String(call));
    expect(await getOutcome(send(transport, '"another"'))).toBe('no answer, sent');
  });

  it('succeeds without an ID, because a proxy may have responded', async () => {
    let count = 0;
    const [, transport] = await openTransport(({ socket, requestId, body }) => {
      count += 1;
      socket.write(formatResponse(body, count > CONSISTENT ? {} : { 'x-request-id': requestId }));
    });
    for (let call = 0; call < CONSISTENT + 5; call += 1) expect(await getOutcome(send(transport, String(call)))).toBe(String(call));
  });
});

describe('UPSTREAM_SEPARATE_CONNECTIONS', () => {
  const KEYS = ['key 0', 'key 1', 'key 2'];

  it('shares no connection between two keys', async () => {
    const keysByConnection = new Map<number, Set<string>>();
    const [, transport] = await openTransport(
      ({ socket, connection, key, body }) => {
        keysByConnection.set(connection, (keysByConnection.get(connection) ?? new Set()).add(key));
        socket.write(formatResponse(body));
      },
      { connections: 8, hasPoolPerKey: true },
    );
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(KEYS.flatMap((key) => ['1', '2'].map((body) => send(transport, body, key))));
    }
    expect([...keysByConnection.values()].map((keys) => keys.size)).toEqual([...keysByConnection.keys()].map(() => 1));
    expect(new Set([...keysByConnection.values()].flatMap((keys) => [...keys])).size).toBe(KEYS.length);
  });

  it('defaults to false, so keys share connections', async () => {
    const keys = new Set<string>();
    const [upstream, transport] = await openTransport(({ socket, key, body }) => {
      keys.add(key);
      socket.write(formatResponse(body));
    });
    for (const key of KEYS) await send(transport, '1', key);
    expect([keys.size, upstream.connectionCount]).toEqual([3, 1]);
  });

  it.each([
    ['prevents shifted responses to other keys if the upstream echoes no ID', true, []],
    ['permits shifted responses to other keys if it is off and the upstream echoes no ID', false, ['key 1', 'key 2']],
  ])('%s', async (_name, hasPoolPerKey, shifted) => {
    const before = new Map<number, string>();
    const [, transport] = await openTransport(
      ({ socket, connection, key }) => {
        // Repeats the previous response of the connection when the next call arrives.
        const own = formatResponse(key);
        socket.write(before.get(connection) ?? own);
        before.set(connection, own);
      },
      { connections: 1, hasPoolPerKey },
    );
    const wrong: string[] = [];
    for (const key of KEYS) if ((await getOutcome(send(transport, '1', key))) !== key) wrong.push(key);
    expect(wrong).toEqual(shifted);
  });

  it('closes idle connections of the least recently used key if there are more keys than connections', async () => {
    const held = Promise.withResolvers<void>();
    const [upstream, transport] = await openTransport(
      ({ socket, body }) => {
        if (body === '"held"') void held.promise.then(() => socket.write(formatResponse(body)));
        else socket.write(formatResponse(body));
      },
      { connections: 2, hasPoolPerKey: true },
    );
    const slow = send(transport, '"held"', 'key 0');
    await expect.poll(() => upstream.openConnections).toBe(1);
    for (const key of ['key 1', 'key 2', 'key 3', 'key 4']) expect(await getOutcome(send(transport, '"x"', key))).toBe('"x"');
    // Two cached connections, and one with a pending call.
    await expect.poll(() => upstream.openConnections).toBe(3);
    held.resolve();
    expect(await getOutcome(slow)).toBe('"held"');
    await expect.poll(() => upstream.openConnections).toBe(2);
    expect(await getOutcome(send(transport, '"again"', 'key 0'))).toBe('"again"');
  });
});

describe('graph whose upstream returns the response of another call', () => {
  let mixedUpOperation: string | null = null;
  let earlier: { readonly id: string; readonly text: string } | undefined;
  /** A proxy between the graph and the sandbox. Once, it returns the first response of another key for the operation `mixesUp`. */
  const relay = createHttpServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const id = String(request.headers['x-request-id']);
      const forwarded = await fetch(`${testGraph.sandbox.url}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: String(request.headers.authorization), 'x-request-id': id },
        body: Buffer.concat(chunks),
      });
      const own = { id: String(forwarded.headers.get('x-request-id')), text: await forwarded.text() };
      const isMixUp = mixedUpOperation !== null && request.url?.endsWith(mixedUpOperation) && earlier;
      if (isMixUp) mixedUpOperation = null;
      else if (request.url?.endsWith('Contact/GetContact')) earlier ??= own;
      const returned = (isMixUp && earlier) || own;
      response.writeHead(isMixUp ? 200 : forwarded.status, { 'x-request-id': returned.id }).end(returned.text);
    })();
  });
  // Before the graph, which needs the port.
  beforeAll(async () => {
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
  });
  const testGraph = useTestGraph({}, undefined, {
    transport: () => httpTransport({ url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, connections: 4 }),
  });
  afterAll(() => void relay.close());

  const CONTACT = 'query ($id: ID!) { contact(id: $id) { rawId } }';
  const foreign = { id: demoId('contact 0') };
  const own = { id: demoId('contact 1') };

  it('repeats a read instead of returning the other key’s data', async () => {
    await testGraph.execute(CONTACT, foreign);
    mixedUpOperation = 'Contact/GetContact';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-sales', CONTACT, own));
    expect([data, errors, calls]).toEqual([{ contact: { rawId: own.id } }, undefined, ['Contact/GetContact', 'Contact/GetContact']]);
  });

  it('returns OutcomeUnknownError for a write and doesn’t resend it', async () => {
    await testGraph.execute(CONTACT, foreign);
    mixedUpOperation = 'Contact/CreateContact';
    const CREATE = `mutation { contactCreate(input: { lastName: "Mixed up", idempotencyKey: "mixed up" }) {
      __typename ... on MutationError { code retry } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE));
    expect(data.contactCreate).toEqual({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
    expect(calls).toEqual(['Contact/CreateContact']);
  });
});

describe('settings', () => {
  const ME = JSON.stringify({ workspace: { id: 'a workspace' }, apiKey: { id: 'a key' } });

  it.each([
    ['true', 2],
    ['false', 1],
  ])('opens the connections of two keys with UPSTREAM_SEPARATE_CONNECTIONS=%s: %i', async (UPSTREAM_SEPARATE_CONNECTIONS, connections) => {
    const raw = await openRawUpstream(({ socket }) => socket.write(formatResponse(ME)));
    const upstream = openUpstream(
      readConfig({ UPSTREAM_URL: raw.url, UPSTREAM_CONNECTIONS: '1', UPSTREAM_SEPARATE_CONNECTIONS }),
      undefined,
      pino({ level: 'silent' }),
    );
    closeables.push(upstream, raw);
    for (const key of ['a', 'b']) await upstream.openSession(createKeyCredential(key), 'a request').access.getGrants();
    expect(raw.connectionCount).toBe(connections);
  });

  it('logs a discarded response', async () => {
    let first: string | undefined;
    const raw = await openRawUpstream(({ socket, requestId }) => {
      first ??= requestId;
      socket.write(formatResponse(ME, { 'x-request-id': first }));
    });
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    const upstream = openUpstream(readConfig({ UPSTREAM_URL: raw.url }), undefined, logger);
    closeables.push(upstream, raw);
    await upstream.probe();
    await expect(upstream.probe()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(lines).toEqual(['mismatched upstream response discarded, connection closed']);
  });
});
