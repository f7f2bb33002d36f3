import type { InventoryBackorderRecord } from '../../upstream/contract/generated/records.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { InventoryLocation } from './inventory.ts';
import { defineStockLine } from './stockLines.ts';

/** The contract has no enum for this status, only lower-case strings. */
export const InventoryBackorderStatus = defineWireEnum('InventoryBackorderStatus', 'BackorderStatus' as never, {
  description: 'The status of a backorder.',
  members: {
    OPEN: 'The stock hasn’t arrived yet.',
    RECEIVED: 'The stock has arrived.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const InventoryBackorderLine = defineStockLine(
  'InventoryBackorderLine',
  'InventoryBackorderLineRecord',
  'InventoryBackorder',
  'A line of a backorder: a product and its expected quantity.',
);

export const InventoryBackorder = defineRecordType<InventoryBackorderRecord>('InventoryBackorder', {
  record: 'InventoryBackorderRecord',
  description: 'Stock expected to arrive at a location. Counts as inbound stock and isn’t available yet.',
  key: 'id',
  fields: (f) => ({
    ...f.enumWithText('status', InventoryBackorderStatus, 'Status of the backorder: open or received.'),
    destinationLocation: f.requiredEdge('destinationLocationId', InventoryLocation, 'Location that the stock will arrive at.'),
    lines: f.list('lines', InventoryBackorderLine, 'Products expected to arrive.'),
    expectedArrivalAt: f.dateTime('expectedArrivalAt', 'When the stock is expected to arrive.'),
    reference: f.string('reference', 'Human-readable reference of the backorder.'),
    notes: f.string('notes', 'Notes about the backorder.'),
    createdAt: f.dateTime('createdAt', 'When the backorder was created.'),
  }),
});
