import { expect, it } from 'vitest';
import { post } from '../../sandbox/sandbox.ts';
import { createIdempotencyKey, DEPOT, MAIN } from '../../sandbox/stock.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, newProduct } = testGraph;

/** Largest quantity that an Int can represent. */
const LARGEST = 2_147_483_647;
const MAX = '9223372036854775807';

const adjust = (productId: string, quantityDelta: number) =>
  mutate(
    'inventoryAdjust',
    { productId, locationId: MAIN, reason: 'Count', change: { quantityDelta }, idempotencyKey: createIdempotencyKey() },
    'balance { onHand available reserved }',
  );

/** Adds stock directly in the sandbox. */
const addStock = async (productId: string, quantityDelta: string) => {
  const request = { productId, locationId: MAIN, reason: 'Count', quantityDelta };
  expect((await post(testGraph.sandbox.url, 'demo-owner', 'Inventory/AdjustInventory', request)).status).toBe(200);
};

const BALANCES = `query ($productId: ID!, $locationId: ID) {
  inventoryBalances(filter: { productId: $productId, locationId: $locationId }) {
    nodes { product { rawId } onHand available reserved inbound }
  }
}`;

it('sends and returns 32-bit quantities as numbers', async () => {
  const productId = await newProduct();
  expect((await adjust(productId, LARGEST)).balance).toEqual({ onHand: LARGEST, available: LARGEST, reserved: 0 });
  expect(testGraph.sandbox.received.at(-1)?.request).toMatchObject({ quantityDelta: String(LARGEST) });
  const lines = [{ productId, quantity: LARGEST }];
  const announced = { destinationLocationId: DEPOT, lines, expectedArrivalAt: createFutureDate(1), idempotencyKey: createIdempotencyKey() };
  const { backorder } = await mutate('inventoryBackorderCreate', announced, 'backorder { lines { quantity } }');
  expect(backorder).toEqual({ lines: [{ quantity: LARGEST }] });
  const moved = { destinationLocationId: DEPOT, lines: [{ ...lines[0], sourceLocationId: MAIN }], idempotencyKey: createIdempotencyKey() };
  expect(await mutate('inventoryMove', moved)).toEqual({ __typename: 'InventoryMovePayload' });
  const { data } = await testGraph.execute(BALANCES, { productId, locationId: DEPOT });
  expect(data.inventoryBalances.nodes).toMatchObject([{ onHand: LARGEST, available: LARGEST, inbound: LARGEST }]);
});

it.each(['2147483648', '9007199254740993', '9223372036854775807'])(
  'returns an error for each field that can’t represent %s, and the values of the others',
  async (quantity) => {
    const productId = await newProduct();
    await addStock(productId, quantity);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(BALANCES, { productId, locationId: MAIN }));
    expect(data.inventoryBalances.nodes).toEqual([
      { product: { rawId: productId }, onHand: null, available: null, reserved: 0, inbound: 0 },
    ]);
    const message = 'The value stored in the Workspace API is invalid for this field’s type.';
    expect(errors).toMatchObject(
      ['onHand', 'available'].map((field) => ({
        message,
        path: ['inventoryBalances', 'nodes', 0, field],
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
      })),
    );
    expect(calls).toEqual(['Inventory/ListInventoryBalances']);
  },
);

it('reports a mutation as successful even if its quantities exceed an Int', async () => {
  const productId = await newProduct();
  await addStock(productId, String(LARGEST));
  const { __typename, balance, errors } = await adjust(productId, 1);
  expect([__typename, balance]).toEqual(['InventoryAdjustPayload', { onHand: null, available: null, reserved: 0 }]);
  expect(errors).toHaveLength(2);
});

it.each(['1.5', '', 'many', ' 5'])('returns UPSTREAM_INVALID_RESPONSE for the quantity "%s"', async (onHand) => {
  const body = JSON.stringify({ balances: [{ productId: 'p', locationId: 'l', onHand, available: '5' }] });
  testGraph.sandbox.faults.add({ operation: 'Inventory/ListInventoryBalances', status: 200, body, times: 1 });
  const { data, errors } = await testGraph.execute('{ inventoryBalances { nodes { onHand available } } }');
  expect(data.inventoryBalances.nodes).toEqual([{ onHand: null, available: 5 }]);
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
});

it('rejects a quantity that exceeds an Int without an upstream call', async () => {
  const productId = await newProduct();
  const [result, calls] = await testGraph.recordCalls(() => adjust(productId, LARGEST + 1).catch(String));
  expect(result).toContain('Int cannot represent non 32-bit signed integer value: 2147483648');
  expect(calls).toEqual([]);
});

it('returns TransitionBlockedError if stock would exceed 64 bits', async () => {
  const productId = await newProduct();
  await addStock(productId, MAX);
  const [result, calls] = await testGraph.recordCalls(() => adjust(productId, 1));
  expect(result).toMatchObject({ __typename: 'TransitionBlockedError', blockers: [{ code: 'OTHER' }] });
  // The product and the location are read to explain the rejection.
  expect(calls).toEqual(['Inventory/AdjustInventory', 'Catalog/GetProduct', 'Inventory/SearchInventoryLocations']);
});
