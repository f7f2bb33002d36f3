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
import { type Binder, group, inputOf } from '../../schema/kit/inputs.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { toPieces } from '../../schema/kit/records.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  AdjustInventory,
  CreateInventoryLocation,
  ListInventoryBalances,
  ListInventoryMovements,
  MoveInventory,
  SearchInventoryLocations,
} from '../../upstream/contract/generated/operations.ts';
import type { InventoryBalanceRecordJson } from '../../upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { amongFirst } from '../kit/payloads.ts';

const balanceIdentity = ({ productId, locationId }: InventoryBalanceRecordJson) => `${productId} ${locationId}`;

const whereFields = (f: Binder<typeof messages.ListInventoryBalancesRequest | typeof messages.ListInventoryMovementsRequest>) => ({
  productId: f.productId('Only of this product.'),
  locationId: f.locationId('Only at this location.'),
});

const BalanceFilter = filterOf(ListInventoryBalances, InventoryBalance, whereFields);
const balances = { node: InventoryBalance, filter: BalanceFilter };

const MovementFilter = filterOf(ListInventoryMovements, InventoryMovement, (f) => ({
  ...whereFields(f),
  operationId: f.operationId('Only those that were made together, as `operationId` of each says.', { as: 'ID' }),
  kind: f.kind('Only those of this kind.', InventoryMovementKind),
}));
const movements = { order: 'Newest first.', node: InventoryMovement, filter: MovementFilter };

/** The options of a payload's field that lists the movements of its operation, when it is asked for. */
export const movementsOf = (description: string) =>
  list(ListInventoryMovements, {
    description: `${description} Their cursors go on in \`inventoryMovements(filter: { operationId })\`.`,
    node: InventoryMovement,
    request: (_request, { operationId }: { operationId: string }) => MovementFilter.toRequest({ operationId }),
  });

builder.queryFields((t) => ({
  inventoryLocations: t.field(
    list(SearchInventoryLocations, {
      description: 'Places for stock, found by text or all of them.',
      node: InventoryLocation,
      query: 'Text to find in names and codes.',
    }),
  ),

  inventoryBalances: t.field(list(ListInventoryBalances, { ...balances, description: 'The stock of each product at each location.' })),

  inventoryMovements: t.field(list(ListInventoryMovements, { ...movements, description: 'Changes of stock.' })),
}));

builder.objectFields(InventoryLocation.ref, (t) => ({
  balances: t.field(
    list(ListInventoryBalances, { ...balances, on: InventoryLocation, description: 'The stock of each product at this location.' }),
  ),

  movements: t.field(
    list(ListInventoryMovements, { ...movements, on: InventoryLocation, description: 'Changes of the stock that is here.' }),
  ),
}));

builder.objectFields(Product.ref, (t) => ({
  inventoryBalances: t.field(
    list(ListInventoryBalances, { ...balances, on: Product, description: 'The stock of this product at each location.' }),
  ),

  inventoryMovements: t.field(list(ListInventoryMovements, { ...movements, on: Product, description: 'Changes of its stock.' })),
}));

builder.objectField(InventoryBalance, 'inbound', (t) =>
  t.field({
    type: 'Int',
    description: 'Pieces on their way there: backorders and transfers that have not arrived.',
    extensions: NULL_ONLY_WITH_ERROR,
    resolve: async ({ productId = '', locationId = '', inbound, [INBOUND_UNKNOWN]: isUnknown }, _args, { upstream }) => {
      if (!isUnknown) return toPieces(inbound);
      const { balances } = await upstream.call(ListInventoryBalances, { productId, locationId, page: 1, pageSize: 1 });
      return toPieces(balances?.at(0)?.inbound);
    },
  }),
);

mutation('inventoryLocationCreate', CreateInventoryLocation, {
  description: 'Makes a place for stock.',
  input: (f) => ({
    name: f.name('The name of the location.'),
    code: f.code('A short name that people refer to it by.'),
    kind: f.kind('The kind of the location.', InventoryLocationKind, { required: true }),
  }),
  returns: { location: 'The new location.' },
});

mutation('inventoryAdjust', AdjustInventory, {
  description: 'Corrects the stock of a product at a location.',
  input: (f) => ({
    productId: f.productId('The product.'),
    locationId: f.locationId('The location.'),
    reason: f.reason('The reason.'),
    change: group(
      'InventoryChangeInput',
      'The correction.',
      { description: 'A correction of stock: exactly one of these.', isOneOf: true, required: true },
      {
        quantityDelta: f.quantityDelta('Pieces to add; negative to take away.', { as: 'Int' }),
        targetAvailable: f.targetAvailable('Pieces that are to be free to take. Reserved pieces stay reserved and come on top.', {
          as: 'Int',
        }),
      },
    ),
  }),
  // Figures of a balance that does not say of what are none.
  answer: ({ balance }) => ({ balance: balance?.productId ? balance : undefined }),
  payload: (t) => ({
    balance: t.field({
      type: InventoryBalance,
      nullable: false,
      description: 'The stock right after the correction.',
      // For what is inbound, below.
      extensions: { calls: ListInventoryBalances },
      // The upstream does not work out what is inbound for this answer. A replayed one may be out of date.
      resolve: async ({ balance, road }, _args, context) => {
        if (road !== 'REPLAYED') return { ...balance, [INBOUND_UNKNOWN]: true };
        const { productId = '', locationId = '' } = balance;
        const [now] = await amongFirst([balance], ListInventoryBalances, { productId, locationId }, balanceIdentity, context);
        return now === balance || !now ? { ...balance, [INBOUND_UNKNOWN]: true } : now;
      },
    }),
  }),
});

const InventoryMoveLineInput = inputOf(
  messages.MoveInventoryLineInput,
  'Stock to move.',
  (f) => ({
    productId: f.productId('The product.'),
    sourceLocationId: f.sourceLocationId('The location where it is.'),
    quantity: f.quantity('The number of pieces.', { as: 'Int' }),
  }),
  'InventoryMoveLineInput',
);

mutation('inventoryMove', MoveInventory, {
  description: 'Moves stock to a location at once: all lines, or none.',
  input: (f) => ({
    destinationLocationId: f.destinationLocationId('The location that it goes to.'),
    lines: f.lines('The stock to move.', InventoryMoveLineInput),
    reference: f.reference('A reference.'),
    notes: f.notes('Notes.'),
  }),
  answer: ({ operationId }) => ({ operationId: operationId || undefined }),
  payload: (t) => ({
    operationId: t.id({
      nullable: false,
      description: 'The operation of the movements of this move: for `inventoryMovements(filter:)`.',
      resolve: ({ operationId }) => operationId,
    }),
    movements: t.field(movementsOf('The movements of this move: two for each line.')),
  }),
});
