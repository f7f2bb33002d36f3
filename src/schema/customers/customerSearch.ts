import { decodeCustomerRecord } from '../../upstream/contract/generated/decoders.ts';
import { defineSearch } from '../search/searches.ts';
import { Customer } from './customers.ts';

export const CustomerSearch = defineSearch(Customer, 'customers', {
  root: 'customers',
  decode: decodeCustomerRecord,
  query: {
    description: 'Text in the title, name, email address, phone number or reference number.',
    texts: ['title', 'referenceNumber'],
    customers: ['id'],
  },
  filter: (f) => ({
    title: f.text('title', 'Title of the record.'),
    referenceNumber: f.text('referenceNumber', 'Human-readable number of the record.'),
    contactIds: f.ids('contactId', 'Portfolios of any of these contacts.'),
    journeyStatusIds: f.ids('journeyStatusId', 'Customers with any of these statuses in the customer journey.'),
    expectedCloseAt: f.time('expectedCloseDate', 'When the deal is expected to close.'),
    createdAt: f.time('createdAt', 'When the record was created.'),
    updatedAt: f.time('updatedAt', 'When the record was last updated.'),
    orders: f.related('orders', 'At least one order of the customer matches.'),
    quotes: f.related('offers', 'At least one quote of the customer matches.'),
    workOrders: f.related('workorders', 'At least one work order of the customer matches.'),
    problems: f.related('problems', 'At least one problem of the customer or portfolio matches.'),
    payments: f.related('payments', 'At least one payment of the customer matches.'),
    appointments: f.related('appointments', 'At least one appointment of the customer matches.'),
  }),
  orderBy: {
    createdAt: 'When the record was created.',
    updatedAt: 'When the record was last updated.',
    expectedCloseAt: {
      member: 'expectedCloseDate',
      description: 'When the deal is expected to close. Customers without this date come last.',
    },
  },
});
