import { beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { lowerCase } from './model.ts';
import {
  diversify,
  executeSearch,
  getTraits,
  listRows,
  QUERY,
  SEARCH_CUSTOMERS,
  SEARCHES,
  type SearchArguments,
  type SearchName,
  type SearchTraits,
} from './searches.ts';

const testGraph = useTestGraph();
beforeAll(() => diversify(testGraph.sandbox.world));

const TITLE = '(SELECT title FROM customers WHERE id = customer_id)';

/** Columns of a record's texts in the index, as SQL, and columns with its customers. */
const SEARCHED: Readonly<Record<SearchName, { readonly texts: readonly string[]; readonly customers: readonly string[] }>> = {
  orderSearch: { texts: ['reference_number', TITLE], customers: ['customer_id'] },
  quoteSearch: { texts: ['reference_number', TITLE], customers: ['customer_id'] },
  paymentSearch: { texts: ['(SELECT reference_number FROM orders WHERE id = order_id)', TITLE], customers: ['customer_id'] },
  workOrderSearch: { texts: ['title', TITLE], customers: ['customer_id'] },
  problemSearch: { texts: ['title', '(SELECT title FROM customers WHERE id = portfolio_id)'], customers: ['portfolio_id', 'customer_id'] },
  appointmentSearch: { texts: [TITLE, '(SELECT title FROM work_orders WHERE id = work_order_id)'], customers: ['customer_id'] },
  customerSearch: { texts: ['title', 'reference_number'], customers: ['id'] },
};

/** Texts of a customer that the upstream's own search knows. */
const CUSTOMER_TEXTS = ['title', 'customer_name', 'email', 'phone', 'reference_number'] as const;

type Texts = Readonly<Record<string, string | null>>;

/** A row of a search, with its texts in the index, and the customers that it refers to. */
interface SearchedRow {
  readonly id: string;
  readonly texts: readonly (string | null | undefined)[];
  readonly customers: readonly Texts[];
}

const contains = (text: string | null | undefined, part: string) => lowerCase(text ?? '').includes(lowerCase(part));

/** Rows of a search, newest first. */
function listSearched({ name, table }: SearchTraits): readonly SearchedRow[] {
  const { world } = testGraph.sandbox;
  const customers = new Map(listRows<Texts>(world, 'customers').map((customer) => [customer.id, customer]));
  const { texts, customers: references } = SEARCHED[name];
  const columns = texts.map((sql, index) => `${sql} AS text${index}`).join(', ');
  const rows = world.store.all<Texts>(
    `SELECT *, ${columns} FROM ${table} WHERE workspace_id = :workspace ORDER BY created_at DESC, id DESC`,
    { workspace: demoId('workspace') },
  );
  return rows.map((row) => ({
    id: String(row.id),
    texts: texts.map((_, index) => row[`text${index}`]),
    customers: references.map((column) => customers.get(row[column] ?? '')).filter((customer) => customer !== undefined),
  }));
}

/** A part of a text, in another case. */
const getPart = (text: string) => text.slice(1, 6).toUpperCase();

describe.each(SEARCHES)('$name', (traits) => {
  const { name } = traits;

  it('finds by `query` the records with the text, and those of customers with it, in any case', async () => {
    const rows = listSearched(traits);
    const own = [0, 1].map((index) => rows.find(({ texts }) => texts[index])?.texts[index] ?? '');
    const customer = rows.flatMap(({ customers }) => customers).find((each) => CUSTOMER_TEXTS.every((column) => each[column]));
    const known = CUSTOMER_TEXTS.map((column) => customer?.[column] ?? '');
    const queries = [...own, ...own.map(getPart), ...own.map((text) => `${text}x`), ...known, ...known.map(getPart)];
    const counts = new Set<number>();
    for (const query of new Set(queries)) {
      const isFound = (each: Texts) => CUSTOMER_TEXTS.some((column) => contains(each[column], query));
      const matching = rows.filter(({ texts, customers }) => texts.some((text) => contains(text, query)) || customers.some(isFound));
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
