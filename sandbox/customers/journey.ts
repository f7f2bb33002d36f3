import { Journey } from '../../src/upstream/contract/generated/publicapi/v1/journey_pb.ts';
import type { Call } from '../kernel/call.ts';
import { blocked, notFound } from '../kernel/errors.ts';
import { service } from '../kernel/service.ts';
import { type CustomerRow, customerOf, toCustomer } from './customerRecords.ts';

export const journeyTables = `
  CREATE TABLE IF NOT EXISTS journey_stages (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS journey_statuses (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, stage_id TEXT NOT NULL REFERENCES journey_stages (id), name TEXT NOT NULL,
    color TEXT NOT NULL, is_active INTEGER NOT NULL, position INTEGER NOT NULL
  ) STRICT;
`;

interface StageRow {
  readonly id: string;
  readonly name: string;
}

interface StatusRow {
  readonly id: string;
  readonly stage_id: string;
  readonly name: string;
  readonly color: string;
  readonly is_active: number;
}

function statusOf(call: Call, id: string): StatusRow {
  const row = call.store.get<StatusRow>('SELECT * FROM journey_statuses WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('journey status', id);
  return row;
}

function moveTo(call: Call, customer: CustomerRow, statusId: string): CustomerRow {
  call.store.run('UPDATE customers SET journey_status_id = :statusId, updated_at = :now WHERE id = :id', {
    id: customer.id,
    statusId,
    now: call.now,
  });
  return customerOf(call, customer.id);
}

export const journey = service(Journey, {
  setCustomerJourneyStatus: {
    permission: 'customers:write',
    run: (request, call) => {
      const customer = customerOf(call, request.customerId);
      const { id, name, is_active } = statusOf(call, request.statusId);
      if (customer.journey_status_id === id) return { customer: toCustomer(customer) };
      if (!is_active) throw blocked(`The journey status ${name} is inactive: only customers that have it already keep it.`);
      const moved = moveTo(call, customer, id);
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
    permission: 'customers:write',
    run: (request, call) => {
      const customer = customerOf(call, request.customerId);
      if (customer.journey_status_id === '') return { customer: toCustomer(customer) };
      const cleared = moveTo(call, customer, '');
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
    run: (_request, call) => {
      const { workspaceId } = call;
      const stages = call.store.all<StageRow>('SELECT * FROM journey_stages WHERE workspace_id = :workspaceId ORDER BY position', {
        workspaceId,
      });
      const statuses = call.store.all<StatusRow>('SELECT * FROM journey_statuses WHERE workspace_id = :workspaceId ORDER BY position', {
        workspaceId,
      });
      return {
        stages: stages.map((stage) => ({
          id: stage.id,
          name: stage.name,
          statuses: statuses
            .filter(({ stage_id }) => stage_id === stage.id)
            .map(({ id, name, color, is_active }) => ({ id, name, color, isActive: is_active === 1 })),
        })),
      };
    },
  },
});
