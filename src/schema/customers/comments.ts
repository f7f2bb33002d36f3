import type {
  CustomerCommentRecordJson,
  CustomerCommentRevisionRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/comments_pb.ts';
import { RecordFields } from '../kit/records.ts';
import { Customer } from './customers.ts';

const comment = new RecordFields<CustomerCommentRecordJson>('CustomerCommentRecord');

export const CustomerComment = comment.type('CustomerComment', {
  description: 'A comment on a customer.',
  key: 'id',
  fields: (t) => ({
    customer: comment.requiredEdge(t, 'customerId', Customer, 'The customer it is about.'),
    body: comment.requiredText(t, 'body', 'The text as it is now.'),
    author: comment.actor(t, 'authorName', 'The person who wrote it.'),
    attachmentIds: t.idList({
      ...comment.mark('attachments', 'The `rawId` of each attached file: they are among the customer’s files.'),
      nullable: false,
      resolve: ({ attachments }) => attachments ?? [],
    }),
    createdAt: comment.dateTime(t, 'createdAt', 'The moment of writing.'),
    updatedAt: comment.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});

const revision = new RecordFields<CustomerCommentRevisionRecordJson>('CustomerCommentRevisionRecord');

export const CustomerCommentRevision = revision.type('CustomerCommentRevision', {
  description: 'The text of a comment at one time.',
  key: 'id',
  fields: (t) => ({
    body: revision.requiredText(t, 'body', 'The text.'),
    author: revision.actor(t, 'authorName', 'The person who wrote it.'),
    writtenAt: revision.dateTime(t, 'writtenAt', 'The moment of writing.'),
  }),
});
