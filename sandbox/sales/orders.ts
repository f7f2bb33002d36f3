import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelOrderRequest,
  Order,
  type OrderRecordSchema,
  PublicOrderStatus,
} from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import { countReserved, releaseReservations } from '../inventory/reservations.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import type { RowOf } from '../kernel/table.ts';
import type { TimelineEntry } from '../kernel/timeline.ts';
import type { World } from '../kernel/world.ts';
import { cancelInstallments, createRefund, getOrderMoney, listPayments, moneyTables, planInstallment, refundTable } from './moneyBook.ts';
import { getOrder, type OrderRow, orderLineTable, orderTable, requireVersion } from './orderTables.ts';

type OrderLineRow = RowOf<typeof orderLineTable>;

/** Columns of a quote that its order copies. */
interface OrderedQuote {
  readonly id: string;
  readonly workspace_id: string;
  readonly customer_id: string;
  readonly currency: string;
  readonly total_once_minor: number;
  readonly total_monthly_minor: number;
  readonly total_yearly_minor: number;
}

/** The order with its lines, and with its sums. */
export function toOrder({ store }: CallContext, row: OrderRow): MessageInitShape<typeof OrderRecordSchema> {
  const money = getOrderMoney(store, row.id);
  return {
    ...orderTable.read(row),
    lineItems: orderLineTable.list(store, { order_id: row.id }, 'position').map(orderLineTable.read),
    paidMinor: BigInt(money.paid_minor),
    refundedMinor: BigInt(money.refunded_minor),
  };
}

/** Creates the order of a quote at its current prices. Must run in the transaction that confirms the quote. Returns the order's number. */
export function placeOrder(world: World, quote: OrderedQuote, id: string, at: number): string {
  const reference = `O-${String(world.next(`order ${quote.workspace_id}`)).padStart(5, '0')}`;
  const order: OrderRow = {
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
    created_at: at,
    updated_at: at,
    cancelled_at: null,
    cancellation_reason: '',
  };
  orderTable.insert(world.store, order);
  planInstallment(world.store, order);
  const lines = world.store.all<Omit<OrderLineRow, 'id' | 'order_id'>>(
    `SELECT position, product_id, product_name, quantity, price_type, unit_price_minor, vat_rate, total_minor
     FROM quote_lines WHERE quote_id = :quoteId ORDER BY position`,
    { quoteId: quote.id },
  );
  for (const line of lines) orderLineTable.insert(world.store, { ...line, id: world.id(), order_id: id });
  return reference;
}

/** A timeline event of an order. */
export const createOrderEvent = (
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

/** Reasons why the order can't be canceled. Empty if it can. */
function listBlockers({ status, reference_number }: OrderRow): string[] {
  if (status === PublicOrderStatus.CANCELLED) return [`Order ${reference_number} is already canceled.`];
  if (status === PublicOrderStatus.FULFILLED) return [`Order ${reference_number} is fulfilled and can’t be canceled.`];
  return [];
}

/** The requested refund with its request ID. Undefined if none was requested. */
function parseRefund({ refundAmountMinor, refundRequestId }: CancelOrderRequest): { amount: bigint; requestId: string } | undefined {
  if (refundAmountMinor === undefined) {
    if (refundRequestId !== undefined) throw invalidArgument('refund_request_id requires refund_amount_minor.');
    return undefined;
  }
  if (refundRequestId === undefined) throw invalidArgument('refund_amount_minor requires refund_request_id.');
  return { amount: refundAmountMinor, requestId: refundRequestId };
}

export const orders = domain(Order, {
  tables: [orderTable, orderLineTable, ...moneyTables],
  handlers: {
    getOrder: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ id }, call) => ({ order: toOrder(call, getOrder(call, id)) }),
    },

    listOrders: {
      permission: 'billingAccess:READ_ONLY',
      run: (request, call) => {
        getCustomer(call, request.customerId);
        const filters = { customer_id: request.customerId, status: request.status };
        const { rows, ...page } = orderTable.page(call, request, filters);
        return { orders: rows.map((row) => toOrder(call, row)), ...page };
      },
    },

    getOrderCancellationImpact: {
      permission: 'billingAccess:READ_ONLY',
      run: ({ orderId }, call) => {
        const order = getOrder(call, orderId);
        const blockers = listBlockers(order);
        const canCancel = blockers.length === 0;
        const money = getOrderMoney(call.store, orderId);
        return {
          impact: {
            orderId,
            canCancel,
            blockers,
            currency: order.currency,
            paidMinor: BigInt(money.paid_minor),
            // Chosen: if the order can't be canceled, there is no impact, and all paid amounts count toward the plan.
            refundableMinor: BigInt(canCancel ? money.refundable_minor : 0),
            cancelledPlanMinor: BigInt(canCancel ? Math.max(0, money.planned_minor - money.paid_minor) : 0),
            releasedQuantity: canCancel ? countReserved(call, orderId) : 0n,
          },
        };
      },
    },

    cancelOrder: {
      permission: 'billingAccess:READ_WRITE',
      run: (request, call) => {
        const order = getOrder(call, request.id);
        requireVersion(order, request.expectedVersion);
        const [blocker] = listBlockers(order);
        if (blocker !== undefined) throw failedPrecondition(blocker);
        const { reason } = request;
        const wanted = parseRefund(request);
        const from = `order ${order.reference_number}`;
        const refund = wanted && createRefund(call.world, listPayments(call.store, order.id), { ...wanted, from, reason, at: call.now });
        cancelInstallments(call.store, order.id, call.now);
        orderTable.update(call.store, order.id, {
          status: PublicOrderStatus.CANCELLED,
          version: order.version + 1,
          updated_at: call.now,
          cancelled_at: call.now,
          cancellation_reason: reason,
        });
        releaseReservations(call, order.id);
        const event = createOrderEvent({ id: order.id, quoteId: order.quote_id, reference: order.reference_number }, 'cancelled');
        call.timeline(order.customer_id, event);
        return { order: toOrder(call, getOrder(call, order.id)), ...(refund && { refund: refundTable.read(refund) }) };
      },
      // The order may have changed in the meantime. The refund hasn't.
      replay: ({ order, refund }, call) => ({ order: toOrder(call, getOrder(call, order?.id ?? '')), ...(refund && { refund }) }),
    },
  },
});
