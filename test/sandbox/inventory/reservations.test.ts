import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useSandbox } from '../sandbox.ts';
import {
  BLOCKED,
  BUNDLE,
  CLOSED,
  createIdempotencyKey,
  createStockHelpers,
  DENIED,
  DEPOT,
  INFINITE,
  INVALID,
  MAIN,
  NOT_FOUND,
  NOWHERE,
  summarizeError,
} from '../stock.ts';
import { createReservationHelpers } from './reservationHelpers.ts';

const ACTIVE = 'PUBLIC_RESERVATION_STATUS_ACTIVE';
const RELEASED = 'PUBLIC_RESERVATION_STATUS_RELEASED';
const CONSUMED = 'PUBLIC_RESERVATION_STATUS_CONSUMED';

const test = useSandbox();
const { call, callAs } = test;
const { newProduct, balance, movements } = createStockHelpers(call);
const {
  customerId,
  createOrder,
  reserve,
  allocate,
  release,
  consume,
  cancel,
  createReservation,
  readSummary,
  listReservations,
  listEvents,
} = createReservationHelpers(call);

describe('Inventory/CreateOrderReservation', () => {
  it('reserves available stock for a line, without a movement', async () => {
    const productId = await newProduct(10);
    const { orderId, lineIds } = await createOrder([productId, 6]);
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
    expect(await readSummary(orderId)).toEqual([6, 4, 0, 0, 2]);
  });

  it('reserves up to the outstanding quantity of the line', async () => {
    const productId = await newProduct(10);
    const { orderId, lineIds } = await createOrder([productId, 6]);
    await reserve(orderId, lineIds[0], 4);
    expect(summarizeError(await reserve(orderId, lineIds[0], 3))).toEqual(BLOCKED);
    expect((await reserve(orderId, lineIds[0], 2)).status).toBe(200);
  });

  it('reserves up to the available quantity', async () => {
    const productId = await newProduct(3);
    const { orderId, lineIds } = await createOrder([productId, 6]);
    expect(summarizeError(await reserve(orderId, lineIds[0], 4))).toEqual(BLOCKED);
    expect(await listReservations(orderId)).toEqual([]);
    expect(await balance(productId)).toMatchObject({ reserved: 0 });
  });

  it('reserves again when repeated', async () => {
    const { orderId, lineIds } = await createOrder([await newProduct(10), 6]);
    await reserve(orderId, lineIds[0], 2);
    await reserve(orderId, lineIds[0], 2);
    expect(await listReservations(orderId)).toHaveLength(2);
  });

  it('fails for an order that isn’t open', async () => {
    const { order, orderId, lineIds } = await createOrder([await newProduct(10), 6]);
    await cancel(order);
    expect(summarizeError(await reserve(orderId, lineIds[0], 1))).toEqual(BLOCKED);
  });

  it('fails for a line without stock, and for a location without stock', async () => {
    const { orderId, lineIds } = await createOrder([BUNDLE, 1], [INFINITE, 1], [await newProduct(5), 1]);
    expect(summarizeError(await reserve(orderId, lineIds[0], 1))).toEqual(BLOCKED);
    expect(summarizeError(await reserve(orderId, lineIds[1], 1))).toEqual(BLOCKED);
    expect(summarizeError(await reserve(orderId, lineIds[2], 1, CLOSED))).toEqual(BLOCKED);
  });

  it('returns not found for unknown orders and locations, and for lines of other orders', async () => {
    const one = await createOrder([await newProduct(10), 6]);
    const other = await createOrder([await newProduct(10), 6]);
    expect(summarizeError(await reserve(NOWHERE, one.lineIds[0], 1))).toEqual(NOT_FOUND);
    expect(summarizeError(await reserve(one.orderId, other.lineIds[0], 1))).toEqual(NOT_FOUND);
    expect(summarizeError(await reserve(one.orderId, one.lineIds[0], 1, NOWHERE))).toEqual(NOT_FOUND);
    const request = { orderId: one.orderId, orderLineId: one.lineIds[0], locationId: MAIN, quantity: '1' };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/CreateOrderReservation', request))).toEqual(NOT_FOUND);
  });

  it('rejects a quantity that isn’t positive, and a read-only key', async () => {
    const { orderId, lineIds } = await createOrder([await newProduct(10), 6]);
    expect(summarizeError(await reserve(orderId, lineIds[0], 0))).toEqual(INVALID);
    const request = { orderId, orderLineId: lineIds[0], locationId: MAIN, quantity: '1' };
    expect(summarizeError(await callAs('demo-reader', 'Inventory/CreateOrderReservation', request))).toEqual(DENIED);
  });
});

