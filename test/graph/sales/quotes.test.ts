import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CREATE_QUOTE, CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { lamp, createQuote } = createQuoting(testGraph);

const READ = 'query ($id: ID!) { quote(id: $id) { version status lines { quantity } } }';
const read = async (id: string) => (await testGraph.execute(READ, { id })).data.quote;

describe('Query.quote', () => {
  it('finds a quote by global or raw ID, and returns null for a quote of another workspace', async () => {
    const { id, rawId } = await createQuote();
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ, { id }));
    expect(data.quote).toEqual({ version: '1', status: 'CONCEPT', lines: [{ quantity: 2 }] });
    expect(calls).toEqual(['Quote/GetQuote']);
    expect(await read(rawId)).toEqual(data.quote);
    expect((await testGraph.executeAs('demo-neighbour', READ, { id })).data).toEqual({ quote: null });
  });

  it('fetches each distinct product once', async () => {
    const [one, other] = [await lamp({ name: 'One' }), await lamp({ name: 'Other' })];
    const lines = [one, other, one, one, other].map((productId) => ({ productId, quantity: 1 }));
    const { rawId } = await createQuote({ lines });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { quote(id: $id) { lines { product { name } } } }', { id: rawId }),
    );
    expect(data.quote.lines.map(({ product }: { product: { name: string } }) => product.name)).toEqual([
      'One',
      'Other',
      'One',
      'One',
      'Other',
    ]);
    expect(calls).toEqual(['Quote/GetQuote', 'Catalog/GetProduct', 'Catalog/GetProduct']);
  });

  it('fetches only the quote if only the IDs of related records are selected', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { quote(id: $id) {
          customer { __typename id rawId } order { id } lines { product { ... on Node { id } rawId } } discounts { discount { id } }
        } }`,
        { id: demoId('quote 0') },
      ),
    );
    expect(data.quote).toMatchObject({ customer: { rawId: demoId('customer 0') }, order: { id: toGlobalId('Order', demoId('order 0')) } });
    expect(calls).toEqual(['Quote/GetQuote']);
  });
});

describe('Quote.order', () => {
  const QUOTE = 'query ($id: ID!) { quote(id: $id) { title order { referenceNumber } } }';

  it('fails if the order of the quote isn’t found', async () => {
    testGraph.sandbox.faults.add({ operation: 'Order/GetOrder', status: 404, body: '{"code":"not_found"}', times: 1 });
    const { data, errors } = await testGraph.execute(QUOTE, { id: demoId('quote 0') });
    expect(data.quote).toEqual({ title: expect.any(String), order: null });
    expect(errors).toMatchObject([
      {
        path: ['quote', 'order'],
        message: `Order ${demoId('order 0')} not found.`,
        extensions: { code: 'NOT_FOUND', missingId: demoId('order 0') },
      },
    ]);
  });

  it('resolves to null for a draft', async () => {
    const { id } = await createQuote();
    const { data, errors } = await testGraph.execute(QUOTE, { id });
    expect([data.quote.order, errors]).toEqual([null, undefined]);
  });
});

describe('currencyCode', () => {
  const CURRENCIES = `query ($id: ID!) {
    quote(id: $id) { currencyCode order { currencyCode } lines { product { currencyCode } } }
  }`;

  it('resolves for a quote, its order, and its products', async () => {
    const { data, errors } = await testGraph.execute(CURRENCIES, { id: demoId('quote 0') });
    expect(errors).toBeUndefined();
    expect(data.quote).toMatchObject({ currencyCode: 'EUR', order: { currencyCode: 'EUR' } });
    expect(data.quote.lines.length).toBeGreaterThan(0);
    for (const { product } of data.quote.lines) expect(product).toEqual({ currencyCode: 'EUR' });
  });

  it('resolves to null, like all amounts, if the upstream omits the currency', async () => {
    const body = JSON.stringify({ quote: { id: 'q', lineItems: [{ id: 'l', totalMinor: '5' }] } });
    testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', status: 200, body, times: 1 });
    const { data } = await testGraph.execute(
      '{ quote(id: "q") { currencyCode lines { total { currencyCode minorUnits } } totalOnce { amount } } }',
    );
    expect(data.quote).toEqual({ currencyCode: null, lines: [{ total: null }], totalOnce: null });
  });
});

describe('Customer.quotes', () => {
  const LIST = `query ($id: ID!, $statuses: [QuoteStatus!], $first: Int, $after: String) { customer(id: $id) {
    quotes(filter: { statuses: $statuses }, first: $first, after: $after) { nodes { rawId status createdAt } pageInfo { hasNextPage endCursor } }
  } }`;
  const id = demoId('customer 0');

  it('lists the newest quotes first, one call per page, without fetching the customer', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LIST, { id, first: 50 }));
    const createdAts = data.customer.quotes.nodes.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(createdAts).toHaveLength(50);
    expect(createdAts).toEqual([...createdAts].sort().reverse());
    expect(data.customer.quotes.pageInfo.hasNextPage).toBe(true);
    expect(calls).toEqual(['Quote/ListQuotes']);
  });

  it.each(['CONCEPT', 'CONFIRMED', 'DISCARDED'])('filters by status %s', async (status) => {
    const { data } = await testGraph.execute(LIST, { id, statuses: [status], first: 100 });
    expect(new Set(data.customer.quotes.nodes.map((node: { status: string }) => node.status))).toEqual(new Set([status]));
  });

  it('reuses quotes and customers that the same operation has already fetched', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { customer(id: $id) { title
          quotes(filter: { statuses: [CONFIRMED] }, first: 3) { nodes { title customer { title } order { quote { title } } } } } }`,
        { id },
      ),
    );
    const { title, quotes } = data.customer;
    for (const quote of quotes.nodes) expect(quote).toMatchObject({ customer: { title }, order: { quote: { title: quote.title } } });
    expect(calls).toEqual(['Customer/GetCustomer', 'Quote/ListQuotes', 'Order/GetOrder', 'Order/GetOrder', 'Order/GetOrder']);
  });

  it('fetches the discounts of all quotes in one call', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        'query ($id: ID!) { customer(id: $id) { quotes(first: 100) { nodes { discounts { name discount { name } } } } } }',
        {
          id,
        },
      ),
    );
    const applied = data.customer.quotes.nodes.flatMap(({ discounts }: { discounts: object[] }) => discounts);
    expect(applied.length).toBeGreaterThan(5);
    for (const { name, discount } of applied) expect(discount.name).toBe(name);
    expect(calls).toEqual(['Quote/ListQuotes', 'Catalog/ListDiscounts']);
  });
});

