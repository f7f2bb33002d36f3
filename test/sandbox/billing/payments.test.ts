import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PublicPaymentProvider } from '../../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { spec } from '../../support/spec.ts';
import { INVALID, MISSING, summarizeError } from '../errors.ts';
import { recordPayment } from '../receive.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';
import { makeOrder } from './orders.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const create = async (fields: object = {}) => {
  const orderId = await makeOrder(opened);
  const request = { orderId, amountMinor: '2000', externalOperationId: randomUUID(), ...fields };
  const { status, body } = await call('Payment/CreatePayment', request);
  expect(status).toBe(200);
  return { request, payment: body.payment };
};

const read = async (id: string) => (await call('Payment/GetPayment', { id })).body.payment;
const list = async (filters: object) => (await call('Payment/ListPayments', filters)).body;
const record = (id: string, totalReceivedMinor: string) => call('Payment/RecordManualPayment', { id, totalReceivedMinor });
const getOrder = async (id: string) => (await call('Order/GetOrder', { id })).body.order;

describe('Payment/CreatePayment', () => {
  it('returns the current state of the first payment for a repeated key', spec('4.7.1', '4.7.3'), async () => {
    const { request, payment } = await create();
    await record(payment.id, '500');
    const { body } = await call('Payment/CreatePayment', request);
    expect(body.payment).toMatchObject({ id: payment.id, receivedMinor: '500' });
    expect((await list({ orderId: request.orderId })).payments).toEqual([body.payment]);
    expect(await read(payment.id)).toEqual(body.payment);
  });

  it('creates one payment for concurrent requests with one key', async () => {
    const orderId = await makeOrder(opened);
    const request = { orderId, amountMinor: '2000', externalOperationId: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 8 }, () => call('Payment/CreatePayment', request)));
    expect(new Set(responses.map(({ body }) => body.payment.id)).size).toBe(1);
    expect((await list({ orderId })).payments).toHaveLength(1);
  });

  it.each([{ amountMinor: '0' }, { amountMinor: '1000000000001' }, { externalOperationId: ' ' }])('rejects %j', async (fields) => {
    const request = { orderId: demoId('order 0'), amountMinor: '1', externalOperationId: randomUUID(), ...fields };
    expect(summarizeError(await call('Payment/CreatePayment', request))).toEqual(INVALID);
  });
});

describe('Payment/ListPayments', () => {
  it('combines its filters with AND', async () => {
    const { payment } = await create();
    const { orderId, customerId } = payment;
    expect((await list({ orderId, customerId, status: 'PUBLIC_PAYMENT_STATUS_OPEN' })).payments).toEqual([payment]);
    expect((await list({ orderId, status: 'PUBLIC_PAYMENT_STATUS_PAID' })).payments ?? []).toEqual([]);
    expect((await list({ orderId, customerId: demoId('customer 0') })).payments ?? []).toEqual([]);
  });

  it('lists all payments of the workspace, and none of another one', spec('4.7.4'), async () => {
    const { payments } = await list({ pageSize: 100 });
    expect(new Set(payments.map(({ customerId }: { customerId: string }) => customerId)).size).toBeGreaterThan(5);
    const theirs = await callAs('demo-neighbour', 'Payment/ListPayments', { pageSize: 100 });
    const ours = new Set(payments.map(({ id }: { id: string }) => id));
    expect(theirs.body.payments.filter(({ id }: { id: string }) => ours.has(id))).toEqual([]);
  });

  it.each([{ customerId: 'absent' }, { orderId: 'nothing' }])('returns not found for %j', async (filter) => {
    expect(summarizeError(await call('Payment/ListPayments', filter))).toEqual(MISSING);
  });
});

describe('Payment/RecordManualPayment', () => {
  it('sets the total received amount and the resulting status', spec('3.20'), async () => {
    const { payment } = await create();
    opened.sandbox.now += 60;
    const partial = (await record(payment.id, '500')).body.payment;
    expect(partial).toMatchObject({ status: 'PUBLIC_PAYMENT_STATUS_PARTIALLY_PAID', receivedMinor: '500', refundableMinor: '500' });
    expect(partial).not.toHaveProperty('paidAt');
    opened.sandbox.now += 60;
    const paidAt = String(opened.sandbox.now);
    const paid = (await record(payment.id, '2000')).body.payment;
    expect(paid).toMatchObject({ status: 'PUBLIC_PAYMENT_STATUS_PAID', receivedMinor: '2000', paidAt, updatedAt: paidAt });
    expect((await getOrder(payment.orderId)).paidMinor).toBe('2000');
  });

  it('has no effect when repeated', async () => {
    const { payment } = await create();
    const first = (await record(payment.id, '2000')).body;
    opened.sandbox.now += 60;
    expect((await record(payment.id, '2000')).body).toEqual(first);
  });

  it('accepts more than the requested amount', async () => {
    const { payment } = await create();
    const { body } = await record(payment.id, '2500');
    expect(body.payment).toMatchObject({ status: 'PUBLIC_PAYMENT_STATUS_PAID', receivedMinor: '2500', refundableMinor: '2500' });
  });
});

describe('sums of an order', () => {
  it('include all of its payments from all providers', async () => {
    const orderId = await makeOrder(opened);
    recordPayment(opened.sandbox.world, orderId, 300);
    recordPayment(opened.sandbox.world, orderId, 500, PublicPaymentProvider.TERMINAL);
    const { impact } = (await call('Order/GetOrderCancellationImpact', { orderId })).body;
    expect(impact).toMatchObject({ paidMinor: '800', refundableMinor: '300', cancelledPlanMinor: '1200' });
    expect((await getOrder(orderId)).paidMinor).toBe('800');
  });

  it('have a planned amount of zero if more was paid', async () => {
    const orderId = await makeOrder(opened);
    recordPayment(opened.sandbox.world, orderId, 2_500);
    const { impact } = (await call('Order/GetOrderCancellationImpact', { orderId })).body;
    expect(impact.cancelledPlanMinor ?? '0').toBe('0');
  });
});

describe('demo payments', () => {
  it('match the amounts of the orders, with every status and provider', async () => {
    const { orders } = (await call('Order/ListOrders', { customerId: demoId('customer 0'), pageSize: 100 })).body;
    const seen = new Set<string>();
    for (const { id, paidMinor = '0', refundedMinor = '0', totalOnceMinor = '0' } of orders) {
      const { payments = [] } = await list({ orderId: id });
      const sum = (member: string) =>
        payments.reduce((total: number, each: Record<string, string>) => total + Number(each[member] ?? 0), 0);
      expect({ paid: sum('receivedMinor'), refunded: sum('refundedMinor') }).toEqual({
        paid: Number(paidMinor),
        refunded: Number(refundedMinor),
      });
      expect(sum('amountMinor')).toBe(Number(totalOnceMinor));
      for (const { status, provider } of payments) seen.add(status).add(provider);
    }
    const words = [...seen].map((word) => word.replace(/PUBLIC_PAYMENT_(STATUS|PROVIDER)_/, '')).sort();
    expect(words).toEqual(['EXPIRED', 'MANUAL', 'ONLINE', 'OPEN', 'PAID', 'PARTIALLY_PAID', 'TERMINAL']);
    expect(Number((await read(demoId('payment 1'))).createdAt)).toBeLessThan(START);
  });
});
