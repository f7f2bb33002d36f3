import { GetOrder } from '../upstream/generated/operations.ts';
import type {
  OrderCancellationImpactRecordJson,
  OrderLineRecordJson,
  OrderRecordJson,
  OrderRefundRecordJson,
  PublicOrderStatusJson,
} from '../upstream/generated/publicapi/v1/orders_pb.ts';
import { builder } from './builder.ts';
import { PriceType, Product } from './catalog.ts';
import { Customer } from './customers.ts';
import { type Entity, entity, follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { Money, toMoney } from './money.ts';
import { Quote } from './quotes.ts';
import { RecordFields } from './records.ts';

export const OrderStatus = wireEnum<PublicOrderStatusJson>()('OrderStatus', {
  description: 'How far an order is.',
  prefix: 'PUBLIC_ORDER_STATUS',
  members: {
    OPEN: 'To be delivered.',
    FULFILLED: 'Delivered.',
    CANCELLED: 'Cancelled.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

/** A line, with the currency that it takes from its order. */
interface OrderLineShape extends OrderLineRecordJson {
  readonly currency: string;
}

const line = new RecordFields<OrderLineShape>('OrderLineRecord');

const OrderLine = builder.objectRef<OrderLineShape>('OrderLine').implement({
  description: 'A product in an order.',
  fields: (t) => ({
    rawId: line.rawId(t, 'id'),
    product: t.field({
      type: Product.ref,
      ...line.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    productName: line.text(t, 'productName', 'What the product was called when it was ordered.'),
    quantity: line.int(t, 'quantity', 'How many.'),
    priceType: t.field({
      type: PriceType.ref,
      ...line.mark('priceType', 'How often the price is due.'),
      resolve: ({ priceType }) => PriceType.fromWire(priceType),
    }),
    unitPrice: t.field({
      type: Money,
      nullable: false,
      ...line.mark('unitPriceMinor', 'The price of one.'),
      resolve: ({ unitPriceMinor, currency }) => toMoney(unitPriceMinor, currency),
    }),
    vatRate: line.float(t, 'vatRate', 'The VAT as a fraction: 0.21 is 21 %.'),
    total: t.field({
      type: Money,
      nullable: false,
      ...line.mark('totalMinor', 'The price of all of them, without VAT.'),
      resolve: ({ totalMinor, currency }) => toMoney(totalMinor, currency),
    }),
  }),
});

const record = new RecordFields<OrderRecordJson>('OrderRecord');

export const Order: Entity<OrderRecordJson> = entity('Order', {
  description: 'What a customer has ordered.',
  operation: GetOrder,
  loader: ({ loaders }) => loaders.orders,
  key: 'id',
  fields: (t) => ({
    version: t.field({
      type: 'Version',
      ...record.mark('version', 'Changes with every change: for `expectedVersion`.'),
      resolve: ({ version }) => version || null,
    }),
    status: t.field({
      type: OrderStatus.ref,
      ...record.mark('status', 'How far it is.'),
      resolve: ({ status }) => OrderStatus.fromWire(status),
    }),
    statusText: record.text(t, 'status', 'How far it is, in the upstream’s word.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    customer: t.field({
      type: Customer.ref,
      ...record.mark('customerId', 'The customer.'),
      resolve: ({ customerId }, _args, context, info) => follow(Customer, customerId, context, info),
    }),
    quote: t.field({
      type: Quote.ref,
      ...record.mark('quoteId', 'The quote that it was made from.'),
      resolve: ({ quoteId }, _args, context, info) => follow(Quote, quoteId, context, info),
    }),
    lines: t.field({
      type: [OrderLine],
      nullable: false,
      ...record.mark('lineItems', 'What was ordered.'),
      resolve: ({ lineItems, currency }) => (lineItems ?? []).map((item) => ({ ...item, currency: currency ?? '' })),
    }),
    totalOnce: t.field({
      type: Money,
      nullable: false,
      ...record.mark('totalOnceMinor', 'The one-off total after discounts, without VAT.'),
      resolve: ({ totalOnceMinor, currency }) => toMoney(totalOnceMinor, currency),
    }),
    totalMonthly: t.field({
      type: Money,
      nullable: false,
      ...record.mark('totalMonthlyMinor', 'The monthly total after discounts, without VAT.'),
      resolve: ({ totalMonthlyMinor, currency }) => toMoney(totalMonthlyMinor, currency),
    }),
    totalYearly: t.field({
      type: Money,
      nullable: false,
      ...record.mark('totalYearlyMinor', 'The yearly total after discounts, without VAT.'),
      resolve: ({ totalYearlyMinor, currency }) => toMoney(totalYearlyMinor, currency),
    }),
    paid: t.field({
      type: Money,
      nullable: false,
      ...record.mark('paidMinor', 'What the customer has paid.'),
      resolve: ({ paidMinor, currency }) => toMoney(paidMinor, currency),
    }),
    refunded: t.field({
      type: Money,
      nullable: false,
      ...record.mark('refundedMinor', 'What the customer has got back.'),
      resolve: ({ refundedMinor, currency }) => toMoney(refundedMinor, currency),
    }),
    createdAt: record.dateTime(t, 'createdAt', 'When it was made.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When it was last changed.'),
    cancelledAt: record.dateTime(t, 'cancelledAt', 'When it was cancelled; null when it was not.'),
    cancellationReason: record.text(t, 'cancellationReason', 'Why it was cancelled.'),
    attributes: record.attributes(t),
  }),
});

const impact = new RecordFields<OrderCancellationImpactRecordJson>('OrderCancellationImpactRecord');

export const OrderCancellationImpact = builder.objectRef<OrderCancellationImpactRecordJson>('OrderCancellationImpact').implement({
  description: 'What cancelling an order would do now. It may be out of date by the time the order is cancelled.',
  fields: (t) => ({
    canCancel: impact.flag(t, 'canCancel', 'Whether it can be cancelled.'),
    blockers: impact.texts(t, 'blockers', 'What stands in the way.'),
    paid: t.field({
      type: Money,
      nullable: false,
      ...impact.mark('paidMinor', 'What has been paid.'),
      resolve: ({ paidMinor, currency }) => toMoney(paidMinor, currency),
    }),
    refundable: t.field({
      type: Money,
      nullable: false,
      ...impact.mark('refundableMinor', 'The most that can be given back.'),
      resolve: ({ refundableMinor, currency }) => toMoney(refundableMinor, currency),
    }),
    cancelledPlan: t.field({
      type: Money,
      nullable: false,
      ...impact.mark('cancelledPlanMinor', 'What the payment plan would no longer collect.'),
      resolve: ({ cancelledPlanMinor, currency }) => toMoney(cancelledPlanMinor, currency),
    }),
    releasedQuantity: impact.int64(t, 'releasedQuantity', 'How many pieces of reserved stock would become free.'),
    attributes: impact.attributes(t),
  }),
});

const refund = new RecordFields<OrderRefundRecordJson>('OrderRefundRecord');

export const OrderRefund = builder.objectRef<OrderRefundRecordJson>('OrderRefund').implement({
  description: 'Money that was given back when an order was cancelled.',
  fields: (t) => ({
    rawId: refund.rawId(t, 'id'),
    amount: t.field({
      type: Money,
      nullable: false,
      ...refund.mark('amountMinor', 'How much.'),
      resolve: ({ amountMinor, currency }) => toMoney(amountMinor, currency),
    }),
    createdAt: refund.dateTime(t, 'createdAt', 'When it was made.'),
  }),
});
