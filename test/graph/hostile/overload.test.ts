import { describe, expect, it } from 'vitest';
import { Overload } from '../../../src/server/execution/overload.ts';
import { connectRaw } from '../../support/rawHttp.ts';
import { postGraph, useWorld } from '../../support/world.ts';

const MAX_REQUESTS = 3;
const MAX_DELAY_MS = 500;
const WINDOW_MS = 1_000;
const MAX_UNREAD_BYTES = 1_000_000;

const clock = { now: 0, delayMs: 0 };
const overload = new Overload({
  maxRequests: MAX_REQUESTS,
  maxDelayMs: MAX_DELAY_MS,
  now: () => clock.now,
  maxUnreadBytes: MAX_UNREAD_BYTES,
  meter: { take: () => clock.delayMs, close: () => {} },
});
const world = useWorld({}, undefined, { app: { overload } });

const READ = '{ contacts(first: 1) { nodes { rawId } } }';

/** Lets windows pass, in each of which a turn of the event loop took so long. */
async function pass(windows: number, delayMs: number): Promise<void> {
  clock.delayMs = delayMs;
  for (let window = 0; window < windows; window += 1) {
    clock.now += WINDOW_MS;
    await fetch(`${world.url}/health/ready`);
  }
}

const health = async (path: string) => (await fetch(`${world.url}/health/${path}`)).status;

const REFUSAL = [
  {
    message: expect.stringMatching(/^The server is overloaded: .*Nothing was executed/),
    extensions: { code: 'OVERLOADED', retry: 'SAFE', retryAfterSeconds: 1 },
  },
];

describe('a process that is too busy', () => {
  it('refuses new requests at once, and lives; it takes them again when it is well', async () => {
    await pass(2, MAX_DELAY_MS + 1);
    const [{ status, headers, errors }, calls] = await world.calls(() => world.graph(READ));
    expect([status, headers.get('retry-after'), errors, calls]).toEqual([503, '1', REFUSAL, []]);
    expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect([await health('live'), await health('ready')]).toEqual([200, 503]);
    await pass(1, MAX_DELAY_MS);
    expect((await world.graph(READ)).data.contacts.nodes).toHaveLength(1);
    expect([await health('live'), await health('ready')]).toEqual([200, 200]);
  });

  it('is not one that was busy once, or is a little busy all the time', async () => {
    for (const delays of [
      [10_000, 0, 10_000],
      [MAX_DELAY_MS, MAX_DELAY_MS, MAX_DELAY_MS],
    ]) {
      for (const delay of delays) await pass(1, delay);
      expect((await world.graph(READ)).status).toBe(200);
      await pass(1, 0);
    }
  });

  it('refuses before the body is there', async () => {
    await pass(2, 10_000);
    const { socket, until } = connectRaw(world.url);
    socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    expect(await until(/OVERLOADED/)).toMatch(/^HTTP\/1\.1 503 .*content-type: application\/json/is);
    socket.destroy();
    await pass(1, 0);
  });
});

describe('as many requests as may run at once', () => {
  /** Begins requests, each of which waits for its body. */
  async function begin(count: number) {
    const all = Array.from({ length: count }, () => connectRaw(world.url));
    for (const { socket } of all) {
      socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n');
      socket.write(`Content-Type: application/json\r\nAuthorization: Bearer demo-owner\r\nContent-Length: ${READ_BODY.length}\r\n\r\n`);
    }
    await Promise.all(all.map(({ until }) => until(/100 Continue/)));
    return all;
  }
  const READ_BODY = JSON.stringify({ query: READ });

  it('leave no room for one more, until one has been answered', async () => {
    const running = await begin(MAX_REQUESTS);
    const [refused, calls] = await world.calls(() => world.graph(READ));
    expect([refused.status, refused.errors, calls]).toEqual([503, REFUSAL, []]);
    expect([await health('live'), await health('ready')]).toEqual([200, 503]);
    for (const { socket, until } of running) {
      socket.write(READ_BODY);
      expect(await until(/"rawId"/)).toContain(' 200 OK');
    }
    expect((await world.graph(READ)).status).toBe(200);
    for (const { socket } of running) socket.destroy();
  });

  it('make room when their callers leave', async () => {
    const running = await begin(MAX_REQUESTS);
    for (const { socket } of running) socket.destroy();
    await Promise.all(running.map(({ ended }) => ended));
    let answer = await world.graph(READ);
    // The server hears of it a moment later.
    for (let tries = 0; answer.status === 503 && tries < 1_000; tries += 1) answer = await world.graph(READ);
    expect(answer.status).toBe(200);
  });

  it('are counted with those that are refused for their form, and none is forgotten', async () => {
    for (let index = 0; index < 3 * MAX_REQUESTS; index += 1) {
      expect((await postGraph(world.url, null, '{')).status).toBe(400);
      expect((await fetch(`${world.url}/graphql`, { method: 'DELETE' })).status).toBe(405);
      expect((await fetch(`${world.url}/nope`)).status).toBe(404);
    }
    expect(overload.problem()).toBeUndefined();
  });
});

describe('answers that nobody reads', () => {
  it('leave no room for more requests until they are read or given up', async () => {
    const { socket, until } = connectRaw(world.url);
    // The page of GraphiQL has 9 MB, of which the system's buffers take some.
    socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n');
    await until(/^HTTP/);
    socket.pause();
    await pass(1, 0);
    const [{ status, errors }, calls] = await world.calls(() => world.graph(READ));
    expect([status, errors, calls]).toEqual([503, REFUSAL, []]);
    expect(errors?.[0]?.message).toMatch(/clients haven’t read \d{7} bytes of responses, but the maximum is 1000000/);
    socket.destroy();
    let answer = await world.graph(READ);
    // The server hears of it a moment later.
    for (let tries = 0; answer.status === 503 && tries < 1_000; tries += 1) {
      await pass(1, 0);
      answer = await world.graph(READ);
    }
    expect(answer.status).toBe(200);
  });
});

describe('the meter of the event loop', () => {
  it('knows a loop that was blocked once in a window, however many short turns there were beside it', async () => {
    let now = 0;
    const real = new Overload({ maxRequests: 1, maxDelayMs: 80, now: () => now });
    const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
    const told: (string | undefined)[] = [];
    for (const blockMs of [0, 250, 250, 0]) {
      const until = performance.now() + blockMs;
      while (performance.now() < until);
      for (let turns = 0; turns < 10; turns += 1) await turn();
      now += WINDOW_MS;
      told.push(real.problem());
    }
    real.close();
    expect(told).toEqual([undefined, undefined, expect.stringContaining('too busy'), undefined]);
  });

  it('knows a loop that was blocked from one that was not', async () => {
    let now = 0;
    const real = new Overload({ maxRequests: 1, maxDelayMs: 50, now: () => now });
    const turn = () => new Promise((resolve) => setTimeout(resolve, 25));
    const told: (string | undefined)[] = [];
    for (const blockMs of [0, 0, 150, 150, 0]) {
      for (let turns = 0; turns < 2; turns += 1) {
        const until = performance.now() + blockMs;
        while (performance.now() < until);
        await turn();
      }
      now += WINDOW_MS;
      told.push(real.problem());
    }
    real.close();
    expect(told).toEqual([undefined, undefined, undefined, expect.stringContaining('too busy'), undefined]);
  });
});
