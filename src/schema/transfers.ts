import type { InventoryTransferRecordJson, PublicInventoryTransferStatusJson } from '../upstream/generated/publicapi/v1/transfers_pb.ts';
import { follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { InventoryLocation } from './inventory.ts';
import { ownedBy, RecordFields } from './records.ts';
import { stockLine } from './stockLines.ts';

export const InventoryTransferStatus = wireEnum<PublicInventoryTransferStatusJson>()('InventoryTransferStatus', {
  description: 'How far a transfer is.',
  prefix: 'PUBLIC_INVENTORY_TRANSFER_STATUS',
  members: {
    IN_TRANSIT: 'It has left, and not arrived.',
    COMPLETED: 'It has arrived.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const InventoryTransferLine = stockLine(
  'InventoryTransferLine',
  'InventoryTransferLineRecord',
  'InventoryTransfer',
  'A product that is under way.',
);

const record = new RecordFields<InventoryTransferRecordJson>('InventoryTransferRecord');

export const InventoryTransfer = record.type('InventoryTransfer', {
  description: 'Stock on its way from one location to another. Until it arrives it is at neither.',
  key: 'id',
  fields: (t) => ({
    ...record.word(t, 'status', InventoryTransferStatus, 'How far it is.'),
    sourceLocation: t.field({
      type: InventoryLocation.ref,
      ...record.mark('sourceLocationId', 'Where it has left.'),
      resolve: ({ sourceLocationId }, _args, context, info) => follow(InventoryLocation, sourceLocationId, context, info),
    }),
    destinationLocation: t.field({
      type: InventoryLocation.ref,
      ...record.mark('destinationLocationId', 'Where it is to arrive.'),
      resolve: ({ destinationLocationId }, _args, context, info) => follow(InventoryLocation, destinationLocationId, context, info),
    }),
    lines: t.field({
      type: [InventoryTransferLine],
      nullable: false,
      ...record.mark('lines', 'What is under way.'),
      resolve: ({ id, lines }) => ownedBy(id, lines),
    }),
    reference: record.text(t, 'reference', 'What people know it by.'),
    notes: record.text(t, 'notes', 'What was noted.'),
    startedAt: record.dateTime(t, 'startedAt', 'When it left.'),
    completedAt: record.dateTime(t, 'completedAt', 'When it arrived; null when it has not.'),
  }),
});
