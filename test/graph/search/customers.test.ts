import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';
import { executeSearch, getError, listRows, QUERY, SEARCH_CUSTOMERS, SEARCHES, type SearchName, walk } from './searches.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true' } });
interface CustomerRow {
  readonly id: string;
  readonly title: string;
  readonly reference_number: string;
  readonly customer_name: string;
  readonly email: string;
}

const listCustomers = () => listRows<CustomerRow>(testGraph.sandbox.world, 'customers', 'ORDER BY created_at DESC, id');

const listOrders = () =>
  listRows<{ id: string; customer_id: string; reference_number: string }>(
    testGraph.sandbox.world,
    'orders',
    'ORDER BY created_at DESC, id DESC',
  );

/** A customer that has several orders. */
function findCustomer(): CustomerRow {
  const byCustomer = Map.groupBy(listOrders(), ({ customer_id }) => customer_id);
  const customer = listCustomers().find(({ id }) => (byCustomer.get(id)?.length ?? 0) > 1);
  if (!customer) throw new Error('No customer has two orders.');
  return customer;
}

const createCopyId = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Adds copies of the first record of a table, which `change` changes. */
function addCopies(table: string, count: number, change: (id: string) => object): void {
  const { store } = testGraph.sandbox.world;
  const [{ rowid: _rowid, ...row } = {}] = listRows(testGraph.sandbox.world, table);
  store.transaction(() => {
    for (const id of Array.from({ length: count }, (_, index) => createCopyId(index)))
      store.insert(table, { ...row, id, ...change(id) } as Readonly<Record<string, string>>);
  });
}

/** Adds copies of a customer, each with a copy of an order. */
function addCustomers(count: number, changes: object = {}): void {
  addCopies('customers', count, (id) => ({ reference_number: id, ...changes }));
  addCopies('orders', count, (id) => ({ quote_id: id, customer_id: id, reference_number: id }));
}

const isCopy = ({ id }: { readonly id: string }) => id.startsWith('00000000-');

afterEach(() => {
  for (const table of ['problems', 'orders', 'customers'])
    testGraph.sandbox.world.store.run(`DELETE FROM ${table} WHERE id LIKE '00000000-%'`);
});

const readIds = async (name: SearchName, query: string, key = 'demo-owner') => {
  const { result, errors, calls } = await executeSearch(testGraph, name, { query, first: 100 }, 'isTruncated nodes { rawId }', key);
  expect(errors).toBeUndefined();
  return { ids: result.nodes.map(({ rawId }: { rawId: string }) => rawId) as string[], isTruncated: result.isTruncated, calls };
};

