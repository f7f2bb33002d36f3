import { PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { PublicInventoryTransferStatus } from '../../src/upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { createLedger, listProductsInStock } from './inventoryDemo.ts';
import { changeOnHand, prepareInbound } from './stock.ts';
import { transferLineTable, transferTable } from './transfers.ts';

const { IN_TRANSIT, COMPLETED } = PublicInventoryTransferStatus;

const TRANSFERS = 14;

/** Duration of a transfer, in seconds. */
const TRIP_SECONDS = 10_800;

function seedTransfer(plan: Plan, index: number, productIds: readonly string[]): void {
  const { random, store } = plan;
  const id = plan.id(`transfer ${index}`);
  const source = plan.id('location 0');
  const destination = plan.id(`location ${random.nextInteger(1, 3)}`);
  const isCompleted = index % 2 === 0;
  const startedAt = plan.pickPastTimestamp(isCompleted ? 120 : 2) - (isCompleted ? TRIP_SECONDS : 0);
  const reference = `T-${100 + index}`;
  transferTable.insert(store, {
    id,
    workspace_id: plan.workspaceId,
    status: isCompleted ? COMPLETED : IN_TRANSIT,
    source_location_id: source,
    destination_location_id: destination,
    reference,
    notes: '',
    started_at: startedAt,
    completed_at: isCompleted ? startedAt + TRIP_SECONDS : null,
  });
  for (let position = 0; position <= index % 3; position += 1) {
    const productId = random.pick(productIds);
    const quantity = BigInt(random.nextInteger(1, 5));
    const line = { id: plan.id(`transfer ${index} line ${position}`), transfer_id: id, position, product_id: productId, quantity };
    const change = { operationId: id, kind: PublicInventoryMovementKind.TRANSFER, productId, reference };
    changeOnHand(createLedger(plan, startedAt), { ...change, locationId: source, delta: -quantity });
    if (isCompleted) changeOnHand(createLedger(plan, startedAt + TRIP_SECONDS), { ...change, locationId: destination, delta: quantity });
    else prepareInbound(createLedger(plan, startedAt), { productId, locationId: destination }, quantity);
    transferLineTable.insert(store, line);
  }
}

/** Creates the transfers `transfer 0`, `transfer 1`, … from the main warehouse. Every second one is in transit. */
function seedTransfers(plan: Plan): void {
  const productIds = listProductsInStock(plan);
  for (let index = 0; index < TRANSFERS; index += 1) seedTransfer(plan, index, productIds);
}

export const transfersDemo = demoData({ seed: seedTransfers });
