import { type GraphQLObjectType, getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { type Filter, Model } from './model.ts';
import { diversify, executeSearch, getTraits, QUERY, SEARCHES, type SearchTraits, schema } from './searches.ts';

const testGraph = useTestGraph();
beforeAll(() => diversify(testGraph.sandbox.world));

/** The facets of a search with their value fields, from the schema. */
function listFacets({ type }: SearchTraits): readonly { readonly name: string; readonly value: string }[] {
  const facets = schema.getType(`${type}SearchFacets`) as GraphQLObjectType | undefined;
  return Object.values(facets?.getFields() ?? {}).map((field) => {
    const [value = ''] = Object.keys((getNamedType(field.type) as GraphQLObjectType).getFields());
    return { name: field.name, value };
  });
}

const selectFacets = (traits: SearchTraits) =>
  `facets { ${listFacets(traits)
    .map(({ name, value }) => `${name} { ${value} count }`)
    .join(' ')} }`;

const FILTERS: readonly Filter[] = [
  {},
  { createdAt: { gte: '2024-03-01T00:00:00Z' } },
  { createdAt: { gte: '2025-03-01T00:00:00Z', lt: '2026-03-01T00:00:00Z' } },
  { createdAt: { gte: '2099-01-01T00:00:00Z' } },
];

describe.each(SEARCHES)('$name', (traits) => {
  const { name } = traits;

  it('counts all matching records in one call', async () => {
    const model = new Model(testGraph.sandbox.world);
    const totals: number[] = [];
    for (const filter of FILTERS) {
      const { result, errors, calls } = await executeSearch(testGraph, name, { filter, first: 2 }, 'totalCount');
      expect([errors, calls]).toEqual([undefined, [QUERY]]);
      expect(result.totalCount).toBe(model.search(traits, filter).length);
      totals.push(result.totalCount);
    }
    expect(new Set(totals).size).toBeGreaterThan(2);
  });
});

describe.each(SEARCHES.filter((traits) => listFacets(traits).length > 0))('$name', (traits) => {
  const { name } = traits;
  const facets = listFacets(traits);

  it('counts by each facet in the same call as the total', async () => {
    const model = new Model(testGraph.sandbox.world);
    for (const filter of FILTERS) {
      const { result, errors, calls } = await executeSearch(testGraph, name, { filter }, `totalCount ${selectFacets(traits)}`);
      expect([errors, calls]).toEqual([undefined, [QUERY]]);
      const rows = model.search(traits, filter);
      expect(result.totalCount).toBe(rows.length);
      for (const { name: facet, value } of facets) {
        const counts = new Map<string, number>(result.facets[facet].map((each: Record<string, unknown>) => [each[value], each.count]));
        expect(counts.size).toBe(result.facets[facet].length);
        for (const [each, count] of counts) {
          expect(count, `${facet} ${each}`).toBe(
            model.search(traits, { and: [filter, { [value === 'status' ? 'statuses' : `${value}s`]: [each] }] }).length,
          );
        }
        expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(rows.length);
      }
    }
  });
});

it('returns facets of all searches whose records have statuses or currencies', () => {
  const names = SEARCHES.map((traits) => [traits.name, listFacets(traits).map(({ name }) => name)]);
  expect(Object.fromEntries(names)).toEqual({
    orderSearch: ['byStatus', 'byCurrency'],
    quoteSearch: ['byStatus', 'byCurrency'],
    paymentSearch: ['byStatus', 'byProvider', 'byCurrency'],
    workOrderSearch: ['byStatus'],
    problemSearch: ['byStatus'],
    appointmentSearch: ['byStatus', 'bySource'],
    customerSearch: [],
  });
});

const orders = getTraits('orderSearch');

describe('counting', () => {
  it('runs only if it’s selected, and a page only if anything of it is', async () => {
    const both = `totalCount ${selectFacets(orders)}`;
    for (const [selection, expected] of [
      ['__typename', []],
      ['totalCount', [QUERY]],
      [both, [QUERY]],
      ['nodes { id }', [QUERY]],
      ['edges { cursor }', [QUERY]],
      ['pageInfo { hasNextPage }', [QUERY]],
      ['isTruncated', [QUERY]],
      [`nodes { id } ${both}`, [QUERY, QUERY]],
      ['totalCount @skip(if: true) nodes { id }', [QUERY]],
      ['totalCount nodes @include(if: false) { id }', [QUERY]],
      ['totalCount ... @skip(if: true) { nodes { id } }', [QUERY]],
    ] as const) {
      const { errors, calls, result } = await executeSearch(testGraph, 'orderSearch', {}, selection);
      expect([errors, calls], selection).toEqual([undefined, expected]);
      if (selection === '__typename') expect(result).toEqual({ __typename: 'OrderSearchConnection' });
    }
  });

  it('serves all fields of the same search', async () => {
    const search = 'orderSearch(filter: { statuses: [OPEN] })';
    const document = `{ a: ${search} { totalCount nodes { id } } b: ${search} { facets { byStatus { count } } nodes { id } } }`;
    await testGraph.execute(document);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(document));
    expect([errors, calls]).toEqual([undefined, [QUERY, QUERY]]);
    expect(data.b.facets.byStatus).toEqual([{ count: data.a.totalCount }]);
    expect(data.b.nodes).toEqual(data.a.nodes);
  });
});

describe('failed counting', () => {
  const isCounting = (body: string) => body.includes('"aggregate"');
  let change: (body: string) => string | null = (body) => body;
  const brokenGraph = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (!isCounting(request.body)) return response;
      const body = change(response.body);
      return body === null ? { ...response, status: 503, body: '' } : { ...response, body };
    }),
  });

  it('leaves the page intact', async () => {
    change = () => null;
    const selection = 'totalCount facets { byStatus { count } } nodes { id }';
    const { result, errors } = await executeSearch(brokenGraph, 'orderSearch', { first: 1 }, selection);
    expect(result).toEqual({ totalCount: null, facets: null, nodes: [{ id: expect.any(String) }] });
    expect(errors?.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`).toSorted()).toEqual([
      'result.facets UPSTREAM_UNAVAILABLE',
      'result.totalCount UPSTREAM_UNAVAILABLE',
    ]);
  });

  it('returns the total, but no facets, if there are too many combinations of their values', async () => {
    change = (body) => (body.includes('PUBLIC_ORDER_STATUS') ? body.replace('"truncated":false', '"truncated":true') : body);
    const { result, errors, calls } = await executeSearch(brokenGraph, 'orderSearch', {}, 'totalCount facets { byStatus { count } }');
    expect(calls).toEqual([QUERY, QUERY]);
    expect(result).toEqual({ totalCount: new Model(brokenGraph.sandbox.world).list(orders).length, facets: null });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['result', 'facets', 'byStatus'], 'UPSTREAM_UNSUPPORTED'],
    ]);
  });

  it('returns unknown values as OTHER with their text', async () => {
    change = (body) => body.replaceAll('PUBLIC_ORDER_STATUS_OPEN', 'PUBLIC_ORDER_STATUS_ARCHIVED');
    const { result, errors } = await executeSearch(brokenGraph, 'orderSearch', {}, 'facets { byStatus { status statusText count } }');
    expect(errors).toBeUndefined();
    expect(result.facets.byStatus).toContainEqual({
      status: 'OTHER',
      statusText: 'PUBLIC_ORDER_STATUS_ARCHIVED',
      count: expect.any(Number),
    });
  });
});
