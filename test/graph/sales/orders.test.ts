import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createOrder } = createQuoting(testGraph);

const CANCEL = `mutation ($input: OrderCancelInput!) {
  orderCancel(input: $input) {
    __typename
    ... on OrderCancelPayload {
      order { rawId status statusText version cancellationReason cancelledAt refunded { minorUnits } }
      refund { rawId amount { minorUnits amount currencyCode } createdAt }
    }
    ... on VersionConflictError { expectedVersion currentVersion current { ... on Order { version status } } }
    ... on TransitionBlockedError { fromText blockers { code message } }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

const READ = 'query ($id: ID!) { order(id: $id) { version status refunded { minorUnits } cancelledAt cancellationReason } }';
const _read = async (id: string) => (await testGraph.execute(READ, { id })).data.order;

const _UNTOUCHED = { version: '1', status: 'OPEN', refunded: { minorUnits: '0' }, cancelledAt: null, cancellationReason: null };

const listRefunds = (orderId: string) => testGraph.sandbox.world.store.all('SELECT id FROM refunds WHERE order_id = :orderId', { orderId });

const cancel = (orderId: string, fields: object = {}) =>
  testGraph.execute(CANCEL, { input: { orderId, expectedVersion: '1', idempotencyKey: randomUUID(), ...fields } });

describe('Query.order', () => {
  it('returns an order with its lines, amounts, and quote', async () => {
    const id = await createOrder(500);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { order(id: $id) { id rawId version status statusText referenceNumber createdAt
          customer { rawId } quote { __typename }
          lines { product { name } productName quantity priceType unitPrice { minorUnits } vatRate total { amount currencyCode } }
          totalOnce { amount } totalMonthly { minorUnits } totalYearly { minorUnits } paid { amount } refunded { amount } } }`,
        { id },
      ),
    );
    expect(data.order).toMatchObject({
      id: toGlobalId('Order', id),
      rawId: id,
      version: '1',
      status: 'OPEN',
      statusText: 'PUBLIC_ORDER_STATUS_OPEN',
      referenceNumber: expect.stringMatching(/^O-\d+$/),
      createdAt: new Date(START * 1000).toISOString().replace('.000Z', 'Z'),
      customer: { rawId: CUSTOMER },
      quote: { __typename: 'Quote' },
      lines: [
        {
          product: { name: 'Test lamp' },
          productName: 'Test lamp',
          quantity: 2,
          priceType: 'ONCE',
          unitPrice: { minorUnits: '1000' },
          vatRate: '0.21',
          total: { amount: '20.00', currencyCode: 'EUR' },
        },
      ],
      totalOnce: { amount: '20.00' },
      totalMonthly: { minorUnits: '0' },
      totalYearly: { minorUnits: '0' },
      paid: { amount: '5.00' },
      refunded: { amount: '0.00' },
    });
    expect(calls).toEqual(['Order/GetOrder', 'Catalog/GetProduct']);
  });

  it('returns PERMISSION_OR_RESOURCE if the account lacks permission despite the scope', async () => {
    const { data, errors } = await testGraph.executeAs('demo-restricted', READ, { id: demoId('order 0') });
    expect(data).toEqual({ order: null });
    expect(errors).toMatchObject([{ path: ['order'], extensions: { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' } }]);
  });
});

describe('Customer.orders', () => {
  const LIST = `query ($id: ID!, $statuses: [OrderStatus!], $first: Int, $after: String) { customer(id: $id) {
    orders(filter: { statuses: $statuses }, first: $first, after: $after) { nodes { rawId status createdAt } pageInfo { hasNextPage endCursor } }
  } }`;
  const id = demoId('customer 0');

  it('lists the newest orders first, one call per page, without fetching the customer', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { id, first: 20 }));
    const timestamps = data.customer.orders.nodes.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(timestamps).toHaveLength(20);
    expect(timestamps).toEqual([...timestamps].sort().reverse());
    expect(calls).toEqual(['Order/ListOrders']);
  });

  it.each(['OPEN', 'FULFILLED', 'CANCELLED'])('filters by status %s', async (status) => {
    const { data } = await testGraph.execute(LIST, { id, statuses: [status], first: 100 });
    expect(new Set(data.customer.orders.nodes.map((node: { status: string }) => node.status))).toEqual(new Set([status]));
  });
});

