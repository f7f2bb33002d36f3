import type { MessageInitShape } from '@bufbuild/protobuf';
import { PublicProductType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import {
  Inventory,
  PublicInventoryLocationKind,
  PublicInventoryMovementKind,
} from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import {
  type AllocateOrderStockRequest,
  type CreateOrderReservationRequest,
  OrderReservationRecordSchema,
  type OrderStockDemandRecordSchema,
  PublicReservationStatus,
  type ReturnInventoryRequest,
} from '../../src/upstream/contract/generated/publicapi/v1/reservations_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, notFound } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import type { Wide } from '../kernel/store.ts';
import { missingOrDeniedError, type RowOf, table } from '../kernel/table.ts';
import type { TimelineEntry } from '../kernel/timeline.ts';
import { changeOnHand, changeReserved, requireStockLocation } from './stock.ts';

export const reservationTable = table('order_reservations', OrderReservationRecordSchema, {
  also: { workspace_id: 'TEXT' },
  wide: ['quantity'],
  indexes: { order_reservations_by_order: 'workspace_id, order_id, created_at', order_reservations_by_line: 'order_line_id, status' },
});

type ReservationRow = RowOf<typeof reservationTable>;

/** An order line for a stocked product. */
interface StockLine {
  readonly id: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly ordered: bigint;
  readonly reserved: bigint;
  readonly consumed: bigint;
  readonly returned: bigint;
  readonly available: bigint;
}

interface OrderRow {
  readonly id: string;
  readonly customer_id: string;
  readonly quote_id: string;
  readonly status: PublicOrderStatus;
  readonly reference_number: string;
}

const toReservation = reservationTable.read;

/** The quantity that has not been delivered yet. Returned stock counts as delivered, and isn't delivered again. */
const computeOutstanding = ({ ordered, reserved, consumed }: StockLine) => {
  const left = ordered - reserved - consumed;
  return left > 0n ? left : 0n;
};

const toDemand = (line: StockLine): MessageInitShape<typeof OrderStockDemandRecordSchema> => ({
  orderLineId: line.id,
  productId: line.product_id,
  ordered: line.ordered,
  reserved: line.reserved,
  consumed: line.consumed,
  outstanding: computeOutstanding(line),
  available: line.available,
});

const sumByStatusSql = (status: PublicReservationStatus) =>
  `coalesce((SELECT sum(quantity) FROM order_reservations WHERE order_line_id = line.id AND status = ${status}), 0)`;

/** Stock lines of an order. Excludes bundles and products with infinite stock, because they consume no stock. */
const STOCK_LINES = `
  SELECT line.id, line.product_id, line.product_name, line.quantity AS ordered,
    ${sumByStatusSql(PublicReservationStatus.ACTIVE)} AS reserved, ${sumByStatusSql(PublicReservationStatus.CONSUMED)} AS consumed,
    coalesce((SELECT sum(quantity_delta) FROM inventory_movements
              WHERE order_line_id = line.id AND kind = ${PublicInventoryMovementKind.RETURN}), 0) AS returned,
    coalesce((SELECT sum(balance.on_hand - balance.reserved) FROM inventory_balances balance
              WHERE balance.workspace_id = :workspaceId AND balance.product_id = line.product_id), 0) AS available
  FROM order_lines line JOIN products ON products.id = line.product_id
  WHERE line.order_id = :orderId AND products.type = ${PublicProductType.SIMPLE} AND products.has_infinite_stock = 0
  ORDER BY line.position`;

const STOCK_LINE_QUANTITIES = ['ordered', 'reserved', 'consumed', 'returned', 'available'] as const satisfies Wide<StockLine>;

const listStockLines = ({ store, workspaceId }: CallContext, orderId: string) =>
  store.all<StockLine>(STOCK_LINES, { workspaceId, orderId }, STOCK_LINE_QUANTITIES);

function getStockLine(call: CallContext, orderId: string, orderLineId: string): StockLine {
  const line = listStockLines(call, orderId).find(({ id }) => id === orderLineId);
  if (line) return line;
  if (call.store.get('SELECT 1 FROM order_lines WHERE order_id = :orderId AND id = :orderLineId', { orderId, orderLineId })) {
    throw failedPrecondition(`The product of order line ${orderLineId} isn’t stocked.`);
  }
  throw notFound('order line', orderLineId);
}

function getOrder(call: CallContext, id: string): OrderRow {
  const row = call.store.get<OrderRow>(
    'SELECT id, customer_id, quote_id, status, reference_number FROM orders WHERE workspace_id = :workspaceId AND id = :id',
    { workspaceId: call.workspaceId, id },
  );
  if (!row) throw missingOrDeniedError(call, { name: 'orders', noun: 'order', id });
  return row;
}

function requireOpenOrder(call: CallContext, id: string): void {
  const order = getOrder(call, id);
  if (order.status !== PublicOrderStatus.OPEN)
    throw failedPrecondition(`Stock can only be reserved for open orders, but order ${order.reference_number} isn’t open.`);
}

const getReservation = (call: CallContext, id: string): ReservationRow => reservationTable.getOrThrow(call, id, 'reservation');

function getActiveReservation(call: CallContext, id: string): ReservationRow {
  const row = getReservation(call, id);
  if (row.status !== PublicReservationStatus.ACTIVE)
    throw failedPrecondition(`Reservation ${id} isn’t active. It was already released or consumed.`);
  return row;
}

function setStatus(call: CallContext, id: string, status: PublicReservationStatus): void {
  reservationTable.update(call.store, id, { status, updated_at: call.now });
}

function reserve(call: CallContext, orderId: string, line: StockLine, locationId: string, quantity: bigint): ReservationRow {
  changeReserved(call, { productId: line.product_id, locationId }, quantity);
  const row: ReservationRow = {
    id: call.id(),
    workspace_id: call.workspaceId,
    order_id: orderId,
    order_line_id: line.id,
    product_id: line.product_id,
    location_id: locationId,
    quantity,
    status: PublicReservationStatus.ACTIVE,
    created_at: call.now,
    updated_at: call.now,
  };
  reservationTable.insert(call.store, row);
  return row;
}

function release(call: CallContext, { id, product_id, location_id, quantity }: ReservationRow): void {
  changeReserved(call, { productId: product_id, locationId: location_id }, -quantity);
  setStatus(call, id, PublicReservationStatus.RELEASED);
}

const listActive = ({ store, workspaceId }: CallContext, orderId: string) =>
  reservationTable.list(
    store,
    { workspace_id: workspaceId, order_id: orderId, status: PublicReservationStatus.ACTIVE },
    'created_at, rowid',
  );

const sumQuantities = (rows: readonly ReservationRow[]) => rows.reduce((sum, { quantity }) => sum + quantity, 0n);

/** The quantity that is currently reserved for an order. */
export const countReserved = (call: CallContext, orderId: string): bigint => sumQuantities(listActive(call, orderId));

/** Releases the reservations of an order. Returns the released quantity. */
export function releaseReservations(call: CallContext, orderId: string): bigint {
  const active = listActive(call, orderId);
  for (const row of active) release(call, row);
  return sumQuantities(active);
}

function createReservation(
  { orderId, orderLineId, locationId, quantity }: CreateOrderReservationRequest,
  call: CallContext,
): ReservationRow {
  requireOpenOrder(call, orderId);
  const line = getStockLine(call, orderId, orderLineId);
  requireStockLocation(call, locationId);
  const outstanding = computeOutstanding(line);
  if (quantity > outstanding)
    throw failedPrecondition(`Order line ${orderLineId} has ${outstanding} outstanding units, but ${quantity} were requested.`);
  return reserve(call, orderId, line, locationId, quantity);
}

/** Locations where a product is available, largest quantity first. An empty `locationId` selects all. */
const listLocationsWithStock = ({ store, workspaceId }: CallContext, productId: string, locationId: string) =>
  store.all<{ location_id: string; available: bigint }>(
    `SELECT location_id, on_hand - reserved AS available
     FROM inventory_balances balance JOIN inventory_locations location ON location.id = balance.location_id
     WHERE balance.workspace_id = :workspaceId AND product_id = :productId AND (:locationId = '' OR location_id = :locationId)
       AND on_hand > reserved AND location.is_active = 1 AND location.kind <> ${PublicInventoryLocationKind.VIRTUAL}
     ORDER BY available DESC, location_id`,
    { workspaceId, productId, locationId },
    ['available'],
  );

function allocate({ orderId, locationId }: AllocateOrderStockRequest, call: CallContext) {
  requireOpenOrder(call, orderId);
  if (locationId !== '') requireStockLocation(call, locationId);
  const made: ReservationRow[] = [];
  for (const line of listStockLines(call, orderId)) {
    let missing = computeOutstanding(line);
    for (const { location_id, available } of listLocationsWithStock(call, line.product_id, locationId)) {
      if (missing === 0n) break;
      const quantity = missing < available ? missing : available;
      made.push(reserve(call, orderId, line, location_id, quantity));
      missing -= quantity;
    }
  }
  const short = listStockLines(call, orderId).filter((line) => computeOutstanding(line) > 0n);
  return { reservations: made.map(toReservation), shortages: short.map(toDemand) };
}

/** The timeline event for stock that was delivered to a customer or returned. Its transaction is the order's quote. */
export const createStockEvent = (
  order: Pick<OrderRow, 'id' | 'quote_id' | 'reference_number'>,
  what: 'consumed' | 'returned',
  { quantity, product }: { readonly quantity: bigint; readonly product: string },
): TimelineEntry => ({
  eventType: `stock_${what}`,
  entityType: 'order',
  entityId: order.id,
  summary: `${quantity} × ${product} ${what === 'consumed' ? 'left the stock' : 'came back into stock'} for order ${order.reference_number}.`,
  audience: 'orders',
  transactionId: order.quote_id,
});

function consume(call: CallContext, { id, order_id, order_line_id, product_id, location_id, quantity }: ReservationRow): void {
  const place = { productId: product_id, locationId: location_id };
  changeReserved(call, place, -quantity);
  const kind = PublicInventoryMovementKind.CONSUMPTION;
  changeOnHand(call, { ...place, operationId: call.id(), kind, delta: -quantity, orderId: order_id, orderLineId: order_line_id });
  setStatus(call, id, PublicReservationStatus.CONSUMED);
  const order = getOrder(call, order_id);
  const { product_name: product } = getStockLine(call, order_id, order_line_id);
  call.timeline(order.customer_id, createStockEvent(order, 'consumed', { quantity, product }));
}

function returnInventory({ orderId, orderLineId, locationId, quantity, reason }: ReturnInventoryRequest, call: CallContext): string {
  const order = getOrder(call, orderId);
  const line = getStockLine(call, orderId, orderLineId);
  requireStockLocation(call, locationId);
  const returnable = line.consumed - line.returned;
  if (quantity > returnable)
    throw failedPrecondition(`At most ${returnable} units of order line ${orderLineId} can be returned, but ${quantity} were requested.`);
  const operationId = call.id();
  const kind = PublicInventoryMovementKind.RETURN;
  changeOnHand(call, { operationId, kind, productId: line.product_id, locationId, delta: quantity, reason, orderId, orderLineId });
  call.timeline(order.customer_id, createStockEvent(order, 'returned', { quantity, product: line.product_name }));
  return operationId;
}

function summarize(call: CallContext, orderId: string) {
  const lines = listStockLines(call, orderId);
  const total = (quantity: (line: StockLine) => bigint) => lines.reduce((sum, line) => sum + quantity(line), 0n);
  return {
    orderId,
    ordered: total(({ ordered }) => ordered),
    reserved: total(({ reserved }) => reserved),
    consumed: total(({ consumed }) => consumed),
    returned: total(({ returned }) => returned),
    outstanding: total(computeOutstanding),
  };
}

export const reservations = domain(Inventory, {
  tables: [reservationTable],
  handlers: {
    getOrderInventorySummary: {
      permission: 'inventoryAccess:READ_ONLY',
      run: ({ orderId }, call) => ({ summary: summarize(call, getOrder(call, orderId).id) }),
    },

    listOrderReservations: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { id } = getOrder(call, request.orderId);
        const { rows, ...page } = reservationTable.page(call, request, { order_id: id }, 'created_at, rowid');
        return { reservations: rows.map(toReservation), ...page };
      },
    },

    listOrderStockDemand: {
      permission: 'inventoryAccess:READ_ONLY',
      run: (request, call) => {
        const { id } = getOrder(call, request.orderId);
        const { rows, ...page } = call.page<StockLine>(
          request,
          STOCK_LINES,
          { workspaceId: call.workspaceId, orderId: id },
          STOCK_LINE_QUANTITIES,
        );
        return { demand: rows.map(toDemand), ...page };
      },
    },

    allocateOrderStock: { permission: 'inventoryAccess:READ_WRITE', run: allocate },

    createOrderReservation: {
      permission: 'inventoryAccess:READ_WRITE',
      run: (request, call) => ({ reservation: toReservation(createReservation(request, call)) }),
    },

    releaseReservation: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ reservationId }, call) => {
        release(call, getActiveReservation(call, reservationId));
        return { reservation: toReservation(getReservation(call, reservationId)) };
      },
    },

    consumeReservation: {
      permission: 'inventoryAccess:READ_WRITE',
      run: ({ reservationId }, call) => {
        consume(call, getActiveReservation(call, reservationId));
        return { reservation: toReservation(getReservation(call, reservationId)) };
      },
    },

    returnInventory: {
      permission: 'inventoryAccess:READ_WRITE',
      run: (request, call) => ({ operationId: returnInventory(request, call) }),
    },
  },
});
