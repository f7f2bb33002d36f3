import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CostShares } from '../../../src/server/execution/costShares.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact } from '../../../src/upstream/contract/generated/operations.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { type RawRequest, sendRaw } from '../../support/rawHttp.ts';
import { type TestGraphOptions, useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const GET = 'Contact/GetContact';
const SEARCH = 'Customer/SearchCustomers';
const LIMIT = 60;
/** Calls that operations of an unknown size leave to others. */
const SPARE_CALLS = 6;
const WINDOW_SECONDS = 60;

const fields = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: contact(id: "${name} ${index}") { lastName }`).join(' ');
/** Creates a query of `count` contacts, all read concurrently. */
const createReads = (count: number, name = 'absent') => `{ ${fields(count, name)} }`;
/** Creates a query of the quotes of `count` customers and of each quote's customer, which is known by then. */
const createNestedReads = (count: number) =>
  `{ customers(first: ${count}) { nodes { quotes(first: 10) { nodes { customer { title } } } } } }`;

const HUGE = 150;
const documents = mkdtempSync(join(tmpdir(), 'tools-'));
writeFileSync(join(documents, 'many.graphql'), `# Reads many contacts.\nquery many { ${fields(HUGE, 'absent')} }\n`);

/** A new rate-limited API key per test, with clocks that only tests advance. */
function useLimitedKey({ env, ...options }: TestGraphOptions = {}) {
  const clock = new TestClock(0, START * 1000);
  const rateLimit = { limit: LIMIT, windowSeconds: WINDOW_SECONDS };
  // Without batching, each record costs one call.
  const testGraph = useTestGraph({ rateLimit }, undefined, { clock, ...options, env: { LIST_BATCHING: 'off', ...env } });
  const pass = (seconds: number) => {
    clock.now += seconds * 1000;
    testGraph.sandbox.now += seconds;
  };
  let key = '';
  beforeEach(() => {
    key = makeKey(testGraph.sandbox.world);
  });
  afterEach(() => pass(2 * WINDOW_SECONDS));
  const execute = (query: string, as = key) => testGraph.recordCalls(() => testGraph.executeAs(as, query));
  return { testGraph, pass, execute, key: () => key };
}

const createTooExpensive = (neededCalls: number) => ({
  code: 'QUERY_TOO_EXPENSIVE',
  retry: 'NEVER',
  limit: LIMIT,
  limitOf: 'RATE_LIMIT',
  neededCalls,
});

describe('operation that may exceed the quota of its key', () => {
  const { testGraph, pass, execute } = useLimitedKey();

  it('sends no call and reports QUERY_TOO_EXPENSIVE in every window if it fits no window', async () => {
    await execute(createReads(1));
    for (let window = 0; window < 3; window += 1) {
      const [{ status, data, errors, cost }, calls] = await execute(createReads(HUGE));
      expect([status, data, errors?.map(({ extensions }) => extensions), calls]).toEqual([400, undefined, [createTooExpensive(HUGE)], []]);
      expect(cost).toMatchObject({ predictedCalls: HUGE, actualCalls: 0 });
      pass(WINDOW_SECONDS);
    }
    expect((await execute(createReads(10, 'other')))[0].errors).toBeUndefined();
  });

  it('sends no call as the first operation of a key, either', async () => {
    const [{ errors }, calls] = await execute(createReads(HUGE));
    expect([errors?.map(({ extensions }) => extensions), calls]).toEqual([[createTooExpensive(HUGE)], []]);
  });

  it('executes if its actual calls fit, regardless of the predicted ones', async () => {
    await execute(createReads(1));
    for (let time = 0; time < 2; time += 1) {
      const [{ errors, cost }, calls] = await execute(createNestedReads(20));
      expect([errors, cost?.predictedCalls, calls.length]).toEqual([undefined, 1 + 20 * 11, 21]);
    }
    // The limit of 60 minus `Me`, 1, and 42: too few for a third execution, whose calls are known now.
    expect((await execute(createNestedReads(20)))[0].status).toBe(429);
  });

  it('stops before the calls that don’t fit and fails at once afterwards', async () => {
    await execute(createReads(1));
    const [{ status, data, errors, cost }, calls] = await execute(createNestedReads(80));
    expect([status, data, errors?.map(({ extensions }) => extensions), calls]).toEqual([
      400,
      undefined,
      [createTooExpensive(81)],
      [SEARCH],
    ]);
    expect(cost?.quota?.remaining).toBe(LIMIT - 3);
    for (let window = 0; window < 3; window += 1) {
      const [again, callsAgain] = await execute(createNestedReads(80));
      expect([again.errors?.map(({ extensions }) => extensions), callsAgain]).toEqual([[createTooExpensive(81)], []]);
      pass(WINDOW_SECONDS);
    }
  });

  it('executes in the next window if it fits that one', async () => {
    await execute(createReads(27));
    const [stopped, calls] = await execute(createReads(40, 'other'));
    expect([stopped.status, stopped.errors?.map(({ extensions }) => extensions), calls]).toEqual([
      429,
      [{ code: 'RATE_LIMITED', retry: 'SAFE', retryAfterSeconds: WINDOW_SECONDS }],
      [],
    ]);
    expect(stopped.headers.get('retry-after')).toBe(String(WINDOW_SECONDS));
    expect((await execute(createReads(40, 'other')))[1]).toEqual([]);
    pass(WINDOW_SECONDS);
    const [{ errors }, laterCalls] = await execute(createReads(40, 'other'));
    expect([errors, laterCalls.length]).toEqual([undefined, 40]);
  });

  it('stops only for its key', async () => {
    await execute(createReads(27));
    expect((await execute(createReads(40, 'other')))[0].status).toBe(429);
    const [{ errors }, calls] = await execute(createReads(40, 'other'), makeKey(testGraph.sandbox.world));
    expect([errors, calls.length]).toEqual([undefined, 40]);
  });

  it('fails before its first write if its writes alone don’t fit', async () => {
    await execute(createReads(1));
    const writes = Array.from({ length: 70 }, (_, index) => `a${index}: contactCreate(input: { lastName: "Unsent" }) { __typename }`);
    const [{ errors }, calls] = await execute(`mutation { ${writes.join(' ')} }`);
    expect([errors?.map(({ extensions }) => extensions), calls]).toEqual([[createTooExpensive(70)], []]);
  });

  it('leaves calls to others if sequential, and is repeated only if more calls are left', async () => {
    await execute(createReads(1));
    const createSerial = (round: number) =>
      `mutation { ${Array.from({ length: 25 }, (_, index) => `a${index}: customerCreate(input: { title: "Serial", email: "s${round}-${index}@example.com" }) { ...F }`).join(' ')} }
       fragment F on CustomerCreateResult { __typename ... on CustomerCreatePayload { customer { quotes(first: 1) { nodes { id } } orders(first: 1) { nodes { id } } } } }`;
    const query = createSerial(0);
    const [{ errors }, calls] = await execute(query);
    expect([calls.length, new Set(errors?.map(({ extensions }) => extensions.code))]).toEqual([
      LIMIT - 2 - SPARE_CALLS,
      new Set(['RATE_LIMITED']),
    ]);
    expect((await execute(createReads(SPARE_CALLS)))[0].errors).toBeUndefined();
    // A new window has two more calls available: the first one also included `Me` and the first operation.
    const sent: number[] = [];
    for (let window = 0; window < 6; window += 1) {
      pass(WINDOW_SECONDS);
      sent.push((await execute(query))[1].length);
    }
    expect(sent.filter((count) => count > 0).length).toBeLessThanOrEqual(2);
    expect(sent.slice(2)).toEqual([0, 0, 0, 0]);
  });
});

describe.each([
  ['on the fast path', {}],
  ['through Yoga', { FAST_PATH: 'false' }],
  ['interpreted', { COMPILE_AFTER: '0' }],
])('rate limit admission %s', (_way, settings) => {
  const { testGraph, key } = useLimitedKey({ env: { ...settings, MCP: 'true', MCP_DOCUMENTS: documents } });
  const headers = () => ({ 'content-type': 'application/json', authorization: `Bearer ${key()}` });
  const query = createReads(HUGE);

  it.each<readonly [string, RawRequest]>([
    ['POST', { method: 'POST', body: JSON.stringify({ query }) }],
    ['GET', { method: 'GET', path: `/graphql?${new URLSearchParams({ query })}` }],
  ])('sends no call of an operation that fits no window: %s', async (_name, request) => {
    for (let time = 0; time < 3; time += 1) {
      const [{ body }, calls] = await testGraph.recordCalls(() =>
        sendRaw(testGraph.url, { ...request, headers: { accept: 'application/json', ...headers() } }),
      );
      const response = JSON.parse(body.toString());
      expect([response.data, response.errors.map(({ extensions }: { extensions: object }) => extensions), calls]).toEqual([
        undefined,
        [createTooExpensive(HUGE)],
        [],
      ]);
    }
  });

  it('sends no call of an incremental operation that fits no window', async () => {
    const deferred = `{ __typename ... @defer { ${fields(HUGE, 'absent')} } }`;
    const [text, calls] = await testGraph.recordCalls(async () => {
      const response = await fetch(`${testGraph.url}/graphql`, {
        method: 'POST',
        headers: { accept: 'multipart/mixed', ...headers() },
        body: JSON.stringify({ query: deferred }),
      });
      return response.text();
    });
    expect([text.includes('"code":"QUERY_TOO_EXPENSIVE"'), calls]).toEqual([true, []]);
  });

  it('sends no call of a tool whose operation fits no window', async () => {
    const tools = await connectTools(testGraph.url, key());
    const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call('svc_many'));
    expect([isError, body.errors.map(({ code }: { code: string }) => code), calls]).toEqual([true, ['QUERY_TOO_EXPENSIVE'], []]);
    await tools.close();
  });
});

