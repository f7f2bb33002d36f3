import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExecuteQuery, ExecuteSQL } from '../../../src/upstream/contract/generated/operations.ts';
import type { UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { executeQuery } from '../analytics/queries.ts';

const folder = mkdtempSync(join(tmpdir(), 'sort-direction-'));

function writeOverlay(sortDirection: string): string {
  const file = join(folder, `${sortDirection}.yaml`);
  writeFileSync(file, `operations: { AnalyticsService/ExecuteQuery: { sortDirection: ${sortDirection} } }`);
  return file;
}

const REJECTION: UpstreamResponse = {
  status: 400,
  headers: {},
  body: JSON.stringify({ code: 'invalid_argument', message: 'query.sort[0].direction is unknown.' }),
};

/** The sandbox without directions in typed queries. */
const withoutDirections = interceptCalls(async (request, usual) =>
  request.path.endsWith('/ExecuteQuery') && request.body.includes('"direction"') ? REJECTION : usual(request),
);

const typed = useTestGraph();
const useMode = (mode: string) =>
  useTestGraph({}, undefined, { transport: withoutDirections, env: { CONTRACT_OVERLAY: writeOverlay(mode) } });
const sql = useMode('SQL');
const ascending = useMode('ASCENDING');

type Graph = Pick<typeof typed, 'execute'>;

const ORDERS = {
  orderSearch: ['CREATED_AT', 'UPDATED_AT', 'CANCELLED_AT', 'STATUS'],
  quoteSearch: ['CREATED_AT', 'UPDATED_AT', 'STATUS'],
  paymentSearch: ['CREATED_AT', 'UPDATED_AT', 'PAID_AT', 'STATUS'],
  workOrderSearch: ['CREATED_AT', 'UPDATED_AT', 'COMPLETED_AT', 'CANCELLED_AT', 'STATUS'],
  problemSearch: ['CREATED_AT', 'UPDATED_AT', 'RESOLVED_AT', 'STATUS'],
  appointmentSearch: ['CREATED_AT', 'UPDATED_AT', 'STARTS_AT', 'ENDS_AT', 'CANCELLED_AT', 'STATUS'],
  customerSearch: ['CREATED_AT', 'UPDATED_AT', 'EXPECTED_CLOSE_AT'],
};

const fieldCases = Object.entries(ORDERS).flatMap(([search, fields]) => fields.map((field) => [search, field] as const));

/** Reads up to this many pages forward, or backward from the end. Returns the IDs and cursors of each. */
async function walk(graph: Graph, search: string, orderBy: string, isBackward: boolean, pages = 2) {
  const found: unknown[] = [];
  let position = '';
  for (let page = 0; page < pages; page += 1) {
    const size = isBackward ? 'last: 9' : 'first: 9';
    const { data, errors } = await graph.execute(
      `{ ${search}(${size}, orderBy: ${orderBy}${position}) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    const { pageInfo } = data[search];
    found.push(data[search]);
    if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) break;
    position = isBackward ? `, before: "${pageInfo.startCursor}"` : `, after: "${pageInfo.endCursor}"`;
  }
  return found;
}

describe('sortDirection: SQL', () => {
  it('requires the same scopes as typed queries', () => {
    expect(ExecuteSQL.scopes).toEqual(ExecuteQuery.scopes);
  });

  it.each(fieldCases)('returns the pages of typed queries: %s by %s', async (search, field) => {
    for (const direction of ['ASC', 'DESC'])
      for (const isBackward of [false, true]) {
        const orderBy = `{ field: ${field}, direction: ${direction} }`;
        const pages = await walk(sql, search, orderBy, isBackward);
        expect(pages).toEqual(await walk(typed, search, orderBy, isBackward));
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
    'orderSearch(filter: { customer: { title: { contains: "a" } }, quote: { status: [CONFIRMED] }, payments: { status: [OPEN, PAID] } })',
    'orderSearch(filter: { or: [{ status: [OPEN] }, { and: [{ cancelledAt: { isNull: false } }, { createdAt: { gte: "2020-01-01T00:00:00Z" } }] }] })',
    'quoteSearch(filter: { customer: { orders: { status: [OPEN] } }, order: { createdAt: { gte: "2020-01-01T00:00:00.5Z", lt: "2030-01-01T00:00:00Z" } } })',
    'paymentSearch(filter: { customer: { title: { contains: "e" } }, order: { status: [OPEN] } })',
    'workOrderSearch(filter: { customer: { title: { contains: "e" } }, appointments: { status: [SCHEDULED] } })',
    'problemSearch(filter: { portfolio: { title: { contains: "e" } } })',
    'problemSearch(filter: { customer: { title: { contains: "e" } } })',
    'appointmentSearch(filter: { customer: { title: { contains: "e" } }, workOrder: { status: [OPEN] } })',
    'appointmentSearch(filter: { isViewer: true })',
    'appointmentSearch(filter: { isViewer: false })',
    'customerSearch(filter: { orders: {}, quotes: {}, payments: { status: [PAID] } })',
    'customerSearch(filter: { problems: { status: [OPEN] } })',
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
    expect(await walk(ascending, search, ascendingOrder, false)).toEqual(await walk(typed, search, ascendingOrder, false));
    // A descending list is read in ascending order from its end.
    const descendingOrder = `{ field: ${field}, direction: DESC }`;
    expect(await walk(ascending, search, descendingOrder, true)).toEqual(await walk(typed, search, descendingOrder, true));
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
