import { GetQuote } from '../upstream/generated/operations.ts';
import type {
  PublicQuoteStatusJson,
  QuoteDiscountRecordJson,
  QuoteLineRecordJson,
  QuoteRecordJson,
} from '../upstream/generated/publicapi/v1/quotes_pb.ts';
import { builder } from './builder.ts';
import { Discount, PriceType, Product } from './catalog.ts';
import { Customer } from './customers.ts';
import { type Entity, entity, follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { Money, toMoney } from './money.ts';
import { Order } from './orders.ts';
import { RecordFields } from './records.ts';

export const QuoteStatus = wireEnum<PublicQuoteStatusJson>()('QuoteStatus', {
  description: 'How far a quote is.',
  prefix: 'PUBLIC_QUOTE_STATUS',
  members: {
    CONCEPT: 'Being worked on.',
    CONFIRMED: 'Accepted: it has become an order.',
    DISCARDED: 'Given up.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

/** A line, with the currency that it takes from its quote. */
interface QuoteLineShape extends QuoteLineRecordJson {
  readonly currency: string;
}

const line = new RecordFields<QuoteLineShape>('QuoteLineRecord');

const QuoteLine = builder.objectRef<QuoteLineShape>('QuoteLine').implement({
  description: 'A product in a quote.',
  fields: (t) => ({
    rawId: line.rawId(t, 'id'),
    product: t.field({
      type: Product.ref,
      ...line.mark('productId', 'The product.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    productName: line.text(t, 'productName', 'What the product was called when it was quoted.'),
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

/** A discount, with the currency that it takes from its quote. */
interface QuoteDiscountShape extends QuoteDiscountRecordJson {
  readonly currency: string;
}

const given = new RecordFields<QuoteDiscountShape>('QuoteDiscountRecord');

const QuoteDiscount = builder.objectRef<QuoteDiscountShape>('QuoteDiscount').implement({
  description: 'A discount that a quote gives.',
  fields: (t) => ({
    discount: t.field({
      type: Discount.ref,
      ...given.mark('discountId', 'The discount.'),
      resolve: ({ discountId }, _args, context, info) => follow(Discount, discountId, context, info),
    }),
    name: given.text(t, 'name', 'What the discount was called when it was given.'),
    amountOnce: t.field({
      type: Money,
      nullable: false,
      ...given.mark('amountOnceMinor', 'What it takes off the one-off total.'),
      resolve: ({ amountOnceMinor, currency }) => toMoney(amountOnceMinor, currency),
    }),
    amountMonthly: t.field({
      type: Money,
      nullable: false,
      ...given.mark('amountMonthlyMinor', 'What it takes off the monthly total.'),
      resolve: ({ amountMonthlyMinor, currency }) => toMoney(amountMonthlyMinor, currency),
    }),
    amountYearly: t.field({
      type: Money,
      nullable: false,
      ...given.mark('amountYearlyMinor', 'What it takes off the yearly total.'),
      resolve: ({ amountYearlyMinor, currency }) => toMoney(amountYearlyMinor, currency),
    }),
  }),
});

const record = new RecordFields<QuoteRecordJson>('QuoteRecord');

export const Quote: Entity<QuoteRecordJson> = entity('Quote', {
  description: 'An offer to a customer.',
  operation: GetQuote,
  loader: ({ loaders }) => loaders.quotes,
  key: 'id',
  fields: (t) => ({
    version: t.field({
      type: 'Version',
      ...record.mark('version', 'Changes with every change: for `expectedVersion`.'),
      resolve: ({ version }) => version || null,
    }),
    status: t.field({
      type: QuoteStatus.ref,
      ...record.mark('status', 'How far it is.'),
      resolve: ({ status }) => QuoteStatus.fromWire(status),
    }),
    statusText: record.text(t, 'status', 'How far it is, in the upstream’s word.'),
    title: record.text(t, 'title', 'What it is called.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    pricingCountry: t.field({
      type: 'CountryCode',
      ...record.mark('pricingCountry', 'The country whose prices and discounts it uses.'),
      resolve: ({ pricingCountry }) => pricingCountry || null,
    }),
    customer: t.field({
      type: Customer.ref,
      ...record.mark('customerId', 'The customer.'),
      resolve: ({ customerId }, _args, context, info) => follow(Customer, customerId, context, info),
    }),
    order: t.field({
      type: Order.ref,
      ...record.mark('orderId', 'The order that it has become; null unless it is confirmed.'),
      resolve: ({ orderId }, _args, context, info) => follow(Order, orderId, context, info),
    }),
    lines: t.field({
      type: [QuoteLine],
      nullable: false,
      ...record.mark('lineItems', 'What is offered.'),
      resolve: ({ lineItems, currency }) => (lineItems ?? []).map((item) => ({ ...item, currency: currency ?? '' })),
    }),
    discounts: t.field({
      type: [QuoteDiscount],
      nullable: false,
      ...record.mark('discounts', 'The discounts it gives.'),
      resolve: ({ discounts, currency }) => (discounts ?? []).map((item) => ({ ...item, currency: currency ?? '' })),
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
    createdAt: record.dateTime(t, 'createdAt', 'When it was made.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When it was last changed.'),
    attributes: record.attributes(t),
  }),
});
