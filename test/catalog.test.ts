import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../src/schema/globalIds.ts';
import { makeKey } from './sandbox/makeKey.ts';
import { demoId } from './sandbox/sandbox.ts';
import { useWorld } from './world.ts';

const world = useWorld();

const CREATE = `mutation ($input: ProductCreateInput!) {
  productCreate(input: $input) {
    __typename
    ... on ProductCreatePayload {
      product { id rawId name sku description folderId type isActive vatRate minQuantity maxQuantity hasInfiniteStock
        priceOnce { minorUnits currencyCode amount } priceMonthly { minorUnits } priceYearly { minorUnits }
        countryPrices { countryCode priceOnceMinor vatRate } }
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
    ... on ProductUpdatePayload { product { rawId name sku vatRate isActive priceOnce { minorUnits } priceMonthly { minorUnits } countryPrices { countryCode priceOnceMinor } } effect }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { id }
    ... on MutationError { code }
  }
}`;

async function makeProduct(input: object = {}) {
  const { data } = await world.graph(CREATE, { input: { name: 'Test lamp', ...input } });
  return data.productCreate.product;
}

describe('Query.product', () => {
  const READ = 'query ($id: ID!) { product(id: $id) { id rawId name } }';

  it('finds a product by its global and by its raw id, in one call', async () => {
    const rawId = demoId('product 1');
    const [byRaw, calls] = await world.calls(() => world.graph(READ, { id: rawId }));
    expect(byRaw.data.product).toMatchObject({ id: toGlobalId('Product', rawId), rawId });
    expect(calls).toEqual(['Catalog/GetProduct']);
    const byGlobal = await world.graph(READ, { id: byRaw.data.product.id });
    expect(byGlobal.data).toEqual(byRaw.data);
  });

  it('answers null for a product that does not exist, even when only its id is asked for', async () => {
    const [{ data, errors }, calls] = await world.calls(() => world.graph('{ product(id: "nothing") { id } }'));
    expect([data, errors]).toEqual([{ product: null }, undefined]);
    expect(calls).toEqual(['Catalog/GetProduct']);
  });

  it.each([
    ['a blank id', '  ', 'id must be the id of a Product, but is blank.'],
    ['the id of a quote', toGlobalId('Quote', 'q1'), 'id must be the id of a Product, but is the id of a Quote.'],
  ])('refuses %s, and sends nothing', async (_case, id, message) => {
    const [{ data, errors }, calls] = await world.calls(() => world.graph(READ, { id }));
    expect(data).toEqual({ product: null });
    expect(errors).toMatchObject([{ message, path: ['product'], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toEqual([]);
  });

  it('answers null where a product has no value, and its defaults where the upstream leaves them out', async () => {
    const { rawId } = await makeProduct({ isActive: false });
    const { data } = await world.graph(
      `query ($id: ID!) { product(id: $id) { sku description folderId isActive vatRate minQuantity maxQuantity hasInfiniteStock
        priceOnce { minorUnits amount } priceMonthly { amount } priceYearly { amount } countryPrices { countryCode } } }`,
      { id: rawId },
    );
    expect(data.product).toEqual({
      sku: null,
      description: null,
      folderId: null,
      isActive: false,
      vatRate: 0,
      minQuantity: null,
      maxQuantity: null,
      hasInfiniteStock: false,
      priceOnce: { minorUnits: '0', amount: '0.00' },
      priceMonthly: null,
      priceYearly: null,
      countryPrices: [],
    });
  });

  it('answers the prices of countries that have their own', async () => {
    const { rawId } = await makeProduct({
      priceOnceMinor: 1_000,
      countryPrices: [
        { countryCode: 'DE', priceOnceMinor: 1_100, vatRate: 0.19 },
        { countryCode: 'BE', priceOnceMinor: 0, vatRate: 0 },
      ],
    });
    const { data } = await world.graph('query ($id: ID!) { product(id: $id) { countryPrices { countryCode priceOnceMinor vatRate } } }', {
      id: rawId,
    });
    expect(data.product.countryPrices).toEqual([
      { countryCode: 'BE', priceOnceMinor: 0, vatRate: 0 },
      { countryCode: 'DE', priceOnceMinor: 1_100, vatRate: 0.19 },
    ]);
  });

  it.each([
    ['EUR', 2_147_483_647, '21474836.47'],
    ['EUR', 5, '0.05'],
    ['JPY', 1_234, '1234'],
    ['KWD', 1_234, '1.234'],
    ['ZZZ', 1_234, null],
  ])('answers %s %i exactly, as %s', async (currencyCode, priceOnceMinor, amount) => {
    const { priceOnce } = await makeProduct({ currencyCode, priceOnceMinor });
    expect(priceOnce).toEqual({ minorUnits: String(priceOnceMinor), currencyCode, amount });
  });
});

describe('Query.products', () => {
  const PAGE = `query ($query: String, $first: Int, $after: String) {
    products(query: $query, first: $first, after: $after) { nodes { rawId isActive } pageInfo { hasNextPage endCursor } }
  }`;

  it('lists the active products when no text is given, one call a page', async () => {
    const [{ data }, calls] = await world.calls(() => world.graph(PAGE, { first: 20 }));
    expect(data.products.nodes).toHaveLength(20);
    expect(data.products.nodes.every(({ isActive }: { isActive: boolean }) => isActive)).toBe(true);
    expect(data.products.pageInfo.hasNextPage).toBe(true);
    const [next, nextCalls] = await world.calls(() => world.graph(PAGE, { first: 20, after: data.products.pageInfo.endCursor }));
    expect(data.products.nodes).not.toContainEqual(next.data.products.nodes[0]);
    expect([calls, nextCalls]).toEqual([['Catalog/ListProducts'], ['Catalog/ListProducts']]);
  });

  it('searches all products when a text is given, inactive ones too', async () => {
    const { rawId } = await makeProduct({ name: 'Xylophone', isActive: false });
    const [{ data }, calls] = await world.calls(() => world.graph(PAGE, { query: 'xyloph' }));
    expect(data.products.nodes).toEqual([{ rawId, isActive: false }]);
    expect(calls).toEqual(['Catalog/SearchProducts']);
  });

  it('refuses the cursor of a search in the list, and of another search', async () => {
    const { data } = await world.graph(PAGE, { query: 'SKU', first: 2 });
    const after = data.products.pageInfo.endCursor;
    for (const query of [undefined, 'sku-0']) {
      const [{ errors }, calls] = await world.calls(() => world.graph(PAGE, { query, after }));
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_CURSOR' } }]);
      expect(calls).toEqual([]);
    }
  });

  it('names the missing scope, and sends nothing', async () => {
    const key = makeKey(world.sandbox.world, { scopes: ['me:read'] });
    const [{ data, errors }, calls] = await world.calls(() => world.graphAs(key, '{ products { nodes { id } } }'));
    expect(data).toEqual({ products: null });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', missingScopes: ['catalog:read'] } }]);
    expect(calls).toEqual([]);
  });
});

describe('Query.discounts', () => {
  it('lists discounts with what they take off by country and by product', async () => {
    const [{ data }, calls] = await world.calls(() =>
      world.graph(`{ discounts(first: 100) {
        isTruncated
        nodes { name discountGroup isActive discountOnce discountOnceType discountMonthlyType
          countryPrices { countryCode currencyCode discountOnce discountOnceType discountMonthly discountMonthlyDurationMode discountYearlyType }
          productDiscounts { productName discountType discountAmount durationMonths priceType countryCode currencyCode } }
      } }`),
    );
    const named = new Map<string, object>(data.discounts.nodes.map((node: { name: string }) => [node.name, node]));
    expect(named.get('Welcome')).toMatchObject({
      discountGroup: 'new customers',
      isActive: true,
      discountOnce: 10,
      discountOnceType: 'PERCENTAGE',
      discountMonthlyType: null,
      countryPrices: [],
      productDiscounts: [],
    });
    expect(named.get('Belgian autumn')).toMatchObject({
      countryPrices: [
        {
          countryCode: 'BE',
          currencyCode: 'EUR',
          discountOnce: 7.5,
          discountOnceType: 'PERCENTAGE',
          discountMonthly: 10,
          discountMonthlyDurationMode: 'CONTRACT_LONG',
          discountYearlyType: null,
        },
      ],
    });
    expect(named.get('German yearly plan')).toMatchObject({
      productDiscounts: [
        { discountType: 'PERCENTAGE', discountAmount: 12, durationMonths: 12, priceType: 'YEARLY', countryCode: 'DE', currencyCode: 'EUR' },
      ],
    });
    expect(named.get('Per piece')).toMatchObject({
      discountGroup: null,
      productDiscounts: [{ discountType: 'FIXED', discountAmount: 100, durationMonths: null, priceType: 'ONCE', countryCode: null }],
    });
    expect([data.discounts.isTruncated, calls]).toEqual([false, ['Catalog/ListDiscounts']]);
  });

  it('lists the discounts of one folder', async () => {
    const folderId = demoId('folder 1');
    const [{ data }, calls] = await world.calls(() =>
      world.graph('query ($folderId: ID) { discounts(folderId: $folderId) { nodes { rawId } } }', { folderId }),
    );
    const expected = ['discount 1', 'discount 6', 'discount 11'].map((name) => ({ rawId: demoId(name) }));
    expect(data.discounts.nodes).toHaveLength(expected.length);
    expect(data.discounts.nodes).toEqual(expect.arrayContaining(expected));
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });

  it('says that a list may go on which the upstream cuts off at 100', async () => {
    const { store } = world.sandbox.world;
    const row = store.get<Record<string, string | number>>('SELECT * FROM discounts LIMIT 1') ?? {};
    for (let index = 0; index < 100; index += 1) store.insert('discounts', { ...row, id: `extra ${index}`, name: `Extra ${index}` });
    const { data } = await world.graph('{ discounts(first: 100) { isTruncated nodes { id } pageInfo { hasNextPage } } }');
    store.run("DELETE FROM discounts WHERE id LIKE 'extra %'");
    expect(data.discounts).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: false } });
    expect(data.discounts.nodes).toHaveLength(100);
  });

  it('finds a discount by its global id', async () => {
    const id = toGlobalId('Discount', demoId('discount 0'));
    const [{ data }, calls] = await world.calls(() =>
      world.graph('query ($id: ID!) { node(id: $id) { ... on Discount { name } } }', { id }),
    );
    expect(data.node).toEqual({ name: 'Welcome' });
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });
});

