import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { MemoryQuota } from '../../../src/upstream/traffic/quota.ts';
import { RedisQuota } from '../../../src/upstream/traffic/redisQuota.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { createClock, TestClock } from '../../support/clock.ts';
import { SIZES, useTestGraph } from '../../support/testGraph.ts';
import { ME } from './silentUpstream.ts';
import { WatchedQuota } from './watchedQuota.ts';

const GET = 'Contact/GetContact';
const LIMIT = 40;
const WINDOW_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Creates a query of `count` contacts, each of which costs one call. */
const createReads = (count: number, name = 'absent') =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

/** Without batching, each contact costs one call. */
const GETS_ONLY = { LIST_BATCHING: 'off' };

/** A new rate-limited API key per test, with clocks that only tests advance. */
function useLimitedKey() {
  const clock = new TestClock(0, START * 1000);
  const testGraph = useTestGraph({ rateLimit: { limit: LIMIT, windowSeconds: WINDOW_SECONDS } }, undefined, { clock, env: GETS_ONLY });
  /** Advances the clocks of the graph and the sandbox. */
  const pass = (seconds: number) => {
    clock.now += seconds * 1000;
    testGraph.sandbox.now += seconds;
  };
  let key = '';
  beforeEach(() => {
    key = makeKey(testGraph.sandbox.world);
  });
  afterEach(() => {
    testGraph.sandbox.faults.clear();
    pass(2 * HOUR_SECONDS);
  });
  const execute = (query: string) => testGraph.recordCalls(() => testGraph.executeAs(key, query));
  return { testGraph, clock, pass, execute };
}

