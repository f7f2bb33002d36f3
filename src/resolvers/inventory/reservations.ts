import { readLargestPage } from '../../loaders/listScan.ts';
import { OrderInventorySummary, OrderReservation, OrderStockDemand } from '../../schema/inventory/reservations.ts';
import { builder, type ObjectFields } from '../../schema/kit/builder.ts';
import { OWNER, withOwner } from '../../schema/kit/parts.ts';
import { Order } from '../../schema/sales/orders.ts';
import {
  AllocateOrderStock,
  ConsumeReservation,
  CreateOrderReservation,
  GetOrderInventorySummary,
  ListInventoryMovements,
  ListOrderReservations,
  ListOrderStockDemand,
  ReleaseReservation,
  ReturnInventory,
} from '../../upstream/contract/generated/operations.ts';
import type { OrderReservationRecord } from '../../upstream/contract/generated/records.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { read } from '../kit/reads.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';
import { changedBalances, type Stock } from './changedBalances.ts';
import { listMovements } from './inventory.ts';
import { findStockBlockers } from './stockBlockers.ts';

registerReread(
  OrderReservation,
  readFirstPage(ListOrderReservations, ({ orderId }) => ({ orderId })),
);
registerReread(
  OrderStockDemand,
  readFirstPage(ListOrderStockDemand, ({ [OWNER]: orderId = '' }) => ({ orderId })),
);

builder.objectFields(Order.ref, (t) => ({
  inventorySummary: t.field(
    read(GetOrderInventorySummary, {
      description: 'Stock required by the order, totaled over its lines.',
      type: OrderInventorySummary,
      request: ({ id }: { readonly id: string }) => ({ orderId: id }),
      resolveValue: ({ summary }) => summary,
      extensions: { isServedByKey: true },
    }),
  ),

  reservations: t.field(
    list(ListOrderReservations, {
      description: 'Current and past stock reservations of the order.',
      on: Order,
      node: OrderReservation,
    }),
  ),

  stockDemand: t.field(
    list(ListOrderStockDemand, {
      description: 'Stock required per line. Excludes lines whose product isn’t stocked.',
      on: Order,
      node: OrderStockDemand,
    }),
  ),
}));

/** Description of the payload's order. */
const AFFECTED_ORDER = 'The order. Its `stockDemand` and `inventorySummary` have changed.';

/** Options of a mutation that changes the reserved stock of one product at one location. */
const CHANGED_STOCK = {
  payload: {
    resolve: ({ reservation }: { readonly reservation: OrderReservationRecord | undefined }) => ({
      changedStock: reservation ? [reservation] : [],
    }),
    countItems: () => ({ changedBalances: 1 }),
    fields: (t: ObjectFields<{ readonly changedStock: readonly Stock[] }>) => ({
      changedBalances: t.field(changedBalances(({ changedStock }) => changedStock)),
    }),
  },
};

mutation('orderStockAllocate', AllocateOrderStock, {
  description:
    'Reserves available stock for all lines of an order that still lack it. Returns the lines that remain short. If nothing is reserved, the effect is `UNCHANGED`.',
  input: (f) => ({
    orderId: f.orderId('Order to reserve stock for.'),
    locationId: f.locationId('Location to reserve stock at. By default, stock is taken from where the most is available.'),
  }),
  blockers: ({ locationId }, context) => findStockBlockers({ locations: [[locationId, ['locationId']]] }, context),
  returns: { reservations: 'The new reservations.', shortages: 'Demand of the lines that still lack stock.' },
  payload: {
    resolve: ({ reservations, shortages }, { orderId = '' }) => ({
      shortages: withOwner(orderId, shortages),
      changedStock: reservations,
    }),
    fields: (t) => ({ changedBalances: t.field(changedBalances(({ changedStock }) => changedStock)) }),
  },
  affects: { order: [Order, AFFECTED_ORDER, (_response, { orderId }) => orderId] },
  isUnchanged: ({ reservations }) => reservations.length === 0,
});

mutation('orderReservationCreate', CreateOrderReservation, {
  description: 'Reserves stock at a location for an order line.',
  input: (f) => ({
    orderId: f.orderId('Order to reserve stock for.'),
    orderLineId: f.orderLineId('Order line to reserve stock for.'),
    locationId: f.locationId('Location of the stock.'),
    quantity: f.quantity('Number of units to reserve.', { as: 'Int' }),
  }),
  blockers: async ({ orderId, orderLineId, locationId, quantity }, context) => {
    const { rows } = await readLargestPage(context.upstream, ListOrderStockDemand, { orderId: orderId ?? '' });
    const productId = rows.find((line) => line.orderLineId === orderLineId)?.productId;
    return findStockBlockers(
      {
        products: [[productId, ['orderLineId']]],
        locations: [[locationId, ['locationId']]],
        withdrawals: productId ? [{ productId, locationId, quantity, path: ['quantity'] }] : [],
      },
      context,
    );
  },
  returns: { reservation: 'The new reservation.' },
  ...CHANGED_STOCK,
  affects: { order: [Order, AFFECTED_ORDER, (_response, { orderId }) => orderId] },
});

mutation('orderReservationRelease', ReleaseReservation, {
  description: 'Releases a stock reservation, so that its stock is available again.',
  input: (f) => ({ reservationId: f.reservationId('Reservation to release.') }),
  returns: { reservation: 'The released reservation.' },
  ...CHANGED_STOCK,
  affects: { order: [Order, AFFECTED_ORDER, ({ reservation }) => reservation?.orderId] },
});

mutation('orderReservationConsume', ConsumeReservation, {
  description: 'Marks reserved stock as delivered to the customer, which removes it from stock.',
  input: (f) => ({ reservationId: f.reservationId('Reservation to consume.') }),
  returns: { reservation: 'The consumed reservation.' },
  ...CHANGED_STOCK,
  affects: { order: [Order, AFFECTED_ORDER, ({ reservation }) => reservation?.orderId] },
});

mutation('inventoryReturn', ReturnInventory, {
  description: 'Adds stock that a customer returned to a location.',
  input: (f) => ({
    orderId: f.orderId('Order that the stock was delivered for.'),
    orderLineId: f.orderLineId('Order line that the stock was delivered for.'),
    locationId: f.locationId('Location to add the stock to.'),
    quantity: f.quantity('Number of units returned.', { as: 'Int' }),
    reason: f.reason('Reason for the return.'),
  }),
  blockers: ({ locationId }, context) => findStockBlockers({ locations: [[locationId, ['locationId']]] }, context),
  payload: {
    resolve: ({ operationId }) => ({ operationId: operationId || undefined }),
    // Its movement is read first.
    countItems: () => ({ changedBalances: 2 }),
    fields: (t) => ({
      operationId: t.id({
        nullable: false,
        description: 'The `operationId` of the movements of this return. Pass it to `inventoryMovements(filter:)`.',
        resolve: ({ operationId }) => operationId,
      }),
      movements: t.field(listMovements('Movements of this return.')),
      changedBalances: t.field(
        changedBalances(
          async ({ operationId }, { upstream }) => (await readLargestPage(upstream, ListInventoryMovements, { operationId })).rows,
        ),
      ),
    }),
  },
  affects: { order: [Order, 'The order. Its `inventorySummary` has changed.', (_response, { orderId }) => orderId] },
});
