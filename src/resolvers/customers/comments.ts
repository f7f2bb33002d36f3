import { CustomerComment, CustomerCommentRevision } from '../../schema/customers/comments.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { CreateCustomerComment, ListCustomerCommentHistory, ListCustomerComments } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';

builder.objectField(Customer.ref, 'comments', (t) =>
  t.field(
    list(ListCustomerComments, {
      description: 'The comments on this customer.',
      order: 'Newest first.',
      node: CustomerComment,
      request: ({ id }: { id?: string }) => ({ customerId: id ?? '' }),
      identify: ({ id }) => id,
      isServedByKey: true,
    }),
  ),
);

builder.objectField(CustomerComment, 'history', (t) =>
  t.field(
    readAll(ListCustomerCommentHistory, {
      description: 'The texts it has had, newest first.',
      type: CustomerCommentRevision,
      request: ({ id = '' }: { id?: string }) => ({ commentId: id }),
      answer: ({ revisions }) => revisions,
    }),
  ),
);

mutation('customerCommentCreate', CreateCustomerComment, {
  description: 'Writes a comment on a customer. With attachments the key must also be able to read files.',
  input: (t) => ({
    customerId: t.id({ required: true, description: 'The customer.' }),
    body: t.string({ required: true, description: 'The text, at most 20,000 characters.' }),
    attachmentIds: t.idList({ description: 'Files of this customer to attach, at most 20.' }),
  }),
  ids: { customerId: 'Customer', attachmentIds: 'CustomerFile' },
  names: { attachments: 'attachmentIds' },
  request: ({ customerId, body, attachmentIds }) => ({ customerId, body, attachments: attachmentIds ?? [] }),
  answers: { comment: [CustomerComment, 'The new comment.'] },
  leadsTo: { customer: [Customer, 'The customer. Its `comments` have changed.', (_response, { customerId }) => customerId] },
  on: Customer,
});
