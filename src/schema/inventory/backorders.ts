import type { InventoryBackorderRecord } from '../../upstream/contract/generated/records.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import { InventoryLocation } from './inventory.ts';
import { stockLine } from './stockLines.ts';

/** Over plain words: the contract has no enum for them, and writes them in lower case. */
export const InventoryBackorderStatus = wireEnum<never>()('InventoryBackorderStatus', {
  description: 'The status of a backorder.',
  prefix: 'BACKORDER_STATUS',
  members: {
    OPEN: 'The stock hasn’t arrived yet.',
    RECEIVED: 'The stock has arrived.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const InventoryBackorderLine = stockLine(
  'InventoryBackorderLine',
  'InventoryBackorderLineRecord',
  'InventoryBackorder',
  'A line of a backorder: a product and its expected quantity.',
);

const record = new RecordFields<InventoryBackorderRecord>('InventoryBackorderRecord');

export const InventoryBackorder = record.type('InventoryBackorder', {
  description: 'Stock expected to arrive at a location. Counts as inbound stock and isn’t available yet.',
  key: 'id',
  fields: (t) => ({
    ...record.word(t, 'status', InventoryBackorderStatus, 'Status of the backorder: open or received.'),
    destinationLocation: record.requiredEdge(t, 'destinationLocationId', InventoryLocation, 'Location that the stock will arrive at.'),
    lines: record.list(t, 'lines', InventoryBackorderLine, 'Products expected to arrive.'),
    expectedArrivalAt: record.dateTime(t, 'expectedArrivalAt', 'When the stock is expected to arrive.'),
    reference: record.text(t, 'reference', 'Human-readable reference of the backorder.'),
    notes: record.text(t, 'notes', 'Notes about the backorder.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the backorder was created.'),
  }),
});
