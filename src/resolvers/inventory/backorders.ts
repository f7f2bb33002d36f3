import { readLargestPage } from '../../loaders/listScan.ts';
import { InventoryBackorder, InventoryBackorderStatus } from '../../schema/inventory/backorders.ts';
import { bindStockLineFields } from '../../schema/inventory/stockLines.ts';
import { builder } from '../../schema/kit/builder.ts';
import { defineInput, unboundEnum } from '../../schema/kit/inputs.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  CreateInventoryBackorder,
  ListInventoryBackorders,
  UpdateInventoryBackorderEta,
} from '../../upstream/contract/generated/operations.ts';
import { declareFilter } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { matchesInput } from '../kit/reconcile.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';

const BackorderFilter = declareFilter(ListInventoryBackorders, InventoryBackorder, () => ({
  status: unboundEnum(InventoryBackorderStatus, 'Only backorders with this status.'),
}));

builder.queryField('inventoryBackorders', (t) =>
  t.field(
    list(ListInventoryBackorders, {
      description: 'Open and received backorders. Backorders can’t be looked up by ID.',
      order: 'Newest first.',
      sortedBy: rankDescendingBy('createdAt'),
      node: InventoryBackorder,
      filter: BackorderFilter,
      request: (request, _root, { status }) => ({ ...request, status: status?.toLowerCase() ?? '' }),
    }),
  ),
);

const InventoryBackorderLineInput = defineInput(
  messages.BackorderLineInput,
  'A line of a backorder: a product and its expected quantity.',
  bindStockLineFields,
  'InventoryBackorderLineInput',
);

registerReread(
  InventoryBackorder,
  readFirstPage(ListInventoryBackorders, () => ({})),
);

mutation('inventoryBackorderCreate', CreateInventoryBackorder, {
  description: 'Creates a backorder for stock that is expected to arrive. The stock becomes available when it is received.',
  input: (f) => ({
    destinationLocationId: f.destinationLocationId('Location that the stock will arrive at.'),
    lines: f.lines('Products expected to arrive.', InventoryBackorderLineInput),
    expectedArrivalAt: f.expectedArrivalAt('When the stock is expected to arrive. Must be in the future.'),
    reference: f.reference('Human-readable reference of the backorder.'),
    notes: f.notes('Notes about the backorder.'),
  }),
  returns: { backorder: 'The new backorder.' },
});

mutation('inventoryBackorderReschedule', UpdateInventoryBackorderEta, {
  description: 'Changes the expected arrival of an open backorder.',
  input: (f) => ({
    backorderId: f.backorderId('Backorder to reschedule.'),
    expectedArrivalAt: f.expectedArrivalAt('When the stock is expected to arrive. Must be in the future.'),
  }),
  returns: { backorder: 'The rescheduled backorder.' },
  reconcile: async ({ request: { backorderId, expectedArrivalAt }, context }) => {
    const { rows } = await readLargestPage(context.upstream, ListInventoryBackorders, { status: 'open' });
    const backorder = rows.find(({ id }) => id === backorderId);
    return backorder && matchesInput(backorder, { expectedArrivalAt }) ? { backorder } : undefined;
  },
});
