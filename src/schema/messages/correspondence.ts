import type { CorrespondenceMessageRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { RecordFields } from '../kit/records.ts';

const message = new RecordFields<CorrespondenceMessageRecord>('CorrespondenceMessageRecord');

export const CorrespondenceMessage = message.type('CorrespondenceMessage', {
  description: 'A message in the correspondence with a customer. Messages can be added, but not read back.',
  key: 'id',
  fields: (t) => ({
    customer: message.requiredEdge(t, 'customerId', Customer, 'Customer that the correspondence is with.'),
    subject: message.text(t, 'subject', 'Subject of the message.'),
    body: message.requiredText(t, 'body', 'Text of the message.'),
    createdAt: message.dateTime(t, 'createdAt', 'When the message was added.'),
  }),
});
