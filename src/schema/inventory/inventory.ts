import type { Blocker as BlockerShape } from '../../failures/failures.ts';
import { locationLoader } from '../../loaders/inventory.ts';
import { SearchInventoryLocations } from '../../upstream/contract/generated/operations.ts';
import type {
  InventoryBalanceRecord,
  InventoryLocationRecord,
  InventoryMovementRecord,
} from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { Blocker } from '../kit/blockers.ts';
import { builder } from '../kit/builder.ts';
import { follow } from '../kit/edges.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { toQuantity } from '../kit/recordMembers.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const InventoryLocationKind = defineWireEnum('InventoryLocationKind', 'PublicInventoryLocationKind', {
  description: 'The kind of an inventory location.',
  members: {
    WAREHOUSE: 'A building that holds stock.',
    VEHICLE: 'A van or another vehicle that holds stock.',
    VIRTUAL: 'Not a physical place. Holds no stock.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

export const InventoryMovementKind = defineWireEnum('InventoryMovementKind', 'PublicInventoryMovementKind', {
  description: 'The kind of stock movement: why the stock changed.',
  members: {
    RECEIPT: 'Delivered stock was added.',
    ADJUSTMENT: 'The stock level was corrected.',
    MOVE: 'Stock was moved to or from another location in a single step.',
    TRANSFER: 'Stock was sent to another location, or arrived from one.',
    CONSUMPTION: 'Stock was delivered to a customer.',
    RETURN: 'Stock was returned by a customer.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

export const InventoryLocation: Entity<InventoryLocationRecord> = defineEntity('InventoryLocation', {
  record: 'InventoryLocationRecord',
  description: 'A location for stock, such as a warehouse or van. Lookups search the first 1,000 locations of the workspace.',
  operation: SearchInventoryLocations,
  loader: locationLoader,
  key: 'id',
  root: 'Looks up an inventory location by ID. Null if it doesn’t exist. Fails with `NOT_FOUND` if the workspace has more than 1,000 locations and it isn’t among the first 1,000.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the location.'),
    code: f.string('code', 'Short human-readable code of the location.'),
    ...f.enumWithText('kind', InventoryLocationKind, 'Kind of location.'),
    isActive: f.boolean('isActive', 'Whether the location is in use.'),
  }),
});

/** Marks a balance without a known `inbound`. A symbol, because the upstream didn't return it. */
export const INBOUND_UNKNOWN = Symbol('inbound unknown');

/** A balance. After an adjustment, the upstream returns it without `inbound`. */
interface BalanceShape extends InventoryBalanceRecord {
  readonly [INBOUND_UNKNOWN]?: boolean;
}

export const InventoryBalance = defineRecordType<BalanceShape>('InventoryBalance', {
  record: 'InventoryBalanceRecord',
  description: 'The stock of a product at a location, in units.',
  key: ['productId', 'locationId'],
  fields: (f) => ({
    product: f.requiredEdge('productId', Product, 'Product in stock.'),
    location: f.requiredEdge('locationId', InventoryLocation, 'Location of the stock.'),
    onHand: f.quantity('onHand', 'Number of units on hand at the location.'),
    available: f.quantity('available', 'Number of units on hand that aren’t reserved.'),
    reserved: f.quantity('reserved', 'Number of units on hand that are reserved for orders.'),
  }),
});

export const InventoryMovement = defineRecordType<InventoryMovementRecord>('InventoryMovement', {
  record: 'InventoryMovementRecord',
  description: 'A change to the stock of a product at a location.',
  key: 'id',
  fields: (f) => ({
    operationId: f.id('operationId', 'ID shared by all movements that were made in the same operation.'),
    ...f.enumWithText('kind', InventoryMovementKind, 'Kind of movement.'),
    product: f.requiredEdge('productId', Product, 'Product whose stock changed.'),
    location: f.requiredEdge('locationId', InventoryLocation, 'Location whose stock changed.'),
    quantityDelta: f.quantity('quantityDelta', 'Change in units. Positive if stock was added, negative if it was removed.'),
    reason: f.string('reason', 'Reason entered by the person who made the change.'),
    reference: f.string('reference', 'Human-readable reference of the change.'),
    order: f.edge('orderId', Order, 'Order that the stock was moved for. Null if it wasn’t moved for an order.'),
    occurredAt: f.dateTime('occurredAt', 'When the stock changed.'),
  }),
});

/** A condition that blocks a change of stock. Quantities are 64-bit integers. */
export interface StockBlocker extends BlockerShape {
  readonly productId?: string;
  readonly locationId?: string;
  readonly availableQuantity?: string;
  readonly requiredQuantity?: string;
}

const toOptionalQuantity = (quantity: string | undefined) => (quantity === undefined ? null : toQuantity(quantity));

builder.objectFields(Blocker, (t) => ({
  product: t.field({
    type: Product.ref,
    description: 'Product that lacks stock. Null unless the code is `INSUFFICIENT_STOCK`.',
    resolve: ({ productId }: StockBlocker, _args, context, info) => follow(Product, productId, context, info),
  }),
  location: t.field({
    type: InventoryLocation.ref,
    description: 'Location that lacks stock. Null unless the code is `INSUFFICIENT_STOCK`.',
    resolve: ({ locationId }: StockBlocker, _args, context, info) => follow(InventoryLocation, locationId, context, info),
  }),
  availableQuantity: t.int({
    description: 'Number of available units. Null unless the code is `INSUFFICIENT_STOCK`.',
    resolve: ({ availableQuantity }: StockBlocker) => toOptionalQuantity(availableQuantity),
  }),
  requiredQuantity: t.int({
    description: 'Number of available units that the mutation requires. Null unless the code is `INSUFFICIENT_STOCK`.',
    resolve: ({ requiredQuantity }: StockBlocker) => toOptionalQuantity(requiredQuantity),
  }),
}));
