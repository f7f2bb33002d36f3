import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyHashOf } from '../../../src/lib/keyHash.ts';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { RedisQuota } from '../../../src/upstream/traffic/redisQuota.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { clockAhead } from '../../support/clock.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';

const GET = 'Contact/GetContact';
const LIMIT = 40;

/** How long an instance leaves Redis alone once it has failed, in milliseconds. */
const REST_MS = 1_000;

const reading = (count: number, name: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

/** Each contact by its id: calls are counted. */
const GETS_ONLY = { LIST_BATCHING: 'off' };

describe.skipIf(!hasRedis)(`two instances that share quotas through Redis${redisNote}`, () => {
  const server = useRedis();
  const logged: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const connections: Redis[] = [];
  let one: TestGraph;
  let other: TestGraph;
  let key = '';

  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) connections.push(await connectRedis(server.url, () => {}));
    const [redis, otherRedis] = connections as [Redis, Redis];
    one = await startTestGraph({ rateLimit: { limit: LIMIT, windowSeconds: 3_600 } }, undefined, { env: GETS_ONLY, redis, logger });
    // Its own sandbox is never asked.
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

  const ask = (testGraph: TestGraph, query: string) => postQuery(testGraph.app.url, key, query);
  const sent = () => one.sandbox.received.filter(({ operation }) => operation === GET).length;

  /** Waits until all instances together know this of the key: reports are gathered for some milliseconds. */
  const known = (field: string, expected: (value: number) => boolean) =>
    expect
      .poll(
        async () => {
          const id = `workspace-graph:quota:${keyHashOf(key)}`;
          return Number(await connections[0]?.run("return redis.call('HGET', KEYS[1], ARGV[1])", [id], [field]));
        },
        { message: field },
      )
      .toSatisfy(expected);

  it('count the calls of both', async () => {
    // Each asks once what the key may do.
    await ask(one, reading(15, 'a'));
    await known('remaining', (remaining) => remaining === LIMIT - 16);
    await ask(other, reading(15, 'b'));
    await known('remaining', (remaining) => remaining === LIMIT - 32);
    expect(sent()).toBe(30);
    for (const testGraph of [one, other]) {
      const refused = await ask(testGraph, reading(10, 'c'));
      expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
    }
    expect(sent()).toBe(30);
    expect((await ask(other, reading(8, 'd'))).errors).toBeUndefined();
  });

  it('keep what one has set aside from the other, until it is given back', async () => {
    await ask(one, reading(5, 'a'));
    await known('remaining', (remaining) => remaining === LIMIT - 6);
    const held = one.gate.hold(GET);
    const running = ask(one, reading(18, 'b'));
    await held.arrived;
    try {
      const refused = await ask(other, reading(18, 'c'));
      expect([refused.status, refused.errors?.[0]?.extensions.code]).toEqual([429, 'RATE_LIMITED']);
      // Calls under way count before they are answered.
      await known('remaining', (remaining) => remaining === LIMIT - 6 - 16);
    } finally {
      held.release();
    }
    expect((await running).errors).toBeUndefined();
    await known('reserved', (reserved) => reserved === 0);
    expect((await ask(other, reading(10, 'c'))).errors).toBeUndefined();
  });

  /** How far the clock of such instances is ahead, in milliseconds. */
  let skippedMs = 0;
  const clock = clockAhead(() => skippedMs);
  /** An instance of its own, that can be cut off from Redis. `isCutOff` is fulfilled when it has found that out. */
  const instance = () => {
    const [redis] = connections as [Redis];
    const line = { isCut: false };
    const run: Redis['run'] = (...given) => (line.isCut ? Promise.reject(new Error('Cut off.')) : redis.run(...given));
    const { promise: isCutOff, resolve } = Promise.withResolvers<void>();
    return { line, isCutOff, quota: new RedisQuota({ ...redis, run }, () => resolve(), clock) };
  };
  const fits = async (calls: number) => !('waitMs' in (await instance().quota.reserve(keyHashOf(key), calls, 0)));
  const setAside = async (quota: RedisQuota, calls: number) => {
    const reservation = await quota.reserve(keyHashOf(key), calls, 0);
    if ('waitMs' in reservation) throw new Error('It must fit.');
    await known('reserved', (reserved) => reserved === calls);
    return reservation;
  };

  it('hear of what was given back while one of them was cut off', async () => {
    const { line, isCutOff, quota } = instance();
    quota.update(keyHashOf(key), clock.monotonicMs(), { limit: LIMIT, remaining: 30, resetsInMs: 3_600_000 });
    await known('remaining', (remaining) => remaining === 30);
    const reservation = await setAside(quota, 20);
    line.isCut = true;
    quota.release(reservation);
    await isCutOff;
    expect(await fits(20)).toBe(false);
    line.isCut = false;
    skippedMs += REST_MS;
    await known('reserved', (reserved) => reserved === 0);
    expect(await fits(20)).toBe(true);
  });

  describe('over a Redis whose clock is set', () => {
    const HOUR_MS = 3_600_000;
    let aheadMs = 0;
    beforeEach(() => {
      aheadMs = 0;
    });
    /** An instance that sees the clock of Redis so far ahead. It knows nothing but what Redis tells. */
    const fresh = () => {
      const [redis] = connections as [Redis];
      const moved = (script: string) => script.replace('local now = ', `local now = ${aheadMs} + `);
      return new RedisQuota({ ...redis, run: (script, ...given) => redis.run(moved(script), ...given) }, () => {});
    };
    const learn = async (remaining: number) => {
      const quota = fresh();
      quota.update(keyHashOf(key), performance.now(), { limit: LIMIT, remaining, resetsInMs: 60_000 });
      await quota.close();
    };
    const admits = async (calls = 1) => !('waitMs' in (await fresh().reserve(keyHashOf(key), calls, 0)));

    it('back, a window that was told before is dropped, and the next one is believed', async () => {
      aheadMs = HOUR_MS;
      await learn(0);
      expect(await admits()).toBe(false);
      aheadMs = 0;
      expect(await admits()).toBe(true);
      await learn(0);
      expect(await admits()).toBe(false);
    });

    it('back, what a 429 closed is open, and the next 429 is believed', async () => {
      const block = async () => {
        const quota = fresh();
        quota.block(keyHashOf(key), performance.now(), 30_000);
        await quota.close();
      };
      aheadMs = HOUR_MS;
      await block();
      expect(await admits()).toBe(false);
      aheadMs = 0;
      expect(await admits()).toBe(true);
      await block();
      expect(await admits()).toBe(false);
    });

    it('back by less than a second, as time servers do, nothing is dropped', async () => {
      aheadMs = 900;
      await learn(0);
      aheadMs = 0;
      expect(await admits()).toBe(false);
    });

    it('ahead, a window has ended, and with it what an instance had set aside that died', async () => {
      const died = fresh();
      died.update(keyHashOf(key), performance.now(), { limit: LIMIT, remaining: 30, resetsInMs: HOUR_MS / 2 });
      await known('remaining', (remaining) => remaining === 30);
      await setAside(died, 20);
      await learn(25);
      expect(await admits(20)).toBe(false);
      aheadMs = HOUR_MS;
      await learn(25);
      expect(await admits(20)).toBe(true);
    });

    it('ahead, a window has ended', async () => {
      await learn(0);
      aheadMs = HOUR_MS;
      expect(await admits()).toBe(true);
    });
  });

  it('hear of a 429 that the other one got', async () => {
    one.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 60, times: 1 });
    await ask(one, reading(1, 'a'));
    await known('blockedUntil', (moment) => moment > Date.now());
    const before = sent();
    const refused = await ask(other, reading(1, 'a'));
    const { retryAfterSeconds } = refused.errors?.[0]?.extensions ?? {};
    expect([refused.status, sent() - before]).toEqual([429, 0]);
    // Redis has its own clock, which goes on.
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  it('go by what each of them knows while Redis is gone, say so once, and share again when it is back', async () => {
    logged.length = 0;
    await ask(one, reading(15, 'a'));
    await server.stop();
    for (const name of ['b', 'c']) expect((await ask(one, reading(5, name))).errors).toBeUndefined();
    // 40 less 26: too few for this.
    expect((await ask(one, reading(18, 'd'))).status).toBe(429);
    expect(logged.filter((line) => line.includes('quota sharing'))).toEqual([
      expect.stringContaining('redis unreachable, quota sharing suspended'),
    ]);
    await server.start();
    const resumes = async () => {
      await ask(one, reading(1, 'e'));
      return logged.some((line) => line.includes('quota sharing resumed'));
    };
    await expect.poll(resumes).toBe(true);
  });
});
