import type { CustomerCommentRecord, CustomerCommentRevisionRecord } from '../../upstream/contract/generated/records.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { Customer } from './customers.ts';

export const CustomerComment = defineRecordType<CustomerCommentRecord>('CustomerComment', {
  record: 'CustomerCommentRecord',
  description: 'A comment on a customer.',
  key: 'id',
  fields: (f, t) => ({
    customer: f.requiredEdge('customerId', Customer, 'Customer that the comment is on.'),
    body: f.requiredString('body', 'Current text of the comment.'),
    author: f.actor('authorName', 'Author of the comment.'),
    attachmentIds: t.idList({
      ...f.annotate('attachments', '`rawId` of each attached file. The files are in `Customer.files`.'),
      nullable: false,
      resolve: ({ attachments }) => attachments,
    }),
    createdAt: f.dateTime('createdAt', 'When the comment was written.'),
    updatedAt: f.dateTime('updatedAt', 'When the comment was last updated.'),
  }),
});

export const CustomerCommentRevision = defineRecordType<CustomerCommentRevisionRecord>('CustomerCommentRevision', {
  record: 'CustomerCommentRevisionRecord',
  description: 'A revision of a comment: its text at one point in time.',
  key: 'id',
  fields: (f) => ({
    body: f.requiredString('body', 'Text of the revision.'),
    author: f.actor('authorName', 'Author of the revision.'),
    writtenAt: f.dateTime('writtenAt', 'When the revision was written.'),
  }),
});
