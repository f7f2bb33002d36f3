import { beforeAll, describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, diversify, executeSearch, QUERY, SEARCHES } from './searches.ts';

const testGraph = useTestGraph();
// The first page of an index is compared with its records.
beforeAll(async () => {
  await testGraph.execute('{ orderSearch { nodes { status } } }');
});

const GET = 'Order/GetOrder';
const count = (calls: readonly string[], operation: string) => calls.filter((call) => call === operation).length;

/** Executes a document as `demo-owner`. Returns the number of queries and of orders read, without the calls for the catalog. */
async function countCalls(document: string, variables: object = {}) {
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, variables));
  expect(errors, document).toBeUndefined();
  expect(calls.filter((call) => ![CATALOG, QUERY, GET].includes(call))).toEqual([]);
  return { data, calls: [count(calls, QUERY), count(calls, GET)] };
}

describe('record that the index covers', () => {
  /** Selections of three orders, and the number of orders that are read by ID. */
  const SELECTIONS: readonly (readonly [string, selection: string, reads: number])[] = [
    ['fields of the index', 'nodes { status referenceNumber createdAt }', 0],
    ['keys', 'nodes { __typename id rawId }', 0],
    ['references by ID', 'nodes { customer { id } quote { rawId } }', 0],
    ['edges', 'edges { cursor node { status } }', 0],
    ['a field of the record', 'nodes { status paid { minorUnits } }', 3],
    ['a field of the record in an edge', 'nodes { status } edges { node { paid { minorUnits } } }', 3],
    ['a skipped field of the record', 'nodes { status paid @skip(if: true) { minorUnits } }', 0],
    ['a field of the record that isn’t included', 'nodes { status paid @include(if: false) { minorUnits } }', 0],
    ['a field of the record that isn’t skipped', 'nodes { status paid @skip(if: false) { minorUnits } }', 3],
    ['skipped edges', 'nodes { status } edges @skip(if: true) { node { paid { minorUnits } } }', 0],
    ['an inline fragment', '... { nodes { ... on Order { ... { status } } } }', 0],
    ['a field of the record in an inline fragment', 'nodes { ... on Order { paid { minorUnits } } }', 3],
    ['an interface', 'nodes { ... on Node { id } }', 0],
    ['a fragment of another type', 'nodes { status ... on Node { ... on Quote { title } } }', 0],
    ['a skipped fragment', 'nodes { status ... @skip(if: true) { paid { minorUnits } } }', 0],
    ['aliases', 'rows: nodes { state: status id: referenceNumber }', 0],
    ['a field of the index under the alias of another', 'nodes { paid: status }', 0],
    ['a field of the record under the alias of one of the index', 'nodes { status: paid { minorUnits } }', 3],
    ['several fields that merge', 'nodes { status } nodes { paid { minorUnits } }', 3],
    ['no record', 'pageInfo { hasNextPage endCursor }', 0],
  ];

  it.each(SELECTIONS)('costs one call unless a field requires the record: %s', async (_title, selection, reads) => {
    const { data, calls } = await countCalls(`{ orderSearch(first: 3) { ${selection} } }`);
    expect(calls).toEqual([1, reads]);
    for (const { node, ...rest } of data.orderSearch.edges ?? []) expect([node ?? null, rest]).not.toContain(null);
  });

  it.each([
    [true, 0],
    [false, 3],
  ])('depends on variables: $skip = %s', async (skip, reads) => {
    const fragment = 'fragment Row on Order { status ...Paid @skip(if: $skip) } fragment Paid on Order { paid { minorUnits } }';
    const document = `query ($skip: Boolean!) { orderSearch(first: 3) { edges { node { ...Row } } } } ${fragment}`;
    expect((await countCalls(document, { skip })).calls).toEqual([1, reads]);
  });

  it('shares queries and records with equal fields of the operation', async () => {
    const row = 'nodes { status paid { minorUnits } }';
    const document = `{ a: orderSearch(first: 3) { ${row} } b: orderSearch(first: 3) { ${row} } }`;
    const { data, calls } = await countCalls(document);
    expect([calls, data.a]).toEqual([[1, 3], data.b]);
  });

  it('reads no record with `indexOnly`, and names the fields that the index lacks', async () => {
    const search = 'orderSearch(first: 3, indexOnly: true)';
    const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `{ a: ${search} { nodes { status customer { id } } } b: ${search} { nodes { status paid { amount } lines { id } } } }`,
      ),
    );
    expect(calls.filter((call) => call !== CATALOG)).toEqual([QUERY]);
    expect([data.a.nodes.length, data.b, cost?.predictedCalls]).toEqual([3, null, 20]);
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['b'],
        message: 'The analytics index orders of the workspace lacks paid, lines. Leave them out, or omit `indexOnly`.',
        extensions: { code: 'UPSTREAM_UNSUPPORTED', retry: 'NEVER', fields: ['paid', 'lines'] },
      }),
    ]);
  });

  it('returns edges that have the cursors of the page', async () => {
    const { data } = await countCalls(
      '{ orderSearch(first: 3) { edges { cursor node { id } } nodes { id } pageInfo { startCursor endCursor } } }',
    );
    const { edges, nodes, pageInfo } = data.orderSearch;
    expect(edges.map(({ node }: { node: object }) => node)).toEqual(nodes);
    expect(pageInfo).toEqual({ startCursor: edges[0].cursor, endCursor: edges[2].cursor });
    const { data: next } = await countCalls('query ($after: String) { orderSearch(first: 1, after: $after) { edges { cursor } } }', {
      after: edges[1].cursor,
    });
    expect(next.orderSearch.edges[0].cursor).toBe(edges[2].cursor);
  });
});

