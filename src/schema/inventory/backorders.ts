import type { InventoryBackorderRecordJson } from '../../upstream/contract/generated/publicapi/v1/backorders_pb.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import { InventoryLocation } from './inventory.ts';
import { stockLine } from './stockLines.ts';

/** Over plain words: the contract has no enum for them, and writes them in lower case. */
export const InventoryBackorderStatus = wireEnum<never>()('InventoryBackorderStatus', {
  description: 'The stage of a backorder.',
  prefix: 'BACKORDER_STATUS',
  members: { OPEN: 'Still to arrive.', RECEIVED: 'Arrived.', OTHER: 'A stage that this graph does not know: see `statusText`.' },
});

const InventoryBackorderLine = stockLine(
  'InventoryBackorderLine',
  'InventoryBackorderLineRecord',
  'InventoryBackorder',
  'A product that is to arrive.',
);

const record = new RecordFields<InventoryBackorderRecordJson>('InventoryBackorderRecord');

export const InventoryBackorder = record.type('InventoryBackorder', {
  description: 'Stock that is to arrive at a location. It counts as inbound, and is not available.',
  key: 'id',
  fields: (t) => ({
    ...record.word(t, 'status', InventoryBackorderStatus, 'The stage of the backorder.'),
    destinationLocation: record.requiredEdge(t, 'destinationLocationId', InventoryLocation, 'The location where the stock is to arrive.'),
    lines: record.list(t, 'lines', InventoryBackorderLine, 'The products that are to arrive.'),
    expectedArrivalAt: record.dateTime(t, 'expectedArrivalAt', 'The moment at which the stock is expected.'),
    reference: record.text(t, 'reference', 'The reference that people know the backorder by.'),
    notes: record.text(t, 'notes', 'The notes.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment at which the backorder was created.'),
  }),
});
