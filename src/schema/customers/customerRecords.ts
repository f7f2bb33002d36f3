import { journeyStatusLoader } from '../../loaders/journey.ts';
import { ListJourneyConfig } from '../../upstream/contract/generated/operations.ts';
import type { CustomerRecord as CustomerShape, PortfolioRecord } from '../../upstream/contract/generated/records.ts';
import { builder, type ObjectFields } from '../kit/builder.ts';
import { ID_DESCRIPTION, RAW_ID_DESCRIPTION } from '../kit/globalIds.ts';
import type { RecordFields } from '../kit/records.ts';
import { Contact } from './contacts.ts';
import { ALL_FIELDS, CustomField, defineCustomFields, NAMES, ONE_FIELD } from './customFields.ts';
import { JourneyStatus } from './journey.ts';

/** Members that customers and portfolios share. */
type Shape = CustomerShape & PortfolioRecord;

const DESCRIPTIONS = {
  title: 'Title of the record, such as a project name. For the person or company, see `customerName`.',
  referenceNumber: 'Human-readable number of the record.',
  customerName: 'Name of the customer: a person or company.',
  email: 'Email address as entered.',
  phone: 'Phone number in international format.',
  expectedCloseAt: 'When the deal is expected to close.',
  contact: 'Contact that the record belongs to. Null unless the record was created as a portfolio.',
  journeyStatus: 'Status in the customer journey. Null if the record has none, or if its status is no longer part of the journey.',
  createdAt: 'When the record was created.',
  updatedAt: 'When the record was last updated.',
};

export const CustomerRecord = builder.interfaceRef<Shape>('CustomerRecord').implement({
  description:
    'Fields that customers and portfolios share. A portfolio is a customer record that belongs to a contact. A fragment on this type works for both.',
  fields: (t) => ({
    id: t.id({ nullable: false, description: ID_DESCRIPTION }),
    rawId: t.id({ nullable: false, description: RAW_ID_DESCRIPTION }),
    title: t.string({ description: DESCRIPTIONS.title }),
    referenceNumber: t.string({ description: DESCRIPTIONS.referenceNumber }),
    customerName: t.string({ description: DESCRIPTIONS.customerName }),
    email: t.string({ description: DESCRIPTIONS.email }),
    phone: t.string({ description: DESCRIPTIONS.phone }),
    expectedCloseAt: t.field({ type: 'DateTime', description: DESCRIPTIONS.expectedCloseAt }),
    contact: t.field({ type: Contact.ref, description: DESCRIPTIONS.contact }),
    journeyStatus: t.field({ type: JourneyStatus, description: DESCRIPTIONS.journeyStatus }),
    createdAt: t.field({ type: 'DateTime', description: DESCRIPTIONS.createdAt }),
    updatedAt: t.field({ type: 'DateTime', description: DESCRIPTIONS.updatedAt }),
    customField: t.field({
      type: CustomField,
      description: ONE_FIELD,
      args: { name: t.arg.string({ required: true, description: 'Name of the custom field.' }) },
    }),
    customFields: t.field({
      type: [CustomField],
      nullable: false,
      description: ALL_FIELDS,
      args: { names: t.arg.stringList({ description: NAMES }) },
    }),
  }),
});

/** Defines the fields that customers and portfolios share. Both expose the same upstream record. */
export const defineCustomerRecordFields = (f: RecordFields<Shape>, t: ObjectFields<Shape>) => ({
  title: f.string('title', DESCRIPTIONS.title),
  referenceNumber: f.string('referenceNumber', DESCRIPTIONS.referenceNumber),
  customerName: f.string('customerName', DESCRIPTIONS.customerName),
  email: f.string('email', DESCRIPTIONS.email),
  phone: f.string('phone', DESCRIPTIONS.phone),
  expectedCloseAt: f.dateTime('expectedCloseDate', DESCRIPTIONS.expectedCloseAt),
  contact: f.edge('contactId', Contact, DESCRIPTIONS.contact),
  journeyStatus: t.field({
    type: JourneyStatus,
    ...f.annotate('journeyStatusId', DESCRIPTIONS.journeyStatus),
    extensions: { sharedCall: ListJourneyConfig },
    resolve: ({ journeyStatusId }, _args, { loaders }) => (journeyStatusId ? loaders.get(journeyStatusLoader).load(journeyStatusId) : null),
  }),
  createdAt: f.dateTime('createdAt', DESCRIPTIONS.createdAt),
  updatedAt: f.dateTime('updatedAt', DESCRIPTIONS.updatedAt),
  ...defineCustomFields(t),
});
