import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { recordPayment } from '../receive.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

/** An open order for two lamps at 10.00, with 15.00 paid. */
async function createPaidOrder() {
  const product = await call('Catalog/CreateProduct', { name: 'Test lamp', priceOnceMinor: 1_000 });
  const lineItems = [{ productId: product.body.product.id, quantity: 2 }];
  const { body } = await call('Quote/CreateQuote', { customerId: demoId('customer 1'), lineItems });
  const confirmed = await call('Quote/ConfirmQuote', { id: body.quote.id });
  const { id } = confirmed.body.order;
  recordPayment(opened.sandbox.world, id, 1_500);
  return read(id);
}

const read = async (id: string) => (await call('Order/GetOrder', { id })).body.order;

const cancel = (request: object) => call('Order/CancelOrder', { expectedVersion: '1', reason: 'Changed their mind.', ...request });

/** Refunds an amount of the order's only payment. */
async function refund(orderId: string, amountMinor: string): Promise<void> {
  const { payments } = (await call('Payment/ListPayments', { orderId })).body;
  const { status } = await call('Payment/CreateRefund', { paymentId: payments[0].id, amountMinor, requestId: randomUUID() });
  expect(status).toBe(200);
}

const listEvents = (entityId: string) =>
  opened.sandbox.world.store
    .all<{ event_type: string }>('SELECT event_type FROM timeline_events WHERE entity_id = :entityId ORDER BY rowid', { entityId })
    .map(({ event_type }) => event_type);

const listRefunds = (orderId: string) =>
  opened.sandbox.world.store
    .all<{ amount_minor: number }>('SELECT amount_minor FROM refunds WHERE order_id = :orderId', { orderId })
    .map(({ amount_minor }) => amount_minor);

const fulfil = (id: string) => opened.sandbox.world.store.run('UPDATE orders SET status = 2 WHERE id = :id', { id });

const summarizeError = ({ status, body }: { status: number; body: { code?: string } }) => ({ status, code: body.code });
const INVALID = { status: 400, code: 'invalid_argument' };
const BLOCKED = { status: 409, code: 'failed_precondition' };
const STALE = { status: 409, code: 'aborted' };
const REUSED = { status: 409, code: 'already_exists' };
const MISSING = { status: 404, code: 'not_found' };

describe('Order/GetOrder', () => {
  it('returns an order with its lines', spec('4.6.6'), async () => {
    const order = await read(demoId('order 0'));
    expect(order).toMatchObject({ customerId: demoId('customer 0'), quoteId: demoId('quote 0'), status: 'PUBLIC_ORDER_STATUS_OPEN' });
    expect(order.lineItems.length).toBeGreaterThan(0);
  });

  it('returns not found for an order of another workspace', async () => {
    expect(summarizeError(await callAs('demo-neighbour', 'Order/GetOrder', { id: demoId('order 0') }))).toEqual(MISSING);
  });

  it('requires read access to orders', async () => {
    expect((await callAs('demo-restricted', 'Order/GetOrder', { id: demoId('order 0') })).status).toBe(403);
    expect((await callAs('demo-warehouse', 'Order/GetOrder', { id: demoId('order 0') })).status).toBe(200);
  });

  it('returns ten open demo orders with only stocked, active products', async () => {
    for (let index = 0; index < 10; index += 1) {
      const order = await read(demoId(`order ${index}`));
      expect(order.status).toBe('PUBLIC_ORDER_STATUS_OPEN');
      for (const { productId } of order.lineItems) {
        const { product } = (await call('Catalog/GetProduct', { id: productId })).body;
        expect(product).toMatchObject({ type: 'PUBLIC_PRODUCT_TYPE_SIMPLE', isActive: true });
        expect(product.hasInfiniteStock ?? false).toBe(false);
      }
    }
  });
});

