import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Part, partsOf } from '../../support/parts.ts';
import { SIZES, useTestGraph } from '../../support/testGraph.ts';
import { ask, counting, QUERY, SQL } from './ask.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const TITLE = `customer(id: "${demoId('customer 0')}") { title }`;
const COUNT =
  'analyticsQuery(query: { entity: ORDERS, select: { aggregate: { measures: [{ count: {} }] } } }) { __typename ... on AnalyticsResult { rows { cells { integer } } } }';
const TEXT = `analyticsSql(sql: "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1") { __typename }`;

/** The answer to a document in its parts. */
async function partsFor(query: string): Promise<Part[]> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept: 'multipart/mixed' };
  const response = await fetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  if (!response.body) throw new Error('An answer in parts must have a body.');
  const parts: Part[] = [];
  for await (const part of partsOf(response.body)) parts.push(part);
  return parts;
}

/** The same, with the queries that reached the upstream. */
async function sending(query: string): Promise<readonly [Part[], string[]]> {
  // The catalog is read once, and kept.
  await ask(testGraph, counting('ORDERS'));
  const [parts, calls] = await testGraph.recordCalls(() => partsFor(query));
  return [parts, calls.filter((name) => name === QUERY || name === SQL).sort()];
}

const later = (parts: readonly Part[]) => parts.flatMap(({ incremental }) => incremental ?? []);

describe('a deferred field of analytics', () => {
  it.each([
    ['answered', `{ ${TITLE} ... @defer(label: "count") { ${COUNT} } }`],
    ['answered in part', `{ ${TITLE} ${COUNT.replace('... on', '... @defer(label: "count") { ... on')} } }`],
  ])('is %s later, and sent once; its cost is told in the last part', async (_title, query) => {
    const [parts, sent] = await sending(query);
    const rows = [{ cells: [{ integer: expect.any(String) }] }];
    expect(later(parts)).toMatchObject([{ label: 'count' }]);
    expect(later(parts)[0]?.data).toMatchObject(query.includes(`{ ${COUNT} }`) ? { analyticsQuery: { rows } } : { rows });
    expect([parts[0]?.data, parts[0]?.extensions]).toEqual([
      expect.objectContaining({ customer: { title: expect.any(String) } }),
      undefined,
    ]);
    expect(parts.at(-1)?.extensions).toEqual({
      cost: { predictedCalls: 11, actualCalls: 2, savedCalls: 0, quota: expect.any(Object), ...SIZES },
    });
    expect(sent).toEqual([QUERY]);
  });

  it.each([
    [{ status: 503 }, 'UPSTREAM_UNAVAILABLE'],
    [{ status: 504 }, 'UPSTREAM_TIMEOUT'],
    [{ cut: 'after' }, 'UPSTREAM_UNAVAILABLE'],
  ] as const)('that fails by %j is null with its error in its part, and is not sent again', async (fault, code) => {
    await ask(testGraph, counting('ORDERS'));
    for (const operation of [QUERY, SQL]) testGraph.sandbox.faults.add({ operation, ...fault });
    const [parts, calls] = await testGraph.recordCalls(() =>
      partsFor(`{ ${TITLE} ... @defer(label: "typed") { ${COUNT} } ... @defer(label: "sql") { ${TEXT} } }`),
    );
    expect(parts[0]).toEqual({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    const [sql, typed] = later(parts).sort((one, other) => String(one.label).localeCompare(String(other.label)));
    expect([sql, typed]).toMatchObject([
      { data: { analyticsSql: null }, errors: [{ path: ['analyticsSql'], extensions: { code, retry: 'SAFE' } }] },
      { data: { analyticsQuery: null }, errors: [{ path: ['analyticsQuery'], extensions: { code, retry: 'SAFE' } }] },
    ]);
    expect(calls.filter((name) => name === QUERY || name === SQL).sort()).toEqual([QUERY, SQL]);
    expect(parts.at(-1)?.extensions).toMatchObject({ cost: { predictedCalls: 21, actualCalls: 3 } });
  });

  it('that breaks a rule is an answer in its part, and is not sent', async () => {
    const [parts, sent] = await sending(`{ ${TITLE} ... @defer { ${COUNT.replace('ORDERS,', 'ORDERS, limit: 101,')} } }`);
    expect([later(parts), sent]).toMatchObject([[{ data: { analyticsQuery: { __typename: 'AnalyticsQueryError' } } }], []]);
  });

  it('counts among the four of its operation', async () => {
    const named = (name: string) => `... @defer { ${name}: ${COUNT} }`;
    const [parts, sent] = await sending(`{ ${['a', 'b', 'c', 'd'].map(named).join(' ')} ${TEXT} }`);
    expect([parts, sent]).toMatchObject([[{ errors: [{ extensions: { code: 'QUERY_TOO_EXPENSIVE', analyticsQueries: 5 } }] }], []]);
  });
});
