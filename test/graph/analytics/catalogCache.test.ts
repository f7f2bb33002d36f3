import { afterEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, createCountQuery, executeQuery, QUERY } from './queries.ts';

const clock = new TestClock();
const testGraph = useTestGraph({}, undefined, { upstream: { clock } });

const MINUTE_MS = 60_000;

describe('analytics catalog cache', () => {
  afterEach(() => testGraph.sandbox.faults.clear());
  const unknown = createCountQuery('ORDERS', { filter: { compare: { field: 'statuz', operator: 'IS_NULL', values: [] } } });

  it('fetches the catalog once in five minutes per key', async () => {
    clock.now += 6 * MINUTE_MS;
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'))).calls).toEqual([CATALOG, QUERY]);
    clock.now += 4 * MINUTE_MS;
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'))).calls).toEqual([QUERY]);
    clock.now += 2 * MINUTE_MS;
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'))).calls).toEqual([CATALOG, QUERY]);
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', 'demo-reader')).calls).toEqual([CATALOG, QUERY]);
  });

  it('preserves the catalog after a write of the key', async () => {
    clock.now += 6 * MINUTE_MS;
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    const { data } = await testGraph.execute('mutation { contactCreate(input: { lastName: "Adler" }) { __typename } }');
    expect(data.contactCreate.__typename).toBe('ContactCreatePayload');
    expect((await executeQuery(testGraph, createCountQuery('ORDERS'))).calls).toEqual([QUERY]);
  });

  it('refetches the catalog before rejecting a query unless it was fetched seconds ago', async () => {
    clock.now += 6 * MINUTE_MS;
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    clock.now += MINUTE_MS;
    expect((await executeQuery(testGraph, unknown)).calls).toEqual([CATALOG]);
    expect((await executeQuery(testGraph, unknown)).calls).toEqual([]);
  });

  it('sends the query if the catalog can’t be fetched and maps the upstream’s error to a path', async () => {
    clock.now += 6 * MINUTE_MS;
    testGraph.sandbox.faults.add({ operation: CATALOG, status: 500 });
    const { result, calls } = await executeQuery(testGraph, {
      entity: 'ORDERS',
      select: { aggregate: { measures: [{ count: {} }, { max: { field: 'nothing', name: 'most' } }], dimensions: [] } },
    });
    expect(calls.at(-1)).toBe(QUERY);
    expect(result).toMatchObject({
      __typename: 'AnalyticsQueryError',
      issues: [
        {
          path: ['query', 'select', 'aggregate', 'measures', '1', 'max', 'field'],
          message: expect.stringContaining('must be a field of orders'),
        },
      ],
    });
  });
});

describe('outdated catalog', () => {
  const staleGraph = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      return request.path.endsWith('ListCatalog') ? { ...response, body: response.body.replaceAll('"created_at"', '"made_at"') } : response;
    }),
  });

  it('invalidates the catalog if the upstream rejects a query that it allows', async () => {
    const query = { entity: 'ORDERS', select: { records: ['made_at'] } };
    const { result, calls } = await executeQuery(staleGraph, query);
    expect([result.issues[0].path, calls]).toEqual([
      ['query', 'select', 'records', '0'],
      [CATALOG, QUERY],
    ]);
    expect((await executeQuery(staleGraph, query)).calls).toEqual([CATALOG, QUERY]);
    expect((await executeQuery(staleGraph, createCountQuery('ORDERS'))).calls).toEqual([CATALOG, QUERY]);
    expect((await executeQuery(staleGraph, createCountQuery('ORDERS'))).calls).toEqual([QUERY]);
  });
});
