import { describe, expect, it } from 'vitest';
import { ExecuteQuery, ExecuteSQL } from '../../../src/upstream/contract/generated/operations.ts';
import { createSortOptions, walkSearch } from '../../support/searchWalk.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { executeQuery } from '../analytics/queries.ts';

const typed = useTestGraph();
const sql = useTestGraph({}, undefined, createSortOptions('SQL'));
const ascending = useTestGraph({}, undefined, createSortOptions('ASCENDING'));

describe('sortDirection: SQL', () => {
  it('requires the same scopes as typed queries', () => {
    expect(ExecuteSQL.scopes).toEqual(ExecuteQuery.scopes);
  });

  it.each([
    ['orderSearch', 'CREATED_AT'],
    ['orderSearch', 'CANCELLED_AT'],
    ['workOrderSearch', 'STATUS'],
  ])('returns the pages of typed queries: %s by %s', async (search, field) => {
    for (const direction of ['ASC', 'DESC'])
      for (const isBackward of [false, true]) {
        const orderBy = `{ field: ${field}, direction: ${direction} }`;
        const pages = await walkSearch(sql, search, orderBy, isBackward);
        expect(pages).toEqual(await walkSearch(typed, search, orderBy, isBackward));
      }
  });

  it('sends SQL only for pages in descending order', async () => {
    const run = (args: string) =>
      sql
        .recordCalls(() => sql.execute(`{ orderSearch(first: 2${args}) { totalCount nodes { id } } }`))
        .then(([, calls]) => calls.toSorted());
    await run('');
    expect(await run('')).toEqual(['AnalyticsService/ExecuteQuery', 'AnalyticsService/ExecuteSQL']);
    expect(await run(', orderBy: { field: CREATED_AT, direction: ASC }')).toEqual([
      'AnalyticsService/ExecuteQuery',
      'AnalyticsService/ExecuteQuery',
    ]);
  });

  it.each([
    'orderSearch(query: "0")',
    'orderSearch(filter: { referenceNumber: { contains: "it\'s" } })',
    'orderSearch(filter: { customer: { title: { contains: "a" } }, quote: { statuses: [CONFIRMED] }, payments: { statuses: [OPEN, PAID] } })',
    'orderSearch(filter: { or: [{ statuses: [OPEN] }, { and: [{ cancelledAt: { isNull: false } }, { createdAt: { gte: "2020-01-01T00:00:00Z" } }] }] })',
    'quoteSearch(filter: { customer: { orders: { statuses: [OPEN] } }, order: { createdAt: { gte: "2020-01-01T00:00:00.5Z", lt: "2030-01-01T00:00:00Z" } } })',
    'paymentSearch(filter: { customer: { title: { contains: "e" } }, order: { statuses: [OPEN] } })',
    'workOrderSearch(filter: { customer: { title: { contains: "e" } }, appointments: { statuses: [SCHEDULED] } })',
    'problemSearch(filter: { portfolio: { title: { contains: "e" } } })',
    'problemSearch(filter: { customer: { title: { contains: "e" } } })',
    'appointmentSearch(filter: { customer: { title: { contains: "e" } }, workOrder: { statuses: [OPEN] } })',
    'appointmentSearch(filter: { isViewer: true })',
    'appointmentSearch(filter: { isViewer: false })',
    'customerSearch(filter: { orders: {}, quotes: {}, payments: { statuses: [PAID] } })',
    'customerSearch(filter: { problems: { statuses: [OPEN] } })',
    'customerSearch(filter: { workOrders: {}, appointments: {} })',
  ])('returns the results of typed queries: %s', async (search) => {
    const query = `{ ${search} { nodes { id } pageInfo { hasNextPage } } }`;
    const [expected, found] = [await typed.execute(query), await sql.execute(query)];
    expect(found.errors).toBeUndefined();
    expect(found.data).toEqual(expected.data);
  });
});

describe('sortDirection: ASCENDING', () => {
  it.each([
    ['orderSearch', 'CANCELLED_AT'],
    ['appointmentSearch', 'STATUS'],
  ])('returns the pages of typed queries: %s by %s', async (search, field) => {
    const ascendingOrder = `{ field: ${field}, direction: ASC }`;
    expect(await walkSearch(ascending, search, ascendingOrder, false)).toEqual(await walkSearch(typed, search, ascendingOrder, false));
    // A descending list is read in ascending order from its end.
    const descendingOrder = `{ field: ${field}, direction: DESC }`;
    expect(await walkSearch(ascending, search, descendingOrder, true)).toEqual(await walkSearch(typed, search, descendingOrder, true));
  });

  it.each([
    ['orderSearch(first: 2)', 'The Workspace API sorts only in ascending order, but `orderBy.direction` is `DESC`. Set it to `ASC`.'],
    [
      'orderSearch(last: 2, orderBy: { field: CREATED_AT, direction: ASC })',
      'The Workspace API sorts only in ascending order, so `last` isn’t available in that order. Use `first`.',
    ],
  ])('rejects %s without a call', async (search, message) => {
    const [{ errors }, calls] = await ascending.recordCalls(() => ascending.execute(`{ ${search} { nodes { id } } }`));
    expect(errors).toEqual([expect.objectContaining({ message, extensions: expect.objectContaining({ code: 'UPSTREAM_UNSUPPORTED' }) })]);
    expect(calls).toEqual([]);
  });

  it('counts in any order', async () => {
    const { data, errors } = await ascending.execute('{ orderSearch { totalCount } }');
    expect(errors).toBeUndefined();
    expect(data.orderSearch.totalCount).toBeGreaterThan(0);
  });
});

describe('analyticsQuery without directions', () => {
  const createQuery = (direction: string) => ({ entity: 'ORDERS', select: { records: ['id'] }, sort: [{ column: 'id', direction }] });

  it('rejects descending order without a call, and sorts in ascending order', async () => {
    const rejected = await executeQuery(sql, createQuery('DESC'));
    expect(rejected.result.issues).toEqual([
      {
        path: ['query', 'sort', '0', 'direction'],
        code: 'NOT_ALLOWED',
        limit: null,
        message: 'can’t be `DESC`, because the Workspace API sorts typed queries only in ascending order. Use `analyticsSql`.',
      },
    ]);
    expect(rejected.calls).toEqual([]);
    const sorted = await executeQuery(sql, createQuery('ASC'), 'rows { cells { __typename } }');
    expect(sorted.errors).toBeUndefined();
    expect(sorted.result.rows.length).toBeGreaterThan(5);
  });
});
