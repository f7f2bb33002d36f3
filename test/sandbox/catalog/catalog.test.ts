import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const names = (products: { name: string }[] = []) => products.map(({ name }) => name);

async function createProduct(fields: object = {}) {
  const { body } = await call('Catalog/CreateProduct', { name: 'Test lamp', priceOnceMinor: 1_000, vatRate: 0.21, ...fields });
  return body.product;
}

describe('Catalog/ListProducts', () => {
  it('lists only active products', spec('4.5.1'), async () => {
    opened.requiresDemoData();
    const hidden = await createProduct({ name: '0 hidden', isActive: false });
    const active = await createProduct({ name: '0 shown' });
    const { body } = await call('Catalog/ListProducts', { pageSize: 100 });
    const ids = body.products.map(({ id }: { id: string }) => id);
    expect(ids).toContain(active.id);
    expect(ids).not.toContain(hidden.id);
    expect(ids).not.toContain(demoId('product 7'));
    expect(body.products.every(({ isActive }: { isActive: boolean }) => isActive)).toBe(true);
  });

  it('paginates without gaps, and returns hasMore', spec('2.1.6', '2.1.7'), async () => {
    opened.requiresDemoData();
    const whole = await call('Catalog/ListProducts', { pageSize: 100 });
    const first = await call('Catalog/ListProducts', { pageSize: 10 });
    const second = await call('Catalog/ListProducts', { page: 2, pageSize: 10 });
    expect(first.body.hasMore).toBe(true);
    expect(whole.body.hasMore ?? false).toBe(false);
    expect([...first.body.products, ...second.body.products]).toEqual(whole.body.products.slice(0, 20));
  });

  it('requires no permission beyond the scope', async () => {
    expect((await callAs('demo-restricted', 'Catalog/ListProducts', {})).status).toBe(200);
    expect((await callAs('demo-creator', 'Catalog/ListProducts', {})).status).toBe(403);
  });
});

describe('Catalog/SearchProducts', () => {
  it.each(['zebra LAMP', 'zl-77', 'striped shade'])('finds %s in name, SKU or description, ignoring case', spec('4.5.3'), async (query) => {
    const product = await createProduct({ name: 'Zebra lamp', sku: 'ZL-77', description: 'With a striped shade.' });
    const { body } = await call('Catalog/SearchProducts', { query });
    expect(body.products.map(({ id }: { id: string }) => id)).toContain(product.id);
  });

  it('finds inactive products', async () => {
    await createProduct({ name: 'Retired kettle', isActive: false });
    expect(names((await call('Catalog/SearchProducts', { query: 'retired kettle' })).body.products)).toEqual(['Retired kettle']);
  });

  it('treats a percent sign literally', async () => {
    await createProduct({ name: 'Half price 50% lamp' });
    expect(names((await call('Catalog/SearchProducts', { query: '50%' })).body.products)).toEqual(['Half price 50% lamp']);
    expect((await call('Catalog/SearchProducts', { query: '5%lamp' })).body.products ?? []).toEqual([]);
  });

  it('requires read access to settings or inventory', spec('5.22'), async () => {
    expect((await callAs('demo-sales', 'Catalog/SearchProducts', { query: 'a' })).status).toBe(200);
    expect((await callAs('demo-warehouse', 'Catalog/SearchProducts', { query: 'a' })).status).toBe(200);
    const refused = await callAs('demo-restricted', 'Catalog/SearchProducts', { query: 'a' });
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'permission_denied' });
  });

  it('doesn’t find products of another workspace', async () => {
    await callAs('demo-neighbour', 'Catalog/CreateProduct', { name: 'Only next door' });
    expect((await call('Catalog/SearchProducts', { query: 'only next door' })).body.products ?? []).toEqual([]);
  });
});

describe('Catalog/GetProduct', spec('4.5.4'), () => {
  it('returns bundles and inactive products', async () => {
    opened.requiresDemoData();
    expect((await call('Catalog/GetProduct', { id: demoId('product 0') })).body.product.type).toBe('PUBLIC_PRODUCT_TYPE_BUNDLE');
    expect((await call('Catalog/GetProduct', { id: demoId('product 7') })).body.product.isActive ?? false).toBe(false);
    expect((await call('Catalog/GetProduct', { id: demoId('product 13') })).body.product.hasInfiniteStock).toBe(true);
  });

  it('returns not found for a product of another workspace', async () => {
    expect((await callAs('demo-neighbour', 'Catalog/GetProduct', { id: demoId('product 1') })).status).toBe(404);
  });
});

