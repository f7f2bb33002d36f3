import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import {
  BLOCKED,
  CLOSED,
  CONFLICT,
  createIdempotencyKey,
  createStockHelpers,
  DENIED,
  INVALID,
  MAIN,
  NOT_FOUND,
  NOWHERE,
  summarizeError,
  VIRTUAL,
} from '../stock.ts';

const test = useSandbox();
const { call, callAs } = test;
const { newProduct, balance, movements } = createStockHelpers(call);

const draft = (request: Record<string, unknown> = {}) =>
  call('Inventory/CreateInventoryReceipt', { locationId: MAIN, idempotencyKey: createIdempotencyKey(), ...request });

const newDraft = async (): Promise<string> => (await draft()).body.receiptId;

const addLine = (receiptId: string, request: Record<string, unknown>) =>
  call('Inventory/AddInventoryReceiptLine', {
    receiptId,
    productId: demoId('product 1'),
    quantity: '1',
    idempotencyKey: createIdempotencyKey(),
    ...request,
  });

const post = (receiptId: string) => call('Inventory/ReceiveInventory', { receiptId });

const read = (request: Record<string, unknown>) => call('Inventory/GetInventoryReceipt', request);

describe('Inventory/CreateInventoryReceipt', () => {
  it('creates a draft without changing stock', spec('2.8.1', '3.38', '4.11.7', '4.11.10'), async () => {
    const productId = await newProduct(3);
    const { body } = await draft({ reference: 'PO-1', notes: 'Careful' });
    expect(body.status).toBe('PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT');
    await addLine(body.receiptId, { productId, quantity: '5' });
    expect(await balance(productId)).toMatchObject({ onHand: 3, inbound: 0 });
    expect((await read({ receiptId: body.receiptId })).body.receipt).toMatchObject({
      status: 'PUBLIC_INVENTORY_RECEIPT_STATUS_DRAFT',
      locationId: MAIN,
      reference: 'PO-1',
      notes: 'Careful',
    });
  });

  it('returns the same receipt with its current status for a repeated key', spec('4.11.8'), async () => {
    const request = { idempotencyKey: createIdempotencyKey(), reference: 'PO-2' };
    const first = await draft(request);
    expect((await draft(request)).body).toEqual(first.body);
    await addLine(first.body.receiptId, {});
    await post(first.body.receiptId);
    expect((await draft(request)).body).toEqual({ receiptId: first.body.receiptId, status: 'PUBLIC_INVENTORY_RECEIPT_STATUS_POSTED' });
  });

  it('rejects a key that was used with other input', spec('4.11.9'), async () => {
    const idempotencyKey = createIdempotencyKey();
    await draft({ idempotencyKey, notes: 'one' });
    expect(summarizeError(await draft({ idempotencyKey, notes: 'two' }))).toEqual(CONFLICT);
  });

  it('separates the keys of workspaces', spec('4.11.6'), async () => {
    const idempotencyKey = createIdempotencyKey();
    await draft({ idempotencyKey });
    const { body } = await callAs('demo-neighbour', 'Inventory/SearchInventoryLocations', { query: 'W-01' });
    const request = { locationId: body.locations[0].id, idempotencyKey };
    expect((await callAs('demo-neighbour', 'Inventory/CreateInventoryReceipt', request)).status).toBe(200);
  });

  it('requires a location with stock', spec('4.11.3'), async () => {
    test.requiresDemoData();
    expect(summarizeError(await draft({ locationId: NOWHERE }))).toEqual(NOT_FOUND);
    expect(summarizeError(await draft({ locationId: VIRTUAL }))).toEqual(BLOCKED);
    expect(summarizeError(await draft({ locationId: CLOSED }))).toEqual(BLOCKED);
  });

  it('rejects overlong texts, and blank or overlong keys', spec('4.11.4', '4.11.5', '8.10'), async () => {
    expect(summarizeError(await draft({ reference: 'r'.repeat(201) }))).toEqual(INVALID);
    expect(summarizeError(await draft({ notes: 'n'.repeat(2_001) }))).toEqual(INVALID);
    expect(summarizeError(await draft({ idempotencyKey: ' ' }))).toEqual(INVALID);
    expect(summarizeError(await draft({ idempotencyKey: 'k'.repeat(201) }))).toEqual(INVALID);
  });
});

