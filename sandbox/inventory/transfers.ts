import type { MessageInitShape } from '@bufbuild/protobuf';
import { PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import {
  type InventoryTransferRecordSchema,
  PublicInventoryTransferStatus,
  type StartInventoryTransferRequest,
} from '../../src/upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import type { Call } from '../kernel/call.ts';
import { blocked, invalid, notFound } from '../kernel/errors.ts';
import type { InventoryHandlers } from './inventory.ts';
import { changeOnHand, expectStock, requireMovableProduct, requireStockLocation } from './stock.ts';

export const transferTables = `
  CREATE TABLE IF NOT EXISTS inventory_transfers (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, status INTEGER NOT NULL, source_location_id TEXT NOT NULL,
    destination_location_id TEXT NOT NULL, reference TEXT NOT NULL, notes TEXT NOT NULL, started_at INTEGER NOT NULL,
    completed_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_transfers_by_time ON inventory_transfers (workspace_id, started_at);
  CREATE INDEX IF NOT EXISTS inventory_transfers_by_destination ON inventory_transfers (destination_location_id, status);
  CREATE TABLE IF NOT EXISTS inventory_transfer_lines (
    id TEXT PRIMARY KEY, transfer_id TEXT NOT NULL REFERENCES inventory_transfers (id), position INTEGER NOT NULL,
    product_id TEXT NOT NULL, quantity INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_transfer_lines_by_transfer ON inventory_transfer_lines (transfer_id, position);
`;

interface TransferRow {
  readonly id: string;
  readonly status: PublicInventoryTransferStatus;
  readonly source_location_id: string;
  readonly destination_location_id: string;
  readonly reference: string;
  readonly notes: string;
  readonly started_at: number;
  readonly completed_at: number | null;
}

interface TransferLineRow {
  readonly id: string;
  readonly product_id: string;
  readonly quantity: bigint;
}

const linesOf = (call: Call, transferId: string) =>
  call.store.all<TransferLineRow>(
    'SELECT id, product_id, quantity FROM inventory_transfer_lines WHERE transfer_id = :transferId ORDER BY position',
    { transferId },
    ['quantity'],
  );

const toTransfer = (call: Call, row: TransferRow): MessageInitShape<typeof InventoryTransferRecordSchema> => ({
  id: row.id,
  status: row.status,
  sourceLocationId: row.source_location_id,
  destinationLocationId: row.destination_location_id,
  lines: linesOf(call, row.id).map(({ id, product_id, quantity }) => ({ id, productId: product_id, quantity })),
  reference: row.reference,
  notes: row.notes,
  startedAt: BigInt(row.started_at),
  ...(row.completed_at !== null && { completedAt: BigInt(row.completed_at) }),
});

function transferOf(call: Call, id: string): TransferRow {
  const row = call.store.get<TransferRow>('SELECT * FROM inventory_transfers WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('transfer', id);
  return row;
}

/** Takes one line out of the source. The movements of a transfer carry its id, at both ends. */
function send(call: Call, { id, source_location_id, destination_location_id, reference, notes }: TransferRow, line: TransferLineRow): void {
  changeOnHand(call, {
    operationId: id,
    kind: PublicInventoryMovementKind.TRANSFER,
    productId: line.product_id,
    locationId: source_location_id,
    delta: -line.quantity,
    reason: notes,
    reference,
  });
  expectStock(call, { productId: line.product_id, locationId: destination_location_id }, line.quantity);
}

function start(call: Call, request: StartInventoryTransferRequest): string {
  const { sourceLocationId, destinationLocationId, lines, reference, notes } = request;
  if (sourceLocationId === destinationLocationId) {
    throw invalid(`source_location_id must be another location than the destination, but both are ${sourceLocationId}.`);
  }
  requireStockLocation(call, sourceLocationId);
  requireStockLocation(call, destinationLocationId);
  const id = call.id();
  const transfer: TransferRow = {
    id,
    status: PublicInventoryTransferStatus.IN_TRANSIT,
    source_location_id: sourceLocationId,
    destination_location_id: destinationLocationId,
    reference,
    notes,
    started_at: call.now,
    completed_at: null,
  };
  call.store.insert('inventory_transfers', { ...transfer, workspace_id: call.workspaceId });
  for (const [position, { productId, quantity }] of lines.entries()) {
    requireMovableProduct(call, productId);
    const line = { id: call.id(), product_id: productId, quantity };
    send(call, transfer, line);
    call.store.insert('inventory_transfer_lines', { ...line, transfer_id: id, position });
  }
  return id;
}

function complete(call: Call, { id, destination_location_id, reference, notes }: TransferRow): void {
  for (const { product_id, quantity } of linesOf(call, id)) {
    changeOnHand(call, {
      operationId: id,
      kind: PublicInventoryMovementKind.TRANSFER,
      productId: product_id,
      locationId: destination_location_id,
      delta: quantity,
      reason: notes,
      reference,
    });
  }
  call.store.run('UPDATE inventory_transfers SET status = :status, completed_at = :now WHERE id = :id', {
    id,
    status: PublicInventoryTransferStatus.COMPLETED,
    now: call.now,
  });
}

export const transfers = {
  listInventoryTransfers: {
    permission: 'inventory:read',
    run: (request, call) => {
      const { rows, ...page } = call.page<TransferRow>(
        request,
        `SELECT * FROM inventory_transfers WHERE workspace_id = :workspaceId AND (:status = 0 OR status = :status)
         ORDER BY started_at DESC, rowid DESC`,
        { workspaceId: call.workspaceId, status: request.status },
      );
      return { transfers: rows.map((row) => toTransfer(call, row)), ...page };
    },
  },

  startInventoryTransfer: {
    permission: 'inventory:write',
    run: (request, call) => ({ transfer: toTransfer(call, transferOf(call, start(call, request))) }),
  },

  completeInventoryTransfer: {
    permission: 'inventory:write',
    run: ({ transferId }, call) => {
      const transfer = transferOf(call, transferId);
      if (transfer.status !== PublicInventoryTransferStatus.IN_TRANSIT) {
        throw blocked(`Transfer ${transferId} is not in transit: it was completed at ${transfer.completed_at}.`);
      }
      complete(call, transfer);
      return { transfer: toTransfer(call, transferOf(call, transferId)) };
    },
  },
} satisfies Partial<InventoryHandlers>;
