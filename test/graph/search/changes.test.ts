import { beforeEach, describe, expect, it } from 'vitest';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { executeSearch, getTraits, listRows, QUERY, selectIndexFields, walk } from './searches.ts';

interface OrderRow {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly cancelled_at: number | null;
  readonly status: number;
}

const GET = 'Order/GetOrder';
const OPEN = 1;
const CANCELED = 3;

/** Called after each query of the index. */
let afterQuery: () => void = () => {};
const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    if (request.path.endsWith(QUERY)) afterQuery();
    return response;
  }),
});
beforeEach(() => {
  afterQuery = () => {};
});

const listOrders = (order: string): OrderRow[] => listRows<OrderRow>(testGraph.sandbox.world, 'orders', `ORDER BY ${order}`);
const toIds = (orders: readonly OrderRow[]) => orders.map(({ id }) => id);

let created = 0;

/** Copies an order, as if it was created at this time. Returns the ID of the copy. */
function createOrder(seconds: number, more: Partial<OrderRow> = {}): string {
  const { store } = testGraph.sandbox.world;
  const [{ rowid: _rowid, ...order }] = listOrders('created_at') as [OrderRow & { rowid?: number }];
  created += 1;
  const id = `created-${String(created).padStart(5, '0')}`;
  store.insert('orders', { ...order, quote_id: id, reference_number: id, created_at: seconds, updated_at: seconds, ...more, id });
  return id;
}

/** Removes an order from the workspace, without the records that refer to it. */
const removeOrder = (id = '') => testGraph.sandbox.world.store.run("UPDATE orders SET workspace_id = 'none' WHERE id = :id", { id });

const cancelOrder = ({ id }: { id: string }, seconds: number) =>
  testGraph.sandbox.world.store.run('UPDATE orders SET status = 3, cancelled_at = :seconds, updated_at = :seconds WHERE id = :id', {
    id,
    seconds,
  });

describe('walk while orders are created and canceled', () => {
  const now = () => testGraph.sandbox.now;

  it('returns, newest first, the orders that existed at the first page', async () => {
    const before = toIds(listOrders('created_at DESC, id DESC'));
    const found = await walk(testGraph, 'orderSearch', {}, { size: 7, between: (page) => void createOrder(now() + page) });
    expect(found).toEqual(before);
  });

  it('returns, oldest first, orders that were created meanwhile, too', async () => {
    const between = (page: number) => {
      if (page < 5) createOrder(now() + 100 + page);
    };
    const found = await walk(testGraph, 'orderSearch', { orderBy: { field: 'CREATED_AT', direction: 'ASC' } }, { size: 7, between });
    expect(found).toEqual(toIds(listOrders('created_at, id')));
  });

  it('misses, by update time, only orders that changed, and returns none twice', async () => {
    const before = toIds(listOrders('updated_at DESC, created_at DESC, id DESC'));
    const changed = new Set<string>();
    const between = (page: number) => {
      const [order] = listOrders('updated_at, id').filter(({ id, status }) => status === OPEN && !changed.has(id));
      if (!order) return;
      changed.add(order.id);
      cancelOrder(order, now() + 1000 + page);
    };
    const found = await walk(testGraph, 'orderSearch', { orderBy: { field: 'UPDATED_AT' } }, { size: 7, between });
    expect(changed.size).toBeGreaterThan(5);
    expect(new Set(found).size).toBe(found.length);
    expect(before.filter((id) => !found.includes(id))).toEqual(before.filter((id) => changed.has(id) && !found.includes(id)));
    expect(found).toEqual(before.filter((id) => found.includes(id)));
  });

  it('misses, of open orders, only those that were canceled', async () => {
    const open = toIds(listOrders('created_at DESC, id DESC').filter(({ status }) => status === OPEN));
    const canceled: string[] = [];
    const between = (page: number) => {
      // The oldest, which the walk hasn't reached.
      const order = listOrders('created_at, id').find(({ status }) => status === OPEN);
      if (!order) return;
      canceled.push(order.id);
      cancelOrder(order, now() + page);
    };
    const found = await walk(testGraph, 'orderSearch', { filter: { statuses: ['OPEN'] } }, { size: 7, between });
    expect(found).toEqual(open.filter((id) => !canceled.includes(id)));
  });

  it('continues after an order that left the list', async () => {
    const expected = toIds(listOrders('created_at DESC, id DESC'));
    const { result } = await executeSearch(testGraph, 'orderSearch', { first: 2 }, 'nodes { rawId } pageInfo { endCursor }');
    removeOrder(result.nodes[1].rawId);
    const next = await executeSearch(testGraph, 'orderSearch', { first: 2, after: result.pageInfo.endCursor }, 'nodes { rawId }');
    expect(next.result.nodes).toEqual(expected.slice(2, 4).map((rawId) => ({ rawId })));
  });
});

describe('orders created within one second', () => {
  it.each([true, false])('appear exactly once, forward: %s', async (isForward) => {
    const second = testGraph.sandbox.now + 50_000 + Number(isForward);
    testGraph.sandbox.world.store.transaction(() => {
      for (let index = 0; index < 600; index += 1) createOrder(second);
    });
    const at = (seconds: number) => new Date(seconds * 1000).toISOString();
    const filter = { createdAt: { gte: at(second), lt: at(second + 1) } };
    const found: string[] = [];
    const truncated: boolean[] = [];
    let cursor: string | null = null;
    for (let hasMore = true; hasMore; ) {
      const window = isForward ? { first: 100, after: cursor } : { last: 100, before: cursor };
      const selection = 'nodes { rawId } isTruncated pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
      const { result, errors } = await executeSearch(testGraph, 'orderSearch', { filter, ...window }, selection);
      expect(errors).toBeUndefined();
      found.push(...(isForward ? result.nodes : result.nodes.toReversed()).map(({ rawId }: { rawId: string }) => rawId));
      truncated.push(result.isTruncated);
      hasMore = isForward ? result.pageInfo.hasNextPage : result.pageInfo.hasPreviousPage;
      cursor = isForward ? result.pageInfo.endCursor : result.pageInfo.startCursor;
    }
    const expected = toIds(listOrders('id DESC').filter(({ created_at }) => created_at === second));
    expect(found).toEqual((isForward ? expected : expected.toReversed()).slice(0, 500));
    expect(truncated).toEqual([false, false, false, false, true]);
    testGraph.sandbox.world.store.run('DELETE FROM orders WHERE created_at = :second', { second });
  });
});

