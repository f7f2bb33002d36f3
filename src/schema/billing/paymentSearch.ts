import { decodePaymentRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch, describeQuery, searchCustomer } from '../search/searches.ts';
import { Payment, PaymentProvider, PaymentStatus } from './payments.ts';

export const PaymentSearch = defineSearch(Payment, 'payments', {
  root: 'payments',
  decode: decodePaymentRecord,
  query: {
    description: describeQuery('reference number of the order'),
    texts: [{ relationship: 'order', columns: ['reference_number'] }, searchCustomer()],
    customers: ['customer_id'],
  },
  filter: (f) => ({
    statuses: f.enumValues('status', PaymentStatus, 'Payments with any of these statuses.'),
    providers: f.enumValues('provider', PaymentProvider, 'Payments by any of these providers.'),
    orderIds: f.ids('orderId', 'Payments of any of these orders.'),
    customerIds: f.ids('customerId', 'Payments of any of these customers.'),
    currencyCodes: f.currencies('currency', 'Payments in any of these currencies.'),
    createdAt: f.time('createdAt', 'When the payment was created.'),
    updatedAt: f.time('updatedAt', 'When the payment was last updated.'),
    paidAt: f.time('paidAt', 'When the payment was paid.'),
    customer: f.related('customer', 'The customer of the payment matches.'),
    order: f.related('order', 'The order of the payment matches.'),
  }),
  orderBy: {
    createdAt: 'When the payment was created.',
    updatedAt: 'When the payment was last updated.',
    paidAt: 'When the payment was paid. Unpaid payments come last.',
    status: 'Status, in the order of `PaymentStatus`.',
  },
  facets: {
    byStatus: { member: 'status', enum: PaymentStatus, description: 'By status.' },
    byProvider: { member: 'provider', enum: PaymentProvider, description: 'By payment provider.' },
    byCurrency: { member: 'currency', description: 'By currency.' },
  },
});
