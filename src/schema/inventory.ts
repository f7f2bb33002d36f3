import { SearchInventoryLocations } from '../upstream/generated/operations.ts';
import type {
  InventoryBalanceRecordJson,
  InventoryLocationRecordJson,
  InventoryMovementRecordJson,
  PublicInventoryLocationKindJson,
  PublicInventoryMovementKindJson,
} from '../upstream/generated/publicapi/v1/inventory_pb.ts';
import { Product } from './catalog.ts';
import { type Entity, entity, follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { Order } from './orders.ts';
import { RecordFields } from './records.ts';

export const InventoryLocationKind = wireEnum<PublicInventoryLocationKindJson>()('InventoryLocationKind', {
  description: 'What a place for stock is.',
  prefix: 'PUBLIC_INVENTORY_LOCATION_KIND',
  members: {
    WAREHOUSE: 'A building.',
    VEHICLE: 'A van or another vehicle.',
    VIRTUAL: 'No place at all: it holds no stock.',
    OTHER: 'A place of a kind that this graph does not know: see `kindText`.',
  },
});

export const InventoryMovementKind = wireEnum<PublicInventoryMovementKindJson>()('InventoryMovementKind', {
  description: 'Why stock changed.',
  prefix: 'PUBLIC_INVENTORY_MOVEMENT_KIND',
  members: {
    RECEIPT: 'It was delivered.',
    ADJUSTMENT: 'It was corrected.',
    MOVE: 'It was moved at once.',
    TRANSFER: 'It left for another location, or arrived there.',
    CONSUMPTION: 'It went to a customer.',
    RETURN: 'It came back from a customer.',
    OTHER: 'For a reason that this graph does not know: see `kindText`.',
  },
});

const location = new RecordFields<InventoryLocationRecordJson>('InventoryLocationRecord');

export const InventoryLocation: Entity<InventoryLocationRecordJson> = entity('InventoryLocation', {
  record: location,
  description: 'A place for stock. Read one by one from the list of locations, of which the first 1,000 are looked at.',
  operation: SearchInventoryLocations,
  loader: ({ loaders }) => loaders.locations,
  key: 'id',
  fields: (t) => ({
    name: location.text(t, 'name', 'What it is called.'),
    code: location.text(t, 'code', 'A short name that people refer to it by.'),
    ...location.word(t, 'kind', InventoryLocationKind, 'What it is.'),
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
  description: 'How much of a product is at a location.',
  key: ['productId', 'locationId'],
  fields: (t) => ({
    product: t.field({
      type: Product.ref,
      ...balance.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    location: t.field({
      type: InventoryLocation.ref,
      ...balance.mark('locationId', 'The location.'),
      resolve: ({ locationId }, _args, context, info) => follow(InventoryLocation, locationId, context, info),
    }),
    onHand: balance.pieces(t, 'onHand', 'How many pieces are there.'),
    available: balance.pieces(t, 'available', 'How many of those on hand are free to take.'),
    reserved: balance.pieces(t, 'reserved', 'How many of those on hand are set aside for orders.'),
  }),
});

const movement = new RecordFields<InventoryMovementRecordJson>('InventoryMovementRecord');

export const InventoryMovement = movement.type('InventoryMovement', {
  description: 'A change of the stock of a product at a location.',
  key: 'id',
  fields: (t) => ({
    operationId: movement.id(t, 'operationId', 'What it belongs to: all movements that were made together carry the same.'),
    ...movement.word(t, 'kind', InventoryMovementKind, 'Why the stock changed.'),
    product: t.field({
      type: Product.ref,
      ...movement.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    location: t.field({
      type: InventoryLocation.ref,
      ...movement.mark('locationId', 'The location.'),
      resolve: ({ locationId }, _args, context, info) => follow(InventoryLocation, locationId, context, info),
    }),
    quantityDelta: movement.pieces(t, 'quantityDelta', 'How many pieces came; negative when they went.'),
    reason: movement.text(t, 'reason', 'Why, in the words of whoever did it.'),
    reference: movement.text(t, 'reference', 'What people know it by.'),
    order: t.field({
      type: Order.ref,
      ...movement.mark('orderId', 'The order that it was for; null when it was for none.'),
      resolve: ({ orderId }, _args, context, info) => follow(Order, orderId, context, info),
    }),
    occurredAt: movement.dateTime(t, 'occurredAt', 'When it happened.'),
  }),
});
