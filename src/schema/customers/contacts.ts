import { GetContact } from '../../upstream/contract/generated/operations.ts';
import type { ContactRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';

export const Contact: Entity<ContactRecord> = defineEntity('Contact', {
  record: 'ContactRecord',
  description: 'A person that portfolios belong to.',
  operation: GetContact,
  key: 'id',
  root: 'Looks up a contact by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    firstName: f.string('firstName', 'First name of the contact.'),
    lastName: f.requiredString('lastName', 'Last name of the contact.'),
    email: f.string('email', 'Email address as entered.'),
    phone: f.string('phone', 'Phone number in international format.'),
    createdAt: f.dateTime('createdAt', 'When the contact was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the contact was last updated.'),
  }),
});
