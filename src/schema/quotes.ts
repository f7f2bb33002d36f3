import { GetQuote } from '../upstream/generated/operations.ts';
import type { PublicQuoteStatusJson, QuoteDiscountRecordJson, QuoteRecordJson } from '../upstream/generated/publicapi/v1/quotes_pb.ts';
import { Discount } from './catalog.ts';
import { Customer } from './customers.ts';
import { type Entity, entity, follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { Order } from './orders.ts';
import { linesOf, pricedLine } from './pricedLines.ts';
import { CURRENCY, RecordFields, toVersion } from './records.ts';

export const QuoteStatus = wireEnum<PublicQuoteStatusJson>()('QuoteStatus', {
  description: 'The stage of a quote.',
  prefix: 'PUBLIC_QUOTE_STATUS',
  members: {
    CONCEPT: 'Being worked on.',
    CONFIRMED: 'Accepted: it has become an order.',
    DISCARDED: 'Given up.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const QuoteLine = pricedLine('QuoteLine', 'QuoteLineRecord', {
  owner: 'Quote',
  description: 'A product in a quote.',
  productName: 'The name of the product when it was quoted.',
});

/** A discount, with the currency that it takes from its quote. */
interface QuoteDiscountShape extends QuoteDiscountRecordJson {
  readonly [CURRENCY]: string;
}

const given = new RecordFields<QuoteDiscountShape>('QuoteDiscountRecord');

const QuoteDiscount = given.type('QuoteDiscount', {
  description: 'A discount that a quote gives.',
  fields: (t) => ({
    discount: t.field({
      type: Discount.ref,
      ...given.mark('discountId', 'The discount.'),
      resolve: ({ discountId }, _args, context, info) => follow(Discount, discountId, context, info),
    }),
    name: given.text(t, 'name', 'The name of the discount when it was given.'),
    amountOnce: given.money(t, 'amountOnceMinor', 'The amount off the one-off total.'),
    amountMonthly: given.money(t, 'amountMonthlyMinor', 'The amount off the monthly total.'),
    amountYearly: given.money(t, 'amountYearlyMinor', 'The amount off the yearly total.'),
  }),
});

const record = new RecordFields<QuoteRecordJson>('QuoteRecord');

export const Quote: Entity<QuoteRecordJson> = entity('Quote', {
  record: record,
  description: 'An offer to a customer.',
  operation: GetQuote,
  loader: ({ loaders }) => loaders.quotes,
  key: 'id',
  fields: (t) => ({
    version: t.field({
      type: 'Version',
      ...record.mark('version', 'Changes with every change: for `expectedVersion`.'),
      resolve: ({ version }) => toVersion(version),
    }),
    ...record.word(t, 'status', QuoteStatus, 'The stage of the quote: concept, confirmed or discarded.'),
    title: record.text(t, 'title', 'The title of the quote.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    pricingCountryCode: t.field({
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
      ...record.mark('lineItems', 'The products that are offered.'),
      resolve: linesOf,
    }),
    discounts: t.field({
      type: [QuoteDiscount],
      nullable: false,
      ...record.mark('discounts', 'The discounts it gives.'),
      resolve: ({ discounts, currency }) => (discounts ?? []).map((item) => ({ ...item, [CURRENCY]: currency ?? '' })),
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      ...record.mark('currency', 'The currency of its amounts.'),
      resolve: ({ currency }) => currency || null,
    }),
    totalOnce: record.money(t, 'totalOnceMinor', 'The one-off total after discounts, without VAT.'),
    totalMonthly: record.money(t, 'totalMonthlyMinor', 'The monthly total after discounts, without VAT.'),
    totalYearly: record.money(t, 'totalYearlyMinor', 'The yearly total after discounts, without VAT.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