describe('Mutation.quoteCreate', () => {
  it('creates a priced draft from global and raw IDs', async () => {
    const [first, second] = [await lamp({ name: 'First' }), await lamp({ name: 'Second', vatRate: '0' })];
    const input = {
      customerId: toGlobalId('Customer', CUSTOMER),
      title: 'Two lamps',
      lines: [
        { productId: toGlobalId('Product', first), quantity: 3 },
        { productId: second, quantity: 2, priceType: 'MONTHLY' },
      ],
      discounts: [{ discountId: toGlobalId('Discount', demoId('discount 0')) }, { discountId: demoId('discount 3') }],
    };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE_QUOTE, { input }));
    const line = { rawId: expect.any(String), quantity: 3, priceType: 'ONCE', vatRate: '0.21' };
    expect(data.quoteCreate).toMatchObject({
      __typename: 'QuoteCreatePayload',
      effect: 'DONE',
      quote: {
        version: '1',
        status: 'CONCEPT',
        title: 'Two lamps',
        pricingCountryCode: 'NL',
        customer: { rawId: CUSTOMER },
        order: null,
        lines: [
          {
            ...line,
            product: { rawId: first },
            productName: 'First',
            unitPrice: { minorUnits: '1000' },
            total: { minorUnits: '3000', amount: '30.00', currencyCode: 'EUR' },
          },
          {
            ...line,
            product: { rawId: second },
            productName: 'Second',
            quantity: 2,
            priceType: 'MONTHLY',
            vatRate: '0',
            total: { minorUnits: '200' },
          },
        ],
        discounts: [
          {
            discount: { rawId: demoId('discount 0') },
            name: 'Welcome',
            amountOnce: { minorUnits: '300' },
            amountMonthly: { minorUnits: '0' },
          },
          { name: 'First month', amountOnce: { minorUnits: '0' }, amountMonthly: { minorUnits: '200' } },
        ],
        totalOnce: { minorUnits: '2700', amount: '27.00', currencyCode: 'EUR' },
        totalMonthly: { minorUnits: '0' },
        totalYearly: { minorUnits: '0' },
      },
    });
    expect(calls).toEqual(['Quote/CreateQuote']);
  });

  it('applies the prices and VAT rate of pricingCountryCode', async () => {
    const productId = await lamp({ countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '1300', vatRate: '0.06' }] });
    const quote = await createQuote({ pricingCountryCode: 'BE', lines: [{ productId, quantity: 1 }] });
    expect(quote).toMatchObject({ pricingCountryCode: 'BE', lines: [{ unitPrice: { minorUnits: '1300' }, vatRate: '0.06' }] });
  });

  it('creates one quote per idempotency key, whether records are referenced by global or raw ID', async () => {
    const productId = await lamp();
    const input = { customerId: CUSTOMER, lines: [{ productId, quantity: 1 }], idempotencyKey: 'quote-once' };
    const [first, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE_QUOTE, { input }));
    const same = { ...input, customerId: toGlobalId('Customer', CUSTOMER) };
    const [replay, replayCalls] = await testGraph.recordCalls(() => testGraph.execute(CREATE_QUOTE, { input: same }));
    expect(replay.data.quoteCreate).toEqual({ ...first.data.quoteCreate, effect: 'REPLAYED' });
    expect([calls, replayCalls]).toEqual([['Quote/CreateQuote'], ['Quote/GetQuote']]);
  });

  it('returns fields of the create response even if the key has no read scopes', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'quote:create'] });
    const input = { customerId: CUSTOMER, lines: [{ productId: await lamp(), quantity: 1 }] };
    const { data, errors } = await testGraph.executeAs(
      key,
      `mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { ... on QuoteCreatePayload {
        quote { title totalOnce { amount } customer { title } lines { productName product { name } } }
      } } }`,
      { input },
    );
    expect(data.quoteCreate.quote).toEqual({
      title: null,
      totalOnce: { amount: '10.00' },
      customer: null,
      lines: [{ productName: 'Test lamp', product: null }],
    });
    expect(errors?.map(({ extensions }) => extensions.missingScopes)).toEqual([['customer:read'], ['catalog:read']]);
  });

  const LINE = { productId: 'p', quantity: 1 };
  it.each([
    [
      'a quantity of zero',
      { lines: [{ ...LINE, quantity: 0 }] },
      { path: ['lines', '0', 'quantity'], message: 'must be greater than 0, but is 0.' },
    ],
    [
      'a negative quantity',
      { lines: [LINE, { ...LINE, quantity: -2 }] },
      { path: ['lines', '1', 'quantity'], message: 'must be greater than 0, but is -2.' },
    ],
    ['no lines', { lines: [] }, { path: ['lines'], message: 'must have at least 1 entry.' }],
    [
      '101 lines',
      { lines: Array.from({ length: 101 }, () => LINE) },
      { path: ['lines'], message: 'must have at most 100 entries, but has 101.' },
    ],
    [
      '21 discounts',
      { discounts: Array.from({ length: 21 }, () => ({ discountId: 'd' })) },
      { path: ['discounts'], message: 'must have at most 20 entries, but has 21.' },
    ],
    [
      'a title of 201 characters',
      { title: 'x'.repeat(201) },
      { path: ['title'], message: 'must have at most 200 characters, but has 201.' },
    ],
  ])('returns the upstream’s ValidationError for %s', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(CREATE_QUOTE, { input: { customerId: CUSTOMER, lines: [LINE], ...fields } }),
    );
    expect(data.quoteCreate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual(['Quote/CreateQuote']);
  });

  it.each([
    ['a blank customer ID', { customerId: ' ' }, { path: ['customerId'], message: 'must be a Customer ID, but is blank.' }],
    [
      'a customer ID as product',
      { lines: [LINE, { ...LINE, productId: toGlobalId('Customer', 'c') }] },
      { path: ['lines', '1', 'productId'], message: 'must be a Product ID, but is a Customer ID.' },
    ],
    [
      'a blank discount ID',
      { discounts: [{ discountId: '' }] },
      { path: ['discounts', '0', 'discountId'], message: 'must be a Discount ID, but is blank.' },
    ],
    ['a blank idempotency key', { idempotencyKey: ' ' }, { path: ['idempotencyKey'], message: 'must not be blank.' }],
  ])('rejects %s without an upstream call', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(CREATE_QUOTE, { input: { customerId: CUSTOMER, lines: [LINE], ...fields } }),
    );
    expect(data.quoteCreate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });
});
