import { receiptLoader } from '../../loaders/receipts.ts';
import { GetInventoryReceipt } from '../../upstream/contract/generated/operations.ts';
import type { PublicInventoryReceiptStatusJson } from '../../upstream/contract/generated/publicapi/v1/receipts_pb.ts';
import type { InventoryReceiptLineRecord, InventoryReceiptRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import type { Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { InventoryLocation } from './inventory.ts';

export const InventoryReceiptStatus = wireEnum<PublicInventoryReceiptStatusJson>()('InventoryReceiptStatus', {
  description: 'The status of an inventory receipt.',
  prefix: 'PUBLIC_INVENTORY_RECEIPT_STATUS',
  members: {
    DRAFT: 'Lines can be added. No stock has changed yet.',
    POSTED: 'The lines were added to stock. No more lines can be added.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const line = new RecordFields<InventoryReceiptLineRecord & Part>('InventoryReceiptLineRecord');

export const InventoryReceiptLine = line.type('InventoryReceiptLine', {
  description: 'A line of an inventory receipt: a delivered product and its quantity.',
  key: 'lineId',
  owner: 'InventoryReceipt',
  fields: (t) => ({
    product: line.requiredEdge(t, 'productId', Product, 'Delivered product.'),
    quantity: line.pieces(t, 'quantity', 'Number of units.'),
    notes: line.text(t, 'notes', 'Notes about the line. Truncated to 1,000 characters.'),
    isNotesTruncated: line.flag(t, 'notesTruncated', 'Whether `notes` is truncated.'),
    createdAt: line.dateTime(t, 'createdAt', 'When the line was added.'),
  }),
});

const record = new RecordFields<InventoryReceiptRecord>('InventoryReceiptRecord');

export const InventoryReceipt: Entity<InventoryReceiptRecord> = entity('InventoryReceipt', {
  record: record,
  description: 'A delivery of stock to a location. Starts as a draft. Posting it adds all its lines to stock in one step.',
  operation: GetInventoryReceipt,
  loader: receiptLoader,
  key: 'receiptId',
  // Every step is for a draft.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('DRAFT', InventoryReceiptStatus, status) },
  told: { status: 'status', statusText: 'status', postedAt: 'postedAt' },
  fields: (t) => ({
    ...record.word(t, 'status', InventoryReceiptStatus, 'Status of the receipt: draft or posted.', { isPartial: true }),
    location: record.requiredEdge(t, 'locationId', InventoryLocation, 'Location that receives the stock.'),
    reference: record.text(t, 'reference', 'Reference on the delivery note. Truncated to 200 characters.'),
    notes: record.text(t, 'notes', 'Notes about the receipt. Truncated to 2,000 characters.'),
    isTextTruncated: t.boolean({
      ...record.mark('textTruncated', 'Whether `reference` or `notes` is truncated. Null if the receipt couldn’t be fetched.'),
      resolve: ({ textTruncated }) => textTruncated,
    }),
    createdAt: record.dateTime(t, 'createdAt', 'When the draft was created.'),
    postedAt: record.dateTime(t, 'postedAt', 'When the receipt was posted. Null while it is a draft.'),
  }),
});
