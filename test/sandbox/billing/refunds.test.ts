import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PublicPaymentProvider } from '../../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, MISSING, REUSED, summarizeError } from '../errors.ts';
import { recordPayment } from '../receive.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { makeOrder } from './orders.ts';

const opened = useSandbox();
const { call } = opened;

const { MANUAL, ONLINE, TERMINAL } = PublicPaymentProvider;

/** An order with a payment of 15.00, which is manual by default. */
async function createPaidOrder(provider: PublicPaymentProvider = MANUAL) {
  const orderId = await makeOrder(opened);
  return { orderId, paymentId: recordPayment(opened.sandbox.world, orderId, 1_500, provider) };
}

const refund = (paymentId: string, amountMinor: string, fields: object = {}) =>
  call('Payment/CreateRefund', { paymentId, amountMinor, requestId: randomUUID(), ...fields });
const cancel = (id: string, refundAmountMinor: string, fields: object = {}) =>
  call('Order/CancelOrder', { id, expectedVersion: '1', reason: 'Changed.', refundAmountMinor, refundRequestId: randomUUID(), ...fields });

const list = async (filters: object) => (await call('Payment/ListRefunds', filters)).body;
const listRefunds = async (orderId: string) => (await list({ orderId })).refunds ?? [];
const listAmounts = async (filters: object) =>
  ((await list(filters)).refunds ?? []).map(({ amountMinor }: { amountMinor: string }) => amountMinor);
const getRefundedAmount = async (id: string) => (await call('Order/GetOrder', { id })).body.order.refundedMinor ?? '0';

describe('Payment/CreateRefund', () => {
  it.each([MANUAL, ONLINE])('refunds part of a payment from the provider %s', spec('4.7.7'), async (provider) => {
    const { orderId, paymentId } = await createPaidOrder(provider);
    const { body } = await refund(paymentId, '600', { reason: 'A lamp was broken.', requestId: `first ${paymentId}` });
    expect(body.refund).toMatchObject({
      paymentId,
      orderId,
      customerId: demoId('customer 1'),
      amountMinor: '600',
      currency: 'EUR',
      reason: 'A lamp was broken.',
      requestId: `first ${paymentId}`,
      createdAt: String(opened.sandbox.now),
    });
    expect(body.payment).toMatchObject({ id: paymentId, receivedMinor: '1500', refundedMinor: '600', refundableMinor: '900' });
    expect(await listRefunds(orderId)).toEqual([body.refund]);
    expect(await getRefundedAmount(orderId)).toBe('600');
  });

  it('returns the same refund and the current payment for a repeated key', spec('4.7.6'), async () => {
    const { orderId, paymentId } = await createPaidOrder();
    const requestId = randomUUID();
    const first = await refund(paymentId, '600', { requestId });
    await refund(paymentId, '100');
    const second = await refund(paymentId, '600', { requestId });
    expect(second.body.refund).toEqual(first.body.refund);
    expect(second.body.payment.refundedMinor).toBe('700');
    expect(await listAmounts({ orderId })).toEqual(['100', '600']);
  });
});

describe('refunds by both operations', () => {
  it('share request IDs, which can’t be used twice', spec('7.19'), async () => {
    const [one, other] = [await createPaidOrder(), await createPaidOrder()];
    const requestId = randomUUID();
    await refund(one.paymentId, '600', { requestId });
    expect(summarizeError(await cancel(one.orderId, '600', { refundRequestId: requestId }))).toEqual(REUSED);
    const refundRequestId = randomUUID();
    await cancel(other.orderId, '600', { refundRequestId });
    expect(summarizeError(await refund(other.paymentId, '600', { requestId: refundRequestId }))).toEqual(REUSED);
    expect((await call('Order/GetOrder', { id: one.orderId })).body.order.status).toBe('PUBLIC_ORDER_STATUS_OPEN');
    expect([await getRefundedAmount(one.orderId), await getRefundedAmount(other.orderId)]).toEqual(['600', '600']);
  });

  it('use several payments when an order is canceled, oldest first, but no terminal payments', async () => {
    const { orderId, paymentId } = await createPaidOrder();
    recordPayment(opened.sandbox.world, orderId, 9_000, TERMINAL);
    opened.sandbox.now += 60;
    const second = recordPayment(opened.sandbox.world, orderId, 1_000, ONLINE);
    expect(summarizeError(await cancel(orderId, '2501'))).toEqual(BLOCKED);
    expect((await cancel(orderId, '1800')).body.refund.amountMinor).toBe('1800');
    const { payments } = (await call('Payment/ListPayments', { orderId })).body;
    const refunded = Object.fromEntries(payments.map(({ id, refundedMinor }: Record<string, string>) => [id, refundedMinor]));
    expect(refunded).toMatchObject({ [paymentId]: '1500', [second]: '300' });
    const [made] = await listRefunds(orderId);
    expect(made.paymentId ?? '').toBe('');
    expect((await list({ paymentId: second })).refunds).toEqual([made]);
    expect((await refund(second, '700')).status).toBe(200);
  });
});

describe('Payment/ListRefunds', () => {
  it('lists refunds of the demo cancellations', spec('4.7.8'), async () => {
    opened.requiresDemoData();
    const { orders } = (
      await call('Order/ListOrders', { customerId: demoId('customer 0'), status: 'PUBLIC_ORDER_STATUS_CANCELLED', pageSize: 100 })
    ).body;
    const refunded = orders.filter(({ refundedMinor = '0' }: { refundedMinor?: string }) => refundedMinor !== '0');
    expect(refunded.length).toBeGreaterThan(0);
    for (const { id, refundedMinor } of refunded) expect(await listAmounts({ orderId: id })).toEqual([refundedMinor]);
  });

  it.each([{ paymentId: 'nothing' }, { orderId: 'nothing' }])('returns not found for %j', async (filter) => {
    expect(summarizeError(await call('Payment/ListRefunds', filter))).toEqual(MISSING);
  });
});
