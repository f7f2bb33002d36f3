import type { PublicInventoryTransferStatusJson } from '../../upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import type { InventoryTransferRecord } from '../../upstream/contract/generated/records.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import { InventoryLocation } from './inventory.ts';
import { stockLine } from './stockLines.ts';

export const InventoryTransferStatus = wireEnum<PublicInventoryTransferStatusJson>()('InventoryTransferStatus', {
  description: 'The status of an inventory transfer.',
  prefix: 'PUBLIC_INVENTORY_TRANSFER_STATUS',
  members: {
    IN_TRANSIT: 'The stock has left its source location and hasn’t arrived yet.',
    COMPLETED: 'The stock has arrived at its destination.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const InventoryTransferLine = stockLine(
  'InventoryTransferLine',
  'InventoryTransferLineRecord',
  'InventoryTransfer',
  'A line of an inventory transfer: a product and its quantity.',
);

const record = new RecordFields<InventoryTransferRecord>('InventoryTransferRecord');

export const InventoryTransfer = record.type('InventoryTransfer', {
  description: 'A shipment of stock between two locations. While in transit, the stock is on hand at neither.',
  key: 'id',
  fields: (t) => ({
    ...record.word(t, 'status', InventoryTransferStatus, 'Status of the transfer: in transit or completed.'),
    sourceLocation: record.requiredEdge(t, 'sourceLocationId', InventoryLocation, 'Location that the stock was sent from.'),
    destinationLocation: record.requiredEdge(t, 'destinationLocationId', InventoryLocation, 'Location that the stock is sent to.'),
    lines: record.list(t, 'lines', InventoryTransferLine, 'Products being transferred.'),
    reference: record.text(t, 'reference', 'Human-readable reference of the transfer.'),
    notes: record.text(t, 'notes', 'Notes about the transfer.'),
    startedAt: record.dateTime(t, 'startedAt', 'When the stock left its source location.'),
    completedAt: record.dateTime(t, 'completedAt', 'When the stock arrived. Null while it is in transit.'),
  }),
});
