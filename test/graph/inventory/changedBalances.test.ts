import { afterEach, describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { CLOSED, createIdempotencyKey, DEPOT, MAIN, SHELF, VAN } from '../../sandbox/stock.ts';
import { useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, mutateAs, newProduct, newOrder, balance } = testGraph;
afterEach(() => testGraph.sandbox.faults.clear());

const BALANCES = 'Inventory/ListInventoryBalances';
const SELECTION = 'effect changedBalances { product { rawId } location { rawId } onHand available reserved inbound }';

interface Balance {
  readonly product: { readonly rawId: string };
  readonly location: { readonly rawId: string };
}

type Stock = readonly [productId: string, locationId: string];

/** Runs a mutation, and expects the current balances of exactly this stock, and these calls. */
async function expectBalances(name: string, input: object, stock: readonly Stock[], calls: readonly string[]) {
  const [payload, sent] = await testGraph.recordCalls(() => mutate(name, input, SELECTION));
  const changed = payload.changedBalances.map((row: Balance & Record<string, number>) => [
    row.product.rawId,
    row.location.rawId,
    [row.onHand, row.available, row.reserved, row.inbound],
  ]);
  const current = await Promise.all(
    stock.map(async ([productId, locationId]) => [productId, locationId, await balance(productId, locationId)]),
  );
  expect([payload.errors, sent]).toEqual([undefined, calls]);
  expect(changed.toSorted()).toEqual(current.toSorted());
  return payload;
}

const keyed = (input: object) => ({ ...input, idempotencyKey: createIdempotencyKey() });

describe('changedBalances', () => {
  it('reads all locations of a moved product in one call', async () => {
    const [first, second] = [await newProduct(9), await newProduct(5)];
    const lines = [
      { productId: first, sourceLocationId: MAIN, quantity: 2 },
      { productId: second, sourceLocationId: MAIN, quantity: 1 },
    ];
    const stock = [first, second].flatMap((id) => [[id, MAIN] as const, [id, VAN] as const]);
    await expectBalances('inventoryMove', keyed({ destinationLocationId: VAN, lines }), stock, [
      'Inventory/MoveInventory',
      BALANCES,
      BALANCES,
    ]);
    const more = [MAIN, VAN].map((sourceLocationId) => ({ productId: first, sourceLocationId, quantity: 1 }));
    const locations = [MAIN, VAN, SHELF].map((id) => [first, id] as const);
    await expectBalances('inventoryMove', keyed({ destinationLocationId: SHELF, lines: more }), locations, [
      'Inventory/MoveInventory',
      BALANCES,
    ]);
  });

  it('reads the balances after a transfer at its source, then at its destination', async () => {
    const productId = await newProduct(5);
    const input = { sourceLocationId: MAIN, destinationLocationId: DEPOT, lines: [{ productId, quantity: 2 }] };
    await expectBalances('inventoryTransferStart', keyed(input), [[productId, MAIN]], ['Inventory/StartInventoryTransfer', BALANCES]);
    const { transfer } = await mutate('inventoryTransferStart', keyed(input), 'transfer { rawId }');
    const complete = keyed({ transferId: transfer.rawId });
    const calls = ['Inventory/CompleteInventoryTransfer', BALANCES];
    await expectBalances('inventoryTransferComplete', complete, [[productId, DEPOT]], calls);
    // A replay reads the current balances.
    await mutate('inventoryAdjust', keyed({ productId, locationId: DEPOT, reason: 'Found', change: { quantityDelta: 3 } }));
    const replayed = await expectBalances('inventoryTransferComplete', complete, [[productId, DEPOT]], [BALANCES]);
    expect(replayed.effect).toBe('REPLAYED');
  });

  it('reads the balances of a posted receipt’s lines', async () => {
    const [first, second] = [await newProduct(), await newProduct(1)];
    const { receipt } = await mutate('inventoryReceiptCreate', keyed({ locationId: MAIN }), 'receipt { rawId }');
    for (const productId of [first, second])
      await mutate('inventoryReceiptLineAdd', keyed({ receiptId: receipt.rawId, productId, quantity: 3 }));
    const get = 'Inventory/GetInventoryReceipt';
    const stock = [first, second].map((id) => [id, MAIN] as const);
    await expectBalances('inventoryReceiptPost', keyed({ receiptId: receipt.rawId }), stock, [
      get,
      'Inventory/ReceiveInventory',
      get,
      BALANCES,
      BALANCES,
    ]);
  });

  it('reads the lines on all pages of a posted receipt', async () => {
    const productId = await newProduct();
    const { receipt } = await mutate('inventoryReceiptCreate', keyed({ locationId: MAIN }), 'receipt { rawId }');
    const add = () => mutate('inventoryReceiptLineAdd', keyed({ receiptId: receipt.rawId, productId, quantity: 1 }));
    for (let count = 0; count < 101; count += 1) await add();
    const get = 'Inventory/GetInventoryReceipt';
    const calls = [get, 'Inventory/ReceiveInventory', get, get, BALANCES];
    await expectBalances('inventoryReceiptPost', keyed({ receiptId: receipt.rawId }), [[productId, MAIN]], calls);
    expect(await balance(productId)).toEqual([101, 101, 0, 0]);
  });

  it('reads the balances of reserved, released, consumed and returned stock', async () => {
    const productId = await newProduct(9);
    const order = await newOrder(productId, 4);
    const stock = [[productId, MAIN]] as const;
    const reserve = { orderId: order.rawId, orderLineId: order.lineId, locationId: MAIN, quantity: 1 };
    await expectBalances('orderReservationCreate', keyed(reserve), stock, ['Inventory/CreateOrderReservation', BALANCES]);
    await expectBalances('orderStockAllocate', keyed({ orderId: order.rawId }), stock, ['Inventory/AllocateOrderStock', BALANCES]);
    const { data } = await testGraph.execute(`{ order(id: "${order.rawId}") { reservations { nodes { rawId } } } }`);
    const [released, consumed] = data.order.reservations.nodes.map(({ rawId }: { rawId: string }) => rawId);
    await expectBalances('orderReservationRelease', keyed({ reservationId: released }), stock, ['Inventory/ReleaseReservation', BALANCES]);
    await expectBalances('orderReservationConsume', keyed({ reservationId: consumed }), stock, ['Inventory/ConsumeReservation', BALANCES]);
    const back = keyed({ orderId: order.rawId, orderLineId: order.lineId, locationId: MAIN, quantity: 1, reason: 'Broken' });
    await expectBalances('inventoryReturn', back, stock, ['Inventory/ReturnInventory', 'Inventory/ListInventoryMovements', BALANCES]);
  });

  it('costs calls only if it’s selected, and predicts one for each balance', async () => {
    const productId = await newProduct(9);
    const create = (selection: string) =>
      `mutation ($input: InventoryMoveInput!) { inventoryMove(input: $input) { ... on InventoryMovePayload { ${selection} } } }`;
    const lines = [{ productId, sourceLocationId: MAIN, quantity: 1 }];
    const execute = (selection: string) => testGraph.execute(create(selection), { input: keyed({ destinationLocationId: VAN, lines }) });
    const [without, calls] = await testGraph.recordCalls(() => execute('operationId'));
    expect([calls, without.cost?.predictedCalls]).toEqual([['Inventory/MoveInventory'], 1]);
    expect((await execute('operationId changedBalances { onHand }')).cost).toMatchObject({ predictedCalls: 3, actualCalls: 2 });
  });

  it('reads a location separately if the product is at more locations than one call returns', async () => {
    const productId = await newProduct(9);
    const body = JSON.stringify({ balances: [{ productId, locationId: CLOSED, onHand: '1', available: '1' }], hasMore: true });
    testGraph.sandbox.faults.add({ operation: BALANCES, body, times: 1 });
    const lines = [{ productId, sourceLocationId: MAIN, quantity: 1 }];
    const stock = [MAIN, VAN].map((id) => [productId, id] as const);
    await expectBalances('inventoryMove', keyed({ destinationLocationId: VAN, lines }), stock, [
      'Inventory/MoveInventory',
      BALANCES,
      BALANCES,
      BALANCES,
    ]);
  });

  it('returns null with an error if it can’t be read, after the mutation has succeeded', async () => {
    const productId = await newProduct(9);
    const input = () => keyed({ destinationLocationId: VAN, lines: [{ productId, sourceLocationId: MAIN, quantity: 1 }] });
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'inventory:move'] });
    const unscoped = await mutateAs(key, 'inventoryMove', input(), SELECTION);
    expect(unscoped).toMatchObject({
      effect: 'DONE',
      changedBalances: null,
      errors: [{ extensions: { code: 'FORBIDDEN', requiredScopes: ['inventory:read'] } }],
    });
    testGraph.sandbox.faults.add({ operation: BALANCES, status: 403, body: '{"code":"permission_denied"}' });
    const denied = await mutate('inventoryMove', input(), SELECTION);
    expect(denied).toMatchObject({ effect: 'DONE', changedBalances: null, errors: [{ path: ['inventoryMove', 'changedBalances'] }] });
    testGraph.sandbox.faults.clear();
    expect(await balance(productId)).toEqual([7, 7, 0, 0]);
  });
});