describe('Order/ListOrders', () => {
  it('lists the orders of one customer, newest first, and paginates', spec('4.6.7'), async () => {
    opened.requiresDemoData();
    const customerId = demoId('customer 0');
    const whole = await call('Order/ListOrders', { customerId, pageSize: 100 });
    const times = whole.body.orders.map(({ createdAt }: { createdAt: string }) => Number(createdAt));
    expect(times.length).toBeGreaterThanOrEqual(30);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(whole.body.hasMore ?? false).toBe(false);
    const pages = [await call('Order/ListOrders', { customerId }), await call('Order/ListOrders', { customerId, page: 2 })];
    expect(pages[0]?.body.hasMore).toBe(true);
    expect(pages.flatMap(({ body }) => body.orders)).toEqual(whole.body.orders.slice(0, 50));
  });

  it.each(['OPEN', 'FULFILLED', 'CANCELLED'])('filters by the status %s', async (state) => {
    const status = `PUBLIC_ORDER_STATUS_${state}`;
    const { body } = await call('Order/ListOrders', { customerId: demoId('customer 0'), status });
    expect(new Set(body.orders.map((order: { status: string }) => order.status))).toEqual(new Set([status]));
  });

  it('returns not found for a customer of another workspace', async () => {
    expect(summarizeError(await callAs('demo-neighbour', 'Order/ListOrders', { customerId: demoId('customer 0') }))).toEqual(MISSING);
  });
});

describe('Order/GetOrderCancellationImpact', () => {
  it('returns the refundable and planned amounts, and changes nothing', spec('4.6.8'), async () => {
    const before = await createPaidOrder();
    const { body } = await call('Order/GetOrderCancellationImpact', { orderId: before.id });
    expect(body.impact).toMatchObject({
      orderId: before.id,
      canCancel: true,
      currency: 'EUR',
      paidMinor: '1500',
      refundableMinor: '1500',
      cancelledPlanMinor: '500',
    });
    expect(body.impact.blockers ?? []).toEqual([]);
    expect(await read(before.id)).toEqual(before);
  });

  it('returns the reasons why an order can’t be canceled', async () => {
    const [cancelled, fulfilled] = [await createPaidOrder(), await createPaidOrder()];
    await cancel({ id: cancelled.id });
    fulfil(fulfilled.id);
    for (const { id } of [cancelled, fulfilled]) {
      const { impact } = (await call('Order/GetOrderCancellationImpact', { orderId: id })).body;
      expect(impact.canCancel ?? false).toBe(false);
      expect(impact.blockers).toHaveLength(1);
      expect(impact.refundableMinor ?? '0').toBe('0');
    }
  });

  it('returns not found for an order of another workspace', async () => {
    const response = await callAs('demo-neighbour', 'Order/GetOrderCancellationImpact', { orderId: demoId('order 0') });
    expect(summarizeError(response)).toEqual(MISSING);
  });
});

