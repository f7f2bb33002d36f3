import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { Blocker as BlockerShape } from '../../failures.ts';
import { GetOrder } from '../../upstream/contract/generated/operations.ts';
import type {
  OrderCancellationImpactRecordJson,
  OrderRecordJson,
  PublicOrderStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { Customer } from '../customers/customers.ts';
import { Blocker } from '../kit/blockers.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { needOf } from '../kit/lookahead.ts';
import { OWNER } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { typeOwnNamed } from '../kit/typeNames.ts';
import { type PricedLine, pricedLine } from './pricedLines.ts';
import { Quote } from './quotes.ts';

export const OrderStatus = wireEnum<PublicOrderStatusJson>()('OrderStatus', {
  description: 'The stage of an order.',
  prefix: 'PUBLIC_ORDER_STATUS',
  members: {
    OPEN: 'To be delivered.',
    FULFILLED: 'Delivered.',
    CANCELLED: 'Cancelled.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

export const OrderLine = pricedLine('OrderLine', 'OrderLineRecord', {
  owner: 'Order',
  description: 'A product in an order.',
  productName: 'The name of the product when it was ordered.',
});

/** The totals are without VAT; of what is paid the contract does not say. */
const VAT_UNTOLD = 'Nothing tells whether VAT is in it.';

const record = new RecordFields<OrderRecordJson>('OrderRecord');

export const Order: Entity<OrderRecordJson> = entity('Order', {
  record: record,
  description: 'An order of a customer.',
  operation: GetOrder,
  key: 'id',
  version: 'version',
  state: { of: ({ status }) => status },
  root: 'The order of this id; null when there is none. Orders are listed by customer: `Customer.orders`.',
  fields: (t) => ({
    ...record.word(t, 'status', OrderStatus, 'The stage of the order: open, fulfilled or cancelled.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    quote: record.edge(t, 'quoteId', Quote, 'The quote that it was made from.'),
    lines: record.list(t, 'lineItems', OrderLine, 'The products that were ordered.', { sharesCurrency: true }),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'The currency of its amounts.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'The one-off total after discounts, without VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'The monthly total after discounts, without VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'The yearly total after discounts, without VAT.'),
    paid: record.requiredMoney(t, 'paidMinor', `The sum that the customer has paid. ${VAT_UNTOLD}`),
    refunded: record.requiredMoney(t, 'refundedMinor', `The sum that was given back to the customer. ${VAT_UNTOLD}`),
    createdAt: record.requiredDateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    cancelledAt: record.dateTime(t, 'cancelledAt', 'The moment of cancellation; null when the order is not cancelled.'),
    cancellationReason: record.text(t, 'cancellationReason', 'The reason for the cancellation.'),
  }),
});

/** The options of an edge to a line of an order: the order is read when more than the line's keys is asked for. */
export const toOrderLine = { type: OrderLine, extensions: { reads: GetOrder } };

/** The line of an order behind its id: found in the order, and null when it is gone. */
export async function followOrderLine(
  orderId: string | undefined,
  lineId: string | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<PricedLine | null> {
  if (!lineId) return null;
  if (needOf(info, typeOwnNamed(info.schema, OrderLine.name) as GraphQLObjectType) !== 'record')
    return { id: lineId, [OWNER]: orderId ?? '' };
  if (!orderId) return null;
  await context.upstream.requireScopes(GetOrder);
  const order = await Order.load(orderId, context);
  return (order && record.partsOf(order, 'lineItems', OrderLine, { sharesCurrency: true }).find(({ id }) => id === lineId)) ?? null;
}

const impact = new RecordFields<OrderCancellationImpactRecordJson>('OrderCancellationImpactRecord');

export const OrderCancellationImpact = impact.type('OrderCancellationImpact', {
  description: 'The effects that cancelling an order would have now. They may have changed by the time the order is cancelled.',
  fields: (t) => ({
    canCancel: impact.flag(t, 'canCancel', 'Whether it can be cancelled.'),
    blockers: t.field({
      type: [Blocker],
      nullable: false,
      ...impact.mark('blockers', 'The reasons why the order cannot be cancelled.'),
      resolve: ({ blockers = [] }) => blockers.map((message): BlockerShape => ({ code: 'OTHER', message })),
    }),
    paid: impact.requiredMoney(t, 'paidMinor', `The sum that has been paid. ${VAT_UNTOLD}`),
    refundable: impact.requiredMoney(t, 'refundableMinor', `The most that can be given back. ${VAT_UNTOLD}`),
    cancelledPlan: impact.requiredMoney(t, 'cancelledPlanMinor', 'The sum that the payment plan would no longer collect.'),
    releasedQuantity: impact.pieces(t, 'releasedQuantity', 'Pieces of reserved stock that would become free.'),
  }),
});