describe('operation that was not admitted', () => {
  const testGraph = useTestGraph();

  it('sends no call', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const session = upstream.openSession(createKeyCredential('demo-owner'), 'a request', { requiresAdmission: true });
    const read = () =>
      testGraph.recordCalls(() => session.call(GetContact, { id: demoId('contact 0') }).catch((error: Error) => error.message));
    expect(await read()).toEqual([expect.stringContaining('wasn’t admitted'), []]);
    await session.admit({ maxCalls: 1, probeCalls: 0, minCalls: 0, expected: null, isLowerBound: false });
    session.forget();
    expect((await read())[1]).toEqual([GET]);
  });
});

describe('CostShares', () => {
  const clock = new TestClock(0, START * 1000);
  const shares = new CostShares(clock);
  const plan = { id: 1, callShare: undefined };
  const operation = { plan, keyHash: 'one', cost: { calls: 100, probeCalls: 2, writes: 0 } };

  it('expects the share of recent executions, or for an hour the calls that a stopped execution needed', () => {
    expect(shares.predictDemand(operation)).toEqual({ maxCalls: 100, probeCalls: 2, minCalls: 0, expected: null, isLowerBound: false });
    shares.learnStopped(operation, 50);
    expect(shares.predictDemand({ ...operation, cost: { calls: 10, probeCalls: 1, writes: 2 } })).toEqual({
      maxCalls: 10,
      probeCalls: 1,
      minCalls: 2,
      expected: 5,
      isLowerBound: true,
    });
    expect(shares.predictDemand({ ...operation, keyHash: 'other' }).expected).toBeNull();
    clock.now += 3_600_000;
    expect(shares.predictDemand(operation).expected).toBeNull();
    shares.learnStopped(operation, 50);
    shares.learn(operation, 20);
    expect(shares.predictDemand(operation)).toEqual({ maxCalls: 100, probeCalls: 2, minCalls: 0, expected: 20, isLowerBound: false });
  });
});
