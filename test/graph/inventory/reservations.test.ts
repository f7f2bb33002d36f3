import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, MAIN, NOWHERE, SHELF } from '../../sandbox/stock.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, newProduct, newOrder, balance } = testGraph;

/** Creates a product with stock in the main warehouse, and an order for a quantity of it. */
async function createDemand(stock: number, quantity: number) {
  const productId = await newProduct(stock);
  return { productId, order: await newOrder(productId, quantity) };
}

type TestOrder = Awaited<ReturnType<typeof newOrder>>;

const reserve = (order: TestOrder, more: object = {}, selection = 'reservation { rawId status } effect') => {
  const input = {
    orderId: order.id,
    orderLineId: order.lineId,
    locationId: MAIN,
    quantity: 2,
    idempotencyKey: createIdempotencyKey(),
    ...more,
  };
  return mutate('orderReservationCreate', input, selection);
};

const settle = (
  name: 'orderReservationRelease' | 'orderReservationConsume',
  reservationId: string,
  idempotencyKey = createIdempotencyKey(),
) => mutate(name, { reservationId, idempotencyKey }, 'reservation { status } effect');

const returnStock = (order: TestOrder, more: object = {}) => {
  const where = { orderId: order.id, orderLineId: order.lineId, locationId: SHELF };
  return mutate(
    'inventoryReturn',
    { ...where, quantity: 1, reason: 'Too many', idempotencyKey: createIdempotencyKey(), ...more },
    'operationId effect',
  );
};

