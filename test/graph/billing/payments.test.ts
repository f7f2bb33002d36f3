import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { PublicPaymentProvider } from '../../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { recordPayment } from '../../sandbox/receive.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createOrder } = createQuoting(testGraph);

const FAILURES = `__typename
  ... on ValidationError { issues { path message } }
  ... on TransitionBlockedError { fromText blockers { message } current { ... on Payment { rawId received { minorUnits } } } }
  ... on MutationError { code }`;
const SUMS = 'status amount { minorUnits } received { minorUnits } refunded { minorUnits } refundable { minorUnits }';

const CREATE = `mutation ($input: PaymentCreateInput!) { paymentCreate(input: $input) { ${FAILURES} ... on PaymentCreatePayload {
  payment { rawId provider description externalOperationId paidAt ${SUMS} amount { currencyCode } order { rawId } customer { rawId } }
  order { rawId } effect } } }`;
const RECORD = `mutation ($input: PaymentReceivedTotalSetInput!) { paymentReceivedTotalSet(input: $input) {
  ${FAILURES} ... on PaymentReceivedTotalSetPayload { payment { ${SUMS} paidAt } } } }`;
const REFUND = `mutation ($input: RefundCreateInput!) { refundCreate(input: $input) { ${FAILURES} ... on RefundCreatePayload {
  refund { rawId amount { minorUnits currencyCode } reason payment { rawId } order { rawId } } payment { ${SUMS} } } } }`;
const CANCEL = `mutation ($input: OrderCancelInput!) { orderCancel(input: $input) {
  ${FAILURES} ... on OrderCancelPayload { order { refunded { minorUnits } } refund { rawId amount { minorUnits } } } } }`;

const ORDER = `query ($id: ID!) { order(id: $id) { paid { minorUnits } refunded { minorUnits }
  refunds(first: 10) { nodes { rawId amount { minorUnits } reason payment { rawId } } }
  cancellationImpact { canCancel paid { minorUnits } refundable { minorUnits } cancelledPlan { minorUnits } } } }`;

const money = (minorUnits: number, currencyCode?: string) => ({ minorUnits: String(minorUnits), ...(currencyCode && { currencyCode }) });

/** Returns the payment or the error. */
const createPayment = async (orderId: string, fields: object = {}) => {
  const input = { orderId, amount: money(2_000), idempotencyKey: randomUUID(), ...fields };
  return (await testGraph.execute(CREATE, { input })).data.paymentCreate;
};
const setReceivedTotal = async (paymentId: string, total: number, currencyCode?: string) => {
  const input = { paymentId, totalReceived: money(total, currencyCode), idempotencyKey: randomUUID() };
  return (await testGraph.execute(RECORD, { input })).data.paymentReceivedTotalSet;
};
const refund = async (paymentId: string, amount: number, fields: object = {}) => {
  const input = { paymentId, amount: money(amount), idempotencyKey: randomUUID(), ...fields };
  return (await testGraph.execute(REFUND, { input })).data.refundCreate;
};
const cancel = async (orderId: string, amount: number) => {
  const input = { orderId, expectedVersion: '1', refund: { amount: money(amount) }, idempotencyKey: randomUUID() };
  return (await testGraph.execute(CANCEL, { input })).data.orderCancel;
};
const fetchOrder = async (id: string) => (await testGraph.execute(ORDER, { id })).data.order;

/** Creates an order with a manual payment of which `received` minor units have been received. */
async function createPaidOrder(received: number) {
  const orderId = await createOrder();
  return { orderId, paymentId: recordPayment(testGraph.sandbox.world, orderId, received) };
}

/** Sum of the order's refunds in the sandbox, in minor units. */
const sumRefunds = (orderId: string) =>
  testGraph.sandbox.world.store.get<{ total: number }>(
    'SELECT COALESCE(SUM(amount_minor), 0) AS total FROM refunds WHERE order_id = :orderId',
    { orderId },
  )?.total;