describe('Product.discounts', () => {
  it('reads the discounts once for all products, and no product again', async () => {
    const [{ data }, calls] = await world.calls(() =>
      world.graph('{ products(first: 100) { nodes { rawId discounts { discount { name } product { rawId name } discountAmount } } } }'),
    );
    const product = data.products.nodes.find(({ rawId }: { rawId: string }) => rawId === demoId('product 2'));
    expect(product.discounts.map(({ discount }: { discount: { name: string } }) => discount.name).sort()).toEqual([
      'Rows and links',
      'Stock clearance',
    ]);
    expect(product.discounts[0].product.rawId).toBe(product.rawId);
    expect(data.products.nodes.some(({ discounts }: { discounts: object[] }) => discounts.length === 0)).toBe(true);
    expect(calls).toEqual(['Catalog/ListProducts', 'Catalog/ListDiscounts']);
  });

  it('needs the id of the product and nothing else of it', async () => {
    const [{ data }, calls] = await world.calls(() =>
      world.graph('query ($id: ID!) { product(id: $id) { discounts { productName } } }', { id: demoId('product 4') }),
    );
    expect(data.product.discounts).toHaveLength(1);
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });
});

describe('Mutation.productCreate', () => {
  it('makes a product that can be read by either id', async () => {
    const input = {
      name: 'Bench lamp',
      sku: 'BL-1',
      description: 'For benches.',
      folderId: demoId('folder 1'),
      currencyCode: 'EUR',
      priceOnceMinor: 1_999,
      priceMonthlyMinor: 199,
      priceYearlyMinor: 1_990,
      vatRate: 0.21,
      minQuantity: 2,
      maxQuantity: 10,
      countryPrices: [{ countryCode: 'BE', priceOnceMinor: 2_099, vatRate: 0.06 }],
    };
    const [{ data }, calls] = await world.calls(() => world.graph(CREATE, { input }));
    const { product, effect } = data.productCreate;
    expect(product).toMatchObject({
      name: 'Bench lamp',
      sku: 'BL-1',
      description: 'For benches.',
      folderId: demoId('folder 1'),
      type: 'SIMPLE',
      isActive: true,
      vatRate: 0.21,
      minQuantity: 2,
      maxQuantity: 10,
      priceOnce: { minorUnits: '1999', currencyCode: 'EUR', amount: '19.99' },
      priceMonthly: { minorUnits: '199' },
      priceYearly: { minorUnits: '1990' },
      countryPrices: [{ countryCode: 'BE', priceOnceMinor: 2_099, vatRate: 0.06 }],
    });
    expect([effect, calls]).toEqual(['DONE', ['Catalog/CreateProduct']]);
    const read = await world.graph('query ($id: ID!, $raw: ID!) { a: product(id: $id) { name } b: product(id: $raw) { name } }', {
      id: product.id,
      raw: product.rawId,
    });
    expect(read.data).toEqual({ a: { name: 'Bench lamp' }, b: { name: 'Bench lamp' } });
  });

  it('makes one product however often an idempotency key is repeated', async () => {
    const input = { name: 'Once', idempotencyKey: 'product-once' };
    const first = await world.graph(CREATE, { input });
    const [again, calls] = await world.calls(() => world.graph(CREATE, { input }));
    expect(again.data.productCreate).toEqual({ ...first.data.productCreate, effect: 'REPLAYED' });
    const [other, otherCalls] = await world.calls(() => world.graph(CREATE, { input: { ...input, name: 'Twice' } }));
    expect(other.data.productCreate).toEqual({ __typename: 'IdempotencyKeyReusedError', code: 'IDEMPOTENCY_KEY_REUSED' });
    expect([calls, otherCalls]).toEqual([['Catalog/GetProduct'], []]);
  });

  it('names every input field that breaks a rule, and sends nothing', async () => {
    const [{ data }, calls] = await world.calls(() =>
      world.graph(CREATE, {
        input: { name: ' ', vatRate: 1.5, priceOnceMinor: -1, countryPrices: [{ countryCode: 'BE', priceOnceMinor: -1, vatRate: 0 }] },
      }),
    );
    expect(data.productCreate).toEqual({
      __typename: 'ValidationError',
      code: 'BAD_USER_INPUT',
      issues: [
        { path: ['name'], message: 'must not be blank.' },
        { path: ['priceOnceMinor'], message: 'must be at least 0, but is -1.' },
        { path: ['vatRate'], message: 'must be at most 1, but is 1.5.' },
        { path: ['countryPrices', '0', 'priceOnceMinor'], message: 'must be at least 0, but is -1.' },
      ],
    });
    expect(calls).toEqual([]);
  });

  it('passes on a rule that only the upstream knows', async () => {
    const { data } = await world.graph(CREATE, { input: { name: 'Odd', minQuantity: 5, maxQuantity: 4 } });
    expect(data.productCreate).toMatchObject({ __typename: 'ValidationError', issues: [{ path: [] }] });
    expect(data.productCreate.issues[0].message).toMatch(/at most max_quantity/);
  });

  it('names the missing scope, and sends nothing', async () => {
    const [{ data }, calls] = await world.calls(() => world.graphAs('demo-sales', CREATE, { input: { name: 'Nobody' } }));
    expect(data.productCreate).toEqual({
      __typename: 'ForbiddenError',
      code: 'FORBIDDEN',
      reason: 'MISSING_SCOPE',
      missingScopes: ['catalog:write'],
    });
    expect(calls).toEqual([]);
  });

  it('says so when it is the account that may not do it', async () => {
    const { data } = await world.graphAs('demo-restricted', CREATE, { input: { name: 'Nobody' } });
    expect(data.productCreate).toMatchObject({ __typename: 'ForbiddenError', reason: 'PERMISSION_OR_RESOURCE', missingScopes: [] });
  });
});

