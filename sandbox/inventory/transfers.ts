import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inventory, PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import {
  InventoryTransferLineRecordSchema,
  InventoryTransferRecordSchema,
  PublicInventoryTransferStatus,
  type StartInventoryTransferRequest,
} from '../../src/upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { changeOnHand, prepareInbound, requireMovableProduct, requireStockLocation } from './stock.ts';

export const transferTable = table('inventory_transfers', InventoryTransferRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: {
    inventory_transfers_by_time: 'workspace_id, started_at',
    inventory_transfers_by_destination: 'destination_location_id, status',
  },
});
export const transferLineTable = table('inventory_transfer_lines', InventoryTransferLineRecordSchema, {
  also: { transfer_id: 'TEXT', position: 'INTEGER' },
  wide: ['quantity'],
  references: { transfer_id: transferTable },
  indexes: { inventory_transfer_lines_by_transfer: 'transfer_id, position' },
});

type TransferRow = RowOf<typeof transferTable>;
type TransferLineRow = RowOf<typeof transferLineTable>;

const listLines = ({ store }: CallContext, transferId: string) => transferLineTable.list(store, { transfer_id: transferId }, 'position');

const toTransfer = (call: CallContext, row: TransferRow): MessageInitShape<typeof InventoryTransferRecordSchema> => ({
  ...transferTable.read(row),
  lines: listLines(call, row.id).map(transferLineTable.read),
});

const getTransfer = (call: CallContext, id: string): TransferRow => transferTable.getOrThrow(call, id, 'transfer');

/** Removes the stock of one line from the source. Movements at both ends contain the transfer's ID. */
function send(
  call: CallContext,
  { id, source_location_id, destination_location_id, reference, notes }: TransferRow,
  line: TransferLineRow,
): void {
  changeOnHand(call, {
    operationId: id,
    kind: PublicInventoryMovementKind.TRANSFER,
    productId: line.product_id,
    locationId: source_location_id,
    delta: -line.quantity,
    reason: notes,
    reference,
  });
  prepareInbound(call, { productId: line.product_id, locationId: destination_location_id }, line.quantity);
}

function start(call: CallContext, request: StartInventoryTransferRequest): string {
  const { sourceLocationId, destinationLocationId, lines, reference, notes } = request;
  if (sourceLocationId === destinationLocationId) {
    throw invalidArgument('source_location_id must differ from the destination.');
  }
  requireStockLocation(call, sourceLocationId);
  requireStockLocation(call, destinationLocationId);
  const id = call.id();
  const transfer: TransferRow = {
    id,
    workspace_id: call.workspaceId,
    status: PublicInventoryTransferStatus.IN_TRANSIT,
    source_location_id: sourceLocationId,
    destination_location_id: destinationLocationId,
    reference,
    notes,
    started_at: call.now,
    completed_at: null,
  };
  transferTable.insert(call.store, transfer);
  for (const [position, { productId, quantity }] of lines.entries()) {
    requireMovableProduct(call, productId);
    const line = { id: call.id(), transfer_id: id, position, product_id: productId, quantity };
    send(call, transfer, line);
    transferLineTable.insert(call.store, line);
  }
  return id;
}

function complete(call: CallContext, { id, destination_location_id, reference, notes }: TransferRow): void {
  for (const { product_id, quantity } of listLines(call, id)) {
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
  transferTable.update(call.store, id, { status: PublicInventoryTransferStatus.COMPLETED, completed_at: call.now });
}

export const transfers = domain(Inventory, {
  tables: [transferTable, transferLineTable],
  handlers: {
    listInventoryTransfers: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = transferTable.page(call, request, { status: request.status }, 'started_at DESC, rowid DESC');
        return { transfers: rows.map((row) => toTransfer(call, row)), ...page };
      },
    },

    startInventoryTransfer: {
      permission: 'inventoryAccess:READ_WRITE',
      run: (request, call) => ({ transfer: toTransfer(call, getTransfer(call, start(call, request))) }),
    },

    completeInventoryTransfer: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ transferId }, call) => {
        const transfer = getTransfer(call, transferId);
        if (transfer.status !== PublicInventoryTransferStatus.IN_TRANSIT) {
          throw failedPrecondition(`Transfer ${transferId} isn’t in transit. It was completed at ${transfer.completed_at}.`);
        }
        complete(call, transfer);
        return { transfer: toTransfer(call, getTransfer(call, transferId)) };
      },
    },
  },
});
