import { GetContact } from '../../upstream/contract/generated/operations.ts';
import type { ContactRecordJson } from '../../upstream/contract/generated/publicapi/v1/contacts_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<ContactRecordJson>('ContactRecord');

export const Contact: Entity<ContactRecordJson> = entity('Contact', {
  record: record,
  description: 'A person behind portfolios.',
  operation: GetContact,
  key: 'id',
  root: 'The contact of this id; null when there is none.',
  fields: (t) => ({
    firstName: record.text(t, 'firstName', 'The first name.'),
    lastName: record.requiredText(t, 'lastName', 'The last name.'),
    email: record.text(t, 'email', 'The email address, as it was entered.'),
    phone: record.text(t, 'phone', 'The phone number in international form.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment at which the contact was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment at which the contact was last changed.'),
  }),
});
