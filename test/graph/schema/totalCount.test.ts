import { afterEach, describe, expect, it } from 'vitest';
import { quoteTable } from '../../../sandbox/sales/quotes.ts';
import { workOrderTable } from '../../../sandbox/work/workOrderRecords.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, QUERY } from '../search/searches.ts';

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

const LIST = 'Quote/ListQuotes';

describe('totalCount of a paged list', () => {
  /** Returns the list, and whether a query counted it. */
  const read = async (id: string, args: object) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(QUOTES, { id, ...args }));
    const counts = calls.filter((name) => name !== CATALOG);
    expect([[LIST], [LIST, QUERY]]).toContainEqual(counts);
    return { ...data.customer.quotes, isQueried: counts.includes(QUERY) };
  };

  it('needs no query if the first page is the last one', async () => {
    const id = await createCustomer(30);
    expect(await read(id, { first: 30 })).toMatchObject({ totalCount: 30, isQueried: false });
    expect(await read(id, { first: 100 })).toMatchObject({ totalCount: 30, isQueried: false });
    expect(await read(await createCustomer(0), {})).toMatchObject({ totalCount: 0, isQueried: false });
  });

  it('takes a query if there are more items', async () => {
    const id = await createCustomer(30);
    expect(await read(id, { first: 29 })).toMatchObject({ totalCount: 30, isQueried: true });
    expect(await read(id, { first: 0 })).toMatchObject({ totalCount: 30, isQueried: true });
    expect(await read(await createCustomer(101), { first: 100 })).toMatchObject({ totalCount: 101, isQueried: true });
  });

  it('takes a query on later pages, unless one upstream page contains the whole list', async () => {
    const id = await createCustomer(140);
    const { endCursor: after } = (await read(id, { first: 100 })).pageInfo;
    expect(await read(id, { first: 100, after })).toMatchObject({ totalCount: 140, isQueried: true, pageInfo: { hasNextPage: false } });
    const short = await createCustomer(30);
    const { endCursor } = (await read(short, { first: 20 })).pageInfo;
    expect(await read(short, { first: 20, after: endCursor })).toMatchObject({ totalCount: 30, isQueried: false });
  });

  it('needs no query if the last page is read without a cursor', async () => {
    expect(await read(await createCustomer(30), { last: 5 })).toMatchObject({ totalCount: 30, isQueried: false });
  });

  it('takes a query if the first page is empty, but not the last one', async () => {
    const id = await createCustomer(30);
    testGraph.sandbox.faults.add({ operation: LIST, body: JSON.stringify({ quotes: [], hasMore: true }), times: 1 });
    expect(await read(id, { first: 10 })).toMatchObject({ totalCount: 30, isQueried: true });
  });
});

/** Lists that an index counts, by table, with a filter that the upstream applies. */
const COUNTED = [
  ['quotes', 'quotes', 'quotes(first: 1)', 'quotes(first: 1, filter: { statuses: [CONFIRMED] })', 'status = 2'],
  ['orders', 'orders', 'orders(first: 1)', 'orders(first: 1, filter: { statuses: [OPEN] })', 'status = 1'],
  ['payments', 'payments', 'payments(first: 1)', 'payments(first: 1, filter: { statuses: [PAID] })', 'status = 3'],
  ['problems', 'problems', 'problems(first: 1)', 'problems(first: 1, filter: { statuses: [OPEN] })', 'status = 1'],
] as const;