describe('record that is deleted between the query and its read', () => {
  it('disappears, and the cursors of the page stay valid', async () => {
    const [first, second, third, ...others] = toIds(listOrders('created_at DESC, id DESC'));
    const select = 'nodes { rawId paid { minorUnits } } edges { cursor node { rawId } } pageInfo { hasNextPage startCursor endCursor }';
    afterQuery = () => {
      removeOrder(second);
      removeOrder(third);
    };
    const { result, errors, calls } = await executeSearch(testGraph, 'orderSearch', { first: 3 }, select);
    expect([errors, calls]).toEqual([undefined, [QUERY, GET, GET, GET]]);
    expect(result.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual([first]);
    expect(result.edges).toEqual([{ cursor: result.pageInfo.startCursor, node: { rawId: first } }]);
    expect(result.pageInfo.hasNextPage).toBe(true);
    for (const after of [result.pageInfo.startCursor, result.pageInfo.endCursor]) {
      const { result: rest } = await executeSearch(testGraph, 'orderSearch', { first: 2, after }, 'nodes { rawId }');
      expect(rest.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(others.slice(0, 2));
    }
  });

  it('doesn’t end the list if no record of the page exists any more', async () => {
    const [first, second, third] = toIds(listOrders('created_at DESC, id DESC'));
    afterQuery = () => {
      removeOrder(first);
      removeOrder(second);
    };
    const { result, errors } = await executeSearch(
      testGraph,
      'orderSearch',
      { first: 2 },
      'nodes { paid { minorUnits } } pageInfo { hasNextPage endCursor }',
    );
    expect([errors, result.nodes, result.pageInfo]).toEqual([undefined, [], { hasNextPage: true, endCursor: expect.any(String) }]);
    afterQuery = () => {};
    const next = await executeSearch(testGraph, 'orderSearch', { first: 1, after: result.pageInfo.endCursor }, 'nodes { rawId }');
    expect(next.result.nodes).toEqual([{ rawId: third }]);
  });

  it('appears with its current values, even if it no longer matches', async () => {
    const order = listOrders('created_at DESC, id DESC').find(({ status }) => status === OPEN);
    afterQuery = () => void (order && cancelOrder(order, testGraph.sandbox.now));
    const args = { first: 1, filter: { statuses: ['OPEN'] } };
    const { result } = await executeSearch(testGraph, 'orderSearch', args, 'nodes { rawId status paid { minorUnits } }');
    expect(result.nodes).toMatchObject([{ rawId: order?.id, status: 'CANCELLED' }]);
    expect(listOrders('id').find(({ id }) => id === order?.id)?.status).toBe(CANCELED);
  });
});

describe('order with amounts that aren’t settled', () => {
  it('costs a read by ID, and the others of the page come from the index', async () => {
    const [, unsettled] = toIds(listOrders('created_at DESC, id DESC'));
    const fields = `nodes { rawId ${selectIndexFields(getTraits('orderSearch'))} }`;
    // The first page of an index is compared with its records.
    await executeSearch(testGraph, 'orderSearch', { first: 3 }, fields);
    const before = await executeSearch(testGraph, 'orderSearch', { first: 3 }, fields);
    expect(before.calls).toEqual([QUERY]);
    unresolvedSnapshotTable.insert(testGraph.sandbox.world.store, {
      workspace_id: demoId('workspace'),
      kind: 'order',
      record_id: unsettled ?? '',
    });
    const after = await executeSearch(testGraph, 'orderSearch', { first: 3 }, fields);
    expect([after.errors, after.calls, after.result]).toEqual([undefined, [QUERY, GET], before.result]);
    // Pages without amounts select them, too.
    const status = await executeSearch(testGraph, 'orderSearch', { first: 3 }, 'nodes { status }');
    expect([status.errors, status.calls]).toEqual([undefined, [QUERY, GET]]);
    // With `indexOnly`, only the amounts are null, each with an error.
    const readIndex = (selection: string) =>
      testGraph.recordCalls(() => testGraph.execute(`{ orderSearch(first: 3, indexOnly: true) { ${selection} } }`));
    const [indexOnly, calls] = await readIndex(fields);
    const amounts = ['totalOnce', 'totalMonthly', 'totalYearly'];
    const nulls = Object.fromEntries(amounts.map((name) => [name, null]));
    const nodes = before.result.nodes.map((node: object, index: number) => (index === 1 ? { ...node, ...nulls } : node));
    expect([calls, indexOnly.data.orderSearch.nodes]).toEqual([[QUERY], nodes]);
    expect(indexOnly.errors?.map(({ path, extensions: { code } }) => [path, code])).toEqual(
      amounts.map((name) => [['orderSearch', 'nodes', 1, name], 'UPSTREAM_UNSUPPORTED']),
    );
    const [settled, settledCalls] = await readIndex('nodes { status }');
    expect([settled.errors, settledCalls]).toEqual([undefined, [QUERY]]);
  });
});