describe('Mutation.paymentCreate', () => {
  it('requests a manual payment if no provider is specified', async () => {
    const orderId = await createOrder();
    const idempotencyKey = randomUUID();
    const [result, calls] = await testGraph.recordCalls(() =>
      createPayment(orderId, { description: 'First half', amount: money(1_000), idempotencyKey }),
    );
    expect(result).toMatchObject({
      __typename: 'PaymentCreatePayload',
      payment: {
        status: 'OPEN',
        provider: 'MANUAL',
        description: 'First half',
        externalOperationId: idempotencyKey,
        paidAt: null,
        amount: { minorUnits: '1000', currencyCode: 'EUR' },
        received: { minorUnits: '0' },
        refunded: { minorUnits: '0' },
        refundable: { minorUnits: '0' },
        order: { rawId: orderId },
        customer: { rawId: CUSTOMER },
      },
      order: { rawId: orderId },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Payment/CreatePayment']);
  });

  it('returns TransitionBlockedError for a canceled order', async () => {
    const { orderId } = await createPaidOrder(500);
    await cancel(orderId, 500);
    expect(await createPayment(orderId)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringMatching(/is canceled, so no more payments can be requested/) }],
    });
  });

  it('fetches the order to verify a specified currency', async () => {
    const orderId = await createOrder();
    const [other, otherCalls] = await testGraph.recordCalls(() => createPayment(orderId, { amount: money(500, 'USD') }));
    expect(other).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['amount', 'currencyCode'], message: 'must be EUR, the currency of the record, but is USD.' }],
    });
    expect(otherCalls).toEqual(['Order/GetOrder']);
    const [same, calls] = await testGraph.recordCalls(() => createPayment(orderId, { amount: money(500, 'EUR') }));
    expect(same).toMatchObject({ payment: { amount: { minorUnits: '500' } } });
    expect(calls).toEqual(['Order/GetOrder', 'Payment/CreatePayment']);
  });
});

describe('Mutation.paymentReceivedTotalSet', () => {
  it('replaces the received total, even with a lower amount', spec('4.7.5'), async () => {
    const orderId = await createOrder();
    const { payment } = await createPayment(orderId);
    const [half, calls] = await testGraph.recordCalls(() => setReceivedTotal(payment.rawId, 1_000));
    expect(half).toMatchObject({ payment: { status: 'PARTIALLY_PAID', received: { minorUnits: '1000' }, paidAt: null } });
    expect(calls).toEqual(['Payment/GetPayment', 'Payment/RecordManualPayment']);
    expect(await setReceivedTotal(payment.rawId, 1_000)).toMatchObject({ payment: { received: { minorUnits: '1000' } } });
    expect(await setReceivedTotal(payment.rawId, 2_000)).toMatchObject({
      payment: { status: 'PAID', received: { minorUnits: '2000' }, refundable: { minorUnits: '2000' }, paidAt: expect.any(String) },
    });
    expect(await setReceivedTotal(payment.rawId, 700)).toMatchObject({
      payment: { status: 'PARTIALLY_PAID', received: { minorUnits: '700' } },
    });
    expect(await fetchOrder(orderId)).toMatchObject({
      paid: { minorUnits: '700' },
      cancellationImpact: { refundable: { minorUnits: '700' } },
    });
  });

  it.each(['ONLINE', 'TERMINAL'])(
    'returns TransitionBlockedError for a payment of provider %s, which sets the amount itself',
    spec('3.21'),
    async (provider) => {
      const { payment } = await createPayment(await createOrder(), { provider });
      const [result, calls] = await testGraph.recordCalls(() => setReceivedTotal(payment.rawId, 2_000));
      expect(result).toEqual({
        __typename: 'TransitionBlockedError',
        code: 'TRANSITION_BLOCKED',
        fromText: 'PUBLIC_PAYMENT_STATUS_OPEN',
        blockers: [{ message: expect.stringMatching(/isn’t manual\. The received amount of other payments is set by their provider/) }],
        current: { rawId: payment.rawId, received: { minorUnits: '0' } },
      });
      expect(calls).toEqual(['Payment/GetPayment', 'Payment/RecordManualPayment', 'Payment/GetPayment']);
    },
  );

  it('rejects a total below the refunded amount', async () => {
    const { paymentId } = await createPaidOrder(1_500);
    await refund(paymentId, 600);
    expect(await setReceivedTotal(paymentId, 599)).toMatchObject({
      __typename: 'TransitionBlockedError',
      current: { received: { minorUnits: '1500' } },
    });
    expect(await setReceivedTotal(paymentId, 600)).toMatchObject({ payment: { refundable: { minorUnits: '0' } } });
  });
});

