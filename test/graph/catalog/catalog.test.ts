import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CREATE = `mutation ($input: ProductCreateInput!) {
  productCreate(input: $input) {
    __typename
    ... on ProductCreatePayload {
      product { id rawId name sku description folderId kind isActive vatRate minQuantity maxQuantity hasInfiniteStock
        priceOnce { minorUnits currencyCode amount } priceMonthly { minorUnits } priceYearly { minorUnits }
        countryPrices { countryCode priceOnceMinorUnits vatRate } }
      effect
    }
    ... on ValidationError { issues { path message } }
    ... on ForbiddenError { reason missingScopes }
    ... on MutationError { code }
  }
}`;

const UPDATE = `mutation ($input: ProductUpdateInput!) {
  productUpdate(input: $input) {
    __typename
    ... on ProductUpdatePayload { product { rawId name sku vatRate isActive priceOnce { minorUnits } priceMonthly { minorUnits } countryPrices { countryCode priceOnceMinorUnits } } effect }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on MutationError { code }
  }
}`;

async function createProduct(input: object = {}) {
  const { data } = await testGraph.execute(CREATE, { input: { name: 'Test lamp', ...input } });
  return data.productCreate.product;
}

describe('Query.product', () => {
  it('returns null for missing values, and defaults for fields that the upstream omits', async () => {
    const { rawId } = await createProduct({ isActive: false });
    const { data } = await testGraph.execute(
      `query ($id: ID!) { product(id: $id) { sku description folderId isActive vatRate minQuantity maxQuantity hasInfiniteStock
        priceOnce { minorUnits amount } priceMonthly { amount } priceYearly { amount } countryPrices { countryCode } } }`,
      { id: rawId },
    );
    expect(data.product).toEqual({
      sku: null,
      description: null,
      folderId: null,
      isActive: false,
      vatRate: '0',
      minQuantity: null,
      maxQuantity: null,
      hasInfiniteStock: false,
      priceOnce: { minorUnits: '0', amount: '0.00' },
      priceMonthly: null,
      priceYearly: null,
      countryPrices: [],
    });
  });

  it('returns country-specific prices', async () => {
    const { rawId } = await createProduct({
      priceOnce: { minorUnits: '1000' },
      countryPrices: [
        { countryCode: 'DE', priceOnceMinorUnits: '1100', vatRate: '0.19' },
        { countryCode: 'BE', priceOnceMinorUnits: '0', vatRate: '0' },
      ],
    });
    const { data } = await testGraph.execute(
      'query ($id: ID!) { product(id: $id) { countryPrices { countryCode priceOnceMinorUnits vatRate } } }',
      {
        id: rawId,
      },
    );
    expect(data.product.countryPrices).toEqual([
      { countryCode: 'BE', priceOnceMinorUnits: '0', vatRate: '0' },
      { countryCode: 'DE', priceOnceMinorUnits: '1100', vatRate: '0.19' },
    ]);
  });

  it.each([
    ['EUR', 2_147_483_647, '21474836.47'],
    ['EUR', 5, '0.05'],
    ['JPY', 1_234, '1234'],
    ['KWD', 1_234, '1.234'],
    ['HUF', 1_234, '12.34'],
    ['IQD', 1_234, '1.234'],
    ['BIF', 0, '0'],
  ])('formats %s %i as %s', async (currencyCode, minorUnits, amount) => {
    const { priceOnce } = await createProduct({ currencyCode, priceOnce: { minorUnits } });
    expect(priceOnce).toEqual({ minorUnits: String(minorUnits), currencyCode, amount });
  });
});

