import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors } from 'undici';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { type Transport, TransportError } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { captureLog } from '../../support/capturedLog.ts';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const FAILED = 'upstream calls failed';
const LIST = 'Contact/ListContacts';
const GET = 'Contact/GetContact';
const CREATE = 'Contact/CreateContact';
const READ = '{ contacts(first: 1) { nodes { rawId } } }';
const READ_ONE = `{ contact(id: "${demoId('contact 0')}") { lastName } }`;
const WRITE = 'mutation { contactCreate(input: { lastName: "Confidential" }) { __typename } }';

/** Fields of every line whose values vary between runs. */
const VARYING = { time: expect.any(Number), pid: expect.any(Number), hostname: expect.any(String) };
const HOST = 'upstream.example:8443';
const LINE = { ...VARYING, level: 40, host: HOST, msg: FAILED };

/** A server that closes at the end of the test. */
async function openServer(): Promise<{ readonly host: string; readonly server: Server }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('log of failing upstream calls', () => {
  const log = captureLog('debug');
  const clock = new TestClock();
  let send: Transport['send'] | undefined;
  const testGraph = useTestGraph({}, undefined, {
    logger: log.logger,
    env: { UPSTREAM_URL: `https://${HOST}/path` },
    app: { clock },
    transport: interceptCalls((request, usual) => (send ?? usual)(request)),
  });
  const listFailures = () => log.lines.filter(({ msg }) => msg === FAILED);
  const advanceMinutes = (minutes: number) => vi.advanceTimersByTime(minutes * 60_000);

  // Later calls don't need the scopes of the key.
  beforeAll(() => testGraph.execute(READ));
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    log.lines.length = 0;
  });
  afterEach(() => {
    send = undefined;
    testGraph.sandbox.faults.clear();
    // Ends the pauses of all classes, so that each test starts with none.
    advanceMinutes(2);
    vi.useRealTimers();
    expect(JSON.stringify(log.lines)).not.toMatch(/demo-owner|Confidential|node_modules/);
  });

  it.each<readonly [name: string, query: string, fault: Fault, expected: object, count: number]>([
    ['503', READ, { operation: LIST, status: 503, times: 3 }, { failure: 'failed', status: 503 }, 3],
    ['500', READ, { operation: LIST, status: 500, body: '{"message":"Confidential"}' }, { failure: 'failed', status: 500 }, 1],
    ['a redirect', READ, { operation: LIST, status: 302 }, { failure: 'rejected', status: 302 }, 1],
    ['a web page with status 200', READ, { operation: LIST, body: '<p>Confidential' }, { failure: 'invalid', status: 200 }, 1],
    ['an error code with status 200', READ, { operation: LIST, body: '{"code":"internal"}' }, { failure: 'invalid', status: 200 }, 1],
    ['a 401 of a proxy', READ, { operation: LIST, status: 401, body: '<p>Confidential' }, { failure: 'foreign', status: 401 }, 1],
    ['a write refused by a proxy', WRITE, { operation: CREATE, status: 403, body: '<p>' }, { failure: 'foreign', status: 403 }, 1],
    ['a write with status 500', WRITE, { operation: CREATE, status: 500 }, { failure: 'failed', status: 500 }, 1],
    ['a write without a usable response', WRITE, { operation: CREATE, body: '[]' }, { failure: 'invalid', status: 200 }, 1],
    ['a write whose connection is cut', WRITE, { operation: CREATE, cut: 'after' }, { failure: 'lost', code: expect.any(String) }, 1],
  ])('contains the operation and the status or code of %s', async (_name, query, fault, expected, count) => {
    testGraph.sandbox.faults.add(fault);
    await testGraph.execute(query);
    const [first, ...others] = listFailures();
    expect(first).toMatchObject({ ...LINE, ...expected, operation: fault.operation, count: 1 });
    expect(others).toEqual([]);
    advanceMinutes(1);
    expect(listFailures().reduce((sum, line) => sum + Number(line.count), 0)).toBe(count);
  });

  it.each<readonly [name: string, getUrl: () => Promise<string>, expected: object]>([
    [
      'refused connection',
      async () => {
        const { host, server } = await openServer();
        await new Promise((resolve) => server.close(resolve));
        return `http://${host}`;
      },
      { code: 'ECONNREFUSED', syscall: 'connect' },
    ],
    // Longer than a label can be, so that the resolver sends no request.
    ['failed name lookup', async () => `http://${'a'.repeat(64)}.invalid`, { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['failed TLS handshake', async () => `https://${(await openServer()).host}`, { code: expect.stringMatching(/^ERR_SSL_/) }],
  ])('contains the code of a %s', async (_name, getUrl, expected) => {
    const transport = httpTransport({ url: await getUrl(), connections: 1 });
    onTestFinished(() => transport.close());
    send = transport.send;
    await testGraph.execute(READ);
    expect(listFailures()).toEqual([{ ...LINE, ...expected, operation: LIST, failure: 'unreachable', count: 1 }]);
  });

  it('contains the code of the first address of a name with several', async () => {
    const refused = Object.assign(new Error('Confidential'), { code: 'EHOSTUNREACH', syscall: 'connect' });
    send = () => Promise.reject(new TransportError(false, false, new AggregateError([refused, new Error('Confidential')])));
    await testGraph.execute(READ);
    expect(listFailures()).toEqual([
      { ...LINE, operation: LIST, failure: 'unreachable', code: 'EHOSTUNREACH', syscall: 'connect', count: 1 },
    ]);
  });

  it('contains the operation of a timeout, without the code of its abortion', async () => {
    send = () => Promise.reject(new TransportError(true, true, new errors.RequestAbortedError()));
    await testGraph.execute(READ);
    expect(listFailures()).toEqual([{ ...LINE, operation: LIST, failure: 'timeout', count: 1 }]);
  });

  it('contains the code of a response that is too large', async () => {
    const { host, server } = await openServer();
    server.on('request', (_request, response) => void response.end(Buffer.alloc(33 * 1024 * 1024)));
    const transport = httpTransport({ url: `http://${host}`, connections: 1 });
    onTestFinished(() => transport.close());
    send = transport.send;
    await testGraph.execute(WRITE);
    const code = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
    expect(listFailures()).toEqual([{ ...LINE, operation: CREATE, failure: 'lost', code, count: 1 }]);
  });

  it('contains the number of failures of each class once a minute, including the last ones', async () => {
    const fail = async (status: number, times: number) => {
      testGraph.sandbox.faults.add({ operation: LIST, status, times });
      for (let time = 0; time < times; time += 1) await testGraph.execute(READ);
    };
    const listCounts = () => listFailures().map(({ status, count }) => [status, count]);
    await fail(500, 3);
    await fail(501, 1);
    expect(listCounts()).toEqual([
      [500, 1],
      [501, 1],
    ]);
    advanceMinutes(1);
    expect(listCounts().slice(2)).toEqual([[500, 2]]);
    await fail(500, 4);
    expect(listCounts()).toHaveLength(3);
    advanceMinutes(1);
    expect(listCounts().slice(3)).toEqual([[500, 4]]);
    advanceMinutes(10);
    expect(listCounts()).toHaveLength(4);
    await fail(500, 1);
    expect(listCounts().slice(4)).toEqual([[500, 1]]);
  });

  it('has the trace of the request that failed', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
    testGraph.sandbox.faults.add({ operation: LIST, status: 500 });
    const traces = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
    for (const trace of traces) {
      const traceparent = `00-${trace}-${'1'.repeat(16)}-01`;
      await fetch(`${testGraph.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, traceparent },
        body: JSON.stringify({ query: READ }),
      });
    }
    advanceMinutes(1);
    expect(listFailures().map(({ trace_id: trace, count }) => [trace, count])).toEqual([
      [traces[0], 1],
      [traces[1], 2],
    ]);
  });

  it.each([
    ['without a connection', { cut: 'before' }, { failure: 'lost', code: expect.any(String) }],
    ['with status 503', { status: 503 }, { failure: 'failed', status: 503 }],
  ] as const)('contains a health check that failed %s', async (_name, fault, expected) => {
    testGraph.sandbox.faults.add({ operation: 'Workspace/Me', ...fault });
    // The last health check is outdated.
    clock.now += 60_000;
    await fetch(`${testGraph.url}/health/ready`);
    expect(await log.waitForLines(1, FAILED)).toEqual([
      expect.objectContaining({ ...LINE, ...expected, operation: 'Workspace/Me', count: 1 }),
    ]);
  });

  it.each<readonly [name: string, query: string, fault: Fault | null]>([
    ['a missing record', '{ contact(id: "x") { lastName } }', null],
    ['403', READ_ONE, { operation: GET, status: 403, body: '{"code":"permission_denied"}' }],
    ['404', READ_ONE, { operation: GET, status: 404, body: '{"code":"not_found"}' }],
    ['429', READ_ONE, { operation: GET, status: 429, body: '{"code":"resource_exhausted"}', times: 3 }],
    ['a rejected write', WRITE, { operation: CREATE, status: 400, body: '{"code":"invalid_argument"}' }],
  ])('contains nothing for %s', async (_name, query, fault) => {
    if (fault) testGraph.sandbox.faults.add(fault);
    await testGraph.execute(query);
    expect(listFailures()).toEqual([]);
  });
});

describe('log of an open circuit breaker', () => {
  const log = captureLog('warn');
  const breaker = { threshold: 0.5, calls: 2, minCalls: 2, halfOpenAfterMs: 60_000 };
  const testGraph = useTestGraph({}, undefined, { logger: log.logger, upstream: { breaker } });

  it('contains the calls that were not sent', async () => {
    testGraph.sandbox.faults.add({ operation: LIST, status: 500 });
    for (let time = 0; time < 3; time += 1) await testGraph.execute(READ);
    expect(testGraph.gate.sent(LIST)).toBe(2);
    expect(log.lines.filter(({ msg }) => msg === FAILED)).toEqual([
      expect.objectContaining({ operation: LIST, failure: 'failed', status: 500 }),
      { ...LINE, host: expect.any(String), operation: LIST, failure: 'breaker', count: 1 },
    ]);
  });
});
