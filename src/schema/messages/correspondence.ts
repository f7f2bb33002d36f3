import type { CorrespondenceMessageRecordJson } from '../../upstream/contract/generated/publicapi/v1/correspondence_pb.ts';
import { Customer } from '../customers/customers.ts';
import { RecordFields } from '../kit/records.ts';

const message = new RecordFields<CorrespondenceMessageRecordJson>('CorrespondenceMessageRecord');

message.type('CorrespondenceMessage', {
  description: 'A message in the correspondence with a customer. Messages can be added, and not read again.',
  key: 'id',
  fields: (t) => ({
    customer: message.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    subject: message.text(t, 'subject', 'The subject.'),
    body: message.requiredText(t, 'body', 'The text.'),
    createdAt: message.dateTime(t, 'createdAt', 'The moment at which it was added.'),
  }),
});
