import type { PublicReservationStatusJson } from '../../upstream/contract/generated/publicapi/v1/reservations_pb.ts';
import type {
  OrderInventorySummaryRecord,
  OrderReservationRecord,
  OrderStockDemandRecord,
} from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import { wireEnum } from '../kit/enums.ts';
import { OWNER, type Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import { followOrderLine, Order, toOrderLine } from '../sales/orders.ts';
import { InventoryLocation } from './inventory.ts';

const OrderReservationStatus = wireEnum<PublicReservationStatusJson>()('OrderReservationStatus', {
  description: 'The status of a stock reservation.',
  prefix: 'PUBLIC_RESERVATION_STATUS',
  members: {
    ACTIVE: 'The stock is reserved.',
    RELEASED: 'The stock was released and is no longer reserved.',
    CONSUMED: 'The stock was delivered to the customer.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const reservation = new RecordFields<OrderReservationRecord>('OrderReservationRecord');

export const OrderReservation = reservation.type('OrderReservation', {
  description: 'Stock reserved for an order line.',
  key: 'id',
  fields: (t) => ({
    order: reservation.requiredEdge(t, 'orderId', Order, 'Order that the stock is reserved for.'),
    orderLine: t.field({
      ...toOrderLine,
      ...reservation.mark('orderLineId', 'Order line that the stock is reserved for. Null if the line no longer exists.'),
      resolve: ({ orderId, orderLineId }, _args, context, info) => followOrderLine(orderId, orderLineId, context, info),
    }),
    product: reservation.requiredEdge(t, 'productId', Product, 'Reserved product.'),
    location: reservation.requiredEdge(t, 'locationId', InventoryLocation, 'Location of the reserved stock.'),
    quantity: reservation.pieces(t, 'quantity', 'Number of units reserved.'),
    ...reservation.word(t, 'status', OrderReservationStatus, 'Status of the reservation: active, released or consumed.'),
    createdAt: reservation.dateTime(t, 'createdAt', 'When the reservation was created.'),
    updatedAt: reservation.dateTime(t, 'updatedAt', 'When the reservation was last updated.'),
  }),
});

const demand = new RecordFields<OrderStockDemandRecord & Part>('OrderStockDemandRecord');

export const OrderStockDemand = demand.type('OrderStockDemand', {
  description: 'Stock required by an order line, in units.',
  key: [OWNER, 'orderLineId'],
  fields: (t) => ({
    orderLine: t.field({
      ...toOrderLine,
      ...demand.mark('orderLineId', 'Order line that requires the stock. Null if the line no longer exists.'),
      resolve: ({ [OWNER]: orderId, orderLineId }, _args, context, info) => followOrderLine(orderId, orderLineId, context, info),
    }),
    product: demand.requiredEdge(t, 'productId', Product, 'Product of the order line.'),
    ordered: demand.pieces(t, 'ordered', 'Number of units ordered.'),
    reserved: demand.pieces(t, 'reserved', 'Number of units reserved for the line.'),
    consumed: demand.pieces(t, 'consumed', 'Number of units delivered to the customer.'),
    outstanding: demand.pieces(t, 'outstanding', 'Number of units still to be reserved or delivered.'),
    available: demand.pieces(t, 'available', 'Number of units available across all locations.'),
  }),
});

const summary = new RecordFields<OrderInventorySummaryRecord>('OrderInventorySummaryRecord');

export const OrderInventorySummary = summary.type('OrderInventorySummary', {
  description: 'Stock required by an order, totaled over its lines.',
  fields: (t) => ({
    ordered: summary.pieces(t, 'ordered', 'Number of units ordered.'),
    reserved: summary.pieces(t, 'reserved', 'Number of units reserved for the order.'),
    consumed: summary.pieces(t, 'consumed', 'Number of units delivered to the customer.'),
    returned: summary.pieces(t, 'returned', 'Number of delivered units that were returned.'),
    outstanding: summary.pieces(t, 'outstanding', 'Number of units still to be reserved or delivered.'),
  }),
});
