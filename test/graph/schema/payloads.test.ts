import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { MAIN, newKey, SHELF, VAN } from '../../sandbox/stock.ts';
import { useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, mutateAs, newProduct, newOrder } = testGraph;

const MOVEMENTS = 'Inventory/ListInventoryMovements';

/** A key that may do everything but this. */
const keyWithout = (scope: string) => makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });

const moveOf = (...products: readonly string[]) => ({
  destinationLocationId: VAN,
  lines: products.map((productId) => ({ productId, sourceLocationId: MAIN, quantity: 2 })),
  idempotencyKey: newKey(),
});

const NODES = 'nodes { operationId quantityDelta product { rawId } location { rawId } }';

describe('the movements of a payload', () => {
  it('are those of what was done, in one call when they are asked for', async () => {
    const products = [await newProduct(5), await newProduct(5)];
    const [plain, plainCalls] = await testGraph.recordCalls(() => mutate('inventoryMove', moveOf(...products), 'operationId'));
    expect([plain.operationId, plainCalls]).toEqual([expect.any(String), ['Inventory/MoveInventory']]);
    const [{ operationId, movements }, calls] = await testGraph.recordCalls(() =>
      mutate('inventoryMove', moveOf(...products), `operationId movements { ${NODES} }`),
    );
    expect(calls).toEqual(['Inventory/MoveInventory', MOVEMENTS]);
    const moved = products.flatMap((rawId) => [
      { operationId, quantityDelta: -2, product: { rawId }, location: { rawId: MAIN } },
      { operationId, quantityDelta: 2, product: { rawId }, location: { rawId: VAN } },
    ]);
    expect(movements.nodes).toHaveLength(4);
    expect(movements.nodes).toEqual(expect.arrayContaining(moved));
  });

  it('go on by their cursors in the list of all movements', async () => {
    const { operationId, movements } = await mutate(
      'inventoryMove',
      moveOf(await newProduct(5)),
      'operationId movements(first: 1) { nodes { id } pageInfo { endCursor } }',
    );
    const { data } = await testGraph.execute(
      `query ($operationId: ID!, $after: String) { inventoryMovements(filter: { operationId: $operationId }, after: $after) { nodes { id } } }`,
      { operationId, after: movements.pageInfo.endCursor },
    );
    expect(data.inventoryMovements.nodes).toHaveLength(1);
    expect(data.inventoryMovements.nodes).not.toEqual(movements.nodes);
  });

  it('are null for a key that may not read them, beside what was done', async () => {
    const [, , [consume, consumed], [, returned]] = (await ordersStock()).acts;
    await mutate(consume, consumed);
    for (const [name, input] of [
      ['inventoryMove', moveOf(await newProduct(5))],
      ['inventoryReturn', returned],
    ] as const) {
      const selection = 'operationId movements { nodes { id } }';
      const [result, calls] = await testGraph.recordCalls(() => mutateAs(keyWithout('inventory:read'), name, input, selection));
      expect(result).toMatchObject({ __typename: expect.stringMatching(/Payload$/), operationId: expect.any(String), movements: null });
      expect(result.errors).toMatchObject([
        { path: [name, 'movements'], extensions: { code: 'FORBIDDEN', missingScopes: ['inventory:read'] } },
      ]);
      expect(calls).not.toContain(MOVEMENTS);
    }
  });
});

/** The steps of an order's stock, one after the other: each mutation with its input. */
async function ordersStock() {
  const productId = await newProduct(9);
  const order = await newOrder(productId, 4);
  const line = { orderId: order.rawId, orderLineId: order.lineId };
  const reserve = async () => {
    const input = { ...line, locationId: MAIN, quantity: 1, idempotencyKey: newKey() };
    return (await mutate('orderReservationCreate', input, 'reservation { id }')).reservation.id;
  };
  const settle = async () => ({ reservationId: await reserve(), idempotencyKey: newKey() });
  const acts = [
    ['orderReservationCreate', { ...line, locationId: MAIN, quantity: 1, idempotencyKey: newKey() }, 'CreateOrderReservation'],
    ['orderReservationRelease', await settle(), 'ReleaseReservation'],
    ['orderReservationConsume', await settle(), 'ConsumeReservation'],
    ['inventoryReturn', { ...line, locationId: SHELF, quantity: 1, reason: 'Broken', idempotencyKey: newKey() }, 'ReturnInventory'],
    ['orderStockAllocate', { orderId: order.rawId, idempotencyKey: newKey() }, 'AllocateOrderStock'],
  ] as const;
  return { order, acts };
}

describe('what a payload leads to', () => {
  it('is named by its keys at no cost', async () => {
    const { order, acts } = await ordersStock();
    for (const [name, input, operation] of acts) {
      const [result, calls] = await testGraph.recordCalls(() => mutate(name, input, 'order { id rawId }'));
      expect([name, result.order, calls]).toEqual([
        name,
        { id: toGlobalId('Order', order.rawId), rawId: order.rawId },
        [`Inventory/${operation}`],
      ]);
    }
  });

  it('is read as it is now, as far as it is asked for', async () => {
    const { acts } = await ordersStock();
    for (const [name, input, operation] of acts) {
      const [result, calls] = await testGraph.recordCalls(() =>
        mutate(name, input, 'order { status inventorySummary { reserved consumed } }'),
      );
      expect(result.order).toMatchObject({ status: 'OPEN', inventorySummary: { reserved: expect.any(Number) } });
      expect(calls).toEqual([`Inventory/${operation}`, 'Order/GetOrder', 'Inventory/GetOrderInventorySummary']);
    }
  });

  it('is null for a key that may not read it, beside what was done, unless its keys will do', async () => {
    const { order, acts } = await ordersStock();
    const key = keyWithout('order:read');
    const [[name, input]] = acts;
    const selection = 'reservation { status } order { status } keys: order { id }';
    const result = await mutateAs(key, name, input, selection);
    expect(result).toMatchObject({ reservation: { status: 'ACTIVE' }, order: null, keys: { id: order.id } });
    expect(result.errors).toMatchObject([{ path: [name, 'order'], extensions: { missingScopes: ['order:read'] } }]);
  });
});
