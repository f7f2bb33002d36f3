import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId, START } from '../../sandbox/sandbox.ts';
import { CUSTOMER, quotingIn } from '../../support/quoting.ts';
import { RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({}, undefined, RAW_RECORDS);
const { createOrder } = quotingIn(testGraph);

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
const read = async (id: string) => (await testGraph.execute(READ, { id })).data.order;

const UNTOUCHED = { version: '1', status: 'OPEN', refunded: { minorUnits: '0' }, cancelledAt: null, cancellationReason: null };

const refundsOf = (orderId: string) => testGraph.sandbox.world.store.all('SELECT id FROM refunds WHERE order_id = :orderId', { orderId });

const cancel = (orderId: string, fields: object = {}) =>
  testGraph.execute(CANCEL, { input: { orderId, expectedVersion: '1', idempotencyKey: randomUUID(), ...fields } });

describe('Query.order', () => {
  it('answers an order with its lines, its money and its quote', async () => {
    const id = await createOrder(500);
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { order(id: $id) { id rawId version status statusText referenceNumber createdAt upstreamRecord
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
      upstreamRecord: { id, customerId: CUSTOMER, lineItems: [{ quantity: 2 }] },
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

  it('says why an account may not read orders, though its key has the scope', async () => {
    const { data, errors } = await testGraph.executeAs('demo-restricted', READ, { id: demoId('order 0') });
    expect(data).toEqual({ order: null });
    expect(errors).toMatchObject([{ path: ['order'], extensions: { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' } }]);
  });
});

describe('Customer.orders', () => {
  const LIST = `query ($id: ID!, $status: OrderStatus, $first: Int, $after: String) { customer(id: $id) {
    orders(filter: { status: $status }, first: $first, after: $after) { nodes { rawId status createdAt } pageInfo { hasNextPage endCursor } }
  } }`;
  const id = demoId('customer 0');

  it('lists the newest first, one call a page, without reading the customer', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { id, first: 20 }));
    const moments = data.customer.orders.nodes.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(moments).toHaveLength(20);
    expect(moments).toEqual([...moments].sort().reverse());
    expect(calls).toEqual(['Order/ListOrders']);
  });

  it.each(['OPEN', 'FULFILLED', 'CANCELLED'])('lists only those in state %s', async (status) => {
    const { data } = await testGraph.execute(LIST, { id, status, first: 100 });
    expect(new Set(data.customer.orders.nodes.map((node: { status: string }) => node.status))).toEqual(new Set([status]));
  });

  it('refuses a cursor of another filter, and sends nothing', async () => {
    const { data } = await testGraph.execute(LIST, { id, status: 'OPEN', first: 1 });
    const after = data.customer.orders.pageInfo.endCursor;
    for (const other of [{ id, status: 'CANCELLED' }, { id }, { id: CUSTOMER, status: 'OPEN' }]) {
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { ...other, after }));
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
      expect(calls).toEqual([]);
    }
  });

  it('refuses a state that does not exist, with status 400', async () => {
    const { status, errors } = await testGraph.execute(LIST, { id, status: 'LOST' });
    expect(status).toBe(400);
    expect(errors?.[0]?.message).toMatch(/Value "LOST" does not exist in "OrderStatus" enum/);
  });
});

describe('Order.cancellationImpact', () => {
  const IMPACT = `query ($id: ID!) { order(id: $id) { cancellationImpact {
    canCancel blockers { code message } paid { minorUnits } refundable { amount currencyCode } cancelledPlan { minorUnits } releasedQuantity
  } } }`;

  it('tells what cancelling would do, from the id alone', async () => {
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

  it('tells how much reserved stock would become free', async () => {
    const { data } = await testGraph.execute(IMPACT, { id: demoId('order 0') });
    expect(Number(data.order.cancellationImpact.releasedQuantity)).toBeGreaterThan(0);
  });

  it('tells what stands in the way', async () => {
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
  it('cancels without a key when no money is given back', async () => {
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
    expect(refundsOf(orderId)).toEqual([]);
  });

  it('gives money back once, however often the key is repeated', async () => {
    const orderId = await createOrder(1_500);
    const fields = { refund: { amount: { minorUnits: '1200' } }, idempotencyKey: 'refund-once' };
    const first = await cancel(orderId, fields);
    expect(first.data.orderCancel).toMatchObject({
      order: { status: 'CANCELLED', refunded: { minorUnits: '1200' } },
      refund: { amount: { minorUnits: '1200', amount: '12.00', currencyCode: 'EUR' } },
    });
    const again = await cancel(orderId, fields);
    expect(again.data).toEqual(first.data);
    expect(refundsOf(orderId)).toHaveLength(1);
  });

  it('reads the order to compare the currency of a refund, and only then', async () => {
    const orderId = await createOrder(1_500);
    const refundIn = (currencyCode: string) =>
      cancel(orderId, { refund: { amount: { minorUnits: '100', currencyCode } }, idempotencyKey: 'refund-in-euros' });
    const [other, otherCalls] = await testGraph.recordCalls(() => refundIn('USD'));
    expect(other.data.orderCancel).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['refund', 'amount', 'currencyCode'], message: 'must be EUR, the currency of the record, but is USD.' }],
    });
    expect([refundsOf(orderId), otherCalls]).toEqual([[], ['Order/GetOrder']]);
    const [same, calls] = await testGraph.recordCalls(() => refundIn('EUR'));
    expect(same.data.orderCancel).toMatchObject({ refund: { amount: { minorUnits: '100', currencyCode: 'EUR' } } });
    expect(calls).toEqual(['Order/GetOrder', 'Order/CancelOrder']);
  });

  it('does not refund in a currency that the order does not tell', async () => {
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

  it('gives money back once when the answer is lost and it is sent again', async () => {
    const orderId = await createOrder(1_500);
    testGraph.sandbox.faults.add({ operation: 'Order/CancelOrder', cut: 'after', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      cancel(orderId, { refund: { amount: { minorUnits: 700 } }, idempotencyKey: 'refund-lost' }),
    );
    expect(data.orderCancel).toMatchObject({ refund: { amount: { minorUnits: '700' } } });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/CancelOrder']);
    expect(refundsOf(orderId)).toHaveLength(1);
  });

  it('is not sent again without a refund: the order tells that it was cancelled', async () => {
    const orderId = await createOrder();
    testGraph.sandbox.faults.add({ operation: 'Order/CancelOrder', cut: 'after', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel(orderId, { reason: 'Lost.' }));
    expect(data.orderCancel).toMatchObject({ order: { status: 'CANCELLED', cancellationReason: 'Lost.' }, refund: null });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/GetOrder']);
  });

  it('is not sent again without a refund: what happened is unknown when the order is open, since it may still be on its way', async () => {
    const orderId = await createOrder();
    testGraph.sandbox.faults.add({ operation: 'Order/CancelOrder', cut: 'before', times: 1 });
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel(orderId));
    expect(data.orderCancel).toEqual({ __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN' });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/GetOrder']);
  });

  it('answers VersionConflictError with the order as it is, and changes nothing, when it has changed since', async () => {
    const orderId = await createOrder();
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel(orderId, { expectedVersion: '5' }));
    expect(data.orderCancel).toEqual({
      __typename: 'VersionConflictError',
      code: 'VERSION_CONFLICT',
      expectedVersion: '5',
      currentVersion: '1',
      current: { version: '1', status: 'OPEN' },
    });
    expect(calls).toEqual(['Order/CancelOrder', 'Order/GetOrder']);
    expect(await read(orderId)).toEqual(UNTOUCHED);
  });

  it('answers VersionConflictError without the order to a key that may not read orders', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'order:read') });
    const input = {
      orderId: await createOrder(100),
      expectedVersion: '5',
      refund: { amount: { minorUnits: '100' } },
      idempotencyKey: 'refund-blind',
    };
    const { data } = await testGraph.executeAs(key, CANCEL, { input });
    expect(data.orderCancel).toMatchObject({
      __typename: 'VersionConflictError',
      expectedVersion: '5',
      currentVersion: null,
      current: null,
    });
  });

  it('answers TransitionBlockedError with the state when the order is cancelled already', async () => {
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
      'a refund of nothing',
      { refund: { amount: { minorUnits: '0' } }, idempotencyKey: 'k' },
      { path: ['refund', 'amount', 'minorUnits'], message: 'must be greater than 0, but is 0.' },
    ],
  ])('refuses %s when the upstream has', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel('o', fields));
    expect(data.orderCancel).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual(['Order/CancelOrder']);
  });

  it.each([
    [
      'a refund with a blank key',
      { refund: { amount: { minorUnits: '1' } }, idempotencyKey: ' ' },
      { path: ['idempotencyKey'], message: 'must not be blank.' },
    ],
    [
      'a refund with a key of 201 characters',
      { refund: { amount: { minorUnits: '1' } }, idempotencyKey: 'k'.repeat(201) },
      { path: ['idempotencyKey'], message: 'must have at most 200 characters, but has 201.' },
    ],
    ['a blank id', { orderId: '' }, { path: ['orderId'], message: 'must be an Order ID, but is blank.' }],
    ['the id of a quote', { orderId: toGlobalId('Quote', 'q') }, { path: ['orderId'], message: 'must be an Order ID, but is a Quote ID.' }],
  ])('refuses %s, and sends nothing', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => cancel('o', fields));
    expect(data.orderCancel).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('refuses an amount that is no whole number, with status 400', async () => {
    const { status, errors } = await cancel('o', { refund: { amount: { minorUnits: '1.5' } }, idempotencyKey: 'k' });
    expect(status).toBe(400);
    expect(errors?.[0]?.message).toMatch(/Int64 must be a 64-bit integer, but is "1.5"/);
  });
});
