import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { BUNDLE, CLOSED, createIdempotencyKey, INACTIVE, INFINITE, MAIN, VAN, VIRTUAL } from '../../sandbox/stock.ts';
import { useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { newProduct, newOrder, balance } = testGraph;

const BALANCES = 'Inventory/ListInventoryBalances';

/** Executes a mutation of stock. Returns the member of its result union and the upstream calls. */
async function change(name: string, input: object, key = 'demo-owner') {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const document = `mutation ($input: ${title}Input!) { ${name}(input: $input) {
    __typename
    ... on TransitionBlockedError { blockers { code path product { rawId name } location { rawId } availableQuantity requiredQuantity } }
    ... on ValidationError { issues { code path } }
  } }`;
  const variables = { input: { ...input, idempotencyKey: createIdempotencyKey() } };
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, variables));
  expect(errors).toBeUndefined();
  return { result: data[name], calls };
}

const NO_STOCK = { product: null, location: null, availableQuantity: null, requiredQuantity: null };
const withoutStock = (code: string, path: readonly string[]) => ({ code, path, ...NO_STOCK });
const createShortage = (
  productId: string,
  availableQuantity: number,
  requiredQuantity: number,
  path: readonly string[],
  locationId = MAIN,
) => ({
  code: 'INSUFFICIENT_STOCK',
  path,
  product: { rawId: productId, name: 'Made for a test' },
  location: { rawId: locationId },
  availableQuantity,
  requiredQuantity,
});

describe('TransitionBlockedError.blockers of a stock mutation', () => {
  it('reports each product that a location lacks, at the line that exceeds its stock', async () => {
    const [enough, lacking] = [await newProduct(9), await newProduct(5)];
    const takeFrom = (productId: string, quantity: number) => ({ productId, sourceLocationId: MAIN, quantity });
    const lines = [takeFrom(lacking, 3), takeFrom(enough, 9), takeFrom(lacking, 4)];
    const { result, calls } = await change('inventoryMove', { destinationLocationId: VAN, lines });
    expect(result.blockers).toEqual([createShortage(lacking, 5, 7, ['lines', '2', 'quantity'])]);
    expect(calls.filter((call) => call === BALANCES)).toHaveLength(2);
    expect(await balance(lacking)).toEqual([5, 5, 0, 0]);
  });

  it('reports an insufficient transfer, correction and reservation', async () => {
    const productId = await newProduct(2);
    const transfer = { sourceLocationId: MAIN, destinationLocationId: VAN, lines: [{ productId, quantity: 3 }] };
    expect((await change('inventoryTransferStart', transfer)).result.blockers).toEqual([
      createShortage(productId, 2, 3, ['lines', '0', 'quantity']),
    ]);
    const correction = { productId, locationId: VAN, reason: 'Lost', change: { quantityDelta: -1 } };
    expect((await change('inventoryAdjust', correction)).result.blockers).toEqual([
      createShortage(productId, 0, 1, ['change', 'quantityDelta'], VAN),
    ]);
    const order = await newOrder(productId, 4);
    const reservation = { orderId: order.id, orderLineId: order.lineId, locationId: MAIN, quantity: 4 };
    expect((await change('orderReservationCreate', reservation)).result.blockers).toEqual([createShortage(productId, 2, 4, ['quantity'])]);
  });

  it.each([
    ['PRODUCT_INACTIVE', INACTIVE],
    ['PRODUCT_NOT_STOCKED', BUNDLE],
    ['PRODUCT_NOT_STOCKED', INFINITE],
  ])('reports the product that can’t be moved as %s', async (code, productId) => {
    const line = { productId, sourceLocationId: MAIN, quantity: 1 };
    const move = { destinationLocationId: VAN, lines: [{ ...line, productId: await newProduct(1) }, line, line] };
    const { result, calls } = await change('inventoryMove', move);
    expect(result.blockers).toEqual([withoutStock(code, ['lines', '1', 'productId'])]);
    expect(calls).not.toContain(BALANCES);
    const correction = { productId, locationId: MAIN, reason: 'Found', change: { quantityDelta: 1 } };
    expect((await change('inventoryAdjust', correction)).result.blockers).toEqual([withoutStock(code, ['productId'])]);
  });

  it.each([
    ['LOCATION_INACTIVE', CLOSED],
    ['LOCATION_NOT_STOCKED', VIRTUAL],
  ])('reports the location that holds no stock as %s', async (code, locationId) => {
    const productId = await newProduct(1);
    const move = { destinationLocationId: locationId, lines: [{ productId, sourceLocationId: MAIN, quantity: 1 }] };
    expect((await change('inventoryMove', move)).result.blockers).toEqual([withoutStock(code, ['destinationLocationId'])]);
    const order = await newOrder(productId, 1);
    expect((await change('orderStockAllocate', { orderId: order.id, locationId })).result.blockers).toEqual([
      withoutStock(code, ['locationId']),
    ]);
  });

  it('reports the upstream’s text if the key can’t read the records', async () => {
    const productId = await newProduct(1);
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'inventory:move'] });
    const move = { destinationLocationId: VAN, lines: [{ productId, sourceLocationId: MAIN, quantity: 2 }] };
    const { result, calls } = await change('inventoryMove', move, key);
    expect([result.blockers, calls.at(-1)]).toEqual([[withoutStock('OTHER', [])], 'Inventory/MoveInventory']);
  });

  it('reads at most twenty balances', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES });
    const productIds = await Promise.all(Array.from({ length: 25 }, () => newProduct()));
    const lines = productIds.map((productId) => ({ productId, sourceLocationId: MAIN, quantity: 1 }));
    const { result, calls } = await change('inventoryMove', { destinationLocationId: VAN, lines }, key);
    expect([result.blockers.length, calls.filter((call) => call === BALANCES).length]).toEqual([10, 20]);
  });
});

it('rejects a move and a transfer to the same location without an upstream call', async () => {
  const line = { productId: BUNDLE, quantity: 1 };
  const move = {
    destinationLocationId: VAN,
    lines: [
      { ...line, sourceLocationId: MAIN },
      { ...line, sourceLocationId: VAN },
    ],
  };
  expect(await change('inventoryMove', move)).toEqual({
    result: { __typename: 'ValidationError', issues: [{ code: 'SAME_LOCATION', path: ['lines', '1', 'sourceLocationId'] }] },
    calls: [],
  });
  const transfer = { sourceLocationId: VAN, destinationLocationId: VAN, lines: [line] };
  expect(await change('inventoryTransferStart', transfer)).toEqual({
    result: { __typename: 'ValidationError', issues: [{ code: 'SAME_LOCATION', path: ['sourceLocationId'] }] },
    calls: [],
  });
});
