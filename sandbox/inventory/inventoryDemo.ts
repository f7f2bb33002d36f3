import {
  PublicInventoryLocationKind,
  PublicInventoryMovementKind,
} from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { getKind } from '../catalog/catalogDemo.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { changeOnHand, type Ledger, locationTable } from './stock.ts';

const { WAREHOUSE, VEHICLE, VIRTUAL } = PublicInventoryLocationKind;

export const DAY_SECONDS = 86_400;

/** `location 0`, `location 1`, …. The last two contain no stock. */
const LOCATIONS = [
  { name: 'Main warehouse', code: 'W-01', kind: WAREHOUSE },
  { name: 'North depot', code: 'W-02', kind: WAREHOUSE },
  { name: 'Returns shelf', code: 'W-03', kind: WAREHOUSE },
  { name: 'Service van 1', code: 'V-01', kind: VEHICLE },
  { name: 'Supplier delivers', code: 'X-01', kind: VIRTUAL },
  { name: 'Old depot', code: 'W-00', kind: WAREHOUSE, isClosed: true },
] as const;

/** Quantities of the initial counts. The main warehouse has more of each product than all demo transfers and moves need. */
const FIRST_COUNTS = [
  { location: 'location 0', probability: 1, low: 300, high: 900 },
  { location: 'location 1', probability: 0.7, low: 10, high: 300 },
  { location: 'location 2', probability: 0.4, low: 1, high: 25 },
  { location: 'location 3', probability: 0.5, low: 1, high: 12 },
] as const;

/** Names of the locations with stock. */
export const STOCK_LOCATIONS = FIRST_COUNTS.map(({ location }) => location);

const MOVES = 9;

/** The stock ledger of the plan's workspace at a given time. */
export const createLedger = ({ world, workspaceId }: Plan, now: number): Ledger => ({
  store: world.store,
  workspaceId,
  now,
  id: () => world.id(),
});

const isOutOfStock = (index: number) => index % 20 === 19;

/** Products in the main warehouse. A few stocked ones are sold out, so that some orders have a shortage. */
export const listProductsInStock = (plan: Plan): string[] =>
  Array.from({ length: plan.sizes.products }, (_, index) => index)
    .filter((index) => getKind(index) === 'stocked' && !isOutOfStock(index))
    .map((index) => plan.id(`product ${index}`));

function seedLocations(plan: Plan): void {
  for (const [index, location] of LOCATIONS.entries()) {
    locationTable.insert(plan.store, {
      id: plan.id(`location ${index}`),
      workspace_id: plan.workspaceId,
      name: location.name,
      code: location.code,
      kind: location.kind,
      is_active: 'isClosed' in location ? 0 : 1,
    });
  }
}

/** Counts all products, about a year ago, before any other demo stock movements. */
function seedFirstCounts(plan: Plan, productIds: readonly string[]): void {
  const { random } = plan;
  const ledger = createLedger(plan, plan.now - 400 * DAY_SECONDS);
  for (const { location, probability, low, high } of FIRST_COUNTS) {
    const operationId = plan.id(`first count of ${location}`);
    for (const productId of productIds) {
      if (!random.nextBoolean(probability)) continue;
      changeOnHand(ledger, {
        operationId,
        kind: PublicInventoryMovementKind.ADJUSTMENT,
        productId,
        locationId: plan.id(location),
        delta: BigInt(random.nextInteger(low, high)),
        reason: 'First count',
      });
    }
  }
}

function seedMoves(plan: Plan, productIds: readonly string[]): void {
  const { random } = plan;
  for (let index = 0; index < MOVES; index += 1) {
    const ledger = createLedger(plan, plan.pickPastTimestamp(150));
    const quantity = BigInt(random.nextInteger(1, 4));
    const move = {
      operationId: plan.id(`move ${index}`),
      kind: PublicInventoryMovementKind.MOVE,
      productId: random.pick(productIds),
      reason: 'Stock for the week',
      reference: `M-${index}`,
    };
    changeOnHand(ledger, { ...move, locationId: plan.id('location 0'), delta: -quantity });
    changeOnHand(ledger, { ...move, locationId: plan.id('location 3'), delta: quantity });
  }
}

/** Creates the locations `location 0` to `location 5`, their stock, and some stock movements. */
function seedInventory(plan: Plan): void {
  const productIds = listProductsInStock(plan);
  seedLocations(plan);
  seedFirstCounts(plan, productIds);
  seedMoves(plan, productIds);
}

export const inventoryDemo = demoData({
  examples: {
    InventoryLocation: ['location 0', 'location 1'],
  },
  seed: seedInventory,
});