describe('Order', () => {
  it('returns its stock by ID with one call per list', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) {
          order(id: $id) {
            inventorySummary { ordered reserved outstanding }
            reservations { nodes { rawId status statusText quantity order { id } orderLine { rawId } product { rawId } location { rawId } createdAt } }
            stockDemand { nodes { orderLine { rawId } product { rawId } ordered reserved consumed outstanding available } }
          }
        }`,
        { id: demoId('order 0') },
      ),
    );
    expect([...calls].sort()).toEqual([
      'Inventory/GetOrderInventorySummary',
      'Inventory/ListOrderReservations',
      'Inventory/ListOrderStockDemand',
    ]);
    const { inventorySummary, reservations, stockDemand } = data.order;
    expect(inventorySummary.ordered).toBe(inventorySummary.reserved);
    expect(inventorySummary.outstanding).toBe(0);
    expect(reservations.nodes).toHaveLength(stockDemand.nodes.length);
    const [first] = reservations.nodes;
    const demand = stockDemand.nodes.find(({ orderLine }: { orderLine: object }) => isDeepStrictEqual(orderLine, first.orderLine));
    expect(first).toEqual({
      rawId: expect.any(String),
      status: 'ACTIVE',
      statusText: 'PUBLIC_RESERVATION_STATUS_ACTIVE',
      quantity: demand.ordered,
      order: { id: toGlobalId('Order', demoId('order 0')) },
      orderLine: demand.orderLine,
      product: demand.product,
      location: { rawId: MAIN },
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it('resolves the order lines of its reservations and stock demand with one call', async () => {
    const LINES = 'nodes { orderLine { rawId productName quantity unitPrice { amount } } }';
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(`query ($id: ID!) { order(id: $id) { reservations { ${LINES} } stockDemand { ${LINES} } } }`, {
        id: demoId('order 0'),
      }),
    );
    expect(errors).toBeUndefined();
    const { order } = (
      await testGraph.execute('query ($id: ID!) { order(id: $id) { lines { rawId productName quantity unitPrice { amount } } } }', {
        id: demoId('order 0'),
      })
    ).data;
    const lines = data.order.stockDemand.nodes.map(({ orderLine }: { orderLine: object }) => orderLine);
    expect(order.lines).toEqual(expect.arrayContaining(lines));
    expect(data.order.reservations.nodes.length).toBeGreaterThan(0);
    for (const { orderLine } of data.order.reservations.nodes) expect(lines).toContainEqual(orderLine);
    expect([...calls].sort()).toEqual(['Inventory/ListOrderReservations', 'Inventory/ListOrderStockDemand', 'Order/GetOrder']);
  });

  it('resolves orderLine to null for a line that the order no longer has', async () => {
    const { order } = await createDemand(5, 3);
    await reserve(order);
    testGraph.sandbox.faults.add({
      operation: 'Order/GetOrder',
      body: JSON.stringify({ order: { id: order.rawId, lineItems: [] } }),
      times: 1,
    });
    const query = 'query ($id: ID!) { order(id: $id) { reservations { nodes { orderLine { quantity } } } } }';
    const { data, errors } = await testGraph.execute(query, { id: order.id });
    expect([data.order.reservations.nodes, errors]).toEqual([[{ orderLine: null }], undefined]);
  });

  it('returns the ID of the line to a key that can’t read orders, and FORBIDDEN for other fields', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'inventory:read'] });
    const of = (fields: string) =>
      testGraph.recordCalls(() =>
        testGraph.executeAs(
          key,
          `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Order { reservations(first: 1) { nodes { orderLine { ${fields} } } } } } }`,
          { of: [{ __typename: 'Order', rawId: demoId('order 0') }] },
        ),
      );
    const [named, calls] = await of('rawId');
    expect([named.data._entities[0].reservations.nodes[0].orderLine, named.errors]).toEqual([{ rawId: expect.any(String) }, undefined]);
    const [{ data, errors }, more] = await of('rawId quantity');
    expect(data._entities[0].reservations.nodes).toEqual([{ orderLine: null }]);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', missingScopes: ['order:read'] } }]);
    expect([calls, more]).toEqual([['Inventory/ListOrderReservations'], ['Inventory/ListOrderReservations']]);
  });
});

describe('Mutation.orderStockAllocate', () => {
  const allocate = (orderId: string, more: object = {}) =>
    mutate(
      'orderStockAllocate',
      { orderId, idempotencyKey: createIdempotencyKey(), ...more },
      'reservations { quantity location { rawId } } shortages { orderLine { rawId } outstanding available } effect',
    );

  it('reserves available stock and returns shortages', async () => {
    const { productId, order } = await createDemand(2, 5);
    const [result, calls] = await testGraph.recordCalls(() => allocate(order.rawId, { locationId: toGlobalId('InventoryLocation', MAIN) }));
    expect(result).toMatchObject({
      reservations: [{ quantity: 2, location: { rawId: MAIN } }],
      shortages: [{ orderLine: { rawId: order.lineId }, outstanding: 3, available: 0 }],
      effect: 'DONE',
    });
    expect(calls).toEqual(['Inventory/AllocateOrderStock']);
    expect(await balance(productId)).toEqual([2, 0, 2, 0]);
  });

  it('returns the lines with shortages, also in a replay', async () => {
    const [{ order }, idempotencyKey] = [await createDemand(1, 4), createIdempotencyKey()];
    const allocateOnce = () =>
      mutate(
        'orderStockAllocate',
        { orderId: order.rawId, locationId: MAIN, idempotencyKey },
        'shortages { outstanding orderLine { rawId quantity } } effect',
      );
    const shortages = [{ outstanding: 3, orderLine: { rawId: order.lineId, quantity: 4 } }];
    expect(await allocateOnce()).toMatchObject({ shortages, effect: 'DONE' });
    const [again, calls] = await testGraph.recordCalls(allocateOnce);
    expect([again, calls]).toMatchObject([{ shortages, effect: 'REPLAYED' }, ['Inventory/ListOrderStockDemand', 'Order/GetOrder']]);
  });

  it('returns empty lists without stock or shortages', async () => {
    const { order } = await createDemand(0, 1);
    expect(await allocate(order.id)).toMatchObject({ reservations: [], shortages: [{ outstanding: 1 }] });
    const filled = await createDemand(1, 1);
    await allocate(filled.order.id);
    expect(await allocate(filled.order.id)).toMatchObject({ reservations: [], shortages: [] });
  });
});

describe('Mutation.orderReservationCreate', () => {
  it('reserves stock of one location once per idempotency key', async () => {
    const [{ productId, order }, idempotencyKey] = [await createDemand(5, 3), createIdempotencyKey()];
    const whole =
      'reservation { rawId status quantity orderLine { rawId } order { id } location { rawId } product { rawId } createdAt } effect';
    const first = await reserve(order, { idempotencyKey }, whole);
    expect(first.reservation).toEqual({
      rawId: expect.any(String),
      status: 'ACTIVE',
      quantity: 2,
      orderLine: { rawId: order.lineId },
      order: { id: order.id },
      location: { rawId: MAIN },
      product: { rawId: productId },
      createdAt: createFutureDate(0),
    });
    const [again, calls] = await testGraph.recordCalls(() => reserve(order, { idempotencyKey }, whole));
    expect([again.reservation, again.effect, calls]).toEqual([first.reservation, 'REPLAYED', ['Inventory/ListOrderReservations']]);
    expect(await reserve(order, { idempotencyKey, quantity: 1 })).toMatchObject({ __typename: 'IdempotencyKeyReusedError' });
    expect(await balance(productId)).toEqual([5, 3, 2, 0]);
  });

  it('returns TransitionBlockedError for insufficient stock and reserves nothing', async () => {
    const { productId, order } = await createDemand(1, 3);
    expect(await reserve(order)).toMatchObject({ __typename: 'TransitionBlockedError' });
    expect(await balance(productId)).toEqual([1, 1, 0, 0]);
  });

  it('reports the invalid field without an upstream call', async () => {
    const order = { id: demoId('order 0'), rawId: demoId('order 0'), lineId: NOWHERE };
    const cases = [[{ quantity: 0 }, ['quantity']]] as const;
    for (const [more, path] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => reserve(order, more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual([]);
    }
  });
});

describe.each([
  ['orderReservationRelease', 'RELEASED', [5, 5, 0, 0]],
  ['orderReservationConsume', 'CONSUMED', [3, 3, 0, 0]],
] as const)('Mutation.%s', (name, status, left) => {
  it('applies once per idempotency key', async () => {
    const [{ productId, order }, idempotencyKey] = [await createDemand(5, 3), createIdempotencyKey()];
    const { rawId } = (await reserve(order)).reservation;
    const first = await settle(name, rawId, idempotencyKey);
    const [again, calls] = await testGraph.recordCalls(() => settle(name, rawId, idempotencyKey));
    expect([first.reservation, again.reservation]).toEqual([{ status }, { status }]);
    expect([first.effect, again.effect, calls]).toEqual(['DONE', 'REPLAYED', ['Inventory/ListOrderReservations']]);
    expect(await settle(name, NOWHERE, idempotencyKey)).toMatchObject({ __typename: 'IdempotencyKeyReusedError' });
    expect(await balance(productId)).toEqual(left);
  });

  it('returns TransitionBlockedError for an inactive reservation', async () => {
    const { order } = await createDemand(5, 3);
    const { rawId } = (await reserve(order)).reservation;
    await settle(name, rawId);
    expect(await settle(name, rawId)).toMatchObject({ __typename: 'TransitionBlockedError', code: 'TRANSITION_BLOCKED' });
  });
});

describe('Mutation.inventoryReturn', () => {
  it('returns TransitionBlockedError if nothing has been consumed', async () => {
    const { order } = await createDemand(5, 3);
    expect(await returnStock(order)).toMatchObject({ __typename: 'TransitionBlockedError' });
  });

  it('reports the invalid field, without an upstream call if the rule is documented', async () => {
    const order = { id: demoId('order 0'), rawId: demoId('order 0'), lineId: NOWHERE };
    const cases = [
      [{ quantity: 0 }, ['quantity'], []],
      [{ reason: ' ' }, ['reason'], []],
      [{ reason: 'x'.repeat(1001) }, ['reason'], ['Inventory/ReturnInventory']],
      [{ idempotencyKey: 'x'.repeat(201) }, ['idempotencyKey'], []],
    ] as const;
    for (const [more, path, expected] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => returnStock(order, more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual(expected);
    }
  });
});
