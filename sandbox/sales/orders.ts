import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelOrderRequest,
  Order,
  OrderLineRecordSchema,
  OrderRecordSchema,
  OrderRefundRecordSchema,
  PublicOrderStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { customerOf } from '../customers/customerRecords.ts';
import { releaseReservationsOf, reservedFor } from '../inventory/reservations.ts';
import type { Call } from '../kernel/call.ts';
import { blocked, invalid, stale } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { TimelineEntry } from '../kernel/timeline.ts';
import type { World } from '../kernel/world.ts';

export const orderTable = table('orders', OrderRecordSchema, {
  also: { workspace_id: 'TEXT' },
  constraints: ['UNIQUE (quote_id)'],
  indexes: { orders_by_customer: 'workspace_id, customer_id, created_at' },
});
const orderLineTable = table('order_lines', OrderLineRecordSchema, {
  also: { order_id: 'TEXT', position: 'INTEGER' },
  references: { order_id: orderTable },
  indexes: { order_lines_by_order: 'order_id, position' },
});
const orderRefundTable = table('order_refunds', OrderRefundRecordSchema, {
  also: { workspace_id: 'TEXT' },
  references: { order_id: orderTable },
});

type OrderRow = RowOf<typeof orderTable>;
type OrderLineRow = RowOf<typeof orderLineTable>;

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

/** The order with its lines. */
export const toOrder = ({ store }: Call, row: OrderRow): MessageInitShape<typeof OrderRecordSchema> => ({
  ...orderTable.read(row),
  lineItems: orderLineTable.list(store, { order_id: row.id }, 'position').map(orderLineTable.read),
});

/** The order, or a refusal when the workspace has none of that id. */
export const orderOf = (call: Call, id: string): OrderRow => orderTable.one(call, id, 'order');

/** Writes the order of a quote, as it is priced now. Belongs in the transaction that confirms the quote. Answers the order's number. */
export function placeOrder(world: World, quote: OrderedQuote, id: string, at: number): string {
  const reference = `O-${String(world.next(`order ${quote.workspace_id}`)).padStart(5, '0')}`;
  orderTable.insert(world.store, {
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
  const lines = world.store.all<Omit<OrderLineRow, 'id' | 'order_id'>>(
    `SELECT position, product_id, product_name, quantity, price_type, unit_price_minor, vat_rate, total_minor
     FROM quote_lines WHERE quote_id = :quoteId ORDER BY position`,
    { quoteId: quote.id },
  );
  for (const line of lines) orderLineTable.insert(world.store, { ...line, id: world.id(), order_id: id });
  return reference;
}

/** The entry of a customer's timeline about an order. */
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

/** Writes what was given back of an order. */
export function writeRefund(world: World, order: OrderRow, amount: number, at: number): MessageInitShape<typeof OrderRefundRecordSchema> {
  const row = {
    id: world.id(),
    workspace_id: order.workspace_id,
    order_id: order.id,
    amount_minor: amount,
    currency: order.currency,
    created_at: at,
  };
  orderRefundTable.insert(world.store, row);
  return orderRefundTable.read(row);
}

export const orders = domain(Order, {
  tables: [orderTable, orderLineTable, orderRefundTable],
  handlers: {
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
        orderTable.update(call.store, order.id, {
          status: PublicOrderStatus.CANCELLED,
          version: order.version + 1,
          refunded_minor: order.refunded_minor + (amount ?? 0),
          updated_at: call.now,
          cancelled_at: call.now,
          cancellation_reason: request.reason,
        });
        const refunded = amount === undefined ? undefined : writeRefund(call.world, order, amount, call.now);
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
  },
});