describe('query that matches customers', () => {
  it('finds those of the first page of the upstream’s search, and reports that there are more', async () => {
    addCustomers(20);
    const found = new Set(
      listCustomers()
        .slice(0, 100)
        .map(({ id }) => id),
    );
    const customers = await readIds('customerSearch', '@example.com');
    const { result } = await executeSearch(testGraph, 'orderSearch', { query: '@example.com' }, 'totalCount isTruncated');
    const orders = listOrders().filter(({ customer_id }) => found.has(customer_id));
    const total = listOrders().length;
    expect([new Set(customers.ids), customers.isTruncated, customers.calls]).toEqual([found, true, [SEARCH_CUSTOMERS, QUERY]]);
    expect(result).toEqual({ totalCount: orders.length, isTruncated: true });
    expect(orders.length).toBeLessThan(total);
  });

  it('sends one call for equal texts of an operation, and none without a selection that needs it', async () => {
    const { email } = findCustomer();
    const document = `query ($query: String) {
      counts: orderSearch(query: $query) { totalCount }
      open: orderSearch(query: $query, filter: { statuses: [OPEN] }) { nodes { id } }
      customers: customerSearch(query: $query) { nodes { title } }
      nothing: quoteSearch(query: "x") { __typename }
    }`;
    const [{ errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, { query: email }));
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual([QUERY, QUERY, QUERY, SEARCH_CUSTOMERS]);
    expect(cost).toMatchObject({ predictedCalls: 33, actualCalls: 4 });
  });

  it('costs no more without a text', async () => {
    const document = 'query ($query: String) { orderSearch(query: $query) { nodes { id } } }';
    for (const variables of [{}, { query: null }]) {
      const [{ cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, variables));
      expect([cost?.predictedCalls, calls]).toEqual([10, [QUERY]]);
    }
  });

  it('reads the customers that it has found no more', async () => {
    const customer = findCustomer();
    const selection = 'nodes { customer { title email } }';
    const orders = await executeSearch(testGraph, 'orderSearch', { query: customer.email }, selection);
    expect(orders.result.nodes).toContainEqual({ customer: { title: customer.title, email: customer.email } });
    // Amounts that the index doesn't have yet are read with their order.
    expect(orders.calls.filter((call) => call !== 'Order/GetOrder')).toEqual([SEARCH_CUSTOMERS, QUERY]);
    const customers = await executeSearch(testGraph, 'customerSearch', { query: customer.email }, 'nodes { rawId email }');
    expect(customers.result.nodes).toContainEqual({ rawId: customer.id, email: customer.email });
    expect(customers.calls).toEqual([SEARCH_CUSTOMERS, QUERY]);
  });

  it('paginates while other customers start to match', async () => {
    const { email } = findCustomer();
    const expected = (await readIds('orderSearch', email)).ids;
    const between = (page: number) => {
      if (page === 1) addCustomers(1, { email });
    };
    const found = await walk(testGraph, 'orderSearch', { query: email }, { size: 1, between });
    expect(found.filter((id) => !isCopy({ id }))).toEqual(expected);
    expect(found.length).toBe(expected.length + 1);
  });

  it('sends queries of up to 32 KiB, with a long filter and many records created at once', async () => {
    const query = '\u0001'.repeat(200);
    addCustomers(100, { customer_name: query });
    addCopies('problems', 500, () => ({ portfolio_id: createCopyId(0), customer_id: createCopyId(99) }));
    const [{ title } = { title: '' }] = listRows<{ title: string }>(testGraph.sandbox.world, 'problems');
    const customerIds = Array.from({ length: 100 }, (_, index) => toGlobalId('Customer', createCopyId(index)));
    const filter = { customerIds, title: { anyOf: [title, 'x'.repeat(1_000)] } };
    const ids: string[] = [];
    for (let after: string | null = null, isLast = false; !isLast; ) {
      const selection = 'isTruncated nodes { rawId } pageInfo { hasNextPage endCursor }';
      const { result, errors } = await executeSearch(testGraph, 'problemSearch', { query, filter, first: 100, after }, selection);
      expect(errors).toBeUndefined();
      ids.push(...result.nodes.map(({ rawId }: { rawId: string }) => rawId));
      after = result.pageInfo.endCursor;
      isLast = !result.pageInfo.hasNextPage;
      expect(result.isTruncated).toBe(isLast);
    }
    expect(ids).toEqual(Array.from({ length: 500 }, (_, index) => createCopyId(499 - index)).slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(150);
  });

  it('fails if the upstream’s search fails, instead of returning fewer records', async () => {
    testGraph.sandbox.faults.add({ operation: SEARCH_CUSTOMERS, status: 500 });
    const { result, errors, calls } = await executeSearch(testGraph, 'orderSearch', { query: 'x' }, 'nodes { id }');
    testGraph.sandbox.faults.clear();
    expect([result, calls.includes(QUERY), getError(errors).code]).toEqual([null, false, 'UPSTREAM_UNAVAILABLE']);
  });
});

describe.each(SEARCHES.filter(({ name }) => name !== 'customerSearch'))('$name by a key that can’t read customers', ({ name, type }) => {
  const scope = `${type.replaceAll(/(?!^)([A-Z])/g, '_$1').toLowerCase()}:read`;
  const email = 'customer0@example.com';

  it.each([
    ['no scope for them', [], []],
    ['a wildcard that the upstream doesn’t accept', ['customer:*'], [SEARCH_CUSTOMERS]],
  ])('searches the texts of the index with %s', async (_title, scopes, calls) => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'analytics:read', scope, ...scopes] });
    expect(await readIds(name, email, key)).toEqual({ ids: [], isTruncated: true, calls: [...calls, QUERY] });
    expect((await readIds(name, email)).ids.length).toBeGreaterThan(0);
    const id = demoId(name === 'problemSearch' ? 'portfolio 0' : 'customer 0');
    const { title = '', reference_number = '' } = listCustomers().find((customer) => customer.id === id) ?? {};
    for (const text of [title, reference_number]) {
      const { ids } = await readIds(name, text);
      expect([ids.length > 0, (await readIds(name, text, key)).ids]).toEqual([true, ids]);
    }
  });

  it.each(['demo-restricted', 'demo-regional'])('rejects %s, whose member can’t see everything', async (key) => {
    const { result, errors } = await executeSearch(testGraph, name, { query: email }, 'nodes { id }', key);
    expect([result, getError(errors).code]).toEqual([null, 'FORBIDDEN']);
  });
});

it('finds by the tools what the fields find, with a key that has only the scopes of the tool', async () => {
  const email = 'customer0@example.com';
  const [{ reference_number: text = '' } = {}] = listOrders();
  const isOwn = ({ customer_id }: { readonly customer_id: string }) => customer_id === demoId('customer 0');
  const toIds = (orders: readonly { readonly id: string }[]) => orders.map(({ id }) => toGlobalId('Order', id));
  const call = async (key: string, query: string) => {
    const tools = await connectTools(testGraph.url, key);
    const { body } = await tools.call('svc_order_search', { query, first: 100 });
    await tools.close();
    return { ...body.data.orderSearch, nodes: body.data.orderSearch.nodes.map(({ id }: { id: string }) => id) };
  };
  const own = listOrders().filter(isOwn);
  expect(own.length).toBeGreaterThan(0);
  expect(await call('demo-owner', email)).toMatchObject({ totalCount: own.length, isTruncated: false, nodes: toIds(own) });
  const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'analytics:read', 'order:read'] });
  expect(await call(key, email)).toMatchObject({ totalCount: 0, nodes: [] });
  expect((await call(key, text)).nodes).toEqual(toIds(listOrders().filter(({ reference_number }) => reference_number.includes(text))));
});

it('rejects customerSearch without the scope of customers before any call', async () => {
  const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'customer:read') });
  const { errors, calls } = await executeSearch(testGraph, 'customerSearch', { query: 'x' }, 'nodes { id }', key);
  expect([getError(errors).code, calls]).toEqual(['FORBIDDEN', []]);
});
