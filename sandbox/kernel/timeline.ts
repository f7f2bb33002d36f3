import { CustomerTimelineEventRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/timeline_pb.ts';
import { type RowOf, table } from './table.ts';
import { shorten } from './texts.ts';
import type { World } from './world.ts';

/** The log of each customer, which the domains of all areas write to. */
export const timelineTable = table('timeline_events', CustomerTimelineEventRecordSchema, {
  also: { workspace_id: 'TEXT', customer_id: 'TEXT', audience: ['everybody', 'audit', 'orders'], transaction_id: 'TEXT NULL' },
  indexes: { timeline_events_of_customer: 'workspace_id, customer_id, occurred_at' },
});

/** The members who see a timeline event: all of them, or those who may read the audit trail, or orders. */
type TimelineAudience = RowOf<typeof timelineTable>['audience'];

export interface TimelineEntry {
  readonly eventType: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly summary: string;
  readonly audience?: TimelineAudience;
  /** Unix seconds; now when absent. */
  readonly occurredAt?: number;
  /** The id that `transaction_id` filters by. */
  readonly transactionId?: string;
}

/** The longest summary of a timeline event, in characters. Ours, and the contract's limit of what a caller may write. */
const MAX_SUMMARY = 1_000;

/**
 * Writes a timeline event, and answers its id. A summary that the sandbox composes of names is shortened when those are long; the contract
 * refuses such a one from a caller.
 */
export function writeTimeline(world: World, workspaceId: string, customerId: string, entry: TimelineEntry): string {
  const id = world.id();
  timelineTable.insert(world.store, {
    id,
    workspace_id: workspaceId,
    customer_id: customerId,
    event_type: entry.eventType,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    summary: shorten(entry.summary, MAX_SUMMARY).text,
    audience: entry.audience ?? 'everybody',
    transaction_id: entry.transactionId ?? null,
    occurred_at: entry.occurredAt ?? world.now(),
  });
  return id;
}
