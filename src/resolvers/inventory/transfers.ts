import { stockLineFields, toStockLine } from '../../schema/inventory/stockLines.ts';
import { InventoryTransfer, InventoryTransferStatus } from '../../schema/inventory/transfers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { CompleteInventoryTransfer, ListInventoryTransfers, StartInventoryTransfer } from '../../upstream/contract/generated/operations.ts';
import type { InventoryTransferRecordJson } from '../../upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { filterInput } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { inFirstPage } from '../kit/payloads.ts';

const TransferFilter = filterInput('InventoryTransfer', 'transfers', (t) => ({
  status: t.field({ type: InventoryTransferStatus.input, description: 'Only those in this state.' }),
}));

builder.queryField('inventoryTransfers', (t) =>
  t.field(
    list(ListInventoryTransfers, {
      description: 'Stock on its way between locations, or arrived. No single transfer can be asked for: find it here.',
      order: 'Newest first.',
      node: InventoryTransfer,
      filter: TransferFilter,
      request: (_root: object, { filter: { status } }) => ({ status: InventoryTransferStatus.toWire(status) }),
      identify: ({ id }) => id,
    }),
  ),
);

const transferAgain = inFirstPage(
  ListInventoryTransfers,
  ({ id }: InventoryTransferRecordJson) => id,
  () => ({}),
);

const InventoryTransferLineInput = builder.inputType('InventoryTransferLineInput', {
  description: 'A product to send.',
  fields: stockLineFields,
});

mutation('inventoryTransferStart', StartInventoryTransfer, {
  description: 'Sends stock on its way: it leaves one location, and is not yet at the other.',
  input: (t) => ({
    sourceLocationId: t.id({ required: true, description: 'The location where it is.' }),
    destinationLocationId: t.id({ required: true, description: 'The other location, where it goes.' }),
    lines: t.field({ type: [InventoryTransferLineInput], required: true, description: 'The stock to send: 1 to 100 lines.' }),
    reference: t.string({ description: 'A reference, in at most 200 characters.' }),
    notes: t.string({ description: 'Notes, in at most 2,000 characters.' }),
  }),
  ids: { sourceLocationId: 'InventoryLocation', destinationLocationId: 'InventoryLocation', 'lines.productId': 'Product' },
  request: ({ sourceLocationId, destinationLocationId, lines, reference, notes }) => ({
    sourceLocationId,
    destinationLocationId,
    lines: lines.map(toStockLine),
    reference: reference ?? '',
    notes: notes ?? '',
  }),
  answers: { transfer: [InventoryTransfer, 'The new transfer.', transferAgain] },
});

mutation('inventoryTransferComplete', CompleteInventoryTransfer, {
  description: 'Puts the stock of a transfer into its destination.',
  input: (t) => ({ transferId: t.id({ required: true, description: 'The transfer.' }) }),
  ids: { transferId: 'InventoryTransfer' },
  request: ({ transferId }) => ({ transferId }),
  answers: { transfer: [InventoryTransfer, 'The transfer as it is now.', transferAgain] },
});
