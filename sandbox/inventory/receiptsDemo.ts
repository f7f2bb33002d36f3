import { PublicInventoryMovementKind } from '../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { PublicInventoryReceiptStatus } from '../../src/upstream/contract/generated/publicapi/v1/receipts_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { createLedger, DAY_SECONDS, listProductsInStock, STOCK_LOCATIONS } from './inventoryDemo.ts';
import { receiptLineTable, receiptTable } from './receipts.ts';
import { changeOnHand } from './stock.ts';

const { DRAFT, POSTED } = PublicInventoryReceiptStatus;

const RECEIPTS = 18;

/** Number of lines of `receipt 1`: more than two pages of the default size. */
const MANY_LINES = 64;

/** Longer than the API accepts, as if imported from another system, so that responses have to truncate them. */
const LONG_TEXTS = {
  reference: 'Delivery note of the yearly stock order. '.repeat(6),
  notes: 'Checked on arrival, box by box. '.repeat(75),
  lineNotes: 'The carton was opened and closed again. '.repeat(30),
};

interface Draft {
  readonly id: string;
  readonly index: number;
  readonly locationId: string;
  readonly reference: string;
  readonly createdAt: number;
}

function seedLines(plan: Plan, { id, index, createdAt }: Draft, productIds: readonly string[]) {
  const { random, store } = plan;
  const count = index === 1 ? MANY_LINES : random.nextInteger(1, 6);
  return Array.from({ length: count }, (_, position) => {
    const line = {
      id: plan.id(`receipt ${index} line ${position}`),
      receipt_id: id,
      product_id: random.pick(productIds),
      quantity: BigInt(random.nextInteger(1, 40)),
      notes: index === 0 ? LONG_TEXTS.lineNotes : '',
      // Pairs of lines have the same timestamp, so that their IDs decide their order.
      created_at: createdAt + Math.floor(position / 2) * 20,
    };
    receiptLineTable.insert(store, line);
    return line;
  });
}

function seedReceipt(plan: Plan, draft: Draft, productIds: readonly string[]): void {
  const { id, index, locationId, reference, createdAt } = draft;
  const isPosted = index % 3 !== 1;
  const postedAt = createdAt + 7_200;
  receiptTable.insert(plan.store, {
    id,
    workspace_id: plan.workspaceId,
    location_id: locationId,
    status: isPosted ? POSTED : DRAFT,
    reference,
    notes: index === 0 ? LONG_TEXTS.notes : '',
    creation_key: null,
    created_at: createdAt,
    posted_at: isPosted ? postedAt : null,
  });
  const lines = seedLines(plan, draft, productIds);
  if (!isPosted) return;
  const ledger = createLedger(plan, postedAt);
  const receipt = { operationId: plan.id(`receipt ${index} operation`), kind: PublicInventoryMovementKind.RECEIPT, locationId, reference };
  for (const { product_id, quantity, notes } of lines) {
    changeOnHand(ledger, { ...receipt, productId: product_id, delta: quantity, reason: notes });
  }
}

/** Creates the receipts `receipt 0`, `receipt 1`, …. Every third one is still a draft. */
function seedReceipts(plan: Plan): void {
  const productIds = listProductsInStock(plan);
  for (let index = 0; index < RECEIPTS; index += 1) {
    const draft: Draft = {
      id: plan.id(`receipt ${index}`),
      index,
      locationId: plan.id(plan.random.pick(STOCK_LOCATIONS)),
      reference: index === 0 ? LONG_TEXTS.reference : `PO-${1_000 + index}`,
      createdAt: plan.pickPastTimestamp(300) - DAY_SECONDS,
    };
    seedReceipt(plan, draft, productIds);
  }
}

export const receiptsDemo = demoData({
  examples: {
    InventoryReceipt: ['receipt 0', 'receipt 1'],
  },
  seed: seedReceipts,
});
