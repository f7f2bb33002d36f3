import { decodeOrderRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch, describeQuery, searchCustomer } from '../search/searches.ts';
import { Order, OrderStatus } from './orders.ts';

export const OrderSearch = defineSearch(Order, 'orders', {
  root: 'orders',
  decode: decodeOrderRecord,
  query: {
    description: describeQuery('reference number'),
    texts: ['referenceNumber', searchCustomer()],
    customers: ['customer_id'],
  },
  filter: (f) => ({
    statuses: f.enumValues('status', OrderStatus, 'Orders with any of these statuses.'),
    customerIds: f.ids('customerId', 'Orders of any of these customers.'),
    quoteIds: f.ids('quoteId', 'Orders created from any of these quotes.'),
    currencyCodes: f.currencies('currency', 'Orders in any of these currencies.'),
    referenceNumber: f.text('referenceNumber', 'Human-readable number of the order.'),
    createdAt: f.time('createdAt', 'When the order was created.'),
    updatedAt: f.time('updatedAt', 'When the order was last updated.'),
    cancelledAt: f.time('cancelledAt', 'When the order was canceled.'),
    customer: f.related('customer', 'The customer of the order matches.'),
    quote: f.related('offer', 'The quote that the order was created from matches.'),
    payments: f.related('payments', 'At least one payment of the order matches.'),
  }),
  orderBy: {
    createdAt: 'When the order was created.',
    updatedAt: 'When the order was last updated.',
    cancelledAt: 'When the order was canceled. Orders that weren’t canceled come last.',
    status: 'Status, in the order of `OrderStatus`.',
  },
  facets: {
    byStatus: { member: 'status', enum: OrderStatus, description: 'By status.' },
    byCurrency: { member: 'currency', description: 'By currency.' },
  },
});
