import { ListCustomerFiles } from '../../upstream/contract/generated/operations.ts';
import type { CustomerCommentRecord, CustomerCommentRevisionRecord } from '../../upstream/contract/generated/records.ts';
import { NULL_ONLY_WITH_ERROR } from '../kit/nullability.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { followInList } from './customerLists.ts';
import { Customer } from './customers.ts';
import { CustomerFile } from './files.ts';

export const CustomerComment = defineRecordType<CustomerCommentRecord>('CustomerComment', {
  record: 'CustomerCommentRecord',
  description: 'A comment on a customer.',
  key: 'id',
  fields: (f, t) => ({
    customer: f.requiredEdge('customerId', Customer, 'Customer that the comment is on.'),
    body: f.requiredString('body', 'Current text of the comment.'),
    author: f.actor('authorName', 'Author of the comment.'),
    attachments: t.field({
      type: [CustomerFile],
      nullable: { list: true, items: true },
      ...f.annotate('attachments', 'Attached files. Null in place of a file that no longer exists.'),
      extensions: { reads: ListCustomerFiles, ...NULL_ONLY_WITH_ERROR },
      resolve: ({ customerId, attachments: ids }, _args, context, info) =>
        followInList(CustomerFile, ListCustomerFiles, { customerId, ids }, context, info),
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
