import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sentMessages } from '../../../sandbox/kernel/outbox.ts';
import { toGlobalId, toJointId } from '../../../src/schema/kit/globalIds.ts';
import { changeOrder } from '../../sandbox/billing/orders.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { CUSTOMER, quotingIn } from '../../support/quoting.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createOrder } = quotingIn(testGraph);

/** Makes invoices and sends them. */
const LEDGER = demoId('accounting connection 0');
/** Only makes invoices. */
const BOOKS = demoId('accounting connection 1');

const INVOICE = 'id status number orderVersion accountingIntegrationId totalOnce { minorUnits currencyCode } sentAt';
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

/** Answers the payload, or the failure. */
const create = async (orderId: string, fields: object = {}) => {
  const input = { orderId, accountingIntegrationId: LEDGER, idempotencyKey: randomUUID(), ...fields };
  return (await testGraph.execute(CREATE, { input })).data.invoiceCreate;
};
const send = async (invoiceId: string, idempotencyKey: string = randomUUID()) =>
  (await testGraph.execute(SEND, { input: { invoiceId, idempotencyKey } })).data.invoiceSend;
const invoiceOf = async (id: string, connection = LEDGER) => (await testGraph.execute(OF_ORDER, { id, connection })).data.order.invoice;

async function draft(fields: object = {}) {
  const orderId = await createOrder();
  return { orderId, invoice: (await create(orderId, fields)).invoice };
}

/** The invoice mails that have been sent about an order, as the sandbox's outbox has them. */
const mailsOf = (orderId: string) => {
  const { store } = testGraph.sandbox.world;
  const ids = store.all<{ id: string }>('SELECT id FROM invoices WHERE order_id = :orderId', { orderId }).map(({ id }) => id);
  return sentMessages(store).filter(({ kind, subject }) => kind === 'invoice_mail' && ids.includes(subject.id));
};

describe('Mutation.invoiceCreate', () => {
  it('makes a draft of the order as it is, which sends nothing', spec('4.7.9'), async () => {
    const orderId = await createOrder();
    const [answer, calls] = await testGraph.recordCalls(() => create(orderId));
    expect(answer).toEqual({
      __typename: 'InvoiceCreatePayload',
      invoice: {
        id: toJointId('Invoice', [orderId, LEDGER, '1']),
        status: 'DRAFT',
        number: null,
        orderVersion: '1',
        accountingIntegrationId: LEDGER,
        totalOnce: { minorUnits: '2000', currencyCode: 'EUR' },
        sentAt: null,
      },
      order: { rawId: orderId },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Invoice/CreateInvoice']);
    expect(mailsOf(orderId)).toEqual([]);
  });

  it('answers the same draft to another key while the order is the same, and another one once it has changed', spec('4.7.9'), async () => {
    const { orderId, invoice } = await draft();
    expect((await create(orderId)).invoice).toEqual(invoice);
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).invoice;
    expect(next).toMatchObject({
      id: toJointId('Invoice', [orderId, LEDGER, '2']),
      orderVersion: '2',
      totalOnce: { minorUnits: '2500' },
    });
    const { data } = await testGraph.execute(`query ($id: ID!) { node(id: $id) { ... on Invoice { ${INVOICE} } } }`, { id: invoice.id });
    expect(data.node).toEqual(invoice);
    expect(await invoiceOf(orderId)).toEqual(next);
  });

  it('makes another draft in another accounting system, of which either id will do', async () => {
    const { orderId, invoice } = await draft();
    const elsewhere = (await create(orderId, { accountingIntegrationId: toGlobalId('AccountingIntegration', BOOKS) })).invoice;
    expect(elsewhere).toMatchObject({ id: toJointId('Invoice', [orderId, BOOKS, '1']), accountingIntegrationId: BOOKS });
    expect([await invoiceOf(orderId), await invoiceOf(orderId, BOOKS)]).toEqual([invoice, elsewhere]);
  });

  it('makes none of another version of the order than is expected', async () => {
    const orderId = await createOrder();
    changeOrder(testGraph, orderId);
    expect(await create(orderId, { expectedOrderVersion: '1' })).toMatchObject({
      __typename: 'VersionConflictError',
      expectedVersion: '1',
      currentVersion: '2',
      current: { version: '2' },
    });
    expect(await invoiceOf(orderId)).toBeNull();
    expect(await create(orderId, { expectedOrderVersion: '2' })).toMatchObject({ invoice: { orderVersion: '2' } });
  });
});

describe('Order.invoice', () => {
  it('answers the invoice in an accounting system, by one call', spec('4.7.12'), async () => {
    const { orderId, invoice } = await draft();
    const [found, calls] = await testGraph.recordCalls(() => invoiceOf(orderId));
    expect([found, calls]).toEqual([invoice, ['Invoice/GetInvoice']]);
  });

  it('refuses the id of something else, and asks nothing', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(OF_ORDER, { id: demoId('order 0'), connection: toGlobalId('Order', demoId('order 0')) }),
    );
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0]?.message).toMatch(/must be an AccountingIntegration ID, but is an Order ID/);
    expect(calls).toEqual([]);
  });
});

