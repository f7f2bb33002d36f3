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
const createContactsQuery = (name: string, count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ')} }`;

const NOT_SENT = { message: expect.stringContaining('wasn’t sent: the circuit breaker is open') };
const GETS_ONLY = { LIST_BATCHING: 'off' };

describe('slow upstream', () => {
  const TIMEOUT_MS = 5_000;
  /** Enough timeouts to open a breaker if they count. */
  const PER_KEY = 32;
  let latencyMs = 0;
  /** Responds to contact reads after `latencyMs` of the fake clock. Calls sent in the same tick also end in one tick. */
  const delayContacts = (usual: Transport): Transport => ({
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
  const testGraph = useTestGraph({}, TIMEOUT_MS, { env, transport: delayContacts, upstream: { breaker: BREAKER } });
  const burst = async (key: string) => {
    await testGraph.executeAs(key, '{ viewer { __typename } }');
    const before = testGraph.gate.sent(GET);
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, index) => testGraph.executeAs(key, createContactsQuery(`burst ${index}`, 100))),
    );
    const codes = results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
    return { sent: testGraph.gate.sent(GET) - before, timeouts: codes.filter((code) => code === 'UPSTREAM_TIMEOUT').length };
  };

  it('doesn’t open breakers by timeouts of calls that waited long in the queue', async () => {
    latencyMs = 900;
    // Five rounds have enough time, the sixth has half a second.
    expect((await burst('demo-owner')).timeouts).toBeGreaterThanOrEqual(PER_KEY);
    for (const key of [makeKey(testGraph.sandbox.world), 'demo-owner'])
      expect((await testGraph.executeAs(key, createContactsQuery('after', 3))).errors).toBeUndefined();
  });

  it('opens breakers by timeouts of calls with the full time', async () => {
    latencyMs = 10 * TIMEOUT_MS;
    expect(await burst('demo-owner')).toMatchObject({ sent: PER_KEY, timeouts: PER_KEY });
    const before = testGraph.gate.sent(GET);
    expect((await testGraph.execute(createContactsQuery('after', 1))).errors).toMatchObject([NOT_SENT]);
    expect(testGraph.gate.sent(GET)).toBe(before);
  });
});

describe('calls that always fail', () => {
  const clock = new TestClock();
  /** API keys, and the operation that fails for each. */
  const failingOperations = new Map<string, string>();
  const failCalls = (usual: Transport): Transport => ({
    send: async (request) => {
      const operation = failingOperations.get(request.apiKey);
      return operation && request.path.endsWith(operation) ? { status: 500, headers: {}, body: '' } : usual.send(request);
    },
    close: () => usual.close(),
  });
  const testGraph = useTestGraph({}, undefined, { env: GETS_ONLY, transport: failCalls, upstream: { breaker: BREAKER, clock } });
  afterEach(() => {
    failingOperations.clear();
    // Breakers send trial calls again, and earlier failures have expired.
    clock.now += 60_000;
  });
  const countSent = async (operation: string, execute: () => Promise<unknown>) => {
    const before = testGraph.gate.sent(operation);
    await execute();
    return testGraph.gate.sent(operation) - before;
  };
  const countGets = (key: string, name: string, count: number) =>
    countSent(GET, () => testGraph.executeAs(key, createContactsQuery(name, count)));

  it('open the breaker of one key only for this key', async () => {
    const [bad, good, late] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    failingOperations.set(bad, QUERY);
    for (let query = 0; query < 30; query += 1) await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', bad);
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', bad)).errors).toMatchObject([NOT_SENT]);
    for (const key of [good, late, good])
      expect((await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', key)).errors).toBeUndefined();
  });

  it('open the breaker of one operation only for this operation', async () => {
    const key = makeKey(testGraph.sandbox.world);
    failingOperations.set(key, GET);
    const list = () => testGraph.executeAs(key, '{ contacts(first: 1) { nodes { lastName } } }');
    await list();
    expect(await countGets(key, 'failing', 100)).toBeGreaterThanOrEqual(BREAKER.minCalls);
    expect(await countGets(key, 'blocked', 5)).toBe(0);
    expect(await countSent(LIST, async () => expect((await list()).errors).toBeUndefined())).toBe(1);
  });

  it('open the breaker for all keys if several keys fail, until a call of one succeeds', async () => {
    const [first, second, good] = [makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world), makeKey(testGraph.sandbox.world)];
    for (const key of [first, second]) failingOperations.set(key, GET);
    await countGets(first, 'first', 60);
    await countGets(second, 'second', 3);
    expect(await countGets(good, 'blocked', 3)).toBe(0);
    // A failing key sends the first trial.
    clock.now += BREAKER.halfOpenAfterMs;
    expect(await countGets(first, 'trial', 3)).toBe(1);
    expect(await countGets(good, 'blocked', 3)).toBe(0);
    // It has to wait longer than others for its next trial.
    clock.now += BREAKER.halfOpenAfterMs / 5;
    expect(await countGets(first, 'blocked', 3)).toBe(0);
    expect(await countGets(good, 'trial', 1)).toBe(1);
    expect(await countGets(good, 'open again', 5)).toBe(5);
    expect(await countGets(first, 'blocked', 3)).toBe(0);
  });
});
