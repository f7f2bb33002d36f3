import type {
  OrderInventorySummaryRecordJson,
  OrderReservationRecordJson,
  OrderStockDemandRecordJson,
  PublicReservationStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/reservations_pb.ts';
import { Product } from '../catalog/catalog.ts';
import { wireEnum } from '../kit/enums.ts';
import { OWNER, type Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import { followOrderLine, Order, toOrderLine } from '../sales/orders.ts';
import { InventoryLocation } from './inventory.ts';

const OrderReservationStatus = wireEnum<PublicReservationStatusJson>()('OrderReservationStatus', {
  description: 'The stage of a reservation.',
  prefix: 'PUBLIC_RESERVATION_STATUS',
  members: {
    ACTIVE: 'The stock is set aside.',
    RELEASED: 'The stock is free again.',
    CONSUMED: 'The stock has gone to the customer.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const reservation = new RecordFields<OrderReservationRecordJson>('OrderReservationRecord');

export const OrderReservation = reservation.type('OrderReservation', {
  description: 'Stock that is set aside for a line of an order.',
  key: 'id',
  fields: (t) => ({
    order: reservation.requiredEdge(t, 'orderId', Order, 'The order.'),
    orderLine: t.field({
      ...toOrderLine,
      ...reservation.mark('orderLineId', 'The line of the order that it is for; null when it is gone.'),
      resolve: ({ orderId, orderLineId }, _args, context, info) => followOrderLine(orderId, orderLineId, context, info),
    }),
    product: reservation.requiredEdge(t, 'productId', Product, 'The product.'),
    location: reservation.requiredEdge(t, 'locationId', InventoryLocation, 'The location where the stock is.'),
    quantity: reservation.pieces(t, 'quantity', 'The number of pieces.'),
    ...reservation.word(t, 'status', OrderReservationStatus, 'The stage of the reservation: active, released or consumed.'),
    createdAt: reservation.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: reservation.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});

const demand = new RecordFields<OrderStockDemandRecordJson & Part>('OrderStockDemandRecord');

export const OrderStockDemand = demand.type('OrderStockDemand', {
  description: 'The stock that a line of an order takes.',
  key: [OWNER, 'orderLineId'],
  fields: (t) => ({
    orderLine: t.field({
      ...toOrderLine,
      ...demand.mark('orderLineId', 'The line; null when it is gone.'),
      resolve: ({ [OWNER]: orderId, orderLineId }, _args, context, info) => followOrderLine(orderId, orderLineId, context, info),
    }),
    product: demand.requiredEdge(t, 'productId', Product, 'The product.'),
    ordered: demand.pieces(t, 'ordered', 'Pieces that were ordered.'),
    reserved: demand.pieces(t, 'reserved', 'Pieces that are set aside for it.'),
    consumed: demand.pieces(t, 'consumed', 'Pieces that have gone to the customer.'),
    outstanding: demand.pieces(t, 'outstanding', 'Pieces still to be reserved or delivered.'),
    available: demand.pieces(t, 'available', 'Pieces that are free to take, over all locations.'),
  }),
});

const summary = new RecordFields<OrderInventorySummaryRecordJson>('OrderInventorySummaryRecord');

export const OrderInventorySummary = summary.type('OrderInventorySummary', {
  description: 'The stock that an order takes, over all its lines.',
  fields: (t) => ({
    ordered: summary.pieces(t, 'ordered', 'Pieces that were ordered.'),
    reserved: summary.pieces(t, 'reserved', 'Pieces that are set aside for it.'),
    consumed: summary.pieces(t, 'consumed', 'Pieces that have gone to the customer.'),
    returned: summary.pieces(t, 'returned', 'Consumed pieces that have come back.'),
    outstanding: summary.pieces(t, 'outstanding', 'Pieces still to be reserved or delivered.'),
  }),
});
