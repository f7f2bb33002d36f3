import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, executeQuery, executeSql, QUERY, SQL } from './queries.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are modified before they are parsed
type Body = any;

/** Modifies the next query responses. */
let change: (body: Body) => Body = (body) => body;

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    const isQuery = [QUERY, SQL].some((operation) => request.path.endsWith(operation));
    return isQuery ? { ...response, body: JSON.stringify(change(JSON.parse(response.body))) } : response;
  }),
});

const TEXT = "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1";

describe('analytics response', () => {
  it.each([[{}], [{ result: null }], [{ result: [] }], [{ result: 'none' }]])('returns UPSTREAM_INVALID_RESPONSE for %j', async (body) => {
    change = () => body;
    for (const { result, errors } of [await executeQuery(testGraph, createCountQuery('ORDERS')), await executeSql(testGraph, TEXT)])
      expect([result, errors]).toMatchObject([null, [{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' } }]]);
  });
});

describe('timestamps', () => {
  const query = {
    entity: 'ORDERS',
    timeRange: { field: 'created_at', range: { relative: { period: 'THIS_YEAR' } } },
    select: { records: ['created_at'] },
    limit: 1,
  };
  const RESULT = 'generatedAt resolvedTimeRange { from to } rows { cells { timestamp value } }';

  it('converts timestamps to UTC with full precision', async () => {
    change = ({ result }) => ({
      result: {
        ...result,
        generatedAt: '2026-03-02T10:00:00.5+01:00',
        resolvedTimeRange: { start: '2026-01-01T00:00:00+01:00', end: '2027-01-01T00:00:00.000001-09:30' },
        rows: [{ cells: [{ status: 'ANALYTICS_CELL_STATUS_READY', timestamp: '2026-03-02T23:59:59.123456-00:30' }] }],
      },
    });
    const { result, errors } = await executeQuery(testGraph, query, RESULT);
    expect([errors, result]).toEqual([
      undefined,
      {
        __typename: 'AnalyticsResult',
        generatedAt: '2026-03-02T09:00:00.5Z',
        resolvedTimeRange: { from: '2025-12-31T23:00:00Z', to: '2027-01-01T09:30:00.000001Z' },
        rows: [{ cells: [{ timestamp: '2026-03-03T00:29:59.123456Z', value: '2026-03-03T00:29:59.123456Z' }] }],
      },
    ]);
  });

  it('returns null and an error for invalid timestamps', async () => {
    change = ({ result }) => ({ result: { ...result, generatedAt: 'today', resolvedTimeRange: { start: '2026-13-01T00:00:00Z' } } });
    const { result, errors } = await executeQuery(testGraph, query, 'generatedAt resolvedTimeRange { from to }');
    expect(result).toMatchObject({ generatedAt: null, resolvedTimeRange: { from: null, to: null } });
    expect(errors).toMatchObject(Array(2).fill({ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }));
  });
});

it('treats null lists of a result as empty', async () => {
  change = ({ result }) => ({ result: { ...result, rows: null, columns: null } });
  const { result, errors } = await executeQuery(testGraph, createCountQuery('ORDERS'), 'columns { name } rows { cells { value } }');
  expect([errors, result]).toEqual([undefined, { __typename: 'AnalyticsResult', columns: [], rows: [] }]);
});

it('ignores the ID in a cell without a value', async () => {
  change = ({ result }) => ({
    result: { ...result, rows: [{ cells: [{ status: 'ANALYTICS_CELL_STATUS_UNAVAILABLE', text: 'unsettled' }] }] },
  });
  const query = { entity: 'ORDERS', select: { records: ['id'] }, limit: 1 };
  const { result, errors } = await executeQuery(testGraph, query, 'rows { record { id } }');
  expect([errors, result.rows]).toEqual([undefined, [{ record: null }]]);
});