describe('reserved stock', () => {
  it('can’t be moved, transferred or written off', spec('4.11.42'), async () => {
    const { productId } = await createReservation(10, 6);
    const line = { productId, quantity: '5' };
    const responses = [
      await call('Inventory/MoveInventory', {
        destinationLocationId: DEPOT,
        lines: [{ ...line, sourceLocationId: MAIN }],
        idempotencyKey: createIdempotencyKey(),
      }),
      await call('Inventory/StartInventoryTransfer', { sourceLocationId: MAIN, destinationLocationId: DEPOT, lines: [line] }),
      await call('Inventory/AdjustInventory', { productId, locationId: MAIN, reason: 'Lost', quantityDelta: '-5' }),
    ];
    expect(responses.map(summarizeError)).toEqual([BLOCKED, BLOCKED, BLOCKED]);
    expect(await balance(productId)).toMatchObject({ onHand: 10, reserved: 6, available: 4 });
  });

  it('stays reserved when an adjustment targets the available quantity', spec('4.11.30'), async () => {
    const { productId } = await createReservation(10, 6);
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
    const { orderId } = await createOrder([productId, 6]);
    const { body } = await allocate(orderId);
    expect(body.reservations).toMatchObject([
      { locationId: DEPOT, quantity: '5', status: ACTIVE },
      { locationId: MAIN, quantity: '1' },
    ]);
    expect(body.shortages ?? []).toEqual([]);
    expect(await listReservations(orderId)).toEqual(body.reservations);
  });

  it('reserves the available stock, and returns the lines with a shortage', async () => {
    const [short, enough] = [await newProduct(2), await newProduct(10)];
    const { orderId, lineIds } = await createOrder([short, 6], [enough, 3]);
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
    const { orderId } = await createOrder([productId, 6]);
    const { body } = await allocate(orderId, DEPOT);
    expect(body.reservations).toMatchObject([{ locationId: DEPOT, quantity: '2' }]);
    expect(body.shortages).toMatchObject([{ outstanding: '4', available: '10' }]);
    expect(await balance(productId)).toMatchObject({ reserved: 0 });
  });

  it('shares the stock between lines of the same product', async () => {
    const productId = await newProduct(5);
    const { orderId, lineIds } = await createOrder([productId, 4], [productId, 3]);
    const { body } = await allocate(orderId);
    expect(body.reservations).toMatchObject([{ quantity: '4' }, { quantity: '1' }]);
    expect(body.shortages).toMatchObject([{ orderLineId: lineIds[1], outstanding: '2' }]);
  });

  it('reserves nothing if nothing is outstanding', async () => {
    const { orderId } = await createOrder([await newProduct(10), 6]);
    await allocate(orderId);
    expect((await allocate(orderId)).body.reservations ?? []).toEqual([]);
    expect(await readSummary(orderId)).toEqual([6, 6, 0, 0, 0]);
  });

  it('fails for an order that isn’t open, and for an inactive location', async () => {
    const { order, orderId } = await createOrder([await newProduct(10), 6]);
    expect(summarizeError(await allocate(orderId, CLOSED))).toEqual(BLOCKED);
    await cancel(order);
    expect(summarizeError(await allocate(orderId))).toEqual(BLOCKED);
  });
});

