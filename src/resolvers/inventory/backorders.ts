import { InventoryBackorder, InventoryBackorderStatus } from '../../schema/inventory/backorders.ts';
import { stockLineFields, toStockLine } from '../../schema/inventory/stockLines.ts';
import { builder } from '../../schema/kit/builder.ts';
import {
  CreateInventoryBackorder,
  ListInventoryBackorders,
  UpdateInventoryBackorderEta,
} from '../../upstream/contract/generated/operations.ts';
import type { InventoryBackorderRecordJson } from '../../upstream/contract/generated/publicapi/v1/backorders_pb.ts';
import { filterInput } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { holds } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';
import { inFirstPage } from '../kit/payloads.ts';

const BackorderFilter = filterInput('InventoryBackorder', 'backorders', (t) => ({
  status: t.field({ type: InventoryBackorderStatus.input, description: 'Only those in this state.' }),
}));

builder.queryField('inventoryBackorders', (t) =>
  t.field(
    list(ListInventoryBackorders, {
      description: 'Stock that is to arrive, or has. No single backorder can be asked for: find it here.',
      order: 'Newest first.',
      node: InventoryBackorder,
      filter: BackorderFilter,
      request: (_root: object, { filter: { status } }) => ({ status: status?.toLowerCase() ?? '' }),
      identify: ({ id }) => id,
    }),
  ),
);

const InventoryBackorderLineInput = builder.inputType('InventoryBackorderLineInput', {
  description: 'A product that is to arrive.',
  fields: stockLineFields,
});

mutation('inventoryBackorderCreate', CreateInventoryBackorder, {
  description: 'Announces stock that is to arrive. It becomes available when it is received.',
  input: (t) => ({
    destinationLocationId: t.id({ required: true, description: 'The location where it is to arrive.' }),
    lines: t.field({
      type: [InventoryBackorderLineInput],
      required: true,
      description: 'The products that are to arrive: 1 to 100 lines.',
    }),
    expectedArrivalAt: t.field({
      type: 'DateTime',
      required: true,
      description: 'The moment at which the stock is expected: in the future.',
    }),
    reference: t.string({ description: 'A reference, in at most 200 characters.' }),
    notes: t.string({ description: 'Notes, in at most 2,000 characters.' }),
  }),
  ids: { destinationLocationId: 'InventoryLocation', 'lines.productId': 'Product' },
  request: ({ destinationLocationId, lines, expectedArrivalAt, reference, notes }) => ({
    destinationLocationId,
    lines: lines.map(toStockLine),
    expectedArrivalAt,
    reference: reference ?? '',
    notes: notes ?? '',
  }),
  answers: { backorder: [InventoryBackorder, 'The new backorder.'] },
});

const backorderAgain = inFirstPage(
  ListInventoryBackorders,
  ({ id }: InventoryBackorderRecordJson) => id,
  () => ({}),
);

mutation('inventoryBackorderReschedule', UpdateInventoryBackorderEta, {
  description: 'Changes when an open backorder is expected.',
  input: (t) => ({
    backorderId: t.id({ required: true, description: 'The backorder.' }),
    expectedArrivalAt: t.field({
      type: 'DateTime',
      required: true,
      description: 'The moment at which the stock is expected: in the future.',
    }),
  }),
  ids: { backorderId: 'InventoryBackorder' },
  request: ({ backorderId, expectedArrivalAt }) => ({ backorderId, expectedArrivalAt }),
  answers: { backorder: [InventoryBackorder, 'The backorder as it is now.', backorderAgain] },
  lookUp: async ({ request: { backorderId, expectedArrivalAt }, context }) => {
    const { backorders = [] } = await context.upstream.call(ListInventoryBackorders, { status: 'open', page: 1, pageSize: 100 });
    const backorder = backorders.find(({ id }) => id === backorderId);
    return backorder && holds(backorder, { expectedArrivalAt }) ? { backorder } : undefined;
  },
});
