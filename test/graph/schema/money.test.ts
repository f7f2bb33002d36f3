import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CREATE = `mutation ($input: ProductCreateInput!) {
  productCreate(input: $input) {
    __typename
    ... on ProductCreatePayload {
      product { rawId vatRate priceOnce { minorUnits currencyCode amount } priceMonthly { minorUnits } }
    }
    ... on ValidationError { issues { path message } }
    ... on MutationError { code }
  }
}`;

const UPDATE = `mutation ($input: ProductUpdateInput!) {
  productUpdate(input: $input) {
    __typename
    ... on ProductUpdatePayload { product { priceOnce { minorUnits } } }
    ... on ValidationError { issues { path message } }
    ... on MutationError { code }
  }
}`;

async function createProduct(input: object = {}) {
  const { data } = await testGraph.execute(CREATE, { input: { name: 'Test lamp', ...input } });
  return data.productCreate.product;
}

describe('Product.priceOnce', () => {
  it('resolves to null for an unknown currency, whose minor units can’t be interpreted', async () => {
    const product = { id: 'p', currency: 'ZZZ', priceOnce: 1_234 };
    testGraph.sandbox.faults.add({ operation: 'Catalog/GetProduct', status: 200, body: JSON.stringify({ product }), times: 1 });
    expect((await testGraph.execute('{ product(id: "p") { currencyCode priceOnce { amount } } }')).data).toEqual({
      product: { currencyCode: 'ZZZ', priceOnce: null },
    });
  });
});

describe('Product.currencyCode', () => {
  it.each(['ABC', 'ZZZ', 'XXX', 'eur', 'EURO'])('can’t be set to %s, whose amounts would be unreadable', async (currencyCode) => {
    const input = { name: 'Test lamp', currencyCode, priceOnce: { minorUnits: 1_234 } };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input }));
    expect([data, errors?.map(({ extensions }) => extensions?.code), calls]).toEqual([undefined, ['BAD_USER_INPUT'], []]);
    expect(errors?.[0]?.message).toContain(`CurrencyCode must be an ISO 4217 currency code, such as EUR, but is "${currencyCode}".`);
  });

  it.each([
    ['EUR', '12.34'],
    ['JPY', '1234'],
    ['KWD', '1.234'],
    ['HUF', '12.34'],
    ['XCG', '12.34'],
  ])('can be set to %s, so that 1234 minor units are %s', async (currencyCode, amount) => {
    expect(await createProduct({ currencyCode, priceOnce: { minorUnits: 1_234 } })).toMatchObject({ priceOnce: { currencyCode, amount } });
  });
});

