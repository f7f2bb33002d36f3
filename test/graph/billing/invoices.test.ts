import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { toCompositeId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { changeOrder } from '../../sandbox/billing/orders.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createOrder } = createQuoting(testGraph);

/** Accounting integration that creates and sends invoices. */
const LEDGER_ONLINE = demoId('accounting connection 0');
/** Accounting integration that only creates invoices. */
const OFFICE_BOOKS = demoId('accounting connection 1');

const INVOICE = 'id status number orderVersion accountingIntegration { rawId } totalOnce { minorUnits currencyCode } sentAt';
const FAILURES = `__typename
  ... on ValidationError { issues { path message } }
  ... on TransitionBlockedError { blockers { message } }
  ... on NotFoundError { missingId path }
  ... on MutationError { code }`;
const CREATE = `mutation ($input: InvoiceCreateInput!) { invoiceCreate(input: $input) { ${FAILURES}
  ... on VersionConflictError { expectedVersion currentVersion current { ... on Order { version } } }
  ... on InvoiceCreatePayload { invoice { ${INVOICE} } order { rawId } effect } } }`;
const SEND = `mutation ($input: InvoiceSendInput!) { invoiceSend(input: $input) { ${FAILURES}
  ... on InvoiceSendPayload { invoice { ${INVOICE} } order { rawId } effect } } }`;
const OF_ORDER = `query ($id: ID!, $connection: ID!) { order(id: $id) { invoice(accountingIntegrationId: $connection) { ${INVOICE} } } }`;
const OF_CUSTOMER = `query ($id: ID!) { customer(id: $id) { invoices(first: 100) { nodes { id } } } }`;

/** Returns the payload or the error. */
const create = async (orderId: string, fields: object = {}) => {
  const input = { orderId, accountingIntegrationId: LEDGER_ONLINE, idempotencyKey: randomUUID(), ...fields };
  return (await testGraph.execute(CREATE, { input })).data.invoiceCreate;
};
const send = async (invoiceId: string, idempotencyKey: string = randomUUID()) =>
  (await testGraph.execute(SEND, { input: { invoiceId, idempotencyKey } })).data.invoiceSend;
const fetchInvoice = async (id: string, connection = LEDGER_ONLINE) =>
  (await testGraph.execute(OF_ORDER, { id, connection })).data.order.invoice;

async function createDraft(fields: object = {}) {
  const orderId = await createOrder();
  return { orderId, invoice: (await create(orderId, fields)).invoice };
}

/** Invoice emails about an order in the sandbox's outbox. */
const listMails = (orderId: string) => {
  const { store } = testGraph.sandbox.world;
  const ids = store.all<{ id: string }>('SELECT id FROM invoices WHERE order_id = :orderId', { orderId }).map(({ id }) => id);
  return listSentMessages(store).filter(({ kind, subject }) => kind === 'invoice_mail' && ids.includes(subject.id));
};

describe('Mutation.invoiceCreate', () => {
  it('creates a draft from the current order and sends nothing', spec('4.7.9'), async () => {
    const orderId = await createOrder();
    const [result, calls] = await testGraph.recordCalls(() => create(orderId));
    expect(result).toEqual({
      __typename: 'InvoiceCreatePayload',
      invoice: {
        id: toCompositeId('Invoice', [orderId, LEDGER_ONLINE, '1']),
        status: 'DRAFT',
        number: null,
        orderVersion: '1',
        accountingIntegration: { rawId: LEDGER_ONLINE },
        totalOnce: { minorUnits: '2000', currencyCode: 'EUR' },
        sentAt: null,
      },
      order: { rawId: orderId },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Invoice/CreateInvoice']);
    expect(listMails(orderId)).toEqual([]);
  });

  it('returns the existing draft until the order changes, even with another idempotency key', spec('4.7.9'), async () => {
    const { orderId, invoice } = await createDraft();
    expect((await create(orderId)).invoice).toEqual(invoice);
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).invoice;
    expect(next).toMatchObject({
      id: toCompositeId('Invoice', [orderId, LEDGER_ONLINE, '2']),
      orderVersion: '2',
      totalOnce: { minorUnits: '2500' },
    });
    const { data } = await testGraph.execute(`query ($id: ID!) { node(id: $id) { ... on Invoice { ${INVOICE} } } }`, { id: invoice.id });
    expect(data.node).toEqual(invoice);
    expect(await fetchInvoice(orderId)).toEqual(next);
  });

  it('creates a separate draft per accounting integration, referenced by global or raw ID', async () => {
    const { orderId, invoice } = await createDraft();
    const otherInvoice = (await create(orderId, { accountingIntegrationId: toGlobalId('AccountingIntegration', OFFICE_BOOKS) })).invoice;
    expect(otherInvoice).toMatchObject({
      id: toCompositeId('Invoice', [orderId, OFFICE_BOOKS, '1']),
      accountingIntegration: { rawId: OFFICE_BOOKS },
    });
    expect([await fetchInvoice(orderId), await fetchInvoice(orderId, OFFICE_BOOKS)]).toEqual([invoice, otherInvoice]);
  });

  it('returns VersionConflictError and creates no invoice if the order version doesn’t match', async () => {
    const orderId = await createOrder();
    changeOrder(testGraph, orderId);
    expect(await create(orderId, { expectedOrderVersion: '1' })).toMatchObject({
      __typename: 'VersionConflictError',
      expectedVersion: '1',
      currentVersion: '2',
      current: { version: '2' },
    });
    expect(await fetchInvoice(orderId)).toBeNull();
    expect(await create(orderId, { expectedOrderVersion: '2' })).toMatchObject({ invoice: { orderVersion: '2' } });
  });
});

describe('Order.invoice', () => {
  it('returns the invoice in an accounting integration with one call', spec('4.7.12'), async () => {
    const { orderId, invoice } = await createDraft();
    const [found, calls] = await testGraph.recordCalls(() => fetchInvoice(orderId));
    expect([found, calls]).toEqual([invoice, ['Invoice/GetInvoice']]);
  });

  it('rejects the ID of another type without an upstream call', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(OF_ORDER, { id: demoId('order 0'), connection: toGlobalId('Order', demoId('order 0')) }),
    );
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0]?.message).toMatch(/must be an AccountingIntegration ID, but is an Order ID/);
    expect(calls).toEqual([]);
  });
});

