import { PriceType } from '../../schema/catalog/catalog.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { toVersion } from '../../schema/kit/records.ts';
import { Order } from '../../schema/sales/orders.ts';
import { Quote, QuoteStatus } from '../../schema/sales/quotes.ts';
import { ConfirmQuote, CreateQuote, DiscardQuote, ListQuotes, UpdateQuote } from '../../upstream/contract/generated/operations.ts';
import type { QuoteLineInputJson } from '../../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { filterInput } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { hasValues, holds, madeBy, recordNow } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';

const QuoteFilter = filterInput('Quote', 'quotes', (t) => ({
  status: t.field({ type: QuoteStatus.input, description: 'Only those in this state.' }),
}));

builder.objectField(Customer.ref, 'quotes', (t) =>
  t.field(
    list(ListQuotes, {
      description: 'The quotes of this customer.',
      order: 'Newest first.',
      node: Quote.ref,
      filter: QuoteFilter,
      request: ({ id }: { id?: string }, { filter: { status } }) => ({ customerId: id ?? '', status: QuoteStatus.toWire(status) }),
      identify: ({ id }) => id,
      prime: Quote.prime,
      isServedByKey: true,
    }),
  ),
);

const QuoteLineInput = builder.inputType('QuoteLineInput', {
  description: 'A product to offer.',
  fields: (t) => ({
    productId: t.id({ required: true, description: 'The product.' }),
    quantity: t.int({ required: true, description: 'The number of pieces: at least 1.' }),
    priceType: t.field({ type: PriceType.input, description: 'Which of its prices; the one-off price when absent.' }),
  }),
});

const QuoteDiscountInput = builder.inputType('QuoteDiscountInput', {
  description: 'A discount to give.',
  fields: (t) => ({ discountId: t.id({ required: true, description: 'The discount.' }) }),
});

type LineInput = typeof QuoteLineInput.$inferInput;

const toLineItem = ({ productId, quantity, priceType }: LineInput) => ({ productId, quantity, priceType: PriceType.toWire(priceType) });

/** Lines as a quote tells them: where none was sent, the upstream has chosen the price type. */
const offered = (lines: readonly QuoteLineInputJson[] | undefined) =>
  lines?.map(({ priceType, ...line }) => ({ ...line, priceType: PriceType.fromWire(priceType) ? priceType : undefined }));

mutation('quoteCreate', CreateQuote, {
  description: 'Makes a concept quote.',
  input: (t) => ({
    customerId: t.id({ required: true, description: 'The customer.' }),
    title: t.string({ description: 'The title, in at most 200 characters. Cannot be changed later.' }),
    pricingCountryCode: t.field({
      type: 'CountryCode',
      description: 'The country whose prices and discounts it uses; that of the workspace when absent. Cannot be changed later.',
    }),
    lines: t.field({ type: [QuoteLineInput], required: true, description: 'The products to offer: 1 to 100 lines.' }),
    discounts: t.field({ type: [QuoteDiscountInput], description: 'The discounts it gives.' }),
  }),
  ids: { customerId: 'Customer', 'lines.productId': 'Product', 'discounts.discountId': 'Discount' },
  names: { lineItems: 'lines', pricingCountry: 'pricingCountryCode' },
  request: ({ customerId, title, pricingCountryCode, lines, discounts }) => ({
    customerId,
    title: title ?? '',
    pricingCountry: pricingCountryCode ?? '',
    lineItems: lines.map(toLineItem),
    discounts: discounts ?? [],
  }),
  answers: { quote: [Quote.ref, 'The new quote.'] },
  lookUp: async ({ request, startedAt, context }) => {
    const { customerId = '' } = request;
    const { quotes } = await context.upstream.call(ListQuotes, { customerId, page: 1, pageSize: ListQuotes.page?.maxSize ?? 1 });
    const { title, pricingCountry, lineItems, discounts } = request;
    const wanted = {
      status: 'PUBLIC_QUOTE_STATUS_CONCEPT',
      title,
      pricingCountry: pricingCountry || undefined,
      lineItems: offered(lineItems),
      discounts,
    };
    const quote = madeBy(quotes, wanted, startedAt);
    return quote && { quote };
  },
});

mutation('quoteUpdate', UpdateQuote, {
  description:
    'Replaces all lines and all discounts of a concept quote: those that are not given again are gone. Its `title` and `pricingCountryCode` are set when it is created and cannot be changed.',
  input: (t) => ({
    quoteId: t.id({ required: true, description: 'The quote.' }),
    lines: t.field({ type: [QuoteLineInput], required: true, description: 'All that is offered: 1 to 100 lines.' }),
    discounts: t.field({ type: [QuoteDiscountInput], required: true, description: 'All discounts it gives: an empty list for none.' }),
  }),
  ids: { quoteId: 'Quote', 'lines.productId': 'Product', 'discounts.discountId': 'Discount' },
  names: { id: 'quoteId', lineItems: 'lines' },
  request: ({ quoteId, lines, discounts }) => ({ id: quoteId, lineItems: lines.map(toLineItem), discounts: [...discounts] }),
  answers: { quote: [Quote.ref, 'The quote as it is now.'] },
  on: Quote,
  lookUp: async ({ request: { id, expectedVersion, lineItems, discounts }, context }) => {
    const quote = await recordNow(Quote, id, context);
    const isChanged = toVersion(quote?.version) !== expectedVersion && holds(quote, { lineItems: offered(lineItems), discounts });
    return quote && isChanged ? { quote } : undefined;
  },
});

mutation('quoteDiscard', DiscardQuote, {
  description: 'Gives a concept quote up. A confirmed quote cannot be given up.',
  input: (t) => ({ quoteId: t.id({ required: true, description: 'The quote.' }) }),
  ids: { quoteId: 'Quote' },
  names: { id: 'quoteId' },
  request: ({ quoteId }) => ({ id: quoteId }),
  answers: { quote: [Quote.ref, 'The quote as it is now.'] },
  on: Quote,
  lookUp: hasValues(
    Quote,
    ({ id }) => id,
    () => ({ status: 'PUBLIC_QUOTE_STATUS_DISCARDED' }),
    (quote) => ({ quote }),
  ),
});

mutation('quoteConfirm', ConfirmQuote, {
  description: 'Turns a concept quote into an order. Confirming it again answers the same order.',
  input: (t) => ({ quoteId: t.id({ required: true, description: 'The quote.' }) }),
  ids: { quoteId: 'Quote' },
  names: { id: 'quoteId' },
  request: ({ quoteId }) => ({ id: quoteId }),
  answers: { quote: [Quote.ref, 'The quote as it is now.'], order: [Order.ref, 'The order that it has become.'] },
  on: Quote,
  lookUp: async ({ request: { id }, context }) => {
    const quote = await recordNow(Quote, id, context);
    const order = await recordNow(Order, quote?.orderId, context);
    return quote && order ? { quote, order } : undefined;
  },
});
