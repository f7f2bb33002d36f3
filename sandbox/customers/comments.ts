import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CustomerCommentRecordSchema,
  CustomerCommentRevisionRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/comments_pb.ts';
import { Customer } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { World } from '../kernel/world.ts';
import { getCustomer } from './customerRecords.ts';

const commentTable = table('customer_comments', CustomerCommentRecordSchema, {
  // `attachments` is a JSON array of file IDs.
  also: { workspace_id: 'TEXT', attachments: 'TEXT' },
  indexes: { comments_of_customer: 'workspace_id, customer_id, created_at' },
});
/** Each text of a comment is a revision, including the current one. */
const revisionTable = table('comment_revisions', CustomerCommentRevisionRecordSchema, {
  references: { comment_id: commentTable },
  indexes: { revisions_of_comment: 'comment_id, written_at' },
});

type CommentRow = RowOf<typeof commentTable>;

const toComment = (row: CommentRow): MessageInitShape<typeof CustomerCommentRecordSchema> => ({
  ...commentTable.read(row),
  attachments: JSON.parse(row.attachments) as string[],
});

const getComment = (call: CallContext, id: string): CommentRow => commentTable.getOrThrow(call, id, 'comment');

function requireCustomerFile(call: CallContext, customerId: string, fileId: string): void {
  const row = call.store.get(
    'SELECT 1 FROM customer_files WHERE workspace_id = :workspaceId AND customer_id = :customerId AND id = :fileId',
    {
      workspaceId: call.workspaceId,
      customerId,
      fileId,
    },
  );
  if (!row) throw invalidArgument(`attachments must be files of customer ${customerId}, but ${fileId} isn’t one.`);
}

interface NewComment {
  readonly workspaceId: string;
  readonly customerId: string;
  readonly authorName: string;
  readonly attachments: readonly string[];
  /** All texts, oldest first. The last one is current. */
  readonly texts: readonly { readonly body: string; readonly writtenAt: number }[];
}

/** Adds a comment with its history, and returns its ID. The demo data also uses it. */
export function writeComment(world: World, { workspaceId, customerId, authorName, attachments, texts }: NewComment): string {
  const [first, current] = [texts.at(0), texts.at(-1)];
  if (!first || !current) throw new Error('A comment must have at least one revision.');
  const id = world.id();
  commentTable.insert(world.store, {
    id,
    workspace_id: workspaceId,
    customer_id: customerId,
    body: current.body,
    author_name: authorName,
    attachments: JSON.stringify(attachments),
    created_at: first.writtenAt,
    updated_at: current.writtenAt,
  });
  for (const { body, writtenAt } of texts) {
    revisionTable.insert(world.store, { id: world.id(), comment_id: id, body, author_name: authorName, written_at: writtenAt });
  }
  return id;
}

/** Operations of the Customer service on comments. */
export const comments = domain(Customer, {
  tables: [commentTable, revisionTable],
  handlers: {
    createCustomerComment: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const customer = getCustomer(call, request.customerId);
        const { attachments } = request;
        const twice = attachments.find((id, index) => attachments.indexOf(id) < index);
        if (twice !== undefined) throw invalidArgument(`attachments must contain each file at most once, but contains ${twice} twice.`);
        for (const fileId of attachments) requireCustomerFile(call, customer.id, fileId);
        const authorName = call.principal.memberName;
        const id = writeComment(call.world, {
          workspaceId: call.workspaceId,
          customerId: customer.id,
          authorName,
          attachments,
          texts: [{ body: request.body, writtenAt: call.now }],
        });
        call.timeline(customer.id, {
          eventType: 'comment_created',
          entityType: 'comment',
          entityId: id,
          summary: `${authorName} commented.`,
        });
        return { comment: toComment(getComment(call, id)) };
      },
    },

    listCustomerComments: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = commentTable.page(call, request, { customer_id: getCustomer(call, request.customerId).id });
        return { comments: rows.map(toComment), ...page };
      },
    },

    listCustomerCommentHistory: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { id } = getComment(call, request.commentId);
        const rows = revisionTable.list(call.store, { comment_id: id }, 'written_at DESC, rowid DESC');
        return { revisions: rows.map(revisionTable.read) };
      },
    },
  },
});