describe('Invoice.id', () => {
  it('resolves through node and _entities with one shared call', async () => {
    const { orderId, invoice } = await createDraft();
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!, $of: [_Any!]!) { node(id: $id) { ... on Invoice { ${INVOICE} } } _entities(representations: $of) { ... on Invoice { status order { rawId } } } }`,
        { id: invoice.id, of: [{ __typename: 'Invoice', id: invoice.id }] },
      ),
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ node: invoice, _entities: [{ status: 'DRAFT', order: { rawId: orderId } }] });
    expect(calls).toEqual(['Invoice/GetInvoice']);
  });

  it.each([
    ['of two parts', toCompositeId('Invoice', ['order', 'connection'])],
    ['of four parts', toCompositeId('Invoice', ['order', 'connection', '1', '2'])],
  ])('rejects an ID %s without an upstream call', async (_case, id) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { node(id: $id) { ... on Invoice { status } } }', { id }),
    );
    expect(data).toEqual({ node: null });
    expect(errors).toMatchObject([{ message: expect.stringMatching(/must be the `id` of an Invoice/), path: ['node'] }]);
    expect(calls).toEqual([]);
  });
});

describe('Mutation.invoiceSend', () => {
  it('sends one email per idempotency key', spec('6.4'), async () => {
    const { orderId, invoice } = await createDraft();
    const key = randomUUID();
    const [first, calls] = await testGraph.recordCalls(() => send(invoice.id, key));
    expect(first).toMatchObject({
      __typename: 'InvoiceSendPayload',
      invoice: {
        id: invoice.id,
        status: 'SENT',
        number: expect.stringMatching(/^I-\d+$/),
        sentAt: new Date(START * 1000).toISOString().replace('.000Z', 'Z'),
      },
      order: { rawId: orderId },
    });
    expect(calls).toEqual(['Invoice/SendInvoice']);
    expect(await send(invoice.id, key)).toMatchObject({ invoice: first.invoice });
    expect(listMails(orderId)).toHaveLength(1);
    expect(await send(invoice.id)).toMatchObject({ invoice: first.invoice });
    expect(listMails(orderId)).toHaveLength(2);
  });

  it('sends one email if the response is lost and the call is retried', async () => {
    const { orderId, invoice } = await createDraft();
    testGraph.sandbox.faults.add({ operation: 'Invoice/SendInvoice', cut: 'after', times: 1 });
    const [result, calls] = await testGraph.recordCalls(() => send(invoice.id));
    expect(result).toMatchObject({ invoice: { status: 'SENT' } });
    expect(calls).toEqual(['Invoice/SendInvoice', 'Invoice/SendInvoice']);
    expect(listMails(orderId)).toHaveLength(1);
  });

  it('sends the order version of the ID even if the order has a newer version', async () => {
    const { orderId, invoice } = await createDraft();
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).invoice;
    expect(await send(invoice.id)).toMatchObject({ invoice: { id: invoice.id, status: 'SENT', orderVersion: '1' } });
    expect(await fetchInvoice(orderId)).toEqual(next);
  });

  it('returns TransitionBlockedError if the accounting integration can’t send invoices', async () => {
    const { orderId, invoice } = await createDraft({ accountingIntegrationId: OFFICE_BOOKS });
    expect(await send(invoice.id)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringMatching(/Office Books doesn’t send invoices/) }],
    });
    expect(listMails(orderId)).toEqual([]);
    expect(await fetchInvoice(orderId, OFFICE_BOOKS)).toEqual(invoice);
  });
});

describe('Invoice.accountingIntegration', () => {
  const READ = `query ($id: ID!) { customer(id: $id) { invoices(first: 3) { nodes {
    orderVersion accountingIntegration { id name canSendInvoices }
  } } } }`;

  it('resolves the integrations of all invoices of a customer with one call', async () => {
    const { orderId } = await createDraft();
    await create(orderId, { accountingIntegrationId: OFFICE_BOOKS });
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ, { id: CUSTOMER }));
    expect([errors, calls]).toEqual([undefined, ['Invoice/ListInvoices', 'Invoice/ListAccountingConnections']]);
    expect(data.customer.invoices.nodes.slice(0, 2)).toMatchObject([
      { accountingIntegration: { id: toGlobalId('AccountingIntegration', OFFICE_BOOKS), name: 'Office Books', canSendInvoices: false } },
      { accountingIntegration: { id: toGlobalId('AccountingIntegration', LEDGER_ONLINE), name: 'Ledger Online', canSendInvoices: true } },
    ]);
  });

  it('resolves to null if the customer no longer has the integration', async () => {
    await createDraft();
    const body = JSON.stringify({ connections: [] });
    testGraph.sandbox.faults.add({ operation: 'Invoice/ListAccountingConnections', status: 200, body, times: 1 });
    const { data, errors } = await testGraph.execute(READ, { id: CUSTOMER });
    expect([errors, data.customer.invoices.nodes[0].accountingIntegration]).toEqual([undefined, null]);
  });
});

describe('Customer.accountingIntegrations', () => {
  const LIST =
    'query ($id: ID!) { customer(id: $id) { accountingIntegrations { totalCount nodes { id rawId name provider canCreateInvoices canSendInvoices } } } }';

  it('returns what each integration can do for the customer with one call', spec('4.7.14'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { id: CUSTOMER }));
    expect(data.customer.accountingIntegrations.totalCount).toBe(2);
    expect(data.customer.accountingIntegrations.nodes).toEqual([
      {
        id: toGlobalId('AccountingIntegration', LEDGER_ONLINE),
        rawId: LEDGER_ONLINE,
        name: 'Ledger Online',
        provider: 'ledger_online',
        canCreateInvoices: true,
        canSendInvoices: true,
      },
      {
        id: toGlobalId('AccountingIntegration', OFFICE_BOOKS),
        rawId: OFFICE_BOOKS,
        name: 'Office Books',
        provider: 'office_books',
        canCreateInvoices: true,
        canSendInvoices: false,
      },
    ]);
    expect(calls).toEqual(['Invoice/ListAccountingConnections']);
  });

  it('reports that invoices can’t be sent to a customer without an email address', async () => {
    const { invoice, orderId } = await createDraft();
    const { store } = testGraph.sandbox.world;
    const { email } = store.get<{ email: string }>('SELECT email FROM customers WHERE id = :id', { id: CUSTOMER }) ?? { email: '' };
    store.run("UPDATE customers SET email = '' WHERE id = :id", { id: CUSTOMER });
    const { data } = await testGraph.execute(LIST, { id: CUSTOMER });
    const rejected = await send(invoice.id);
    store.run('UPDATE customers SET email = :email WHERE id = :id', { id: CUSTOMER, email });
    expect(data.customer.accountingIntegrations.nodes).toMatchObject([{ canSendInvoices: false }, { canSendInvoices: false }]);
    expect([rejected.__typename, listMails(orderId)]).toEqual(['TransitionBlockedError', []]);
  });
});

describe('Customer.invoices', () => {
  it('lists invoices of all order versions and integrations, newest first, with one call', spec('4.7.13'), async () => {
    const { orderId, invoice } = await createDraft();
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).invoice;
    const otherInvoice = (await create(orderId, { accountingIntegrationId: OFFICE_BOOKS })).invoice;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(OF_CUSTOMER, { id: CUSTOMER }));
    expect(data.customer.invoices.nodes.slice(0, 3)).toEqual([otherInvoice, next, invoice].map(({ id }) => ({ id })));
    expect(calls).toEqual(['Invoice/ListInvoices']);
  });

  it('requires no further calls for the IDs of related records', async () => {
    const { orderId } = await createDraft();
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        'query ($id: ID!) { customer(id: $id) { invoices(first: 1) { nodes { order { id rawId } customer { id rawId } } } } }',
        {
          id: CUSTOMER,
        },
      ),
    );
    const order = { id: toGlobalId('Order', orderId), rawId: orderId };
    const customer = { id: toGlobalId('Customer', CUSTOMER), rawId: CUSTOMER };
    expect(data.customer.invoices.nodes).toEqual([{ order, customer }]);
    expect(calls).toEqual(['Invoice/ListInvoices']);
  });
});

describe('missing invoice', () => {
  it('resolves Order.invoice to null', async () => {
    const { orderId } = await createDraft();
    const { data, errors } = await testGraph.execute(OF_ORDER, { id: orderId, connection: OFFICE_BOOKS });
    expect([data, errors]).toEqual([{ order: { invoice: null } }, undefined]);
  });

  it('rejects an entity reference by rawId without an upstream call', async () => {
    const { invoice } = await createDraft();
    const rawId = Buffer.from(invoice.id, 'base64url').toString('utf8').replace('Invoice:', '');
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($of: [_Any!]!) { _entities(representations: $of) { ... on Invoice { status } } }', {
        of: [{ __typename: 'Invoice', rawId }],
      }),
    );
    expect([data?._entities?.[0] ?? null, calls]).toEqual([null, []]);
    expect(errors).toHaveLength(1);
  });
});
