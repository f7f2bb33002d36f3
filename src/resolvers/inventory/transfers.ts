import { stockLineFields } from '../../schema/inventory/stockLines.ts';
import { InventoryTransfer, InventoryTransferStatus } from '../../schema/inventory/transfers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { inputOf } from '../../schema/kit/inputs.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { CompleteInventoryTransfer, ListInventoryTransfers, StartInventoryTransfer } from '../../upstream/contract/generated/operations.ts';
import type { InventoryTransferRecordJson } from '../../upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { inFirstPage } from '../kit/payloads.ts';

const TransferFilter = filterOf(ListInventoryTransfers, InventoryTransfer, (f) => ({
  status: f.status('Only those in this state.', InventoryTransferStatus),
}));

builder.queryField('inventoryTransfers', (t) =>
  t.field(
    list(ListInventoryTransfers, {
      description: 'Stock on its way between locations, or arrived. No single transfer can be asked for: find it here.',
      order: 'Newest first.',
      node: InventoryTransfer,
      filter: TransferFilter,
    }),
  ),
);

const transferAgain = inFirstPage(
  ListInventoryTransfers,
  ({ id }: InventoryTransferRecordJson) => id,
  () => ({}),
);

const InventoryTransferLineInput = inputOf(messages.InventoryTransferLineInput, 'A product to send.', stockLineFields);

mutation('inventoryTransferStart', StartInventoryTransfer, {
  description: 'Sends stock on its way: it leaves one location, and is not yet at the other.',
  input: (f) => ({
    sourceLocationId: f.sourceLocationId('The location where it is.'),
    destinationLocationId: f.destinationLocationId('The other location, where it goes.'),
    lines: f.lines('The stock to send.', InventoryTransferLineInput),
    reference: f.reference('A reference.'),
    notes: f.notes('Notes.'),
  }),
  returns: { transfer: ['The new transfer.', transferAgain] },
});

mutation('inventoryTransferComplete', CompleteInventoryTransfer, {
  description: 'Puts the stock of a transfer into its destination.',
  input: (f) => ({ transferId: f.transferId('The transfer.') }),
  returns: { transfer: ['The transfer as it is now.', transferAgain] },
});
