import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import {
  BLOCKED,
  BUNDLE,
  CLOSED,
  DENIED,
  DEPOT,
  INFINITE,
  INVALID,
  MAIN,
  NOT_FOUND,
  NOWHERE,
  newKey,
  refusal,
  SHELF,
  stockThrough,
} from '../stock.ts';

const ACTIVE = 'PUBLIC_RESERVATION_STATUS_ACTIVE';
const RELEASED = 'PUBLIC_RESERVATION_STATUS_RELEASED';
const CONSUMED = 'PUBLIC_RESERVATION_STATUS_CONSUMED';

const test = useSandbox();
const { call, callAs } = test;
const { newProduct, balance, movements } = stockThrough(call);

const customerId = demoId('customer 1');

interface Ordered {
  readonly id: string;
  readonly version: string;
  readonly quoteId: string;
  readonly lineItems: { readonly id: string }[];
}

/** Creates an open order for these products. Returns its ID and those of its lines. */
async function newOrder(...lines: [productId: string, quantity: number][]) {
  const lineItems = lines.map(([productId, quantity]) => ({ productId, quantity }));
  const { quote } = (await call('Quote/CreateQuote', { customerId, title: 'For a test', lineItems })).body;
  const order: Ordered = (await call('Quote/ConfirmQuote', { id: quote.id })).body.order;
  return { order, orderId: order.id, lineIds: order.lineItems.map(({ id }) => id) };
}

const reserve = (orderId: string, orderLineId: string | undefined, quantity: number, locationId = MAIN) =>
  call('Inventory/CreateOrderReservation', { orderId, orderLineId, locationId, quantity: String(quantity) });

const allocate = (orderId: string, locationId?: string) => call('Inventory/AllocateOrderStock', { orderId, locationId });

const release = (reservationId: string) => call('Inventory/ReleaseReservation', { reservationId });

const consume = (reservationId: string) => call('Inventory/ConsumeReservation', { reservationId });

const giveBack = (orderId: string, orderLineId: string | undefined, quantity: number, request: Record<string, unknown> = {}) =>
  call('Inventory/ReturnInventory', {
    orderId,
    orderLineId,
    locationId: SHELF,
    quantity: String(quantity),
    reason: 'Not needed',
    ...request,
  });

const cancel = ({ id, version }: Ordered) => call('Order/CancelOrder', { id, expectedVersion: version });

/** Stocks the main warehouse with `pieces`, and reserves `quantity` for the only line of a new order. */
async function newReservation(pieces: number, quantity: number) {
  const productId = await newProduct(pieces);
  const { order, orderId, lineIds } = await newOrder([productId, quantity]);
  const { reservation } = (await reserve(orderId, lineIds[0], quantity)).body;
  return { productId, order, orderId, lineId: lineIds[0], reservation };
}

const numbers = (record: Record<string, string>, names: readonly string[]) => names.map((name) => Number(record[name] ?? 0));

/** Numbers of units ordered, reserved, consumed, returned and outstanding. */
const summary = async (orderId: string) =>
  numbers((await call('Inventory/GetOrderInventorySummary', { orderId })).body.summary, [
    'ordered',
    'reserved',
    'consumed',
    'returned',
    'outstanding',
  ]);

const demand = async (orderId: string, page: Record<string, number> = {}) =>
  (await call('Inventory/ListOrderStockDemand', { orderId, ...page })).body.demand ?? [];

const listed = async (orderId: string) =>
  (await call('Inventory/ListOrderReservations', { orderId, pageSize: 100 })).body.reservations ?? [];

const eventsOf = async (eventType: string, orderId: string) => {
  const { events } = (await call('Customer/ListCustomerTimelineEvents', { customerId })).body;
  return events.filter((event: { eventType: string; entityId: string }) => event.eventType === eventType && event.entityId === orderId);
};

