import { Payment, PaymentProvider, PaymentStatus, Refund } from '../../schema/billing/payments.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { Order } from '../../schema/sales/orders.ts';
import {
  CreatePayment,
  CreateRefund,
  ListPayments,
  ListRefunds,
  RecordManualPayment,
} from '../../upstream/contract/generated/operations.ts';
import type { PaymentRecordJson } from '../../upstream/contract/generated/publicapi/v1/payments_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { reconcileByValues } from '../kit/reconcile.ts';

const PaymentFilter = filterOf(ListPayments, Payment, (f) => ({ status: f.status('Only those in this state.', PaymentStatus) }));

const payments = { order: 'Newest first.', node: Payment, filter: PaymentFilter };
const refunds = { order: 'Newest first.', node: Refund };

builder.objectField(Customer.ref, 'payments', (t) =>
  t.field(
    list(ListPayments, {
      ...payments,
      on: Customer,
      description: 'The payments of this customer.',
    }),
  ),
);

builder.objectFields(Order.ref, (t) => ({
  payments: t.field(
    list(ListPayments, {
      ...payments,
      on: Order,
      description: 'The payments that are asked for on this order.',
    }),
  ),
  refunds: t.field(
    list(ListRefunds, {
      ...refunds,
      on: Order,
      description: 'The money that was given back on this order, when it was cancelled as well.',
    }),
  ),
}));

builder.objectField(Payment.ref, 'refunds', (t) =>
  t.field(
    list(ListRefunds, {
      ...refunds,
      on: Payment,
      description: 'The money of this payment that was given back.',
    }),
  ),
);

const toOrder = [
  Order,
  'The order. Its sums and payments have changed.',
  ({ payment }: { readonly payment?: PaymentRecordJson }) => payment?.orderId,
] as const;

mutation('paymentCreate', CreatePayment, {
  description: 'Asks for a payment on an order.',
  input: (f) => ({
    orderId: f.orderId('The order.'),
    amount: f.amountMinor('The sum to ask for, in the currency of the order. With `currencyCode` the order is read to compare it.'),
    provider: f.provider('The way in which it is to be collected; by hand when absent.', PaymentProvider),
    description: f.description('A description for the customer.'),
  }),
  currencyOf: Order,
  returns: { payment: 'The new payment.' },
  leadsTo: { order: toOrder },
});

mutation('paymentReceivedTotalSet', RecordManualPayment, {
  description:
    'Records the total that was received so far on a manual payment. The total takes the place of the one before: the last writer wins, since payments have no version.',
  on: Payment,
  input: (f) => ({
    totalReceived: f.totalReceivedMinor(
      'All that was received so far, in the currency of the payment. With `currencyCode` the payment is read to compare it.',
    ),
  }),
  currencyOf: Payment,
  returns: { payment: 'The payment as it is now.' },
  leadsTo: { order: toOrder },
  reconcile: reconcileByValues(Payment, 'payment', ({ totalReceivedMinor }) => ({ receivedMinor: totalReceivedMinor })),
});

mutation('refundCreate', CreateRefund, {
  description: 'Gives money of a payment back: at most what is refundable.',
  on: Payment,
  input: (f) => ({
    amount: f.amountMinor(
      'The amount to give back, in the currency of the payment. With `currencyCode` the payment is read to compare it.',
    ),
    reason: f.reason('The reason.'),
  }),
  currencyOf: Payment,
  returns: { refund: 'The new refund.', payment: 'The payment as it is now.' },
  leadsTo: { order: toOrder },
});
