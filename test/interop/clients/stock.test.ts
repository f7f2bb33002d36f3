import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { toCompositeId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { createIdempotencyKey, MAIN, VAN } from '../../sandbox/stock.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';
import { useRelayArtifacts } from './relayArtifacts.ts';
import { SCREEN, type StockClient, startApollo, startRelay, startUrql } from './stockClients.ts';
import { refuseWarnings } from './warnings.ts';

const testGraph = useStockGraph();
const artifact = useRelayArtifacts();
refuseWarnings();

const { mutate, newProduct, newOrder } = testGraph;

const CLIENTS: readonly (readonly [name: string, start: () => StockClient])[] = [
  ['Apollo Client', () => startApollo({ testGraph, artifact })],
  ['urql with Graphcache', () => startUrql({ testGraph, artifact })],
  ['Relay', () => startRelay({ testGraph, artifact })],
];

/** Creates the records of the screen: a product with stock in two places, an order with reservations, and inbound stock. */
async function createScene() {
  const productId = await newProduct(9);
  const change = { quantityDelta: 3 };
  await mutate('inventoryAdjust', { productId, locationId: VAN, reason: 'Setup', change, idempotencyKey: createIdempotencyKey() });
  const order = await newOrder(productId, 6);
  const line = { orderId: order.id, orderLineId: toCompositeId('OrderLine', [order.rawId, order.lineId]) };
  const reserve = { ...line, locationId: MAIN, quantity: 1 };
  const reservations = [];
  for (const _each of [1, 2])
    reservations.push(await mutate('orderReservationCreate', { ...reserve, idempotencyKey: createIdempotencyKey() }, 'reservation { id }'));
  const reservationIds = reservations.map(({ reservation }) => reservation.id);
  const [, consumed] = reservationIds;
  await mutate('orderReservationConsume', { reservationId: consumed, idempotencyKey: createIdempotencyKey() });
  const lines = [{ productId, quantity: 1 }];
  const { transfer } = await mutate(
    'inventoryTransferStart',
    { sourceLocationId: MAIN, destinationLocationId: VAN, lines, idempotencyKey: createIdempotencyKey() },
    'transfer { id }',
  );
  const { backorder } = await mutate(
    'inventoryBackorderCreate',
    { destinationLocationId: MAIN, lines, expectedArrivalAt: createFutureDate(3), idempotencyKey: createIdempotencyKey() },
    'backorder { id }',
  );
  const { identifier } = await mutate(
    'productIdentifierCreate',
    { productId, kind: 'SUPPLIER', value: `On screen ${productId}` },
    'identifier { id }',
  );
  const { location } = await mutate('inventoryLocationCreate', { name: `For ${productId}`, kind: 'WAREHOUSE' }, 'location { id }');
  const { receipt } = await mutate(
    'inventoryReceiptCreate',
    { locationId: MAIN, idempotencyKey: createIdempotencyKey() },
    'receipt { id }',
  );
  await mutate('inventoryReceiptLineAdd', { receiptId: receipt.id, productId, quantity: 2, idempotencyKey: createIdempotencyKey() });
  return { productId, order, line, reserve, reservationId: reservationIds[0], transfer, backorder, identifier, location, receipt };
}

type Scene = Awaited<ReturnType<typeof createScene>>;

const BALANCES = 'ListInventoryBalances';
const ORDER = ['GetOrderInventorySummary', 'ListOrderReservations', 'ListOrderStockDemand'];

/** A mutation, its input, the operation that it calls, and the calls of the payload's own reads. */
const MUTATIONS: readonly (readonly [name: string, input: (scene: Scene) => object, operation: string, reads: readonly string[]])[] = [
  ['orderReservationRelease', ({ reservationId }) => ({ reservationId }), 'ReleaseReservation', [BALANCES, ...ORDER]],
  ['orderReservationConsume', ({ reservationId }) => ({ reservationId }), 'ConsumeReservation', [BALANCES, ...ORDER]],
  ['orderReservationCreate', ({ reserve }) => reserve, 'CreateOrderReservation', [BALANCES, ...ORDER]],
  ['orderStockAllocate', ({ order }) => ({ orderId: order.id, locationId: MAIN }), 'AllocateOrderStock', [BALANCES, ...ORDER]],
  [
    'inventoryReturn',
    ({ line, location }) => ({ ...line, locationId: location.id, quantity: 1, reason: 'Too many' }),
    'ReturnInventory',
    ['ListInventoryMovements', BALANCES, BALANCES, ...ORDER],
  ],
  [
    'inventoryMove',
    ({ productId, location }) => ({ destinationLocationId: location.id, lines: [{ productId, sourceLocationId: MAIN, quantity: 2 }] }),
    'MoveInventory',
    ['ListInventoryMovements', BALANCES, BALANCES, BALANCES],
  ],
  [
    'inventoryAdjust',
    ({ productId }) => ({ productId, locationId: MAIN, reason: 'Count', change: { quantityDelta: -1 } }),
    'AdjustInventory',
    [BALANCES],
  ],
  ['inventoryTransferComplete', ({ transfer }) => ({ transferId: transfer.id }), 'CompleteInventoryTransfer', [BALANCES]],
  [
    'inventoryBackorderReschedule',
    ({ backorder }) => ({ backorderId: backorder.id, expectedArrivalAt: createFutureDate(8) }),
    'UpdateInventoryBackorderEta',
    [],
  ],
  [
    'inventoryReceiptPost',
    ({ receipt }) => ({ receiptId: receipt.id }),
    'ReceiveInventory',
    // Before and after the write.
    ['GetInventoryReceipt', 'GetInventoryReceipt', BALANCES],
  ],
  ['productIdentifierDelete', ({ identifier }) => ({ identifierId: identifier.id }), 'DeleteProductIdentifier', []],
];

/** The screen without cache metadata and without removed rows. */
function withoutMetadata(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== undefined).map(withoutMetadata);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !name.startsWith('__'));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMetadata(member)]));
}

