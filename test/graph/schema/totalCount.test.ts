import { afterEach, describe, expect, it } from 'vitest';
import { quoteTable } from '../../../sandbox/sales/quotes.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const QUOTES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { customer(id: $id) {
  quotes(first: $first, after: $after, last: $last, before: $before) { totalCount pageInfo { startCursor endCursor hasNextPage } }
} }`;

/** Creates a customer with this many quotes. Returns the customer's ID. */
async function createCustomer(quotes: number): Promise<string> {
  const { body } = await post(testGraph.sandbox.url, 'demo-owner', 'Customer/CreateCustomer', { title: 'Counted', customFields: {} });
  const { store } = testGraph.sandbox.world;
  const { rowid: _own, ...template } = store.get<Record<string, never>>('SELECT * FROM quotes LIMIT 1') ?? {};
  for (let index = 0; index < quotes; index += 1)
    quoteTable.insert(store, { ...template, id: `${body.customer.id} ${index}`, customer_id: body.customer.id } as never);
  return body.customer.id;
}

describe('totalCount of a paged list', () => {
  const read = async (id: string, args: object) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(QUOTES, { id, ...args }));
    expect(calls).toEqual(['Quote/ListQuotes']);
    return data.customer.quotes;
  };

  it('counts the items if the first page is the last one', async () => {
    const id = await createCustomer(30);
    expect((await read(id, { first: 30 })).totalCount).toBe(30);
    expect((await read(id, { first: 100 })).totalCount).toBe(30);
    expect((await read(await createCustomer(0), {})).totalCount).toBe(0);
  });

  it('returns null if there are more items', async () => {
    const id = await createCustomer(30);
    expect((await read(id, { first: 29 })).totalCount).toBeNull();
    expect((await read(id, { first: 0 })).totalCount).toBeNull();
    expect((await read(await createCustomer(101), { first: 100 })).totalCount).toBeNull();
  });

  it('returns null on later pages, unless one upstream page contains the whole list', async () => {
    const id = await createCustomer(140);
    const { endCursor: after } = (await read(id, { first: 100 })).pageInfo;
    expect(await read(id, { first: 100, after })).toMatchObject({ totalCount: null, pageInfo: { hasNextPage: false } });
    const short = await createCustomer(30);
    const { endCursor } = (await read(short, { first: 20 })).pageInfo;
    expect((await read(short, { first: 20, after: endCursor })).totalCount).toBe(30);
  });

  it('counts the items if the last page is read without a cursor', async () => {
    expect((await read(await createCustomer(30), { last: 5 })).totalCount).toBe(30);
  });

  it('returns null if the first page is empty, but not the last one', async () => {
    const id = await createCustomer(30);
    testGraph.sandbox.faults.add({ operation: 'Quote/ListQuotes', body: JSON.stringify({ quotes: [], hasMore: true }), times: 1 });
    expect((await read(id, { first: 10 })).totalCount).toBeNull();
  });
});

describe('totalCount of a list that is read together with those of other owners', () => {
  it('counts the items of its owner', async () => {
    const query = '{ products(first: 40) { nodes { id inventoryBalances { totalCount nodes { id } } } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(calls.filter((name) => name === 'Inventory/ListInventoryBalances').length).toBeLessThan(10);
    const lists: { totalCount: number; nodes: object[] }[] = data.products.nodes.map(
      ({ inventoryBalances }: { inventoryBalances: object }) => inventoryBalances,
    );
    expect(new Set(lists.map(({ totalCount }) => totalCount)).size).toBeGreaterThan(1);
    for (const { totalCount, nodes } of lists) expect(totalCount).toBe(nodes.length);
  });
});

describe('totalCount of the parts of a list', () => {
  it('counts the parts', async () => {
    const query = 'query ($id: ID!, $first: Int) { role(id: $id) { members(first: $first) { totalCount isTruncated nodes { id } } } }';
    const id = demoId('role planner');
    const { data } = await testGraph.execute(query, { id, first: 100 });
    const { nodes, ...metadata } = data.role.members;
    expect(nodes.length).toBeGreaterThan(1);
    expect(metadata).toEqual({ totalCount: nodes.length, isTruncated: false });
    expect((await testGraph.execute(query, { id, first: 1 })).data.role.members).toMatchObject({ totalCount: nodes.length });
  });
});
