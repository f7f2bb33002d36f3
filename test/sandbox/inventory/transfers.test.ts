import { describe, expect, it } from 'vitest';
import { useSandbox } from '../sandbox.ts';
import {
  BLOCKED,
  BUNDLE,
  CLOSED,
  createStockHelpers,
  DENIED,
  DEPOT,
  INACTIVE,
  INFINITE,
  INVALID,
  MAIN,
  NOT_FOUND,
  NOWHERE,
  summarizeError,
  VAN,
  VIRTUAL,
} from '../stock.ts';

const IN_TRANSIT = 'PUBLIC_INVENTORY_TRANSFER_STATUS_IN_TRANSIT';
const COMPLETED = 'PUBLIC_INVENTORY_TRANSFER_STATUS_COMPLETED';

const test = useSandbox();
const { call, callAs } = test;
const { newProduct, balance, movements } = createStockHelpers(call);

const start = (productId: string, quantity: number, request: Record<string, unknown> = {}) =>
  call('Inventory/StartInventoryTransfer', {
    sourceLocationId: MAIN,
    destinationLocationId: VAN,
    lines: [{ productId, quantity: String(quantity) }],
    ...request,
  });

const complete = (transferId: string) => call('Inventory/CompleteInventoryTransfer', { transferId });

const list = async (request: Record<string, unknown>) => (await call('Inventory/ListInventoryTransfers', request)).body;

describe('Inventory/StartInventoryTransfer', () => {
  it('removes the stock from the source, and adds it as inbound at the destination', async () => {
    const productId = await newProduct(10);
    const { body } = await start(productId, 4, { reference: 'T-1', notes: 'Monday' });
    expect(body.transfer).toMatchObject({
      status: IN_TRANSIT,
      sourceLocationId: MAIN,
      destinationLocationId: VAN,
      lines: [{ productId, quantity: '4' }],
      reference: 'T-1',
      notes: 'Monday',
      startedAt: String(test.sandbox.now),
    });
    expect(await balance(productId)).toMatchObject({ onHand: 6, available: 6 });
    expect(await balance(productId, VAN)).toEqual({ onHand: 0, available: 0, reserved: 0, inbound: 4 });
    expect((await movements({ productId }))[0]).toMatchObject({
      kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_TRANSFER',
      locationId: MAIN,
      quantityDelta: '-4',
      reference: 'T-1',
    });
  });

  it('starts nothing if one line exceeds the available stock', async () => {
    const [enough, short] = [await newProduct(10), await newProduct(1)];
    const lines = [
      { productId: enough, quantity: '5' },
      { productId: short, quantity: '2' },
    ];
    expect(summarizeError(await start(enough, 0, { lines }))).toEqual(BLOCKED);
    expect(await balance(enough)).toMatchObject({ onHand: 10 });
    expect(await balance(enough, VAN)).toBeUndefined();
  });

  it('rejects a source that equals the destination', async () => {
    expect(summarizeError(await start(await newProduct(5), 1, { destinationLocationId: MAIN }))).toEqual(INVALID);
  });

  it.each([
    ['a bundle', BUNDLE],
    ['an inactive product', INACTIVE],
    ['a product with infinite stock', INFINITE],
  ])('fails for %s', async (_what, productId) => {
    expect(summarizeError(await start(productId, 1))).toEqual(BLOCKED);
  });

  it('requires locations with stock', async () => {
    const productId = await newProduct(5);
    expect(summarizeError(await start(productId, 1, { destinationLocationId: VIRTUAL }))).toEqual(BLOCKED);
    expect(summarizeError(await start(productId, 1, { destinationLocationId: CLOSED }))).toEqual(BLOCKED);
    expect(summarizeError(await start(productId, 1, { sourceLocationId: VIRTUAL }))).toEqual(BLOCKED);
    expect(summarizeError(await start(productId, 1, { destinationLocationId: NOWHERE }))).toEqual(NOT_FOUND);
  });

  it('rejects missing lines and quantities that aren’t positive', async () => {
    expect(summarizeError(await start(await newProduct(5), 0))).toEqual(INVALID);
    expect(summarizeError(await start(await newProduct(5), 1, { lines: [] }))).toEqual(INVALID);
  });
});

describe('Inventory/CompleteInventoryTransfer', () => {
  it('adds the stock at the destination, where it’s no longer inbound', async () => {
    const productId = await newProduct(10);
    const { transfer } = (await start(productId, 4)).body;
    test.sandbox.now += 60;
    const { body } = await complete(transfer.id);
    expect(body.transfer).toEqual({ ...transfer, status: COMPLETED, completedAt: String(test.sandbox.now) });
    expect(await balance(productId, VAN)).toEqual({ onHand: 4, available: 4, reserved: 0, inbound: 0 });
    expect(await balance(productId)).toMatchObject({ onHand: 6 });
    const moved = await movements({ operationId: transfer.id });
    expect(moved.map(({ quantityDelta }: { quantityDelta: string }) => quantityDelta)).toEqual(['4', '-4']);
  });

  it('fails when repeated, and adds nothing', async () => {
    const productId = await newProduct(10);
    const { transfer } = (await start(productId, 4)).body;
    await complete(transfer.id);
    expect(summarizeError(await complete(transfer.id))).toEqual(BLOCKED);
    expect(await balance(productId, VAN)).toMatchObject({ onHand: 4 });
  });

  it('returns not found for a transfer of another workspace', async () => {
    const { transfer } = (await start(await newProduct(10), 4)).body;
    const response = await callAs('demo-neighbour', 'Inventory/CompleteInventoryTransfer', { transferId: transfer.id });
    expect(summarizeError(response)).toEqual(NOT_FOUND);
  });

  it('rejects a read-only key', async () => {
    expect(summarizeError(await callAs('demo-reader', 'Inventory/CompleteInventoryTransfer', { transferId: NOWHERE }))).toEqual(DENIED);
  });
});

describe('Inventory/ListInventoryTransfers', () => {
  it('filters by status, and lists all without it', async () => {
    const fetchStatuses = async (status?: string) =>
      new Set((await list({ status, pageSize: 100 })).transfers.map((transfer: { status: string }) => transfer.status));
    expect(await fetchStatuses(IN_TRANSIT)).toEqual(new Set([IN_TRANSIT]));
    expect(await fetchStatuses(COMPLETED)).toEqual(new Set([COMPLETED]));
    expect(await fetchStatuses()).toEqual(new Set([IN_TRANSIT, COMPLETED]));
  });

  it('lists transfers, newest first, and paginates', async () => {
    const { transfer } = (await start(await newProduct(10, DEPOT), 1, { sourceLocationId: DEPOT })).body;
    const whole = await list({ pageSize: 100 });
    expect(whole.transfers[0].id).toBe(transfer.id);
    const times = whole.transfers.map(({ startedAt }: { startedAt: string }) => Number(startedAt));
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
    const second = await list({ page: 2, pageSize: 5 });
    expect(second.transfers).toEqual(whole.transfers.slice(5, 10));
    expect(second.hasMore).toBe(true);
  });
});
