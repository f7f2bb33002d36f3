import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyHashOf } from '../../../src/lib/keyHash.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { MemoryQuota } from '../../../src/upstream/traffic/quota.ts';
import { RedisQuota } from '../../../src/upstream/traffic/redisQuota.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { createClock, TestClock } from '../../support/clock.ts';
import { SIZES, useTestGraph } from '../../support/testGraph.ts';
import { ME } from './silentUpstream.ts';

const GET = 'Contact/GetContact';
const LIMIT = 40;
const WINDOW_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Reads so many contacts, each by a call of its own. */
const reading = (count: number, name = 'nobody') =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

/** Each contact by its id: what is counted are the calls of many. */
const GETS_ONLY = { LIST_BATCHING: 'off' };

/** A key for each test whose calls the upstream limits, in a world whose clocks only move when told. */
function useLimitedKey() {
  const clock = new TestClock(0, START * 1000);
  const testGraph = useTestGraph({ rateLimit: { limit: LIMIT, windowSeconds: WINDOW_SECONDS } }, undefined, { clock, env: GETS_ONLY });
  /** Lets time pass, for the graph and for the sandbox. */
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
  const ask = (query: string) => testGraph.recordCalls(() => testGraph.executeAs(key, query));
  return { testGraph, clock, pass, ask };
}

