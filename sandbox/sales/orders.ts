import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PublicPriceType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import {
  type CancelOrderRequest,
  Order,
  type OrderRecordSchema,
  type OrderRefundRecordSchema,
  PublicOrderStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { customerOf } from '../customers/customerRecords.ts';
import { releaseReservationsOf, reservedFor } from '../inventory/reservations.ts';
import type { Call, TimelineEntry } from '../kernel/call.ts';
import { blocked, invalid, notFound, stale } from '../kernel/errors.ts';
import { service } from '../kernel/service.ts';
import type { World } from '../kernel/world.ts';

export const orderTables = `
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, customer_id TEXT NOT NULL, quote_id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL,
    version INTEGER NOT NULL, reference_number TEXT NOT NULL, currency TEXT NOT NULL, total_once_minor INTEGER NOT NULL,
    total_monthly_minor INTEGER NOT NULL, total_yearly_minor INTEGER NOT NULL, paid_minor INTEGER NOT NULL,
    refunded_minor INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, cancelled_at INTEGER,
    cancellation_reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS orders_by_customer ON orders (workspace_id, customer_id, created_at);
  CREATE TABLE IF NOT EXISTS order_lines (
    id TEXT PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders (id), position INTEGER NOT NULL, product_id TEXT NOT NULL,
    product_name TEXT NOT NULL, quantity INTEGER NOT NULL, price_type INTEGER NOT NULL, unit_price_minor INTEGER NOT NULL,
    vat_rate REAL NOT NULL, total_minor INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS order_lines_by_order ON order_lines (order_id, position);
  CREATE TABLE IF NOT EXISTS order_refunds (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, order_id TEXT NOT NULL REFERENCES orders (id), amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
`;

/** One line of a quote or of an order. */
export interface LineRow {
  readonly id: string;
  readonly position: number;
  readonly product_id: string;
  readonly product_name: string;
  readonly quantity: number;
  readonly price_type: PublicPriceType;
  readonly unit_price_minor: number;
  readonly vat_rate: number;
  readonly total_minor: number;
}

interface OrderRow {
  readonly id: string;
  readonly customer_id: string;
  readonly quote_id: string;
  readonly status: PublicOrderStatus;
  readonly version: number;
  readonly reference_number: string;
  readonly currency: string;
  readonly total_once_minor: number;
  readonly total_monthly_minor: number;
  readonly total_yearly_minor: number;
  readonly paid_minor: number;
  readonly refunded_minor: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly cancelled_at: number | null;
  readonly cancellation_reason: string;
}

/** The quote's row, as far as its order repeats it. */
interface OrderedQuote {
  readonly id: string;
  readonly workspace_id: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly total_once_minor: number;
  readonly total_monthly_minor: number;
  readonly total_yearly_minor: number;
}

/** A line as the contract has it: the same for quotes and orders. */
export const toLine = (row: LineRow) => ({
  id: row.id,
  productId: row.product_id,
  productName: row.product_name,
  quantity: row.quantity,
  priceType: row.price_type,
  unitPriceMinor: BigInt(row.unit_price_minor),
  vatRate: row.vat_rate,
  totalMinor: BigInt(row.total_minor),
});

/** The order with its lines. */
export const toOrder = (call: Call, row: OrderRow): MessageInitShape<typeof OrderRecordSchema> => ({
  id: row.id,
  customerId: row.customer_id,
  quoteId: row.quote_id,
  status: row.status,
  version: BigInt(row.version),
  referenceNumber: row.reference_number,
  currency: row.currency,
  lineItems: call.store.all<LineRow>('SELECT * FROM order_lines WHERE order_id = :id ORDER BY position', { id: row.id }).map(toLine),
  totalOnceMinor: BigInt(row.total_once_minor),
  totalMonthlyMinor: BigInt(row.total_monthly_minor),
  totalYearlyMinor: BigInt(row.total_yearly_minor),
  paidMinor: BigInt(row.paid_minor),
  refundedMinor: BigInt(row.refunded_minor),
  createdAt: BigInt(row.created_at),
  updatedAt: BigInt(row.updated_at),
  ...(row.cancelled_at !== null && { cancelledAt: BigInt(row.cancelled_at) }),
  cancellationReason: row.cancellation_reason,
});

/** The order, or a refusal when the workspace has none of that id. */
export function orderOf(call: Call, id: string): OrderRow {
  const row = call.store.get<OrderRow>('SELECT * FROM orders WHERE workspace_id = :workspaceId AND id = :id', {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('order', id);
  return row;
}

/** Writes the order of a quote, as it is priced now. Belongs in the transaction that confirms the quote. Answers the order's number. */
export function placeOrder(world: World, quote: OrderedQuote, id: string, at: number): string {
  const reference = `O-${String(world.next(`order ${quote.workspace_id}`)).padStart(5, '0')}`;
  world.store.insert('orders', {
    id,
    workspace_id: quote.workspace_id,
    customer_id: quote.customer_id,
    quote_id: quote.id,
    status: PublicOrderStatus.OPEN,
    version: 1,
    reference_number: reference,
    currency: quote.currency,
    total_once_minor: quote.total_once_minor,
    total_monthly_minor: quote.total_monthly_minor,
    total_yearly_minor: quote.total_yearly_minor,
    paid_minor: 0,
    refunded_minor: 0,
    created_at: at,
    updated_at: at,
    cancelled_at: null,
    cancellation_reason: '',
  });
  const lines = world.store.all<LineRow>(
    `SELECT position, product_id, product_name, quantity, price_type, unit_price_minor, vat_rate, total_minor
     FROM quote_lines WHERE quote_id = :quoteId ORDER BY position`,
    { quoteId: quote.id },
  );
  for (const line of lines) world.store.insert('order_lines', { ...line, id: world.id(), order_id: id });
  return reference;
}

/** What a customer's timeline says about an order. */
export const orderEvent = (
  order: { readonly id: string; readonly quoteId: string; readonly reference: string },
  what: 'created' | 'cancelled',
): TimelineEntry => ({
  eventType: `order_${what}`,
  entityType: 'order',
  entityId: order.id,
  summary: `Order ${order.reference} was ${what}.`,
  audience: 'orders',
  transactionId: order.quoteId,
});

const refundableOf = (order: OrderRow) => order.paid_minor - order.refunded_minor;

/** Why the order cannot be cancelled; empty when it can. */
function blockersOf({ status, reference_number }: OrderRow): string[] {
  if (status === PublicOrderStatus.CANCELLED) return [`The order ${reference_number} is cancelled already.`];
  if (status === PublicOrderStatus.FULFILLED)
    return [`The order ${reference_number} is fulfilled: what was delivered cannot be cancelled.`];
  return [];
}

/** The amount to give back, or undefined when none is asked for. */
function refundWanted(request: CancelOrderRequest, order: OrderRow): number | undefined {
  const { refundAmountMinor, refundRequestId } = request;
  if (refundAmountMinor === undefined) {
    if (refundRequestId !== undefined) throw invalid('refund_request_id must come with refund_amount_minor, but there is no amount.');
    return undefined;
  }
  if (refundRequestId === undefined) throw invalid('refund_amount_minor must come with a refund_request_id, but there is none.');
  const most = refundableOf(order);
  if (refundAmountMinor > most) {
    throw blocked(`At most ${most} of the order ${order.reference_number} can be given back, but ${refundAmountMinor} is asked for.`);
  }
  return Number(refundAmountMinor);
}

function refund(call: Call, order: OrderRow, amount: number): MessageInitShape<typeof OrderRefundRecordSchema> {
  const id = call.id();
  const row = { id, workspace_id: call.workspaceId, order_id: order.id, amount_minor: amount, currency: order.currency };
  call.store.insert('order_refunds', { ...row, created_at: call.now });
  return { id, orderId: order.id, amountMinor: BigInt(amount), currency: order.currency, createdAt: BigInt(call.now) };
}

export const orders = service(Order, {
  getOrder: {
    permission: 'orders:read',
    run: ({ id }, call) => ({ order: toOrder(call, orderOf(call, id)) }),
  },

  listOrders: {
    permission: 'orders:read',
    run: (request, call) => {
      customerOf(call, request.customerId);
      const { rows, ...page } = call.page<OrderRow>(
        request,
        `SELECT * FROM orders
         WHERE workspace_id = :workspaceId AND customer_id = :customerId AND (:status = 0 OR status = :status)
         ORDER BY created_at DESC, rowid DESC`,
        { workspaceId: call.workspaceId, customerId: request.customerId, status: request.status },
      );
      return { orders: rows.map((row) => toOrder(call, row)), ...page };
    },
  },

  getOrderCancellationImpact: {
    permission: 'orders:read',
    run: ({ orderId }, call) => {
      const order = orderOf(call, orderId);
      const blockers = blockersOf(order);
      const canCancel = blockers.length === 0;
      return {
        impact: {
          orderId,
          canCancel,
          blockers,
          currency: order.currency,
          paidMinor: BigInt(order.paid_minor),
          // Ours: a cancellation that cannot happen has no impact, and what a plan still collects is the unpaid part of the one-off total.
          refundableMinor: BigInt(canCancel ? refundableOf(order) : 0),
          cancelledPlanMinor: BigInt(canCancel ? Math.max(0, order.total_once_minor - order.paid_minor) : 0),
          releasedQuantity: canCancel ? reservedFor(call, orderId) : 0n,
        },
      };
    },
  },

  cancelOrder: {
    permission: 'orders:write',
    run: (request, call) => {
      const order = orderOf(call, request.id);
      if (request.expectedVersion !== BigInt(order.version)) throw stale(request.expectedVersion, order.version);
      const [blocker] = blockersOf(order);
      if (blocker !== undefined) throw blocked(blocker);
      const amount = refundWanted(request, order);
      call.store.run(
        `UPDATE orders SET status = :status, version = version + 1, refunded_minor = refunded_minor + :amount, updated_at = :now,
           cancelled_at = :now, cancellation_reason = :reason WHERE id = :id`,
        { id: order.id, status: PublicOrderStatus.CANCELLED, amount: amount ?? 0, now: call.now, reason: request.reason },
      );
      const refunded = amount === undefined ? undefined : refund(call, order, amount);
      releaseReservationsOf(call, order.id);
      const event = orderEvent({ id: order.id, quoteId: order.quote_id, reference: order.reference_number }, 'cancelled');
      call.timeline(order.customer_id, event);
      return { order: toOrder(call, orderOf(call, order.id)), ...(refunded && { refund: refunded }) };
    },
    // The product's other parts may have changed the order since; a refund, once made, stays as it is.
    replay: ({ order, refund: refunded }, call) => ({
      order: toOrder(call, orderOf(call, order?.id ?? '')),
      ...(refunded && { refund: refunded }),
    }),
  },
});