describe('Inventory/CreateOrderReservation', () => {
  it('reserves available stock for a line, without a movement', async () => {
    const productId = await newProduct(10);
    const { orderId, lineIds } = await newOrder([productId, 6]);
    const { body } = await reserve(orderId, lineIds[0], 4);
    expect(body.reservation).toMatchObject({
      orderId,
      orderLineId: lineIds[0],
      productId,
      locationId: MAIN,
      quantity: '4',
      status: ACTIVE,
    });
    expect(await balance(productId)).toMatchObject({ onHand: 10, reserved: 4, available: 6 });
    expect(await movements({ productId })).toHaveLength(1);
    expect(await summary(orderId)).toEqual([6, 4, 0, 0, 2]);
  });

  it('reserves up to the outstanding quantity of the line', async () => {
    const productId = await newProduct(10);
    const { orderId, lineIds } = await newOrder([productId, 6]);
    await reserve(orderId, lineIds[0], 4);
    expect(refusal(await reserve(orderId, lineIds[0], 3))).toEqual(BLOCKED);
    expect((await reserve(orderId, lineIds[0], 2)).status).toBe(200);
  });

  it('reserves up to the available quantity', async () => {
    const productId = await newProduct(3);
    const { orderId, lineIds } = await newOrder([productId, 6]);
    expect(refusal(await reserve(orderId, lineIds[0], 4))).toEqual(BLOCKED);
    expect(await listed(orderId)).toEqual([]);
    expect(await balance(productId)).toMatchObject({ reserved: 0 });
  });

  it('reserves again when repeated', async () => {
    const { orderId, lineIds } = await newOrder([await newProduct(10), 6]);
    await reserve(orderId, lineIds[0], 2);
    await reserve(orderId, lineIds[0], 2);
    expect(await listed(orderId)).toHaveLength(2);
  });

  it('fails for an order that isn’t open', async () => {
    const { order, orderId, lineIds } = await newOrder([await newProduct(10), 6]);
    await cancel(order);
    expect(refusal(await reserve(orderId, lineIds[0], 1))).toEqual(BLOCKED);
  });

  it('fails for a line without stock, and for a location without stock', async () => {
    const { orderId, lineIds } = await newOrder([BUNDLE, 1], [INFINITE, 1], [await newProduct(5), 1]);
    expect(refusal(await reserve(orderId, lineIds[0], 1))).toEqual(BLOCKED);
    expect(refusal(await reserve(orderId, lineIds[1], 1))).toEqual(BLOCKED);
    expect(refusal(await reserve(orderId, lineIds[2], 1, CLOSED))).toEqual(BLOCKED);
  });

  it('returns not found for unknown orders and locations, and for lines of other orders', async () => {
    const one = await newOrder([await newProduct(10), 6]);
    const other = await newOrder([await newProduct(10), 6]);
    expect(refusal(await reserve(NOWHERE, one.lineIds[0], 1))).toEqual(NOT_FOUND);
    expect(refusal(await reserve(one.orderId, other.lineIds[0], 1))).toEqual(NOT_FOUND);
    expect(refusal(await reserve(one.orderId, one.lineIds[0], 1, NOWHERE))).toEqual(NOT_FOUND);
    const request = { orderId: one.orderId, orderLineId: one.lineIds[0], locationId: MAIN, quantity: '1' };
    expect(refusal(await callAs('demo-neighbour', 'Inventory/CreateOrderReservation', request))).toEqual(NOT_FOUND);
  });

  it('rejects a quantity that isn’t positive, and a read-only key', async () => {
    const { orderId, lineIds } = await newOrder([await newProduct(10), 6]);
    expect(refusal(await reserve(orderId, lineIds[0], 0))).toEqual(INVALID);
    const request = { orderId, orderLineId: lineIds[0], locationId: MAIN, quantity: '1' };
    expect(refusal(await callAs('demo-reader', 'Inventory/CreateOrderReservation', request))).toEqual(DENIED);
  });
});

describe('reserved stock', () => {
  it('can’t be moved, transferred or written off', spec('4.11.42'), async () => {
    const { productId } = await newReservation(10, 6);
    const line = { productId, quantity: '5' };
    const answers = [
      await call('Inventory/MoveInventory', {
        destinationLocationId: DEPOT,
        lines: [{ ...line, sourceLocationId: MAIN }],
        idempotencyKey: newKey(),
      }),
      await call('Inventory/StartInventoryTransfer', { sourceLocationId: MAIN, destinationLocationId: DEPOT, lines: [line] }),
      await call('Inventory/AdjustInventory', { productId, locationId: MAIN, reason: 'Lost', quantityDelta: '-5' }),
    ];
    expect(answers.map(refusal)).toEqual([BLOCKED, BLOCKED, BLOCKED]);
    expect(await balance(productId)).toMatchObject({ onHand: 10, reserved: 6, available: 4 });
  });

  it('stays reserved when an adjustment targets the available quantity', spec('4.11.30'), async () => {
    const { productId } = await newReservation(10, 6);
    const { body } = await call('Inventory/AdjustInventory', { productId, locationId: MAIN, reason: 'Count', targetAvailable: '20' });
    expect(body.balance).toMatchObject({ onHand: '26', reserved: '6', available: '20' });
    await call('Inventory/AdjustInventory', { productId, locationId: MAIN, reason: 'Count', targetAvailable: '0' });
    expect(await balance(productId)).toMatchObject({ onHand: 6, reserved: 6, available: 0 });
  });
});

