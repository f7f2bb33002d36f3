import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PublicPaymentProvider } from '../../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { receive } from '../receive.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { makeOrder } from './orders.ts';
import { BLOCKED, MISSING, REUSED, refusalOf } from './refusals.ts';

const opened = useSandbox();
const { call } = opened;

const { MANUAL, ONLINE, TERMINAL } = PublicPaymentProvider;

/** An order with a payment of 15.00, by hand unless told otherwise. */
async function paidOrder(provider: PublicPaymentProvider = MANUAL) {
  const orderId = await makeOrder(opened);
  return { orderId, paymentId: receive(opened.sandbox.world, orderId, 1_500, provider) };
}

const refund = (paymentId: string, amountMinor: string, fields: object = {}) =>
  call('Payment/CreateRefund', { paymentId, amountMinor, requestId: randomUUID(), ...fields });
const cancel = (id: string, refundAmountMinor: string, fields: object = {}) =>
  call('Order/CancelOrder', { id, expectedVersion: '1', reason: 'Changed.', refundAmountMinor, refundRequestId: randomUUID(), ...fields });

const list = async (filters: object) => (await call('Payment/ListRefunds', filters)).body;
const refundsOf = async (orderId: string) => (await list({ orderId })).refunds ?? [];
const amountsOf = async (filters: object) =>
  ((await list(filters)).refunds ?? []).map(({ amountMinor }: { amountMinor: string }) => amountMinor);
const refundedOf = async (id: string) => (await call('Order/GetOrder', { id })).body.order.refundedMinor ?? '0';

describe('Payment/CreateRefund', () => {
  it.each([MANUAL, ONLINE])('gives money back of a payment of the provider %s', async (provider) => {
    const { orderId, paymentId } = await paidOrder(provider);
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
    expect(await refundsOf(orderId)).toEqual([body.refund]);
    expect(await refundedOf(orderId)).toBe('600');
  });

  it('answers a repeat with the refund as it was, and the payment as it is by now', async () => {
    const { orderId, paymentId } = await paidOrder();
    const requestId = randomUUID();
    const first = await refund(paymentId, '600', { requestId });
    await refund(paymentId, '100');
    const second = await refund(paymentId, '600', { requestId });
    expect(second.body.refund).toEqual(first.body.refund);
    expect(second.body.payment.refundedMinor).toBe('700');
    expect(await amountsOf({ orderId })).toEqual(['100', '600']);
  });
});

describe('The two ways to a refund', () => {
  it('lead to one list, with the same members', async () => {
    const { orderId, paymentId } = await paidOrder();
    const own = (await refund(paymentId, '600', { reason: 'Broken.' })).body.refund;
    opened.sandbox.now += 60;
    const refundRequestId = randomUUID();
    const cancelled = (await cancel(orderId, '900', { refundRequestId })).body.refund;
    const [newest, oldest] = await refundsOf(orderId);
    expect(oldest).toEqual(own);
    expect(newest).toMatchObject({ ...cancelled, paymentId, reason: 'Changed.', requestId: refundRequestId });
    expect(Object.keys(newest).sort()).toEqual(Object.keys(own).sort());
    expect(await amountsOf({ paymentId })).toEqual(['900', '600']);
    expect(await refundedOf(orderId)).toBe('1500');
  });

  it('never give back more than is refundable when they race', async () => {
    const { orderId, paymentId } = await paidOrder();
    const refunds = Array.from({ length: 6 }, () => refund(paymentId, '400'));
    const answers = await Promise.all([...refunds.slice(0, 3), cancel(orderId, '900'), ...refunds.slice(3)]);
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 200).map(refusalOf)).toEqual(Array(7 - given.length).fill(BLOCKED));
    const sum = (await amountsOf({ orderId })).reduce((total: number, amount: string) => total + Number(amount), 0);
    expect(sum).toBeLessThanOrEqual(1_500);
    // Another refund of the smallest amount would have been too much, or the cancellation came first and left less than that.
    expect(sum).toBeGreaterThan(1_500 - 400);
    expect(await refundedOf(orderId)).toBe(String(sum));
  });

  it('refuse a request id that the other one has used', async () => {
    const [one, other] = [await paidOrder(), await paidOrder()];
    const requestId = randomUUID();
    await refund(one.paymentId, '600', { requestId });
    expect(refusalOf(await cancel(one.orderId, '600', { refundRequestId: requestId }))).toEqual(REUSED);
    const refundRequestId = randomUUID();
    await cancel(other.orderId, '600', { refundRequestId });
    expect(refusalOf(await refund(other.paymentId, '600', { requestId: refundRequestId }))).toEqual(REUSED);
    expect((await call('Order/GetOrder', { id: one.orderId })).body.order.status).toBe('PUBLIC_ORDER_STATUS_OPEN');
    expect([await refundedOf(one.orderId), await refundedOf(other.orderId)]).toEqual(['600', '600']);
  });

  it('take a cancellation’s refund from several payments, the oldest first, and from no terminal', async () => {
    const { orderId, paymentId } = await paidOrder();
    receive(opened.sandbox.world, orderId, 9_000, TERMINAL);
    opened.sandbox.now += 60;
    const second = receive(opened.sandbox.world, orderId, 1_000, ONLINE);
    expect(refusalOf(await cancel(orderId, '2501'))).toEqual(BLOCKED);
    expect((await cancel(orderId, '1800')).body.refund.amountMinor).toBe('1800');
    const { payments } = (await call('Payment/ListPayments', { orderId })).body;
    const refunded = Object.fromEntries(payments.map(({ id, refundedMinor }: Record<string, string>) => [id, refundedMinor]));
    expect(refunded).toMatchObject({ [paymentId]: '1500', [second]: '300' });
    const [made] = await refundsOf(orderId);
    expect(made.paymentId ?? '').toBe('');
    expect((await list({ paymentId: second })).refunds).toEqual([made]);
    expect((await refund(second, '700')).status).toBe(200);
  });
});

describe('Payment/ListRefunds', () => {
  it('reads the refunds of the workspace, newest first, page after page', async () => {
    const { orderId, paymentId } = await paidOrder();
    for (const amount of ['1', '2', '3', '4', '5']) await refund(paymentId, amount);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list({ orderId, page, pageSize: 2 }));
    expect(pages.map(({ refunds }) => refunds.map(({ amountMinor }: { amountMinor: string }) => amountMinor))).toEqual([
      ['5', '4'],
      ['3', '2'],
      ['1'],
    ]);
    expect(pages.map(({ hasMore }) => hasMore ?? false)).toEqual([true, true, false]);
    expect((await list({ pageSize: 5 })).refunds).toEqual((await list({ paymentId, pageSize: 5 })).refunds);
  });

  it('has the refunds of the demo cancellations', async () => {
    const { orders } = (
      await call('Order/ListOrders', { customerId: demoId('customer 0'), status: 'PUBLIC_ORDER_STATUS_CANCELLED', pageSize: 100 })
    ).body;
    const refunded = orders.filter(({ refundedMinor = '0' }: { refundedMinor?: string }) => refundedMinor !== '0');
    expect(refunded.length).toBeGreaterThan(0);
    for (const { id, refundedMinor } of refunded) expect(await amountsOf({ orderId: id })).toEqual([refundedMinor]);
  });

  it.each([{ paymentId: 'nothing' }, { orderId: 'nothing' }])('does not find %j', async (filter) => {
    expect(refusalOf(await call('Payment/ListRefunds', filter))).toEqual(MISSING);
  });
});
