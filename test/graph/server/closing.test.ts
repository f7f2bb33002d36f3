import { once } from 'node:events';
import { stat } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Overload } from '../../../src/server/execution/overload.ts';
import { HTTP_LIMITS } from '../../../src/server/http/http.ts';
import { connectRaw, type RawConnection } from '../../support/rawHttp.ts';
import { startTestGraph, type TestGraphOptions } from '../../support/testGraph.ts';

const KEY = 'demo-owner';
const READ = '{ contacts(first: 100) { nodes { id rawId lastName } } }';
const create = (name: string) => `mutation { contactCreate(input: { lastName: "${name}" }) { __typename } }`;

/** A world with the usual grace for connections that are kept: other tests have none. */
async function open(options: TestGraphOptions = {}) {
  const testGraph = await startTestGraph({}, undefined, {
    ...options,
    app: { http: { silenceMs: HTTP_LIMITS.silenceMs }, ...options.app },
  });
  onTestFinished(() => testGraph.sandbox.close());
  onTestFinished(() => testGraph.app.close());
  return testGraph;
}

/** A request as it is written on a connection. */
function written(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const all = { host: 'graph', authorization: `Bearer ${KEY}`, ...(body && { 'content-length': String(body.length) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const posted = (query: string, headers: Record<string, string> = {}) =>
  written('POST', '/graphql', { 'content-type': 'application/json', ...headers }, JSON.stringify({ query }));

/** A connection that is open and has been answered once, so that its client may send the next request at any moment. */
async function kept(url: string): Promise<RawConnection> {
  const connection = connectRaw(url);
  connection.socket.write(written('GET', '/health/live'));
  expect(await connection.until(/\{"status":"ok"\}/)).toMatch(/^connection: keep-alive\r$/im);
  return connection;
}

/** Keeps the process from its next turn, while the system goes on. */
const holdTheProcess = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Long enough for the system to open some connections on a busy machine. */
const HANDSHAKES_MS = 100;

/** The head of the last answer, in lower case. */
const lastHead = (text: string) => (/^.*?\r\n\r\n/s.exec(text.slice(text.lastIndexOf('HTTP/1.1 '))) ?? [''])[0].toLowerCase();

const ENDS_WITH_200 = /^http\/1\.1 200 .*^connection: close\r$/ms;

const HUGE = { 'content-length': String(2 * 1024 * 1024) };

/** Requests with the status of their answer while the graph closes. */
const REQUESTS: readonly (readonly [name: string, status: number, request: string])[] = [
  ['a query by the short path', 200, posted(READ)],
  ['a query by yoga', 200, written('GET', `/graphql?query=${encodeURIComponent(READ)}`)],
  ['a mutation', 200, posted(create('Closing'))],
  ['a compressed answer', 200, posted(READ, { 'accept-encoding': 'br' })],
  ['an answer with errors', 200, posted('{ customer(id: "x") { title } contacts(first: -1) { __typename } }')],
  ['a document that does not parse', 400, posted('{', { accept: 'application/graphql-response+json' })],
  ['an answer as multipart/mixed', 200, posted('{ __typename ... @defer { a: __typename } }', { accept: 'multipart/mixed' })],
  ['an answer as text/event-stream', 200, posted('{ __typename ... @defer { a: __typename } }', { accept: 'text/event-stream' })],
  ['a type that is not taken', 415, posted(READ, { 'content-type': 'text/plain' })],
  ['a type that is not made', 406, posted(READ, { accept: 'text/plain' })],
  ['a method that is not taken', 405, written('DELETE', '/graphql')],
  ['a path that is none', 404, written('GET', '/nope')],
  ['an address that is none', 400, written('GET', '/graphql', { host: 'a b' })],
  ['an expectation that is not met', 417, written('GET', '/graphql', { expect: 'wonders' })],
  ['a body that is too large', 413, written('POST', '/graphql', { 'content-type': 'application/json', ...HUGE })],
  ['the landing page', 200, written('GET', '/')],
  ['the page', 200, written('GET', '/graphql', { accept: 'text/html', 'accept-encoding': 'br' })],
  ['the health of the process', 200, written('GET', '/health/live')],
  ['the health of the graph', 503, written('GET', '/health/ready')],
  ['a trace', 200, posted(READ, { 'apollo-federation-include-trace': 'ftv1' })],
];

describe('while the graph closes', () => {
  it('each request over a connection that was kept is answered, and told that the connection ends', async () => {
    const { app } = await open();
    const connections = await Promise.all(REQUESTS.map(() => kept(app.url)));
    const closed = app.close();
    const heads = await Promise.all(
      connections.map(({ socket, ended }, index) => {
        socket.write(REQUESTS[index]?.[2] ?? '');
        return ended.then(lastHead);
      }),
    );
    await closed;
    const told = heads.map((head) => [/^http\/1\.1 (\d+)/.exec(head)?.[1], /^connection: (.+)\r$/m.exec(head)?.[1]]);
    expect(Object.fromEntries(REQUESTS.map(([name], index) => [name, told[index]]))).toEqual(
      Object.fromEntries(REQUESTS.map(([name, status]) => [name, [String(status), 'close']])),
    );
  });

  it('the health of the graph says so', async () => {
    const { app } = await open();
    const { socket, ended } = await kept(app.url);
    const closed = app.close();
    socket.write(written('GET', '/health/ready'));
    expect(await ended).toContain('{"status":"unavailable","reason":"The server is shutting down.","upstream":"unknown"}');
    await closed;
  });

  it('an overload is told with the end of the connection, too', async () => {
    const overload = new Overload({ maxRequests: 1, maxDelayMs: 60_000 });
    const { app, gate } = await open({ app: { overload } });
    const [busy, other] = [await kept(app.url), await kept(app.url)];
    const held = gate.hold('Contact/ListContacts');
    busy.socket.write(posted(READ));
    await held.arrived;
    const closed = app.close();
    other.socket.write(posted(READ));
    expect(lastHead(await other.ended)).toMatch(/^http\/1\.1 503 .*^connection: close\r$/ms);
    held.release();
    expect(lastHead(await busy.ended)).toMatch(ENDS_WITH_200);
    await closed;
  });

  it.each([
    ['by the short path', posted(READ)],
    ['by yoga', written('GET', `/graphql?query=${encodeURIComponent(READ)}`)],
    ['compressed', posted(READ, { 'accept-encoding': 'gzip' })],
    ['with an error', posted(`${READ.slice(0, -1)} customer(id: "x") { title } }`)],
    ['as an event stream', posted(READ, { accept: 'text/event-stream' })],
  ])('an answer that was asked for before ends its connection: %s', async (_name, request) => {
    const { app, gate } = await open();
    const { socket, ended } = await kept(app.url);
    const held = gate.hold('Contact/ListContacts');
    socket.write(request);
    await held.arrived;
    const closed = app.close();
    held.release();
    expect(lastHead(await ended)).toMatch(ENDS_WITH_200);
    await closed;
  });

  it('the connection of an answer whose head has gone is kept for the next request', async () => {
    const { app, gate } = await open();
    const { socket, until, ended } = await kept(app.url);
    const held = gate.hold('Contact/ListContacts');
    socket.write(posted('{ __typename ... @defer { contacts(first: 1) { nodes { id } } } }', { accept: 'multipart/mixed' }));
    expect(lastHead(await until(/"__typename":"Query"/))).toMatch(/^connection: keep-alive\r$/m);
    await held.arrived;
    const closed = app.close();
    held.release();
    await until(/hasNext":false.*\r\n0\r\n\r\n$/s);
    socket.write(posted(READ));
    expect(lastHead(await ended)).toMatch(ENDS_WITH_200);
    await closed;
  });

  it('a request of which a part has come is answered', async () => {
    const { app } = await open();
    const { socket, ended } = await kept(app.url);
    const request = posted(READ);
    socket.write(request.slice(0, 30));
    await new Promise<void>((resolve) => socket.write('', () => resolve()));
    const closed = app.close();
    socket.write(request.slice(30));
    expect(lastHead(await ended)).toMatch(ENDS_WITH_200);
    await closed;
  });

  it('a connection that was opened just before may still ask', async () => {
    const { app } = await open();
    const { socket, ended } = connectRaw(app.url);
    await once(socket, 'connect');
    // Later than the other one, so that the graph has accepted that by now.
    await kept(app.url).then((connection) => connection.socket.end());
    const closed = app.close();
    socket.write(posted(READ));
    expect(lastHead(await ended)).toMatch(ENDS_WITH_200);
    await closed;
  });

  it.each<[string, (act: () => void) => void]>([
    ['in an event of the network, such as a signal', (act) => void stat('.', act)],
    ['after the events of the network', setImmediate],
  ])('accepts the connections that are waiting when it starts to close %s', async (_name, schedule) => {
    const { app } = await open();
    const { promise: connections, resolve } = Promise.withResolvers<readonly RawConnection[]>();
    schedule(() => {
      // The system opens them at once; the process only learns of them in its next turn, when it has begun to close.
      resolve(Array.from({ length: 60 }, () => connectRaw(app.url)));
      process.nextTick(() => {
        holdTheProcess(HANDSHAKES_MS);
        void app.close();
      });
    });
    const heads = await Promise.all(
      (await connections).map(({ socket, ended }) => {
        socket.write(posted(READ));
        return ended.then(lastHead);
      }),
    );
    for (const head of heads) expect(head).toMatch(ENDS_WITH_200);
    await app.close();
  });

  it('new connections are served for as long as the settings say', async () => {
    const { app } = await open({ env: { SHUTDOWN_DRAIN_MS: '600000' }, app: { http: { silenceMs: 0 } } });
    const closed = app.close();
    const answers = await Promise.all(['/health/ready', '/health/live'].map((path) => fetch(app.url + path)));
    expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [503, 'close'],
      [200, 'close'],
    ]);
    // A second signal does not wait for that.
    await Promise.all([app.close(), closed]);
    await expect(fetch(`${app.url}/health/live`)).rejects.toThrow();
  });
});

interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Clients of a deployment of two graphs, as a balancer would have it: each keeps one connection, and goes to the second where the first refuses connections. */
function clientsOf(urls: readonly [string, string]) {
  const failures: string[] = [];
  const post = (agent: Agent, url: string, query: string) =>
    new Promise<Answered>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
      const request = httpRequest(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
      });
      request.on('error', reject).end(JSON.stringify({ query }));
    });
  /** Asks on and on, until it has had `rounds` answers of the second graph. */
  const run = async (rounds: number, queryOf: (round: number) => string, onAnswer: () => void) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let [url, left] = [urls[0], rounds];
    for (let round = 0; left > 0; ) {
      try {
        const { status } = await post(agent, url, queryOf(round));
        if (status !== 200) failures.push(String(status));
        if (url === urls[1]) left -= 1;
        round += 1;
        onAnswer();
      } catch (error) {
        const { code = String(error) } = error as NodeJS.ErrnoException;
        // Nothing was sent: a balancer sends it elsewhere.
        if (code === 'ECONNREFUSED' && url === urls[0]) url = urls[1];
        else {
          failures.push(code);
          round += 1;
        }
      }
    }
    agent.destroy();
  };
  return { failures, run };
}

it('a second graph takes over from one under load, and no request is lost or made twice', async () => {
  const first = await open();
  const second = await startTestGraph();
  onTestFinished(() => second.close());
  const { failures, run } = clientsOf([first.app.url, second.app.url]);
  const CLIENTS = 48;
  const sent: string[] = [];
  let answers = 0;
  let closed: Promise<void> | undefined;
  const onAnswer = () => {
    answers += 1;
    if (answers === 8 * CLIENTS) closed = first.app.close();
  };
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) =>
      run(
        3,
        (round) => {
          if (client % 2 === 0) return READ;
          const name = `Roll ${client} ${round}`;
          if (!sent.includes(name)) sent.push(name);
          return create(name);
        },
        onAnswer,
      ),
    ),
  );
  await closed;
  expect(failures).toEqual([]);
  const made = [first, second].flatMap(({ sandbox }) =>
    sandbox.world.store
      .all<{ last_name: string }>("SELECT last_name FROM contacts WHERE last_name LIKE 'Roll %'", {})
      .map((row) => row.last_name),
  );
  expect(made.toSorted()).toEqual(sent.toSorted());
  expect(sent.length).toBeGreaterThan(5 * (CLIENTS / 2));
});
