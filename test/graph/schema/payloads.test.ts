import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { createIdempotencyKey, MAIN, SHELF, VAN } from '../../sandbox/stock.ts';
import { useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, mutateAs, newProduct, newOrder } = testGraph;

const MOVEMENTS = 'Inventory/ListInventoryMovements';

/** A key with every scope but one. */
const createKeyWithout = (scope: string) => makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });

const createMove = (...products: readonly string[]) => ({
  destinationLocationId: VAN,
  lines: products.map((productId) => ({ productId, sourceLocationId: MAIN, quantity: 2 })),
  idempotencyKey: createIdempotencyKey(),
});

const NODES = 'nodes { operationId quantityDelta product { rawId } location { rawId } }';

describe('Payload.movements', () => {
  it('lists the movements of the mutation with one call if selected', async () => {
    const products = [await newProduct(5), await newProduct(5)];
    const [plain, plainCalls] = await testGraph.recordCalls(() => mutate('inventoryMove', createMove(...products), 'operationId'));
    expect([plain.operationId, plainCalls]).toEqual([expect.any(String), ['Inventory/MoveInventory']]);
    const [{ operationId, movements }, calls] = await testGraph.recordCalls(() =>
      mutate('inventoryMove', createMove(...products), `operationId movements { ${NODES} }`),
    );
    expect(calls).toEqual(['Inventory/MoveInventory', MOVEMENTS]);
    const moved = products.flatMap((rawId) => [
      { operationId, quantityDelta: -2, product: { rawId }, location: { rawId: MAIN } },
      { operationId, quantityDelta: 2, product: { rawId }, location: { rawId: VAN } },
    ]);
    expect(movements.nodes).toHaveLength(4);
    expect(movements.nodes).toEqual(expect.arrayContaining(moved));
  });

  it('has cursors that continue in the list of all movements', async () => {
    const { operationId, movements } = await mutate(
      'inventoryMove',
      createMove(await newProduct(5)),
      'operationId movements(first: 1) { nodes { id } pageInfo { endCursor } }',
    );
    const { data } = await testGraph.execute(
      `query ($operationId: ID!, $after: String) { inventoryMovements(filter: { operationId: $operationId }, after: $after) { nodes { id } } }`,
      { operationId, after: movements.pageInfo.endCursor },
    );
    expect(data.inventoryMovements.nodes).toHaveLength(1);
    expect(data.inventoryMovements.nodes).not.toEqual(movements.nodes);
  });

  it('resolves to null, next to the effect, for a key without inventory:read', async () => {
    const [, , [consume, consumed], [, returned]] = (await prepareStock()).mutations;
    await mutate(consume, consumed);
    for (const [name, input] of [
      ['inventoryMove', createMove(await newProduct(5))],
      ['inventoryReturn', returned],
    ] as const) {
      const selection = 'operationId movements { nodes { id } }';
      const [result, calls] = await testGraph.recordCalls(() => mutateAs(createKeyWithout('inventory:read'), name, input, selection));
      expect(result).toMatchObject({ __typename: expect.stringMatching(/Payload$/), operationId: expect.any(String), movements: null });
      expect(result.errors).toMatchObject([
        { path: [name, 'movements'], extensions: { code: 'FORBIDDEN', missingScopes: ['inventory:read'] } },
      ]);
      expect(calls).not.toContain(MOVEMENTS);
    }
  });
});

/** The stock mutations of an order in sequence, each with its input and operation. */
async function prepareStock() {
  const productId = await newProduct(9);
  const order = await newOrder(productId, 4);
  const line = { orderId: order.rawId, orderLineId: order.lineId };
  const reserve = async () => {
    const input = { ...line, locationId: MAIN, quantity: 1, idempotencyKey: createIdempotencyKey() };
    return (await mutate('orderReservationCreate', input, 'reservation { id }')).reservation.id;
  };
  const settle = async () => ({ reservationId: await reserve(), idempotencyKey: createIdempotencyKey() });
  const mutations = [
    [
      'orderReservationCreate',
      { ...line, locationId: MAIN, quantity: 1, idempotencyKey: createIdempotencyKey() },
      'CreateOrderReservation',
    ],
    ['orderReservationRelease', await settle(), 'ReleaseReservation'],
    ['orderReservationConsume', await settle(), 'ConsumeReservation'],
    [
      'inventoryReturn',
      { ...line, locationId: SHELF, quantity: 1, reason: 'Broken', idempotencyKey: createIdempotencyKey() },
      'ReturnInventory',
    ],
    ['orderStockAllocate', { orderId: order.rawId, idempotencyKey: createIdempotencyKey() }, 'AllocateOrderStock'],
  ] as const;
  return { order, mutations };
}

describe('record of a payload', () => {
  it('resolves id and rawId without a call', async () => {
    const { order, mutations } = await prepareStock();
    for (const [name, input, operation] of mutations) {
      const [result, calls] = await testGraph.recordCalls(() => mutate(name, input, 'order { id rawId }'));
      expect([name, result.order, calls]).toEqual([
        name,
        { id: toGlobalId('Order', order.rawId), rawId: order.rawId },
        [`Inventory/${operation}`],
      ]);
    }
  });

  it('resolves to its current state if selected', async () => {
    const { mutations } = await prepareStock();
    for (const [name, input, operation] of mutations) {
      const [result, calls] = await testGraph.recordCalls(() =>
        mutate(name, input, 'order { status inventorySummary { reserved consumed } }'),
      );
      expect(result.order).toMatchObject({ status: 'OPEN', inventorySummary: { reserved: expect.any(Number) } });
      expect(calls).toEqual([`Inventory/${operation}`, 'Order/GetOrder', 'Inventory/GetOrderInventorySummary']);
    }
  });

  it('resolves to null for a key without the scope, except for its keys', async () => {
    const { order, mutations } = await prepareStock();
    const key = createKeyWithout('order:read');
    const [[name, input]] = mutations;
    const selection = 'reservation { status } order { status } keys: order { id }';
    const result = await mutateAs(key, name, input, selection);
    expect(result).toMatchObject({ reservation: { status: 'ACTIVE' }, order: null, keys: { id: order.id } });
    expect(result.errors).toMatchObject([{ path: [name, 'order'], extensions: { missingScopes: ['order:read'] } }]);
  });
});
