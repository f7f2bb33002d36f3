import { receiptLoader } from '../../loaders/receipts.ts';
import { GetInventoryReceipt } from '../../upstream/contract/generated/operations.ts';
import type { InventoryReceiptLineRecord, InventoryReceiptRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum, hasOtherStatus } from '../kit/enums.ts';
import type { OwnedPart } from '../kit/parts.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { InventoryLocation } from './inventory.ts';

export const InventoryReceiptStatus = defineWireEnum('InventoryReceiptStatus', 'PublicInventoryReceiptStatus', {
  description: 'The status of an inventory receipt.',
  members: {
    DRAFT: 'Lines can be added. No stock has changed yet.',
    POSTED: 'The lines were added to stock. No more lines can be added.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const InventoryReceiptLine = defineRecordType<InventoryReceiptLineRecord & OwnedPart>('InventoryReceiptLine', {
  record: 'InventoryReceiptLineRecord',
  description: 'A line of an inventory receipt: a delivered product and its quantity.',
  key: 'lineId',
  owner: 'InventoryReceipt',
  fields: (f) => ({
    product: f.requiredEdge('productId', Product, 'Delivered product.'),
    quantity: f.quantity('quantity', 'Number of units.'),
    notes: f.string('notes', 'Notes about the line. Truncated to 1,000 characters.'),
    isNotesTruncated: f.boolean('notesTruncated', 'Whether `notes` is truncated.'),
    createdAt: f.dateTime('createdAt', 'When the line was added.'),
  }),
});

export const InventoryReceipt: Entity<InventoryReceiptRecord> = defineEntity('InventoryReceipt', {
  record: 'InventoryReceiptRecord',
  description: 'A delivery of stock to a location. Starts as a draft. Posting it adds all its lines to stock in one step.',
  operation: GetInventoryReceipt,
  loader: receiptLoader,
  key: 'receiptId',
  // All transitions start from a draft.
  state: { getStatus: ({ status }) => status, isTerminal: ({ status }) => hasOtherStatus('DRAFT', InventoryReceiptStatus, status) },
  knownFields: { status: 'status', statusText: 'status', postedAt: 'postedAt' },
  fields: (f, t) => ({
    ...f.enumWithText('status', InventoryReceiptStatus, 'Status of the receipt: draft or posted.', { isPartial: true }),
    location: f.requiredEdge('locationId', InventoryLocation, 'Location that receives the stock.'),
    reference: f.string('reference', 'Reference on the delivery note. Truncated to 200 characters.'),
    notes: f.string('notes', 'Notes about the receipt. Truncated to 2,000 characters.'),
    isTextTruncated: t.boolean({
      ...f.annotate('textTruncated', 'Whether `reference` or `notes` is truncated. Null if the receipt couldn’t be fetched.'),
      resolve: ({ textTruncated }) => textTruncated,
    }),
    createdAt: f.dateTime('createdAt', 'When the draft was created.'),
    postedAt: f.dateTime('postedAt', 'When the receipt was posted. Null while it is a draft.'),
  }),
});
