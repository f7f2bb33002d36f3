import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { backorderLineTable, backorderTable } from './backorders.ts';
import { createLedger, DAY_SECONDS, listProductsInStock, STOCK_LOCATIONS } from './inventoryDemo.ts';
import { prepareInbound } from './stock.ts';

const BACKORDERS = 27;

function seedBackorder(plan: Plan, index: number, productIds: readonly string[]): void {
  const { random, store } = plan;
  const id = plan.id(`backorder ${index}`);
  const locationId = plan.id(random.pick(STOCK_LOCATIONS));
  const isReceived = index % 3 === 2;
  const createdAt = isReceived ? plan.pickPastTimestamp(100) - 90 * DAY_SECONDS : plan.pickPastTimestamp(30);
  backorderTable.insert(store, {
    id,
    workspace_id: plan.workspaceId,
    status: isReceived ? 'received' : 'open',
    destination_location_id: locationId,
    expected_arrival_at: isReceived ? createdAt + 30 * DAY_SECONDS : plan.now + random.nextInteger(2, 60) * DAY_SECONDS,
    reference: `BO-${2_000 + index}`,
    notes: index % 4 === 0 ? 'Call before unloading.' : '',
    created_at: createdAt,
  });
  const lines = random.nextInteger(1, 4);
  for (let position = 0; position < lines; position += 1) {
    const productId = random.pick(productIds);
    const quantity = BigInt(random.nextInteger(5, 80));
    prepareInbound(createLedger(plan, createdAt), { productId, locationId }, quantity);
    backorderLineTable.insert(store, {
      id: plan.id(`backorder ${index} line ${position}`),
      backorder_id: id,
      position,
      product_id: productId,
      quantity,
    });
  }
}

/** Creates the backorders `backorder 0`, `backorder 1`, …. Every third one has been received. */
function seedBackorders(plan: Plan): void {
  const productIds = listProductsInStock(plan);
  for (let index = 0; index < BACKORDERS; index += 1) seedBackorder(plan, index, productIds);
}

export const backordersDemo = demoData({ seed: seedBackorders });
