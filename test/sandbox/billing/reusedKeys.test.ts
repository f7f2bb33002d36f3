import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { REUSED, summarizeError } from '../errors.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { makeOrder } from './orders.ts';

const opened = useSandbox();
const { call } = opened;

/** A system that creates and sends invoices. */
const integrationId = demoId('accounting connection 0');

const makeInvoice = async () => {
  const orderId = await makeOrder(opened);
  expect((await call('Invoice/CreateInvoice', { orderId, integrationId, idempotencyKey: randomUUID() })).status).toBe(200);
  return orderId;
};

describe('billing key reused with other input', () => {
  it('rejects a payment, and creates none', spec('4.7.2', '7.20'), async () => {
    const request = { orderId: await makeOrder(opened), amountMinor: '2000', externalOperationId: randomUUID() };
    expect((await call('Payment/CreatePayment', request)).status).toBe(200);
    const orderId = await makeOrder(opened);
    for (const other of [{ amountMinor: '1500' }, { orderId }]) {
      expect(summarizeError(await call('Payment/CreatePayment', { ...request, ...other }))).toEqual(REUSED);
    }
    expect((await call('Payment/ListPayments', { orderId })).body.payments ?? []).toEqual([]);
  });

  it('rejects an invoice, and creates none', spec('4.7.10', '7.21'), async () => {
    const request = { orderId: await makeOrder(opened), integrationId, idempotencyKey: randomUUID() };
    expect((await call('Invoice/CreateInvoice', request)).status).toBe(200);
    const orderId = await makeOrder(opened);
    expect(summarizeError(await call('Invoice/CreateInvoice', { ...request, orderId }))).toEqual(REUSED);
    expect((await call('Invoice/ListInvoices', { customerId: demoId('customer 1'), orderId })).body.invoices ?? []).toEqual([]);
  });

  it('rejects sending an invoice, and sends no email', spec('7.22'), async () => {
    const request = { orderId: await makeInvoice(), integrationId, idempotencyKey: randomUUID() };
    expect((await call('Invoice/SendInvoice', request)).status).toBe(200);
    const orderId = await makeInvoice();
    const mails = listSentMessages(opened.sandbox.world.store).length;
    expect(summarizeError(await call('Invoice/SendInvoice', { ...request, orderId }))).toEqual(REUSED);
    expect(listSentMessages(opened.sandbox.world.store)).toHaveLength(mails);
  });

  it('rejects a pro-forma, and creates none', spec('7.23'), async () => {
    const request = { orderId: await makeOrder(opened), idempotencyKey: randomUUID() };
    expect((await call('ProForma/CreateProForma', request)).status).toBe(200);
    const orderId = await makeOrder(opened);
    expect(summarizeError(await call('ProForma/CreateProForma', { ...request, orderId }))).toEqual(REUSED);
    expect((await call('ProForma/ListProFormas', { customerId: demoId('customer 1'), orderId })).body.proFormas ?? []).toEqual([]);
  });
});
