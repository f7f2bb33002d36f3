import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { PublicPaymentProvider } from '../../../src/upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { receive } from '../../sandbox/receive.ts';
import { CUSTOMER, quotingIn } from '../../support/quoting.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createOrder } = quotingIn(testGraph);

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

/** Answers the payment, or its failure. */
const ask = async (orderId: string, fields: object = {}) => {
  const input = { orderId, amount: money(2_000), idempotencyKey: randomUUID(), ...fields };
  return (await testGraph.execute(CREATE, { input })).data.paymentCreate;
};
const record = async (paymentId: string, total: number, currencyCode?: string) => {
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
const orderNow = async (id: string) => (await testGraph.execute(ORDER, { id })).data.order;

/** An order with a manual payment, of which some was received. */
async function paidOrder(received: number) {
  const orderId = await createOrder();
  return { orderId, paymentId: receive(testGraph.sandbox.world, orderId, received) };
}

/** Sum of the refunds of an order in the sandbox's book, in minor units. */
const givenBack = (orderId: string) =>
  testGraph.sandbox.world.store.get<{ total: number }>(
    'SELECT COALESCE(SUM(amount_minor), 0) AS total FROM refunds WHERE order_id = :orderId',
    { orderId },
  )?.total;

describe('Mutation.paymentCreate', () => {
  it('asks for a payment by hand when no provider is named', async () => {
    const orderId = await createOrder();
    const idempotencyKey = randomUUID();
    const [answer, calls] = await testGraph.recordCalls(() =>
      ask(orderId, { description: 'First half', amount: money(1_000), idempotencyKey }),
    );
    expect(answer).toMatchObject({
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

  it('is refused for a cancelled order, of which nothing is asked any more', async () => {
    const { orderId } = await paidOrder(500);
    await cancel(orderId, 500);
    expect(await ask(orderId)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ message: expect.stringMatching(/is canceled, so no more payments can be requested/) }],
    });
  });

  it('compares a currency that is named with that of the order, by one read', async () => {
    const orderId = await createOrder();
    const [other, otherCalls] = await testGraph.recordCalls(() => ask(orderId, { amount: money(500, 'USD') }));
    expect(other).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['amount', 'currencyCode'], message: 'must be EUR, the currency of the record, but is USD.' }],
    });
    expect(otherCalls).toEqual(['Order/GetOrder']);
    const [same, calls] = await testGraph.recordCalls(() => ask(orderId, { amount: money(500, 'EUR') }));
    expect(same).toMatchObject({ payment: { amount: { minorUnits: '500' } } });
    expect(calls).toEqual(['Order/GetOrder', 'Payment/CreatePayment']);
  });
});

describe('Mutation.paymentReceivedTotalSet', () => {
  it('sets the total, which is not added, and which a lower one takes the place of', spec('4.7.5'), async () => {
    const orderId = await createOrder();
    const { payment } = await ask(orderId);
    const [half, calls] = await testGraph.recordCalls(() => record(payment.rawId, 1_000));
    expect(half).toMatchObject({ payment: { status: 'PARTIALLY_PAID', received: { minorUnits: '1000' }, paidAt: null } });
    expect(calls).toEqual(['Payment/GetPayment', 'Payment/RecordManualPayment']);
    expect(await record(payment.rawId, 1_000)).toMatchObject({ payment: { received: { minorUnits: '1000' } } });
    expect(await record(payment.rawId, 2_000)).toMatchObject({
      payment: { status: 'PAID', received: { minorUnits: '2000' }, refundable: { minorUnits: '2000' }, paidAt: expect.any(String) },
    });
    expect(await record(payment.rawId, 700)).toMatchObject({ payment: { status: 'PARTIALLY_PAID', received: { minorUnits: '700' } } });
    expect(await orderNow(orderId)).toMatchObject({
      paid: { minorUnits: '700' },
      cancellationImpact: { refundable: { minorUnits: '700' } },
    });
  });

  it.each(['ONLINE', 'TERMINAL'])(
    'is refused for a payment of provider %s, which writes the sums itself',
    spec('3.21'),
    async (provider) => {
      const { payment } = await ask(await createOrder(), { provider });
      const [answer, calls] = await testGraph.recordCalls(() => record(payment.rawId, 2_000));
      expect(answer).toEqual({
        __typename: 'TransitionBlockedError',
        code: 'TRANSITION_BLOCKED',
        fromText: 'PUBLIC_PAYMENT_STATUS_OPEN',
        blockers: [{ message: expect.stringMatching(/isn’t manual\. The received amount of other payments is set by their provider/) }],
        current: { rawId: payment.rawId, received: { minorUnits: '0' } },
      });
      expect(calls).toEqual(['Payment/GetPayment', 'Payment/RecordManualPayment', 'Payment/GetPayment']);
    },
  );

  it('is refused below what was given back already', async () => {
    const { paymentId } = await paidOrder(1_500);
    await refund(paymentId, 600);
    expect(await record(paymentId, 599)).toMatchObject({
      __typename: 'TransitionBlockedError',
      current: { received: { minorUnits: '1500' } },
    });
    expect(await record(paymentId, 600)).toMatchObject({ payment: { refundable: { minorUnits: '0' } } });
  });
});

