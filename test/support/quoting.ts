import { recordPayment } from '../sandbox/receive.ts';
import { demoId } from '../sandbox/sandbox.ts';
import type { useTestGraph } from './testGraph.ts';

export const CREATE_QUOTE = `mutation ($input: QuoteCreateInput!) {
  quoteCreate(input: $input) {
    __typename
    ... on QuoteCreatePayload {
      quote { id rawId version status title pricingCountryCode customer { rawId } order { id }
        lines { rawId product { rawId } productName quantity priceType vatRate unitPrice { minorUnits } total { minorUnits amount currencyCode } }
        discounts { discount { rawId } name amountOnce { minorUnits } amountMonthly { minorUnits } }
        totalOnce { minorUnits amount currencyCode } totalMonthly { minorUnits } totalYearly { minorUnits } }
      effect
    }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path message }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

export const CONFIRM_QUOTE = `mutation ($input: QuoteConfirmInput!) {
  quoteConfirm(input: $input) {
    __typename
    ... on QuoteConfirmPayload { effect quote { status version } order { rawId status quote { rawId } totalOnce { minorUnits } } }
    ... on TransitionBlockedError { fromText message }
    ... on NotFoundError { missingId path }
    ... on MutationError { code }
  }
}`;

/** The customer that tests create quotes for. */
export const CUSTOMER = demoId('customer 1');

/** Creates products, quotes and orders through a world's graph. */
export const createQuoting = (testGraph: ReturnType<typeof useTestGraph>) => {
  /** Creates a product that costs 10.00 once and 1.00 per month. Returns its raw ID. */
  const createLamp = async (fields: object = {}): Promise<string> => {
    const { data } = await testGraph.execute(
      'mutation ($input: ProductCreateInput!) { productCreate(input: $input) { ... on ProductCreatePayload { product { rawId } } } }',
      { input: { name: 'Test lamp', priceOnce: { minorUnits: '1000' }, priceMonthly: { minorUnits: '100' }, vatRate: '0.21', ...fields } },
    );
    return data.productCreate.product.rawId;
  };

  /** Creates a draft quote for two lamps. */
  const createQuote = async (fields: object = {}) => {
    const input = { customerId: CUSTOMER, title: 'Test', lines: [{ productId: await createLamp(), quantity: 2 }], ...fields };
    return (await testGraph.execute(CREATE_QUOTE, { input })).data.quoteCreate.quote;
  };

  return {
    lamp: createLamp,
    createQuote,
    /** Creates an order for two lamps, with a payment if `paidMinor` is positive. Returns its raw ID. */
    createOrder: async (paidMinor = 0): Promise<string> => {
      const { rawId: quoteId } = await createQuote();
      const { data } = await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId } });
      const { rawId } = data.quoteConfirm.order;
      if (paidMinor > 0) recordPayment(testGraph.sandbox.world, rawId, paidMinor);
      return rawId;
    },
  };
};
