import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inventory, PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import {
  type GetInventoryReceiptRequest,
  InventoryReceiptLineRecordSchema,
  InventoryReceiptRecordSchema,
  PublicInventoryReceiptStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/receipts_pb.ts';
import { getProduct } from '../catalog/catalog.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { truncate } from '../kernel/truncate.ts';
import { changeOnHand, requireStockLocation } from './stock.ts';

export const receiptTable = table('inventory_receipts', InventoryReceiptRecordSchema, {
  names: { receiptId: 'id' },
  without: ['textTruncated'],
  also: { workspace_id: 'TEXT', creation_key: 'TEXT NULL' },
  constraints: ['UNIQUE (workspace_id, creation_key)'],
});
export const receiptLineTable = table('inventory_receipt_lines', InventoryReceiptLineRecordSchema, {
  names: { lineId: 'id' },
  without: ['notesTruncated'],
  also: { receipt_id: 'TEXT' },
  wide: ['quantity'],
  references: { receipt_id: receiptTable },
  indexes: { inventory_receipt_lines_by_receipt: 'receipt_id, created_at, id' },
});

type ReceiptRow = RowOf<typeof receiptTable>;
type ReceiptLineRow = RowOf<typeof receiptLineTable>;

/** Maximum number of characters of texts in responses, from the specification. Stored texts can be longer. */
const MAX_LENGTHS = { reference: 200, notes: 2_000, lineNotes: 1_000 };

function toReceipt(row: ReceiptRow): MessageInitShape<typeof InventoryReceiptRecordSchema> {
  const reference = truncate(row.reference, MAX_LENGTHS.reference);
  const notes = truncate(row.notes, MAX_LENGTHS.notes);
  return {
    ...receiptTable.read(row),
    reference: reference.text,
    notes: notes.text,
    textTruncated: reference.isTruncated || notes.isTruncated,
  };
}

function toLine(row: ReceiptLineRow): MessageInitShape<typeof InventoryReceiptLineRecordSchema> {
  const notes = truncate(row.notes, MAX_LENGTHS.lineNotes);
  return { ...receiptLineTable.read(row), notes: notes.text, notesTruncated: notes.isTruncated };
}

const LINES = 'SELECT * FROM inventory_receipt_lines WHERE receipt_id = :receiptId ORDER BY created_at, id';

const getReceipt = (call: CallContext, id: string): ReceiptRow => receiptTable.getOrThrow(call, id, 'receipt');

const findReceipt = ({ store, workspaceId }: CallContext, { receiptId, idempotencyKey }: GetInventoryReceiptRequest) =>
  receiptTable.find(store, { workspace_id: workspaceId, ...(receiptId === '' ? { creation_key: idempotencyKey } : { id: receiptId }) });

/** Adds every line to the stock. Returns the time. */
function post(call: CallContext, { id, location_id, reference }: ReceiptRow): number {
  const lines = receiptLineTable.list(call.store, { receipt_id: id }, 'created_at, id');
  if (lines.length === 0) throw failedPrecondition(`Receipt ${id} has no lines, so there is nothing to receive.`);
  const operationId = call.id();
  for (const { product_id, quantity, notes } of lines) {
    changeOnHand(call, {
      operationId,
      kind: PublicInventoryMovementKind.RECEIPT,
      productId: product_id,
      locationId: location_id,
      delta: quantity,
      reason: notes,
      reference,
    });
  }
  receiptTable.update(call.store, id, { status: PublicInventoryReceiptStatus.POSTED, posted_at: call.now });
  return call.now;
}

export const receipts = domain(Inventory, {
  tables: [receiptTable, receiptLineTable],
  handlers: {
    createInventoryReceipt: {
      permission: 'inventoryAccess:READ_WRITE',
      run: (request, call) => {
        requireStockLocation(call, request.locationId);
        const id = call.id();
        receiptTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          location_id: request.locationId,
          status: PublicInventoryReceiptStatus.DRAFT,
          reference: request.reference ?? '',
          notes: request.notes,
          creation_key: request.idempotencyKey,
          created_at: call.now,
          posted_at: null,
        });
        return { receiptId: id, status: PublicInventoryReceiptStatus.DRAFT };
      },
      // The receipt may have been posted in the meantime.
      replay: ({ receiptId }, call) => ({ receiptId, status: getReceipt(call, receiptId).status }),
    },

    addInventoryReceiptLine: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ receiptId, productId, quantity, notes }, call) => {
        const receipt = getReceipt(call, receiptId);
        if (receipt.status !== PublicInventoryReceiptStatus.DRAFT)
          throw failedPrecondition(`Receipt ${receiptId} is posted, so no lines can be added.`);
        getProduct(call, productId);
        const id = call.id();
        receiptLineTable.insert(call.store, {
          id,
          receipt_id: receiptId,
          product_id: productId,
          quantity,
          notes,
          created_at: call.now,
        });
        return { lineId: id };
      },
    },

    receiveInventory: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ receiptId }, call) => {
        const receipt = getReceipt(call, receiptId);
        const postedAt = receipt.posted_at ?? post(call, receipt);
        return { receiptId, status: PublicInventoryReceiptStatus.POSTED, postedAt: BigInt(postedAt) };
      },
    },

    getInventoryReceipt: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const receipt = findReceipt(call, request);
        if (!receipt) return {};
        const { rows, ...page } = call.page<ReceiptLineRow>(request, LINES, { receiptId: receipt.id }, receiptLineTable.wide);
        return { receipt: toReceipt(receipt), lines: rows.map(toLine), ...page };
      },
    },
  },
});
