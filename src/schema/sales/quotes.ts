import { GetQuote } from '../../upstream/contract/generated/operations.ts';
import type {
  PublicQuoteStatusJson,
  QuoteDiscountRecordJson,
  QuoteRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { Discount } from '../catalog/catalog.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from './orders.ts';
import { pricedLine } from './pricedLines.ts';

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

const given = new RecordFields<QuoteDiscountRecordJson>('QuoteDiscountRecord');

const QuoteDiscount = given.type('QuoteDiscount', {
  description: 'A discount that a quote gives.',
  fields: (t) => ({
    discount: given.edge(t, 'discountId', Discount, 'The discount.'),
    name: given.text(t, 'name', 'The name of the discount when it was given.'),
    amountOnce: given.requiredMoney(t, 'amountOnceMinor', 'The amount off the one-off total.'),
    amountMonthly: given.requiredMoney(t, 'amountMonthlyMinor', 'The amount off the monthly total.'),
    amountYearly: given.requiredMoney(t, 'amountYearlyMinor', 'The amount off the yearly total.'),
  }),
});

const record = new RecordFields<QuoteRecordJson>('QuoteRecord');

export const Quote: Entity<QuoteRecordJson> = entity('Quote', {
  record: record,
  description: 'An offer to a customer.',
  operation: GetQuote,
  key: 'id',
  version: 'version',
  // Every step is for a concept.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('CONCEPT', QuoteStatus, status) },
  root: 'The quote of this id; null when there is none. Quotes are listed by customer: `Customer.quotes`.',
  fields: (t) => ({
    ...record.word(t, 'status', QuoteStatus, 'The stage of the quote: concept, confirmed or discarded.'),
    title: record.text(t, 'title', 'The title of the quote.'),
    referenceNumber: record.text(t, 'referenceNumber', 'A number that people refer to it by.'),
    pricingCountryCode: record.code(t, 'pricingCountry', 'CountryCode', 'The country whose prices and discounts it uses.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    order: record.edge(t, 'orderId', Order, 'The order that it has become; null unless it is confirmed.'),
    lines: record.list(t, 'lineItems', QuoteLine, 'The products that are offered.', { sharesCurrency: true }),
    discounts: record.list(t, 'discounts', QuoteDiscount, 'The discounts it gives.', { sharesCurrency: true }),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'The currency of its amounts.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'The one-off total after discounts, without VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'The monthly total after discounts, without VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'The yearly total after discounts, without VAT.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
