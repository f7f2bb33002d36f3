import type { InventoryBackorderRecordJson } from '../upstream/generated/publicapi/v1/backorders_pb.ts';
import { follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { InventoryLocation } from './inventory.ts';
import { ownedBy, RecordFields } from './records.ts';
import { stockLine } from './stockLines.ts';

/** Over plain words: the contract has no enum for them, and writes them in lower case. */
export const InventoryBackorderStatus = wireEnum<never>()('InventoryBackorderStatus', {
  description: 'How far a backorder is.',
  prefix: 'BACKORDER_STATUS',
  members: { OPEN: 'Still to arrive.', RECEIVED: 'Arrived.' },
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
    ...record.word(t, 'status', InventoryBackorderStatus, 'How far it is.'),
    destinationLocation: t.field({
      type: InventoryLocation.ref,
      ...record.mark('destinationLocationId', 'Where it is to arrive.'),
      resolve: ({ destinationLocationId }, _args, context, info) => follow(InventoryLocation, destinationLocationId, context, info),
    }),
    lines: t.field({
      type: [InventoryBackorderLine],
      nullable: false,
      ...record.mark('lines', 'What is to arrive.'),
      resolve: ({ id, lines }) => ownedBy(id, lines),
    }),
    expectedArrivalAt: record.dateTime(t, 'expectedArrivalAt', 'When it is expected.'),
    reference: record.text(t, 'reference', 'What people know it by.'),
    notes: record.text(t, 'notes', 'What was noted.'),
    createdAt: record.dateTime(t, 'createdAt', 'When it was made.'),
  }),
});