describe('Catalog/CreateProduct', () => {
  it(
    'defaults to an active, simple product in the root folder with the workspace’s currency',
    spec('2.4.2', '2.4.4', '2.4.10'),
    async () => {
      const { status, body } = await call('Catalog/CreateProduct', { name: 'Bare' });
      expect(status).toBe(200);
      expect(body.product).toMatchObject({ name: 'Bare', isActive: true, currency: 'EUR', type: 'PUBLIC_PRODUCT_TYPE_SIMPLE' });
      expect({ folder: body.product.folderId ?? '', sku: body.product.sku ?? '' }).toEqual({ folder: '', sku: '' });
      expect(body.product).not.toHaveProperty('priceMonthly');
    },
  );

  it(
    'stores every field',
    spec('2.1.2', '2.1.3', '2.4.1', '2.4.3', '2.4.5', '2.4.6', '2.4.7', '2.4.8', '2.4.9', '2.4.11', '2.4.14'),
    async () => {
      const fields = {
        name: 'Full',
        sku: 'F-1',
        description: 'All of it.',
        folderId: demoId('folder 1'),
        currency: 'USD',
        vatRate: 0.21,
        isActive: true,
        minQuantity: 2,
        maxQuantity: 9,
        countryPrices: [{ countryCode: 'BE', priceOnceMinor: 1_100, vatRate: 0.06 }],
      };
      const prices = { priceOnceMinor: 1_000, priceMonthlyMinor: 100, priceYearlyMinor: 900 };
      const { body } = await call('Catalog/CreateProduct', { ...fields, ...prices });
      expect(body.product).toMatchObject({ ...fields, priceOnce: 1_000, priceMonthly: 100, priceYearly: 900 });
      expect((await call('Catalog/GetProduct', { id: body.product.id })).body).toEqual(body);
    },
  );

  it('creates another product when repeated', spec('4.5.5'), async () => {
    const [one, other] = [await createProduct({ name: 'Twin' }), await createProduct({ name: 'Twin' })];
    expect(one.id).not.toBe(other.id);
    expect((await call('Catalog/SearchProducts', { query: 'Twin' })).body.products).toHaveLength(2);
  });

  it.each([
    ['a blank name', { name: '  ' }],
    ['a negative price', { name: 'x', priceOnceMinor: -1 }],
    ['a VAT rate as a percentage', { name: 'x', vatRate: 21 }],
    ['an invalid currency code', { name: 'x', currency: 'euro' }],
    ['a minimum quantity above the maximum', { name: 'x', minQuantity: 5, maxQuantity: 4 }],
  ])('rejects %s', async (_what, request) => {
    const { status, body } = await call('Catalog/CreateProduct', request);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_argument' });
  });

  it('requires write access to settings', async () => {
    expect((await callAs('demo-restricted', 'Catalog/CreateProduct', { name: 'x' })).status).toBe(403);
  });
});

describe('Catalog/UpdateProduct', () => {
  it('updates specified fields, and preserves the others', spec('4.5.6'), async () => {
    const before = await createProduct({ sku: 'KEEP', description: 'Old.', priceMonthlyMinor: 50, folderId: demoId('folder 1') });
    const { body } = await call('Catalog/UpdateProduct', { id: before.id, name: 'New lamp', description: '', isActive: false });
    const { name: _name, description: _description, isActive: _isActive, ...unchanged } = before;
    expect(body.product).toMatchObject({ ...unchanged, name: 'New lamp' });
    expect(body.product.description ?? '').toBe('');
    expect(body.product.isActive ?? false).toBe(false);
    expect((await call('Catalog/GetProduct', { id: before.id })).body).toEqual(body);
  });

  it('replaces the price of a specified country, and preserves those of other countries', spec('2.4.12', '2.4.13'), async () => {
    const belgian = { countryCode: 'BE', priceOnceMinor: 1_100, vatRate: 0.21 };
    const german = { countryCode: 'DE', priceOnceMinor: 1_200, vatRate: 0.19 };
    const { id } = await createProduct({ countryPrices: [belgian, german] });
    const changed = { ...belgian, priceOnceMinor: 990, vatRate: 0.06 };
    const { body } = await call('Catalog/UpdateProduct', { id, countryPrices: [changed] });
    expect(body.product.countryPrices).toEqual([changed, german]);
  });

  it('rejects a minimum quantity above the current maximum, and changes nothing', async () => {
    const before = await createProduct({ maxQuantity: 4 });
    expect((await call('Catalog/UpdateProduct', { id: before.id, name: 'Changed', minQuantity: 5 })).status).toBe(400);
    expect((await call('Catalog/GetProduct', { id: before.id })).body.product).toEqual(before);
  });

  it('returns not found for a product of another workspace', async () => {
    expect((await callAs('demo-neighbour', 'Catalog/UpdateProduct', { id: demoId('product 1'), name: 'Mine' })).status).toBe(404);
  });

  it('requires write access to settings', async () => {
    expect((await callAs('demo-restricted', 'Catalog/UpdateProduct', { id: demoId('product 1'), name: 'x' })).status).toBe(403);
  });
});

