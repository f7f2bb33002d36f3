import { PriceType } from '../../schema/catalog/catalog.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { inputOf } from '../../schema/kit/inputs.ts';
import { toVersion } from '../../schema/kit/records.ts';
import { Order } from '../../schema/sales/orders.ts';
import { Quote, QuoteStatus } from '../../schema/sales/quotes.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { ConfirmQuote, CreateQuote, DiscardQuote, ListQuotes, UpdateQuote } from '../../upstream/contract/generated/operations.ts';
import type { QuoteLineInputJson } from '../../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { hasValues, holds, madeBy, recordNow } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';

const QuoteFilter = filterOf(ListQuotes, Quote, (f) => ({ status: f.status('Only those in this state.', QuoteStatus) }));

builder.objectField(Customer.ref, 'quotes', (t) =>
  t.field(
    list(ListQuotes, {
      description: 'The quotes of this customer.',
      order: 'Newest first.',
      on: Customer,
      node: Quote,
      filter: QuoteFilter,
    }),
  ),
);

const QuoteLineInput = inputOf(messages.QuoteLineInput, 'A product to offer.', (f) => ({
  productId: f.productId('The product.'),
  quantity: f.quantity('The number of pieces.'),
  priceType: f.priceType('Which of its prices; the one-off price when absent.', PriceType),
}));

const QuoteDiscountInput = inputOf(messages.QuoteDiscountInput, 'A discount to give.', (f) => ({
  discountId: f.discountId('The discount.'),
}));

/** Lines as a quote tells them: where none was sent, the upstream has chosen the price type. */
const offered = (lines: readonly QuoteLineInputJson[] | undefined) =>
  lines?.map(({ priceType, ...line }) => ({ ...line, priceType: PriceType.fromWire(priceType) ? priceType : undefined }));

mutation('quoteCreate', CreateQuote, {
  description: 'Makes a concept quote.',
  input: (f) => ({
    customerId: f.customerId('The customer.'),
    title: f.title('The title. Cannot be changed later.'),
    pricingCountryCode: f.pricingCountry(
      'The country whose prices and discounts it uses; that of the workspace when absent. Cannot be changed later.',
    ),
    lines: f.lineItems('The products to offer.', QuoteLineInput),
    discounts: f.discounts('The discounts it gives.', QuoteDiscountInput),
  }),
  answers: { quote: 'The new quote.' },
  lookUp: async ({ request, startedAt, context }) => {
    const { customerId = '' } = request;
    const { quotes } = await context.upstream.call(ListQuotes, {
      customerId,
      page: 1,
      pageSize: context.upstream.operation(ListQuotes).page?.maxSize ?? 1,
    });
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
  on: Quote,
  input: (f) => ({
    lines: f.lineItems('All that is offered.', QuoteLineInput),
    discounts: f.discounts('All discounts it gives. An empty list is for none.', QuoteDiscountInput, { required: true }),
  }),
  answers: { quote: 'The quote as it is now.' },
  lookUp: async ({ request: { id, expectedVersion, lineItems, discounts }, context }) => {
    const quote = await recordNow(Quote, id, context);
    const isChanged = toVersion(quote?.version) !== expectedVersion && holds(quote, { lineItems: offered(lineItems), discounts });
    return quote && isChanged ? { quote } : undefined;
  },
});

mutation('quoteDiscard', DiscardQuote, {
  description: 'Gives a concept quote up. A confirmed quote cannot be given up.',
  on: Quote,
  answers: { quote: 'The quote as it is now.' },
  lookUp: hasValues(Quote, 'quote', () => ({ status: 'PUBLIC_QUOTE_STATUS_DISCARDED' })),
});

mutation('quoteConfirm', ConfirmQuote, {
  description: 'Turns a concept quote into an order. Confirming it again answers the same order.',
  on: Quote,
  answers: { quote: 'The quote as it is now.', order: 'The order that it has become.' },
  lookUp: async ({ request: { id }, context }) => {
    const quote = await recordNow(Quote, id, context);
    const order = await recordNow(Order, quote?.orderId, context);
    return quote && order ? { quote, order } : undefined;
  },
});
