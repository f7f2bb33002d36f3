import type { CustomerCommentRecord, CustomerCommentRevisionRecord } from '../../upstream/contract/generated/records.ts';
import { RecordFields } from '../kit/records.ts';
import { Customer } from './customers.ts';

const comment = new RecordFields<CustomerCommentRecord>('CustomerCommentRecord');

export const CustomerComment = comment.type('CustomerComment', {
  description: 'A comment on a customer.',
  key: 'id',
  fields: (t) => ({
    customer: comment.requiredEdge(t, 'customerId', Customer, 'Customer that the comment is on.'),
    body: comment.requiredText(t, 'body', 'Current text of the comment.'),
    author: comment.actor(t, 'authorName', 'Author of the comment.'),
    attachmentIds: t.idList({
      ...comment.mark('attachments', '`rawId` of each attached file. The files are in `Customer.files`.'),
      nullable: false,
      resolve: ({ attachments }) => attachments,
    }),
    createdAt: comment.dateTime(t, 'createdAt', 'When the comment was written.'),
    updatedAt: comment.dateTime(t, 'updatedAt', 'When the comment was last updated.'),
  }),
});

const revision = new RecordFields<CustomerCommentRevisionRecord>('CustomerCommentRevisionRecord');

export const CustomerCommentRevision = revision.type('CustomerCommentRevision', {
  description: 'A revision of a comment: its text at one point in time.',
  key: 'id',
  fields: (t) => ({
    body: revision.requiredText(t, 'body', 'Text of the revision.'),
    author: revision.actor(t, 'authorName', 'Author of the revision.'),
    writtenAt: revision.dateTime(t, 'writtenAt', 'When the revision was written.'),
  }),
});