describe('Order/CancelOrder', () => {
  it('cancels an order without a refund', spec('3.17', '4.6.10'), async () => {
    const before = await createPaidOrder();
    opened.sandbox.now += 60;
    const { status, body } = await cancel({ id: before.id });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({
      status: 'PUBLIC_ORDER_STATUS_CANCELLED',
      version: '2',
      cancellationReason: 'Changed their mind.',
      cancelledAt: String(opened.sandbox.now),
      updatedAt: String(opened.sandbox.now),
      paidMinor: '1500',
    });
    expect(body.order.refundedMinor ?? '0').toBe('0');
    expect(body).not.toHaveProperty('refund');
    expect(await read(before.id)).toEqual(body.order);
    expect(listRefunds(before.id)).toEqual([]);
    expect(listEvents(before.id)).toEqual(['order_created', 'order_cancelled']);
  });

  it('refunds up to the refundable amount', spec('3.18'), async () => {
    const { id } = await createPaidOrder();
    const { body } = await cancel({ id, refundAmountMinor: '1500', refundRequestId: `whole ${id}` });
    expect(body.refund).toMatchObject({ orderId: id, amountMinor: '1500', currency: 'EUR' });
    expect(body.order.refundedMinor).toBe('1500');
    expect(listRefunds(id)).toEqual([1_500]);
  });

  it('rejects a larger refund, and changes nothing', spec('3.18'), async () => {
    const { id } = await createPaidOrder();
    await refund(id, '500');
    const before = await read(id);
    const response = await cancel({ id, refundAmountMinor: '1001', refundRequestId: `more ${id}` });
    expect(summarizeError(response)).toEqual(BLOCKED);
    expect(await read(id)).toEqual(before);
    expect(listRefunds(id)).toEqual([500]);
    expect((await cancel({ id, refundAmountMinor: '1000', refundRequestId: `more ${id}` })).status).toBe(200);
  });

  it('refunds once if repeated with the same refund request', spec('3.19'), async () => {
    const { id } = await createPaidOrder();
    const request = { id, refundAmountMinor: '700', refundRequestId: `again ${id}` };
    const first = await cancel(request);
    const second = await cancel(request);
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
    expect(listRefunds(id)).toEqual([700]);
    expect(listEvents(id)).toEqual(['order_created', 'order_cancelled']);
  });

  it('returns the current order and the same refund when repeated', spec('4.6.9'), async () => {
    const { id } = await createPaidOrder();
    const request = { id, refundAmountMinor: '700', refundRequestId: `later ${id}` };
    const first = await cancel(request);
    await refund(id, '200');
    opened.sandbox.world.store.run('UPDATE orders SET version = 3 WHERE id = :id', { id });
    const second = await cancel(request);
    expect(second.body).toEqual({ order: await read(id), refund: first.body.refund });
    expect(second.body.order).toMatchObject({ refundedMinor: '900', version: '3' });
  });

  it('rejects a refund request ID that was used for something else', spec('7.18'), async () => {
    const [one, other] = [await createPaidOrder(), await createPaidOrder()];
    const request = { refundAmountMinor: '700', refundRequestId: `shared ${one.id}` };
    await cancel({ id: one.id, ...request });
    expect(summarizeError(await cancel({ id: one.id, ...request, refundAmountMinor: '701' }))).toEqual(REUSED);
    expect(summarizeError(await cancel({ id: other.id, ...request }))).toEqual(REUSED);
    expect(listRefunds(one.id)).toEqual([700]);
    expect(await read(other.id)).toEqual(other);
  });

  it('rejects an amount without a refund request ID, and vice versa', async () => {
    const before = await createPaidOrder();
    expect(summarizeError(await cancel({ id: before.id, refundAmountMinor: '700' }))).toEqual(INVALID);
    expect(summarizeError(await cancel({ id: before.id, refundRequestId: 'alone' }))).toEqual(INVALID);
    expect(await read(before.id)).toEqual(before);
  });

  it('rejects another version, and changes nothing', spec('3.16', '7.29'), async () => {
    const before = await createPaidOrder();
    const request = { id: before.id, expectedVersion: '2', refundAmountMinor: '700', refundRequestId: `stale ${before.id}` };
    expect(summarizeError(await cancel(request))).toEqual(STALE);
    expect(await read(before.id)).toEqual(before);
    expect(listRefunds(before.id)).toEqual([]);
  });

  it('rejects a canceled or fulfilled order', spec('3.17'), async () => {
    const [cancelled, fulfilled] = [await createPaidOrder(), await createPaidOrder()];
    const first = await cancel({ id: cancelled.id });
    expect(summarizeError(await cancel({ id: cancelled.id }))).toEqual(STALE);
    expect(summarizeError(await cancel({ id: cancelled.id, expectedVersion: '2' }))).toEqual(BLOCKED);
    expect(await read(cancelled.id)).toEqual(first.body.order);
    fulfil(fulfilled.id);
    expect(summarizeError(await cancel({ id: fulfilled.id }))).toEqual(BLOCKED);
  });

  it('releases the reserved stock of the order', async () => {
    const id = demoId('order 0');
    await call('Inventory/AllocateOrderStock', { orderId: id });
    const { impact } = (await call('Order/GetOrderCancellationImpact', { orderId: id })).body;
    expect(Number(impact.releasedQuantity)).toBeGreaterThan(0);
    expect((await cancel({ id })).status).toBe(200);
    const { summary } = (await call('Inventory/GetOrderInventorySummary', { orderId: id })).body;
    expect(summary.reserved ?? '0').toBe('0');
  });

  it('returns not found for an order of another workspace', async () => {
    const before = await createPaidOrder();
    expect(summarizeError(await callAs('demo-neighbour', 'Order/CancelOrder', { id: before.id, expectedVersion: '1' }))).toEqual(MISSING);
    expect(await read(before.id)).toEqual(before);
  });

  it('requires its own scope, and write access to orders', async () => {
    const { id } = await createPaidOrder();
    expect((await callAs('demo-warehouse', 'Order/CancelOrder', { id, expectedVersion: '1' })).status).toBe(403);
    expect((await callAs('demo-restricted', 'Order/CancelOrder', { id, expectedVersion: '1' })).status).toBe(403);
    expect((await callAs('demo-sales', 'Order/CancelOrder', { id, expectedVersion: '1' })).status).toBe(200);
  });
});