describe.each(CLIENTS)('stock screen in %s', (_client, start) => {
  it.each(MUTATIONS)('matches the server after %s from the payload only', async (name, createInput, operation, reads) => {
    const scene = await createScene();
    const variables = { orderId: scene.order.id, productId: toGlobalId('Product', scene.productId), locationId: scene.location.id };
    const client = start();
    await client.open(variables);
    const before = withoutMetadata(await client.readScreen());
    const [result, calls] = await testGraph.recordCalls(async () =>
      client.execute(name, { ...createInput(scene), idempotencyKey: createIdempotencyKey() }),
    );
    expect(result).toMatchObject({ __typename: expect.stringMatching(/Payload$/) });
    expect([...calls].sort()).toEqual([operation, ...reads].map((each) => `Inventory/${each}`).sort());
    const after = withoutMetadata(await client.readScreen());
    expect(after).not.toEqual(before);
    const { data } = await testGraph.execute(print(SCREEN), variables);
    expect(after).toEqual(data);
  });

  it('updates a released reservation in the order’s list by its ID only', async () => {
    const { order, productId, reservationId, location } = await createScene();
    const client = start();
    await client.open({ orderId: order.id, productId, locationId: location.id });
    const listStatuses = async () => {
      const screen = (await client.readScreen()) as { order: { reservations: { nodes: { id: string; status: string }[] } } } | null;
      return screen?.order.reservations.nodes.map(({ id, status }) => [id === reservationId, status]);
    };
    const others = [false, 'CONSUMED'];
    expect(await listStatuses()).toEqual([[true, 'ACTIVE'], others]);
    const [, calls] = await testGraph.recordCalls(() =>
      client.execute('reservationOnly', { reservationId, idempotencyKey: createIdempotencyKey() }),
    );
    expect([await listStatuses(), calls]).toEqual([[[true, 'RELEASED'], others], ['Inventory/ReleaseReservation']]);
  });
});