describe('Mutation.refundCreate', () => {
  it('refunds up to the refundable amount, and no more', async () => {
    const { orderId, paymentId } = await createPaidOrder(1_500);
    const [first, calls] = await testGraph.recordCalls(() => refund(paymentId, 900, { reason: 'Scratched' }));
    expect(first).toMatchObject({
      refund: {
        amount: { minorUnits: '900', currencyCode: 'EUR' },
        reason: 'Scratched',
        payment: { rawId: paymentId },
        order: { rawId: orderId },
      },
      payment: { received: { minorUnits: '1500' }, refunded: { minorUnits: '900' }, refundable: { minorUnits: '600' } },
    });
    expect(calls).toEqual(['Payment/CreateRefund']);
    expect(await refund(paymentId, 601)).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_PAYMENT_STATUS_PAID',
      blockers: [{ message: expect.stringMatching(/At most 600 .* can be refunded, but 601 was requested/) }],
    });
    expect(sumRefunds(orderId)).toBe(900);
    expect(await refund(paymentId, 600)).toMatchObject({ payment: { refunded: { minorUnits: '1500' }, refundable: { minorUnits: '0' } } });
    expect(sumRefunds(orderId)).toBe(1_500);
  });

  it(
    'returns TransitionBlockedError if the provider doesn’t support refunds, and the payment reports 0 as refundable',
    spec('4.7.7'),
    async () => {
      const orderId = await createOrder();
      const paymentId = recordPayment(testGraph.sandbox.world, orderId, 1_500, PublicPaymentProvider.TERMINAL);
      const { data } = await testGraph.execute(
        'query ($id: ID!) { payment(id: $id) { received { minorUnits } refundable { minorUnits } } }',
        {
          id: paymentId,
        },
      );
      expect(data.payment).toEqual({ received: { minorUnits: '1500' }, refundable: { minorUnits: '0' } });
      expect(await refund(paymentId, 1)).toMatchObject({
        __typename: 'TransitionBlockedError',
        blockers: [{ message: expect.stringMatching(/doesn’t support refunds/) }],
      });
      expect(sumRefunds(orderId)).toBe(0);
    },
  );
});

describe('refunds of an order', () => {
  it('lists refunds from orderCancel and refundCreate together and updates the totals', async () => {
    const { orderId, paymentId } = await createPaidOrder(1_500);
    expect(await fetchOrder(orderId)).toEqual({
      paid: { minorUnits: '1500' },
      refunded: { minorUnits: '0' },
      refunds: { nodes: [] },
      cancellationImpact: {
        canCancel: true,
        paid: { minorUnits: '1500' },
        refundable: { minorUnits: '1500' },
        cancelledPlan: { minorUnits: '500' },
      },
    });
    const created = await refund(paymentId, 400, { reason: 'Scratched' });
    expect(await fetchOrder(orderId)).toMatchObject({
      paid: { minorUnits: '1500' },
      refunded: { minorUnits: '400' },
      cancellationImpact: { refundable: { minorUnits: '1100' } },
    });
    expect(await cancel(orderId, 1_101)).toMatchObject({ __typename: 'TransitionBlockedError', fromText: 'PUBLIC_ORDER_STATUS_OPEN' });
    const cancelled = await cancel(orderId, 1_000);
    expect(cancelled).toMatchObject({ order: { refunded: { minorUnits: '1400' } } });
    const [order, calls] = await testGraph.recordCalls(() => fetchOrder(orderId));
    expect(order).toMatchObject({
      paid: { minorUnits: '1500' },
      refunded: { minorUnits: '1400' },
      refunds: {
        nodes: [
          { rawId: cancelled.refund.rawId, amount: { minorUnits: '1000' } },
          { rawId: created.refund.rawId, amount: { minorUnits: '400' }, reason: 'Scratched', payment: { rawId: paymentId } },
        ],
      },
      cancellationImpact: { canCancel: false, refundable: { minorUnits: '0' } },
    });
    expect(calls.sort()).toEqual(['Order/GetOrder', 'Order/GetOrderCancellationImpact', 'Payment/ListRefunds']);
    // The rest can still be refunded from the payment.
    expect(await refund(paymentId, 101)).toMatchObject({ __typename: 'TransitionBlockedError' });
    expect(await refund(paymentId, 100)).toMatchObject({ payment: { refundable: { minorUnits: '0' } } });
  });

  it('resolves Refund.payment to null for a refund from several payments, which each payment lists', async () => {
    const orderId = await createOrder();
    const payments = [600, 900].map((amount) => recordPayment(testGraph.sandbox.world, orderId, amount));
    const { order, refund: created } = await cancel(orderId, 700);
    expect(order.refunded).toEqual({ minorUnits: '700' });
    expect((await fetchOrder(orderId)).refunds.nodes).toMatchObject([{ rawId: created.rawId, payment: null }]);
    for (const [index, id] of payments.entries()) {
      const { data } = await testGraph.execute(
        'query ($id: ID!) { payment(id: $id) { refunded { minorUnits } refunds { nodes { rawId } } } }',
        {
          id,
        },
      );
      expect(data.payment).toEqual({
        refunded: { minorUnits: index === 0 ? '600' : '100' },
        refunds: { nodes: [{ rawId: created.rawId }] },
      });
    }
  });

  it('issues no refund twice if orderCancel and refundCreate race', async () => {
    const done = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { orderId, paymentId } = await createPaidOrder(1_500);
        const results = await Promise.all([cancel(orderId, 1_000), refund(paymentId, 1_000)]);
        expect(results.map(({ __typename }) => __typename.replace(/^(OrderCancel|RefundCreate)Payload$/, 'done')).sort()).toEqual([
          'TransitionBlockedError',
          'done',
        ]);
        return sumRefunds(orderId);
      }),
    );
    expect(done).toEqual(Array(6).fill(1_000));
  });

  it('refunds no more than the received amount if refunds of one payment race', async () => {
    const { orderId, paymentId } = await createPaidOrder(1_500);
    const results = await Promise.all(Array.from({ length: 6 }, () => refund(paymentId, 400)));
    expect(results.filter(({ __typename }) => __typename === 'RefundCreatePayload')).toHaveLength(3);
    expect(sumRefunds(orderId)).toBe(1_200);
  });
});

