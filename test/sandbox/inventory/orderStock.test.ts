import { describe, expect, it } from 'vitest';
import { demoId, useSandbox } from '../sandbox.ts';
import { BLOCKED, BUNDLE, CLOSED, createStockHelpers, DEPOT, INFINITE, INVALID, MAIN, NOT_FOUND, SHELF, summarizeError } from '../stock.ts';
import { createReservationHelpers } from './reservationHelpers.ts';

const ACTIVE = 'PUBLIC_RESERVATION_STATUS_ACTIVE';
const RELEASED = 'PUBLIC_RESERVATION_STATUS_RELEASED';
const CONSUMED = 'PUBLIC_RESERVATION_STATUS_CONSUMED';

const { call, callAs } = useSandbox();
const { newProduct, balance, movements } = createStockHelpers(call);
const {
  createOrder,
  reserve,
  allocate,
  consume,
  returnInventory,
  createReservation,
  readSummary,
  toNumbers,
  listDemand,
  listReservations,
  listEvents,
} = createReservationHelpers(call);

describe('Inventory/ReturnInventory', () => {
  it('returns consumed stock to any location, with a movement of the returned operation', async () => {
    const { productId, orderId, lineId, reservation } = await createReservation(10, 6);
    await consume(reservation.id);
    const { body } = await returnInventory(orderId, lineId, 2, { reason: 'Wrong color' });
    expect(await balance(productId, SHELF)).toMatchObject({ onHand: 2, available: 2 });
    const returned = await movements({ operationId: body.operationId });
    expect(returned).toMatchObject([
      { kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_RETURN', quantityDelta: '2', reason: 'Wrong color', orderId, locationId: SHELF },
    ]);
    expect(await readSummary(orderId)).toEqual([6, 0, 6, 2, 0]);
    expect(await listEvents('stock_returned', orderId)).toHaveLength(1);
  });

  it('accepts up to the quantity that was consumed and hasn’t been returned', async () => {
    const { orderId, lineId, reservation } = await createReservation(10, 6);
    expect(summarizeError(await returnInventory(orderId, lineId, 1))).toEqual(BLOCKED);
    await consume(reservation.id);
    expect(summarizeError(await returnInventory(orderId, lineId, 7))).toEqual(BLOCKED);
    expect((await returnInventory(orderId, lineId, 4)).status).toBe(200);
    expect(summarizeError(await returnInventory(orderId, lineId, 3))).toEqual(BLOCKED);
    expect((await returnInventory(orderId, lineId, 2)).status).toBe(200);
  });

  it('distinguishes lines of the same product', async () => {
    const productId = await newProduct(10);
    const { orderId, lineIds } = await createOrder([productId, 4], [productId, 3]);
    const { reservations } = (await allocate(orderId)).body;
    await consume(reservations[0].id);
    expect(summarizeError(await returnInventory(orderId, lineIds[1], 1))).toEqual(BLOCKED);
    await consume(reservations[1].id);
    await returnInventory(orderId, lineIds[0], 4);
    expect((await returnInventory(orderId, lineIds[1], 3)).status).toBe(200);
  });

  it('rejects a blank reason, a zero quantity, and locations without stock', async () => {
    const { orderId, lineId, reservation } = await createReservation(10, 6);
    await consume(reservation.id);
    expect(summarizeError(await returnInventory(orderId, lineId, 1, { reason: ' ' }))).toEqual(INVALID);
    expect(summarizeError(await returnInventory(orderId, lineId, 0))).toEqual(INVALID);
    expect(summarizeError(await returnInventory(orderId, lineId, 1, { locationId: CLOSED }))).toEqual(BLOCKED);
  });

  it('returns not found for an order of another workspace', async () => {
    const { orderId, lineId } = await createReservation(10, 6);
    const request = { orderId, orderLineId: lineId, locationId: MAIN, quantity: '1', reason: 'x' };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/ReturnInventory', request))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/GetOrderInventorySummary', () => {
  it('omits lines of products without stock', async () => {
    const { orderId } = await createOrder([BUNDLE, 3], [INFINITE, 5], [await newProduct(), 4]);
    expect(await readSummary(orderId)).toEqual([4, 0, 0, 0, 4]);
  });

  it('returns not found for an order of another workspace', async () => {
    const request = { orderId: demoId('order 0') };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/GetOrderInventorySummary', request))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/ListOrderStockDemand', () => {
  it('returns the ordered, reserved, consumed, outstanding and available quantities of each stock line', async () => {
    const productId = await newProduct(10);
    await call('Inventory/AdjustInventory', { productId, locationId: DEPOT, reason: 'Setup', quantityDelta: '5' });
    const { orderId, lineIds } = await createOrder([BUNDLE, 1], [productId, 6]);
    const { reservation } = (await reserve(orderId, lineIds[1], 1)).body;
    await consume(reservation.id);
    await reserve(orderId, lineIds[1], 2);
    const [only, ...others] = await listDemand(orderId);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ orderLineId: lineIds[1], productId });
    expect(toNumbers(only, ['ordered', 'reserved', 'consumed', 'outstanding', 'available'])).toEqual([6, 2, 1, 3, 12]);
  });

  it('paginates in the order of the lines', async () => {
    const productId = await newProduct();
    const { orderId, lineIds } = await createOrder([productId, 1], [productId, 2], [productId, 3]);
    const pages = [await listDemand(orderId, { pageSize: 2 }), await listDemand(orderId, { page: 2, pageSize: 2 })];
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    expect(pages.flat().map(({ orderLineId }) => orderLineId)).toEqual(lineIds);
  });
});

describe('Inventory/ListOrderReservations', () => {
  it('lists active, consumed and released reservations of demo orders', async () => {
    const fetchStatuses = async (index: number) =>
      new Set((await listReservations(demoId(`order ${index}`))).map(({ status }: { status: string }) => status));
    expect(await fetchStatuses(0)).toEqual(new Set([ACTIVE]));
    expect(await fetchStatuses(1)).toEqual(new Set([CONSUMED]));
    expect(await fetchStatuses(2)).toEqual(new Set([RELEASED]));
    expect(await fetchStatuses(4)).toEqual(new Set());
  });

  it('paginates, oldest first', async () => {
    const { orderId, lineIds } = await createOrder([await newProduct(10), 6]);
    for (const quantity of [1, 2, 3]) await reserve(orderId, lineIds[0], quantity);
    const first = await call('Inventory/ListOrderReservations', { orderId, pageSize: 2 });
    expect(first.body).toMatchObject({ reservations: [{ quantity: '1' }, { quantity: '2' }], hasMore: true });
    const second = await call('Inventory/ListOrderReservations', { orderId, page: 2, pageSize: 2 });
    expect(second.body.reservations).toMatchObject([{ quantity: '3' }]);
  });
});
