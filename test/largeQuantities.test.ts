import { expect, it } from 'vitest';
import { DEPOT, MAIN, newKey } from './sandbox/stock.ts';
import { inDays, useStockWorld } from './stockWorld.ts';

const world = useStockWorld();
const { mutate, newProduct } = world;

const MAX = '9223372036854775807';
/** The first whole number that a double does not hold. */
const ODD = '9007199254740993';

const BALANCES = `query ($productId: ID!, $locationId: ID!) {
  inventoryBalances(productId: $productId, locationId: $locationId) { nodes { onHand available inbound } }
}`;

it('carries quantities of 64 bits to the upstream and back, to the last digit', async () => {
  const productId = await newProduct();
  const adjust = { productId, locationId: MAIN, reason: 'Count', change: { quantityDelta: MAX }, idempotencyKey: newKey() };
  const { balance } = await mutate('inventoryAdjust', adjust, 'balance { onHand available }');
  expect(balance).toEqual({ onHand: MAX, available: MAX });
  const lines = [{ productId, quantity: ODD }];
  const announced = { destinationLocationId: DEPOT, lines, expectedArrivalAt: inDays(1), idempotencyKey: newKey() };
  const { backorder } = await mutate('inventoryBackorderCreate', announced, 'backorder { lines { quantity } }');
  expect(backorder).toEqual({ lines: [{ quantity: ODD }] });
  const moved = { destinationLocationId: DEPOT, lines: [{ ...lines[0], sourceLocationId: MAIN }], idempotencyKey: newKey() };
  expect(await mutate('inventoryMove', moved)).toEqual({ __typename: 'InventoryMovePayload' });
  const { data } = await world.graph(BALANCES, { productId, locationId: DEPOT });
  expect(data.inventoryBalances.nodes).toEqual([{ onHand: ODD, available: ODD, inbound: ODD }]);
});

it('tells stock past 64 bits as a state that forbids the change', async () => {
  const productId = await newProduct();
  const adjust = (quantityDelta: string) =>
    mutate('inventoryAdjust', { productId, locationId: MAIN, reason: 'Count', change: { quantityDelta }, idempotencyKey: newKey() });
  await adjust(MAX);
  const [refused, calls] = await world.calls(() => adjust('1'));
  expect(refused).toMatchObject({ __typename: 'TransitionBlockedError' });
  expect(calls).toEqual(['Inventory/AdjustInventory']);
});
