import { beforeAll, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { diversify, executeSearch, getTraits, listRows, QUERY, SEARCHES, type SearchArguments, type SearchName } from './searches.ts';

const testGraph = useTestGraph();
beforeAll(() => diversify(testGraph.sandbox.world));

/** SQL of the texts that `query` searches, by search. */
const TEXTS: Readonly<Record<SearchName, readonly string[]>> = {
  orderSearch: ['reference_number', '(SELECT title FROM customers WHERE id = customer_id)'],
  quoteSearch: ['reference_number', '(SELECT title FROM customers WHERE id = customer_id)'],
  paymentSearch: ['(SELECT reference_number FROM orders WHERE id = order_id)', '(SELECT title FROM customers WHERE id = customer_id)'],
  workOrderSearch: ['title', '(SELECT title FROM customers WHERE id = customer_id)'],
  problemSearch: ['title', '(SELECT title FROM customers WHERE id = portfolio_id)'],
  appointmentSearch: ['(SELECT title FROM customers WHERE id = customer_id)', '(SELECT title FROM work_orders WHERE id = work_order_id)'],
  customerSearch: ['title', 'reference_number'],
};

it.each(SEARCHES)('finds by `query` in $name the records with the text, in any case', async ({ name, table }) => {
  const { world } = testGraph.sandbox;
  const columns = TEXTS[name].map((sql, index) => `${sql} AS text${index}`).join(', ');
  const rows = world.store.all<{ id: string; text0: string | null; text1: string | null }>(
    `SELECT id, ${columns} FROM ${table} WHERE workspace_id = :workspace ORDER BY created_at DESC, id DESC`,
    { workspace: String(listRows(world, table)[0]?.workspace_id) },
  );
  const texts = [0, 1].map((index) => rows.map((row) => row[`text${index}` as 'text0']).find((text) => (text ?? '') !== '') ?? '');
  for (const text of texts) {
    const counts: number[] = [];
    expect(text).not.toBe('');
    for (const query of [text, text.slice(1, 6).toUpperCase(), `${text}x`]) {
      const isMatch = (each: string | null) => each?.toLowerCase().includes(query.toLowerCase()) ?? false;
      const expected = rows.filter(({ text0, text1 }) => isMatch(text0) || isMatch(text1)).map(({ id }) => id);
      const { result, errors } = await executeSearch(testGraph, name, { query, first: 100 }, 'totalCount nodes { rawId }');
      expect(errors).toBeUndefined();
      expect(result.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(expected.slice(0, 100));
      expect(result.totalCount).toBe(expected.length);
      counts.push(expected.length);
    }
    expect(new Set(counts).size).toBeGreaterThan(1);
  }
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