describe('Catalog/ListDiscounts', () => {
  const discountNamed = async (name: string) => {
    const { body } = await call('Catalog/ListDiscounts', {});
    return body.discounts.find((discount: { name: string }) => discount.name === name);
  };

  it('returns default values with their types', spec('1.12', '2.5.1', '2.5.2', '2.5.3'), async () => {
    opened.requiresDemoData();
    expect(await discountNamed('Welcome')).toMatchObject({
      id: demoId('discount 0'),
      discountGroup: 'new customers',
      discountOnce: 10,
      discountOnceType: 'PUBLIC_DISCOUNT_TYPE_PERCENTAGE',
      isActive: true,
    });
  });

  it('returns country rows', spec('2.5.4', '2.5.6'), async () => {
    const { countryPrices } = await discountNamed('Border region');
    expect(countryPrices).toMatchObject([
      { countryCode: 'BE', currency: 'EUR', discountOnce: 5_000, discountOnceType: 'PUBLIC_DISCOUNT_TYPE_FIXED' },
      { countryCode: 'DE', discountYearly: 8, discountYearlyDurationMode: 'PUBLIC_DISCOUNT_DURATION_MODE_PERMANENT' },
    ]);
  });

  it('returns product links', spec('2.5.7', '2.5.8'), async () => {
    opened.requiresDemoData();
    const { product } = (await call('Catalog/GetProduct', { id: demoId('product 6') })).body;
    const { id, productDiscounts } = await discountNamed('Half a year off');
    expect(productDiscounts).toMatchObject([
      {
        discountId: id,
        productId: product.id,
        productName: product.name,
        discountType: 'PUBLIC_DISCOUNT_TYPE_PERCENTAGE',
        discountAmount: 50,
        durationMonths: 6,
        priceType: 'PUBLIC_PRICE_TYPE_MONTHLY',
        currency: 'EUR',
      },
    ]);
  });

  it('marks inactive discounts', spec('2.5.10'), async () => {
    expect((await discountNamed('Withdrawn')).isActive ?? false).toBe(false);
  });

  it('filters by folder', spec('4.5.7'), async () => {
    const { body } = await call('Catalog/ListDiscounts', { folderId: demoId('folder 1') });
    expect(body.discounts.map(({ id }: { id: string }) => id).sort()).toEqual(
      [1, 6, 11].map((index) => demoId(`discount ${index}`)).sort(),
    );
  });

  it('returns as many rows as requested, up to 100', spec('4.5.8', '4.5.9', '8.4'), async () => {
    const all = await call('Catalog/ListDiscounts', {});
    const some = await call('Catalog/ListDiscounts', { pageSize: 3 });
    expect(some.body.discounts).toEqual(all.body.discounts.slice(0, 3));

    const { store } = opened.sandbox.world;
    const [template] = store.all<Record<string, string | number>>('SELECT * FROM discounts WHERE id = :id', { id: demoId('discount 0') });
    for (let index = 0; index < 110; index += 1) store.insert('discounts', { ...template, id: `more ${index}`, name: `zz ${index}` });
    expect((await call('Catalog/ListDiscounts', {})).body.discounts).toHaveLength(100);
    expect((await call('Catalog/ListDiscounts', { pageSize: 101 })).body.discounts).toHaveLength(100);
  });
});