describe('the quota of a key', () => {
  const { testGraph, pass, ask } = useLimitedKey();

  it('is told with every answer that may have taken calls', async () => {
    const [{ cost }] = await ask(reading(3));
    // `Me`, which reads the key's grants now and then, is a fourth call.
    expect(cost).toEqual({
      predictedCalls: 3,
      actualCalls: 3,
      savedCalls: 0,
      quota: { limit: LIMIT, remaining: LIMIT - 4, resetsInSeconds: WINDOW_SECONDS },
      ...SIZES,
    });
    expect((await ask('{ __schema { queryType { name } } }'))[0].cost).toBeUndefined();
  });

  it('that is used up lets nothing be sent until it resets, and leaves other keys alone', async () => {
    await ask(reading(19));
    await ask(reading(20, 'other'));
    // Nothing is left. The window's end is too far away to wait for.
    const [refused, calls] = await ask(reading(1, 'third'));
    expect([calls, testGraph.waits.filter((ms) => ms > 1_000)]).toEqual([[], []]);
    expect(refused).toMatchObject({
      status: 429,
      data: undefined,
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: WINDOW_SECONDS } }],
      cost: { predictedCalls: 1, actualCalls: 0, quota: { limit: LIMIT, remaining: 0, resetsInSeconds: WINDOW_SECONDS } },
    });
    expect(refused.headers.get('retry-after')).toBe(String(WINDOW_SECONDS));

    const [other, otherCalls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(makeKey(testGraph.sandbox.world), reading(1, 'third')),
    );
    expect([other.errors, otherCalls]).toEqual([undefined, [GET]]);

    pass(WINDOW_SECONDS);
    const [again, callsAgain] = await ask(reading(1, 'third'));
    expect([again.errors, callsAgain, again.cost?.quota?.remaining]).toEqual([undefined, [GET], LIMIT - 2]);
  });

  it('refuses a document that does not fit, before it spends anything, and takes one that does', async () => {
    await ask(reading(19));
    await ask(reading(10, 'other'));
    const [refused, calls] = await ask(reading(15, 'third'));
    expect([refused.status, refused.errors?.[0]?.extensions.code, calls]).toEqual([429, 'RATE_LIMITED', []]);
    const [taken, callsTaken] = await ask(reading(8, 'third'));
    expect([taken.errors, callsTaken.length]).toEqual([undefined, 8]);
  });

  it('takes a document that needs more than half of a window, while half of it is left', async () => {
    await ask(reading(1));
    const [{ errors, cost }, calls] = await ask(reading(LIMIT - 5, 'big'));
    expect([errors, calls.length, cost?.quota?.remaining]).toEqual([undefined, LIMIT - 5, 3]);
  });

  it('is learned from: a document that took few of its calls needs few of the window', async () => {
    const id = demoId('contact 0');
    const same = `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: contact(id: "${id}") { lastName }`).join(' ')} }`;
    expect((await ask(same))[0].cost).toMatchObject({ predictedCalls: 30, actualCalls: 1 });
    await ask(reading(19));
    await ask(reading(10, 'other'));
    // 9 are left: too few for 30, and for half of the window.
    expect((await ask(reading(30, 'third')))[0].status).toBe(429);
    expect((await ask(reading(30, 'third')))[1]).toEqual([]);
    expect((await ask(same))[0]).toMatchObject({ status: 200, errors: undefined });
  });

  it('is waited for when it resets within seconds', async () => {
    await ask(reading(19));
    await ask(reading(20, 'other'));
    pass(WINDOW_SECONDS - 3);
    const before = testGraph.waits.length;
    const waiting = ask(reading(1, 'third'));
    testGraph.sandbox.now += 3;
    const [{ errors }, calls] = await waiting;
    expect([errors, calls, testGraph.waits.slice(before)]).toEqual([undefined, [GET], [3_000]]);
  });

  it('that a 429 closes sends nothing, for as long as it says', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 30, times: 1 });
    const [first] = await ask(reading(1));
    expect(first.errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 30 });
    pass(24);
    const [second, calls] = await ask(reading(1));
    expect([second.status, second.errors?.[0]?.extensions.retryAfterSeconds, calls]).toEqual([429, 6, []]);
    pass(6);
    expect((await ask(reading(1)))[1]).toEqual([GET]);
  });

  it('gives back what a document has set aside, when it fails and when it is refused', async () => {
    await ask(reading(1));
    testGraph.sandbox.faults.add({ operation: GET, status: 500 });
    for (let round = 0; round < 3; round += 1) await ask(reading(5, `failing ${round}`));
    testGraph.sandbox.faults.clear();
    // 40 less 2 and 15: it fits only when nothing is set aside any more.
    const [{ errors }, calls] = await ask(reading(20, 'rest'));
    expect([errors, calls.length]).toEqual([undefined, 20]);
  });
});

describe('a clock that is set', () => {
  const { testGraph, clock, pass, ask } = useLimitedKey();
  const useUp = async () => {
    await ask(reading(19));
    await ask(reading(20, 'other'));
    expect((await ask(reading(1, 'third')))[0].status).toBe(429);
  };

  it.each([-HOUR_SECONDS, HOUR_SECONDS])('by %i s on the wall neither lengthens nor ends a window', async (seconds) => {
    await useUp();
    clock.setAheadMs += seconds * 1000;
    // While it is remembered what the key may do: that question would be refused, too.
    pass(20);
    const [refused, calls] = await ask(reading(1, 'early'));
    expect([refused.errors?.[0]?.extensions.retryAfterSeconds, calls]).toEqual([WINDOW_SECONDS - 20, []]);
    pass(WINDOW_SECONDS - 20);
    expect((await ask(reading(1, 'in time')))[1]).toEqual([GET]);
  });

  it.each([-HOUR_SECONDS, HOUR_SECONDS])('by %i s on the wall neither lengthens nor ends what a 429 closes', async (seconds) => {
    testGraph.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 30, times: 1 });
    await ask(reading(1));
    clock.setAheadMs += seconds * 1000;
    expect((await ask(reading(1)))[0].errors?.[0]?.extensions.retryAfterSeconds).toBe(30);
    pass(30);
    expect((await ask(reading(1)))[1]).toEqual([GET]);
  });

  it('back in both clocks is seen: the upstream is asked, and believed from then on', async () => {
    await useUp();
    clock.now -= HOUR_SECONDS * 1000;
    pass(WINDOW_SECONDS);
    const [{ errors, cost }, calls] = await ask(reading(1, 'back'));
    expect([errors, calls, cost?.quota]).toEqual([
      undefined,
      [GET],
      { limit: LIMIT, remaining: LIMIT - 2, resetsInSeconds: WINDOW_SECONDS },
    ]);
  });

  it('back in both clocks ends what a 429 closes, and the next 429 is believed', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 429, retryAfter: 30, times: 2 });
    await ask(reading(1));
    clock.now -= HOUR_SECONDS * 1000;
    expect((await ask(reading(1)))[1]).toEqual([GET]);
    expect((await ask(reading(1)))[0].errors?.[0]?.extensions.retryAfterSeconds).toBe(30);
  });

  it('back while a call is under way does not make its answer one of the future', async () => {
    await ask(reading(1));
    const held = testGraph.gate.hold(GET);
    const asked = ask(reading(1, 'under way'));
    await held.arrived;
    clock.now -= HOUR_SECONDS * 1000;
    held.release();
    expect((await asked)[0].errors).toBeUndefined();
    await ask(reading(5, 'later'));
    expect((await ask(reading(1, 'last')))[0].cost?.quota).toEqual({
      limit: LIMIT,
      remaining: LIMIT - 10,
      resetsInSeconds: WINDOW_SECONDS,
    });
  });
});

describe('a key whose calls got no answers for longer than a window', () => {
  let now = START * 1000;
  const quota = new MemoryQuota(createClock(() => now));
  const news = (remaining: number) => ({ limit: LIMIT, remaining, resetsInMs: WINDOW_SECONDS * 1000 });
  const admit = (calls: number) => {
    const admission = quota.reserve('key', calls, 5_000);
    if (!('waitMs' in admission)) quota.release(admission);
    return !('waitMs' in admission);
  };

  it('is let in again, and believes the first answer', () => {
    quota.update('key', now, news(LIMIT - 1));
    now += WINDOW_SECONDS * 1000;
    for (let calls = 0; calls < LIMIT; calls += 1) quota.spend('key', null);
    expect(admit(1)).toBe(true);
    quota.spend('key', null);
    quota.update('key', now, news(LIMIT - 1));
    expect([admit(1), quota.getBlockedMs('key'), quota.getView('key')?.remaining]).toEqual([true, 0, LIMIT - 1]);
  });
});

describe('what a document has set aside', () => {
  const quota = new MemoryQuota();
  const testGraph = useTestGraph({}, undefined, { env: GETS_ONLY, upstream: { quota } });
  const LIST = 'Quote/ListQuotes';
  const reserved = () => quota.getState(keyHashOf('demo-owner'))?.reserved;
  /** The first part takes one call, the second one of many that it might take. */
  const ask = (signal?: AbortSignal) =>
    fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({
        query: `{ customer(id: "${demoId('customer 0')}") { title ... @defer { quotes(first: 2) { nodes { customer { email } } } } } }`,
      }),
      ...(signal && { signal }),
    });

  it('is given back when its caller leaves between two parts', async () => {
    const held = testGraph.gate.hold(LIST);
    const leaving = new AbortController();
    const { body } = await ask(leaving.signal);
    await body?.getReader().read();
    await held.arrived;
    expect(reserved()).toBe(2);
    leaving.abort();
    await expect.poll(reserved).toBe(0);
    held.release();
  });

  it('is given back when its caller leaves before the first part', async () => {
    const held = testGraph.gate.hold('Customer/GetCustomer');
    const leaving = new AbortController();
    const asked = ask(leaving.signal);
    await held.arrived;
    expect(reserved()).toBe(3);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    held.release();
    await expect.poll(reserved).toBe(0);
  });

  it('is given back when its request has ended before it was admitted', async () => {
    const DEMAND = { maxCalls: 20, minCalls: 0, expected: null, isLowerBound: false };
    const redis = Promise.withResolvers<unknown>();
    const shared = new RedisQuota(
      { run: () => redis.promise, durability: async () => ({ unsafe: [], unverified: [] }), close: async () => {} },
      () => {},
    );
    shared.update(keyHashOf('a key'), performance.now(), { limit: LIMIT, remaining: 30, resetsInMs: 60_000 });
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: LIMIT, quota: shared });
    const session = upstream.openSession('a key', 'a request');
    const admission = session.admit(DEMAND);
    session.finish();
    redis.reject(new Error('Gone.'));
    await admission;
    await upstream.openSession('a key', 'another request').admit(DEMAND);
  });

  it('is kept until the last part of its answer, and given back then', async () => {
    const held = testGraph.gate.hold(LIST);
    const { body } = await ask();
    const reader = body?.getReader();
    await reader?.read();
    await held.arrived;
    expect(reserved()).toBe(2);
    held.release();
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += Buffer.from(part.value).toString();
    expect(text).toContain('"cost":{"predictedCalls":4,"actualCalls":2');
    expect(reserved()).toBe(0);
  });

  it('is given back when it is not executed at all', async () => {
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query: '{ customers { nodes { title ... @defer { orders { __typename } } } } }' }),
    });
    expect([response.status, reserved()]).toEqual([406, 0]);
  });
});

describe('an upstream that tells nothing of its quotas', () => {
  const testGraph = useTestGraph();

  it('is asked without an admission', async () => {
    testGraph.sandbox.faults.add({ operation: 'Workspace/Me', status: 200, body: JSON.stringify(ME) });
    testGraph.sandbox.faults.add({ operation: '*', status: 200, body: '{"contact":{"id":"c"}}' });
    const { errors, cost } = await testGraph.execute(reading(3));
    expect([errors, cost]).toEqual([undefined, { predictedCalls: 3, actualCalls: 3, savedCalls: 0, quota: null, ...SIZES }]);
  });
});
