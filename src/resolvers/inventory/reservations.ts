import { OrderInventorySummary, OrderReservation, OrderStockDemand } from '../../schema/inventory/reservations.ts';
import { builder } from '../../schema/kit/builder.ts';
import { ownedBy } from '../../schema/kit/parts.ts';
import { Order } from '../../schema/sales/orders.ts';
import {
  AllocateOrderStock,
  ConsumeReservation,
  CreateOrderReservation,
  GetOrderInventorySummary,
  ListOrderReservations,
  ListOrderStockDemand,
  ReleaseReservation,
  ReturnInventory,
} from '../../upstream/contract/generated/operations.ts';
import type {
  OrderReservationRecordJson,
  OrderStockDemandRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/reservations_pb.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { amongFirst, inFirstPage } from '../kit/payloads.ts';
import { read } from '../kit/reads.ts';
import { movementsOf } from './inventory.ts';

const reservationId = ({ id }: OrderReservationRecordJson) => id;
const reservationAgain = inFirstPage(ListOrderReservations, reservationId, ({ orderId = '' }) => ({ orderId }));
const lineIdOf = ({ orderLineId }: OrderStockDemandRecordJson) => orderLineId;

builder.objectFields(Order.ref, (t) => ({
  inventorySummary: t.field(
    read(GetOrderInventorySummary, {
      description: 'The stock that the order takes, over all its lines.',
      type: OrderInventorySummary,
      request: ({ id = '' }: { id?: string }) => ({ orderId: id }),
      answer: ({ summary }) => summary,
      extensions: { isServedByKey: true },
    }),
  ),

  reservations: t.field(
    list(ListOrderReservations, {
      description: 'The stock that is, or was, set aside for it.',
      on: Order,
      node: OrderReservation,
    }),
  ),

  stockDemand: t.field(
    list(ListOrderStockDemand, {
      description: 'The stock that each line takes. Lines whose product has no stock are left out.',
      on: Order,
      node: OrderStockDemand,
    }),
  ),
}));

/** The description of the order, where reservations lead to it. */
const ORDER_CHANGED = 'The order. Its `stockDemand` and `inventorySummary` have changed.';

mutation('orderStockAllocate', AllocateOrderStock, {
  description: 'Sets stock aside for all that an order still lacks, as far as there is some.',
  input: (f) => ({
    orderId: f.orderId('The order.'),
    locationId: f.locationId('Only stock of this location; where there is most when absent.'),
  }),
  answer: ({ reservations = [], shortages = [] }, { orderId = '' }) => ({ orderId, reservations, shortages }),
  payload: (t) => ({
    reservations: t.field({
      type: [OrderReservation],
      nullable: false,
      description: 'The new reservations.',
      resolve: ({ reservations, orderId, road }, _args, context) =>
        road === 'REPLAYED' ? amongFirst(reservations, ListOrderReservations, { orderId }, reservationId, context) : reservations,
    }),
    shortages: t.field({
      type: [OrderStockDemand],
      nullable: false,
      description: 'The lines that still lack stock.',
      resolve: async ({ shortages, orderId, road }, _args, context) => {
        const isOld = road === 'REPLAYED';
        return ownedBy(orderId, isOld ? await amongFirst(shortages, ListOrderStockDemand, { orderId }, lineIdOf, context) : shortages);
      },
    }),
  }),
  leadsTo: { order: [Order, ORDER_CHANGED, (_response, { orderId }) => orderId] },
});

mutation('orderReservationCreate', CreateOrderReservation, {
  description: 'Sets stock of one location aside for a line of an order.',
  input: (f) => ({
    orderId: f.orderId('The order.'),
    orderLineId: f.orderLineId('The line of the order.'),
    locationId: f.locationId('The location where the stock is.'),
    quantity: f.quantity('The number of pieces.', { as: 'Int' }),
  }),
  returns: { reservation: ['The new reservation.', reservationAgain] },
  leadsTo: { order: [Order, ORDER_CHANGED, (_response, { orderId }) => orderId] },
});

mutation('orderReservationRelease', ReleaseReservation, {
  description: 'Gives up a reservation: its stock is free again.',
  input: (f) => ({ reservationId: f.reservationId('The reservation.') }),
  returns: { reservation: ['The reservation as it is now.', reservationAgain] },
  leadsTo: { order: [Order, ORDER_CHANGED, ({ reservation }) => reservation?.orderId] },
});

mutation('orderReservationConsume', ConsumeReservation, {
  description: 'Takes the stock of a reservation: it has gone to the customer.',
  input: (f) => ({ reservationId: f.reservationId('The reservation.') }),
  returns: { reservation: ['The reservation as it is now.', reservationAgain] },
  leadsTo: { order: [Order, ORDER_CHANGED, ({ reservation }) => reservation?.orderId] },
});

mutation('inventoryReturn', ReturnInventory, {
  description: 'Puts stock that came back from a customer into a location.',
  input: (f) => ({
    orderId: f.orderId('The order.'),
    orderLineId: f.orderLineId('The line of the order.'),
    locationId: f.locationId('The location that it goes to.'),
    quantity: f.quantity('The number of pieces.', { as: 'Int' }),
    reason: f.reason('The reason.'),
  }),
  answer: ({ operationId }) => ({ operationId: operationId || undefined }),
  payload: (t) => ({
    operationId: t.id({
      nullable: false,
      description: 'The operation of the movements of this return: for `inventoryMovements(filter:)`.',
      resolve: ({ operationId }) => operationId,
    }),
    movements: t.field(movementsOf('The movements of this return.')),
  }),
  leadsTo: { order: [Order, 'The order. Its `inventorySummary` has changed.', (_response, { orderId }) => orderId] },
});
