import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey } from '../../sandbox/stock.ts';
import { useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, newProduct } = testGraph;

const LOOKUP = 'query ($value: String!) { productIdentifier(value: $value) { rawId kind value createdAt product { rawId } } }';
const IDENTIFIERS = 'query ($id: ID!) { product(id: $id) { identifiers { rawId kind value product { rawId } } } }';

let addedCount = 0;

const add = (productId: string, more: object = {}) => {
  addedCount += 1;
  return mutate(
    'productIdentifierCreate',
    { productId, kind: 'SUPPLIER', value: `TEST-${addedCount}`, ...more },
    'identifier { rawId kind value product { rawId } } effect',
  );
};

const remove = (identifierId: string, more: object = {}) =>
  mutate('productIdentifierDelete', { identifierId, ...more }, 'deletedIdentifierId effect');

describe('Query.productIdentifier', () => {
  it('finds an identifier by value, without fetching the product for its ID', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LOOKUP, { value: 'MAN-1-A' }));
    expect(data.productIdentifier).toEqual({
      rawId: expect.any(String),
      kind: 'MANUFACTURER',
      value: 'MAN-1-A',
      createdAt: expect.stringMatching(/Z$/),
      product: { rawId: demoId('product 1') },
    });
    expect(calls).toEqual(['Inventory/LookupProductIdentifier']);
  });

  it('resolves to null for an unknown value', async () => {
    const { data, errors } = await testGraph.execute(LOOKUP, { value: 'absent' });
    expect([data, errors]).toEqual([{ productIdentifier: null }, undefined]);
  });

  it('returns the upstream’s error for a blank value', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(LOOKUP, { value: ' ' }));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['value'] }] });
    expect(calls).toEqual(['Inventory/LookupProductIdentifier']);
  });
});

describe('Product.identifiers', () => {
  it('resolves by product ID', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(IDENTIFIERS, { id: demoId('product 1') }));
    const { identifiers } = data.product;
    expect(identifiers.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['EAN', 'MANUFACTURER', 'SUPPLIER']);
    for (const { product } of identifiers) expect(product.rawId).toBe(demoId('product 1'));
    expect(calls).toEqual(['Inventory/ListProductIdentifiers']);
  });

  it('returns an empty list for a product without identifiers', async () => {
    const { data } = await testGraph.execute(IDENTIFIERS, { id: await newProduct() });
    expect(data.product.identifiers).toEqual([]);
  });
});

describe('Mutation.productIdentifierCreate', () => {
  it('adds one identifier per idempotency key', async () => {
    const [productId, idempotencyKey] = [await newProduct(), createIdempotencyKey()];
    const input = { value: 'ADDED-1', idempotencyKey };
    const first = await add(toGlobalId('Product', productId), input);
    expect(first.identifier).toEqual({ rawId: expect.any(String), kind: 'SUPPLIER', value: 'ADDED-1', product: { rawId: productId } });
    const [repeat, calls] = await testGraph.recordCalls(() => add(productId, input));
    expect([repeat.identifier, repeat.effect, calls]).toEqual([first.identifier, 'REPLAYED', ['Inventory/ListProductIdentifiers']]);
    expect(await add(productId, { ...input, kind: 'EAN' })).toMatchObject({ __typename: 'IdempotencyKeyReusedError' });
    const { data } = await testGraph.execute(IDENTIFIERS, { id: productId });
    expect(data.product.identifiers).toEqual([first.identifier]);
  });

  it('returns RejectedError if another product has the value', async () => {
    const result = await add(await newProduct(), { value: 'MAN-1-A' });
    expect(result).toMatchObject({ __typename: 'RejectedError' });
  });
});

describe('Mutation.productIdentifierDelete', () => {
  it('deletes the identifier and replays for a repeated key', async () => {
    const productId = await newProduct();
    const { rawId, value } = (await add(productId)).identifier;
    const [id, idempotencyKey] = [toGlobalId('ProductIdentifier', rawId), createIdempotencyKey()];
    expect(await remove(id, { idempotencyKey })).toMatchObject({ deletedIdentifierId: id, effect: 'DONE' });
    const [repeat, calls] = await testGraph.recordCalls(() => remove(rawId, { idempotencyKey }));
    expect([repeat.deletedIdentifierId, repeat.effect, calls]).toEqual([id, 'REPLAYED', []]);
    expect((await testGraph.execute(LOOKUP, { value })).data.productIdentifier).toBeNull();
  });
});
