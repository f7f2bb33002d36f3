import type {
  OrderInventorySummaryRecord,
  OrderReservationRecord,
  OrderStockDemandRecord,
} from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { OWNER, type OwnedPart } from '../kit/parts.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { followOrderLine, ORDER_LINE_EDGE, Order } from '../sales/orders.ts';
import { InventoryLocation } from './inventory.ts';

const OrderReservationStatus = defineWireEnum('OrderReservationStatus', 'PublicReservationStatus', {
  description: 'The status of a stock reservation.',
  members: {
    ACTIVE: 'The stock is reserved.',
    RELEASED: 'The stock was released and is no longer reserved.',
    CONSUMED: 'The stock was delivered to the customer.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const OrderReservation = defineRecordType<OrderReservationRecord>('OrderReservation', {
  record: 'OrderReservationRecord',
  description: 'Stock reserved for an order line.',
  key: 'id',
  fields: (f, t) => ({
    order: f.requiredEdge('orderId', Order, 'Order that the stock is reserved for.'),
    orderLine: t.field({
      ...ORDER_LINE_EDGE,
      ...f.annotate('orderLineId', 'Order line that the stock is reserved for. Null if the line no longer exists.'),
      resolve: ({ orderId, orderLineId }, _args, context, info) => followOrderLine(orderId, orderLineId, context, info),
    }),
    product: f.requiredEdge('productId', Product, 'Reserved product.'),
    location: f.requiredEdge('locationId', InventoryLocation, 'Location of the reserved stock.'),
    quantity: f.quantity('quantity', 'Number of units reserved.'),
    ...f.enumWithText('status', OrderReservationStatus, 'Status of the reservation: active, released or consumed.'),
    createdAt: f.dateTime('createdAt', 'When the reservation was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the reservation was last updated.'),
  }),
});

export const OrderStockDemand = defineRecordType<OrderStockDemandRecord & OwnedPart>('OrderStockDemand', {
  record: 'OrderStockDemandRecord',
  description: 'Stock required by an order line, in units.',
  key: [OWNER, 'orderLineId'],
  fields: (f, t) => ({
    orderLine: t.field({
      ...ORDER_LINE_EDGE,
      ...f.annotate('orderLineId', 'Order line that requires the stock. Null if the line no longer exists.'),
      resolve: ({ [OWNER]: orderId, orderLineId }, _args, context, info) => followOrderLine(orderId, orderLineId, context, info),
    }),
    product: f.requiredEdge('productId', Product, 'Product of the order line.'),
    ordered: f.quantity('ordered', 'Number of units ordered.'),
    reserved: f.quantity('reserved', 'Number of units reserved for the line.'),
    consumed: f.quantity('consumed', 'Number of units delivered to the customer.'),
    outstanding: f.quantity('outstanding', 'Number of units still to be reserved or delivered.'),
    available: f.quantity('available', 'Number of units available across all locations.'),
  }),
});

export const OrderInventorySummary = defineRecordType<OrderInventorySummaryRecord>('OrderInventorySummary', {
  record: 'OrderInventorySummaryRecord',
  description: 'Stock required by an order, totaled over its lines.',
  fields: (f) => ({
    ordered: f.quantity('ordered', 'Number of units ordered.'),
    reserved: f.quantity('reserved', 'Number of units reserved for the order.'),
    consumed: f.quantity('consumed', 'Number of units delivered to the customer.'),
    returned: f.quantity('returned', 'Number of delivered units that were returned.'),
    outstanding: f.quantity('outstanding', 'Number of units still to be reserved or delivered.'),
  }),
});
