import type { Store } from './store.ts';
import { plainTable, type RowOf, type Scope } from './table.ts';

/** Mails, texts and notifications that the sandbox would have sent. Nothing leaves it: they are kept, so that a test can count them. */
export const outboxTable = plainTable('outbox', {
  id: 'TEXT',
  workspace_id: 'TEXT',
  kind: 'TEXT',
  recipient: 'TEXT',
  subject_type: 'TEXT',
  subject_id: 'TEXT',
  sent_at: 'INTEGER',
});

/** The most messages that are listed. Ours. */
const MAX_LISTED = 1_000;

export interface OutgoingMessage {
  /** Such as `invoice_mail`. */
  readonly kind: string;
  /** A mail address, a phone number, or the id of a member. */
  readonly recipient: string;
  /** The record that the message is about. */
  readonly subject: { readonly type: string; readonly id: string };
}

/** A message as the admin port tells it. */
export interface SentMessage extends OutgoingMessage {
  readonly id: string;
  readonly workspaceId: string;
  /** Unix seconds. */
  readonly sentAt: number;
}

/** In whose name a message is sent, and when. A call is one. */
interface Sender extends Scope {
  /** Unix seconds. */
  readonly now: number;
  id(): string;
}

/** Keeps a message as sent. Belongs in the transaction of the effect: what is rolled back has sent nothing. */
export function sendMessage(sender: Sender, { kind, recipient, subject }: OutgoingMessage): void {
  outboxTable.insert(sender.store, {
    id: sender.id(),
    workspace_id: sender.workspaceId,
    kind,
    recipient,
    subject_type: subject.type,
    subject_id: subject.id,
    sent_at: sender.now,
  });
}

const toMessage = (row: RowOf<typeof outboxTable>): SentMessage => ({
  id: row.id,
  workspaceId: row.workspace_id,
  kind: row.kind,
  recipient: row.recipient,
  subject: { type: row.subject_type, id: row.subject_id },
  sentAt: row.sent_at,
});

/** The messages of all workspaces, newest first; of more than 1,000 the newest. */
export const sentMessages = (store: Store): SentMessage[] =>
  store.all<RowOf<typeof outboxTable>>('SELECT * FROM outbox ORDER BY rowid DESC LIMIT :most', { most: MAX_LISTED }).map(toMessage);

export function clearOutbox(store: Store): void {
  store.run('DELETE FROM outbox');
}
