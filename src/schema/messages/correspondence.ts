import type { CorrespondenceMessageRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { defineRecordType } from '../kit/recordTypes.ts';

export const CorrespondenceMessage = defineRecordType<CorrespondenceMessageRecord>('CorrespondenceMessage', {
  record: 'CorrespondenceMessageRecord',
  description: 'A message in the correspondence with a customer. Messages can be added, but not read back.',
  key: 'id',
  fields: (f) => ({
    customer: f.requiredEdge('customerId', Customer, 'Customer that the correspondence is with.'),
    subject: f.string('subject', 'Subject of the message.'),
    body: f.requiredString('body', 'Text of the message.'),
    createdAt: f.dateTime('createdAt', 'When the message was added.'),
  }),
});
