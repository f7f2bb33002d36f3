import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Part, readParts } from '../../support/parts.ts';
import { SIZES, useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, executeQuery, QUERY, SQL } from './queries.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const TITLE = `customer(id: "${demoId('customer 0')}") { title }`;
const COUNT =
  'analyticsQuery(query: { entity: ORDERS, select: { aggregate: { measures: [{ count: {} }] } } }) { __typename ... on AnalyticsResult { rows { cells { integer } } } }';
const TEXT = `analyticsSql(sql: "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1") { __typename }`;

/** Executes a document and returns the parts of its response. */
async function fetchParts(query: string): Promise<Part[]> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept: 'multipart/mixed' };
  const response = await fetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  if (!response.body) throw new Error('A multipart response must have a body.');
  const parts: Part[] = [];
  for await (const part of readParts(response.body)) parts.push(part);
  return parts;
}

/** Like `fetchParts`, with the analytics calls that reached the upstream. */
async function fetchPartsAndCalls(query: string): Promise<readonly [Part[], string[]]> {
  // Fetch the catalog first, so that it is cached.
  await executeQuery(testGraph, createCountQuery('ORDERS'));
  const [parts, calls] = await testGraph.recordCalls(() => fetchParts(query));
  return [parts, calls.filter((name) => name === QUERY || name === SQL).sort()];
}

const listIncremental = (parts: readonly Part[]) => parts.flatMap(({ incremental }) => incremental ?? []);

describe('deferred analytics field', () => {
  it.each([
    ['completely', `{ ${TITLE} ... @defer(label: "count") { ${COUNT} } }`],
    ['partially', `{ ${TITLE} ${COUNT.replace('... on', '... @defer(label: "count") { ... on')} } }`],
  ])('resolves %s in a later part with one call and reports the cost in the last part', async (_title, query) => {
    const [parts, sent] = await fetchPartsAndCalls(query);
    const rows = [{ cells: [{ integer: expect.any(String) }] }];
    expect(listIncremental(parts)).toMatchObject([{ label: 'count' }]);
    expect(listIncremental(parts)[0]?.data).toMatchObject(query.includes(`{ ${COUNT} }`) ? { analyticsQuery: { rows } } : { rows });
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
  ] as const)('returns null with an error in its part without a retry if the upstream fails with %j', async (fault, code) => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    for (const operation of [QUERY, SQL]) testGraph.sandbox.faults.add({ operation, ...fault });
    const [parts, calls] = await testGraph.recordCalls(() =>
      fetchParts(`{ ${TITLE} ... @defer(label: "typed") { ${COUNT} } ... @defer(label: "sql") { ${TEXT} } }`),
    );
    expect(parts[0]).toEqual({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    const [sql, typed] = listIncremental(parts).sort((one, other) => String(one.label).localeCompare(String(other.label)));
    expect([sql, typed]).toMatchObject([
      { data: { analyticsSql: null }, errors: [{ path: ['analyticsSql'], extensions: { code, retry: 'SAFE' } }] },
      { data: { analyticsQuery: null }, errors: [{ path: ['analyticsQuery'], extensions: { code, retry: 'SAFE' } }] },
    ]);
    expect(calls.filter((name) => name === QUERY || name === SQL).sort()).toEqual([QUERY, SQL]);
    expect(parts.at(-1)?.extensions).toMatchObject({ cost: { predictedCalls: 21, actualCalls: 3 } });
  });

  it('returns AnalyticsQueryError in its part without an upstream call', async () => {
    const [parts, sent] = await fetchPartsAndCalls(`{ ${TITLE} ... @defer { ${COUNT.replace('ORDERS,', 'ORDERS, limit: 101,')} } }`);
    expect([listIncremental(parts), sent]).toMatchObject([[{ data: { analyticsQuery: { __typename: 'AnalyticsQueryError' } } }], []]);
  });

  it('counts toward the limit of eight analytics fields per operation', async () => {
    const named = (name: string) => `... @defer { ${name}: ${COUNT} }`;
    const [parts, sent] = await fetchPartsAndCalls(`{ ${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(named).join(' ')} ${TEXT} }`);
    expect([parts, sent]).toMatchObject([[{ errors: [{ extensions: { code: 'QUERY_TOO_EXPENSIVE', analyticsQueries: 9 } }] }], []]);
  });
});
