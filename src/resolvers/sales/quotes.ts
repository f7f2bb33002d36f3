import { readLargestPage } from '../../loaders/listScan.ts';
import { PriceType } from '../../schema/catalog/catalog.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { defineInput } from '../../schema/kit/inputs.ts';
import { toVersion } from '../../schema/kit/recordMembers.ts';
import { Order } from '../../schema/sales/orders.ts';
import { QuoteSearch } from '../../schema/sales/quoteSearch.ts';
import { Quote, QuoteStatus } from '../../schema/sales/quotes.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { ConfirmQuote, CreateQuote, DiscardQuote, ListQuotes, UpdateQuote } from '../../upstream/contract/generated/operations.ts';
import type { QuoteLineInputJson } from '../../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import type { QuoteRecord } from '../../upstream/contract/generated/records.ts';
import { defineCriteria } from '../kit/listCriteria.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { fetchCurrent, filterCreated, matchesInput, reconcileByValues } from '../kit/reconcile.ts';
import { SALES_CRITERIA } from '../kit/salesCriteria.ts';
import { search } from '../kit/search.ts';

const criteria = defineCriteria(ListQuotes, Quote, {
  ...SALES_CRITERIA,
  status: QuoteStatus,
  alternative: 'Use `quoteSearch(filter: { customerId })`, or only filter by one status.',
});

builder.objectField(Customer.ref, 'quotes', (t) =>
  t.field(
    list(ListQuotes, {
      description: 'The customer’s quotes.',
      order: 'Newest first.',
      on: Customer,
      node: Quote,
      index: QuoteSearch.index,
      ...criteria,
    }),
  ),
);

const QuoteLineInput = defineInput(messages.QuoteLineInput, 'A line of a quote: a product, its quantity, and the price to use.', (f) => ({
  productId: f.productId('Product to include.'),
  quantity: f.quantity('Number of units.'),
  priceType: f.priceType('Which of the product’s prices to use. Defaults to the one-off price.', PriceType),
}));

const QuoteDiscountInput = defineInput(messages.QuoteDiscountInput, 'A discount to apply to a quote.', (f) => ({
  discountId: f.discountId('Discount to apply.'),
}));

/** Converts input lines to the shape of quote records, for comparison. Drops an unspecified price type, because the upstream replaces it with a default. */
const normalizeLines = (lines: readonly QuoteLineInputJson[] | undefined) =>
  lines?.map(({ priceType, ...line }) => ({ ...line, priceType: priceType && PriceType.fromWire(priceType) ? priceType : undefined }));

builder.queryField('quoteSearch', (t) => t.field(search(QuoteSearch, 'Searches the quotes of the workspace.', '`Customer.quotes`')));

mutation('quoteCreate', CreateQuote, {
  description: 'Creates a draft quote.',
  input: (f) => ({
    customerId: f.customerId('Customer that the quote is for.'),
    title: f.title('Title of the quote. Can’t be changed later.'),
    pricingCountryCode: f.pricingCountry(
      'Country whose prices and discounts apply. Defaults to the workspace’s country. Can’t be changed later.',
    ),
    lines: f.lineItems('Lines of the quote.', QuoteLineInput),
    discounts: f.discounts('Discounts to apply.', QuoteDiscountInput),
  }),
  returns: { quote: 'The new quote.' },
  reconcile: {
    calls: 1,
    find: async ({ request, context, startedAt }) => {
      const { customerId = '', title, pricingCountry, lineItems, discounts } = request;
      const { rows: quotes } = await readLargestPage(context.upstream, ListQuotes, { customerId });
      const expected = {
        status: 'PUBLIC_QUOTE_STATUS_CONCEPT',
        title,
        pricingCountry: pricingCountry || undefined,
        lineItems: normalizeLines(lineItems),
        discounts,
      };
      return filterCreated(quotes, expected, startedAt);
    },
  },
});

mutation('quoteUpdate', UpdateQuote, {
  description:
    'Replaces all lines and discounts of a draft quote. Include the lines and discounts that you want to keep. `title` and `pricingCountryCode` can’t be changed.',
  on: Quote,
  input: (f) => ({
    lines: f.lineItems('All lines of the quote, replacing the current ones.', QuoteLineInput),
    discounts: f.discounts(
      'All discounts of the quote, replacing the current ones. Send an empty list to remove them.',
      QuoteDiscountInput,
      { required: true },
    ),
  }),
  returns: { quote: 'The updated quote.' },
  reconcile: async ({ request: { id, expectedVersion, lineItems, discounts }, context }) => {
    const quote = await fetchCurrent(Quote, id, context);
    const isChanged =
      quote !== null &&
      toVersion(quote.version) !== expectedVersion &&
      matchesInput(quote, { lineItems: normalizeLines(lineItems), discounts });
    return isChanged ? { quote } : undefined;
  },
});

/** Whether the quote already had the status that the transition sets. */
const isStatusUnchanged = ({ quote }: { readonly quote: QuoteRecord | undefined }, before: QuoteRecord | null) =>
  before !== null && before.status === quote?.status;

mutation('quoteDiscard', DiscardQuote, {
  description: 'Discards a draft quote. Confirmed quotes can’t be discarded. If it’s already discarded, the effect is `UNCHANGED`.',
  on: Quote,
  returns: { quote: 'The discarded quote.' },
  isUnchanged: isStatusUnchanged,
  reconcile: reconcileByValues(Quote, 'quote', () => ({ status: 'PUBLIC_QUOTE_STATUS_DISCARDED' })),
});

mutation('quoteConfirm', ConfirmQuote, {
  description:
    'Confirms a draft quote and creates its order. If it’s already confirmed, returns the same order, and the effect is `UNCHANGED`.',
  on: Quote,
  returns: { quote: 'The confirmed quote.', order: 'The order created from the quote.' },
  isUnchanged: isStatusUnchanged,
  reconcile: async ({ request: { id }, context }) => {
    const quote = await fetchCurrent(Quote, id, context);
    const order = await fetchCurrent(Order, quote?.orderId, context);
    return quote && order ? { quote, order } : undefined;
  },
});
