import { Customer } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { domain } from '../kernel/service.ts';
import type { RowOf } from '../kernel/table.ts';
import { timelineTable } from '../kernel/timeline.ts';
import { getCustomer } from './customerRecords.ts';

type EventRow = RowOf<typeof timelineTable>;

const canSee = ({ principal }: CallContext, permission: 'auditAccess:READ_ONLY' | 'billingAccess:READ_ONLY') =>
  Number(principal.permissions.has(permission));

/** Operations of the Customer service on timelines. */
export const timeline = domain(Customer, {
  tables: [timelineTable],
  handlers: {
    listCustomerTimelineEvents: {
      permission: 'boardAccess:READ_ONLY',
      run: ({ customerId, transactionId }, call) => {
        const { id } = getCustomer(call, customerId);
        // Events within one second are sorted by insertion order.
        const rows = call.store.all<EventRow>(
          `SELECT * FROM timeline_events
           WHERE workspace_id = :workspaceId AND customer_id = :id AND (:transactionId = '' OR transaction_id = :transactionId)
             AND (audience = 'everybody' OR (audience = 'audit' AND :seesAudit) OR (audience = 'orders' AND :seesOrders))
           ORDER BY occurred_at DESC, rowid DESC`,
          {
            workspaceId: call.workspaceId,
            id,
            transactionId: transactionId ?? '',
            seesAudit: canSee(call, 'auditAccess:READ_ONLY'),
            seesOrders: canSee(call, 'billingAccess:READ_ONLY'),
          },
        );
        return { events: rows.map(timelineTable.read) };
      },
    },

    createCustomerEvent: {
      permission: 'boardAccess:READ_WRITE',
      run: ({ customerId, eventType, summary, occurredAt }, call) => {
        const { id } = getCustomer(call, customerId);
        const eventId = call.timeline(id, {
          eventType,
          entityType: 'customer',
          entityId: id,
          summary,
          ...(occurredAt !== undefined && { occurredAt: Number(occurredAt) }),
        });
        return { event: timelineTable.read(timelineTable.getOrThrow(call, eventId, 'timeline event')) };
      },
    },
  },
});
