import { PaymentSearch } from '../../schema/billing/paymentSearch.ts';
import { Payment, PaymentProvider, PaymentStatus, Refund } from '../../schema/billing/payments.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { Order } from '../../schema/sales/orders.ts';
import {
  CreatePayment,
  CreateRefund,
  ListPayments,
  ListRefunds,
  RecordManualPayment,
} from '../../upstream/contract/generated/operations.ts';
import type { PaymentRecord } from '../../upstream/contract/generated/records.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { reconcileByValues } from '../kit/reconcile.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';
import { search } from '../kit/search.ts';

const criteria = defineCriteria(ListPayments, Payment, {
  status: PaymentStatus,
  sortedBy: rankDescendingBy('createdAt'),
  alternative: 'Use `paymentSearch`, or filter by one status.',
});

const payments = { order: 'Newest first.', node: Payment, index: PaymentSearch.index, ...criteria };
const refunds = { order: 'Newest first.', sortedBy: rankDescendingBy('createdAt'), node: Refund };

builder.objectField(Customer.ref, 'payments', (t) =>
  t.field(
    list(ListPayments, {
      ...payments,
      on: Customer,
      description: 'The customer’s payments.',
    }),
  ),
);

builder.objectFields(Order.ref, (t) => ({
  payments: t.field(
    list(ListPayments, {
      ...payments,
      on: Order,
      description: 'Payments requested for the order.',
    }),
  ),
  refunds: t.field(
    list(ListRefunds, {
      ...refunds,
      on: Order,
      description: 'Refunds of the order, including those made when it was canceled.',
    }),
  ),
}));

builder.objectField(Payment.ref, 'refunds', (t) =>
  t.field(
    list(ListRefunds, {
      ...refunds,
      on: Payment,
      description: 'Refunds of the payment.',
    }),
  ),
);

registerReread(
  Refund,
  readFirstPage(ListRefunds, ({ orderId }) => ({ orderId })),
);

const affectedOrder = [
  Order,
  'The order. Its amounts and `payments` have changed.',
  ({ payment }: { readonly payment: PaymentRecord | undefined }) => payment?.orderId,
] as const;

builder.queryField('paymentSearch', (t) =>
  t.field(search(PaymentSearch, 'Searches the payments of the workspace.', '`Customer.payments` or `Order.payments`')),
);

mutation('paymentCreate', CreatePayment, {
  description: 'Requests a payment for an order.',
  input: (f) => ({
    orderId: f.orderId('Order that the payment is for.'),
    amount: f.amountMinor('Amount to request, in the order’s currency. If you set `currencyCode`, the order is read to verify it.'),
    provider: f.provider('How to collect the payment. Defaults to `MANUAL`.', PaymentProvider),
    description: f.description('Description shown to the customer.'),
  }),
  currencySource: Order,
  returns: { payment: 'The new payment.' },
  affects: { order: affectedOrder },
});

mutation('paymentReceivedTotalSet', RecordManualPayment, {
  description:
    'Sets the total amount received so far for a manual payment. Replaces the previous total. Payments have no version, so the last write wins. If the total is the same, the effect is `UNCHANGED`.',
  on: Payment,
  input: (f) => ({
    totalReceived: f.totalReceivedMinor(
      'Total amount received so far, in the payment’s currency. If you set `currencyCode`, the payment is read to verify it.',
    ),
  }),
  currencySource: Payment,
  returns: { payment: 'The updated payment.' },
  affects: { order: affectedOrder },
  isUnchanged: (_response, before, { totalReceivedMinor = '0' }) => before?.receivedMinor === totalReceivedMinor,
  reconcile: reconcileByValues(Payment, 'payment', ({ totalReceivedMinor }) => ({ receivedMinor: totalReceivedMinor })),
});

mutation('refundCreate', CreateRefund, {
  description: 'Refunds a payment, in full or in part, up to its `refundable` amount.',
  on: Payment,
  input: (f) => ({
    amount: f.amountMinor('Amount to refund, in the payment’s currency. If you set `currencyCode`, the payment is read to verify it.'),
    reason: f.reason('Reason for the refund.'),
  }),
  currencySource: Payment,
  returns: { refund: 'The new refund.', payment: 'The updated payment.' },
  affects: { order: affectedOrder },
});