describe('Inventory/AddInventoryReceiptLine', () => {
  it('returns the same line for a repeated key, even after the receipt was posted', spec('4.11.13'), async () => {
    const receiptId = await newDraft();
    const request = { idempotencyKey: createIdempotencyKey(), quantity: '2' };
    const first = await addLine(receiptId, request);
    expect((await addLine(receiptId, request)).body).toEqual(first.body);
    await post(receiptId);
    expect((await addLine(receiptId, request)).body).toEqual(first.body);
    expect((await read({ receiptId })).body.lines).toMatchObject([{ lineId: first.body.lineId, quantity: '2' }]);
  });

  it('rejects a key that was used with another payload', spec('4.11.14', '7.15'), async () => {
    const receiptId = await newDraft();
    const idempotencyKey = createIdempotencyKey();
    await addLine(receiptId, { idempotencyKey, quantity: '2' });
    expect(summarizeError(await addLine(receiptId, { idempotencyKey, quantity: '3' }))).toEqual(CONFLICT);
  });

  it('fails after the receipt was posted', spec('3.38', '4.11.15'), async () => {
    const receiptId = await newDraft();
    await addLine(receiptId, {});
    await post(receiptId);
    expect(summarizeError(await addLine(receiptId, {}))).toEqual(BLOCKED);
    expect((await read({ receiptId })).body.lines).toHaveLength(1);
  });

  it('requires a receipt and a product of the workspace', async () => {
    expect(summarizeError(await addLine(NOWHERE, {}))).toEqual(NOT_FOUND);
    expect(summarizeError(await addLine(await newDraft(), { productId: NOWHERE }))).toEqual(NOT_FOUND);
  });

  it('rejects a quantity that isn’t positive, and overlong notes', spec('4.11.11', '4.11.12', '7.37'), async () => {
    const receiptId = await newDraft();
    expect(summarizeError(await addLine(receiptId, { quantity: '0' }))).toEqual(INVALID);
    expect(summarizeError(await addLine(receiptId, { quantity: '-1' }))).toEqual(INVALID);
    expect(summarizeError(await addLine(receiptId, { notes: 'n'.repeat(1_001) }))).toEqual(INVALID);
  });
});

describe('Inventory/ReceiveInventory', () => {
  it('adds every line to the stock, with movements of one operation', spec('3.36', '4.11.17'), async () => {
    const [one, other] = [await newProduct(1), await newProduct()];
    const { body } = await draft({ reference: 'PO-3' });
    await addLine(body.receiptId, { productId: one, quantity: '5' });
    await addLine(body.receiptId, { productId: other, quantity: '7', notes: 'Two boxes' });
    const posted = await post(body.receiptId);
    expect(posted.body).toEqual({
      receiptId: body.receiptId,
      status: 'PUBLIC_INVENTORY_RECEIPT_STATUS_POSTED',
      postedAt: String(test.sandbox.now),
    });
    expect(await balance(one)).toMatchObject({ onHand: 6, available: 6 });
    expect(await balance(other)).toMatchObject({ onHand: 7 });
    const [movement] = await movements({ productId: other });
    expect(movement).toMatchObject({
      kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_RECEIPT',
      quantityDelta: '7',
      reference: 'PO-3',
      reason: 'Two boxes',
    });
    expect(await movements({ operationId: movement.operationId })).toHaveLength(2);
  });

  it('adds nothing when repeated, and returns the time of the first call', spec('3.37', '4.11.16'), async () => {
    const productId = await newProduct();
    const receiptId = await newDraft();
    await addLine(receiptId, { productId, quantity: '5' });
    const first = await post(receiptId);
    test.sandbox.now += 100;
    expect((await post(receiptId)).body).toEqual(first.body);
    expect(await balance(productId)).toMatchObject({ onHand: 5 });
    expect((await read({ receiptId })).body.receipt.postedAt).toBe(first.body.postedAt);
  });

  it('fails for a receipt without lines', async () => {
    expect(summarizeError(await post(await newDraft()))).toEqual(BLOCKED);
  });

  it('returns not found for a receipt of another workspace', async () => {
    const receiptId = await newDraft();
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/ReceiveInventory', { receiptId }))).toEqual(NOT_FOUND);
  });

  it('requires the scope for posting, instead of those for creating drafts', async () => {
    const receiptId = await newDraft();
    expect(summarizeError(await callAs('demo-creator', 'Inventory/ReceiveInventory', { receiptId }))).toEqual(DENIED);
  });
});

