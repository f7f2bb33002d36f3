import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CREATED, createSalesLists, toDateTime } from '../../support/salesLists.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const lists = createSalesLists(testGraph);
const { add, read, tryRead } = lists;
beforeEach(() => lists.createCustomer());
afterEach(() => testGraph.sandbox.faults.clear());

const getRequests = () =>
  testGraph.sandbox.received.filter(({ operation }) => operation.includes('/List') && !operation.startsWith('Analytics'));

describe('Customer.orders with conditions or a sort order', () => {
  it('sends one call per page, with the requested size, if the upstream filters and sorts the list', async () => {
    add('orders', [{}, { status: 2 }, {}]);
    for (const args of [
      { filter: { statuses: ['OPEN'] } },
      { filter: { statuses: 'OPEN', createdAt: {} }, orderBy: null },
      { filter: { statuses: ['OPEN'] }, orderBy: { field: 'CREATED_AT' } },
    ]) {
      const before = getRequests().length;
      const { page, cost } = await tryRead({ ...args, first: 1 });
      expect(page).toMatchObject({ hasNextPage: true, totalCount: 2 });
      // A query counts the list.
      expect(cost).toMatchObject({ predictedCalls: 11 });
      expect(getRequests().slice(before)).toMatchObject([{ request: { status: 'PUBLIC_ORDER_STATUS_OPEN', pageSize: 1 } }]);
    }
  });

  it('filters by one status upstream, so that fewer pages are read', async () => {
    add('orders', [...Array(150).fill({ status: 2 }), ...Array(50).fill({})]);
    const orderBy = { field: 'UPDATED_AT', direction: 'ASC' };
    for (const filter of [{ statuses: 'OPEN' }, { statuses: ['OPEN', 'OPEN'] }]) {
      const before = getRequests().length;
      expect((await read({ filter, orderBy, first: 1 })).totalCount).toBe(50);
      expect(getRequests().slice(before)).toMatchObject([{ request: { status: 'PUBLIC_ORDER_STATUS_OPEN', pageSize: 100 } }]);
    }
    const [{ totalCount }, calls] = await testGraph.recordCalls(() => read({ filter: { statuses: ['OPEN', 'FULFILLED'] }, first: 1 }));
    expect([totalCount, calls]).toEqual([200, Array(2).fill('Order/ListOrders')]);
  });

  it('sends each call once for all fields of a request that read the same list', async () => {
    add('orders', Array(120).fill({}));
    const query = `query ($id: ID!) { customer(id: $id) {
      largest: orders(first: 1, orderBy: { field: TOTAL_ONCE }) { totalCount }
      oldest: orders(first: 1, orderBy: { field: CREATED_AT, direction: ASC }) { totalCount }
      dollars: orders(filter: { totalOnce: { currencyCode: "USD" } }) { totalCount }
    } }`;
    const [{ data, cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: lists.customer }));
    expect(data.customer).toEqual({ largest: { totalCount: 120 }, oldest: { totalCount: 120 }, dollars: { totalCount: 0 } });
    expect(calls).toEqual(['Order/ListOrders', 'Order/ListOrders']);
    // Each list counts as two pages.
    expect(cost).toMatchObject({ predictedCalls: 6, actualCalls: 2 });
  });

  it('sends at most ten calls, and rejects a longer list with an alternative', async () => {
    const orderBy = { field: 'TOTAL_ONCE' };
    add('orders', Array(1_000).fill({}));
    const [{ totalCount }, calls] = await testGraph.recordCalls(() => read({ orderBy, first: 1 }));
    expect([totalCount, calls.length]).toEqual([1_000, 10]);
    add('orders', [{}]);
    const [{ error, page }, more] = await testGraph.recordCalls(() => tryRead({ orderBy, first: 1 }));
    expect(page.ids).toEqual([]);
    expect(error).toMatchObject({
      message:
        'orderBy requires reading the whole list of orders, but it has more than 1000. Use `orderSearch(filter: { customerId })`, or only filter by one status.',
      extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['orderBy'], code: 'OUT_OF_RANGE', limit: 1_000 }] },
    });
    expect(more).toHaveLength(10);
    const byTime = { filter: { createdAt: { gte: toDateTime(CREATED) } } };
    expect((await tryRead(byTime)).error).toMatchObject({ extensions: { issues: [{ path: ['filter', 'createdAt'] }] } });
    expect((await read({ filter: { statuses: ['CANCELLED'] }, orderBy })).totalCount).toBe(0);
  });

  it('predicts the calls from the values of variables', async () => {
    add('orders', [{}]);
    const query = `query ($id: ID!, $direction: SortDirection!) { customer(id: $id) {
      orders(orderBy: { field: CREATED_AT, direction: $direction }) { totalCount } } }`;
    for (const [direction, predictedCalls] of [
      ['ASC', 2],
      // Includes a query that counts the list, if it doesn't end with the page.
      ['DESC', 11],
      ['ASC', 2],
    ]) {
      const { data, cost } = await testGraph.execute(query, { id: lists.customer, direction });
      expect(data.customer.orders.totalCount).toBe(1);
      expect(cost).toMatchObject({ predictedCalls, actualCalls: 1 });
    }
  });

  it('continues after a page without rows, which isn’t the end of the list', async () => {
    add('orders', Array(120).fill({}));
    const body = JSON.stringify({ orders: [], hasMore: true });
    testGraph.sandbox.faults.add({ operation: 'Order/ListOrders', body, times: 1 });
    const [{ totalCount }, calls] = await testGraph.recordCalls(() => read({ orderBy: { field: 'UPDATED_AT' } }));
    expect([totalCount, calls.length]).toEqual([20, 2]);
  });

  it.each<[string, object, object]>([
    ['an empty list of statuses', { filter: { statuses: [] } }, { path: ['filter', 'statuses'], code: 'TOO_SHORT' }],
    ['OTHER', { filter: { statuses: ['OPEN', 'OTHER'] } }, { path: ['filter', 'statuses', '1'], code: 'NOT_ALLOWED' }],
    [
      'a time range that is empty',
      { filter: { createdAt: { gte: toDateTime(CREATED), lt: toDateTime(CREATED) } } },
      { path: ['filter', 'createdAt', 'lt'], code: 'OUT_OF_RANGE' },
    ],
    [
      'a range of amounts that is empty',
      { filter: { totalOnce: { currencyCode: 'EUR', minorUnits: { gte: '2', lt: '1' } } } },
      { path: ['filter', 'totalOnce', 'minorUnits', 'lt'], code: 'OUT_OF_RANGE' },
    ],
  ])('rejects %s without an upstream call', async (_title, args, issue) => {
    const [{ error }, calls] = await testGraph.recordCalls(() => tryRead(args));
    expect(error).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', issues: [issue] } });
    expect(calls).toEqual([]);
  });
});

