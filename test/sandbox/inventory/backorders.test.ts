import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import {
  BLOCKED,
  CONFLICT,
  createIdempotencyKey,
  createStockHelpers,
  DENIED,
  DEPOT,
  INVALID,
  NOT_FOUND,
  NOWHERE,
  summarizeError,
  VIRTUAL,
} from '../stock.ts';

const test = useSandbox();
const { call, callAs } = test;
const { newProduct, balance, movements } = createStockHelpers(call);

const inSeconds = (seconds: number) => String(test.sandbox.now + seconds);

const order = (request: Record<string, unknown> = {}) =>
  call('Inventory/CreateInventoryBackorder', {
    destinationLocationId: DEPOT,
    lines: [{ productId: demoId('product 1'), quantity: '5' }],
    expectedArrivalAt: inSeconds(86_400),
    idempotencyKey: createIdempotencyKey(),
    ...request,
  });

const list = async (request: Record<string, unknown>) => (await call('Inventory/ListInventoryBackorders', request)).body;

const reschedule = (backorderId: string, expectedArrivalAt: string) =>
  call('Inventory/UpdateInventoryBackorderEta', { backorderId, expectedArrivalAt });

describe('Inventory/CreateInventoryBackorder', () => {
  it('creates an open backorder with its lines', spec('4.11.44', '4.11.46'), async () => {
    const request = { reference: 'BO-1', notes: 'Soon', expectedArrivalAt: inSeconds(500) };
    const { body } = await order(request);
    expect(body.backorder).toMatchObject({
      ...request,
      status: 'open',
      destinationLocationId: DEPOT,
      lines: [{ productId: demoId('product 1'), quantity: '5' }],
      createdAt: inSeconds(0),
    });
  });

  it('adds inbound stock, but no available stock', spec('2.8.4', '2.8.5'), async () => {
    const productId = await newProduct();
    await order({
      lines: [
        { productId, quantity: '5' },
        { productId, quantity: '3' },
      ],
    });
    expect(await balance(productId, DEPOT)).toEqual({ onHand: 0, available: 0, reserved: 0, inbound: 8 });
    expect(await movements({ productId })).toEqual([]);
  });

  it('requires an arrival in the future', spec('4.11.45'), async () => {
    expect(summarizeError(await order({ expectedArrivalAt: inSeconds(0) }))).toEqual(INVALID);
    expect(summarizeError(await order({ expectedArrivalAt: inSeconds(-1) }))).toEqual(INVALID);
    expect((await order({ expectedArrivalAt: inSeconds(1) })).status).toBe(200);
  });

  it('returns the same backorder for a repeated key, and rejects another payload', spec('4.11.47', '7.17'), async () => {
    const request = { idempotencyKey: createIdempotencyKey(), expectedArrivalAt: inSeconds(900) };
    const first = await order(request);
    expect((await order(request)).body).toEqual(first.body);
    expect(summarizeError(await order({ ...request, notes: 'changed' }))).toEqual(CONFLICT);
    const same = (await list({ pageSize: 100 })).backorders.filter(({ id }: { id: string }) => id === first.body.backorder.id);
    expect(same).toHaveLength(1);
  });

  it('returns the current backorder for a repeated key, even after the original arrival date', async () => {
    const request = { idempotencyKey: createIdempotencyKey(), expectedArrivalAt: inSeconds(900) };
    const { backorder } = (await order(request)).body;
    const moved = (await reschedule(backorder.id, inSeconds(5_000))).body.backorder;
    test.sandbox.now += 1_000;
    expect(await order(request)).toMatchObject({ status: 200, body: { backorder: moved } });
    test.sandbox.world.store.run("UPDATE inventory_backorders SET status = 'received' WHERE id = :id", { id: backorder.id });
    expect((await order(request)).body).toEqual({ backorder: { ...moved, status: 'received' } });
  });

  it('requires a location with stock, and products of the workspace', async () => {
    expect(summarizeError(await order({ destinationLocationId: NOWHERE }))).toEqual(NOT_FOUND);
    expect(summarizeError(await order({ destinationLocationId: VIRTUAL }))).toEqual(BLOCKED);
    expect(summarizeError(await order({ lines: [{ productId: NOWHERE, quantity: '1' }] }))).toEqual(NOT_FOUND);
  });

  it('rejects missing lines, quantities that aren’t positive, and a blank key', async () => {
    expect(summarizeError(await order({ lines: [] }))).toEqual(INVALID);
    expect(summarizeError(await order({ lines: [{ productId: demoId('product 1'), quantity: '0' }] }))).toEqual(INVALID);
    expect(summarizeError(await order({ idempotencyKey: ' ' }))).toEqual(INVALID);
  });

  it('rejects a read-only key', async () => {
    const request = { destinationLocationId: DEPOT, lines: [], expectedArrivalAt: inSeconds(1), idempotencyKey: createIdempotencyKey() };
    expect(summarizeError(await callAs('demo-reader', 'Inventory/CreateInventoryBackorder', request))).toEqual(DENIED);
  });
});

