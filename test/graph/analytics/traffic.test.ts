import { afterEach, describe, expect, it } from 'vitest';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import { derivePermitLimits } from '../../../src/upstream/traffic/permits.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { docPages } from '../../support/docPages.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, executeQuery, executeSql, QUERY, SQL } from './queries.ts';

const CUSTOMER = `{ customer(id: "${demoId('customer 0')}") { title } }`;
const COUNT = '{ entity: ORDERS, select: { aggregate: { measures: [{ count: {} }] } } }';
const printField = (name: string, limit = 100) =>
  `${name}: analyticsQuery(query: { entity: ORDERS, limit: ${limit}, select: { aggregate: { measures: [{ count: {} }] } } }) { __typename }`;

describe('failing analytics query', () => {
  const testGraph = useTestGraph();
  afterEach(() => testGraph.sandbox.faults.clear());

  it.each([
    [503, 'UPSTREAM_UNAVAILABLE'],
    [502, 'UPSTREAM_UNAVAILABLE'],
    [504, 'UPSTREAM_TIMEOUT'],
    [429, 'UPSTREAM_UNAVAILABLE'],
  ])('doesn’t retry queries or SQL after status %i', async (status, code) => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    for (const operation of [QUERY, SQL]) testGraph.sandbox.faults.add({ operation, status });
    const typed = await executeQuery(testGraph, createCountQuery('ORDERS'));
    expect([typed.result, typed.errors, typed.calls]).toMatchObject([null, [{ extensions: { code, retry: 'SAFE' } }], [QUERY]]);
    const sql = await executeSql(testGraph, "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1");
    expect([sql.errors, sql.calls]).toMatchObject([[{ extensions: { code } }], [SQL]]);
    // A full queue isn't an exhausted quota: the key can still read.
    expect((await testGraph.execute(CUSTOMER)).errors).toBeUndefined();
  });

  it('coalesces identical fields of a request, but not across requests', async () => {
    const document = `{ a: analyticsQuery(query: ${COUNT}) { __typename } b: analyticsQuery(query: ${COUNT}) { __typename } }`;
    await testGraph.execute(document);
    for (let request = 0; request < 2; request += 1)
      expect((await testGraph.recordCalls(() => testGraph.execute(document)))[1]).toEqual([QUERY]);
    const concurrent = await testGraph.recordCalls(() => Promise.all([testGraph.execute(document), testGraph.execute(document)]));
    expect(concurrent[1]).toEqual([QUERY, QUERY]);
  });
});

describe('operation', () => {
  const testGraph = useTestGraph();

  it('allows at most eight analytics fields, including aliases and fragments', async () => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    const eight = Array.from({ length: 8 }, (_, index) => printField(`field${index}`, index + 1)).join(' ');
    const [result, calls] = await testGraph.recordCalls(() => testGraph.execute(`{ ${eight} }`));
    expect([result.errors, calls, result.cost?.predictedCalls]).toEqual([undefined, Array(8).fill(QUERY), 80]);
    const nine = `query { ${eight} ...More } fragment More on Query { more: analyticsSql(sql: "SELECT") { __typename } }`;
    const [refused, none] = await testGraph.recordCalls(() => testGraph.execute(nine));
    expect([refused.status, refused.errors, none]).toMatchObject([
      400,
      [{ extensions: { code: 'QUERY_TOO_EXPENSIVE', limitOf: 'ANALYTICS_QUERIES', limit: 8, analyticsQueries: 9 } }],
      [],
    ]);
    const { limit } = refused.errors?.[0]?.extensions ?? {};
    expect(docPages.get('docs/analytics.md')).toContain(`\n| Analytics queries in an operation | ${limit} |\n`);
    expect(docPages.get('docs/search.md')).toContain(`An operation can use up to ${limit} analytics queries`);
    const skipped = nine.replace('...More', '...More @include(if: false)');
    expect((await testGraph.execute(skipped)).errors).toBeUndefined();
  });
});

describe('slow analytics queries', () => {
  const testGraph = useTestGraph({}, undefined, {
    upstream: { permits: { ...derivePermitLimits(128), expensive: { all: 3, perKey: 2 } } },
  });

  it('limit connections in total and per key without blocking reads', async () => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', 'demo-reader');
    const before = testGraph.gate.sent(QUERY);
    const held = testGraph.gate.hold(QUERY);
    const page = (key: string) =>
      testGraph.executeAs(key, `{ ${['a', 'b', 'c', 'd'].map((name, index) => printField(name, index + 1)).join(' ')} }`);
    const first = page('demo-owner');
    await held.arrived;
    expect((await testGraph.execute(CUSTOMER)).errors).toBeUndefined();
    expect(testGraph.gate.sent(QUERY) - before).toBe(2);
    const second = page('demo-reader');
    expect((await testGraph.executeAs('demo-reader', CUSTOMER)).errors).toBeUndefined();
    expect(testGraph.gate.sent(QUERY) - before).toBe(3);
    held.release();
    for (const result of await Promise.all([first, second])) expect(result.errors).toBeUndefined();
    expect(testGraph.gate.sent(QUERY) - before).toBe(8);
  });
});

describe('failing analytics queries', () => {
  const clock = new TestClock();
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock } });

  it('open the circuit breaker for queries only, not for the catalog or other reads', async () => {
    testGraph.sandbox.faults.add({ operation: QUERY, status: 503 });
    for (let request = 0; request < BREAKER.minCalls; request += 1) await executeQuery(testGraph, createCountQuery('ORDERS'));
    const { errors, calls } = await executeQuery(testGraph, createCountQuery('ORDERS'));
    expect([errors, calls]).toMatchObject([[{ message: expect.stringContaining('wasn’t sent: the circuit breaker is open') }], []]);
    clock.now += 10 * 60_000;
    testGraph.sandbox.faults.clear();
    expect((await testGraph.execute('{ analyticsCatalog { limits { maxRows } } }')).errors).toBeUndefined();
    expect((await testGraph.execute(CUSTOMER)).errors).toBeUndefined();
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'))).errors).toBeUndefined();
  });
});

describe('analytics query timeout', () => {
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_ANALYTICS_TIMEOUT_MS: '2000' } });

  it('applies UPSTREAM_ANALYTICS_TIMEOUT_MS instead of UPSTREAM_TIMEOUT_MS', async () => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    testGraph.sandbox.faults.add({ operation: QUERY, latencyMs: 600_000 });
    const { errors, calls } = await executeQuery(testGraph, createCountQuery('ORDERS'));
    expect([errors, calls]).toMatchObject([
      [{ message: expect.stringContaining('within 2000 ms'), extensions: { code: 'UPSTREAM_TIMEOUT' } }],
      [QUERY],
    ]);
    testGraph.sandbox.faults.clear();
  });
});

it('limits analytics to an eighth of the connections, and four per key, by default', () => {
  expect([derivePermitLimits(128).expensive, derivePermitLimits(16).expensive, derivePermitLimits(1).expensive]).toEqual([
    { all: 16, perKey: 4 },
    { all: 2, perKey: 2 },
    { all: 1, perKey: 1 },
  ]);
});
