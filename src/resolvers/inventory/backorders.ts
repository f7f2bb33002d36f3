import { InventoryBackorder, InventoryBackorderStatus } from '../../schema/inventory/backorders.ts';
import { stockLineFields } from '../../schema/inventory/stockLines.ts';
import { builder } from '../../schema/kit/builder.ts';
import { inputOf, own } from '../../schema/kit/inputs.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  CreateInventoryBackorder,
  ListInventoryBackorders,
  UpdateInventoryBackorderEta,
} from '../../upstream/contract/generated/operations.ts';
import type { InventoryBackorderRecordJson } from '../../upstream/contract/generated/publicapi/v1/backorders_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { inFirstPage } from '../kit/payloads.ts';
import { matchesInput } from '../kit/reconcile.ts';

const BackorderFilter = filterOf(ListInventoryBackorders, InventoryBackorder, () => ({
  status: own(InventoryBackorderStatus.input, 'Only those in this state.'),
}));

builder.queryField('inventoryBackorders', (t) =>
  t.field(
    list(ListInventoryBackorders, {
      description: 'Stock that is to arrive, or has. No single backorder can be asked for: find it here.',
      order: 'Newest first.',
      node: InventoryBackorder,
      filter: BackorderFilter,
      request: (request, _root, { status }) => ({ ...request, status: status?.toLowerCase() ?? '' }),
    }),
  ),
);

const InventoryBackorderLineInput = inputOf(
  messages.BackorderLineInput,
  'A product that is to arrive.',
  stockLineFields,
  'InventoryBackorderLineInput',
);

mutation('inventoryBackorderCreate', CreateInventoryBackorder, {
  description: 'Announces stock that is to arrive. It becomes available when it is received.',
  input: (f) => ({
    destinationLocationId: f.destinationLocationId('The location where it is to arrive.'),
    lines: f.lines('The products that are to arrive.', InventoryBackorderLineInput),
    expectedArrivalAt: f.expectedArrivalAt('The moment at which the stock is expected: in the future.'),
    reference: f.reference('A reference.'),
    notes: f.notes('Notes.'),
  }),
  returns: { backorder: 'The new backorder.' },
});

const backorderAgain = inFirstPage(
  ListInventoryBackorders,
  ({ id }: InventoryBackorderRecordJson) => id,
  () => ({}),
);

mutation('inventoryBackorderReschedule', UpdateInventoryBackorderEta, {
  description: 'Changes when an open backorder is expected.',
  input: (f) => ({
    backorderId: f.backorderId('The backorder.'),
    expectedArrivalAt: f.expectedArrivalAt('The moment at which the stock is expected: in the future.'),
  }),
  returns: { backorder: ['The backorder as it is now.', backorderAgain] },
  reconcile: async ({ request: { backorderId, expectedArrivalAt }, context }) => {
    const { backorders = [] } = await context.upstream.call(ListInventoryBackorders, { status: 'open', page: 1, pageSize: 100 });
    const backorder = backorders.find(({ id }) => id === backorderId);
    return backorder && matchesInput(backorder, { expectedArrivalAt }) ? { backorder } : undefined;
  },
});