describe('predicted cost', () => {
  const many = useTestGraph();
  beforeAll(() => diversify(many.sandbox.world));

  it.each(SEARCHES)('covers the calls of $name', async ({ name, recordField }) => {
    await executeSearch(many, name, {}, 'totalCount');
    for (const selection of [
      'totalCount',
      'nodes { id }',
      `nodes { ${recordField} }`,
      `totalCount edges { node { createdAt ${recordField} } }`,
    ])
      for (const first of [0, 1, 7, 50]) {
        const { cost, calls, errors } = await executeSearch(many, name, { first, orderBy: { field: 'UPDATED_AT' } }, selection);
        expect(errors).toBeUndefined();
        expect(cost?.actualCalls).toBe(calls.length);
        expect(cost?.predictedCalls ?? 0, `${selection} ${first}`).toBeGreaterThanOrEqual(calls.length);
      }
  });

  it.each([
    ['totalCount', 10],
    ['nodes { status }', 10],
    ['nodes { status } totalCount facets { byStatus { count } }', 20],
    ['nodes { status paid { minorUnits } }', 60],
    ['nodes { status customer { title } }', 60],
    ['nodes { paid { minorUnits } customer { title } } totalCount', 120],
    ['nodes { paid @skip(if: true) { minorUnits } }', 10],
  ])('includes for { %s } with 50 orders %i calls', async (selection, calls) => {
    const { cost, errors } = await executeSearch(many, 'orderSearch', { first: 50 }, selection);
    expect([errors, cost?.predictedCalls]).toEqual([undefined, calls]);
  });
});

describe('board', () => {
  const board = useTestGraph();
  const createColumn = (name: string, filter: string, selection = 'totalCount nodes { id status }') =>
    `${name}: orderSearch(filter: ${filter}, first: 25) { ${selection} }`;
  const columns = ['OPEN', 'FULFILLED', 'CANCELLED', 'OPEN, FULFILLED'].map((status, index) =>
    createColumn(`c${index}`, `{ statuses: [${status}] }`),
  );

  it('runs with four columns and their totals', async () => {
    const [{ data, errors, cost }, calls] = await board.recordCalls(() => board.execute(`{ ${columns.join(' ')} }`));
    expect([errors, count(calls, QUERY), cost?.predictedCalls]).toEqual([undefined, 8, 80]);
    for (const [index, statuses] of [['OPEN'], ['FULFILLED'], ['CANCELLED'], ['OPEN', 'FULFILLED']].entries()) {
      const { nodes, totalCount } = data[`c${index}`];
      expect(nodes).toHaveLength(Math.min(25, totalCount));
      for (const { status } of nodes) expect(statuses).toContain(status);
    }
  });

  it('runs with four columns by status', async () => {
    const document = columns.map((column) => column.replace('first: 25', 'first: 25, orderBy: { field: STATUS }')).join(' ');
    expect((await board.execute(`{ ${document} }`)).errors).toBeUndefined();
  });

  it('fails with a ninth query before any call', async () => {
    const ninth = createColumn('c4', '{ statuses: [OPEN], currencyCodes: ["EUR"] }', 'totalCount');
    const [{ status, errors }, calls] = await board.recordCalls(() => board.execute(`{ ${columns.join(' ')} ${ninth} }`));
    expect([status, calls]).toEqual([400, []]);
    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'QUERY_TOO_EXPENSIVE', retry: 'NEVER', limitOf: 'ANALYTICS_QUERIES', limit: 8, analyticsQueries: 9 },
    ]);
  });
});