describe('Query.products', () => {
  const PAGE = `query ($query: String, $first: Int, $after: String) {
    products(query: $query, first: $first, after: $after) { nodes { rawId isActive } pageInfo { hasNextPage endCursor } }
  }`;

  it('lists active products without a search text, one call per page', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, { first: 20 }));
    expect(data.products.nodes).toHaveLength(20);
    expect(data.products.nodes.every(({ isActive }: { isActive: boolean }) => isActive)).toBe(true);
    expect(data.products.pageInfo.hasNextPage).toBe(true);
    const [next, nextCalls] = await testGraph.recordCalls(() =>
      testGraph.execute(PAGE, { first: 20, after: data.products.pageInfo.endCursor }),
    );
    expect(data.products.nodes).not.toContainEqual(next.data.products.nodes[0]);
    expect([calls, nextCalls]).toEqual([['Catalog/ListProducts'], ['Catalog/ListProducts']]);
  });

  it('searches all products, including inactive ones', async () => {
    const { rawId } = await createProduct({ name: 'Xylophone', isActive: false });
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, { query: 'xyloph' }));
    expect(data.products.nodes).toEqual([{ rawId, isActive: false }]);
    expect(calls).toEqual(['Catalog/SearchProducts']);
  });

  it('rejects the cursor of a search in the list and in another search', async () => {
    const { data } = await testGraph.execute(PAGE, { query: 'SKU', first: 2 });
    const after = data.products.pageInfo.endCursor;
    for (const query of [undefined, 'sku-0']) {
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, { query, after }));
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
      expect(calls).toEqual([]);
    }
  });
});

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
    const fixed = (amount: object | null) => ({
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
    expect(named.get('Round sum')).toMatchObject({ once: fixed(null), monthly: null, yearly: null });
    expect(named.get('Belgian autumn')).toMatchObject({
      once: null,
      countryPrices: [
        { countryCode: 'BE', currencyCode: 'EUR', once: percent('7.5'), monthly: percent('10', 'CONTRACT_LONG'), yearly: null },
      ],
    });
    expect(named.get('Border region')).toMatchObject({
      countryPrices: [
        { countryCode: 'BE', once: fixed(euros('5000', '50.00')), yearly: null },
        { countryCode: 'DE', once: fixed(euros('7500', '75.00')), yearly: percent('8', 'PERMANENT') },
      ],
    });
    expect(named.get('German yearly plan')).toMatchObject({
      productDiscounts: [{ value: percent('12'), durationMonths: 12, priceType: 'YEARLY', countryCode: 'DE', currencyCode: 'EUR' }],
    });
    expect(named.get('Per piece')).toMatchObject({
      group: null,
      productDiscounts: [{ value: fixed(euros('100', '1.00')), durationMonths: null, priceType: 'ONCE', countryCode: null }],
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

describe('Mutation.productCreate', () => {
  it('creates a product that is readable by global and raw ID', async () => {
    const input = {
      name: 'Bench lamp',
      sku: 'BL-1',
      description: 'For benches.',
      folderId: demoId('folder 1'),
      currencyCode: 'EUR',
      priceOnce: { minorUnits: '1999' },
      priceMonthly: { minorUnits: '199' },
      priceYearly: { minorUnits: '1990' },
      vatRate: '0.21',
      minQuantity: 2,
      maxQuantity: 10,
      countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '2099', vatRate: '0.06' }],
    };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input }));
    const { product, effect } = data.productCreate;
    expect(product).toMatchObject({
      name: 'Bench lamp',
      sku: 'BL-1',
      description: 'For benches.',
      folderId: demoId('folder 1'),
      kind: 'SIMPLE',
      isActive: true,
      vatRate: '0.21',
      minQuantity: 2,
      maxQuantity: 10,
      priceOnce: { minorUnits: '1999', currencyCode: 'EUR', amount: '19.99' },
      priceMonthly: { minorUnits: '199' },
      priceYearly: { minorUnits: '1990' },
      countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '2099', vatRate: '0.06' }],
    });
    expect([effect, calls]).toEqual(['DONE', ['Catalog/CreateProduct']]);
    const read = await testGraph.execute('query ($id: ID!, $raw: ID!) { a: product(id: $id) { name } b: product(id: $raw) { name } }', {
      id: product.id,
      raw: product.rawId,
    });
    expect(read.data).toEqual({ a: { name: 'Bench lamp' }, b: { name: 'Bench lamp' } });
  });

  it('reports every invalid field', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(CREATE, {
        input: {
          name: ' ',
          vatRate: '1.5',
          priceOnce: { minorUnits: '-1' },
          countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '-1', vatRate: '0' }],
        },
      }),
    );
    expect(data.productCreate).toEqual({
      __typename: 'ValidationError',
      code: 'BAD_USER_INPUT',
      issues: [
        { path: ['name'], message: 'must not be blank.' },
        { path: ['priceOnce', 'minorUnits'], message: 'must be at least 0, but is -1.' },
        { path: ['vatRate'], message: 'must be at most 1, but is 1.5.' },
        { path: ['countryPrices', '0', 'priceOnceMinorUnits'], message: 'must be at least 0, but is -1.' },
      ],
    });
    expect(calls).toEqual(['Catalog/CreateProduct']);
  });

  it('returns validation errors that only the upstream detects', async () => {
    const { data } = await testGraph.execute(CREATE, { input: { name: 'Odd', minQuantity: 5, maxQuantity: 4 } });
    expect(data.productCreate).toMatchObject({ __typename: 'ValidationError', issues: [{ path: ['minQuantity'] }] });
    expect(data.productCreate.issues[0].message).toMatch(/^must not exceed max_quantity, but 5 is greater than 4/);
  });

  it('returns PERMISSION_OR_RESOURCE if the account lacks permission', async () => {
    const { data } = await testGraph.executeAs('demo-restricted', CREATE, { input: { name: 'Nobody' } });
    expect(data.productCreate).toMatchObject({ __typename: 'ForbiddenError', reason: 'PERMISSION_OR_RESOURCE', missingScopes: [] });
  });
});

