import { Refund } from '../../schema/billing/payments.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { group } from '../../schema/kit/inputs.ts';
import { Order, OrderCancellationImpact, OrderStatus } from '../../schema/sales/orders.ts';
import { CancelOrder, GetOrderCancellationImpact, ListOrders } from '../../upstream/contract/generated/operations.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';
import { fetchCurrent, matchesInput } from '../kit/reconcile.ts';

const OrderFilter = filterOf(ListOrders, Order, (f) => ({ status: f.status('Only those in this state.', OrderStatus) }));

builder.objectField(Customer.ref, 'orders', (t) =>
  t.field(
    list(ListOrders, {
      description: 'The orders of this customer.',
      order: 'Newest first.',
      on: Customer,
      node: Order,
      filter: OrderFilter,
    }),
  ),
);

builder.objectField(Order.ref, 'cancellationImpact', (t) =>
  t.field(
    read(GetOrderCancellationImpact, {
      description: 'The effects that cancelling the order would have now.',
      type: OrderCancellationImpact,
      request: ({ id = '' }: { id?: string }) => ({ orderId: id }),
      answer: ({ impact }) => impact,
      extensions: { isServedByKey: true },
    }),
  ),
);

mutation('orderCancel', CancelOrder, {
  description: 'Cancels an order, and gives money back when asked to.',
  input: (f) => ({
    reason: f.reason('The reason.'),
    refund: group(
      'OrderRefundInput',
      'The money to give back; none when absent.',
      { description: 'Money to give back.' },
      {
        amount: f.refundAmountMinor(
          'The amount, in the currency of the order: at most what is refundable. With `currencyCode` the order is read to compare it.',
          { required: true },
        ),
      },
    ),
  }),
  currencyOf: Order,
  returns: { order: 'The order as it is now.' },
  answer: ({ refund }) => ({ refund: refund ?? null }),
  payload: (t) => ({
    refund: t.field({
      type: Refund,
      description: 'The money given back; null when none was asked for.',
      resolve: ({ refund }) => refund,
    }),
  }),
  on: Order,
  reconcile: async ({ request: { id, reason, refundRequestId }, context }) => {
    // The order does not tell which refund was made: the upstream does, when it is asked with the refund's key again.
    if (refundRequestId) return undefined;
    const order = await fetchCurrent(Order, id, context);
    return matchesInput(order, { status: 'PUBLIC_ORDER_STATUS_CANCELLED', cancellationReason: reason }) && order ? { order } : undefined;
  },
});
