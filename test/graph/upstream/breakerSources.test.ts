import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import { type Transport, TransportError } from '../../../src/upstream/transport/transport.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { TestClock } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, executeQuery, QUERY } from '../analytics/queries.ts';

const GET = 'Contact/GetContact';
const LIST = 'Contact/ListContacts';
const contacts = (name: string, count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

const NOT_SENT = { message: expect.stringContaining('wasn’t sent: the circuit breaker is open') };
const GETS_ONLY = { LIST_BATCHING: 'off' };

describe('a slow upstream', () => {
  const TIMEOUT_MS = 5_000;
  /** Enough to open a breaker, if their timeouts count. */
  const PER_KEY = 32;
  let latencyMs = 0;
  /** Responds to gets of contacts after `latencyMs`, on the faked clock. Calls that are sent in the same tick end in the same one. */
  const slow = (usual: Transport): Transport => ({
    send: async (request) => {
      if (!request.path.endsWith(GET)) return usual.send(request);
      const endsAt = performance.now() + Math.min(latencyMs, request.timeoutMs);
      await setImmediate();
      vi.advanceTimersByTime(Math.max(0, endsAt - performance.now()));
      if (request.timeoutMs < latencyMs) throw new TransportError(true, true);
      return { status: 404, headers: {}, body: '' };
    },
    close: () => usual.close(),
  });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  const env = { ...GETS_ONLY, UPSTREAM_CONNECTIONS: String(2 * PER_KEY) };
  const testGraph = useTestGraph({}, TIMEOUT_MS, { env, transport: slow, upstream: { breaker: BREAKER } });
  const burst = async (key: string) => {
    await testGraph.executeAs(key, '{ viewer { __typename } }');
    const before = testGraph.gate.sent(GET);
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => testGraph.executeAs(key, contacts(`burst ${index}`, 100))));
    const codes = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
    return { sent: testGraph.gate.sent(GET) - before, timeouts: codes.filter((code) => code === 'UPSTREAM_TIMEOUT').length };
  };

  it('isn’t blocked because a key’s queue leaves its last calls too little time', async () => {
    latencyMs = 900;
    // Five rounds have enough time, and the sixth half a second.
    expect((await burst('demo-owner')).timeouts).toBeGreaterThanOrEqual(PER_KEY);
    for (const key of [makeKey(testGraph.sandbox.world), 'demo-owner'])
      expect((await testGraph.executeAs(key, contacts('after', 3))).errors).toBeUndefined();
  });

  it('is blocked if calls with the full timeout get no response', async () => {
    latencyMs = 10 * TIMEOUT_MS;
    expect(await burst('demo-owner')).toMatchObject({ sent: PER_KEY, timeouts: PER_KEY });
    const before = testGraph.gate.sent(GET);
    expect((await testGraph.execute(contacts('after', 1))).errors).toMatchObject([NOT_SENT]);
    expect(testGraph.gate.sent(GET)).toBe(before);
  });
});

describe('calls that always fail', () => {
  const clock = new TestClock();
  /** Keys and the operations that fail for them. */
  const failing = new Map<string, string>();
  const failingFor = (usual: Transport): Transport => ({
    send: async (request) => {
      const operation = failing.get(request.apiKey);
      return operation && request.path.endsWith(operation) ? { status: 500, headers: {}, body: '' } : usual.send(request);
    },
    close: () => usual.close(),
  });
  const testGraph = useTestGraph({}, undefined, { env: GETS_ONLY, transport: failingFor, upstream: { breaker: BREAKER, clock } });
  afterEach(() => {
    failing.clear();
    // Breakers let calls through again, and earlier calls are no evidence anymore.
    clock.now += 60_000;
  });
  const sends = async (operation: string, act: () => Promise<unknown>) => {
    const before = testGraph.gate.sent(operation);
    await act();
    return testGraph.gate.sent(operation) - before;
  };
  const gets = (key: string, name: string, count: number) => sends(GET, () => testGraph.executeAs(key, contacts(name, count)));

  it('of one key block only this key', async () => {
    const [bad, good, late] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    failing.set(bad, QUERY);
    for (let query = 0; query < 30; query += 1) await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', bad);
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', bad)).errors).toMatchObject([NOT_SENT]);
    for (const key of [good, late, good])
      expect((await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', key)).errors).toBeUndefined();
  });

  it('of one operation block only this operation', async () => {
    const key = makeKey(testGraph.sandbox.world);
    failing.set(key, GET);
    const list = () => testGraph.executeAs(key, '{ contacts(first: 1) { nodes { lastName } } }');
    await list();
    expect(await gets(key, 'failing', 100)).toBeGreaterThanOrEqual(BREAKER.minCalls);
    expect(await gets(key, 'blocked', 5)).toBe(0);
    expect(await sends(LIST, async () => expect((await list()).errors).toBeUndefined())).toBe(1);
  });

  it('of several keys block all keys, until the call of one succeeds', async () => {
    const [first, second, good] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    for (const key of [first, second]) failing.set(key, GET);
    await gets(first, 'first', 60);
    await gets(second, 'second', 3);
    expect(await gets(good, 'blocked', 3)).toBe(0);
    // A failing key is the first to try.
    clock.now += BREAKER.halfOpenAfterMs;
    expect(await gets(first, 'trial', 3)).toBe(1);
    expect(await gets(good, 'blocked', 3)).toBe(0);
    // It has to wait longer for its next trial than others.
    clock.now += BREAKER.halfOpenAfterMs / 5;
    expect(await gets(first, 'blocked', 3)).toBe(0);
    expect(await gets(good, 'trial', 1)).toBe(1);
    expect(await gets(good, 'open again', 5)).toBe(5);
    expect(await gets(first, 'blocked', 3)).toBe(0);
  });
});