describe('Order.cancellationImpact', () => {
  const IMPACT = `query ($id: ID!) { order(id: $id) { cancellationImpact {
    canCancel blockers { code message } paid { minorUnits } refundable { amount currencyCode } cancelledPlan { minorUnits } releasedQuantity
  } } }`;

  it('returns the effects of a cancellation without fetching the order', async () => {
    const id = await createOrder(1_500);
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(IMPACT, { id }));
    expect(data.order.cancellationImpact).toEqual({
      canCancel: true,
      blockers: [],
      paid: { minorUnits: '1500' },
      refundable: { amount: '15.00', currencyCode: 'EUR' },
      cancelledPlan: { minorUnits: '500' },
      releasedQuantity: 0,
    });
    expect(calls).toEqual(['Order/GetOrderCancellationImpact']);
  });

  it('returns the quantity of reserved stock that would be released', async () => {
    const { data } = await testGraph.execute(IMPACT, { id: demoId('order 0') });
    expect(Number(data.order.cancellationImpact.releasedQuantity)).toBeGreaterThan(0);
  });

  it('lists the blockers if the order can’t be canceled', async () => {
    const id = await createOrder(1_500);
    await cancel(id);
    const { data } = await testGraph.execute(IMPACT, { id });
    expect(data.order.cancellationImpact).toMatchObject({
      canCancel: false,
      blockers: [{ code: 'OTHER', message: expect.stringMatching(/is already canceled/) }],
      refundable: { amount: '0.00' },
    });
  });
});