describe('Inventory/GetInventoryReceipt', () => {
  it('finds a receipt by its idempotency key', spec('4.11.19'), async () => {
    const idempotencyKey = createIdempotencyKey();
    const { body } = await draft({ idempotencyKey });
    expect((await read({ idempotencyKey })).body.receipt.receiptId).toBe(body.receiptId);
  });

  it('returns no data for a missing receipt and for one of another workspace', spec('4.11.25', '7.25'), async () => {
    const idempotencyKey = createIdempotencyKey();
    const { body } = await draft({ idempotencyKey });
    const responses = [
      await read({ receiptId: NOWHERE }),
      await read({ idempotencyKey: 'never used' }),
      await callAs('demo-neighbour', 'Inventory/GetInventoryReceipt', { receiptId: body.receiptId }),
      await callAs('demo-neighbour', 'Inventory/GetInventoryReceipt', { idempotencyKey }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(response.body.receipt ?? undefined).toBeUndefined();
      expect(response.body.lines ?? []).toEqual([]);
    }
  });

  it('requires either an ID or a key', spec('4.11.18'), async () => {
    expect(summarizeError(await read({}))).toEqual(INVALID);
    expect(summarizeError(await read({ receiptId: NOWHERE, idempotencyKey: 'k' }))).toEqual(INVALID);
  });

  it('returns 25 lines per page by default, and up to 100', spec('4.11.21', '8.5'), async () => {
    const receiptId = demoId('receipt 1');
    const whole = await read({ receiptId, pageSize: 100 });
    expect(whole.body.lines).toHaveLength(64);
    expect(whole.body.hasMore ?? false).toBe(false);
    const pages = [await read({ receiptId }), await read({ receiptId, page: 2 }), await read({ receiptId, page: 3 })];
    expect(pages.map(({ body }) => body.lines.length)).toEqual([25, 25, 14]);
    expect(pages.map(({ body }) => body.hasMore ?? false)).toEqual([true, true, false]);
    expect(pages[0]?.body).toMatchObject({ page: 1, pageSize: 25 });
    expect(pages.flatMap(({ body }) => body.lines)).toEqual(whole.body.lines);
    expect(summarizeError(await read({ receiptId, pageSize: 101 }))).toEqual(INVALID);
  });

  it('supports up to page 100,000', spec('4.11.20', '8.5'), async () => {
    const receiptId = demoId('receipt 1');
    expect((await read({ receiptId, page: 100_000 })).body.lines ?? []).toEqual([]);
    expect(summarizeError(await read({ receiptId, page: 100_001 }))).toEqual(INVALID);
  });

  it('sorts lines by creation time, and by ID within a second', spec('2.8.2', '4.11.22'), async () => {
    const { lines } = (await read({ receiptId: demoId('receipt 1'), pageSize: 100 })).body;
    const keys = lines.map(({ createdAt, lineId }: { createdAt: string; lineId: string }) => `${createdAt} ${lineId}`);
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(lines.map(({ createdAt }: { createdAt: string }) => createdAt)).size).toBe(32);
  });

  it('truncates texts above the response limit, and reports it', spec('4.11.23', '4.11.24'), async () => {
    const { receipt, lines } = (await read({ receiptId: demoId('receipt 0') })).body;
    expect([receipt.reference.length, receipt.notes.length, receipt.textTruncated]).toEqual([200, 2_000, true]);
    expect([lines[0].notes.length, lines[0].notesTruncated]).toEqual([1_000, true]);
  });

  it('doesn’t truncate texts of the maximum length', spec('4.11.23', '8.9'), async () => {
    const { body } = await draft({ reference: 'é'.repeat(200), notes: '🙂'.repeat(2_000) });
    await addLine(body.receiptId, { notes: 'n'.repeat(1_000) });
    const { receipt, lines } = (await read({ receiptId: body.receiptId })).body;
    expect(receipt).toMatchObject({ reference: 'é'.repeat(200), notes: '🙂'.repeat(2_000) });
    expect([receipt.textTruncated ?? false, lines[0].notesTruncated ?? false]).toEqual([false, false]);
  });
});