describe('Mutation.refundCreate', () => {
  it('gives back up to what is refundable, and not beyond', async () => {
    const { orderId, paymentId } = await paidOrder(1_500);
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
    expect(givenBack(orderId)).toBe(900);
    expect(await refund(paymentId, 600)).toMatchObject({ payment: { refunded: { minorUnits: '1500' }, refundable: { minorUnits: '0' } } });
    expect(givenBack(orderId)).toBe(1_500);
  });

  it('is refused where the provider makes none, as its payment says beforehand', spec('4.7.7'), async () => {
    const orderId = await createOrder();
    const paymentId = receive(testGraph.sandbox.world, orderId, 1_500, PublicPaymentProvider.TERMINAL);
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
    expect(givenBack(orderId)).toBe(0);
  });
});

describe('the money of an order', () => {
  it('has the refunds of both entrances in one list, and its sums follow', async () => {
    const { orderId, paymentId } = await paidOrder(1_500);
    expect(await orderNow(orderId)).toEqual({
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
    expect(await orderNow(orderId)).toMatchObject({
      paid: { minorUnits: '1500' },
      refunded: { minorUnits: '400' },
      cancellationImpact: { refundable: { minorUnits: '1100' } },
    });
    expect(await cancel(orderId, 1_101)).toMatchObject({ __typename: 'TransitionBlockedError', fromText: 'PUBLIC_ORDER_STATUS_OPEN' });
    const cancelled = await cancel(orderId, 1_000);
    expect(cancelled).toMatchObject({ order: { refunded: { minorUnits: '1400' } } });
    const [order, calls] = await testGraph.recordCalls(() => orderNow(orderId));
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
    // The rest is still the customer's: it can be given back of the payment.
    expect(await refund(paymentId, 101)).toMatchObject({ __typename: 'TransitionBlockedError' });
    expect(await refund(paymentId, 100)).toMatchObject({ payment: { refundable: { minorUnits: '0' } } });
  });

  it('names no payment in a refund that is taken from several, which each of them lists', async () => {
    const orderId = await createOrder();
    const payments = [600, 900].map((amount) => receive(testGraph.sandbox.world, orderId, amount));
    const { order, refund: made } = await cancel(orderId, 700);
    expect(order.refunded).toEqual({ minorUnits: '700' });
    expect((await orderNow(orderId)).refunds.nodes).toMatchObject([{ rawId: made.rawId, payment: null }]);
    for (const [index, id] of payments.entries()) {
      const { data } = await testGraph.execute(
        'query ($id: ID!) { payment(id: $id) { refunded { minorUnits } refunds { nodes { rawId } } } }',
        {
          id,
        },
      );
      expect(data.payment).toEqual({ refunded: { minorUnits: index === 0 ? '600' : '100' }, refunds: { nodes: [{ rawId: made.rawId }] } });
    }
  });

  it('is never given back twice when both entrances race', async () => {
    const done = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { orderId, paymentId } = await paidOrder(1_500);
        const answers = await Promise.all([cancel(orderId, 1_000), refund(paymentId, 1_000)]);
        expect(answers.map(({ __typename }) => __typename.replace(/^(OrderCancel|RefundCreate)Payload$/, 'done')).sort()).toEqual([
          'TransitionBlockedError',
          'done',
        ]);
        return givenBack(orderId);
      }),
    );
    expect(done).toEqual(Array(6).fill(1_000));
  });

  it('is never given back twice by refunds of one payment that race', async () => {
    const { orderId, paymentId } = await paidOrder(1_500);
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(paymentId, 400)));
    expect(answers.filter(({ __typename }) => __typename === 'RefundCreatePayload')).toHaveLength(3);
    expect(givenBack(orderId)).toBe(1_200);
  });
});

describe('the payments of an order and of its customer', () => {
  it('are listed newest first, by one call each, whose edges back cost nothing when only keys are asked', async () => {
    const orderId = await createOrder();
    const first = await ask(orderId);
    const second = await ask(orderId, { provider: 'ONLINE' });
    await record(first.payment.rawId, 2_000);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { order(id: $id) {
          all: payments(first: 10) { nodes { rawId order { id rawId } customer { id rawId } } }
          open: payments(first: 10, filter: { status: OPEN }) { nodes { rawId } } } }`,
        { id: orderId },
      ),
    );
    const back = {
      order: { id: toGlobalId('Order', orderId), rawId: orderId },
      customer: { id: toGlobalId('Customer', CUSTOMER), rawId: CUSTOMER },
    };
    expect(data.order).toEqual({
      all: { nodes: [second, first].map(({ payment: { rawId } }) => ({ rawId, ...back })) },
      open: { nodes: [{ rawId: second.payment.rawId }] },
    });
    expect(calls).toEqual(['Payment/ListPayments', 'Payment/ListPayments']);
  });

  it('have refunds that take one call, for which neither the order nor a payment is read', async () => {
    const { orderId, paymentId } = await paidOrder(1_500);
    const made = await refund(paymentId, 300);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        'query ($id: ID!) { order(id: $id) { refunds(first: 10) { nodes { rawId order { rawId } payment { rawId } } } } }',
        {
          id: orderId,
        },
      ),
    );
    const node = { rawId: made.refund.rawId, order: { rawId: orderId }, payment: { rawId: paymentId } };
    expect([data.order.refunds.nodes, calls]).toEqual([[node], ['Payment/ListRefunds']]);
  });

  it('take one call a list on the page of a customer, who is not read for them', async () => {
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
