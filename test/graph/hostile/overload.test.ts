import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { Overload } from '../../../src/server/execution/overload.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { connectRaw, sendRaw } from '../../support/rawHttp.ts';
import { postQuery, useTestGraph } from '../../support/testGraph.ts';

const MAX_REQUESTS = 3;
const MAX_DELAY_MS = 500;
const WINDOW_MS = 1_000;
const MAX_UNREAD_BYTES = 1_000_000;
/** Responsive windows with requests that end the warm-up. */
const WARM_WINDOWS = 3;
const MAX_WARM_UP_MS = 30_000;

const clock = { now: 0, delayMs: 0 };
const overload = new Overload({
  maxRequests: MAX_REQUESTS,
  maxDelayMs: MAX_DELAY_MS,
  now: () => clock.now,
  maxUnreadBytes: MAX_UNREAD_BYTES,
  meter: { take: () => clock.delayMs, close: () => {} },
});
const testGraph = useTestGraph({}, undefined, { app: { overload } });

const READ = '{ contacts(first: 1) { nodes { rawId } } }';

/** Passes windows with an event loop delay of `delayMs` each. */
async function passWindows(windows: number, delayMs: number): Promise<void> {
  clock.delayMs = delayMs;
  for (let window = 0; window < windows; window += 1) {
    clock.now += WINDOW_MS;
    await fetch(`${testGraph.url}/health/ready`);
  }
}

beforeAll(async () => {
  for (let window = 0; window < WARM_WINDOWS; window += 1) {
    await testGraph.execute(READ);
    await passWindows(1, 0);
  }
});

const getHealthStatus = async (path: string) => (await fetch(`${testGraph.url}/health/${path}`)).status;

const REFUSAL = [
  {
    message: expect.stringMatching(/^The server is overloaded: .*Nothing was executed/),
    extensions: { code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 },
  },
];

describe('body that is large when it is parsed', () => {
  /** Takes 21 MB, and is estimated at 40 MB. The limit is 64 MB. */
  const LARGE = JSON.stringify({ query: READ, other: Array.from({ length: 300_000 }, () => ({})) });

  const sendLarge = () =>
    sendRaw(testGraph.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer demo-owner' },
      body: LARGE,
    }).then(({ status, headers, body }) => [status, headers['retry-after'], JSON.parse(body.toString()).errors]);

  it('fails while others are in progress, and small ones are served', async () => {
    const held = testGraph.gate.hold('Contact/ListContacts');
    onTestFinished(held.release);
    const first = sendLarge();
    await held.arrived;
    expect(await sendLarge()).toEqual([503, '1', REFUSAL]);
    expect((await testGraph.execute('{ viewer { scopes } }')).status).toBe(200);
    held.release();
    expect(await first).toEqual([200, undefined, undefined]);
    expect(await sendLarge()).toEqual([200, undefined, undefined]);
  });
});

