import { bindStockLineFields } from '../../schema/inventory/stockLines.ts';
import { InventoryTransfer, InventoryTransferStatus } from '../../schema/inventory/transfers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { defineInput } from '../../schema/kit/inputs.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { CompleteInventoryTransfer, ListInventoryTransfers, StartInventoryTransfer } from '../../upstream/contract/generated/operations.ts';
import { declareFilter } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';
import { changedBalances, toStock } from './changedBalances.ts';
import { findSameLocations, findStockBlockers } from './stockBlockers.ts';

const TransferFilter = declareFilter(ListInventoryTransfers, InventoryTransfer, (f) => ({
  status: f.status('Only transfers with this status.', InventoryTransferStatus),
}));

builder.queryField('inventoryTransfers', (t) =>
  t.field(
    list(ListInventoryTransfers, {
      description: 'Transfers between locations, both in transit and completed. Transfers can’t be looked up by ID.',
      order: 'Newest first.',
      sortedBy: rankDescendingBy('startedAt'),
      node: InventoryTransfer,
      filter: TransferFilter,
    }),
  ),
);

registerReread(
  InventoryTransfer,
  readFirstPage(ListInventoryTransfers, () => ({})),
);

const InventoryTransferLineInput = defineInput(
  messages.InventoryTransferLineInput,
  'A line of a transfer: a product and the quantity to send.',
  bindStockLineFields,
);

mutation('inventoryTransferStart', StartInventoryTransfer, {
  description: 'Starts a transfer. The stock leaves its source location and isn’t at the destination until the transfer is completed.',
  input: (f) => ({
    sourceLocationId: f.sourceLocationId('Location to take the stock from.'),
    destinationLocationId: f.destinationLocationId('Location to send the stock to. Must differ from the source location.'),
    lines: f.lines('Products to send.', InventoryTransferLineInput),
    reference: f.reference('Human-readable reference of the transfer.'),
    notes: f.notes('Notes about the transfer.'),
  }),
  findIssues: ({ sourceLocationId, destinationLocationId }) =>
    findSameLocations(destinationLocationId, [[sourceLocationId, ['sourceLocationId']]]),
  blockers: ({ sourceLocationId, destinationLocationId, lines = [] }, context) =>
    findStockBlockers(
      {
        products: lines.map(({ productId }, index) => [productId, ['lines', String(index), 'productId']]),
        locations: [
          [sourceLocationId, ['sourceLocationId']],
          [destinationLocationId, ['destinationLocationId']],
        ],
        withdrawals: lines.map(({ productId, quantity }, index) => ({
          productId,
          locationId: sourceLocationId,
          quantity,
          path: ['lines', String(index), 'quantity'],
        })),
      },
      context,
    ),
  returns: { transfer: 'The new transfer.' },
  payload: {
    resolve: ({ transfer }) => ({ changedStock: toStock(transfer?.lines, transfer?.sourceLocationId) }),
    countItems: ({ lines }) => ({ changedBalances: lines.length }),
    fields: (t) => ({ changedBalances: t.field(changedBalances(({ changedStock }) => changedStock)) }),
  },
});

mutation('inventoryTransferComplete', CompleteInventoryTransfer, {
  description: 'Completes a transfer, which adds its stock to the destination.',
  input: (f) => ({ transferId: f.transferId('Transfer to complete.') }),
  returns: { transfer: 'The completed transfer.' },
  payload: {
    resolve: ({ transfer }) => ({ changedStock: toStock(transfer?.lines, transfer?.destinationLocationId) }),
    fields: (t) => ({ changedBalances: t.field(changedBalances(({ changedStock }) => changedStock)) }),
  },
});
