import { Product } from '../../schema/catalog/catalog.ts';
import {
  INBOUND_UNKNOWN,
  InventoryBalance,
  InventoryLocation,
  InventoryLocationKind,
  InventoryMovement,
  InventoryMovementKind,
} from '../../schema/inventory/inventory.ts';
import { builder } from '../../schema/kit/builder.ts';
import { type Binder, defineInput, group } from '../../schema/kit/inputs.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { toQuantity } from '../../schema/kit/recordMembers.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  AdjustInventory,
  CreateInventoryLocation,
  ListInventoryBalances,
  ListInventoryMovements,
  MoveInventory,
  SearchInventoryLocations,
} from '../../upstream/contract/generated/operations.ts';
import { declareFilter } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';
import { changedBalances, toStock } from './changedBalances.ts';
import { findSameLocations, findStockBlockers } from './stockBlockers.ts';

registerReread(
  InventoryBalance,
  readFirstPage(ListInventoryBalances, ({ productId, locationId }) => ({ productId, locationId })),
);

const bindStockFilterFields = (
  f: Binder<typeof messages.ListInventoryBalancesRequest | typeof messages.ListInventoryMovementsRequest>,
) => ({
  productId: f.productId('Only stock of this product.'),
  locationId: f.locationId('Only stock at this location.'),
});

const BalanceFilter = declareFilter(ListInventoryBalances, InventoryBalance, bindStockFilterFields);
const balances = { node: InventoryBalance, filter: BalanceFilter };

const MovementFilter = declareFilter(ListInventoryMovements, InventoryMovement, (f) => ({
  ...bindStockFilterFields(f),
  operationId: f.operationId('Only movements with this `operationId`.', { as: 'ID' }),
  kind: f.kind('Only movements of this kind.', InventoryMovementKind),
}));
const movements = { order: 'Newest first.', sortedBy: rankDescendingBy('occurredAt'), node: InventoryMovement, filter: MovementFilter };

/** Options of a payload field that lists the movements of the operation. They're only fetched if the field is selected. */
export const listMovements = (description: string) =>
  list(ListInventoryMovements, {
    description: `${description} To page through them, pass their cursors to \`inventoryMovements(filter: { operationId })\`.`,
    node: InventoryMovement,
    sortedBy: movements.sortedBy,
    request: (_request, { operationId }: { operationId: string }) => MovementFilter.toRequest({ operationId }),
  });

builder.queryFields((t) => ({
  inventoryLocations: t.field(
    list(SearchInventoryLocations, {
      description: 'Lists or searches inventory locations.',
      node: InventoryLocation,
      query: 'Text to search for in names and codes.',
    }),
  ),

  inventoryBalances: t.field(list(ListInventoryBalances, { ...balances, description: 'Stock per product and location.' })),

  inventoryMovements: t.field(list(ListInventoryMovements, { ...movements, description: 'Stock movements of the workspace.' })),
}));

builder.objectFields(InventoryLocation.ref, (t) => ({
  inventoryBalances: t.field(
    list(ListInventoryBalances, { ...balances, on: InventoryLocation, description: 'Stock per product at the location.' }),
  ),

  inventoryMovements: t.field(
    list(ListInventoryMovements, { ...movements, on: InventoryLocation, description: 'Stock movements at the location.' }),
  ),
}));

builder.objectFields(Product.ref, (t) => ({
  inventoryBalances: t.field(list(ListInventoryBalances, { ...balances, on: Product, description: 'Stock of the product per location.' })),

  inventoryMovements: t.field(list(ListInventoryMovements, { ...movements, on: Product, description: 'Stock movements of the product.' })),
}));

builder.objectField(InventoryBalance, 'inbound', (t) =>
  t.field({
    type: 'Int',
    description: 'Number of inbound units: backorders and transfers to the location that haven’t arrived.',
    extensions: NULL_ONLY_WITH_ERROR,
    resolve: async ({ productId, locationId, inbound, [INBOUND_UNKNOWN]: isUnknown }, _args, { upstream }) => {
      if (!isUnknown) return toQuantity(inbound);
      const { balances } = await upstream.call(ListInventoryBalances, { productId, locationId, page: 1, pageSize: 1 });
      return toQuantity(balances[0]?.inbound ?? '0');
    },
  }),
);