describe('Inventory/ReleaseReservation', () => {
  it('returns the stock to the available quantity, and the line to the outstanding one', async () => {
    const { productId, orderId, reservation } = await createReservation(10, 6);
    test.sandbox.now += 30;
    const { body } = await release(reservation.id);
    expect(body.reservation).toEqual({ ...reservation, status: RELEASED, updatedAt: String(test.sandbox.now) });
    expect(await balance(productId)).toMatchObject({ onHand: 10, reserved: 0, available: 10 });
    expect(await readSummary(orderId)).toEqual([6, 0, 0, 0, 6]);
  });

  it('fails for released and consumed reservations', async () => {
    const [one, other] = [await createReservation(10, 6), await createReservation(10, 6)];
    await release(one.reservation.id);
    await consume(other.reservation.id);
    expect(summarizeError(await release(one.reservation.id))).toEqual(BLOCKED);
    expect(summarizeError(await release(other.reservation.id))).toEqual(BLOCKED);
    expect(await balance(one.productId)).toMatchObject({ reserved: 0 });
  });

  it('applies to all reservations when an order is canceled', async () => {
    const { productId, order, orderId } = await createReservation(10, 6);
    const { body } = await call('Order/GetOrderCancellationImpact', { orderId });
    expect(body.impact.releasedQuantity).toBe('6');
    await cancel(order);
    expect(await balance(productId)).toMatchObject({ reserved: 0, available: 10 });
    expect(await listReservations(orderId)).toMatchObject([{ status: RELEASED }]);
  });

  it('returns not found for a reservation of another workspace', async () => {
    const { reservation } = await createReservation(10, 6);
    const request = { reservationId: reservation.id };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/ReleaseReservation', request))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/ConsumeReservation', () => {
  it('removes the reserved stock, with a movement that references the order', async () => {
    const { productId, orderId, reservation } = await createReservation(10, 6);
    const { body } = await consume(reservation.id);
    expect(body.reservation).toMatchObject({ id: reservation.id, status: CONSUMED });
    expect(await balance(productId)).toMatchObject({ onHand: 4, reserved: 0, available: 4 });
    const [movement] = await movements({ productId });
    expect(movement).toMatchObject({ kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_CONSUMPTION', quantityDelta: '-6', orderId });
    expect(await readSummary(orderId)).toEqual([6, 0, 6, 0, 0]);
  });

  it('fails for consumed and released reservations', async () => {
    const [one, other] = [await createReservation(10, 6), await createReservation(10, 6)];
    await consume(one.reservation.id);
    await release(other.reservation.id);
    expect(summarizeError(await consume(one.reservation.id))).toEqual(BLOCKED);
    expect(summarizeError(await consume(other.reservation.id))).toEqual(BLOCKED);
    expect(await balance(one.productId)).toMatchObject({ onHand: 4 });
  });

  it('adds a timeline event that is hidden from accounts without access to orders', async () => {
    const { order, orderId, reservation } = await createReservation(10, 6);
    await consume(reservation.id);
    const [event] = await listEvents('stock_consumed', orderId);
    expect(event).toMatchObject({ entityType: 'order', occurredAt: String(test.sandbox.now) });
    expect(event.summary).toContain('6 ×');
    const ofTheDeal = { customerId, transactionId: order.quoteId };
    const { events } = (await call('Customer/ListCustomerTimelineEvents', ofTheDeal)).body;
    expect(events.map(({ id }: { id: string }) => id)).toContain(event.id);
    const { body } = await callAs('demo-restricted', 'Customer/ListCustomerTimelineEvents', { customerId });
    expect((body.events ?? []).map(({ id }: { id: string }) => id)).not.toContain(event.id);
  });

  it('requires its own scope', async () => {
    const { reservation } = await createReservation(10, 6);
    expect(summarizeError(await callAs('demo-sales', 'Inventory/ConsumeReservation', { reservationId: reservation.id }))).toEqual(DENIED);
  });
});
