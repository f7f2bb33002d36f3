import type {
  InventoryTransferRecordJson,
  PublicInventoryTransferStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import { InventoryLocation } from './inventory.ts';
import { stockLine } from './stockLines.ts';

export const InventoryTransferStatus = wireEnum<PublicInventoryTransferStatusJson>()('InventoryTransferStatus', {
  description: 'The stage of a transfer.',
  prefix: 'PUBLIC_INVENTORY_TRANSFER_STATUS',
  members: {
    IN_TRANSIT: 'The stock has left, and not arrived.',
    COMPLETED: 'The stock has arrived.',
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
    ...record.word(t, 'status', InventoryTransferStatus, 'The stage of the transfer.'),
    sourceLocation: record.requiredEdge(t, 'sourceLocationId', InventoryLocation, 'The location that the stock has left.'),
    destinationLocation: record.requiredEdge(t, 'destinationLocationId', InventoryLocation, 'The location where the stock is to arrive.'),
    lines: record.list(t, 'lines', InventoryTransferLine, 'The products that are under way.'),
    reference: record.text(t, 'reference', 'The reference that people know the transfer by.'),
    notes: record.text(t, 'notes', 'The notes.'),
    startedAt: record.dateTime(t, 'startedAt', 'The moment of departure.'),
    completedAt: record.dateTime(t, 'completedAt', 'The moment of arrival; null before that.'),
  }),
});
