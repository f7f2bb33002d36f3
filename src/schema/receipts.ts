import { GetInventoryReceipt } from '../upstream/generated/operations.ts';
import type {
  InventoryReceiptLineRecordJson,
  InventoryReceiptRecordJson,
  PublicInventoryReceiptStatusJson,
} from '../upstream/generated/publicapi/v1/receipts_pb.ts';
import { Product } from './catalog.ts';
import { type Entity, entity, follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { InventoryLocation } from './inventory.ts';
import { type Part, RecordFields } from './records.ts';

export const InventoryReceiptStatus = wireEnum<PublicInventoryReceiptStatusJson>()('InventoryReceiptStatus', {
  description: 'How far a receipt is.',
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
    product: t.field({
      type: Product.ref,
      ...line.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    quantity: line.pieces(t, 'quantity', 'How many pieces.'),
    notes: line.text(t, 'notes', 'What was noted, cut off after 1,000 characters.'),
    isNotesTruncated: line.flag(t, 'notesTruncated', 'Whether `notes` is cut off.'),
    createdAt: line.dateTime(t, 'createdAt', 'When the line was added.'),
  }),
});

const record = new RecordFields<InventoryReceiptRecordJson>('InventoryReceiptRecord');

export const InventoryReceipt: Entity<InventoryReceiptRecordJson> = entity('InventoryReceipt', {
  record: record,
  description: 'A delivery to a location. It is written as a draft; posting it puts all its lines into stock at once.',
  operation: GetInventoryReceipt,
  loader: ({ loaders }) => loaders.receipts,
  key: 'receiptId',
  told: { status: 'status', statusText: 'status', postedAt: 'postedAt' },
  fields: (t) => ({
    ...record.word(t, 'status', InventoryReceiptStatus, 'How far it is.'),
    location: t.field({
      type: InventoryLocation.ref,
      ...record.mark('locationId', 'Where the stock goes.'),
      resolve: ({ locationId }, _args, context, info) => follow(InventoryLocation, locationId, context, info),
    }),
    reference: record.text(t, 'reference', 'What people know it by, cut off after 200 characters.'),
    notes: record.text(t, 'notes', 'What was noted, cut off after 2,000 characters.'),
    isTextTruncated: t.boolean({
      ...record.mark('textTruncated', 'Whether `reference` or `notes` is cut off; null when the receipt could not be read.'),
      resolve: ({ textTruncated }) => textTruncated ?? false,
    }),
    createdAt: record.dateTime(t, 'createdAt', 'When the draft was made.'),
    postedAt: record.dateTime(t, 'postedAt', 'When it was posted; null when it was not.'),
  }),
});
