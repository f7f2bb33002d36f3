import type { MessageInitShape } from '@bufbuild/protobuf';
import { PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import {
  type GetInventoryReceiptRequest,
  type InventoryReceiptLineRecordSchema,
  type InventoryReceiptRecordSchema,
  PublicInventoryReceiptStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/receipts_pb.ts';
import type { Call } from '../kernel/call.ts';
import { blocked, notFound } from '../kernel/errors.ts';
import { shorten } from '../kernel/texts.ts';
import type { InventoryHandlers } from './inventory.ts';
import { changeOnHand, requireProduct, requireStockLocation } from './stock.ts';

export const receiptTables = `
  CREATE TABLE IF NOT EXISTS inventory_receipts (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, location_id TEXT NOT NULL, status INTEGER NOT NULL, reference TEXT NOT NULL,
    notes TEXT NOT NULL, creation_key TEXT, created_at INTEGER NOT NULL, posted_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS inventory_receipts_by_key ON inventory_receipts (workspace_id, creation_key);
  CREATE TABLE IF NOT EXISTS inventory_receipt_lines (
    id TEXT PRIMARY KEY, receipt_id TEXT NOT NULL REFERENCES inventory_receipts (id), product_id TEXT NOT NULL, quantity INTEGER NOT NULL,
    notes TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inventory_receipt_lines_by_receipt ON inventory_receipt_lines (receipt_id, created_at, id);
`;

/** The most characters of a text that an answer carries (the spec); a stored text may be longer. */
const SHOWN = { reference: 200, notes: 2_000, lineNotes: 1_000 };

interface ReceiptRow {
  readonly id: string;
  readonly location_id: string;
  readonly status: PublicInventoryReceiptStatus;
  readonly reference: string;
  readonly notes: string;
  readonly created_at: number;
  readonly posted_at: number | null;
}

interface ReceiptLineRow {
  readonly id: string;
  readonly product_id: string;
  readonly quantity: bigint;
  readonly notes: string;
  readonly created_at: number;
}

function toReceipt(row: ReceiptRow): MessageInitShape<typeof InventoryReceiptRecordSchema> {
  const reference = shorten(row.reference, SHOWN.reference);
  const notes = shorten(row.notes, SHOWN.notes);
  return {
    receiptId: row.id,
    status: row.status,
    locationId: row.location_id,
    reference: reference.text,
    notes: notes.text,
    textTruncated: reference.isCut || notes.isCut,
    createdAt: BigInt(row.created_at),
    ...(row.posted_at !== null && { postedAt: BigInt(row.posted_at) }),
  };
}

function toLine(row: ReceiptLineRow): MessageInitShape<typeof InventoryReceiptLineRecordSchema> {
  const notes = shorten(row.notes, SHOWN.lineNotes);
  return {
    lineId: row.id,
    productId: row.product_id,
    quantity: row.quantity,
    notes: notes.text,
    notesTruncated: notes.isCut,
    createdAt: BigInt(row.created_at),
  };
}

const LINES = 'SELECT * FROM inventory_receipt_lines WHERE receipt_id = :receiptId ORDER BY created_at, id';

const findReceipt = ({ store, workspaceId }: Call, id: string) =>
  store.get<ReceiptRow>('SELECT * FROM inventory_receipts WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id });

const findReceiptByKey = ({ store, workspaceId }: Call, key: string) =>
  store.get<ReceiptRow>('SELECT * FROM inventory_receipts WHERE workspace_id = :workspaceId AND creation_key = :key', { workspaceId, key });

function receiptOf(call: Call, id: string): ReceiptRow {
  const row = findReceipt(call, id);
  if (!row) throw notFound('receipt', id);
  return row;
}

const named = (call: Call, { receiptId, idempotencyKey }: GetInventoryReceiptRequest) =>
  receiptId === '' ? findReceiptByKey(call, idempotencyKey) : findReceipt(call, receiptId);

/** Puts every line into stock, and answers when. */
function post(call: Call, { id, location_id, reference }: ReceiptRow): number {
  const lines = call.store.all<ReceiptLineRow>(LINES, { receiptId: id }, ['quantity']);
  if (lines.length === 0) throw blocked(`Receipt ${id} has no lines: there is nothing to receive.`);
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
  call.store.run('UPDATE inventory_receipts SET status = :status, posted_at = :now WHERE id = :id', {
    id,
    status: PublicInventoryReceiptStatus.POSTED,
    now: call.now,
  });
  return call.now;
}

export const receipts = {
  createInventoryReceipt: {
    permission: 'inventory:write',
    run: (request, call) => {
      requireStockLocation(call, request.locationId);
      const id = call.id();
      call.store.insert('inventory_receipts', {
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
    // The receipt may have been posted since.
    replay: ({ receiptId }, call) => ({ receiptId, status: receiptOf(call, receiptId).status }),
  },

  addInventoryReceiptLine: {
    permission: 'inventory:write',
    run: ({ receiptId, productId, quantity, notes }, call) => {
      const receipt = receiptOf(call, receiptId);
      if (receipt.status !== PublicInventoryReceiptStatus.DRAFT) throw blocked(`Receipt ${receiptId} is posted: it takes no more lines.`);
      requireProduct(call, productId);
      const id = call.id();
      call.store.insert('inventory_receipt_lines', {
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
    permission: 'inventory:write',
    run: ({ receiptId }, call) => {
      const receipt = receiptOf(call, receiptId);
      const postedAt = receipt.posted_at ?? post(call, receipt);
      return { receiptId, status: PublicInventoryReceiptStatus.POSTED, postedAt: BigInt(postedAt) };
    },
  },

  getInventoryReceipt: {
    permission: 'inventory:read',
    run: (request, call) => {
      const receipt = named(call, request);
      if (!receipt) return {};
      const { rows, ...page } = call.page<ReceiptLineRow>(request, LINES, { receiptId: receipt.id }, ['quantity']);
      return { receipt: toReceipt(receipt), lines: rows.map(toLine), ...page };
    },
  },
} satisfies Partial<InventoryHandlers>;
