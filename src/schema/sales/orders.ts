import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { type Blocker as BlockerShape, UpstreamInvalidError } from '../../failures/failures.ts';
import { GetOrder } from '../../upstream/contract/generated/operations.ts';
import type { OrderCancellationImpactRecord, OrderRecord, QuoteRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { Blocker } from '../kit/blockers.ts';
import { builder } from '../kit/builder.ts';
import { getObjectType, loadOrThrow } from '../kit/edges.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { getSelectionNeed } from '../kit/lookahead.ts';
import { createParts, OWNER } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { definePricedLine, type PricedLine } from './pricedLines.ts';
import { Quote } from './quotes.ts';

export const OrderStatus = defineWireEnum('OrderStatus', 'PublicOrderStatus', {
  description: 'The status of an order.',
  members: {
    OPEN: 'Not yet delivered.',
    FULFILLED: 'Delivered.',
    CANCELLED: 'Canceled. See `cancellationReason`.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const OrderLine = definePricedLine('OrderLine', 'OrderLineRecord', {
  owner: 'Order',
  description: 'A line of an order: a product with a quantity and a price.',
  productName: 'Name of the product when it was ordered.',
});

/** The totals exclude VAT. The contract doesn't specify it for paid and refunded amounts. */
const VAT_UNSPECIFIED = 'The Workspace API doesn’t specify whether this includes VAT.';

export const Order: Entity<OrderRecord> = defineEntity('Order', {
  record: 'OrderRecord',
  description: 'A customer’s order: the products to deliver, with their prices and the amounts paid.',
  operation: GetOrder,
  key: 'id',
  version: 'version',
  state: { getStatus: ({ status }) => status },
  root: 'Looks up an order by ID. Null if it doesn’t exist. To find orders, use `Customer.orders` or `orderSearch`.',
  fields: (f) => ({
    ...f.enumWithText('status', OrderStatus, 'Status of the order: open, fulfilled, or canceled.'),
    referenceNumber: f.string('referenceNumber', 'Human-readable number of the order.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the order belongs to.'),
    quote: f.edge('quoteId', Quote, 'Quote that the order was created from.'),
    lines: f.list('lineItems', OrderLine, 'Lines of the order.', { sharesCurrency: true }),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of all amounts in the order.'),
    totalOnce: f.requiredMoney('totalOnceMinor', 'One-off total after discounts, excluding VAT.'),
    totalMonthly: f.requiredMoney('totalMonthlyMinor', 'Monthly total after discounts, excluding VAT.'),
    totalYearly: f.requiredMoney('totalYearlyMinor', 'Yearly total after discounts, excluding VAT.'),
    paid: f.requiredMoney('paidMinor', `Amount paid by the customer. ${VAT_UNSPECIFIED}`),
    refunded: f.requiredMoney('refundedMinor', `Amount refunded to the customer. ${VAT_UNSPECIFIED}`),
    createdAt: f.requiredDateTime('createdAt', 'When the order was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the order was last updated.'),
    cancelledAt: f.dateTime('cancelledAt', 'When the order was canceled. Null if it wasn’t canceled.'),
    cancellationReason: f.string('cancellationReason', 'Why the order was canceled.'),
  }),
});

// Not in quotes.ts, to avoid a circular import.
builder.objectField(Quote.ref, 'order', (t) =>
  new RecordFields<QuoteRecord>('QuoteRecord', t).edge(
    'orderId',
    Order,
    'Order created from the quote. Null until the quote is confirmed.',
  ),
);

/** Options of a field that refers to an order line. The order is read if more than the line's keys is selected. */
export const ORDER_LINE_EDGE = { type: OrderLine, extensions: { reads: GetOrder } };

/** Resolves an order line by ID, by reading its order. Null if the line no longer exists. */
export async function followOrderLine(
  orderId: string | undefined,
  lineId: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<PricedLine | null> {
  if (!lineId) return null;
  if (getSelectionNeed(info, getObjectType(info, OrderLine.name)) !== 'record') return { id: lineId, [OWNER]: orderId ?? '' } as PricedLine;
  if (!orderId) throw new UpstreamInvalidError('it refers to a line of an order, but not to the order');
  await context.upstream.requireScopes(GetOrder);
  const order = await loadOrThrow(Order, orderId, context);
  return createParts(order, order.lineItems, OrderLine.name, { sharesCurrency: true }).find(({ id }) => id === lineId) ?? null;
}

export const OrderCancellationImpact = defineRecordType<OrderCancellationImpactRecord>('OrderCancellationImpact', {
  record: 'OrderCancellationImpactRecord',
  description: 'The effects of canceling an order now. They may change before the order is canceled.',
  fields: (f, t) => ({
    canCancel: f.boolean('canCancel', 'Whether the order can be canceled.'),
    blockers: t.field({
      type: [Blocker],
      nullable: false,
      ...f.annotate('blockers', 'Conditions that prevent the cancellation.'),
      resolve: ({ blockers }) => blockers.map((message): BlockerShape => ({ code: 'OTHER', message })),
    }),
    paid: f.requiredMoney('paidMinor', `Amount paid so far. ${VAT_UNSPECIFIED}`),
    refundable: f.requiredMoney('refundableMinor', `Maximum amount that can be refunded. ${VAT_UNSPECIFIED}`),
    cancelledPlan: f.requiredMoney('cancelledPlanMinor', 'Amount that the payment plan would no longer collect.'),
    releasedQuantity: f.quantity('releasedQuantity', 'Number of reserved units that would be released.'),
  }),
});
