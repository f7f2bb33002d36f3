import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { group } from '../../schema/kit/inputs.ts';
import { OrderSearch } from '../../schema/sales/orderSearch.ts';
import { Order, OrderCancellationImpact, OrderStatus } from '../../schema/sales/orders.ts';
import { CancelOrder, GetOrderCancellationImpact, ListOrders } from '../../upstream/contract/generated/operations.ts';
// Declares the refund that a cancellation returns.
import '../billing/payments.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';
import { fetchCurrent, matchesInput } from '../kit/reconcile.ts';
import { SALES_CRITERIA } from '../kit/salesCriteria.ts';
import { search } from '../kit/search.ts';

const criteria = defineCriteria(ListOrders, Order, {
  ...SALES_CRITERIA,
  status: OrderStatus,
  times: { ...SALES_CRITERIA.times, cancelledAt: 'were canceled' },
  alternative: 'Use `orderSearch(filter: { customerId })`, or only filter by one status.',
});

builder.objectField(Customer.ref, 'orders', (t) =>
  t.field(
    list(ListOrders, {
      description: 'The customer’s orders.',
      order: 'Newest first.',
      on: Customer,
      node: Order,
      index: OrderSearch.index,
      ...criteria,
    }),
  ),
);

builder.queryField('orderSearch', (t) => t.field(search(OrderSearch, 'Searches the orders of the workspace.', '`Customer.orders`')));

builder.objectField(Order.ref, 'cancellationImpact', (t) =>
  t.field(
    read(GetOrderCancellationImpact, {
      description: 'What canceling the order would do now.',
      type: OrderCancellationImpact,
      request: ({ id }: { readonly id: string }) => ({ orderId: id }),
      resolveValue: ({ impact }) => impact,
      extensions: { isServedByKey: true },
    }),
  ),
);

mutation('orderCancel', CancelOrder, {
  description: 'Cancels an order, optionally with a refund.',
  input: (f) => ({
    reason: f.reason('Why the order is canceled.'),
    refund: group(
      'OrderRefundInput',
      'Refund to make. Defaults to no refund.',
      { description: 'A refund to make when canceling an order.' },
      {
        amount: f.refundAmountMinor(
          'Amount in the order’s currency, up to the refundable amount. If you set `currencyCode`, the order is read to verify it.',
          { required: true },
        ),
      },
    ),
  }),
  currencySource: Order,
  returns: { order: 'The canceled order.', refund: { description: 'The refund. Null if none was requested.', isOptional: true } },
  on: Order,
  reconcile: async ({ request: { id, reason, refundRequestId }, context }) => {
    // The order doesn't identify the refund. The upstream returns the refund if the request is repeated with its key.
    if (refundRequestId) return undefined;
    const order = await fetchCurrent(Order, id, context);
    return matchesInput(order, { status: 'PUBLIC_ORDER_STATUS_CANCELLED', cancellationReason: reason }) && order
      ? { order, refund: undefined }
      : undefined;
  },
});
