import { decodeQuoteRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch, describeQuery, searchCustomer } from '../search/searches.ts';
import { Quote, QuoteStatus } from './quotes.ts';

export const QuoteSearch = defineSearch(Quote, 'quotes', {
  root: 'offers',
  decode: decodeQuoteRecord,
  query: {
    description: describeQuery('reference number'),
    texts: ['referenceNumber', searchCustomer()],
    customers: ['customer_id'],
  },
  filter: (f) => ({
    statuses: f.enumValues('status', QuoteStatus, 'Quotes with any of these statuses.'),
    customerIds: f.ids('customerId', 'Quotes of any of these customers.'),
    currencyCodes: f.currencies('currency', 'Quotes in any of these currencies.'),
    referenceNumber: f.text('referenceNumber', 'Human-readable number of the quote.'),
    createdAt: f.time('createdAt', 'When the quote was created.'),
    updatedAt: f.time('updatedAt', 'When the quote was last updated.'),
    customer: f.related('customer', 'The customer of the quote matches.'),
    order: f.related('order', 'The order created from the quote matches.'),
  }),
  orderBy: {
    createdAt: 'When the quote was created.',
    updatedAt: 'When the quote was last updated.',
    status: 'Status, in the order of `QuoteStatus`.',
  },
  facets: {
    byStatus: { member: 'status', enum: QuoteStatus, description: 'By status.' },
    byCurrency: { member: 'currency', description: 'By currency.' },
  },
});
