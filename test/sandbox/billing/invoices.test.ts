import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, MISSING, summarizeError } from '../errors.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { changeOrder, makeOrder } from './orders.ts';

const opened = useSandbox();
const { call, callAs } = opened;

/** A system that creates and sends invoices. */
const LEDGER = demoId('accounting connection 0');
/** A system that only creates invoices. */
const _BOOKS = demoId('accounting connection 1');

const create = (orderId: string, fields: object = {}) =>
  call('Invoice/CreateInvoice', { orderId, integrationId: LEDGER, idempotencyKey: randomUUID(), ...fields });
const send = (orderId: string, fields: object = {}) =>
  call('Invoice/SendInvoice', { orderId, integrationId: LEDGER, idempotencyKey: randomUUID(), ...fields });
const read = (orderId: string, fields: object = {}) => call('Invoice/GetInvoice', { orderId, integrationId: LEDGER, ...fields });
const list = async (fields: object) => (await call('Invoice/ListInvoices', fields)).body;

const listMailsAbout = (invoiceId: string) =>
  listSentMessages(opened.sandbox.world.store).filter(({ subject }) => subject.id === invoiceId);

async function createInvoicedOrder() {
  const orderId = await makeOrder(opened);
  return { orderId, invoice: (await create(orderId)).body.invoice };
}

describe('Invoice/CreateInvoice', () => {
  it('creates one draft for concurrent requests', spec('4.7.11'), async () => {
    const orderId = await makeOrder(opened);
    const responses = await Promise.all(Array.from({ length: 6 }, () => create(orderId)));
    expect(new Set(responses.map(({ body }) => body.invoice.id)).size).toBe(1);
  });

  it('returns the current state of the first invoice for a repeated key, even if the order has changed', spec('4.7.11'), async () => {
    const orderId = await makeOrder(opened);
    const idempotencyKey = randomUUID();
    const { id } = (await create(orderId, { idempotencyKey })).body.invoice;
    await send(orderId);
    changeOrder(opened, orderId);
    const { invoice } = (await create(orderId, { idempotencyKey })).body;
    expect(invoice).toMatchObject({ id, orderVersion: '1', status: 'PUBLIC_INVOICE_STATUS_SENT' });
    expect((await list({ customerId: demoId('customer 1'), orderId })).invoices).toHaveLength(1);
  });

  it('rejects a canceled order', async () => {
    const orderId = await makeOrder(opened);
    await call('Order/CancelOrder', { id: orderId, expectedVersion: '1' });
    expect(summarizeError(await create(orderId))).toEqual(BLOCKED);
  });
});

describe('Invoice/GetInvoice', () => {
  it('returns demo invoices: drafts, and for fulfilled orders a sent one with a draft of an older version', async () => {
    expect((await read(demoId('order 0'))).body.invoice).toMatchObject({ id: demoId('invoice 0'), status: 'PUBLIC_INVOICE_STATUS_DRAFT' });
    const sent = (await read(demoId('order 11'))).body.invoice;
    expect(sent).toMatchObject({ id: demoId('invoice 11'), status: 'PUBLIC_INVOICE_STATUS_SENT', orderVersion: '2', number: 'I-00001' });
    expect((await read(demoId('order 11'), { orderVersion: '1' })).body.invoice.status).toBe('PUBLIC_INVOICE_STATUS_DRAFT');
  });
});

describe('lists by customer', () => {
  it.each(['Invoice/ListInvoices', 'Invoice/ListAccountingConnections', 'ProForma/ListProFormas'])(
    'return not found for a customer of another workspace: %s',
    async (operation) => {
      expect(summarizeError(await callAs('demo-neighbour', operation, { customerId: demoId('customer 0') }))).toEqual(MISSING);
    },
  );
});

describe('Invoice/SendInvoice', () => {
  it('assigns a number to the draft, and emails it to the customer', spec('4.7.15'), async () => {
    const { orderId, invoice } = await createInvoicedOrder();
    const sentAt = String(opened.sandbox.now);
    const { body } = await send(orderId);
    expect(body.invoice).toMatchObject({
      id: invoice.id,
      status: 'PUBLIC_INVOICE_STATUS_SENT',
      number: expect.stringMatching(/^I-\d{5}$/),
      sentAt,
    });
    expect((await read(orderId)).body).toEqual(body);
    expect(listMailsAbout(invoice.id)).toMatchObject([{ kind: 'invoice_mail', recipient: 'customer1@example.com' }]);
  });

  it('sends once per key, even for concurrent requests', spec('4.7.16'), async () => {
    const { orderId, invoice } = await createInvoicedOrder();
    const idempotencyKey = randomUUID();
    const responses = await Promise.all(Array.from({ length: 6 }, () => send(orderId, { idempotencyKey })));
    expect(new Set(responses.map(({ body }) => body.invoice.number)).size).toBe(1);
    expect(listMailsAbout(invoice.id)).toHaveLength(1);
  });
});
