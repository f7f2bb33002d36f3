import { CustomerComment, CustomerCommentRevision } from '../../schema/customers/comments.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { CreateCustomerComment, ListCustomerCommentHistory, ListCustomerComments } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readAll } from '../kit/reads.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';

builder.objectField(Customer.ref, 'comments', (t) =>
  t.field(
    list(ListCustomerComments, {
      description: 'Comments on the customer.',
      order: 'Newest first.',
      sortedBy: rankDescendingBy('createdAt'),
      on: Customer,
      node: CustomerComment,
    }),
  ),
);

builder.objectField(CustomerComment, 'history', (t) =>
  t.field(
    readAll(ListCustomerCommentHistory, {
      description: 'Revisions of the comment, newest first.',
      type: CustomerCommentRevision,
      request: ({ id }: { readonly id: string }) => ({ commentId: id }),
      resolveValue: ({ revisions }) => revisions,
    }),
  ),
);

registerReread(
  CustomerComment,
  readFirstPage(ListCustomerComments, ({ customerId }) => ({ customerId })),
);

mutation('customerCommentCreate', CreateCustomerComment, {
  description: 'Adds a comment to a customer. Attaching files also requires the scope to read files.',
  on: Customer,
  input: (f) => ({ body: f.body('Text of the comment.'), attachmentIds: f.attachments('Files of the customer to attach.') }),
  returns: { comment: 'The new comment.' },
  affects: { customer: [Customer, 'The customer. Its `comments` have changed; refetch them.', (_response, { customerId }) => customerId] },
});
