import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

async function createProduct(fields: object = {}): Promise<string> {
  const { body } = await call('Catalog/CreateProduct', { name: 'Test lamp', priceOnceMinor: 1_000, vatRate: 0.21, ...fields });
  return body.product.id;
}

const create = (lineItems: object[], fields: object = {}) =>
  call('Quote/CreateQuote', { customerId: demoId('customer 1'), title: 'Test', lineItems, ...fields });

const summarizeError = ({ status, body }: { status: number; body: { code?: string } }) => ({ status, code: body.code });
const INVALID = { status: 400, code: 'invalid_argument' };
const BLOCKED = { status: 409, code: 'failed_precondition' };

describe('quote discounts', () => {
  const withDiscounts = (productId: string, indices: number[], fields: object = {}) =>
    create([{ productId, quantity: 2 }], { discounts: indices.map((index) => ({ discountId: demoId(`discount ${index}`) })), ...fields });

  it('subtract a percentage', spec('4.6.1'), async () => {
    const { body } = await withDiscounts(await createProduct(), [0]);
    expect(body.quote.discounts).toMatchObject([{ discountId: demoId('discount 0'), name: 'Welcome', amountOnceMinor: '200' }]);
    expect(body.quote.totalOnceMinor).toBe('1800');
  });

  it('subtract percentages and fixed amounts by price type', async () => {
    const productId = await createProduct({ priceOnceMinor: 10_000, priceMonthlyMinor: 2_000 });
    const lines = [
      { productId, quantity: 1 },
      { productId, quantity: 1, priceType: 'PUBLIC_PRICE_TYPE_MONTHLY' },
    ];
    const { body } = await create(lines, { discounts: [1, 2, 3].map((index) => ({ discountId: demoId(`discount ${index}`) })) });
    expect(body.quote).toMatchObject({ totalOnceMinor: '7000', totalMonthlyMinor: '900' });
    expect(body.quote.discounts).toMatchObject([
      { name: 'Round sum', amountOnceMinor: '2500' },
      { name: 'Loyalty', amountOnceMinor: '500', amountMonthlyMinor: '100' },
      { name: 'First month', amountMonthlyMinor: '1000' },
    ]);
  });

  it.each([
    ['1.15', 1, 3_000, 1, '35'],
    ['0.35', 1, 11_000, 1, '39'],
    ['0.57', 1, 5_000, 1, '29'],
    ['33.3333333', 100, 1_999_999_999, 500, '33333333283333'],
    ['0.0000001', 100, 1_999_999_999, 500, '100000'],
  ])('subtract %s % of %i large or small lines exactly, rounded half up', async (percent, count, priceOnceMinor, quantity, wanted) => {
    const { store } = opened.sandbox.world;
    const setTo = (value: string) =>
      store.run(`UPDATE discounts SET discount_once = ${value} WHERE id = :id`, { id: demoId('discount 0') });
    const lines = Array(count).fill({ productId: await createProduct({ priceOnceMinor }), quantity });
    setTo(percent);
    try {
      const { body } = await create(lines, { discounts: [{ discountId: demoId('discount 0') }] });
      const total = BigInt(priceOnceMinor * quantity * count);
      const off = BigInt(body.quote.discounts[0].amountOnceMinor);
      expect(String(off)).toBe(wanted);
      expect(body.quote.totalOnceMinor).toBe(String(total - off));
    } finally {
      setTo('10');
    }
  });

  it('never reduce a total below zero', async () => {
    const { body } = await withDiscounts(await createProduct({ priceOnceMinor: 500 }), [0, 1]);
    expect(body.quote.totalOnceMinor ?? '0').toBe('0');
    expect(body.quote.discounts).toMatchObject([{ amountOnceMinor: '100' }, { amountOnceMinor: '900' }]);
  });

  it('use the row of the pricing country instead of the default value', spec('2.5.11'), async () => {
    const { body } = await withDiscounts(await createProduct(), [6], { pricingCountry: 'NL' });
    expect(body.quote.discounts).toMatchObject([{ name: 'Dutch subsidy', amountOnceMinor: '300' }]);
  });

  it('fail if they only have rows of other countries', spec('2.5.11'), async () => {
    const productId = await createProduct();
    expect(summarizeError(await withDiscounts(productId, [6], { pricingCountry: 'DE' }))).toEqual(INVALID);
    expect(summarizeError(await withDiscounts(productId, [4], { pricingCountry: 'NL' }))).toEqual(INVALID);
    expect((await withDiscounts(productId, [4], { pricingCountry: 'BE' })).body.quote.totalOnceMinor).toBe('1850');
  });

  it('apply only to lines of linked products', async () => {
    const [linked, other] = [demoId('product 1'), await createProduct()];
    const lines = [linked, other].map((productId) => ({ productId, quantity: 1 }));
    const { body } = await create(lines, { discounts: [{ discountId: demoId('discount 7') }] });
    const expected = Math.round(Number(body.quote.lineItems[0].totalMinor) * 0.2);
    expect(body.quote.discounts[0].amountOnceMinor).toBe(String(expected));
    expect(summarizeError(await withDiscounts(other, [7]))).toEqual(INVALID);
  });

  it('subtract a linked fixed amount per unit', async () => {
    const { body } = await withDiscounts(demoId('product 4'), [8]);
    expect(body.quote.discounts[0].amountOnceMinor).toBe('200');
  });

  it('apply links of one price type and one country', spec('2.5.9', '2.5.12'), async () => {
    const yearly = (pricingCountry: string, priceType: string) =>
      create([{ productId: demoId('product 10'), quantity: 1, priceType }], {
        pricingCountry,
        discounts: [{ discountId: demoId('discount 10') }],
      });
    const { quote } = (await yearly('DE', 'PUBLIC_PRICE_TYPE_YEARLY')).body;
    expect(quote.discounts[0].amountYearlyMinor).toBe(String(Math.round(Number(quote.lineItems[0].totalMinor) * 0.12)));
    expect(summarizeError(await yearly('NL', 'PUBLIC_PRICE_TYPE_YEARLY'))).toEqual(INVALID);
    expect(summarizeError(await yearly('DE', 'PUBLIC_PRICE_TYPE_ONCE'))).toEqual(INVALID);
  });

  it('don’t subtract a fixed amount in another currency', async () => {
    const productId = await createProduct({ currency: 'USD' });
    expect(summarizeError(await withDiscounts(productId, [5], { pricingCountry: 'BE' }))).toEqual(INVALID);
  });

  it('fail if they’re inactive or duplicates', async () => {
    expect(summarizeError(await withDiscounts(await createProduct(), [12]))).toEqual(BLOCKED);
    expect(summarizeError(await withDiscounts(await createProduct(), [0, 0]))).toEqual(INVALID);
  });
});
