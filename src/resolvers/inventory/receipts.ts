import type { Context } from '../../context.ts';
import { InventoryReceipt, InventoryReceiptLine } from '../../schema/inventory/receipts.ts';
import { builder } from '../../schema/kit/builder.ts';
import { partial } from '../../schema/kit/edges.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { calling } from '../../schema/kit/marks.ts';
import { OWNER } from '../../schema/kit/parts.ts';
import {
  AddInventoryReceiptLine,
  CreateInventoryReceipt,
  GetInventoryReceipt,
  ReceiveInventory,
} from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { presentFields } from '../kit/presentFields.ts';
import { fetchCurrent, matchesInput } from '../kit/reconcile.ts';

const InventoryReceiptByInput = builder.inputType('InventoryReceiptByInput', {
  description: 'Which receipt: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'The id of the receipt.' }),
    idempotencyKey: t.string({ description: 'The key that the draft was made under.' }),
  }),
});

type ReceiptBy = typeof InventoryReceiptByInput.$inferInput;

builder.queryField('inventoryReceipt', (t) =>
  t.field(
    calling(GetInventoryReceipt, 'A receipt; null when there is none. Receipts cannot be listed: keep the id or the key of the draft.', {
      type: InventoryReceipt.ref,
      args: { by: t.arg({ type: InventoryReceiptByInput, required: true, description: 'Which one.' }) },
      extensions: { calls: GetInventoryReceipt },
      // Always read: its first lines come with it, so that asking for them only is no saving.
      resolve: async (_root: object, { by: { id, idempotencyKey } }: { readonly by: ReceiptBy }, context: Context) => {
        if (typeof id === 'string') return InventoryReceipt.load(toRawId('InventoryReceipt', id, ['by', 'id']), context);
        const { receipt } = await context.upstream.call(GetInventoryReceipt, {
          idempotencyKey: idempotencyKey ?? '',
          page: 1,
          pageSize: 1,
        });
        return receipt ?? null;
      },
    }),
  ),
);

builder.objectField(InventoryReceipt.ref, 'lines', (t) =>
  t.field(
    list(GetInventoryReceipt, {
      description: 'The products that were delivered.',
      order: 'Oldest first.',
      on: InventoryReceipt,
      node: InventoryReceiptLine,
    }),
  ),
);

mutation('inventoryReceiptCreate', CreateInventoryReceipt, {
  description: 'Begins a receipt as a draft. No stock changes until it is posted.',
  input: (f) => ({
    locationId: f.locationId('The location where the stock goes.'),
    reference: f.reference('The reference on the delivery note.'),
    notes: f.notes('Notes.'),
  }),
  answer: ({ receiptId, status }) => ({ receipt: receiptId ? { receiptId, ...presentFields({ status }) } : undefined }),
  payload: (t) => ({
    receipt: t.field({
      type: InventoryReceipt.ref,
      description: 'The draft. Its id and status are told; its other fields are read, and are null, each with an error, where that fails.',
      extensions: { calls: GetInventoryReceipt },
      resolve: ({ receipt }, _args, context, info) => partial(InventoryReceipt, receipt, context, info),
    }),
  }),
  reconcile: async ({ request: { idempotencyKey, ...wanted }, context }) => {
    const { receipt } = await context.upstream.call(GetInventoryReceipt, { idempotencyKey: idempotencyKey ?? '', page: 1, pageSize: 1 });
    // The key may have been used before, for another one.
    return receipt && matchesInput(receipt, wanted) ? receipt : undefined;
  },
});

mutation('inventoryReceiptLineAdd', AddInventoryReceiptLine, {
  description: 'Adds a product to a receipt that is a draft still. No stock changes.',
  on: InventoryReceipt,
  input: (f) => ({
    productId: f.productId('The product.'),
    quantity: f.quantity('The number of pieces.', { as: 'Int' }),
    notes: f.notes('Notes.'),
  }),
  answer: ({ lineId }, { receiptId = '', productId = '', quantity = '', notes = '' }) => ({
    line: lineId ? { lineId, productId, quantity, notes, [OWNER]: receiptId } : undefined,
    receiptId,
  }),
  payload: (t) => ({
    line: t.field({
      type: InventoryReceiptLine,
      nullable: false,
      description: 'The new line, as it was sent: its `createdAt` is not told, and null.',
      resolve: ({ line }) => line,
    }),
    receipt: t.field({
      type: InventoryReceipt.ref,
      description:
        'The receipt that it was added to. Its id is told; its other fields are read, and are null, each with an error, where that fails.',
      extensions: { calls: GetInventoryReceipt },
      resolve: ({ receiptId }, _args, context, info) => partial(InventoryReceipt, { receiptId }, context, info),
    }),
  }),
});

mutation('inventoryReceiptPost', ReceiveInventory, {
  description: 'Puts all lines of a receipt into stock at once. Posting it again changes nothing.',
  on: InventoryReceipt,
  answer: ({ status, postedAt }, { receiptId = '' }) => ({ receipt: { receiptId, ...presentFields({ status, postedAt }) } }),
  payload: (t) => ({
    receipt: t.field({
      type: InventoryReceipt.ref,
      description:
        'The posted receipt. Its id, status and `postedAt` are told; its other fields are read, and are null, each with an error, where that fails.',
      extensions: { calls: GetInventoryReceipt },
      resolve: ({ receipt }, _args, context, info) => partial(InventoryReceipt, receipt, context, info),
    }),
  }),
  reconcile: async ({ request: { receiptId }, context }) => {
    const receipt = await fetchCurrent(InventoryReceipt, receiptId, context);
    return receipt?.postedAt ? receipt : undefined;
  },
});
