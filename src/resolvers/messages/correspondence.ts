import '../../schema/messages/correspondence.ts';
import { AddCorrespondenceMessage } from '../../upstream/contract/generated/operations.ts';
import { mutation } from '../kit/mutation.ts';

mutation('correspondenceMessageAdd', AddCorrespondenceMessage, {
  description: 'Adds a message to the correspondence with a customer. Another key adds another one, which the customer may get.',
  input: (f) => ({
    customerId: f.customerId('The customer.'),
    subject: f.subject('The subject.'),
    body: f.body('The text.'),
  }),
  returns: { correspondenceMessage: 'The new message.' },
});