describe('Product.vatRate', () => {
  it.each([
    [0.21, '0.21'],
    [0.1 + 0.2, '0.3'],
    [1 - 0.9, '0.1'],
    [0.123456789012345, '0.123456789012345'],
    [1e-7, '0.0000001'],
    [1.5e-10, '0.00000000015'],
    [0, '0'],
    [-0, '0'],
    [-0.5, '-0.5'],
    [1e21, '1000000000000000000000'],
    ['0.0600', '0.0600'],
    ['6e-2', '0.06'],
    [undefined, '0'],
    [null, '0'],
  ])('converts %s to %s', async (vatRate, text) => {
    // Raw JSON, because JSON.stringify would drop the sign of -0.
    const body = JSON.stringify({ product: { id: 'p', vatRate } });
    testGraph.sandbox.faults.add({ operation: 'Catalog/GetProduct', status: 200, body, times: 1 });
    expect((await testGraph.execute('{ product(id: "p") { vatRate } }')).data).toEqual({ product: { vatRate: text } });
  });

  it.each(['NaN', 'Infinity', '', 'much', true, {}])('fails if the upstream returns %j', async (vatRate) => {
    const body = JSON.stringify({ product: { id: 'p', vatRate } });
    testGraph.sandbox.faults.add({ operation: 'Catalog/GetProduct', status: 200, body, times: 1 });
    const { data, errors } = await testGraph.execute('{ product(id: "p") { vatRate } }');
    expect(data).toEqual({ product: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
  });
});

describe('DiscountValue', () => {
  it.each([
    ['0 without a type', { discountOnce: 0, discountOnceType: 'PUBLIC_DISCOUNT_TYPE_UNSPECIFIED' }, null],
    ['no discount', {}, null],
    ['0 %', { discountOnceType: 'PUBLIC_DISCOUNT_TYPE_PERCENTAGE' }, { kind: 'PERCENTAGE', percentage: '0', amount: null }],
    ['5 without a type', { discountOnce: 5 }, { kind: 'OTHER', kindText: null, percentage: null, amount: null }],
    [
      '5 of an unknown type',
      { discountOnce: 5, discountOnceType: 'PUBLIC_DISCOUNT_TYPE_POINTS' },
      { kind: 'OTHER', kindText: 'PUBLIC_DISCOUNT_TYPE_POINTS', percentage: null, amount: null },
    ],
    [
      'an amount without a currency',
      { discountOnce: 500, discountOnceType: 'PUBLIC_DISCOUNT_TYPE_FIXED', currency: '' },
      { kind: 'FIXED', percentage: null, amount: null },
    ],
  ])('returns %s', async (_case, price, once) => {
    const body = JSON.stringify({ discounts: [{ id: 'd', countryPrices: [{ countryCode: 'BE', currency: 'EUR', ...price }] }] });
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListDiscounts', status: 200, body, times: 1 });
    const { data, errors } = await testGraph.execute(
      '{ discounts { nodes { countryPrices { once { kind kindText percentage amount { minorUnits } } } } } }',
    );
    expect(errors).toBeUndefined();
    const [countryPrice] = data.discounts.nodes[0].countryPrices;
    if (once) expect(countryPrice.once).toMatchObject(once);
    else expect(countryPrice).toEqual({ once });
  });

  it.each([2_500.5, 'many', 1e300])('fails only the amount for %s minor units', async (discountAmount) => {
    const link = { id: 'l', currency: 'EUR', discountType: 'PUBLIC_DISCOUNT_TYPE_FIXED', discountAmount };
    const body = JSON.stringify({ discounts: [{ id: 'd', name: 'Odd', productDiscounts: [link] }] });
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListDiscounts', status: 200, body, times: 1 });
    const { data, errors } = await testGraph.execute(
      '{ discounts { nodes { name productDiscounts { value { kind amount { minorUnits } } } } } }',
    );
    expect(data.discounts.nodes).toEqual([{ name: 'Odd', productDiscounts: [{ value: { kind: 'FIXED', amount: null } }] }]);
    expect(errors).toMatchObject([{ path: expect.arrayContaining(['amount']), extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
  });
});

describe('prices of Mutation.productCreate', () => {
  const MAX = '2147483647';
  const usd = { minorUnits: '1', currencyCode: 'USD' };
  const inEuros = { minorUnits: '1', currencyCode: 'EUR' };
  const NOT_USD = 'must be EUR, the currency of the record, but is USD.';
  it.each<[string, object, object]>([
    [
      'a price of more than 32 bits',
      { priceYearly: { minorUnits: '2147483648' } },
      { path: ['priceYearly', 'minorUnits'], message: `must be at most ${MAX}, but is 2147483648.` },
    ],
    [
      'a country price of more than 32 bits',
      { countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '9223372036854775807', vatRate: '0' }] },
      { path: ['countryPrices', '0', 'priceOnceMinorUnits'], message: `must be at most ${MAX}, but is 9223372036854775807.` },
    ],
    [
      'a VAT rate with more digits than the upstream stores',
      { vatRate: '0.30000000000000004' },
      { path: ['vatRate'], message: 'must have at most 15 significant digits, but has 17.' },
    ],
    [
      'a country’s VAT rate with more digits',
      { countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '1', vatRate: '0.1234567890123456' }] },
      { path: ['countryPrices', '0', 'vatRate'], message: 'must have at most 15 significant digits, but has 16.' },
    ],
    [
      'a price in another currency than the product',
      { currencyCode: 'EUR', priceMonthly: usd },
      { path: ['priceMonthly', 'currencyCode'], message: NOT_USD },
    ],
    [
      'prices in two currencies',
      { priceOnce: inEuros, priceMonthly: { minorUnits: '1' }, priceYearly: usd },
      { path: ['priceYearly', 'currencyCode'], message: NOT_USD },
    ],
  ])('reject %s without a call', async (_case, fields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input: { name: 'Odd', ...fields } }));
    expect(data.productCreate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('determine the currency of the product', async () => {
    const prices = { priceOnce: { minorUnits: MAX }, priceMonthly: { minorUnits: '1', currencyCode: 'CHF' } };
    expect(await createProduct({ ...prices, vatRate: '0.250' })).toMatchObject({
      vatRate: '0.25',
      priceOnce: { minorUnits: MAX, amount: '21474836.47', currencyCode: 'CHF' },
    });
    const { request } = testGraph.sandbox.received.at(-1) ?? {};
    expect(request).toEqual({
      name: 'Test lamp',
      currency: 'CHF',
      priceOnceMinor: 2_147_483_647,
      priceMonthlyMinor: 1,
      vatRate: 0.25,
      sku: '',
      description: '',
      countryPrices: [],
    });
  });

  it('accept a VAT rate as a string or integer only', async () => {
    expect((await createProduct({ vatRate: 1 })).vatRate).toBe('1');
    const { status, errors } = await testGraph.execute(CREATE, { input: { name: 'Odd', vatRate: 0.21 } });
    expect(status).toBe(400);
    expect(errors?.[0]?.message).toContain('Decimal must be a decimal string of at most 100 characters, such as "0.21", but is 0.21.');
  });
});

describe('prices of Mutation.productUpdate', () => {
  it('cause a read of the product only if a currency must be compared', async () => {
    const { rawId: productId } = await createProduct({ currencyCode: 'EUR', priceOnce: { minorUnits: '100' } });
    const change = (fields: object) => testGraph.recordCalls(() => testGraph.execute(UPDATE, { input: { productId, ...fields } }));
    const [same, calls] = await change({ priceOnce: { minorUnits: '200', currencyCode: 'EUR' } });
    expect(same.data.productUpdate).toMatchObject({ product: { priceOnce: { minorUnits: '200' } } });
    expect(calls).toEqual(['Catalog/GetProduct', 'Catalog/UpdateProduct']);
    const [other, otherCalls] = await change({ priceMonthly: { minorUnits: '300', currencyCode: 'USD' } });
    expect(other.data.productUpdate).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['priceMonthly', 'currencyCode'], message: 'must be EUR, the currency of the record, but is USD.' }],
    });
    expect(otherCalls).toEqual(['Catalog/GetProduct']);
    const [moved, movedCalls] = await change({ currencyCode: 'USD', priceOnce: { minorUnits: '300', currencyCode: 'USD' } });
    expect(moved.data.productUpdate).toMatchObject({ product: { priceOnce: { minorUnits: '300' } } });
    expect(movedCalls).toEqual(['Catalog/UpdateProduct']);
  });

  it('return NotFoundError for a missing product without comparing currencies', async () => {
    const input = { productId: 'nothing', priceOnce: { minorUnits: '1', currencyCode: 'EUR' } };
    expect((await testGraph.execute(UPDATE, { input })).data.productUpdate).toMatchObject({ __typename: 'NotFoundError' });
  });
});
