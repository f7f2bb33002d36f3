import { CustomerTimelineEventRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/timeline_pb.ts';
import { type RowOf, table } from './table.ts';
import { truncate } from './truncate.ts';
import type { World } from './world.ts';

/** The timeline of each customer. The domains of all areas write to it. */
export const timelineTable = table('timeline_events', CustomerTimelineEventRecordSchema, {
  also: { workspace_id: 'TEXT', customer_id: 'TEXT', audience: ['everybody', 'audit', 'orders'], transaction_id: 'TEXT NULL' },
  indexes: { timeline_events_of_customer: 'workspace_id, customer_id, occurred_at' },
});

/** The members that see a timeline event: all, those with access to the audit trail, or those with access to orders. */
type TimelineAudience = RowOf<typeof timelineTable>['audience'];

export interface TimelineEntry {
  readonly eventType: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly summary: string;
  readonly audience?: TimelineAudience;
  /** Unix seconds. Defaults to now. */
  readonly occurredAt?: number;
  /** ID that the `transaction_id` filter compares with. */
  readonly transactionId?: string;
}

/** Maximum length of an event's summary, in characters. Chosen; also the contract's limit for callers. */
const MAX_SUMMARY = 1_000;

/**
 * Adds a timeline event and returns its ID. Shortens the summary, because the sandbox composes it of names that can be long. Longer summaries from callers are
 * rejected.
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
    summary: truncate(entry.summary, MAX_SUMMARY).text,
    audience: entry.audience ?? 'everybody',
    transaction_id: entry.transactionId ?? null,
    occurred_at: entry.occurredAt ?? world.now(),
  });
  return id;
}
