import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CreateCustomerEventRequest,
  CustomerTimelineEventRecordSchema,
  ListCustomerTimelineEventsRequest,
} from '../../src/upstream/contract/generated/publicapi/v1/timeline_pb.ts';
import type { Call } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import { customerOf } from './customerRecords.ts';

export const timelineTables = `
  CREATE TABLE IF NOT EXISTS timeline_events (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, customer_id TEXT NOT NULL, event_type TEXT NOT NULL, entity_type TEXT NOT NULL,
    entity_id TEXT NOT NULL, summary TEXT NOT NULL, audience TEXT NOT NULL CHECK (audience IN ('everybody', 'audit', 'orders')),
    transaction_id TEXT, occurred_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS timeline_events_of_customer ON timeline_events (workspace_id, customer_id, occurred_at);
`;

interface EventRow {
  readonly id: string;
  readonly event_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly summary: string;
  readonly occurred_at: number;
}

const toEvent = (row: EventRow): MessageInitShape<typeof CustomerTimelineEventRecordSchema> => ({
  id: row.id,
  eventType: row.event_type,
  entityType: row.entity_type,
  entityId: row.entity_id,
  summary: row.summary,
  occurredAt: BigInt(row.occurred_at),
});

function eventOf(call: Call, id: string): EventRow {
  const row = call.store.get<EventRow>('SELECT * FROM timeline_events WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('timeline event', id);
  return row;
}

const sees = ({ caller }: Call, permission: 'audit:read' | 'orders:read') => Number(caller.permissions.has(permission));

/** The part of the Customer service that reads and writes timelines. */
export const timelineHandlers = {
  listCustomerTimelineEvents: {
    permission: 'customers:read',
    run: ({ customerId, transactionId }: ListCustomerTimelineEventsRequest, call: Call) => {
      const { id } = customerOf(call, customerId);
      // Events of one second keep the order in which they were written.
      const rows = call.store.all<EventRow>(
        `SELECT * FROM timeline_events
         WHERE workspace_id = :workspaceId AND customer_id = :id AND (:transactionId = '' OR transaction_id = :transactionId)
           AND (audience = 'everybody' OR (audience = 'audit' AND :seesAudit) OR (audience = 'orders' AND :seesOrders))
         ORDER BY occurred_at DESC, rowid DESC`,
        {
          workspaceId: call.workspaceId,
          id,
          transactionId: transactionId ?? '',
          seesAudit: sees(call, 'audit:read'),
          seesOrders: sees(call, 'orders:read'),
        },
      );
      return { events: rows.map(toEvent) };
    },
  },

  createCustomerEvent: {
    permission: 'customers:write',
    run: ({ customerId, eventType, summary, occurredAt }: CreateCustomerEventRequest, call: Call) => {
      const { id } = customerOf(call, customerId);
      const eventId = call.timeline(id, {
        eventType,
        entityType: 'customer',
        entityId: id,
        summary,
        ...(occurredAt !== undefined && { occurredAt: Number(occurredAt) }),
      });
      return { event: toEvent(eventOf(call, eventId)) };
    },
  },
} as const;