describe('payments of an order and its customer', () => {
  it('lists payments newest first with one call, and IDs of related records without a call', async () => {
    const orderId = await createOrder();
    const first = await createPayment(orderId);
    const second = await createPayment(orderId, { provider: 'ONLINE' });
    await setReceivedTotal(first.payment.rawId, 2_000);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { order(id: $id) {
          all: payments(first: 10) { nodes { rawId order { id rawId } customer { id rawId } } }
          open: payments(first: 10, filter: { statuses: [OPEN] }) { nodes { rawId } } } }`,
        { id: orderId },
      ),
    );
    const links = {
      order: { id: toGlobalId('Order', orderId), rawId: orderId },
      customer: { id: toGlobalId('Customer', CUSTOMER), rawId: CUSTOMER },
    };
    expect(data.order).toEqual({
      all: { nodes: [second, first].map(({ payment: { rawId } }) => ({ rawId, ...links })) },
      open: { nodes: [{ rawId: second.payment.rawId }] },
    });
    expect(calls).toEqual(['Payment/ListPayments', 'Payment/ListPayments']);
  });

  it('lists refunds with one call without fetching the order or the payment', async () => {
    const { orderId, paymentId } = await createPaidOrder(1_500);
    const created = await refund(paymentId, 300);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        'query ($id: ID!) { order(id: $id) { refunds(first: 10) { nodes { rawId order { rawId } payment { rawId } } } } }',
        {
          id: orderId,
        },
      ),
    );
    const node = { rawId: created.refund.rawId, order: { rawId: orderId }, payment: { rawId: paymentId } };
    expect([data.order.refunds.nodes, calls]).toEqual([[node], ['Payment/ListRefunds']]);
  });

  it('lists each billing connection of a customer with one call without fetching the customer', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { customer(id: $id) {
          payments(first: 2) { nodes { id status order { id } } }
          invoices(first: 2) { nodes { id number customer { id } } }
          proFormas(first: 2) { nodes { id order { id } customer { id } } }
          accountingIntegrations { nodes { name } } } }`,
        { id: CUSTOMER },
      ),
    );
    expect(errors).toBeUndefined();
    expect(data.customer).toMatchObject({ accountingIntegrations: { nodes: [{ name: 'Ledger Online' }, { name: 'Office Books' }] } });
    expect(calls.sort()).toEqual([
      'Invoice/ListAccountingConnections',
      'Invoice/ListInvoices',
      'Payment/ListPayments',
      'ProForma/ListProFormas',
    ]);
  });
});