describe('Mutation.productUpdate', () => {
  it('changes what is given, leaves what is left out, and clears what is null', async () => {
    const product = await makeProduct({
      sku: 'TL-1',
      priceOnceMinor: 1_000,
      priceMonthlyMinor: 100,
      countryPrices: [{ countryCode: 'BE', priceOnceMinor: 1_100, vatRate: 0.06 }],
    });
    const input = {
      productId: product.id,
      priceOnceMinor: 1_200,
      sku: null,
      isActive: false,
      countryPrices: [
        { countryCode: 'BE', priceOnceMinor: 1_300, vatRate: 0.06 },
        { countryCode: 'DE', priceOnceMinor: 1_400, vatRate: 0.19 },
      ],
    };
    const [{ data }, calls] = await world.calls(() => world.graph(UPDATE, { input }));
    expect(data.productUpdate.product).toEqual({
      rawId: product.rawId,
      name: 'Test lamp',
      sku: null,
      vatRate: 0,
      isActive: false,
      priceOnce: { minorUnits: '1200' },
      priceMonthly: { minorUnits: '100' },
      countryPrices: [
        { countryCode: 'BE', priceOnceMinor: 1_300 },
        { countryCode: 'DE', priceOnceMinor: 1_400 },
      ],
    });
    expect(calls).toEqual(['Catalog/UpdateProduct']);
  });

  it('does not write again under a key that was used, so a later change of others stays', async () => {
    const { rawId } = await makeProduct();
    const input = { productId: rawId, name: 'Mine', idempotencyKey: 'product-mine' };
    await world.graph(UPDATE, { input });
    await world.graph(UPDATE, { input: { productId: rawId, name: 'Theirs' } });
    const [{ data }, calls] = await world.calls(() => world.graph(UPDATE, { input }));
    expect(data.productUpdate).toMatchObject({ effect: 'REPLAYED', product: { name: 'Theirs' } });
    expect(calls).toEqual(['Catalog/GetProduct']);
  });

  it('answers NotFoundError with the raw id', async () => {
    const { data } = await world.graph(UPDATE, { input: { productId: 'nothing', name: 'New' } });
    expect(data.productUpdate).toEqual({ __typename: 'NotFoundError', code: 'NOT_FOUND', id: 'nothing' });
  });

  it.each([
    ['a blank id', { productId: ' ' }, { path: ['productId'], message: 'must be the id of a Product, but is blank.' }],
    [
      'the id of another type',
      { productId: toGlobalId('Customer', 'c') },
      { path: ['productId'], message: 'must be the id of a Product, but is the id of a Customer.' },
    ],
    ['a blank name', { productId: 'p', name: '\t' }, { path: ['name'], message: 'must not be blank.' }],
    ['a blank number', { productId: 'p', sku: ' ' }, { path: ['sku'], message: 'must not be blank: send null to take the value away.' }],
  ])('refuses %s, and sends nothing', async (_case, input, issue) => {
    const [{ data }, calls] = await world.calls(() => world.graph(UPDATE, { input }));
    expect(data.productUpdate).toEqual({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('says of each field that cannot be cleared that it cannot, and sends nothing', async () => {
    const kept = ['name', 'currency', 'priceOnceMinor', 'priceMonthlyMinor', 'priceYearlyMinor', 'vatRate', 'isActive', 'minQuantity'];
    const cleared = Object.fromEntries([...kept, 'maxQuantity', 'countryPrices'].map((name) => [name, null]));
    const [{ data }, calls] = await world.calls(() => world.graph(UPDATE, { input: { productId: 'p', ...cleared } }));
    const message = 'cannot be cleared: leave it out to keep it.';
    const told = data.productUpdate.issues.map(({ path }: { path: string[] }) => path.join('.'));
    expect(told.toSorted()).toEqual(Object.keys(cleared).toSorted());
    const emptied = await world.graph(UPDATE, { input: { productId: 'p', countryPrices: [] } });
    expect(emptied.data.productUpdate.issues).toEqual([{ path: ['countryPrices'], message }]);
    expect(calls).toEqual([]);
  });
});
