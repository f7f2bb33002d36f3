import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openUpstream } from '../../../src/server/openUpstream.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { httpTransport, type TransportOptions } from '../../../src/upstream/transport/http.ts';
import { type Transport, TransportError } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** A call as it arrived over a connection. */
interface Arrived {
  readonly socket: Socket;
  /** The order in which its connection was opened. */
  readonly connection: number;
  readonly key: string;
  readonly requestId: string;
  readonly body: string;
}

const answer = (body: string, headers: Readonly<Record<string, string>> = {}) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`;
};

/** An upstream that writes what it likes over a connection, whenever it likes. */
async function openRaw(onCall: (call: Arrived) => void) {
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
    get open() {
      return sockets.size;
    },
    get opened() {
      return connections;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Raw = Awaited<ReturnType<typeof openRaw>>;

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function open(onCall: (call: Arrived) => void, options: Partial<TransportOptions> = {}): Promise<readonly [Raw, Transport]> {
  const upstream = await openRaw(onCall);
  const transport = httpTransport({ url: upstream.url, connections: 1, ...options });
  opened.push(transport, upstream);
  return [upstream, transport];
}

const send = (transport: Transport, body: string, apiKey = 'a key', requestId = 'a request') =>
  transport.send({ path: '/x', apiKey, body, requestId, timeoutMs: 10_000 });
const outcomeOf = (sent: Promise<{ readonly body: string }>) =>
  sent.then(
    ({ body }) => body,
    (error: unknown) => (error instanceof TransportError ? `no answer, ${error.isSent ? 'sent' : 'not sent'}` : String(error)),
  );

describe('an answer that comes while no call is under way', () => {
  /** An upstream that answers, and of which the test has what it wrote to. */
  const openIdle = async () => {
    const sockets: Socket[] = [];
    const [upstream, transport] = await open(({ socket, body }) => {
      sockets.push(socket);
      socket.write(answer(body));
    });
    const last = () => {
      const socket = sockets.at(-1);
      if (!socket) throw new Error('Nothing has been called yet.');
      return socket;
    };
    return { upstream, transport, last };
  };

  it('ends its connection, and is nobody’s', async () => {
    const { upstream, transport, last } = await openIdle();
    expect(await outcomeOf(send(transport, '"one"'))).toBe('"one"');
    last().write(answer('"twice"'));
    await expect.poll(() => upstream.open).toBe(0);
    expect([await outcomeOf(send(transport, '"two"')), upstream.opened]).toEqual(['"two"', 2]);
  });

  it('with the first one, in one piece, is nobody’s either', async () => {
    const [upstream, transport] = await open(({ socket, body }) =>
      socket.write(answer(body) + (body === '"one"' ? answer('"twice"') : '')),
    );
    expect(await outcomeOf(send(transport, '"one"'))).toBe('"one"');
    expect([await outcomeOf(send(transport, '"two"')), upstream.opened]).toEqual(['"two"', 2]);
  });

  it('is nobody’s when it lies there unread as the next call is made', async () => {
    const { transport, last } = await openIdle();
    expect(await outcomeOf(send(transport, '"one"'))).toBe('"one"');
    // Written to the system: this process has not read yet what has come.
    await new Promise((resolve) => last().write(answer('"twice"'), resolve));
    expect(await outcomeOf(send(transport, '"two"'))).toBe('"two"');
  });

  it.each([
    ['half of one', 'HTTP/1.1 200 OK\r\n'],
    ['a letter', 'x'],
    ['a zero byte', '\0'],
  ])('be it %s, ends its connection', async (_name, rest) => {
    const { upstream, transport, last } = await openIdle();
    expect(await outcomeOf(send(transport, '"one"'))).toBe('"one"');
    last().write(rest);
    await expect.poll(() => upstream.open).toBe(0);
    expect(await outcomeOf(send(transport, '"two"'))).toBe('"two"');
  });
});

/** Answers in a row after which an upstream counts as one that echoes. */
const CONSISTENT = 20;

describe('an answer with the id of another call', () => {
  it('has an id of its own sent with each call, which begins with the id of the request', async () => {
    const ids: string[] = [];
    const [, transport] = await open(({ socket, requestId, body }) => {
      ids.push(requestId);
      socket.write(answer(body));
    });
    for (const body of ['1', '2', '3']) await send(transport, body);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^a request\.\w{20}$/);
  });

  it('that this graph has sent is not believed, from the first call on: its connection ends', async () => {
    let first = '';
    const [upstream, transport] = await open(({ socket, requestId, body }) => {
      first ||= requestId;
      // The call is under way: the answer to the first one comes once more.
      socket.write(answer(body === '"two"' ? '"one"' : body, { 'x-request-id': body === '"two"' ? first : requestId }));
    });
    expect(await outcomeOf(send(transport, '"one"'))).toBe('"one"');
    expect(await outcomeOf(send(transport, '"two"', 'another key'))).toBe('no answer, sent');
    expect([await outcomeOf(send(transport, '"three"')), upstream.opened]).toEqual(['"three"', 2]);
  });

  it('shifts nothing: every later answer of the connection would be another one’s', async () => {
    let twice: string | undefined;
    const [, transport] = await open(({ socket, requestId, body }) => {
      const own = answer(body, { 'x-request-id': requestId });
      // Each fifth answer is kept, and comes again when the next call has come.
      socket.write(twice === undefined ? own : twice + own);
      twice = Number(body) % 5 === 0 ? own : undefined;
    });
    const outcomes: string[] = [];
    for (let call = 1; call <= 60; call += 1) outcomes.push(await outcomeOf(send(transport, String(call), `key ${call}`)));
    expect(outcomes).toEqual(outcomes.map((_, index) => (index > 0 && index % 5 === 0 ? 'no answer, sent' : String(index + 1))));
  });

  it.each([
    ['is believed of an upstream that writes ids of its own', CONSISTENT * 2, () => 'its own'],
    [
      'is believed of an upstream that has echoed too few',
      CONSISTENT - 1,
      (id: string, call: number) => (call < CONSISTENT - 1 ? id : 'its own'),
    ],
    [
      'is believed of an upstream that echoes now and then',
      CONSISTENT * 2,
      (id: string, call: number) => (call % 7 === 3 ? 'its own' : id),
    ],
  ])('%s', async (_name, calls, idOf) => {
    let count = 0;
    const [, transport] = await open(({ socket, requestId, body }) => {
      socket.write(answer(body, { 'x-request-id': idOf(requestId, count) }));
      count += 1;
    });
    for (let call = 0; call <= calls; call += 1) expect(await outcomeOf(send(transport, String(call)))).toBe(String(call));
  });

  it('is not believed of an upstream that has echoed twenty in a row, though the id is none of ours', async () => {
    let count = 0;
    const [, transport] = await open(({ socket, requestId, body }) => {
      count += 1;
      // A slip before it has shown that it echoes, and the answer of another client at the end.
      socket.write(answer(body, { 'x-request-id': count === 3 || count > CONSISTENT + 3 ? 'of another client' : requestId }));
    });
    for (let call = 0; call < CONSISTENT + 3; call += 1) expect(await outcomeOf(send(transport, String(call)))).toBe(String(call));
    expect(await outcomeOf(send(transport, '"another"'))).toBe('no answer, sent');
  });

  it('that is left out is believed: something before the upstream may have answered', async () => {
    let count = 0;
    const [, transport] = await open(({ socket, requestId, body }) => {
      count += 1;
      socket.write(answer(body, count > CONSISTENT ? {} : { 'x-request-id': requestId }));
    });
    for (let call = 0; call < CONSISTENT + 5; call += 1) expect(await outcomeOf(send(transport, String(call)))).toBe(String(call));
  });
});

describe('connections that are kept apart by key', () => {
  const KEYS = ['key 0', 'key 1', 'key 2'];

  it('are never shared by two keys', async () => {
    const keysOf = new Map<number, Set<string>>();
    const [, transport] = await open(
      ({ socket, connection, key, body }) => {
        keysOf.set(connection, (keysOf.get(connection) ?? new Set()).add(key));
        socket.write(answer(body));
      },
      { connections: 8, areSeparate: true },
    );
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(KEYS.flatMap((key) => ['1', '2'].map((body) => send(transport, body, key))));
    }
    expect([...keysOf.values()].map((keys) => keys.size)).toEqual([...keysOf.keys()].map(() => 1));
    expect(new Set([...keysOf.values()].flatMap((keys) => [...keys])).size).toBe(KEYS.length);
  });

  it('are shared unless that is set', async () => {
    const keys = new Set<string>();
    const [upstream, transport] = await open(({ socket, key, body }) => {
      keys.add(key);
      socket.write(answer(body));
    });
    for (const key of KEYS) await send(transport, '1', key);
    expect([keys.size, upstream.opened]).toEqual([3, 1]);
  });

  it.each([
    ['do not shift an answer to another key, though the upstream echoes no id', true, []],
    ['shift it when they are shared, and the upstream echoes no id', false, ['key 1', 'key 2']],
  ])('%s', async (_name, areSeparate, shifted) => {
    const before = new Map<number, string>();
    const [, transport] = await open(
      ({ socket, connection, key }) => {
        // The answer before comes once more, over its own connection, when the next call has come.
        const own = answer(key);
        socket.write(before.get(connection) ?? own);
        before.set(connection, own);
      },
      { connections: 1, areSeparate },
    );
    const wrong: string[] = [];
    for (const key of KEYS) if ((await outcomeOf(send(transport, '1', key))) !== key) wrong.push(key);
    expect(wrong).toEqual(shifted);
  });

  it('are as many as there are connections: those of the key that was unused for longest are closed, when its calls have ended', async () => {
    const held = Promise.withResolvers<void>();
    const [upstream, transport] = await open(
      ({ socket, body }) => {
        if (body === '"held"') void held.promise.then(() => socket.write(answer(body)));
        else socket.write(answer(body));
      },
      { connections: 2, areSeparate: true },
    );
    const slow = send(transport, '"held"', 'key 0');
    await expect.poll(() => upstream.open).toBe(1);
    for (const key of ['key 1', 'key 2', 'key 3', 'key 4']) expect(await outcomeOf(send(transport, '"x"', key))).toBe('"x"');
    // Two that are kept, and the one that has a call under way.
    await expect.poll(() => upstream.open).toBe(3);
    held.resolve();
    expect(await outcomeOf(slow)).toBe('"held"');
    await expect.poll(() => upstream.open).toBe(2);
    expect(await outcomeOf(send(transport, '"again"', 'key 0'))).toBe('"again"');
  });
});

describe('a graph whose upstream answers with what another call asked for', () => {
  let mixesUp: string | null = null;
  let earlier: { readonly id: string; readonly text: string } | undefined;
  /** Between the graph and the sandbox: once, an operation gets the first answer that came for another key. */
  const relay = createHttpServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const id = String(request.headers['x-request-id']);
      const answered = await fetch(`${testGraph.sandbox.url}${request.url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: String(request.headers.authorization), 'x-request-id': id },
        body: Buffer.concat(chunks),
      });
      const own = { id: String(answered.headers.get('x-request-id')), text: await answered.text() };
      const isMixedUp = mixesUp !== null && request.url?.endsWith(mixesUp) && earlier;
      if (isMixedUp) mixesUp = null;
      else if (request.url?.endsWith('Contact/GetContact')) earlier ??= own;
      const told = (isMixedUp && earlier) || own;
      response.writeHead(isMixedUp ? 200 : answered.status, { 'x-request-id': told.id }).end(told.text);
    })();
  });
  // Before the graph, which is to know where it listens.
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

  it('reads again, and does not tell what is another one’s', async () => {
    await testGraph.execute(CONTACT, foreign);
    mixesUp = 'Contact/GetContact';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-sales', CONTACT, own));
    expect([data, errors, calls]).toEqual([{ contact: { rawId: own.id } }, undefined, ['Contact/GetContact', 'Contact/GetContact']]);
  });

  it('does not know what became of a change, and does not send it again', async () => {
    await testGraph.execute(CONTACT, foreign);
    mixesUp = 'Contact/CreateContact';
    const CREATE = `mutation { contactCreate(input: { lastName: "Mixed up", idempotencyKey: "mixed up" }) {
      __typename ... on MutationError { code retry } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE));
    expect(data.contactCreate).toEqual({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' });
    expect(calls).toEqual(['Contact/CreateContact']);
  });
});

describe('the settings of a graph', () => {
  const ME = JSON.stringify({ workspace: { id: 'a workspace' }, apiKey: { id: 'a key' } });

  it.each([
    ['true', 2],
    ['false', 1],
  ])('UPSTREAM_SEPARATE_CONNECTIONS=%s: two keys have so many connections: %i', async (UPSTREAM_SEPARATE_CONNECTIONS, connections) => {
    const raw = await openRaw(({ socket }) => socket.write(answer(ME)));
    const upstream = openUpstream(
      readConfig({ UPSTREAM_URL: raw.url, UPSTREAM_CONNECTIONS: '1', UPSTREAM_SEPARATE_CONNECTIONS }),
      undefined,
      pino({ level: 'silent' }),
    );
    opened.push(upstream, raw);
    for (const key of ['a', 'b']) await upstream.for(key, 'a request').access.grants();
    expect(raw.opened).toBe(connections);
  });

  it('leave a line in the log of an answer that was not believed', async () => {
    let first: string | undefined;
    const raw = await openRaw(({ socket, requestId }) => {
      first ??= requestId;
      socket.write(answer(ME, { 'x-request-id': first }));
    });
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    const upstream = openUpstream(readConfig({ UPSTREAM_URL: raw.url }), undefined, logger);
    opened.push(upstream, raw);
    await upstream.probe();
    await expect(upstream.probe()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(lines).toEqual(['mismatched upstream response discarded, connection closed']);
  });
});
