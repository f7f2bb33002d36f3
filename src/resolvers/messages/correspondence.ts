import { Customer } from '../../schema/customers/customers.ts';
import { CorrespondenceMessage } from '../../schema/messages/correspondence.ts';
import { AddCorrespondenceMessage } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';
import { registerReread, reuseIfOwnerVisible } from '../kit/rereads.ts';

registerReread(
  CorrespondenceMessage,
  reuseIfOwnerVisible(Customer, ({ customerId }) => customerId),
);

mutation('correspondenceMessageAdd', AddCorrespondenceMessage, {
  description:
    'Adds a message to the correspondence with a customer. The customer may receive it. Another idempotency key adds another message.',
  input: (f) => ({
    customerId: f.customerId('Customer that the correspondence is with.'),
    subject: f.subject('Subject of the message.'),
    body: f.body('Text of the message.'),
  }),
  returns: { correspondenceMessage: 'The new message.' },
});