describe('Mutation.orderCancel', () => {
  it('cancels the order without a refund', async () => {
    const orderId = await createOrder(1_500);
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel(toGlobalId('Order', orderId), { reason: 'Changed their mind.' }));
    expect(data.orderCancel).toEqual({
      __typename: 'OrderCancelPayload',
      order: {
        rawId: orderId,
        status: 'CANCELLED',
        statusText: 'PUBLIC_ORDER_STATUS_CANCELLED',
        version: '2',
        cancellationReason: 'Changed their mind.',
        cancelledAt: new Date(START * 1000).toISOString().replace('.000Z', 'Z'),
        refunded: { minorUnits: '0' },
      },
      refund: null,
    });
    expect(calls).toEqual(['Order/CancelOrder']);
    expect(listRefunds(orderId)).toEqual([]);
  });

  it('refunds once per idempotency key', async () => {
    const orderId = await createOrder(1_500);
    const fields = { refund: { amount: { minorUnits: '1200' } }, idempotencyKey: 'refund-once' };
    const first = await cancel(orderId, fields);
    expect(first.data.orderCancel).toMatchObject({
      order: { status: 'CANCELLED', refunded: { minorUnits: '1200' } },
      refund: { amount: { minorUnits: '1200', amount: '12.00', currencyCode: 'EUR' } },
    });
    const again = await cancel(orderId, fields);
    expect(again.data).toEqual(first.data);
    expect(listRefunds(orderId)).toHaveLength(1);
  });

  it('fetches the order only to verify the refund currency', async () => {
    const orderId = await createOrder(1_500);
    const refundWithCurrency = (currencyCode: string) =>
      cancel(orderId, { refund: { amount: { minorUnits: '100', currencyCode } }, idempotencyKey: 'refund-in-euros' });
    const [other, otherCalls] = await testGraph.recordCalls(() => refundWithCurrency('USD'));
    expect(other.data.orderCancel).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['refund', 'amount', 'currencyCode'], message: 'must be EUR, the currency of the record, but is USD.' }],
    });
    expect([listRefunds(orderId), otherCalls]).toEqual([[], ['Order/GetOrder']]);
    const [same, calls] = await testGraph.recordCalls(() => refundWithCurrency('EUR'));
    expect(same.data.orderCancel).toMatchObject({ refund: { amount: { minorUnits: '100', currencyCode: 'EUR' } } });
    expect(calls).toEqual(['Order/GetOrder', 'Order/CancelOrder']);
  });

  it('rejects a refund currency if the order’s currency is unknown', async () => {
    testGraph.sandbox.faults.add({ operation: 'Order/GetOrder', status: 200, body: '{"order":{"id":"o"}}', times: 1 });
    const refund = { amount: { minorUnits: '100', currencyCode: 'EUR' } };
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel('o', { refund, idempotencyKey: 'refund-unknown' }));
    expect(data.orderCancel).toMatchObject({
      __typename: 'ValidationError',
      issues: [
        {
          path: ['refund', 'amount', 'currencyCode'],
          message: 'must be omitted, because the currency of the record is unknown, but is EUR.',
        },
      ],
    });
    expect(calls).toEqual(['Order/GetOrder']);
  });

  it('refunds once if the response is lost and the call is retried', async () => {
    const orderId = await createOrder(1_500);
    testGraph.sandbox.faults.add({ operation: 'Order/CancelOrder', cut: 'after', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      cancel(orderId, { refund: { amount: { minorUnits: 700 } }, idempotencyKey: 'refund-lost' }),
    );
    expect(data.orderCancel).toMatchObject({ refund: { amount: { minorUnits: '700' } } });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/CancelOrder']);
    expect(listRefunds(orderId)).toHaveLength(1);
  });

  it('reconciles a lost response from the order status without a retry if nothing is refunded', async () => {
    const orderId = await createOrder();
    testGraph.sandbox.faults.add({ operation: 'Order/CancelOrder', cut: 'after', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel(orderId, { reason: 'Lost.' }));
    expect(data.orderCancel).toMatchObject({ order: { status: 'CANCELLED', cancellationReason: 'Lost.' }, refund: null });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/GetOrder']);
  });

  it('returns OutcomeUnknownError without a retry if the order is still open after a lost response', async () => {
    const orderId = await createOrder();
    testGraph.sandbox.faults.add({ operation: 'Order/CancelOrder', cut: 'before', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel(orderId));
    expect(data.orderCancel).toEqual({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/GetOrder']);
  });

  it('returns TransitionBlockedError with the status if the order is already canceled', async () => {
    const orderId = await createOrder();
    await cancel(orderId);
    const { data } = await cancel(orderId, { expectedVersion: '2' });
    expect(data.orderCancel).toMatchObject({ __typename: 'TransitionBlockedError', fromText: 'PUBLIC_ORDER_STATUS_CANCELLED' });
  });

  it.each([
    [
      'a reason of 1,001 characters',
      { reason: 'x'.repeat(1_001) },
      { path: ['reason'], message: 'must have at most 1000 characters, but has 1001.' },
    ],
    [
      'a refund of 0',
      { refund: { amount: { minorUnits: '0' } }, idempotencyKey: 'k' },
      { path: ['refund', 'amount', 'minorUnits'], message: 'must be greater than 0, but is 0.' },
    ],
  ])('returns the upstream’s ValidationError for %s', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel('o', fields));
    expect(data.orderCancel).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual(['Order/CancelOrder']);
  });

  it.each([
    [
      'a refund with a blank idempotency key',
      { refund: { amount: { minorUnits: '1' } }, idempotencyKey: ' ' },
      { path: ['idempotencyKey'], message: 'must not be blank.' },
    ],
    [
      'a refund with an idempotency key of 201 characters',
      { refund: { amount: { minorUnits: '1' } }, idempotencyKey: 'k'.repeat(201) },
      { path: ['idempotencyKey'], message: 'must have at most 200 characters, but has 201.' },
    ],
    ['a blank ID', { orderId: '' }, { path: ['orderId'], message: 'must be an Order ID, but is blank.' }],
    ['a quote ID', { orderId: toGlobalId('Quote', 'q') }, { path: ['orderId'], message: 'must be an Order ID, but is a Quote ID.' }],
  ])('rejects %s without an upstream call', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel('o', fields));
    expect(data.orderCancel).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('returns 400 for a fractional amount', async () => {
    const { status, errors } = await cancel('o', { refund: { amount: { minorUnits: '1.5' } }, idempotencyKey: 'k' });
    expect(status).toBe(400);
    expect(errors?.[0]?.message).toMatch(/Int64 must be a 64-bit integer, but is "1.5"/);
  });
});
