import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { find } from '../../schema/kit/entities.ts';
import { checkCurrency, MoneyInput } from '../../schema/kit/money.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { describe, toVersion } from '../../schema/kit/records.ts';
import { Order, OrderCancellationImpact, OrderRefund, OrderStatus } from '../../schema/sales/orders.ts';
import { CancelOrder, GetOrder, GetOrderCancellationImpact, ListOrders } from '../../upstream/contract/generated/operations.ts';
import { answered } from '../kit/answered.ts';
import { filterInput } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { holds, read } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('order', (t) =>
  t.field({
    ...describe(GetOrder, 'The order of this id; null when there is none. Orders are listed by customer: `Customer.orders`.'),
    type: Order.ref,
    args: { id: t.arg.id({ required: true, description: 'The id of the order.' }) },
    resolve: (_root, { id }, context, info) => find(Order, id, context, info),
  }),
);

const OrderFilter = filterInput('Order', 'orders', (t) => ({
  status: t.field({ type: OrderStatus.input, description: 'Only those in this state.' }),
}));

builder.objectField(Customer.ref, 'orders', (t) =>
  t.field(
    list(ListOrders, {
      description: 'The orders of this customer.',
      order: 'Newest first.',
      node: Order.ref,
      filter: OrderFilter,
      request: ({ id }: { id?: string }, { filter: { status } }) => ({ customerId: id ?? '', status: OrderStatus.toWire(status) }),
      identify: ({ id }) => id,
      prime: Order.prime,
      isServedByKey: true,
    }),
  ),
);

builder.objectField(Order.ref, 'cancellationImpact', (t) =>
  t.field({
    ...describe(GetOrderCancellationImpact, 'The effects that cancelling the order would have now.'),
    type: OrderCancellationImpact,
    authScopes: { operation: GetOrderCancellationImpact },
    extensions: { isServedByKey: true, ...NULL_ONLY_WITH_ERROR },
    resolve: async ({ id }, _args, { upstream }) =>
      answered((await upstream.call(GetOrderCancellationImpact, { orderId: id ?? '' })).impact, 'impact'),
  }),
);

const OrderRefundInput = builder.inputType('OrderRefundInput', {
  description: 'Money to give back.',
  fields: (t) => ({
    amount: t.field({
      type: MoneyInput,
      required: true,
      description:
        'The amount, in the currency of the order: at most what is refundable. With `currencyCode` the order is read to compare it.',
    }),
  }),
});

mutation('orderCancel', CancelOrder, {
  description: 'Cancels an order, and gives money back when asked to.',
  input: (t) => ({
    orderId: t.id({ required: true, description: 'The order.' }),
    reason: t.string({ description: 'The reason, in at most 1,000 characters.' }),
    refund: t.field({ type: OrderRefundInput, description: 'The money to give back; none when absent.' }),
  }),
  ids: { orderId: 'Order' },
  names: { id: 'orderId', refundAmountMinor: 'refund.amount.minorUnits' },
  request: async ({ orderId, reason, refund }, context) => {
    if (refund?.amount.currencyCode) {
      const order = await read(Order, orderId, context);
      if (order) checkCurrency(refund.amount, order.currency, ['refund', 'amount']);
    }
    return {
      id: orderId,
      reason: reason ?? '',
      ...(refund && { refundAmountMinor: refund.amount.minorUnits }),
    };
  },
  answers: { order: [Order.ref, 'The order as it is now.'] },
  answer: ({ refund }) => ({ refund: refund ?? null }),
  payload: (t) => ({
    refund: t.field({
      type: OrderRefund,
      description: 'The money given back; null when none was asked for.',
      resolve: ({ refund }) => refund,
    }),
  }),
  subject: { entity: Order, id: 'orderId', version: ({ version }) => toVersion(version), state: ({ status }) => status },
  lookUp: async ({ request: { id, reason, refundRequestId }, context }) => {
    // The order does not tell which refund was made: the upstream does, when it is asked with the refund's key again.
    if (refundRequestId) return undefined;
    const order = await read(Order, id, context);
    return holds(order, { status: 'PUBLIC_ORDER_STATUS_CANCELLED', cancellationReason: reason }) && order ? { order } : undefined;
  },
});
