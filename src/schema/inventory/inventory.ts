import { locationLoader } from '../../loaders/inventory.ts';
import { SearchInventoryLocations } from '../../upstream/contract/generated/operations.ts';
import type {
  PublicInventoryLocationKindJson,
  PublicInventoryMovementKindJson,
} from '../../upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import type {
  InventoryBalanceRecord,
  InventoryLocationRecord,
  InventoryMovementRecord,
} from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const InventoryLocationKind = wireEnum<PublicInventoryLocationKindJson>()('InventoryLocationKind', {
  description: 'The kind of an inventory location.',
  prefix: 'PUBLIC_INVENTORY_LOCATION_KIND',
  members: {
    WAREHOUSE: 'A building that holds stock.',
    VEHICLE: 'A van or another vehicle that holds stock.',
    VIRTUAL: 'Not a physical place. Holds no stock.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

export const InventoryMovementKind = wireEnum<PublicInventoryMovementKindJson>()('InventoryMovementKind', {
  description: 'The kind of stock movement: why the stock changed.',
  prefix: 'PUBLIC_INVENTORY_MOVEMENT_KIND',
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

const location = new RecordFields<InventoryLocationRecord>('InventoryLocationRecord');

export const InventoryLocation: Entity<InventoryLocationRecord> = entity('InventoryLocation', {
  record: location,
  description: 'A location for stock, such as a warehouse or van. Lookups search the first 1,000 locations of the workspace.',
  operation: SearchInventoryLocations,
  loader: locationLoader,
  key: 'id',
  root: 'Looks up an inventory location by ID. Null if it doesn’t exist. Fails with `NOT_FOUND` if the workspace has more than 1,000 locations and it isn’t among the first 1,000.',
  fields: (t) => ({
    name: location.requiredText(t, 'name', 'Name of the location.'),
    code: location.text(t, 'code', 'Short human-readable code of the location.'),
    ...location.word(t, 'kind', InventoryLocationKind, 'Kind of location.'),
    isActive: location.flag(t, 'isActive', 'Whether the location is in use.'),
  }),
});

/** Marks a balance whose `inbound` the upstream has not worked out. A symbol, since the upstream did not answer the mark. */
export const INBOUND_UNKNOWN = Symbol('inbound unknown');

/** A balance. That of a correction comes without what is on its way there. */
interface BalanceShape extends InventoryBalanceRecord {
  readonly [INBOUND_UNKNOWN]?: boolean;
}

const balance = new RecordFields<BalanceShape>('InventoryBalanceRecord');

export const InventoryBalance = balance.type('InventoryBalance', {
  description: 'The stock of a product at a location, in units.',
  key: ['productId', 'locationId'],
  fields: (t) => ({
    product: balance.requiredEdge(t, 'productId', Product, 'Product in stock.'),
    location: balance.requiredEdge(t, 'locationId', InventoryLocation, 'Location of the stock.'),
    onHand: balance.pieces(t, 'onHand', 'Number of units on hand at the location.'),
    available: balance.pieces(t, 'available', 'Number of units on hand that aren’t reserved.'),
    reserved: balance.pieces(t, 'reserved', 'Number of units on hand that are reserved for orders.'),
  }),
});

const movement = new RecordFields<InventoryMovementRecord>('InventoryMovementRecord');

export const InventoryMovement = movement.type('InventoryMovement', {
  description: 'A change to the stock of a product at a location.',
  key: 'id',
  fields: (t) => ({
    operationId: movement.id(t, 'operationId', 'ID shared by all movements that were made in the same operation.'),
    ...movement.word(t, 'kind', InventoryMovementKind, 'Kind of movement.'),
    product: movement.requiredEdge(t, 'productId', Product, 'Product whose stock changed.'),
    location: movement.requiredEdge(t, 'locationId', InventoryLocation, 'Location whose stock changed.'),
    quantityDelta: movement.pieces(t, 'quantityDelta', 'Change in units. Positive if stock was added, negative if it was removed.'),
    reason: movement.text(t, 'reason', 'Reason entered by the person who made the change.'),
    reference: movement.text(t, 'reference', 'Human-readable reference of the change.'),
    order: movement.edge(t, 'orderId', Order, 'Order that the stock was moved for. Null if there is none.'),
    occurredAt: movement.dateTime(t, 'occurredAt', 'When the stock changed.'),
  }),
});