describe('Inventory/AllocateOrderStock', () => {
  it('reserves the outstanding quantity, starting with the fullest location', async () => {
    const productId = await newProduct(3);
    await call('Inventory/AdjustInventory', { productId, locationId: DEPOT, reason: 'Setup', quantityDelta: '5' });
    const { orderId } = await newOrder([productId, 6]);
    const { body } = await allocate(orderId);
    expect(body.reservations).toMatchObject([
      { locationId: DEPOT, quantity: '5', status: ACTIVE },
      { locationId: MAIN, quantity: '1' },
    ]);
    expect(body.shortages ?? []).toEqual([]);
    expect(await listed(orderId)).toEqual(body.reservations);
  });

  it('reserves the available stock, and returns the lines with a shortage', async () => {
    const [short, enough] = [await newProduct(2), await newProduct(10)];
    const { orderId, lineIds } = await newOrder([short, 6], [enough, 3]);
    const { body } = await allocate(orderId);
    expect(body.reservations).toMatchObject([
      { orderLineId: lineIds[0], quantity: '2' },
      { orderLineId: lineIds[1], quantity: '3' },
    ]);
    expect(body.shortages).toHaveLength(1);
    expect(body.shortages[0]).toMatchObject({ orderLineId: lineIds[0], productId: short, ordered: '6', reserved: '2', outstanding: '4' });
  });

  it('reserves only from the specified location', async () => {
    const productId = await newProduct(10);
    await call('Inventory/AdjustInventory', { productId, locationId: DEPOT, reason: 'Setup', quantityDelta: '2' });
    const { orderId } = await newOrder([productId, 6]);
    const { body } = await allocate(orderId, DEPOT);
    expect(body.reservations).toMatchObject([{ locationId: DEPOT, quantity: '2' }]);
    expect(body.shortages).toMatchObject([{ outstanding: '4', available: '10' }]);
    expect(await balance(productId)).toMatchObject({ reserved: 0 });
  });

  it('shares the stock between lines of the same product', async () => {
    const productId = await newProduct(5);
    const { orderId, lineIds } = await newOrder([productId, 4], [productId, 3]);
    const { body } = await allocate(orderId);
    expect(body.reservations).toMatchObject([{ quantity: '4' }, { quantity: '1' }]);
    expect(body.shortages).toMatchObject([{ orderLineId: lineIds[1], outstanding: '2' }]);
  });

  it('reserves nothing if nothing is outstanding', async () => {
    const { orderId } = await newOrder([await newProduct(10), 6]);
    await allocate(orderId);
    expect((await allocate(orderId)).body.reservations ?? []).toEqual([]);
    expect(await summary(orderId)).toEqual([6, 6, 0, 0, 0]);
  });

  it('fails for an order that isn’t open, and for an inactive location', async () => {
    const { order, orderId } = await newOrder([await newProduct(10), 6]);
    expect(refusal(await allocate(orderId, CLOSED))).toEqual(BLOCKED);
    await cancel(order);
    expect(refusal(await allocate(orderId))).toEqual(BLOCKED);
  });
});

