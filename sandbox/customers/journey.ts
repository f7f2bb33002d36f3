import {
  Journey,
  JourneyStageRecordSchema,
  JourneyStatusRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/journey_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { table } from '../kernel/table.ts';
import { type CustomerRow, customerTable, getCustomer, toCustomer } from './customerRecords.ts';

export const stageTable = table('journey_stages', JourneyStageRecordSchema, { also: { workspace_id: 'TEXT', position: 'INTEGER' } });
export const statusTable = table('journey_statuses', JourneyStatusRecordSchema, {
  also: { workspace_id: 'TEXT', stage_id: 'TEXT', position: 'INTEGER' },
  references: { stage_id: stageTable },
});

function setStatus(call: CallContext, customer: CustomerRow, statusId: string): CustomerRow {
  customerTable.update(call.store, customer.id, { journey_status_id: statusId, updated_at: call.now });
  return getCustomer(call, customer.id);
}

export const journey = domain(Journey, {
  tables: [stageTable, statusTable],
  handlers: {
    setCustomerJourneyStatus: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const customer = getCustomer(call, request.customerId);
        const { id, name, is_active } = statusTable.getOrThrow(call, request.statusId, 'journey status');
        if (customer.journey_status_id === id) return { customer: toCustomer(customer) };
        if (!is_active) throw failedPrecondition(`The journey status ${name} is inactive and can’t be set for this customer.`);
        const moved = setStatus(call, customer, id);
        call.timeline(customer.id, {
          eventType: 'journey_status_set',
          entityType: 'journey_status',
          entityId: id,
          summary: `The journey status is now ${name}.`,
        });
        return { customer: toCustomer(moved) };
      },
    },

    clearCustomerJourneyStatus: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => {
        const customer = getCustomer(call, request.customerId);
        if (customer.journey_status_id === '') return { customer: toCustomer(customer) };
        const cleared = setStatus(call, customer, '');
        call.timeline(customer.id, {
          eventType: 'journey_status_cleared',
          entityType: 'journey_status',
          entityId: customer.journey_status_id,
          summary: 'The journey status was cleared.',
        });
        return { customer: toCustomer(cleared) };
      },
    },

    listJourneyConfig: {
      permission: [],
      run: (_request, { store, workspaceId }) => {
        const statuses = statusTable.list(store, { workspace_id: workspaceId }, 'position');
        const stages = stageTable.list(store, { workspace_id: workspaceId }, 'position').map((stage) => ({
          ...stageTable.read(stage),
          statuses: statuses.filter(({ stage_id }) => stage_id === stage.id).map(statusTable.read),
        }));
        return { stages };
      },
    },
  },
});