mutation('inventoryLocationCreate', CreateInventoryLocation, {
  description: 'Creates an inventory location.',
  input: (f) => ({
    name: f.name('Name of the location.'),
    code: f.code('Short human-readable code of the location.'),
    kind: f.kind('Kind of location.', InventoryLocationKind, { required: true }),
  }),
  returns: { location: 'The new location.' },
});

mutation('inventoryAdjust', AdjustInventory, {
  description: 'Corrects the stock level of a product at a location.',
  input: (f) => ({
    productId: f.productId('Product whose stock to correct.'),
    locationId: f.locationId('Location of the stock.'),
    reason: f.reason('Reason for the correction.'),
    change: group(
      'InventoryChangeInput',
      'Correction to apply.',
      { description: 'A stock correction, either relative or absolute. Specify exactly one field.', isOneOf: true, required: true },
      {
        quantityDelta: f.quantityDelta('Number of units to add. Negative to remove units.', { as: 'Int' }),
        targetAvailable: f.targetAvailable(
          'Number of available units after the correction. Reserved units stay reserved and aren’t included.',
          {
            as: 'Int',
          },
        ),
      },
    ),
  }),
  blockers: ({ productId, locationId, quantityDelta = '0' }, context) =>
    findStockBlockers(
      {
        products: [[productId, ['productId']]],
        locations: [[locationId, ['locationId']]],
        withdrawals: quantityDelta.startsWith('-')
          ? [{ productId, locationId, quantity: quantityDelta.slice(1), path: ['change', 'quantityDelta'] }]
          : [],
      },
      context,
    ),
  // The response lacks the inbound units, which a field of the balance reads.
  returns: { balance: { description: 'Stock after the correction.', calls: ListInventoryBalances } },
  payload: { resolve: ({ balance }) => ({ balance: balance?.productId ? { ...balance, [INBOUND_UNKNOWN]: true } : undefined }) },
});

const InventoryMoveLineInput = defineInput(
  messages.MoveInventoryLineInput,
  'A line of a move: a product, its source location, and the number of units.',
  (f) => ({
    productId: f.productId('Product to move.'),
    sourceLocationId: f.sourceLocationId('Location to take the stock from.'),
    quantity: f.quantity('Number of units to move.', { as: 'Int' }),
  }),
  'InventoryMoveLineInput',
);

mutation('inventoryMove', MoveInventory, {
  description: 'Moves stock to a location in a single step. Either all lines are moved or none.',
  input: (f) => ({
    destinationLocationId: f.destinationLocationId('Location to move the stock to.'),
    lines: f.lines('Lines of the move.', InventoryMoveLineInput),
    reference: f.reference('Human-readable reference of the move.'),
    notes: f.notes('Notes about the move.'),
  }),
  findIssues: ({ destinationLocationId, lines = [] }) =>
    findSameLocations(
      destinationLocationId,
      lines.map(({ sourceLocationId }, index) => [sourceLocationId, ['lines', String(index), 'sourceLocationId']]),
    ),
  blockers: ({ destinationLocationId, lines = [] }, context) =>
    findStockBlockers(
      {
        products: lines.map(({ productId }, index) => [productId, ['lines', String(index), 'productId']]),
        locations: [
          ...lines.map(({ sourceLocationId }, index) => [sourceLocationId, ['lines', String(index), 'sourceLocationId']] as const),
          [destinationLocationId, ['destinationLocationId']],
        ],
        withdrawals: lines.map(({ productId, sourceLocationId: locationId, quantity }, index) => ({
          productId,
          locationId,
          quantity,
          path: ['lines', String(index), 'quantity'],
        })),
      },
      context,
    ),
  payload: {
    resolve: ({ operationId }, { destinationLocationId, lines = [] }) => ({
      operationId: operationId || undefined,
      changedStock: [...lines.flatMap((line) => toStock([line], line.sourceLocationId)), ...toStock(lines, destinationLocationId)],
    }),
    countItems: ({ lines }) => ({ changedBalances: 2 * lines.length }),
    fields: (t) => ({
      operationId: t.id({
        nullable: false,
        description: 'The `operationId` of the movements of this move. Pass it to `inventoryMovements(filter:)`.',
        resolve: ({ operationId }) => operationId,
      }),
      movements: t.field(listMovements('Movements of this move, two per line.')),
      changedBalances: t.field(changedBalances(({ changedStock }) => changedStock)),
    }),
  },
});
