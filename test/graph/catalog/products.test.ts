import { describe, expect, it } from 'vitest';
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
    const { data } = await testGraph.executeAs('demo-restricted', CREATE, { input: { name: 'Absent' } });
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
