import { PublicOrderStatus } from '../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { PublicQuoteStatus } from '../../src/upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { writeTimeline } from '../kernel/call.ts';
import type { Plan } from '../kernel/plan.ts';
import { orderEvent, placeOrder } from './orders.ts';
import { closeQuote, type QuoteRow, quoteEvent } from './quotes.ts';
import { type ConfirmedQuote, STOCKED_ORDERS } from './quotesDemo.ts';

const DAY_SECONDS = 86_400;

interface Placed {
  readonly id: string;
  readonly reference: string;
  readonly quote: QuoteRow;
  readonly at: number;
}

/** Every third order is unpaid, every third paid halfway, every third paid whole. */
const paidOf = (index: number, total: number) => Math.floor((total * (index % 3)) / 2);

function confirm(plan: Plan, index: number, { id: quoteId, at }: ConfirmedQuote): Placed {
  const { world, workspaceId } = plan;
  const quote = world.store.get<QuoteRow>('SELECT * FROM quotes WHERE id = :quoteId', { quoteId });
  if (!quote) throw new Error(`There is no quote ${quoteId} to confirm.`);
  const id = plan.id(`order ${index}`);
  const reference = placeOrder(world, quote, id, at);
  closeQuote(world, quoteId, { status: PublicQuoteStatus.CONFIRMED, orderId: id, at });
  const written = { id: quoteId, reference: quote.reference_number };
  writeTimeline(world, workspaceId, quote.customer_id, { ...quoteEvent(written, 'confirmed'), occurredAt: at });
  writeTimeline(world, workspaceId, quote.customer_id, { ...orderEvent({ id, quoteId, reference }, 'created'), occurredAt: at });
  return { id, reference, quote, at };
}

function pay({ world }: Plan, { id }: Placed, paid: number): void {
  world.store.run('UPDATE orders SET paid_minor = :paid WHERE id = :id', { id, paid });
}

function fulfil({ world }: Plan, { id, at }: Placed): void {
  world.store.run('UPDATE orders SET status = :status, version = 2, updated_at = :at WHERE id = :id', {
    id,
    status: PublicOrderStatus.FULFILLED,
    at: at + DAY_SECONDS,
  });
}

/** Cancels within the day, and gives back what was paid. */
function cancel({ world, workspaceId }: Plan, { id, reference, quote, at }: Placed, paid: number): void {
  const cancelledAt = at + DAY_SECONDS / 2;
  world.store.run(
    `UPDATE orders SET status = :status, version = 2, refunded_minor = :paid, updated_at = :cancelledAt, cancelled_at = :cancelledAt,
       cancellation_reason = 'The customer changed their mind.' WHERE id = :id`,
    { id, status: PublicOrderStatus.CANCELLED, paid, cancelledAt },
  );
  if (paid > 0) {
    world.store.insert('order_refunds', {
      id: world.id(),
      workspace_id: workspaceId,
      order_id: id,
      amount_minor: paid,
      currency: quote.currency,
      created_at: cancelledAt,
    });
  }
  const event = orderEvent({ id, quoteId: quote.id, reference }, 'cancelled');
  writeTimeline(world, workspaceId, quote.customer_id, { ...event, occurredAt: cancelledAt });
}

/**
 * Confirms quotes: their orders are named `order 0`, `order 1`, … in the order of confirmation. The ones that stock is reserved for stay
 * open; of the others every fifth is fulfilled, and every fifth cancelled.
 */
export function seedOrders(plan: Plan, confirmed: readonly ConfirmedQuote[]): void {
  for (const [index, quote] of confirmed.entries()) {
    const placed = confirm(plan, index, quote);
    const isFulfilled = index >= STOCKED_ORDERS && index % 5 === 1;
    const total = placed.quote.total_once_minor;
    const paid = isFulfilled ? total : paidOf(index, total);
    pay(plan, placed, paid);
    if (isFulfilled) fulfil(plan, placed);
    if (index >= STOCKED_ORDERS && index % 5 === 3) cancel(plan, placed, paid);
  }
}
