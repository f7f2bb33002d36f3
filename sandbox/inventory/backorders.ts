import type { MessageInitShape } from '@bufbuild/protobuf';
import type { InventoryBackorderRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/backorders_pb.ts';
import type { Call } from '../kernel/call.ts';
import { blocked, invalid, notFound } from '../kernel/errors.ts';
import type { InventoryHandlers } from './inventory.ts';
import { expectStock, requireProduct, requireStockLocation } from './stock.ts';

export const backorderTables = `
  CREATE TABLE IF NOT EXISTS inventory_backorders (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('open', 'received')),
    destination_location_id TEXT NOT NULL, expected_arrival_at INTEGER NOT NULL, reference TEXT NOT NULL, notes TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_backorders_by_time ON inventory_backorders (workspace_id, created_at);
  CREATE INDEX IF NOT EXISTS inventory_backorders_by_destination ON inventory_backorders (destination_location_id, status);
  CREATE TABLE IF NOT EXISTS inventory_backorder_lines (
    id TEXT PRIMARY KEY, backorder_id TEXT NOT NULL REFERENCES inventory_backorders (id), position INTEGER NOT NULL,
    product_id TEXT NOT NULL, quantity INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_backorder_lines_by_backorder ON inventory_backorder_lines (backorder_id, position);
`;

interface BackorderRow {
  readonly id: string;
  readonly status: 'open' | 'received';
  readonly destination_location_id: string;
  readonly expected_arrival_at: number;
  readonly reference: string;
  readonly notes: string;
  readonly created_at: number;
}

function toBackorder(call: Call, row: BackorderRow): MessageInitShape<typeof InventoryBackorderRecordSchema> {
  const lines = call.store.all<{ id: string; product_id: string; quantity: bigint }>(
    'SELECT id, product_id, quantity FROM inventory_backorder_lines WHERE backorder_id = :id ORDER BY position',
    { id: row.id },
    ['quantity'],
  );
  return {
    id: row.id,
    status: row.status,
    destinationLocationId: row.destination_location_id,
    lines: lines.map(({ id, product_id, quantity }) => ({ id, productId: product_id, quantity })),
    expectedArrivalAt: BigInt(row.expected_arrival_at),
    reference: row.reference,
    notes: row.notes,
    createdAt: BigInt(row.created_at),
  };
}

function backorderOf(call: Call, id: string): BackorderRow {
  const row = call.store.get<BackorderRow>('SELECT * FROM inventory_backorders WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('backorder', id);
  return row;
}

function futureArrival(call: Call, expectedArrivalAt: bigint): number {
  if (expectedArrivalAt <= BigInt(call.now)) {
    throw invalid(`expected_arrival_at must be in the future, but ${expectedArrivalAt} is not after ${call.now}.`);
  }
  return Number(expectedArrivalAt);
}

export const backorders = {
  createInventoryBackorder: {
    permission: 'inventory:write',
    run: (request, call) => {
      const locationId = request.destinationLocationId;
      requireStockLocation(call, locationId);
      const id = call.id();
      call.store.insert('inventory_backorders', {
        id,
        workspace_id: call.workspaceId,
        status: 'open',
        destination_location_id: locationId,
        expected_arrival_at: futureArrival(call, request.expectedArrivalAt),
        reference: request.reference,
        notes: request.notes,
        created_at: call.now,
      });
      for (const [position, { productId, quantity }] of request.lines.entries()) {
        requireProduct(call, productId);
        expectStock(call, { productId, locationId }, quantity);
        const line = { id: call.id(), position, product_id: productId, quantity };
        call.store.insert('inventory_backorder_lines', { ...line, backorder_id: id });
      }
      return { backorder: toBackorder(call, backorderOf(call, id)) };
    },
    // Its arrival may have been moved since, and the goods received.
    replay: ({ backorder }, call) => ({ backorder: toBackorder(call, backorderOf(call, backorder?.id ?? '')) }),
  },

  listInventoryBackorders: {
    permission: 'inventory:read',
    run: (request, call) => {
      const { rows, ...page } = call.page<BackorderRow>(
        request,
        `SELECT * FROM inventory_backorders WHERE workspace_id = :workspaceId AND (:status = '' OR status = :status)
         ORDER BY created_at DESC, rowid DESC`,
        { workspaceId: call.workspaceId, status: request.status },
      );
      return { backorders: rows.map((row) => toBackorder(call, row)), ...page };
    },
  },

  updateInventoryBackorderEta: {
    permission: 'inventory:write',
    run: ({ backorderId, expectedArrivalAt }, call) => {
      const { id, status } = backorderOf(call, backorderId);
      if (status !== 'open') throw blocked(`Backorder ${id} is ${status}: only the arrival of an open one changes.`);
      const arrival = futureArrival(call, expectedArrivalAt);
      call.store.run('UPDATE inventory_backorders SET expected_arrival_at = :arrival WHERE id = :id', { id, arrival });
      return { backorder: toBackorder(call, backorderOf(call, id)) };
    },
  },
} satisfies Partial<InventoryHandlers>;
