import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ask, askSql, counting, QUERY, SQL } from './ask.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are changed before they are read
type Body = any;

/** Changes the next answers to queries, as an upstream would that is not the sandbox. */
let change: (body: Body) => Body = (body) => body;

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const answer = await usual(request);
    const isQuery = [QUERY, SQL].some((operation) => request.path.endsWith(operation));
    return isQuery ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) } : answer;
  }),
});

const TEXT = "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1";

describe('an answer', () => {
  it.each([[{}], [{ result: null }], [{ result: [] }], [{ result: 'none' }]])(
    'of %j has no result: that is a failure, and no empty one',
    async (body) => {
      change = () => body;
      for (const { answer, errors } of [await ask(testGraph, counting('ORDERS')), await askSql(testGraph, TEXT)])
        expect([answer, errors]).toMatchObject([null, [{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' } }]]);
    },
  );
});

describe('moments', () => {
  const query = {
    entity: 'ORDERS',
    timeRange: { field: 'created_at', range: { relative: { period: 'THIS_YEAR' } } },
    select: { records: ['created_at'] },
    limit: 1,
  };
  const RESULT = 'generatedAt resolvedTimeRange { from to } rows { cells { timestamp value } }';

  it('are shown in UTC, whatever offset the upstream writes, with all their digits', async () => {
    change = ({ result }) => ({
      result: {
        ...result,
        generatedAt: '2026-03-02T10:00:00.5+01:00',
        resolvedTimeRange: { start: '2026-01-01T00:00:00+01:00', end: '2027-01-01T00:00:00.000001-09:30' },
        rows: [{ cells: [{ status: 'ANALYTICS_CELL_STATUS_READY', timestamp: '2026-03-02T23:59:59.123456-00:30' }] }],
      },
    });
    const { answer, errors } = await ask(testGraph, query, RESULT);
    expect([errors, answer]).toEqual([
      undefined,
      {
        __typename: 'AnalyticsResult',
        generatedAt: '2026-03-02T09:00:00.5Z',
        resolvedTimeRange: { from: '2025-12-31T23:00:00Z', to: '2027-01-01T09:30:00.000001Z' },
        rows: [{ cells: [{ timestamp: '2026-03-03T00:29:59.123456Z', value: '2026-03-03T00:29:59.123456Z' }] }],
      },
    ]);
  });

  it('that are none are null with an error', async () => {
    change = ({ result }) => ({ result: { ...result, generatedAt: 'today', resolvedTimeRange: { start: '2026-13-01T00:00:00Z' } } });
    const { answer, errors } = await ask(testGraph, query, 'generatedAt resolvedTimeRange { from to }');
    expect(answer).toMatchObject({ generatedAt: null, resolvedTimeRange: { from: null, to: null } });
    expect(errors).toMatchObject(Array(2).fill({ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }));
  });
});

it('an answer whose lists are null has none', async () => {
  change = ({ result }) => ({ result: { ...result, rows: null, columns: null } });
  const { answer, errors } = await ask(testGraph, counting('ORDERS'), 'columns { name } rows { cells { value } }');
  expect([errors, answer]).toEqual([undefined, { __typename: 'AnalyticsResult', columns: [], rows: [] }]);
});