describe('Inventory/ReleaseReservation', () => {
  it('makes the stock available and the line outstanding again', async () => {
    const { productId, orderId, reservation } = await newReservation(10, 6);
    test.sandbox.now += 30;
    const { body } = await release(reservation.id);
    expect(body.reservation).toEqual({ ...reservation, status: RELEASED, updatedAt: String(test.sandbox.now) });
    expect(await balance(productId)).toMatchObject({ onHand: 10, reserved: 0, available: 10 });
    expect(await summary(orderId)).toEqual([6, 0, 0, 0, 6]);
  });

  it('fails for released and consumed reservations', async () => {
    const [one, other] = [await newReservation(10, 6), await newReservation(10, 6)];
    await release(one.reservation.id);
    await consume(other.reservation.id);
    expect(refusal(await release(one.reservation.id))).toEqual(BLOCKED);
    expect(refusal(await release(other.reservation.id))).toEqual(BLOCKED);
    expect(await balance(one.productId)).toMatchObject({ reserved: 0 });
  });

  it('applies to all reservations when an order is canceled', async () => {
    const { productId, order, orderId } = await newReservation(10, 6);
    const { body } = await call('Order/GetOrderCancellationImpact', { orderId });
    expect(body.impact.releasedQuantity).toBe('6');
    await cancel(order);
    expect(await balance(productId)).toMatchObject({ reserved: 0, available: 10 });
    expect(await listed(orderId)).toMatchObject([{ status: RELEASED }]);
  });

  it('returns not found for a reservation of another workspace', async () => {
    const { reservation } = await newReservation(10, 6);
    const request = { reservationId: reservation.id };
    expect(refusal(await callAs('demo-neighbour', 'Inventory/ReleaseReservation', request))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/ConsumeReservation', () => {
  it('removes the reserved stock, with a movement that references the order', async () => {
    const { productId, orderId, reservation } = await newReservation(10, 6);
    const { body } = await consume(reservation.id);
    expect(body.reservation).toMatchObject({ id: reservation.id, status: CONSUMED });
    expect(await balance(productId)).toMatchObject({ onHand: 4, reserved: 0, available: 4 });
    const [movement] = await movements({ productId });
    expect(movement).toMatchObject({ kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_CONSUMPTION', quantityDelta: '-6', orderId });
    expect(await summary(orderId)).toEqual([6, 0, 6, 0, 0]);
  });

  it('fails for consumed and released reservations', async () => {
    const [one, other] = [await newReservation(10, 6), await newReservation(10, 6)];
    await consume(one.reservation.id);
    await release(other.reservation.id);
    expect(refusal(await consume(one.reservation.id))).toEqual(BLOCKED);
    expect(refusal(await consume(other.reservation.id))).toEqual(BLOCKED);
    expect(await balance(one.productId)).toMatchObject({ onHand: 4 });
  });

  it('adds a timeline event that is hidden from accounts without access to orders', async () => {
    const { order, orderId, reservation } = await newReservation(10, 6);
    await consume(reservation.id);
    const [event] = await eventsOf('stock_consumed', orderId);
    expect(event).toMatchObject({ entityType: 'order', occurredAt: String(test.sandbox.now) });
    expect(event.summary).toContain('6 ×');
    const ofTheDeal = { customerId, transactionId: order.quoteId };
    const { events } = (await call('Customer/ListCustomerTimelineEvents', ofTheDeal)).body;
    expect(events.map(({ id }: { id: string }) => id)).toContain(event.id);
    const { body } = await callAs('demo-restricted', 'Customer/ListCustomerTimelineEvents', { customerId });
    expect((body.events ?? []).map(({ id }: { id: string }) => id)).not.toContain(event.id);
  });

  it('requires its own scope', async () => {
    const { reservation } = await newReservation(10, 6);
    expect(refusal(await callAs('demo-sales', 'Inventory/ConsumeReservation', { reservationId: reservation.id }))).toEqual(DENIED);
  });
});

describe('Inventory/ReturnInventory', () => {
  it('returns consumed stock to any location, with a movement of the returned operation', async () => {
    const { productId, orderId, lineId, reservation } = await newReservation(10, 6);
    await consume(reservation.id);
    const { body } = await giveBack(orderId, lineId, 2, { reason: 'Wrong colour' });
    expect(await balance(productId, SHELF)).toMatchObject({ onHand: 2, available: 2 });
    const returned = await movements({ operationId: body.operationId });
    expect(returned).toMatchObject([
      { kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_RETURN', quantityDelta: '2', reason: 'Wrong colour', orderId, locationId: SHELF },
    ]);
    expect(await summary(orderId)).toEqual([6, 0, 6, 2, 0]);
    expect(await eventsOf('stock_returned', orderId)).toHaveLength(1);
  });

  it('accepts up to the quantity that was consumed and hasn’t been returned', async () => {
    const { orderId, lineId, reservation } = await newReservation(10, 6);
    expect(refusal(await giveBack(orderId, lineId, 1))).toEqual(BLOCKED);
    await consume(reservation.id);
    expect(refusal(await giveBack(orderId, lineId, 7))).toEqual(BLOCKED);
    expect((await giveBack(orderId, lineId, 4)).status).toBe(200);
    expect(refusal(await giveBack(orderId, lineId, 3))).toEqual(BLOCKED);
    expect((await giveBack(orderId, lineId, 2)).status).toBe(200);
  });

  it('distinguishes lines of the same product', async () => {
    const productId = await newProduct(10);
    const { orderId, lineIds } = await newOrder([productId, 4], [productId, 3]);
    const { reservations } = (await allocate(orderId)).body;
    await consume(reservations[0].id);
    expect(refusal(await giveBack(orderId, lineIds[1], 1))).toEqual(BLOCKED);
    await consume(reservations[1].id);
    await giveBack(orderId, lineIds[0], 4);
    expect((await giveBack(orderId, lineIds[1], 3)).status).toBe(200);
  });

  it('rejects a blank reason, a zero quantity, and locations without stock', async () => {
    const { orderId, lineId, reservation } = await newReservation(10, 6);
    await consume(reservation.id);
    expect(refusal(await giveBack(orderId, lineId, 1, { reason: ' ' }))).toEqual(INVALID);
    expect(refusal(await giveBack(orderId, lineId, 0))).toEqual(INVALID);
    expect(refusal(await giveBack(orderId, lineId, 1, { locationId: CLOSED }))).toEqual(BLOCKED);
  });

  it('returns not found for an order of another workspace', async () => {
    const { orderId, lineId } = await newReservation(10, 6);
    const request = { orderId, orderLineId: lineId, locationId: MAIN, quantity: '1', reason: 'x' };
    expect(refusal(await callAs('demo-neighbour', 'Inventory/ReturnInventory', request))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/GetOrderInventorySummary', () => {
  it('omits lines of products without stock', async () => {
    const { orderId } = await newOrder([BUNDLE, 3], [INFINITE, 5], [await newProduct(), 4]);
    expect(await summary(orderId)).toEqual([4, 0, 0, 0, 4]);
  });

  it('returns not found for an order of another workspace', async () => {
    const request = { orderId: demoId('order 0') };
    expect(refusal(await callAs('demo-neighbour', 'Inventory/GetOrderInventorySummary', request))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/ListOrderStockDemand', () => {
  it('returns the ordered, reserved, consumed, outstanding and available quantities of each stock line', async () => {
    const productId = await newProduct(10);
    await call('Inventory/AdjustInventory', { productId, locationId: DEPOT, reason: 'Setup', quantityDelta: '5' });
    const { orderId, lineIds } = await newOrder([BUNDLE, 1], [productId, 6]);
    const { reservation } = (await reserve(orderId, lineIds[1], 1)).body;
    await consume(reservation.id);
    await reserve(orderId, lineIds[1], 2);
    const [only, ...others] = await demand(orderId);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ orderLineId: lineIds[1], productId });
    expect(numbers(only, ['ordered', 'reserved', 'consumed', 'outstanding', 'available'])).toEqual([6, 2, 1, 3, 12]);
  });

  it('paginates in the order of the lines', async () => {
    const productId = await newProduct();
    const { orderId, lineIds } = await newOrder([productId, 1], [productId, 2], [productId, 3]);
    const pages = [await demand(orderId, { pageSize: 2 }), await demand(orderId, { page: 2, pageSize: 2 })];
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    expect(pages.flat().map(({ orderLineId }) => orderLineId)).toEqual(lineIds);
  });
});

describe('Inventory/ListOrderReservations', () => {
  it('lists active, consumed and released reservations of demo orders', async () => {
    const statuses = async (index: number) =>
      new Set((await listed(demoId(`order ${index}`))).map(({ status }: { status: string }) => status));
    expect(await statuses(0)).toEqual(new Set([ACTIVE]));
    expect(await statuses(1)).toEqual(new Set([CONSUMED]));
    expect(await statuses(2)).toEqual(new Set([RELEASED]));
    expect(await statuses(4)).toEqual(new Set());
  });

  it('paginates, oldest first', async () => {
    const { orderId, lineIds } = await newOrder([await newProduct(10), 6]);
    for (const quantity of [1, 2, 3]) await reserve(orderId, lineIds[0], quantity);
    const first = await call('Inventory/ListOrderReservations', { orderId, pageSize: 2 });
    expect(first.body).toMatchObject({ reservations: [{ quantity: '1' }, { quantity: '2' }], hasMore: true });
    const second = await call('Inventory/ListOrderReservations', { orderId, page: 2, pageSize: 2 });
    expect(second.body.reservations).toMatchObject([{ quantity: '3' }]);
  });
});
