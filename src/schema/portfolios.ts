import { GetCustomer } from '../upstream/generated/operations.ts';
import type { PortfolioRecordJson } from '../upstream/generated/publicapi/v1/portfolios_pb.ts';
import { Contact } from './contacts.ts';
import { Customer } from './customers.ts';
import { customFields } from './customFields.ts';
import { type Entity, entity, follow } from './entities.ts';
import { journeyStatus } from './journey.ts';
import { assumed, RecordFields } from './records.ts';

const record = new RecordFields<PortfolioRecordJson>('PortfolioRecord');

export const Portfolio: Entity<PortfolioRecordJson> = entity('Portfolio', {
  record: record,
  description: 'A customer record that belongs to a contact. It shares its `rawId` with the customer of the same record.',
  operation: GetCustomer,
  loader: ({ loaders }) => loaders.portfolios,
  key: 'id',
  fields: (t) => ({
    title: record.text(t, 'title', 'What the record is called.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    contact: t.field({
      type: Contact.ref,
      ...record.mark('contactId', 'The person it belongs to; null when the record was not made as a portfolio.'),
      resolve: ({ contactId }, _args, context, info) => follow(Contact, contactId, context, info),
    }),
    customer: t.field({
      type: Customer.ref,
      ...assumed('The same record as a customer, with its quotes and orders.'),
      extensions: { isServedByKey: true },
      resolve: ({ id }, _args, context, info) => follow(Customer, id, context, info),
    }),
    customerName: record.text(t, 'customerName', 'The name of the customer.'),
    email: record.text(t, 'email', 'The email address, as it was entered.'),
    phone: record.text(t, 'phone', 'The phone number in international form.'),
    expectedCloseAt: record.dateTime(t, 'expectedCloseDate', 'When the deal is expected to close.'),
    journeyStatus: journeyStatus(t, record),
    createdAt: record.dateTime(t, 'createdAt', 'When the record was made.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the record was last changed.'),
    ...customFields(t),
  }),
});
