import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { RedisQuota } from '../../../src/upstream/traffic/redisQuota.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { createClockAhead } from '../../support/clock.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';

const GET = 'Contact/GetContact';
const LIMIT = 40;

/** How long an instance pauses Redis after a failure, in milliseconds. */
const PAUSE_MS = 1_000;

const createQuery = (count: number, name: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

/** Fetches each contact by ID, because these tests count calls. */
const GETS_ONLY = { LIST_BATCHING: 'off' };

describe.skipIf(!hasRedis)(`instances that share quotas through Redis${redisNote}`, () => {
  const server = useRedis();
  const logged: string[] = [];
  const logger = pino({ level: 'info' }, { write: (link: string) => void logged.push(JSON.parse(link).msg) });
  const connections: Redis[] = [];
  let one: TestGraph;
  let other: TestGraph;
  let key = '';

  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) connections.push(await connectRedis(server.url, () => {}));
    const [redis, otherRedis] = connections as [Redis, Redis];
    one = await startTestGraph({ rateLimit: { limit: LIMIT, windowSeconds: 3_600 } }, undefined, { env: GETS_ONLY, redis, logger });
    // The sandbox of this instance is never called.
    const transport = httpTransport({ url: one.sandbox.url, connections: 32 });
    other = await startTestGraph({}, undefined, { env: GETS_ONLY, redis: otherRedis, upstream: { transport } });
  });
  afterAll(async () => {
    await other?.close();
    await one?.close();
    for (const connection of connections) await connection.close();
  });
  beforeEach(() => {
    one.sandbox.faults.clear();
    one.sandbox.received.length = 0;
    key = makeKey(one.sandbox.world);
  });

  const sendQuery = (testGraph: TestGraph, query: string) => postQuery(testGraph.app.url, key, query);
  const countCalls = () => one.sandbox.received.filter(({ operation }) => operation === GET).length;

  /** Waits until the shared state has this value: instances batch their reports for some milliseconds. */
  const waitForState = (field: string, expected: (value: number) => boolean) =>
    expect
      .poll(
        async () => {
          const id = `workspace-graph:quota:${hashApiKey(key)}`;
          return Number(await connections[0]?.run("return redis.call('HGET', KEYS[1], ARGV[1])", [id], [field]));
        },
        { message: field },
      )
      .toSatisfy(expected);

  it('count the calls of both instances', async () => {
    // Each instance fetches the key's scopes once.
    await sendQuery(one, createQuery(15, 'a'));
    await waitForState('remaining', (remaining) => remaining === LIMIT - 16);
    await sendQuery(other, createQuery(15, 'b'));
    await waitForState('remaining', (remaining) => remaining === LIMIT - 32);
    expect(countCalls()).toBe(30);
    for (const testGraph of [one, other]) {
      const refused = await sendQuery(testGraph, createQuery(10, 'c'));
      expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
    }
    expect(countCalls()).toBe(30);
    expect((await sendQuery(other, createQuery(8, 'd'))).errors).toBeUndefined();
  });

  it('exclude calls that the other instance has reserved until they are released', async () => {
    await sendQuery(one, createQuery(5, 'a'));
    await waitForState('remaining', (remaining) => remaining === LIMIT - 6);
    const held = one.gate.hold(GET);
    const running = sendQuery(one, createQuery(18, 'b'));
    await held.arrived;
    try {
      const refused = await sendQuery(other, createQuery(18, 'c'));
      expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
      // Calls in flight count before their response.
      await waitForState('remaining', (remaining) => remaining === LIMIT - 6 - 16);
    } finally {
      held.release();
    }
    expect((await running).errors).toBeUndefined();
    await waitForState('reserved', (reserved) => reserved === 0);
    expect((await sendQuery(other, createQuery(10, 'c'))).errors).toBeUndefined();
  });

  /** How far the clock of separate instances is ahead, in milliseconds. */
  let skippedMs = 0;
  const clock = createClockAhead(() => skippedMs);
  /** A separate instance that can be disconnected from Redis. `isCutOff` resolves once the instance has noticed. */
  const createInstance = () => {
    const [redis] = connections as [Redis];
    const link = { isTruncated: false };
    const run: Redis['run'] = (...given) => (link.isTruncated ? Promise.reject(new Error('Cut off.')) : redis.run(...given));
    const { promise: isCutOff, resolve } = Promise.withResolvers<void>();
    return { line: link, isCutOff, quota: new RedisQuota({ ...redis, run }, () => resolve(), clock) };
  };
  const canReserve = async (calls: number) => !('waitMs' in (await createInstance().quota.reserve(new Key(hashApiKey(key)), calls, 0)));
  const reserve = async (quota: RedisQuota, calls: number) => {
    const reservation = await quota.reserve(new Key(hashApiKey(key)), calls, 0);
    if ('waitMs' in reservation) throw new Error('It must fit.');
    await waitForState('reserved', (reserved) => reserved === calls);
    return reservation;
  };

  it('apply releases that occurred while one of them was disconnected', async () => {
    const { line: link, isCutOff, quota } = createInstance();
    quota.update(new Key(hashApiKey(key)), clock.monotonicMs(), { limit: LIMIT, remaining: 30, resetsInMs: 3_600_000 });
    await waitForState('remaining', (remaining) => remaining === 30);
    const reservation = await reserve(quota, 20);
    link.isTruncated = true;
    quota.release(reservation);
    await isCutOff;
    expect(await canReserve(20)).toBe(false);
    link.isTruncated = false;
    skippedMs += PAUSE_MS;
    await waitForState('reserved', (reserved) => reserved === 0);
    expect(await canReserve(20)).toBe(true);
  });

  describe('Redis with a changed clock', () => {
    const HOUR_MS = 3_600_000;
    let aheadMs = 0;
    beforeEach(() => {
      aheadMs = 0;
    });
    /** A new instance that sees Redis's clock `aheadMs` ahead. It knows only what Redis returns. */
    const createQuota = () => {
      const [redis] = connections as [Redis];
      const moveClock = (script: string) => script.replace('local now = ', `local now = ${aheadMs} + `);
      return new RedisQuota({ ...redis, run: (script, ...given) => redis.run(moveClock(script), ...given) }, () => {});
    };
    const learn = async (remaining: number) => {
      const quota = createQuota();
      quota.update(new Key(hashApiKey(key)), performance.now(), { limit: LIMIT, remaining, resetsInMs: 60_000 });
      await quota.close();
    };
    const canReserve = async (calls = 1) => !('waitMs' in (await createQuota().reserve(new Key(hashApiKey(key)), calls, 0)));

    it('drops a known window if the clock is set back, and accepts the next one', async () => {
      aheadMs = HOUR_MS;
      await learn(0);
      expect(await canReserve()).toBe(false);
      aheadMs = 0;
      expect(await canReserve()).toBe(true);
      await learn(0);
      expect(await canReserve()).toBe(false);
    });

    it('drops the block of a 429 if the clock is set back, and accepts the next 429', async () => {
      const block = async () => {
        const quota = createQuota();
        quota.block(new Key(hashApiKey(key)), performance.now(), 30_000);
        await quota.close();
      };
      aheadMs = HOUR_MS;
      await block();
      expect(await canReserve()).toBe(false);
      aheadMs = 0;
      expect(await canReserve()).toBe(true);
      await block();
      expect(await canReserve()).toBe(false);
    });

    it('drops nothing if the clock is set back by less than a second', async () => {
      aheadMs = 900;
      await learn(0);
      aheadMs = 0;
      expect(await canReserve()).toBe(false);
    });

    it('ends a window if the clock is set ahead, with the reservations of a dead instance', async () => {
      const died = createQuota();
      died.update(new Key(hashApiKey(key)), performance.now(), { limit: LIMIT, remaining: 30, resetsInMs: HOUR_MS / 2 });
      await waitForState('remaining', (remaining) => remaining === 30);
      await reserve(died, 20);
      await learn(25);
      expect(await canReserve(20)).toBe(false);
      aheadMs = HOUR_MS;
      await learn(25);
      expect(await canReserve(20)).toBe(true);
    });

    it('ends a window if the clock is set ahead', async () => {
      await learn(0);
      aheadMs = HOUR_MS;
      expect(await canReserve()).toBe(true);
    });
  });

  it('reject calls after a 429 of the other instance', async () => {
    one.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 60, times: 1 });
    await sendQuery(one, createQuery(1, 'a'));
    await waitForState('blockedUntil', (timestamp) => timestamp > Date.now());
    const before = countCalls();
    const refused = await sendQuery(other, createQuery(1, 'a'));
    const { retryAfterSeconds } = refused.errors?.[0]?.extensions ?? {};
    expect([refused.status, countCalls() - before]).toEqual([429, 0]);
    // Redis has its own clock, which continues.
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('use their local quotas while Redis is unavailable, log it once, and share again once it is back', async () => {
    logged.length = 0;
    await sendQuery(one, createQuery(15, 'a'));
    await server.stop();
    for (const name of ['b', 'c']) expect((await sendQuery(one, createQuery(5, name))).errors).toBeUndefined();
    // 40 minus 26 leaves too few calls for this query.
    expect((await sendQuery(one, createQuery(18, 'd'))).status).toBe(429);
    expect(logged.filter((link) => link.includes('quota sharing'))).toEqual([
      expect.stringContaining('redis unreachable, quota sharing suspended'),
    ]);
    await server.start();
    const resumes = async () => {
      await sendQuery(one, createQuery(1, 'e'));
      return logged.some((link) => link.includes('quota sharing resumed'));
    };
    await expect.poll(resumes).toBe(true);
  });
});
