import { beforeAll, describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { diversify, executeSearch, getTraits, listRows, QUERY, SEARCH_CUSTOMERS, SEARCHES, type SearchArguments } from './searches.ts';
import { CUSTOMER_TEXTS, containsText, isFoundCustomer, listSearched } from './textModel.ts';

const testGraph = useTestGraph();
beforeAll(() => diversify(testGraph.sandbox.world));

/** A part of a text, in another case. */
const getPart = (text: string) => text.slice(1, 6).toUpperCase();

describe.each(SEARCHES)('$name', (traits) => {
  const { name } = traits;

  it('finds by `query` the records with the text, and those of customers with it, in any case', async () => {
    const rows = listSearched(testGraph.sandbox.world, traits);
    const own = [0, 1].map((index) => rows.find(({ texts }) => texts[index])?.texts[index] ?? '');
    const customer = rows.flatMap(({ customers }) => customers).find((each) => CUSTOMER_TEXTS.every((column) => each[column]));
    const known = CUSTOMER_TEXTS.map((column) => customer?.[column] ?? '');
    const queries = [...own, ...own.map(getPart), ...own.map((text) => `${text}x`), ...known, ...known.map(getPart)];
    const counts = new Set<number>();
    for (const query of new Set(queries)) {
      const isFound = (text: string | null | undefined) => containsText(text, query);
      const matching = rows.filter(({ texts, customers }) => texts.some(isFound) || customers.some((each) => isFoundCustomer(each, query)));
      const expected = matching.map(({ id }) => id);
      const selection = 'totalCount isTruncated nodes { rawId }';
      const { result, errors, cost, calls } = await executeSearch(testGraph, name, { query, first: 100 }, selection);
      expect(errors).toBeUndefined();
      expect([query, result.nodes.map(({ rawId }: { rawId: string }) => rawId)]).toEqual([query, expected.slice(0, 100)]);
      expect([result.totalCount, result.isTruncated]).toEqual([expected.length, false]);
      expect([calls, cost?.predictedCalls]).toEqual([[SEARCH_CUSTOMERS, QUERY, QUERY], 21]);
      counts.add(expected.length);
    }
    expect(counts.size).toBeGreaterThan(2);
  });
});

it('finds records that match the text and the filter', async () => {
  const filter = { statuses: ['OPEN'] };
  const listIds = async (args: SearchArguments): Promise<readonly string[]> => {
    const { result } = await executeSearch(testGraph, 'orderSearch', { ...args, first: 100 }, 'nodes { rawId }');
    return result.nodes.map(({ rawId }: { rawId: string }) => rawId);
  };
  const [both, text, open] = [await listIds({ query: 'O-0001', filter }), await listIds({ query: 'O-0001' }), await listIds({ filter })];
  expect(both).toEqual(text.filter((id) => open.includes(id)));
  expect(both.length).toBeLessThan(Math.min(text.length, open.length));
});

it.each(['customerSearch', 'workOrderSearch'] as const)(
  'reads fewer rows per query if long titles make a result of %s too large',
  async (name) => {
    const { table, get } = getTraits(name);
    const { store } = testGraph.sandbox.world;
    const expected = listRows<{ id: string }>(testGraph.sandbox.world, table, 'ORDER BY created_at DESC, id DESC').slice(0, 100);
    // Twice the size of the upstream's largest result.
    const length = Math.ceil((512 * 1024) / expected.length);
    store.run(`UPDATE ${table} SET title = title || printf('%.${length}c', 'x')`);
    const { result, errors, calls } = await executeSearch(testGraph, name, { first: 100 }, 'nodes { rawId title }');
    store.run(`UPDATE ${table} SET title = substr(title, 1, length(title) - ${length})`);
    expect(errors).toBeUndefined();
    expect(result.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(expected.map(({ id }) => id));
    const queries = calls.filter((call) => call !== get);
    expect([new Set(queries), queries.length > 2, queries.length <= 8]).toEqual([new Set([QUERY]), true, true]);
  },
);
