import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { PublicQuoteStatus } from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { STOCKED_ORDERS } from '../inventory/reservationsDemo.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { cancelInstallments, createRefund, listPayments } from './moneyBook.ts';
import { createOrderEvent, placeOrder } from './orders.ts';
import { type OrderRow, orderTable } from './orderTables.ts';
import { seedPayments } from './paymentsDemo.ts';
import { createQuoteEvent, quoteTable, setQuoteStatus } from './quotes.ts';
import { type ConfirmedQuote, seedQuotes } from './quotesDemo.ts';

const DAY_SECONDS = 86_400;

/** One third of the orders is unpaid, one third half paid, and one third fully paid. */
const computePaid = (index: number, total: number) => Math.floor((total * (index % 3)) / 2);

function confirm(plan: Plan, index: number, { id: quoteId, at }: ConfirmedQuote): OrderRow {
  const { world, workspaceId } = plan;
  const quote = quoteTable.getOrThrow(plan, quoteId, 'quote');
  const id = plan.id(`order ${index}`);
  const reference = placeOrder(world, quote, id, at);
  setQuoteStatus(world, quoteId, { status: PublicQuoteStatus.CONFIRMED, orderId: id, at });
  const written = { id: quoteId, reference: quote.reference_number };
  writeTimeline(world, workspaceId, quote.customer_id, { ...createQuoteEvent(written, 'confirmed'), occurredAt: at });
  writeTimeline(world, workspaceId, quote.customer_id, { ...createOrderEvent({ id, quoteId, reference }, 'created'), occurredAt: at });
  return orderTable.getOrThrow(plan, id, 'order');
}

function fulfil({ store }: Plan, { id, created_at }: OrderRow): void {
  const changes = { status: PublicOrderStatus.FULFILLED, version: 2, updated_at: created_at + DAY_SECONDS };
  orderTable.update(store, id, changes);
}

/** Cancels an order within a day and refunds the payments. */
function cancel({ world, workspaceId }: Plan, order: OrderRow, paid: number): void {
  const cancelledAt = order.created_at + DAY_SECONDS / 2;
  const reason = 'The customer changed their mind.';
  orderTable.update(world.store, order.id, {
    status: PublicOrderStatus.CANCELLED,
    version: 2,
    updated_at: cancelledAt,
    cancelled_at: cancelledAt,
    cancellation_reason: reason,
  });
  cancelInstallments(world.store, order.id, cancelledAt);
  const from = `the order ${order.reference_number}`;
  const refund = { amount: BigInt(paid), from, reason, requestId: `cancellation of ${from}`, at: cancelledAt };
  if (paid > 0) createRefund(world, listPayments(world.store, order.id), refund);
  const event = createOrderEvent({ id: order.id, quoteId: order.quote_id, reference: order.reference_number }, 'cancelled');
  writeTimeline(world, workspaceId, order.customer_id, { ...event, occurredAt: cancelledAt });
}

/**
 * Creates the quotes, and confirms some of them. Their orders are `order 0`, `order 1`, …, in the order of confirmation. Orders with reserved stock remain
 * open. Of the others, every fifth is fulfilled, and every fifth canceled.
 */
function seedSales(plan: Plan): void {
  for (const [index, quote] of seedQuotes(plan).entries()) {
    const order = confirm(plan, index, quote);
    const isFulfilled = index >= STOCKED_ORDERS && index % 5 === 1;
    const total = order.total_once_minor;
    const paid = isFulfilled ? total : computePaid(index, total);
    seedPayments(plan, order, { index, paid, isRefundable: !isFulfilled });
    if (isFulfilled) fulfil(plan, order);
    if (index >= STOCKED_ORDERS && index % 5 === 3) cancel(plan, order, paid);
  }
}

export const salesDemo = demoData({
  examples: {
    Quote: ['quote 0', 'quote 1'],
    Order: ['order 0', 'order 1'],
    Payment: ['payment 0', 'payment 1'],
  },
  seed: seedSales,
});
