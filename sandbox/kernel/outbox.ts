import type { Store } from './store.ts';
import { plainTable, type RowOf, type Scope } from './table.ts';

/** Emails, text messages and notifications that a real system would have sent. The sandbox only stores them, so that tests can count them. */
export const outboxTable = plainTable('outbox', {
  id: 'TEXT',
  workspace_id: 'TEXT',
  kind: 'TEXT',
  recipient: 'TEXT',
  subject_type: 'TEXT',
  subject_id: 'TEXT',
  sent_at: 'INTEGER',
});

/** Maximum number of messages that are listed. Chosen. */
const MAX_LISTED = 1_000;

export interface OutgoingMessage {
  /** For example, `invoice_mail`. */
  readonly kind: string;
  /** An email address, a phone number, or a member ID. */
  readonly recipient: string;
  /** The record that the message is about. */
  readonly subject: { readonly type: string; readonly id: string };
}

/** A message, as listed by the admin port. */
export interface SentMessage extends OutgoingMessage {
  readonly id: string;
  readonly workspaceId: string;
  /** Unix seconds. */
  readonly sentAt: number;
}

/** The sender of a message, with the time. Calls implement it. */
interface Sender extends Scope {
  /** Unix seconds. */
  readonly now: number;
  id(): string;
}

/** Stores a message as sent. Must run in the transaction of the effect, so that a rollback discards the message. */
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

/** The messages of all workspaces, newest first. Up to 1,000. */
export const listSentMessages = (store: Store): SentMessage[] =>
  store.all<RowOf<typeof outboxTable>>('SELECT * FROM outbox ORDER BY rowid DESC LIMIT :most', { most: MAX_LISTED }).map(toMessage);

export function clearOutbox(store: Store): void {
  store.run('DELETE FROM outbox');
}
