import { GetCustomer } from '../upstream/generated/operations.ts';
import type { CustomerRecordJson } from '../upstream/generated/publicapi/v1/customers_pb.ts';
import { Contact } from './contacts.ts';
import { customFields } from './customFields.ts';
import { type Entity, entity, follow } from './entities.ts';
import { journeyStatus } from './journey.ts';
import { RecordFields } from './records.ts';

const record = new RecordFields<CustomerRecordJson>('CustomerRecord');

export const Customer: Entity<CustomerRecordJson> = entity('Customer', {
  record: record,
  description: 'A customer record. Portfolios are customer records too, and can be read as either.',
  operation: GetCustomer,
  loader: ({ loaders }) => loaders.customers,
  key: 'id',
  fields: (t) => ({
    title: record.text(t, 'title', 'What the record is called.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    customerName: record.text(t, 'customerName', 'The name of the customer.'),
    email: record.text(t, 'email', 'The email address, as it was entered.'),
    phone: record.text(t, 'phone', 'The phone number in international form.'),
    expectedCloseAt: record.dateTime(t, 'expectedCloseDate', 'When the deal is expected to close.'),
    contact: t.field({
      type: Contact.ref,
      ...record.mark('contactId', 'The person it belongs to; null unless it was made as a portfolio.'),
      resolve: ({ contactId }, _args, context, info) => follow(Contact, contactId, context, info),
    }),
    journeyStatus: journeyStatus(t, record),
    createdAt: record.dateTime(t, 'createdAt', 'When the record was made.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the record was last changed.'),
    ...customFields(t),
  }),
});
