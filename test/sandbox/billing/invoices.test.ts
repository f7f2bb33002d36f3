import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sentMessages } from '../../../sandbox/kernel/outbox.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { changeOrder, makeOrder } from './orders.ts';
import { BLOCKED, MISSING, REUSED, refusalOf, STALE } from './refusals.ts';

const opened = useSandbox();
const { call, callAs } = opened;

/** Makes invoices and sends them. */
const LEDGER = demoId('accounting connection 0');
/** Only makes invoices. */
const BOOKS = demoId('accounting connection 1');

const create = (orderId: string, fields: object = {}) =>
  call('Invoice/CreateInvoice', { orderId, integrationId: LEDGER, idempotencyKey: randomUUID(), ...fields });
const send = (orderId: string, fields: object = {}) =>
  call('Invoice/SendInvoice', { orderId, integrationId: LEDGER, idempotencyKey: randomUUID(), ...fields });
const read = (orderId: string, fields: object = {}) => call('Invoice/GetInvoice', { orderId, integrationId: LEDGER, ...fields });
const list = async (fields: object) => (await call('Invoice/ListInvoices', fields)).body;

const mailsAbout = (invoiceId: string) => sentMessages(opened.sandbox.world.store).filter(({ subject }) => subject.id === invoiceId);

async function invoicedOrder() {
  const orderId = await makeOrder(opened);
  return { orderId, invoice: (await create(orderId)).body.invoice };
}

describe('Invoice/CreateInvoice', () => {
  it('makes a draft of the order as it is', async () => {
    const { orderId, invoice } = await invoicedOrder();
    expect(invoice).toMatchObject({
      orderId,
      integrationId: LEDGER,
      orderVersion: '1',
      customerId: demoId('customer 1'),
      status: 'PUBLIC_INVOICE_STATUS_DRAFT',
      currency: 'EUR',
      totalOnceMinor: '2000',
    });
    expect(invoice.number ?? '').toBe('');
    expect((await read(orderId)).body.invoice).toEqual(invoice);
    expect(mailsAbout(invoice.id)).toEqual([]);
  });

  it('answers the same draft for the same version and connection, whatever the key', async () => {
    const { orderId, invoice } = await invoicedOrder();
    expect((await create(orderId)).body.invoice).toEqual(invoice);
    const elsewhere = (await create(orderId, { integrationId: BOOKS })).body.invoice;
    expect(elsewhere).toMatchObject({ integrationId: BOOKS, orderVersion: '1' });
    expect(elsewhere.id).not.toBe(invoice.id);
    expect((await list({ customerId: demoId('customer 1'), orderId })).invoices).toEqual([elsewhere, invoice]);
  });

  it('makes one draft of requests that race', async () => {
    const orderId = await makeOrder(opened);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(orderId)));
    expect(new Set(answers.map(({ body }) => body.invoice.id)).size).toBe(1);
  });

  it('makes another of a changed order, and leaves the first as it was', async () => {
    const { orderId, invoice } = await invoicedOrder();
    changeOrder(opened, orderId);
    const second = (await create(orderId)).body.invoice;
    expect(second).toMatchObject({ orderVersion: '2', totalOnceMinor: '2500' });
    expect((await read(orderId)).body.invoice).toEqual(second);
    expect((await read(orderId, { orderVersion: '1' })).body.invoice).toEqual(invoice);
  });

  it('refuses a version that the order does not have', async () => {
    const orderId = await makeOrder(opened);
    expect((await create(orderId, { expectedOrderVersion: '1' })).status).toBe(200);
    changeOrder(opened, orderId);
    expect(refusalOf(await create(orderId, { expectedOrderVersion: '1' }))).toEqual(STALE);
    expect((await read(orderId)).body.invoice.orderVersion).toBe('1');
  });

  it('answers a repeat of the key with the first invoice as it is by now, though the order changed', async () => {
    const orderId = await makeOrder(opened);
    const idempotencyKey = randomUUID();
    const { id } = (await create(orderId, { idempotencyKey })).body.invoice;
    await send(orderId);
    changeOrder(opened, orderId);
    const { invoice } = (await create(orderId, { idempotencyKey })).body;
    expect(invoice).toMatchObject({ id, orderVersion: '1', status: 'PUBLIC_INVOICE_STATUS_SENT' });
    expect((await list({ customerId: demoId('customer 1'), orderId })).invoices).toHaveLength(1);
  });

  it('refuses a key that was used for something else', async () => {
    const orderId = await makeOrder(opened);
    const idempotencyKey = randomUUID();
    await create(orderId, { idempotencyKey });
    expect(refusalOf(await create(orderId, { idempotencyKey, integrationId: BOOKS }))).toEqual(REUSED);
  });

  it('refuses a cancelled order', async () => {
    const orderId = await makeOrder(opened);
    await call('Order/CancelOrder', { id: orderId, expectedVersion: '1' });
    expect(refusalOf(await create(orderId))).toEqual(BLOCKED);
  });

  it('does not find orders and connections of another workspace', async () => {
    expect(refusalOf(await create(demoId('order 0'), { integrationId: 'nothing' }))).toEqual(MISSING);
    const request = { orderId: demoId('order 0'), integrationId: LEDGER, idempotencyKey: randomUUID() };
    expect(refusalOf(await callAs('demo-neighbour', 'Invoice/CreateInvoice', request))).toEqual(MISSING);
  });
});

