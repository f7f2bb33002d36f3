import { GetQuote } from '../../upstream/contract/generated/operations.ts';
import type { QuoteDiscountRecord, QuoteRecord } from '../../upstream/contract/generated/records.ts';
import { Discount } from '../catalog/catalog.ts';
import { Customer } from '../customers/customers.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum, hasOtherStatus } from '../kit/enums.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { definePricedLine } from './pricedLines.ts';

export const QuoteStatus = defineWireEnum('QuoteStatus', 'PublicQuoteStatus', {
  description: 'The status of a quote.',
  members: {
    CONCEPT: 'A draft: can still be changed. Called a concept quote in the Workspace API.',
    CONFIRMED: 'Accepted: an order has been created.',
    DISCARDED: 'Discarded. Can’t be confirmed anymore.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const QuoteLine = definePricedLine('QuoteLine', 'QuoteLineRecord', {
  owner: 'Quote',
  description: 'A line of a quote: a product with a quantity and a price.',
  productName: 'Name of the product when it was quoted.',
});

const QuoteDiscount = defineRecordType<QuoteDiscountRecord>('QuoteDiscount', {
  record: 'QuoteDiscountRecord',
  description: 'A discount applied to a quote.',
  fields: (f) => ({
    discountId: f.targetId(
      'discountId',
      Discount,
      'Global ID of the discount in the catalog. To keep the discount in `quoteUpdate`, include this ID, also if `discount` can’t be read.',
    ),
    discount: f.requiredEdge(
      'discountId',
      Discount,
      'The discount in the catalog. Fails with `NOT_FOUND` if it isn’t among the first 100 of the workspace.',
    ),
    name: f.string('name', 'Name of the discount when it was applied.'),
    amountOnce: f.requiredMoney('amountOnceMinor', 'Amount deducted from the one-off total.'),
    amountMonthly: f.requiredMoney('amountMonthlyMinor', 'Amount deducted from the monthly total.'),
    amountYearly: f.requiredMoney('amountYearlyMinor', 'Amount deducted from the yearly total.'),
  }),
});

export const Quote: Entity<QuoteRecord> = defineEntity('Quote', {
  record: 'QuoteRecord',
  description: 'A quote: priced products offered to a customer. Becomes an order when confirmed.',
  operation: GetQuote,
  key: 'id',
  version: 'version',
  // All transitions start from a draft.
  state: { getStatus: ({ status }) => status, isTerminal: ({ status }) => hasOtherStatus('CONCEPT', QuoteStatus, status) },
  root: 'Looks up a quote by ID. Null if it doesn’t exist. To find quotes, use `Customer.quotes` or `quoteSearch`.',
  fields: (f) => ({
    ...f.enumWithText('status', QuoteStatus, 'Status of the quote: draft, confirmed, or discarded.'),
    title: f.string('title', 'Title of the quote.'),
    referenceNumber: f.string('referenceNumber', 'Human-readable number of the quote, such as `Q-02756`.'),
    pricingCountryCode: f.scalar('pricingCountry', 'CountryCode', 'Country whose prices and discounts apply.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the quote is for.'),
    lines: f.list('lineItems', QuoteLine, 'Lines of the quote.', { sharesCurrency: true }),
    discounts: f.list('discounts', QuoteDiscount, 'Discounts applied to the quote.', { sharesCurrency: true }),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of all amounts in the quote.'),
    totalOnce: f.requiredMoney('totalOnceMinor', 'One-off total after discounts, excluding VAT.'),
    totalMonthly: f.requiredMoney('totalMonthlyMinor', 'Monthly total after discounts, excluding VAT.'),
    totalYearly: f.requiredMoney('totalYearlyMinor', 'Yearly total after discounts, excluding VAT.'),
    createdAt: f.requiredDateTime('createdAt', 'When the quote was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the quote was last updated.'),
  }),
});