describe('Mutation.productUpdate', () => {
  it('updates specified fields, preserves omitted fields, and clears null fields', async () => {
    const product = await createProduct({
      sku: 'TL-1',
      priceOnce: { minorUnits: '1000' },
      priceMonthly: { minorUnits: '100' },
      countryPrices: [{ countryCode: 'BE', priceOnceMinorUnits: '1100', vatRate: '0.06' }],
    });
    const input = {
      productId: product.id,
      priceOnce: { minorUnits: '1200' },
      sku: null,
      isActive: false,
      countryPrices: [
        { countryCode: 'BE', priceOnceMinorUnits: '1300', vatRate: '0.06' },
        { countryCode: 'DE', priceOnceMinorUnits: '1400', vatRate: '0.19' },
      ],
    };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
    expect(data.productUpdate.product).toEqual({
      rawId: product.rawId,
      name: 'Test lamp',
      sku: null,
      vatRate: '0',
      isActive: false,
      priceOnce: { minorUnits: '1200' },
      priceMonthly: { minorUnits: '100' },
      countryPrices: [
        { countryCode: 'BE', priceOnceMinorUnits: '1300' },
        { countryCode: 'DE', priceOnceMinorUnits: '1400' },
      ],
    });
    expect(calls).toEqual(['Catalog/UpdateProduct']);
  });

  it('replays for a repeated key without overwriting a later update', async () => {
    const { rawId } = await createProduct();
    const input = { productId: rawId, name: 'Mine', idempotencyKey: 'product-mine' };
    await testGraph.execute(UPDATE, { input });
    await testGraph.execute(UPDATE, { input: { productId: rawId, name: 'Theirs' } });
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
    expect(data.productUpdate).toMatchObject({ effect: 'REPLAYED', product: { name: 'Theirs' } });
    expect(calls).toEqual(['Catalog/GetProduct']);
  });

  it.each([['a blank SKU', { productId: 'p', sku: ' ' }, { path: ['sku'], message: 'must not be blank. Send null to clear it.' }]])(
    'rejects %s without an upstream call',
    async (_case, input, issue) => {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input }));
      expect(data.productUpdate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
      expect(calls).toEqual([]);
    },
  );

  it('returns the upstream’s ValidationError for a blank name', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input: { productId: 'p', name: '\t' } }));
    const issues = [{ path: ['name'], message: 'must not be blank.' }];
    expect(data.productUpdate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues });
    expect(calls).toEqual(['Catalog/UpdateProduct']);
  });

  it('rejects null for each non-nullable field without an upstream call', async () => {
    const required = ['name', 'currencyCode', 'priceOnce', 'priceMonthly', 'priceYearly', 'vatRate', 'isActive', 'minQuantity'];
    const cleared = Object.fromEntries([...required, 'maxQuantity', 'countryPrices'].map((name) => [name, null]));
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(UPDATE, { input: { productId: 'p', ...cleared } }));
    const message = 'can’t be cleared. Omit it to leave it unchanged.';
    const paths = data.productUpdate.issues.map(({ path }: { path: string[] }) => path.join('.'));
    expect(paths.toSorted()).toEqual(Object.keys(cleared).toSorted());
    const emptied = await testGraph.execute(UPDATE, { input: { productId: 'p', countryPrices: [] } });
    expect(emptied.data.productUpdate.issues).toEqual([{ path: ['countryPrices'], message }]);
    expect(calls).toEqual([]);
  });
});
