import { locationLoader } from '../../loaders/inventory.ts';
import { SearchInventoryLocations } from '../../upstream/contract/generated/operations.ts';
import type {
  InventoryBalanceRecordJson,
  InventoryLocationRecordJson,
  InventoryMovementRecordJson,
  PublicInventoryLocationKindJson,
  PublicInventoryMovementKindJson,
} from '../../upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { Product } from '../catalog/catalog.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from '../sales/orders.ts';

export const InventoryLocationKind = wireEnum<PublicInventoryLocationKindJson>()('InventoryLocationKind', {
  description: 'The kind of a location.',
  prefix: 'PUBLIC_INVENTORY_LOCATION_KIND',
  members: {
    WAREHOUSE: 'A building.',
    VEHICLE: 'A van or another vehicle.',
    VIRTUAL: 'No place at all: it holds no stock.',
    OTHER: 'A place of a kind that this graph does not know: see `kindText`.',
  },
});

export const InventoryMovementKind = wireEnum<PublicInventoryMovementKindJson>()('InventoryMovementKind', {
  description: 'The reason of a change of stock.',
  prefix: 'PUBLIC_INVENTORY_MOVEMENT_KIND',
  members: {
    RECEIPT: 'Stock was delivered.',
    ADJUSTMENT: 'The stock was corrected.',
    MOVE: 'Stock was moved to or from another location at once.',
    TRANSFER: 'Stock left for another location, or arrived there.',
    CONSUMPTION: 'Stock went to a customer.',
    RETURN: 'Stock came back from a customer.',
    OTHER: 'For a reason that this graph does not know: see `kindText`.',
  },
});

const location = new RecordFields<InventoryLocationRecordJson>('InventoryLocationRecord');

export const InventoryLocation: Entity<InventoryLocationRecordJson> = entity('InventoryLocation', {
  record: location,
  description: 'A place for stock. Read one by one from the list of locations, of which the first 1,000 are looked at.',
  operation: SearchInventoryLocations,
  loader: locationLoader,
  key: 'id',
  root: 'The location of this id; null when there is none among the first 1,000.',
  fields: (t) => ({
    name: location.requiredText(t, 'name', 'The name of the location.'),
    code: location.text(t, 'code', 'A short name that people refer to it by.'),
    ...location.word(t, 'kind', InventoryLocationKind, 'The kind of the location.'),
    isActive: location.flag(t, 'isActive', 'Whether it is in use.'),
  }),
});

/** Marks a balance whose `inbound` the upstream has not worked out. A symbol, since the upstream did not answer the mark. */
export const INBOUND_UNKNOWN = Symbol('inbound unknown');

/** A balance. That of a correction comes without what is on its way there. */
interface BalanceShape extends InventoryBalanceRecordJson {
  readonly [INBOUND_UNKNOWN]?: boolean;
}

const balance = new RecordFields<BalanceShape>('InventoryBalanceRecord');

export const InventoryBalance = balance.type('InventoryBalance', {
  description: 'The stock of a product at a location.',
  key: ['productId', 'locationId'],
  fields: (t) => ({
    product: balance.requiredEdge(t, 'productId', Product, 'The product.'),
    location: balance.requiredEdge(t, 'locationId', InventoryLocation, 'The location.'),
    onHand: balance.pieces(t, 'onHand', 'Pieces that are there.'),
    available: balance.pieces(t, 'available', 'Pieces on hand that are free to take.'),
    reserved: balance.pieces(t, 'reserved', 'Pieces on hand that are set aside for orders.'),
  }),
});

const movement = new RecordFields<InventoryMovementRecordJson>('InventoryMovementRecord');

export const InventoryMovement = movement.type('InventoryMovement', {
  description: 'A change of the stock of a product at a location.',
  key: 'id',
  fields: (t) => ({
    operationId: movement.id(
      t,
      'operationId',
      'The operation that the movement is part of: movements that were made together have the same.',
    ),
    ...movement.word(t, 'kind', InventoryMovementKind, 'The reason of the change.'),
    product: movement.requiredEdge(t, 'productId', Product, 'The product.'),
    location: movement.requiredEdge(t, 'locationId', InventoryLocation, 'The location.'),
    quantityDelta: movement.pieces(t, 'quantityDelta', 'Pieces that came; negative when they went.'),
    reason: movement.text(t, 'reason', 'The reason in the words of the person who made the change.'),
    reference: movement.text(t, 'reference', 'The reference that people know the change by.'),
    order: movement.edge(t, 'orderId', Order, 'The order that it was for; null when it was for none.'),
    occurredAt: movement.dateTime(t, 'occurredAt', 'The moment of the change.'),
  }),
});