describe('Inventory/ListInventoryBackorders', () => {
  const listStatuses = (body: { backorders: { status: string }[] }) => new Set(body.backorders.map(({ status }) => status));

  it('filters by the lowercase status, and lists both without it', spec('1.14', '2.8.3', '4.11.48'), async () => {
    expect(listStatuses(await list({ status: 'open' }))).toEqual(new Set(['open']));
    expect(listStatuses(await list({ status: 'received' }))).toEqual(new Set(['received']));
    expect(listStatuses(await list({ status: '', pageSize: 100 }))).toEqual(new Set(['open', 'received']));
    expect(summarizeError(await call('Inventory/ListInventoryBackorders', { status: 'OPEN' }))).toEqual(INVALID);
  });

  it('lists backorders, newest first', async () => {
    const newest = (await order()).body.backorder;
    const { backorders } = await list({ pageSize: 100 });
    expect(backorders[0].id).toBe(newest.id);
    const times = backorders.map(({ createdAt }: { createdAt: string }) => Number(createdAt));
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
  });

  it('has 25 rows per page by default, and up to 100', spec('4.11.49', '8.6'), async () => {
    const first = await list({});
    expect(first).toMatchObject({ page: 1, pageSize: 25, hasMore: true });
    expect(first.backorders).toHaveLength(25);
    const whole = await list({ pageSize: 100 });
    expect((await list({ page: 2 })).backorders).toEqual(whole.backorders.slice(25, 50));
    expect(summarizeError(await call('Inventory/ListInventoryBackorders', { pageSize: 101 }))).toEqual(INVALID);
  });

  it('lists nothing of another workspace', async () => {
    const ids = (body: { backorders: { id: string }[] }) => body.backorders.map(({ id }) => id);
    const foreign = (await callAs('demo-neighbour', 'Inventory/ListInventoryBackorders', { pageSize: 100 })).body;
    const own = new Set(ids(await list({ pageSize: 100 })));
    expect(ids(foreign).filter((id) => own.has(id))).toEqual([]);
  });
});

describe('Inventory/UpdateInventoryBackorderEta', () => {
  it('changes only the expected arrival of an open backorder', spec('3.39'), async () => {
    const { backorder } = (await order({ reference: 'BO-2' })).body;
    const { body } = await reschedule(backorder.id, inSeconds(700_000));
    expect(body.backorder).toEqual({ ...backorder, expectedArrivalAt: inSeconds(700_000) });
    expect((await reschedule(backorder.id, inSeconds(700_000))).body).toEqual(body);
  });

  it('rejects a received backorder, and preserves its date', spec('3.40', '4.11.51'), async () => {
    const [received] = (await list({ status: 'received' })).backorders;
    expect(summarizeError(await reschedule(received.id, inSeconds(1_000)))).toEqual(BLOCKED);
    expect((await list({ status: 'received' })).backorders[0]).toEqual(received);
  });

  it('rejects a timestamp that isn’t in the future', spec('4.11.50'), async () => {
    const { backorder } = (await order()).body;
    expect(summarizeError(await reschedule(backorder.id, inSeconds(0)))).toEqual(INVALID);
  });

  it('returns not found for a backorder of another workspace', async () => {
    const { backorder } = (await order()).body;
    const request = { backorderId: backorder.id, expectedArrivalAt: inSeconds(1_000) };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/UpdateInventoryBackorderEta', request))).toEqual(NOT_FOUND);
  });
});