describe('totalCount of a list that an index has', () => {
  const execute = async (query: string, key = 'demo-owner') => {
    const [result, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, query));
    return { ...result, queries: calls.filter((name) => name === QUERY).length, calls };
  };

  /** IDs of the customers with the most records in a table. */
  const listCustomers = (table: string, count: number) =>
    testGraph.sandbox.world.store
      .all<{ readonly id: string }>(
        `SELECT customer_id AS id FROM ${table} WHERE workspace_id = '${demoId('workspace')}' AND customer_id <> '' GROUP BY customer_id ORDER BY count(*) DESC, id LIMIT ${count}`,
      )
      .map(({ id }) => id);

  const countRows = (table: string, condition: string) =>
    testGraph.sandbox.world.store.get<{ readonly count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${condition}`)?.count;

  it.each(COUNTED)(
    'counts the %s of several customers with one query, with and without a filter',
    async (name, table, all, filtered, where) => {
      const ids = listCustomers(table, 3);
      const selection = `all: ${all} { totalCount pageInfo { hasNextPage } } filtered: ${filtered} { totalCount pageInfo { hasNextPage } }`;
      const { data, errors, queries, cost } = await execute(
        `{ nodes(ids: ${JSON.stringify(ids.map((id) => toGlobalId('Customer', id)))}) { ... on Customer { ${selection} } } }`,
      );
      expect(errors).toBeUndefined();
      expect(data.nodes.map((node: Record<string, { totalCount: number }>) => [node.all?.totalCount, node.filtered?.totalCount])).toEqual(
        ids.map((id) => [countRows(table, `customer_id = '${id}'`), countRows(table, `customer_id = '${id}' AND ${where}`)]),
      );
      const unknown = (alias: string) =>
        data.nodes.some((node: Record<string, { pageInfo: { hasNextPage: boolean } }>) => node[alias]?.pageInfo.hasNextPage);
      expect([name, unknown('all'), queries]).toEqual([name, true, 1 + Number(unknown('filtered'))]);
      // Each filter of a list needs a query, whatever the number of customers.
      expect(cost?.predictedCalls).toBe(2 * 10 + 2 * ids.length);
    },
  );

  it('counts lists of other owners, and those of the workspace', async () => {
    const { store } = testGraph.sandbox.world;
    const owners = { order_id: 'payments', portfolio_id: 'problems' } as const;
    const [order, portfolio] = Object.entries(owners).map(([column, table]) =>
      store.get<{ readonly id: string; readonly count: number }>(
        `SELECT ${column} AS id, count(*) AS count FROM ${table} WHERE workspace_id = '${demoId('workspace')}' GROUP BY ${column} ORDER BY count(*) DESC`,
      ),
    );
    const { data, queries } = await execute(`{
      order(id: "${order?.id}") { payments(first: 0) { totalCount } }
      portfolio(id: "${portfolio?.id}") { problems(first: 0) { totalCount } }
      problems(first: 0) { totalCount }
    }`);
    expect(data).toEqual({
      order: { payments: { totalCount: order?.count } },
      portfolio: { problems: { totalCount: portfolio?.count } },
      problems: { totalCount: countRows('problems', `workspace_id = '${demoId('workspace')}'`) },
    });
    expect(queries).toBe(3);
  });

  it('counts a list that the upstream truncates', async () => {
    const { store } = testGraph.sandbox.world;
    const { rowid: _own, ...template } = store.get<Record<string, never>>('SELECT * FROM work_orders LIMIT 1') ?? {};
    const id = await createCustomer(0);
    for (let index = 0; index < 101; index += 1)
      workOrderTable.insert(store, { ...template, id: `${id} ${index}`, customer_id: id } as never);
    const { data, queries } = await execute(`{ customer(id: "${id}") { workOrders { totalCount isTruncated } } }`);
    expect([data.customer.workOrders, queries]).toEqual([{ totalCount: 101, isTruncated: true }, 1]);
  });

  it('sends equal counts once, also for lists at different depths that arrive one after the other', async () => {
    const [id = ''] = listCustomers('orders', 1);
    const list = 'orders(first: 1) { totalCount nodes { id } }';
    const { data, queries } = await execute(`{
      a: customer(id: "${id}") { ${list} again: orders(first: 2) { totalCount } }
      b: orderSearch(first: 3) { nodes { customer { title ${list} } } }
    }`);
    const total = countRows('orders', `customer_id = '${id}'`);
    expect(data.a).toMatchObject({ orders: { totalCount: total }, again: { totalCount: total } });
    expect(data.b.nodes.filter((node: { customer: { orders: { totalCount: unknown } } }) => !node.customer.orders.totalCount)).toEqual([]);
    // One for the search.
    expect(queries).toBe(2);
  });

  it('sends no query if it isn’t selected, or if the graph reads the whole list', async () => {
    const [id = ''] = listCustomers('orders', 1);
    for (const [selection, predicted] of [
      ['orders(first: 1) { nodes { id } }', 1],
      ['orders(first: 1) { totalCount @skip(if: true) nodes { id } }', 1],
      ['orders(first: 1, orderBy: { field: TOTAL_ONCE, direction: DESC }) { totalCount }', 2],
    ] as const) {
      const { errors, queries, cost } = await execute(`{ customer(id: "${id}") { ${selection} } }`);
      expect([selection, errors, queries, cost?.predictedCalls]).toEqual([selection, undefined, 0, predicted]);
    }
  });

  it('predicts a query from the values of variables', async () => {
    const query = 'query ($query: String) { workOrders(query: $query, first: 1) { totalCount } }';
    const predicted: unknown[] = [];
    for (const text of ['', 'a', '', null, 'b']) {
      const { cost, errors } = await testGraph.execute(query, { query: text });
      expect(errors).toBeUndefined();
      predicted.push(cost?.predictedCalls);
    }
    expect(predicted).toEqual([11, 1, 11, 11, 1]);
  });

  it('returns null without an error if the key can’t query the index', async () => {
    const withoutScope = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'analytics:read') });
    const query = '{ customers(first: 20) { nodes { orders(first: 0) { totalCount } quotes(first: 0) { totalCount } } } }';
    for (const [key, hasCounts, expected] of [
      ['demo-owner', true, [QUERY]],
      [withoutScope, false, []],
      ['demo-regional', false, [CATALOG]],
    ] as const) {
      const { data, errors, calls } = await execute(query, key);
      const totals = data.customers.nodes.flatMap(({ orders, quotes }: Readonly<Record<string, { totalCount: number | null }>>) => [
        orders?.totalCount,
        quotes?.totalCount,
      ]);
      expect([errors, totals.includes(null)]).toEqual([undefined, !hasCounts]);
      expect(new Set(calls.filter((name) => name.startsWith('Analytics')))).toEqual(new Set(expected));
    }
  });

  it.each([
    ['the upstream denies the query', { operation: QUERY, status: 403, body: '{"code":"permission_denied"}' }, undefined],
    ['the index lacks the list', { operation: CATALOG, body: '{"entities":[]}' }, undefined],
    ['the upstream fails', { operation: QUERY, status: 500, body: '{"code":"internal"}' }, 'UPSTREAM_UNAVAILABLE'],
  ])('returns null if %s', async (_, fault, code) => {
    const [id = ''] = listCustomers('orders', 1);
    testGraph.sandbox.faults.add(fault);
    // Another key, whose catalog isn't cached.
    const { data, errors } = await execute(
      `{ customer(id: "${id}") { orders(first: 1) { totalCount nodes { id } } } }`,
      makeKey(testGraph.sandbox.world),
    );
    expect(data.customer.orders).toEqual({ totalCount: null, nodes: [expect.anything()] });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual(code && [[['customer', 'orders', 'totalCount'], code]]);
  });

  it('rejects operations with more than 8 different counts', async () => {
    const [id = ''] = listCustomers('orders', 1);
    const pages = ['OPEN', 'FULFILLED', 'CANCELLED'].flatMap((status) =>
      [0, 1, 2].map((size) => `${status}${size}: orders(first: ${size}, filter: { statuses: [${status}] }) { totalCount }`),
    );
    // Pages of a list have the same count.
    expect(await execute(`{ customer(id: "${id}") { ${pages.join(' ')} } }`)).toMatchObject({ errors: undefined, queries: 3 });
    const many = COUNTED.flatMap(([name, , all, filtered]) => [`${name}1: ${all} { totalCount }`, `${name}2: ${filtered} { totalCount }`]);
    const { errors, calls } = await execute(`{ customer(id: "${id}") { ${many.join(' ')} workOrders(first: 1) { totalCount } } }`);
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['QUERY_TOO_EXPENSIVE', []]);
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