describe('quota of a key', () => {
  const { testGraph, pass, execute } = useLimitedKey();

  it('appears in every response to an operation that may have cost calls', async () => {
    const [{ cost }] = await execute(createReads(3));
    // The lookup of the key's grants is a fourth call.
    expect(cost).toEqual({
      predictedCalls: 3,
      actualCalls: 3,
      savedCalls: 0,
      quota: { limit: LIMIT, remaining: LIMIT - 4, resetsInSeconds: WINDOW_SECONDS },
      ...SIZES,
    });
    expect((await execute('{ __schema { queryType { name } } }'))[0].cost).toBeUndefined();
  });

  it('blocks the key, but no other, from exhaustion until its reset', async () => {
    await execute(createReads(19));
    await execute(createReads(20, 'other'));
    // The quota is exhausted. The window's end is too far away to wait for.
    const [rejected, calls] = await execute(createReads(1, 'third'));
    expect([calls, testGraph.waits.filter((ms) => ms > 1_000)]).toEqual([[], []]);
    expect(rejected).toMatchObject({
      status: 429,
      data: undefined,
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: WINDOW_SECONDS } }],
      cost: { predictedCalls: 1, actualCalls: 0, quota: { limit: LIMIT, remaining: 0, resetsInSeconds: WINDOW_SECONDS } },
    });
    expect(rejected.headers.get('retry-after')).toBe(String(WINDOW_SECONDS));

    const [other, otherCalls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(makeKey(testGraph.sandbox.world), createReads(1, 'third')),
    );
    expect([other.errors, otherCalls]).toEqual([undefined, [GET]]);

    pass(WINDOW_SECONDS);
    const [again, callsAgain] = await execute(createReads(1, 'third'));
    expect([again.errors, callsAgain, again.cost?.quota?.remaining]).toEqual([undefined, [GET], LIMIT - 2]);
  });

  it('rejects an operation that doesn’t fit without a call and accepts one that does', async () => {
    await execute(createReads(19));
    await execute(createReads(10, 'other'));
    const [rejected, calls] = await execute(createReads(15, 'third'));
    expect([rejected.status, rejected.errors?.[0]?.extensions.code, calls]).toEqual([429, 'RATE_LIMITED', []]);
    const [accepted, acceptedCalls] = await execute(createReads(8, 'third'));
    expect([accepted.errors, acceptedCalls.length]).toEqual([undefined, 8]);
  });

  it('accepts an operation that needs more than half of a window while half is left', async () => {
    await execute(createReads(1));
    const [{ errors, cost }, calls] = await execute(createReads(LIMIT - 5, 'big'));
    expect([errors, calls.length, cost?.quota?.remaining]).toEqual([undefined, LIMIT - 5, 3]);
  });

  it('accepts an operation by the calls that it has actually needed before', async () => {
    const id = demoId('contact 0');
    const same = `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: contact(id: "${id}") { lastName }`).join(' ')} }`;
    expect((await execute(same))[0].cost).toMatchObject({ predictedCalls: 30, actualCalls: 1 });
    await execute(createReads(19));
    await execute(createReads(10, 'other'));
    // 9 calls are left: too few for 30, and less than half of the window.
    expect((await execute(createReads(30, 'third')))[0].status).toBe(429);
    expect((await execute(createReads(30, 'third')))[1]).toEqual([]);
    expect((await execute(same))[0]).toMatchObject({ status: 200, errors: undefined });
  });

  it('delays a request if it resets within seconds', async () => {
    await execute(createReads(19));
    await execute(createReads(20, 'other'));
    pass(WINDOW_SECONDS - 3);
    const before = testGraph.waits.length;
    const waiting = execute(createReads(1, 'third'));
    testGraph.sandbox.now += 3;
    const [{ errors }, calls] = await waiting;
    expect([errors, calls, testGraph.waits.slice(before)]).toEqual([undefined, [GET], [3_000]]);
  });

  it('blocks the key for the Retry-After of a 429', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 30, times: 1 });
    const [first] = await execute(createReads(1));
    expect(first.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 30 });
    pass(24);
    const [second, calls] = await execute(createReads(1));
    expect([second.status, second.errors?.[0]?.extensions.retryAfterSeconds, calls]).toEqual([429, 6, []]);
    pass(6);
    expect((await execute(createReads(1)))[1]).toEqual([GET]);
  });

  it('recovers the unused reservation of a failed or rejected operation', async () => {
    await execute(createReads(1));
    testGraph.sandbox.faults.add({ operation: GET, status: 500 });
    for (let round = 0; round < 3; round += 1) await execute(createReads(5, `failing ${round}`));
    testGraph.sandbox.faults.clear();
    // The limit of 40 minus 2 and 15: it fits only if nothing is reserved anymore.
    const [{ errors }, calls] = await execute(createReads(20, 'rest'));
    expect([errors, calls.length]).toEqual([undefined, 20]);
  });
});

describe('clock change', () => {
  const { testGraph, clock, pass, execute } = useLimitedKey();
  const exhaust = async () => {
    await execute(createReads(19));
    await execute(createReads(20, 'other'));
    expect((await execute(createReads(1, 'third')))[0].status).toBe(429);
  };

  it.each([-HOUR_SECONDS, HOUR_SECONDS])('doesn’t affect the window if the wall clock changes by %i s', async (seconds) => {
    await exhaust();
    clock.setAheadMs += seconds * 1000;
    // While the key's grants are cached: looking them up would be rejected, too.
    pass(20);
    const [rejected, calls] = await execute(createReads(1, 'early'));
    expect([rejected.errors?.[0]?.extensions.retryAfterSeconds, calls]).toEqual([WINDOW_SECONDS - 20, []]);
    pass(WINDOW_SECONDS - 20);
    expect((await execute(createReads(1, 'in time')))[1]).toEqual([GET]);
  });

  it.each([-HOUR_SECONDS, HOUR_SECONDS])('doesn’t affect the wait after a 429 if the wall clock changes by %i s', async (seconds) => {
    testGraph.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 30, times: 1 });
    await execute(createReads(1));
    clock.setAheadMs += seconds * 1000;
    expect((await execute(createReads(1)))[0].errors?.[0]?.extensions.retryAfterSeconds).toBe(30);
    pass(30);
    expect((await execute(createReads(1)))[1]).toEqual([GET]);
  });

  it('ends the window if both clocks go backward, and the upstream’s next quota counts', async () => {
    await exhaust();
    clock.now -= HOUR_SECONDS * 1000;
    pass(WINDOW_SECONDS);
    const [{ errors, cost }, calls] = await execute(createReads(1, 'back'));
    expect([errors, calls, cost?.quota]).toEqual([
      undefined,
      [GET],
      { limit: LIMIT, remaining: LIMIT - 2, resetsInSeconds: WINDOW_SECONDS },
    ]);
  });

  it('ends the wait after a 429 if both clocks go backward, and the next 429 counts', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 30, times: 2 });
    await execute(createReads(1));
    clock.now -= HOUR_SECONDS * 1000;
    expect((await execute(createReads(1)))[1]).toEqual([GET]);
    expect((await execute(createReads(1)))[0].errors?.[0]?.extensions.retryAfterSeconds).toBe(30);
  });

  it('doesn’t make a response seem to be from the future if clocks go backward during the call', async () => {
    await execute(createReads(1));
    const held = testGraph.gate.hold(GET);
    const pending = execute(createReads(1, 'under way'));
    await held.arrived;
    clock.now -= HOUR_SECONDS * 1000;
    held.release();
    expect((await pending)[0].errors).toBeUndefined();
    await execute(createReads(5, 'later'));
    expect((await execute(createReads(1, 'last')))[0].cost?.quota).toEqual({
      limit: LIMIT,
      remaining: LIMIT - 10,
      resetsInSeconds: WINDOW_SECONDS,
    });
  });
});

describe('key whose calls got no response for a whole window', () => {
  let now = START * 1000;
  const quota = new MemoryQuota(createClock(() => now));
  const key = new Key('key');
  const createNews = (remaining: number) => ({ limit: LIMIT, remaining, resetsInMs: WINDOW_SECONDS * 1000 });
  const canAdmit = (calls: number) => {
    const admission = quota.reserve(key, calls, 5_000);
    if (!('waitMs' in admission)) quota.release(admission);
    return !('waitMs' in admission);
  };

  it('gets admitted again and accepts the first reported quota', () => {
    quota.update(key, now, createNews(LIMIT - 1));
    now += WINDOW_SECONDS * 1000;
    for (let calls = 0; calls < LIMIT; calls += 1) quota.spend(key, null);
    expect(canAdmit(1)).toBe(true);
    quota.spend(key, null);
    quota.update(key, now, createNews(LIMIT - 1));
    expect([canAdmit(1), quota.getBlockedMs(key), quota.getView(key)?.remaining]).toEqual([true, 0, LIMIT - 1]);
  });
});

describe('reservation of an operation', () => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: GETS_ONLY, upstream: { quota } });
  const LIST = 'Quote/ListQuotes';
  const getReserved = () => quota.countReserved(hashApiKey('demo-owner'));
  /** The first payload costs one call. The second one costs one of many predicted calls. */
  const execute = (signal?: AbortSignal) =>
    fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({
        query: `{ customer(id: "${demoId('customer 0')}") { title ... @defer { quotes(first: 2) { nodes { customer { email } } } } } }`,
      }),
      ...(signal && { signal }),
    });

  it('ends if the client disconnects between two payloads', async () => {
    const held = testGraph.gate.hold(LIST);
    const client = new AbortController();
    const { body } = await execute(client.signal);
    await body?.getReader().read();
    await held.arrived;
    expect(getReserved()).toBe(2);
    client.abort();
    await expect.poll(getReserved).toBe(0);
    held.release();
  });

  it('ends if the client disconnects before the first payload', async () => {
    const held = testGraph.gate.hold('Customer/GetCustomer');
    const client = new AbortController();
    const pending = execute(client.signal);
    await held.arrived;
    expect(getReserved()).toBe(3);
    client.abort();
    await expect(pending).rejects.toThrow();
    held.release();
    await expect.poll(getReserved).toBe(0);
  });

  it('ends if the request finishes before its admission', async () => {
    const DEMAND = { maxCalls: 20, probeCalls: 0, minCalls: 0, expected: null, isLowerBound: false };
    const redis = Promise.withResolvers<unknown>();
    const shared = new RedisQuota(
      {
        run: () => redis.promise,
        get: async () => null,
        subscribe: async () => {},
        watchDurability: async () => ({ unsafe: [], unverified: [] }),
        close: async () => {},
      },
      () => {},
    );
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: LIMIT, quota: shared });
    const session = upstream.openSession(createKeyCredential('a key'), 'a request');
    shared.update(session.key, performance.now(), { limit: LIMIT, remaining: 30, resetsInMs: 60_000 });
    const admission = session.admit(DEMAND);
    session.finish();
    redis.reject(new Error('Gone.'));
    await admission;
    await upstream.openSession(createKeyCredential('a key'), 'another request').admit(DEMAND);
  });

  it('lasts until the last payload', async () => {
    const held = testGraph.gate.hold(LIST);
    const { body } = await execute();
    const reader = body?.getReader();
    await reader?.read();
    await held.arrived;
    expect(getReserved()).toBe(2);
    held.release();
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += Buffer.from(part.value).toString();
    expect(text).toContain('"cost":{"predictedCalls":4,"actualCalls":2');
    expect(getReserved()).toBe(0);
  });

  it('doesn’t exist for an operation that isn’t executed', async () => {
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/plain', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query: '{ customers { nodes { title ... @defer { orders { __typename } } } } }' }),
    });
    expect([response.status, getReserved()]).toEqual([406, 0]);
  });
});

describe('upstream without quota headers', () => {
  const testGraph = useTestGraph();

  it('receives calls without admission', async () => {
    testGraph.sandbox.faults.add({ operation: 'Workspace/Me', status: 200, body: JSON.stringify(ME) });
    testGraph.sandbox.faults.add({ operation: '*', status: 200, body: '{"contact":{"id":"c"}}' });
    const { errors, cost } = await testGraph.execute(createReads(3));
    expect([errors, cost]).toEqual([undefined, { predictedCalls: 3, actualCalls: 3, savedCalls: 0, quota: null, ...SIZES }]);
  });
});
