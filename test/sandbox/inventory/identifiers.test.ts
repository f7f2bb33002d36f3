import { describe, expect, it } from 'vitest';
import { demoId, useSandbox } from '../sandbox.ts';
import { CONFLICT, createStockHelpers, DENIED, INVALID, NOT_FOUND, NOWHERE, summarizeError } from '../stock.ts';

const { call, callAs } = useSandbox();
const { newProduct } = createStockHelpers(call);

const EAN = 'PUBLIC_PRODUCT_IDENTIFIER_TYPE_EAN';
const SUPPLIER = 'PUBLIC_PRODUCT_IDENTIFIER_TYPE_SUPPLIER';

const add = (productId: string, value: string, type: string | undefined = SUPPLIER) =>
  call('Inventory/AddProductIdentifier', { productId, type, value });

const lookup = (value: string) => call('Inventory/LookupProductIdentifier', { value });

const list = (productId: string) => call('Inventory/ListProductIdentifiers', { productId });

const findEan = async (productId: string) => (await list(productId)).body.identifiers.find(({ type }: { type: string }) => type === EAN);

describe('Inventory/LookupProductIdentifier', () => {
  it('finds the product with a scanned EAN', async () => {
    const identifier = await findEan(demoId('product 1'));
    expect(identifier.value).toMatch(/^\d{13}$/);
    expect((await lookup(identifier.value)).body).toEqual({ identifier });
  });

  it('returns no data for an unknown value', async () => {
    const { status, body } = await lookup('no such value');
    expect(status).toBe(200);
    expect(body.identifier ?? undefined).toBeUndefined();
  });

  it('rejects a blank value', async () => {
    expect(summarizeError(await lookup(' '))).toEqual(INVALID);
  });

  it('doesn’t find identifiers of another workspace', async () => {
    await add(demoId('product 1'), 'only here');
    const { body } = await callAs('demo-neighbour', 'Inventory/LookupProductIdentifier', { value: 'only here' });
    expect(body.identifier ?? undefined).toBeUndefined();
  });
});

describe('Inventory/AddProductIdentifier', () => {
  it('adds an identifier that the list and the lookup return', async () => {
    const productId = await newProduct();
    const { body } = await add(productId, 'SUP-1');
    expect(body.identifier).toMatchObject({ productId, type: SUPPLIER, value: 'SUP-1' });
    expect((await list(productId)).body.identifiers).toEqual([body.identifier]);
    expect((await lookup('SUP-1')).body).toEqual(body);
  });

  it('rejects a value that any product of the workspace has', async () => {
    const { value } = await findEan(demoId('product 1'));
    const other = await newProduct();
    expect(summarizeError(await add(other, value))).toEqual(CONFLICT);
    expect((await list(other)).body.identifiers ?? []).toEqual([]);
  });

  it('accepts a value that another workspace uses', async () => {
    await add(demoId('product 1'), 'shared value');
    const { body } = await callAs('demo-neighbour', 'Inventory/ListInventoryBalances', { pageSize: 1 });
    const request = { productId: body.balances[0].productId, type: SUPPLIER, value: 'shared value' };
    expect((await callAs('demo-neighbour', 'Inventory/AddProductIdentifier', request)).status).toBe(200);
  });

  it('requires a product of the workspace, a type, and a value of up to 200 characters', async () => {
    expect(summarizeError(await add(NOWHERE, 'X'))).toEqual(NOT_FOUND);
    expect(summarizeError(await add(demoId('product 1'), 'X', 'PUBLIC_PRODUCT_IDENTIFIER_TYPE_UNSPECIFIED'))).toEqual(INVALID);
    expect(summarizeError(await add(demoId('product 1'), ' '))).toEqual(INVALID);
    expect(summarizeError(await add(demoId('product 1'), 'x'.repeat(201)))).toEqual(INVALID);
  });

  it('rejects a read-only key', async () => {
    const request = { productId: demoId('product 1'), type: SUPPLIER, value: 'Y' };
    expect(summarizeError(await callAs('demo-reader', 'Inventory/AddProductIdentifier', request))).toEqual(DENIED);
  });
});

describe('Inventory/ListProductIdentifiers', () => {
  it('returns not found for an unknown product', async () => {
    expect(summarizeError(await list(NOWHERE))).toEqual(NOT_FOUND);
  });
});

describe('Inventory/DeleteProductIdentifier', () => {
  it('releases the value for other products', async () => {
    const [one, other] = [await newProduct(), await newProduct()];
    const { identifier } = (await add(one, 'moves on')).body;
    expect((await call('Inventory/DeleteProductIdentifier', { identifierId: identifier.id })).body).toEqual({});
    expect((await list(one)).body.identifiers ?? []).toEqual([]);
    expect((await add(other, 'moves on')).status).toBe(200);
  });

  it('returns not found for identifiers that are deleted, unknown, or in another workspace', async () => {
    const { identifier } = (await add(await newProduct(), 'to be deleted')).body;
    const request = { identifierId: identifier.id };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/DeleteProductIdentifier', request))).toEqual(NOT_FOUND);
    await call('Inventory/DeleteProductIdentifier', request);
    expect(summarizeError(await call('Inventory/DeleteProductIdentifier', request))).toEqual(NOT_FOUND);
    expect(summarizeError(await call('Inventory/DeleteProductIdentifier', { identifierId: NOWHERE }))).toEqual(NOT_FOUND);
  });
});