describe('overloaded process', () => {
  it('rejects new requests, stays live, and accepts requests again when it has recovered', async () => {
    await passWindows(2, MAX_DELAY_MS + 1);
    const [{ status, headers, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ));
    expect([status, headers.get('retry-after'), errors, calls]).toEqual([503, '1', REFUSAL, []]);
    expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect([await getHealthStatus('live'), await getHealthStatus('ready')]).toEqual([200, 503]);
    await passWindows(1, MAX_DELAY_MS);
    expect((await testGraph.execute(READ)).data.contacts.nodes).toHaveLength(1);
    expect([await getHealthStatus('live'), await getHealthStatus('ready')]).toEqual([200, 200]);
  });

  it('first rejects clients whose API key isn’t known to be valid', async () => {
    const key = makeKey(testGraph.sandbox.world);
    await passWindows(1, MAX_DELAY_MS + 1);
    for (const stranger of [null, 'invented', key]) {
      const [{ status, headers, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(stranger, READ));
      expect([status, headers.get('retry-after'), errors, calls]).toEqual([503, '1', REFUSAL, []]);
    }
    expect((await testGraph.execute(READ)).status).toBe(200);
    expect(await getHealthStatus('ready')).toBe(200);
    await passWindows(1, 0);
    expect((await testGraph.executeAs(key, READ)).status).toBe(200);
    await passWindows(1, MAX_DELAY_MS + 1);
    expect((await testGraph.executeAs(key, READ)).status).toBe(200);
    await passWindows(1, 0);
  });

  it('requires two consecutive slow windows', async () => {
    for (const delays of [
      [10_000, 0, 10_000],
      [MAX_DELAY_MS, MAX_DELAY_MS, MAX_DELAY_MS],
    ]) {
      for (const delay of delays) await passWindows(1, delay);
      expect((await testGraph.execute(READ)).status).toBe(200);
      await passWindows(1, 0);
    }
  });

  it('rejects a request before its body arrives', async () => {
    await passWindows(2, 10_000);
    const { socket, waitFor: until } = connectRaw(testGraph.url);
    socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    expect(await until(/OVERLOADED/)).toMatch(/^HTTP\/1\.1 503 .*content-type: application\/json/is);
    socket.destroy();
    await passWindows(1, 0);
  });
});

describe('maximum of concurrent requests', () => {
  /** Starts requests that wait for their bodies. */
  async function startRequests(count: number) {
    const all = Array.from({ length: count }, () => connectRaw(testGraph.url));
    for (const { socket } of all) {
      socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n');
      socket.write(`Content-Type: application/json\r\nAuthorization: Bearer demo-owner\r\nContent-Length: ${READ_BODY.length}\r\n\r\n`);
    }
    await Promise.all(all.map(({ waitFor: until }) => until(/100 Continue/)));
    return all;
  }
  const READ_BODY = JSON.stringify({ query: READ });

  it('rejects another request until one has finished', async () => {
    const running = await startRequests(MAX_REQUESTS);
    const [rejected, calls] = await testGraph.recordCalls(() => testGraph.execute(READ));
    expect([rejected.status, rejected.errors, calls]).toEqual([503, REFUSAL, []]);
    expect([await getHealthStatus('live'), await getHealthStatus('ready')]).toEqual([200, 503]);
    for (const { socket, waitFor: until } of running) {
      socket.write(READ_BODY);
      expect(await until(/"rawId"/)).toContain(' 200 OK');
    }
    expect((await testGraph.execute(READ)).status).toBe(200);
    for (const { socket } of running) socket.destroy();
  });

  it('frees capacity when clients disconnect', async () => {
    const running = await startRequests(MAX_REQUESTS);
    for (const { socket } of running) socket.destroy();
    await Promise.all(running.map(({ ended }) => ended));
    let result = await testGraph.execute(READ);
    // The server notices the disconnection asynchronously.
    for (let attempts = 0; result.status === 503 && attempts < 1_000; attempts += 1) result = await testGraph.execute(READ);
    expect(result.status).toBe(200);
  });

  it('frees capacity after rejected requests', async () => {
    for (let index = 0; index < 3 * MAX_REQUESTS; index += 1) {
      expect((await postQuery(testGraph.url, null, '{')).status).toBe(400);
      expect((await fetch(`${testGraph.url}/graphql`, { method: 'DELETE' })).status).toBe(405);
      expect((await fetch(`${testGraph.url}/nope`)).status).toBe(404);
    }
    expect(overload.findProblem()).toBeUndefined();
  });
});

describe('unread responses', () => {
  it('block new requests until they are read or their clients disconnect', async () => {
    const { socket, waitFor: until } = connectRaw(testGraph.url);
    // GraphiQL's page has 9 MB, of which the system buffers a part.
    socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n');
    await until(/^HTTP/);
    socket.pause();
    await passWindows(1, 0);
    const [{ status, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ));
    expect([status, errors, calls]).toEqual([503, REFUSAL, []]);
    expect(errors?.[0]?.message).toMatch(/clients haven’t read \d{7} bytes of responses, but the maximum is 1000000/);
    socket.destroy();
    let result = await testGraph.execute(READ);
    // The server notices the disconnection asynchronously.
    for (let attempts = 0; result.status === 503 && attempts < 1_000; attempts += 1) {
      await passWindows(1, 0);
      result = await testGraph.execute(READ);
    }
    expect(result.status).toBe(200);
  });
});

describe('unread responses of an API key', () => {
  // GraphiQL's page has 9 MB, of which the system buffers a part.
  const unread = new Overload({
    maxRequests: 10,
    maxDelayMs: 60_000,
    maxUnreadBytes: 10_000_000,
    meter: { take: () => 0, close: () => {} },
  });
  const slow = useTestGraph({}, undefined, { app: { overload: unread } });
  const KEY = 'demo-owner';
  const CREATE = 'mutation { contactCreate(input: { lastName: "Unread" }) { ... on ContactCreatePayload { contact { lastName } } } }';
  const WAIT_MS = 20_000;
  const hasProblem = () => unread.findUnreadProblem(hashApiKey(KEY)) !== undefined;

  /** Requests a large response and doesn't read it. Returns a function that disconnects. */
  async function requestWithoutReading() {
    const { socket, waitFor: until } = connectRaw(slow.url);
    socket.write(`GET /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    await until(/^HTTP/);
    socket.pause();
    await vi.waitUntil(hasProblem, { timeout: WAIT_MS });
    return async () => {
      socket.destroy();
      await vi.waitUntil(() => !hasProblem(), { timeout: WAIT_MS });
    };
  }

  it('block new requests of the key, but not of other keys', async () => {
    const other = makeKey(slow.sandbox.world);
    const disconnect = await requestWithoutReading();
    const [{ status, headers, errors }, calls] = await slow.recordCalls(() => slow.execute(READ));
    expect([status, headers.get('retry-after'), errors, calls]).toEqual([503, '1', REFUSAL, []]);
    expect(errors?.[0]?.message).toMatch(
      /clients of this API key haven’t read \d{7} bytes of responses, but the maximum is currently 2500000/,
    );
    expect((await slow.executeAs(other, READ)).status).toBe(200);
    expect((await fetch(`${slow.url}/health/ready`)).status).toBe(200);
    await disconnect();
    expect((await slow.execute(READ)).status).toBe(200);
  });

  it('fail queries in progress, but not mutations', async () => {
    const [query, mutation] = [slow.gate.hold('Contact/ListContacts'), slow.gate.hold('Contact/CreateContact')];
    const [reading, creating] = [slow.execute(READ), slow.execute(CREATE)];
    await Promise.all([query.arrived, mutation.arrived]);
    const disconnect = await requestWithoutReading();
    query.release();
    mutation.release();
    const [{ status, headers, data, errors }, created] = await Promise.all([reading, creating]);
    expect([status, headers.get('retry-after'), data, errors]).toEqual([
      503,
      '1',
      undefined,
      [
        {
          message: expect.stringMatching(/^The server is overloaded: .* The response was discarded\. Retry in 1 second\.$/),
          extensions: expect.objectContaining({ code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 }),
        },
      ],
    ]);
    expect(created.data).toEqual({ contactCreate: { contact: { lastName: 'Unread' } } });
    await disconnect();
  });
});

describe('starting process', () => {
  /** An overload guard with a simulated clock. */
  function start() {
    let now = 0;
    let delayMs = 0;
    const guard = new Overload({
      maxRequests: 2,
      maxDelayMs: MAX_DELAY_MS,
      now: () => now,
      meter: { take: () => delayMs, close: () => {} },
    });
    /** Ends `count` windows of `delay` each. */
    const endWindows = (delay: number, count = 1) => {
      delayMs = delay;
      for (let ended = 0; ended < count; ended += 1) {
        now += WINDOW_MS;
        guard.findProblem();
      }
      return guard.findProblem();
    };
    /** Starts a request and returns a function that ends it. */
    const startRequest = () => {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      guard.enter(response, { credential: null });
      return () => response.emit('close');
    };
    return { endWindows, startRequest };
  }
  const SLOW = MAX_DELAY_MS + 1;
  const TOO_BUSY = 'the process is too busy to respond in time';

  it('accepts requests while its event loop is slow', () => {
    const { endWindows, startRequest } = start();
    expect(endWindows(SLOW, 100)).toBeUndefined();
    startRequest();
    expect(endWindows(SLOW, MAX_WARM_UP_MS / WINDOW_MS - 1)).toBeUndefined();
  });

  it('rejects requests half a minute after the first one if its event loop is still slow', () => {
    const { endWindows, startRequest } = start();
    endWindows(0, 1_000);
    startRequest()();
    expect(endWindows(SLOW, MAX_WARM_UP_MS / WINDOW_MS - 1)).toBeUndefined();
    startRequest();
    expect(endWindows(SLOW)).toBe(TOO_BUSY);
    expect(endWindows(MAX_DELAY_MS)).toBeUndefined();
  });

  it('rejects requests sooner if three consecutive windows with requests were responsive', () => {
    const { endWindows, startRequest } = start();
    startRequest();
    endWindows(MAX_DELAY_MS, WARM_WINDOWS);
    expect(endWindows(SLOW)).toBeUndefined();
    expect(endWindows(SLOW)).toBe(TOO_BUSY);
  });

  it('continues starting if a slow window interrupts the responsive ones', () => {
    const { endWindows, startRequest } = start();
    startRequest();
    endWindows(0, WARM_WINDOWS - 1);
    endWindows(SLOW);
    endWindows(0, WARM_WINDOWS - 1);
    expect(endWindows(SLOW, 2)).toBeUndefined();
  });

  it('continues starting after responsive windows without requests', () => {
    const { endWindows, startRequest } = start();
    startRequest()();
    endWindows(0, 10);
    expect(endWindows(SLOW, 2)).toBeUndefined();
  });

  it('rejects requests over the maximum from the first one on', () => {
    const { endWindows, startRequest } = start();
    startRequest();
    startRequest();
    expect(endWindows(0)).toBe('2 requests are in progress, which is the maximum');
  });
});

describe('event loop delay', () => {
  const TURN_MS = 20;

  /** The problem after each window of fifty turns, whose first turn takes longer by `blockedMs`. */
  function measureProblems(maxDelayMs: number, blockedMs: readonly number[]) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let now = 0;
    const guard = new Overload({ maxRequests: 2, maxDelayMs, now: () => now });
    guard.enter(new ServerResponse(new IncomingMessage(new Socket())), { credential: null });
    now += MAX_WARM_UP_MS;
    guard.findProblem();
    const problems = blockedMs.map((blocked) => {
      for (let turn = 0; turn < WINDOW_MS / TURN_MS; turn += 1) {
        now += TURN_MS + (turn === 0 ? blocked : 0);
        vi.advanceTimersByTime(TURN_MS);
      }
      return guard.findProblem();
    });
    guard.close();
    return problems;
  }
  const TOO_BUSY = expect.stringContaining('too busy');

  it('weights turns by their duration', () => {
    // 500 ms in a turn of 520 ms, and 49 turns of 20 ms: 520² / 1500 + 20² × 49 / 1500 - 20 = 173 ms.
    expect(measureProblems(170, [0, 500, 500, 0])).toEqual([undefined, undefined, TOO_BUSY, undefined]);
    expect(measureProblems(175, [0, 500, 500, 0])).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('causes no overload in a single window', () => {
    expect(measureProblems(170, [0, 10_000, 0, 10_000, 0])).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