describe('Invoice/GetInvoice', () => {
  it('finds by order and connection only', async () => {
    const { orderId, invoice } = await invoicedOrder();
    expect(refusalOf(await read(orderId, { integrationId: BOOKS }))).toEqual(MISSING);
    expect(refusalOf(await read(invoice.id))).toEqual(MISSING);
    expect(refusalOf(await read(orderId, { orderVersion: '2' }))).toEqual(MISSING);
  });

  it('has demo invoices: drafts, and of fulfilled orders a sent one beside that of an older version', async () => {
    expect((await read(demoId('order 0'))).body.invoice).toMatchObject({ id: demoId('invoice 0'), status: 'PUBLIC_INVOICE_STATUS_DRAFT' });
    const sent = (await read(demoId('order 11'))).body.invoice;
    expect(sent).toMatchObject({ id: demoId('invoice 11'), status: 'PUBLIC_INVOICE_STATUS_SENT', orderVersion: '2', number: 'I-00001' });
    expect((await read(demoId('order 11'), { orderVersion: '1' })).body.invoice.status).toBe('PUBLIC_INVOICE_STATUS_DRAFT');
  });
});

describe('Invoice/ListInvoices', () => {
  it('reads the invoices of one customer, newest first, page after page', async () => {
    const customerId = demoId('customer 0');
    const { invoices } = await list({ customerId, pageSize: 100 });
    const times = invoices.map(({ createdAt }: { createdAt: string }) => Number(createdAt));
    expect(times.length).toBeGreaterThan(6);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    const pages = [await list({ customerId, pageSize: 3 }), await list({ customerId, pageSize: 3, page: 2 })];
    expect(pages.flatMap((page) => page.invoices)).toEqual(invoices.slice(0, 6));
    expect(pages[0].hasMore).toBe(true);
  });

  it('does not find a customer of another workspace', async () => {
    expect(refusalOf(await callAs('demo-neighbour', 'Invoice/ListInvoices', { customerId: demoId('customer 0') }))).toEqual(MISSING);
  });
});

