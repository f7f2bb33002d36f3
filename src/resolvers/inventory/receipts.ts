import type { Context } from '../../context.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { InventoryReceipt, InventoryReceiptLine, InventoryReceiptStatus } from '../../schema/inventory/receipts.ts';
import { builder } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { OWNER } from '../../schema/kit/parts.ts';
import { rankAscendingBy } from '../../schema/paging/anchors.ts';
import {
  AddInventoryReceiptLine,
  CreateInventoryReceipt,
  GetInventoryReceipt,
  ReceiveInventory,
} from '../../upstream/contract/generated/operations.ts';
import type { InventoryReceiptRecord } from '../../upstream/contract/generated/records.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { toArgumentPaths } from '../kit/reads.ts';
import { fetchCurrent, matchesInput } from '../kit/reconcile.ts';
import { registerReread, reuseIfOwnerVisible } from '../kit/rereads.ts';
import { changedBalances, type Stock, toStock } from './changedBalances.ts';

const InventoryReceiptByInput = builder.inputType('InventoryReceiptByInput', {
  description: 'Key to look up a receipt by. Specify exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'Global or raw ID of the receipt.' }),
    idempotencyKey: t.string({ description: 'The `idempotencyKey` that the draft was created with.' }),
  }),
});

type ReceiptBy = typeof InventoryReceiptByInput.$inferInput;

builder.queryField('inventoryReceipt', (t) =>
  t.field(
    createOperationOptions(
      GetInventoryReceipt,
      'Looks up a receipt. Null if it doesn’t exist. Receipts can’t be listed, so store the ID or idempotency key of the draft.',
      {
        type: InventoryReceipt.ref,
        args: { by: t.arg({ type: InventoryReceiptByInput, required: true, description: 'Key to look up the receipt by.' }) },
        extensions: { calls: GetInventoryReceipt },
        // Always calls the upstream, even if only keys are selected, because the same call returns the first lines.
        resolve: async (_root: object, args: { readonly by: ReceiptBy }, context: Context) => {
          const { id, idempotencyKey } = args.by;
          try {
            if (typeof id === 'string') return await InventoryReceipt.load(toRawId('InventoryReceipt', id, ['by', 'id']), context);
            const request = { idempotencyKey: idempotencyKey ?? '', page: 1, pageSize: 1 };
            const { receipt } = await context.upstream.call(GetInventoryReceipt, request);
            return receipt;
          } catch (error) {
            throw toArgumentPaths(error, args, { receiptId: ['by', 'id'], idempotencyKey: ['by', 'idempotencyKey'] });
          }
        },
      },
    ),
  ),
);

builder.objectField(InventoryReceipt.ref, 'lines', (t) =>
  t.field(
    list(GetInventoryReceipt, {
      description: 'Lines of the receipt.',
      order: 'Oldest first.',
      sortedBy: rankAscendingBy('createdAt'),
      on: InventoryReceipt,
      node: InventoryReceiptLine,
    }),
  ),
);

registerReread(
  InventoryReceiptLine,
  reuseIfOwnerVisible(InventoryReceipt, ({ [OWNER]: receiptId }) => receiptId),
);

/** The receipt's status. Omitted if the response lacks it; then the receipt is fetched if `status` is selected. */
const pickStatus = (status: InventoryReceiptRecord['status']) => InventoryReceiptStatus.toText(status) !== null && { status };

mutation('inventoryReceiptCreate', CreateInventoryReceipt, {
  description: 'Creates a draft receipt. Stock doesn’t change until the receipt is posted.',
  input: (f) => ({
    locationId: f.locationId('Location that receives the stock.'),
    reference: f.reference('Reference on the delivery note.'),
    notes: f.notes('Notes about the receipt.'),
  }),
  payload: {
    partial: { receipt: [InventoryReceipt, 'The draft.'] },
    resolve: ({ receiptId, status }) => ({ receipt: receiptId ? { receiptId, ...pickStatus(status) } : undefined }),
  },
  reconcile: async ({ request: { idempotencyKey, ...expected }, context }) => {
    const { receipt } = await context.upstream.call(GetInventoryReceipt, { idempotencyKey: idempotencyKey ?? '', page: 1, pageSize: 1 });
    // An earlier request may have used the key for another draft.
    return receipt && matchesInput(receipt, expected) ? receipt : undefined;
  },
});

mutation('inventoryReceiptLineAdd', AddInventoryReceiptLine, {
  description: 'Adds a line to a draft receipt. Stock doesn’t change.',
  on: InventoryReceipt,
  input: (f) => ({
    productId: f.productId('Delivered product.'),
    quantity: f.quantity('Number of units.', { as: 'Int' }),
    notes: f.notes('Notes about the line.'),
  }),
  payload: {
    partial: {
      line: [
        InventoryReceiptLine,
        'The new line, as specified in the input. Its `createdAt` is null, because the Workspace API doesn’t return it.',
      ],
      receipt: [InventoryReceipt, 'The receipt with the new line.'],
    },
    resolve: ({ lineId }, { receiptId = '', productId = '', quantity = '', notes = '' }) => ({
      line: lineId ? { lineId, productId, quantity, notes, notesTruncated: false, createdAt: '0', [OWNER]: receiptId } : undefined,
      receipt: { receiptId },
    }),
  },
});

mutation('inventoryReceiptPost', ReceiveInventory, {
  description:
    'Posts a receipt, which adds all its lines to stock in one step. If it’s already posted, nothing changes and the effect is `UNCHANGED`.',
  on: InventoryReceipt,
  payload: {
    partial: { receipt: [InventoryReceipt, 'The posted receipt.'] },
    resolve: ({ status, postedAt }, { receiptId = '' }) => ({
      receipt: { receiptId, ...pickStatus(status), ...(postedAt !== '0' && { postedAt }) },
    }),
    fields: (t) => ({
      changedBalances: t.field(
        changedBalances(async ({ receipt: { receiptId } }, { upstream }) => {
          const stock: Stock[] = [];
          for (let page = 1; ; page += 1) {
            const { response, rows, hasMore } = await readLargestPage(upstream, GetInventoryReceipt, { receiptId }, page);
            stock.push(...toStock(rows, response.receipt?.locationId));
            if (!hasMore || rows.length === 0) return stock;
          }
        }),
      ),
    }),
  },
  isUnchanged: (_response, before) => before !== null && InventoryReceiptStatus.fromWire(before.status) === 'POSTED',
  reconcile: async ({ request: { receiptId }, context }) => {
    const receipt = await fetchCurrent(InventoryReceipt, receiptId, context);
    return receipt?.postedAt ? { ...receipt, postedAt: receipt.postedAt } : undefined;
  },
});