describe('the id of an invoice', () => {
  it('finds it by node and as an entity, by one call for both', async () => {
    const { orderId, invoice } = await draft();
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
    ['of two parts', toJointId('Invoice', ['order', 'connection'])],
    ['of four parts', toJointId('Invoice', ['order', 'connection', '1', '2'])],
  ])('that is %s asks nothing', async (_case, id) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { node(id: $id) { ... on Invoice { status } } }', { id }),
    );
    expect(data).toEqual({ node: null });
    expect(errors).toMatchObject([{ message: expect.stringMatching(/must be the `id` of an Invoice/), path: ['node'] }]);
    expect(calls).toEqual([]);
  });
});

describe('Mutation.invoiceSend', () => {
  it('sends once by one key, as the outbox proves, and again by another', spec('6.4'), async () => {
    const { orderId, invoice } = await draft();
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
    expect(mailsOf(orderId)).toHaveLength(1);
    expect(await send(invoice.id)).toMatchObject({ invoice: first.invoice });
    expect(mailsOf(orderId)).toHaveLength(2);
  });

  it('sends once when the answer is lost and the request is sent again', async () => {
    const { orderId, invoice } = await draft();
    testGraph.sandbox.faults.add({ operation: 'Invoice/SendInvoice', cut: 'after', times: 1 });
    const [answer, calls] = await testGraph.recordCalls(() => send(invoice.id));
    expect(answer).toMatchObject({ invoice: { status: 'SENT' } });
    expect(calls).toEqual(['Invoice/SendInvoice', 'Invoice/SendInvoice']);
    expect(mailsOf(orderId)).toHaveLength(1);
  });

  it('sends the invoice of the version that the id names, though the order has a newer one', async () => {
    const { orderId, invoice } = await draft();
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).invoice;
    expect(await send(invoice.id)).toMatchObject({ invoice: { id: invoice.id, status: 'SENT', orderVersion: '1' } });
    expect(await invoiceOf(orderId)).toEqual(next);
  });

  it('is refused in an accounting system that sends none, and sends nothing', async () => {
    const { orderId, invoice } = await draft({ accountingIntegrationId: BOOKS });
    expect(await send(invoice.id)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringMatching(/Office Books doesn’t send invoices/) }],
    });
    expect(mailsOf(orderId)).toEqual([]);
    expect(await invoiceOf(orderId, BOOKS)).toEqual(invoice);
  });
});

describe('Customer.accountingIntegrations', () => {
  const LIST =
    'query ($id: ID!) { customer(id: $id) { accountingIntegrations { totalCount nodes { id rawId name provider canCreateInvoices canSendInvoices } } } }';

  it('tells what each can do for this customer, by one call', spec('4.7.14'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { id: CUSTOMER }));
    expect(data.customer.accountingIntegrations.totalCount).toBe(2);
    expect(data.customer.accountingIntegrations.nodes).toEqual([
      {
        id: toGlobalId('AccountingIntegration', LEDGER),
        rawId: LEDGER,
        name: 'Ledger Online',
        provider: 'ledger_online',
        canCreateInvoices: true,
        canSendInvoices: true,
      },
      {
        id: toGlobalId('AccountingIntegration', BOOKS),
        rawId: BOOKS,
        name: 'Office Books',
        provider: 'office_books',
        canCreateInvoices: true,
        canSendInvoices: false,
      },
    ]);
    expect(calls).toEqual(['Invoice/ListAccountingConnections']);
  });

  it('tells that an invoice cannot be sent to a customer without a mail address', async () => {
    const { invoice, orderId } = await draft();
    const { store } = testGraph.sandbox.world;
    const { email } = store.get<{ email: string }>('SELECT email FROM customers WHERE id = :id', { id: CUSTOMER }) ?? { email: '' };
    store.run("UPDATE customers SET email = '' WHERE id = :id", { id: CUSTOMER });
    const { data } = await testGraph.execute(LIST, { id: CUSTOMER });
    const refused = await send(invoice.id);
    store.run('UPDATE customers SET email = :email WHERE id = :id', { id: CUSTOMER, email });
    expect(data.customer.accountingIntegrations.nodes).toMatchObject([{ canSendInvoices: false }, { canSendInvoices: false }]);
    expect([refused.__typename, mailsOf(orderId)]).toEqual(['TransitionBlockedError', []]);
  });
});

describe('Customer.invoices', () => {
  it('lists those of all versions and systems, newest first, by one call', spec('4.7.13'), async () => {
    const { orderId, invoice } = await draft();
    changeOrder(testGraph, orderId);
    const next = (await create(orderId)).invoice;
    const elsewhere = (await create(orderId, { accountingIntegrationId: BOOKS })).invoice;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(OF_CUSTOMER, { id: CUSTOMER }));
    expect(data.customer.invoices.nodes.slice(0, 3)).toEqual([elsewhere, next, invoice].map(({ id }) => ({ id })));
    expect(calls).toEqual(['Invoice/ListInvoices']);
  });

  it('costs nothing more for the keys of what its invoices lead to', async () => {
    const { orderId } = await draft();
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

describe('an invoice that there is not', () => {
  it('is null at its order', async () => {
    const { orderId } = await draft();
    const { data, errors } = await testGraph.execute(OF_ORDER, { id: orderId, connection: BOOKS });
    expect([data, errors]).toEqual([{ order: { invoice: null } }, undefined]);
  });

  it('is not found by another key than its id, and nothing is asked', async () => {
    const { invoice } = await draft();
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