describe('Invoice/ListAccountingConnections', () => {
  const withoutMail = async () => (await call('Customer/CreateCustomer', { title: 'No mail' })).body.customer.id;
  const capabilitiesFor = async (customerId: string) => {
    const { connections } = (await call('Invoice/ListAccountingConnections', { customerId })).body;
    const words = (capabilities: string[]) => capabilities.map((word) => word.replace('PUBLIC_ACCOUNTING_CAPABILITY_', ''));
    return Object.fromEntries(connections.map(({ id, capabilities }: { id: string; capabilities: string[] }) => [id, words(capabilities)]));
  };

  it('tells what each connection can do for the customer', async () => {
    expect(await capabilitiesFor(demoId('customer 1'))).toEqual({
      [LEDGER]: ['CREATE_INVOICE', 'SEND_INVOICE'],
      [BOOKS]: ['CREATE_INVOICE'],
    });
    expect(await capabilitiesFor(await withoutMail())).toEqual({ [LEDGER]: ['CREATE_INVOICE'], [BOOKS]: ['CREATE_INVOICE'] });
  });

  it('does not find a customer of another workspace', async () => {
    const answer = await callAs('demo-neighbour', 'Invoice/ListAccountingConnections', { customerId: demoId('customer 0') });
    expect(refusalOf(answer)).toEqual(MISSING);
  });
});

describe('Invoice/SendInvoice', () => {
  it('gives the draft its number, and mails it to the customer', async () => {
    const { orderId, invoice } = await invoicedOrder();
    const sentAt = String(opened.sandbox.now);
    const { body } = await send(orderId);
    expect(body.invoice).toMatchObject({
      id: invoice.id,
      status: 'PUBLIC_INVOICE_STATUS_SENT',
      number: expect.stringMatching(/^I-\d{5}$/),
      sentAt,
    });
    expect((await read(orderId)).body).toEqual(body);
    expect(mailsAbout(invoice.id)).toMatchObject([{ kind: 'invoice_mail', recipient: 'customer1@example.com' }]);
  });

  it('sends once for each key, also when repeats race', async () => {
    const { orderId, invoice } = await invoicedOrder();
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(orderId, { idempotencyKey })));
    expect(new Set(answers.map(({ body }) => body.invoice.number)).size).toBe(1);
    expect(mailsAbout(invoice.id)).toHaveLength(1);
  });

  it('sends once more under another key, and leaves number and moment', async () => {
    const { orderId, invoice } = await invoicedOrder();
    const first = await send(orderId);
    opened.sandbox.now += 60;
    expect((await send(orderId)).body).toEqual(first.body);
    expect(mailsAbout(invoice.id)).toHaveLength(2);
  });

  it('refuses a key that was used for something else', async () => {
    const { orderId, invoice } = await invoicedOrder();
    const idempotencyKey = randomUUID();
    await send(orderId, { idempotencyKey });
    expect(refusalOf(await send(orderId, { idempotencyKey, orderVersion: '1' }))).toEqual(REUSED);
    expect(mailsAbout(invoice.id)).toHaveLength(1);
  });

  it('sends the invoice of the version that is named, else the newest', async () => {
    const { orderId, invoice } = await invoicedOrder();
    changeOrder(opened, orderId);
    const second = (await create(orderId)).body.invoice;
    expect((await send(orderId, { orderVersion: '1' })).body.invoice.id).toBe(invoice.id);
    expect((await send(orderId)).body.invoice.id).toBe(second.id);
  });

  it('refuses a connection that does not send, and sends nothing', async () => {
    const orderId = await makeOrder(opened);
    const { invoice } = (await create(orderId, { integrationId: BOOKS })).body;
    expect(refusalOf(await send(orderId, { integrationId: BOOKS }))).toEqual(BLOCKED);
    expect(mailsAbout(invoice.id)).toEqual([]);
    expect((await read(orderId, { integrationId: BOOKS })).body.invoice).toEqual(invoice);
  });

  it('refuses a customer without a mail address', async () => {
    const { orderId, invoice } = await invoicedOrder();
    const { world } = opened.sandbox;
    const customerId = demoId('customer 1');
    world.store.run("UPDATE customers SET email = '' WHERE id = :customerId", { customerId });
    const answer = await send(orderId);
    world.store.run("UPDATE customers SET email = 'customer1@example.com' WHERE id = :customerId", { customerId });
    expect(refusalOf(answer)).toEqual(BLOCKED);
    expect(mailsAbout(invoice.id)).toEqual([]);
  });

  it('does not find an order without an invoice', async () => {
    expect(refusalOf(await send(await makeOrder(opened)))).toEqual(MISSING);
  });
});
