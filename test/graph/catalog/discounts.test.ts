import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

describe('Query.discounts', () => {
  it('lists discounts with their values by country and product', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(`{ discounts(first: 100) {
        isTruncated
        nodes { name group isActive once { ...Value } monthly { ...Value } yearly { ...Value }
          countryPrices { countryCode currencyCode once { ...Value } monthly { ...Value } yearly { ...Value } }
          productDiscounts { productName value { ...Value } durationMonths priceType countryCode currencyCode } }
      } }
      fragment Value on DiscountValue { kind kindText percentage amount { amount currencyCode minorUnits } duration durationText }`),
    );
    const percent = (percentage: string, duration: string | null = null) => ({
      kind: 'PERCENTAGE',
      kindText: 'PUBLIC_DISCOUNT_TYPE_PERCENTAGE',
      percentage,
      amount: null,
      duration,
      durationText: duration && `PUBLIC_DISCOUNT_DURATION_MODE_${duration}`,
    });
    const createFixedValue = (amount: object | null) => ({
      kind: 'FIXED',
      kindText: 'PUBLIC_DISCOUNT_TYPE_FIXED',
      percentage: null,
      amount,
      duration: null,
      durationText: null,
    });
    const euros = (minorUnits: string, amount: string) => ({ minorUnits, amount, currencyCode: 'EUR' });
    const named = new Map<string, object>(data.discounts.nodes.map((node: { name: string }) => [node.name, node]));
    expect(named.get('Welcome')).toEqual({
      name: 'Welcome',
      group: 'new customers',
      isActive: true,
      once: percent('10'),
      monthly: null,
      yearly: null,
      countryPrices: [],
      productDiscounts: [],
    });
    // Uses the currency of the quote that it is applied to.
    expect(named.get('Round sum')).toMatchObject({ once: createFixedValue(null), monthly: null, yearly: null });
    expect(named.get('Belgian autumn')).toMatchObject({
      once: null,
      countryPrices: [
        { countryCode: 'BE', currencyCode: 'EUR', once: percent('7.5'), monthly: percent('10', 'CONTRACT_LONG'), yearly: null },
      ],
    });
    expect(named.get('Border region')).toMatchObject({
      countryPrices: [
        { countryCode: 'BE', once: createFixedValue(euros('5000', '50.00')), yearly: null },
        { countryCode: 'DE', once: createFixedValue(euros('7500', '75.00')), yearly: percent('8', 'PERMANENT') },
      ],
    });
    expect(named.get('German yearly plan')).toMatchObject({
      productDiscounts: [{ value: percent('12'), durationMonths: 12, priceType: 'YEARLY', countryCode: 'DE', currencyCode: 'EUR' }],
    });
    expect(named.get('Per piece')).toMatchObject({
      group: null,
      productDiscounts: [{ value: createFixedValue(euros('100', '1.00')), durationMonths: null, priceType: 'ONCE', countryCode: null }],
    });
    expect([data.discounts.isTruncated, calls]).toEqual([false, ['Catalog/ListDiscounts']]);
  });

  it('filters by folder', async () => {
    const folderId = demoId('folder 1');
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($folderId: ID) { discounts(filter: { folderId: $folderId }) { nodes { rawId } } }', { folderId }),
    );
    const expected = ['discount 1', 'discount 6', 'discount 11'].map((name) => ({ rawId: demoId(name) }));
    expect(data.discounts.nodes).toHaveLength(expected.length);
    expect(data.discounts.nodes).toEqual(expect.arrayContaining(expected));
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });

  it('sets isTruncated if the upstream truncates its list at 100', async () => {
    const { store } = testGraph.sandbox.world;
    const row = store.get<Record<string, string | number>>('SELECT * FROM discounts LIMIT 1') ?? {};
    for (let index = 0; index < 100; index += 1) store.insert('discounts', { ...row, id: `extra ${index}`, name: `Extra ${index}` });
    const { data } = await testGraph.execute('{ discounts(first: 100) { isTruncated nodes { id } pageInfo { hasNextPage } } }');
    store.run("DELETE FROM discounts WHERE id LIKE 'extra %'");
    expect(data.discounts).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: false } });
    expect(data.discounts.nodes).toHaveLength(100);
  });

  it('rejects a blank folder ID without an upstream call', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ discounts(filter: { folderId: "" }) { nodes { id } } }'),
    );
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['filter', 'folderId'] }] } }]);
    expect(calls).toEqual([]);
  });

  it('looks up a discount by global or raw ID', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        'query ($id: ID!, $raw: ID!) { a: discount(id: $id) { name } b: discount(id: $raw) { name } c: discount(id: "none") { name } }',
        {
          id: toGlobalId('Discount', demoId('discount 0')),
          raw: demoId('discount 0'),
        },
      ),
    );
    expect([data, errors]).toEqual([{ a: { name: 'Welcome' }, b: { name: 'Welcome' }, c: null }, undefined]);
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });
});

describe('Product.discounts', () => {
  it('fetches the discounts once for all products, and no product again', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        '{ products(first: 100) { nodes { rawId discounts { nodes { discount { name } product { rawId name } value { kind } } } } } }',
      ),
    );
    const product = data.products.nodes.find(({ rawId }: { rawId: string }) => rawId === demoId('product 2'));
    expect(product.discounts.nodes.map(({ discount }: { discount: { name: string } }) => discount.name).sort()).toEqual([
      'Rows and links',
      'Stock clearance',
    ]);
    expect(product.discounts.nodes[0].product.rawId).toBe(product.rawId);
    expect(data.products.nodes.some(({ discounts }: { discounts: { nodes: object[] } }) => discounts.nodes.length === 0)).toBe(true);
    expect(calls).toEqual(['Catalog/ListProducts', 'Catalog/ListDiscounts']);
  });

  const PAGE = `query ($id: ID!, $first: Int, $after: String) {
    product(id: $id) { discounts(first: $first, after: $after) { nodes { rawId } isTruncated pageInfo { hasNextPage endCursor } } }
  }`;

  it('paginates over one response and rejects cursors from another product', async () => {
    const id = demoId('product 2');
    const page = async (variables: object) => (await testGraph.execute(PAGE, { id, ...variables })).data.product.discounts;
    const both = await page({});
    const first = await page({ first: 1 });
    const second = await page({ first: 1, after: first.pageInfo.endCursor });
    expect(both).toMatchObject({ isTruncated: false, pageInfo: { hasNextPage: false } });
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect([...first.nodes, ...second.nodes]).toEqual(both.nodes);
    const other = { id: demoId('product 4'), after: first.pageInfo.endCursor };
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, other));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['INVALID_CURSOR', []]);
  });

  it('sets isTruncated if the upstream returns 100 discounts', async () => {
    const discounts = Array.from({ length: 100 }, (_, index) => ({ id: `discount-${index}`, name: 'One of many' }));
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListDiscounts', body: JSON.stringify({ discounts }), times: 1 });
    const { data } = await testGraph.execute(PAGE, { id: demoId('product 2') });
    expect(data.product.discounts).toEqual({ nodes: [], isTruncated: true, pageInfo: { hasNextPage: false, endCursor: null } });
  });

  it('resolves from the product ID without fetching the product', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { product(id: $id) { discounts { nodes { productName } } } }', { id: demoId('product 4') }),
    );
    expect(data.product.discounts.nodes).toHaveLength(1);
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });
});
