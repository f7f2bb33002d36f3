import { receiptLoader } from '../../loaders/receipts.ts';
import { GetInventoryReceipt } from '../../upstream/contract/generated/operations.ts';
import type { InventoryReceiptLineRecord, InventoryReceiptRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import type { Part } from '../kit/parts.ts';
import { recordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { InventoryLocation } from './inventory.ts';

export const InventoryReceiptStatus = wireEnum('InventoryReceiptStatus', 'PublicInventoryReceiptStatus', {
  description: 'The status of an inventory receipt.',
  members: {
    DRAFT: 'Lines can be added. No stock has changed yet.',
    POSTED: 'The lines were added to stock. No more lines can be added.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const InventoryReceiptLine = recordType<InventoryReceiptLineRecord & Part>('InventoryReceiptLine', {
  record: 'InventoryReceiptLineRecord',
  description: 'A line of an inventory receipt: a delivered product and its quantity.',
  key: 'lineId',
  owner: 'InventoryReceipt',
  fields: (f) => ({
    product: f.requiredEdge('productId', Product, 'Delivered product.'),
    quantity: f.pieces('quantity', 'Number of units.'),
    notes: f.text('notes', 'Notes about the line. Truncated to 1,000 characters.'),
    isNotesTruncated: f.flag('notesTruncated', 'Whether `notes` is truncated.'),
    createdAt: f.dateTime('createdAt', 'When the line was added.'),
  }),
});

export const InventoryReceipt: Entity<InventoryReceiptRecord> = entity('InventoryReceipt', {
  record: 'InventoryReceiptRecord',
  description: 'A delivery of stock to a location. Starts as a draft. Posting it adds all its lines to stock in one step.',
  operation: GetInventoryReceipt,
  loader: receiptLoader,
  key: 'receiptId',
  // Every step is for a draft.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('DRAFT', InventoryReceiptStatus, status) },
  told: { status: 'status', statusText: 'status', postedAt: 'postedAt' },
  fields: (f, t) => ({
    ...f.word('status', InventoryReceiptStatus, 'Status of the receipt: draft or posted.', { isPartial: true }),
    location: f.requiredEdge('locationId', InventoryLocation, 'Location that receives the stock.'),
    reference: f.text('reference', 'Reference on the delivery note. Truncated to 200 characters.'),
    notes: f.text('notes', 'Notes about the receipt. Truncated to 2,000 characters.'),
    isTextTruncated: t.boolean({
      ...f.mark('textTruncated', 'Whether `reference` or `notes` is truncated. Null if the receipt couldn’t be fetched.'),
      resolve: ({ textTruncated }) => textTruncated,
    }),
    createdAt: f.dateTime('createdAt', 'When the draft was created.'),
    postedAt: f.dateTime('postedAt', 'When the receipt was posted. Null while it is a draft.'),
  }),
});
