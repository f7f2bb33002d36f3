import { GetQuote } from '../../upstream/contract/generated/operations.ts';
import type { PublicQuoteStatusJson } from '../../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import type { QuoteDiscountRecord, QuoteRecord } from '../../upstream/contract/generated/records.ts';
import { Discount } from '../catalog/catalog.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { Order } from './orders.ts';
import { pricedLine } from './pricedLines.ts';

export const QuoteStatus = wireEnum<PublicQuoteStatusJson>()('QuoteStatus', {
  description: 'The status of a quote.',
  prefix: 'PUBLIC_QUOTE_STATUS',
  members: {
    CONCEPT: 'A draft: can still be changed. Called a concept quote in the Workspace API.',
    CONFIRMED: 'Accepted: an order has been created.',
    DISCARDED: 'Discarded. Can’t be confirmed anymore.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const QuoteLine = pricedLine('QuoteLine', 'QuoteLineRecord', {
  owner: 'Quote',
  description: 'A line of a quote: a product with a quantity and a price.',
  productName: 'Name of the product when it was quoted.',
});

const discountRecord = new RecordFields<QuoteDiscountRecord>('QuoteDiscountRecord');

const QuoteDiscount = discountRecord.type('QuoteDiscount', {
  description: 'A discount applied to a quote.',
  fields: (t) => ({
    discountId: discountRecord.targetId(
      t,
      'discountId',
      Discount,
      'Global ID of the discount in the catalog. To keep the discount in `quoteUpdate`, include this ID, also if `discount` can’t be read.',
    ),
    discount: discountRecord.requiredEdge(
      t,
      'discountId',
      Discount,
      'The discount in the catalog. Fails with `NOT_FOUND` if it isn’t among the first 100 of the workspace.',
    ),
    name: discountRecord.text(t, 'name', 'Name of the discount when it was applied.'),
    amountOnce: discountRecord.requiredMoney(t, 'amountOnceMinor', 'Amount deducted from the one-off total.'),
    amountMonthly: discountRecord.requiredMoney(t, 'amountMonthlyMinor', 'Amount deducted from the monthly total.'),
    amountYearly: discountRecord.requiredMoney(t, 'amountYearlyMinor', 'Amount deducted from the yearly total.'),
  }),
});

const record = new RecordFields<QuoteRecord>('QuoteRecord');

export const Quote: Entity<QuoteRecord> = entity('Quote', {
  record: record,
  description: 'A quote: priced products offered to a customer. Becomes an order when confirmed.',
  operation: GetQuote,
  key: 'id',
  version: 'version',
  // All transitions start from a draft.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('CONCEPT', QuoteStatus, status) },
  root: 'Looks up a quote by ID. Null if it doesn’t exist. To list quotes, use `Customer.quotes`.',
  fields: (t) => ({
    ...record.word(t, 'status', QuoteStatus, 'Status of the quote: draft, confirmed, or discarded.'),
    title: record.text(t, 'title', 'Title of the quote.'),
    referenceNumber: record.text(t, 'referenceNumber', 'Human-readable number of the quote, such as `Q-02756`.'),
    pricingCountryCode: record.code(t, 'pricingCountry', 'CountryCode', 'Country whose prices and discounts apply.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer that the quote is for.'),
    order: record.edge(t, 'orderId', Order, 'Order created from the quote. Null until the quote is confirmed.'),
    lines: record.list(t, 'lineItems', QuoteLine, 'Lines of the quote.', { sharesCurrency: true }),
    discounts: record.list(t, 'discounts', QuoteDiscount, 'Discounts applied to the quote.', { sharesCurrency: true }),
    currencyCode: record.code(t, 'currency', 'CurrencyCode', 'Currency of all amounts in the quote.'),
    totalOnce: record.requiredMoney(t, 'totalOnceMinor', 'One-off total after discounts, excluding VAT.'),
    totalMonthly: record.requiredMoney(t, 'totalMonthlyMinor', 'Monthly total after discounts, excluding VAT.'),
    totalYearly: record.requiredMoney(t, 'totalYearlyMinor', 'Yearly total after discounts, excluding VAT.'),
    createdAt: record.requiredDateTime(t, 'createdAt', 'When the quote was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the quote was last updated.'),
  }),
});