describe('cursors of Customer.orders with conditions or a sort order', () => {
  const BY_TOTAL = { orderBy: { field: 'TOTAL_ONCE' } };

  it('belong to the conditions and the sort order, however they are written', async () => {
    add('orders', [{}, { status: 2 }, {}]);
    const filter = { statuses: ['OPEN', 'FULFILLED'], createdAt: { lt: toDateTime(CREATED + 100) } };
    const { endCursor: after } = await read({ ...BY_TOTAL, filter, first: 1 });
    const same = { statuses: ['FULFILLED', 'OPEN', 'OPEN'], createdAt: { gte: null, lt: toDateTime(CREATED + 100) }, updatedAt: {} };
    expect((await read({ orderBy: { field: 'TOTAL_ONCE', direction: 'DESC' }, filter: same, after })).ids).toHaveLength(2);
    for (const other of [
      {},
      { filter },
      { ...BY_TOTAL },
      { ...BY_TOTAL, filter: { ...filter, statuses: ['OPEN', 'CANCELLED'] } },
      { orderBy: { field: 'TOTAL_ONCE', direction: 'ASC' }, filter },
      { ...BY_TOTAL, filter: { ...filter, createdAt: { lt: toDateTime(CREATED + 101) } } },
    ]) {
      const [{ error }, calls] = await testGraph.recordCalls(() => tryRead({ ...other, after }));
      expect([error?.extensions.code, calls]).toEqual(['INVALID_CURSOR', []]);
    }
  });

  it('stay at their row if rows before it are added, removed, or no longer match', async () => {
    const { store } = testGraph.sandbox.world;
    const setStatus = (id: string | undefined, status: number) =>
      store.run('UPDATE orders SET status = :status WHERE id = :id', { id: id ?? '', status });
    for (const args of [
      { orderBy: { field: 'TOTAL_ONCE', direction: 'ASC' }, filter: { statuses: ['OPEN', 'FULFILLED'] } },
      { orderBy: { field: 'CREATED_AT', direction: 'ASC' }, filter: { statuses: ['OPEN', 'FULFILLED'] } },
    ]) {
      store.run('DELETE FROM orders WHERE customer_id = :customer', { customer: lists.customer });
      const ids = add(
        'orders',
        Array.from({ length: 12 }, (_, index) => ({ total_once_minor: index, created_at: CREATED + index })),
      ).map(({ id }) => id);
      const first = await read({ ...args, first: 4 });
      expect(first.ids).toEqual(ids.slice(0, 4));
      setStatus(ids[1], 3);
      const second = await read({ ...args, first: 4, after: first.endCursor });
      expect(second.ids).toEqual(ids.slice(4, 8));
      // The row of the cursor.
      setStatus(ids[7], 3);
      expect((await read({ ...args, first: 4, after: second.endCursor })).ids).toEqual(ids.slice(8));
    }
  });

  it('cause INVALID_CURSOR if their row has moved in a list that isn’t sorted by time', async () => {
    const ids = add(
      'orders',
      Array.from({ length: 6 }, (_, index) => ({ total_once_minor: 10 - index })),
    ).map(({ id }) => id);
    const { endCursor: after } = await read({ ...BY_TOTAL, first: 3 });
    testGraph.sandbox.world.store.run('UPDATE orders SET total_once_minor = 1 WHERE id = :id', { id: ids[2] ?? '' });
    expect((await tryRead({ ...BY_TOTAL, first: 3, after })).error?.extensions.code).toBe('INVALID_CURSOR');
  });
});
