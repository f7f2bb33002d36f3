import { receiptLoader } from '../../loaders/receipts.ts';
import { GetInventoryReceipt } from '../../upstream/contract/generated/operations.ts';
import type {
  InventoryReceiptLineRecordJson,
  InventoryReceiptRecordJson,
  PublicInventoryReceiptStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/receipts_pb.ts';
import { Product } from '../catalog/catalog.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import type { Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { InventoryLocation } from './inventory.ts';

export const InventoryReceiptStatus = wireEnum<PublicInventoryReceiptStatusJson>()('InventoryReceiptStatus', {
  description: 'The stage of a receipt.',
  prefix: 'PUBLIC_INVENTORY_RECEIPT_STATUS',
  members: {
    DRAFT: 'Being written: no stock has changed.',
    POSTED: 'Its lines are in stock. It takes no more of them.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const line = new RecordFields<InventoryReceiptLineRecordJson & Part>('InventoryReceiptLineRecord');

export const InventoryReceiptLine = line.type('InventoryReceiptLine', {
  description: 'A product in a delivery.',
  key: 'lineId',
  owner: 'InventoryReceipt',
  fields: (t) => ({
    product: line.requiredEdge(t, 'productId', Product, 'The product.'),
    quantity: line.pieces(t, 'quantity', 'The number of pieces.'),
    notes: line.text(t, 'notes', 'The notes. At most 1,000 characters are shown.'),
    isNotesTruncated: line.flag(t, 'notesTruncated', 'Whether `notes` is cut off.'),
    createdAt: line.dateTime(t, 'createdAt', 'The moment at which the line was added.'),
  }),
});

const record = new RecordFields<InventoryReceiptRecordJson>('InventoryReceiptRecord');

export const InventoryReceipt: Entity<InventoryReceiptRecordJson> = entity('InventoryReceipt', {
  record: record,
  description: 'A delivery to a location. It is written as a draft; posting it puts all its lines into stock at once.',
  operation: GetInventoryReceipt,
  loader: receiptLoader,
  key: 'receiptId',
  // Every step is for a draft.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('DRAFT', InventoryReceiptStatus, status) },
  told: { status: 'status', statusText: 'status', postedAt: 'postedAt' },
  fields: (t) => ({
    ...record.word(t, 'status', InventoryReceiptStatus, 'The stage of the receipt: draft or posted.', { isPartial: true }),
    location: record.requiredEdge(t, 'locationId', InventoryLocation, 'The location that the stock goes to.'),
    reference: record.text(t, 'reference', 'The reference on the delivery note. At most 200 characters are shown.'),
    notes: record.text(t, 'notes', 'The notes. At most 2,000 characters are shown.'),
    isTextTruncated: t.boolean({
      ...record.mark('textTruncated', 'Whether `reference` or `notes` is cut off; null when the receipt could not be read.'),
      resolve: ({ textTruncated }) => textTruncated ?? false,
    }),
    createdAt: record.dateTime(t, 'createdAt', 'The moment at which the draft was created.'),
    postedAt: record.dateTime(t, 'postedAt', 'The moment at which the receipt was posted; null while it is a draft.'),
  }),
});
