import { GetContact } from '../../upstream/contract/generated/operations.ts';
import type { ContactRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<ContactRecord>('ContactRecord');

export const Contact: Entity<ContactRecord> = entity('Contact', {
  record: record,
  description: 'A person that portfolios belong to.',
  operation: GetContact,
  key: 'id',
  root: 'Looks up a contact by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    firstName: record.text(t, 'firstName', 'First name of the contact.'),
    lastName: record.requiredText(t, 'lastName', 'Last name of the contact.'),
    email: record.text(t, 'email', 'Email address as entered.'),
    phone: record.text(t, 'phone', 'Phone number in international format.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the contact was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the contact was last updated.'),
  }),
});
