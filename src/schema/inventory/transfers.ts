import type { InventoryTransferRecord } from '../../upstream/contract/generated/records.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { InventoryLocation } from './inventory.ts';
import { defineStockLine } from './stockLines.ts';

export const InventoryTransferStatus = defineWireEnum('InventoryTransferStatus', 'PublicInventoryTransferStatus', {
  description: 'The status of an inventory transfer.',
  members: {
    IN_TRANSIT: 'The stock has left its source location and hasn’t arrived yet.',
    COMPLETED: 'The stock has arrived at its destination.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const InventoryTransferLine = defineStockLine(
  'InventoryTransferLine',
  'InventoryTransferLineRecord',
  'InventoryTransfer',
  'A line of an inventory transfer: a product and its quantity.',
);

export const InventoryTransfer = defineRecordType<InventoryTransferRecord>('InventoryTransfer', {
  record: 'InventoryTransferRecord',
  description: 'A shipment of stock between two locations. While in transit, the stock is on hand at neither.',
  key: 'id',
  fields: (f) => ({
    ...f.enumWithText('status', InventoryTransferStatus, 'Status of the transfer: in transit or completed.'),
    sourceLocation: f.requiredEdge('sourceLocationId', InventoryLocation, 'Location that the stock was sent from.'),
    destinationLocation: f.requiredEdge('destinationLocationId', InventoryLocation, 'Location that the stock is sent to.'),
    lines: f.list('lines', InventoryTransferLine, 'Products being transferred.'),
    reference: f.string('reference', 'Human-readable reference of the transfer.'),
    notes: f.string('notes', 'Notes about the transfer.'),
    startedAt: f.dateTime('startedAt', 'When the stock left its source location.'),
    completedAt: f.dateTime('completedAt', 'When the stock arrived. Null while it is in transit.'),
  }),
});
