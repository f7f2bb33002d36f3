import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CreateCustomerCommentRequest,
  CustomerCommentRecordSchema,
  CustomerCommentRevisionRecordSchema,
  ListCustomerCommentHistoryRequest,
  ListCustomerCommentsRequest,
} from '../../src/upstream/contract/generated/publicapi/v1/comments_pb.ts';
import type { Call } from '../kernel/call.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import type { World } from '../kernel/world.ts';
import { customerOf } from './customerRecords.ts';

/** Every text of a comment is a revision, the current one too. */
export const commentTables = `
  CREATE TABLE IF NOT EXISTS customer_comments (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, customer_id TEXT NOT NULL, body TEXT NOT NULL, author_name TEXT NOT NULL,
    attachments TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS comments_of_customer ON customer_comments (workspace_id, customer_id, created_at);
  CREATE TABLE IF NOT EXISTS comment_revisions (
    id TEXT PRIMARY KEY, comment_id TEXT NOT NULL REFERENCES customer_comments (id), body TEXT NOT NULL, author_name TEXT NOT NULL,
    written_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS revisions_of_comment ON comment_revisions (comment_id, written_at);
`;

interface CommentRow {
  readonly id: string;
  readonly customer_id: string;
  readonly body: string;
  readonly author_name: string;
  /** A JSON array of file ids. */
  readonly attachments: string;
  readonly created_at: number;
  readonly updated_at: number;
}

interface RevisionRow {
  readonly id: string;
  readonly comment_id: string;
  readonly body: string;
  readonly author_name: string;
  readonly written_at: number;
}

const toComment = (row: CommentRow): MessageInitShape<typeof CustomerCommentRecordSchema> => ({
  id: row.id,
  customerId: row.customer_id,
  body: row.body,
  authorName: row.author_name,
  createdAt: BigInt(row.created_at),
  updatedAt: BigInt(row.updated_at),
  attachments: JSON.parse(row.attachments) as string[],
});

const toRevision = (row: RevisionRow): MessageInitShape<typeof CustomerCommentRevisionRecordSchema> => ({
  id: row.id,
  commentId: row.comment_id,
  body: row.body,
  authorName: row.author_name,
  writtenAt: BigInt(row.written_at),
});

function commentOf(call: Call, id: string): CommentRow {
  const row = call.store.get<CommentRow>('SELECT * FROM customer_comments WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('comment', id);
  return row;
}

function requireFileOf(call: Call, customerId: string, fileId: string): void {
  const row = call.store.get(
    'SELECT 1 FROM customer_files WHERE workspace_id = :workspaceId AND customer_id = :customerId AND id = :fileId',
    {
      workspaceId: call.workspaceId,
      customerId,
      fileId,
    },
  );
  if (!row) throw invalid(`attachments must be files of the customer ${customerId}, but ${fileId} is none.`);
}

interface NewComment {
  readonly workspaceId: string;
  readonly customerId: string;
  readonly authorName: string;
  readonly attachments: readonly string[];
  /** All its texts, oldest first: the last one is current. */
  readonly texts: readonly { readonly body: string; readonly writtenAt: number }[];
}

/** Writes a comment with its history, and answers its id. The demo data uses it as well. */
export function writeComment(world: World, { workspaceId, customerId, authorName, attachments, texts }: NewComment): string {
  const [first, current] = [texts.at(0), texts.at(-1)];
  if (!first || !current) throw new Error('A comment has at least one text.');
  const id = world.id();
  world.store.insert('customer_comments', {
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
    world.store.insert('comment_revisions', { id: world.id(), comment_id: id, body, author_name: authorName, written_at: writtenAt });
  }
  return id;
}

/** The part of the Customer service that reads and writes comments. */
export const commentHandlers = {
  createCustomerComment: {
    permission: 'customers:write',
    run: (request: CreateCustomerCommentRequest, call: Call) => {
      const customer = customerOf(call, request.customerId);
      const { attachments } = request;
      const twice = attachments.find((id, index) => attachments.indexOf(id) < index);
      if (twice !== undefined) throw invalid(`attachments must name a file once, but name ${twice} again.`);
      for (const fileId of attachments) requireFileOf(call, customer.id, fileId);
      const authorName = call.caller.actorName;
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
      return { comment: toComment(commentOf(call, id)) };
    },
  },

  listCustomerComments: {
    permission: 'customers:read',
    run: (request: ListCustomerCommentsRequest, call: Call) => {
      const { rows, ...page } = call.page<CommentRow>(
        request,
        `SELECT * FROM customer_comments WHERE workspace_id = :workspaceId AND customer_id = :customerId
         ORDER BY created_at DESC, rowid DESC`,
        { workspaceId: call.workspaceId, customerId: customerOf(call, request.customerId).id },
      );
      return { comments: rows.map(toComment), ...page };
    },
  },

  listCustomerCommentHistory: {
    permission: 'customers:read',
    run: (request: ListCustomerCommentHistoryRequest, call: Call) => {
      const { id } = commentOf(call, request.commentId);
      const rows = call.store.all<RevisionRow>(
        'SELECT * FROM comment_revisions WHERE comment_id = :id ORDER BY written_at DESC, rowid DESC',
        { id },
      );
      return { revisions: rows.map(toRevision) };
    },
  },
} as const;
