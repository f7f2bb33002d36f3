import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import {
  BLOCKED,
  BUNDLE,
  CLOSED,
  CONFLICT,
  createIdempotencyKey,
  createStockHelpers,
  DENIED,
  DEPOT,
  INACTIVE,
  INFINITE,
  INVALID,
  MAIN,
  NOT_FOUND,
  NOWHERE,
  SHELF,
  summarizeError,
  VAN,
  VIRTUAL,
} from '../stock.ts';

const IN_TRANSIT = 'PUBLIC_INVENTORY_TRANSFER_STATUS_IN_TRANSIT';

const opened = useSandbox();
const { call, callAs } = opened;
const { newProduct, balance, movements } = createStockHelpers(call);

const adjust = (request: Record<string, unknown>) =>
  call('Inventory/AdjustInventory', { productId: demoId('product 1'), locationId: MAIN, reason: 'Count', ...request });

const move = (request: Record<string, unknown>) =>
  call('Inventory/MoveInventory', { destinationLocationId: DEPOT, idempotencyKey: createIdempotencyKey(), ...request });

const line = (productId: string, quantity: number, sourceLocationId = MAIN) => ({
  productId,
  sourceLocationId,
  quantity: String(quantity),
});

describe('Inventory/SearchInventoryLocations', () => {
  it('finds a location by part of its name or code', async () => {
    const byName = await call('Inventory/SearchInventoryLocations', { query: 'service van' });
    expect(byName.body.locations).toMatchObject([{ id: VAN, kind: 'PUBLIC_INVENTORY_LOCATION_KIND_VEHICLE', isActive: true }]);
    const byCode = await call('Inventory/SearchInventoryLocations', { query: 'w-01' });
    expect(byCode.body.locations.map(({ id }: { id: string }) => id)).toEqual([MAIN]);
  });

  it('lists inactive and virtual locations, and paginates', async () => {
    const all = (await call('Inventory/SearchInventoryLocations', { pageSize: 100 })).body.locations;
    const closed = all.find(({ id }: { id: string }) => id === CLOSED);
    expect(closed.isActive ?? false).toBe(false);
    expect(all.find(({ id }: { id: string }) => id === VIRTUAL).kind).toBe('PUBLIC_INVENTORY_LOCATION_KIND_VIRTUAL');
    const second = await call('Inventory/SearchInventoryLocations', { page: 2, pageSize: 2 });
    expect(second.body).toMatchObject({ locations: all.slice(2, 4), page: 2, pageSize: 2, hasMore: true });
  });

  it('rejects an account without access to inventory, regardless of the key’s scopes', async () => {
    expect(summarizeError(await callAs('demo-restricted', 'Inventory/SearchInventoryLocations', {}))).toEqual(DENIED);
  });
});

describe('Inventory/CreateInventoryLocation', () => {
  it('creates an active location that can hold stock', async () => {
    const { body } = await call('Inventory/CreateInventoryLocation', {
      name: 'Van 2',
      code: 'V-02',
      kind: 'PUBLIC_INVENTORY_LOCATION_KIND_VEHICLE',
    });
    expect(body.location).toMatchObject({
      name: 'Van 2',
      code: 'V-02',
      kind: 'PUBLIC_INVENTORY_LOCATION_KIND_VEHICLE',
      isActive: true,
    });
    const productId = await newProduct(3, body.location.id);
    expect(await balance(productId, body.location.id)).toMatchObject({ onHand: 3 });
  });

  it('rejects a missing kind and a blank name', async () => {
    expect(summarizeError(await call('Inventory/CreateInventoryLocation', { name: 'Somewhere' }))).toEqual(INVALID);
    const blank = { name: ' ', kind: 'PUBLIC_INVENTORY_LOCATION_KIND_WAREHOUSE' };
    expect(summarizeError(await call('Inventory/CreateInventoryLocation', blank))).toEqual(INVALID);
  });

  it('rejects a key without the scope', async () => {
    const request = { name: 'X', kind: 'PUBLIC_INVENTORY_LOCATION_KIND_WAREHOUSE' };
    expect(summarizeError(await callAs('demo-reader', 'Inventory/CreateInventoryLocation', request))).toEqual(DENIED);
  });
});

describe('Inventory/ListInventoryBalances', () => {
  it('returns the quantity on hand minus the reserved quantity as available, for every balance', spec('2.8.6'), async () => {
    const { body } = await call('Inventory/ListInventoryBalances', { pageSize: 100 });
    expect(body.balances.length).toBeGreaterThan(60);
    for (const { onHand = '0', reserved = '0', available = '0' } of body.balances) {
      expect(Number(onHand) - Number(reserved)).toBe(Number(available));
    }
  });

  it('returns the quantity of open backorders and transfers in transit as inbound', spec('2.8.6'), async () => {
    const open = (await call('Inventory/ListInventoryBackorders', { status: 'open', pageSize: 100 })).body.backorders;
    const underWay = (await call('Inventory/ListInventoryTransfers', { status: IN_TRANSIT, pageSize: 100 })).body.transfers;
    const expected = new Map<string, number>();
    for (const { destinationLocationId, lines } of [...open, ...underWay]) {
      for (const { productId, quantity } of lines) {
        const place = `${productId} ${destinationLocationId}`;
        expected.set(place, (expected.get(place) ?? 0) + Number(quantity));
      }
    }
    const { balances } = (await call('Inventory/ListInventoryBalances', { pageSize: 100 })).body;
    for (const { productId, locationId, inbound = '0' } of balances) {
      expect(Number(inbound)).toBe(expected.get(`${productId} ${locationId}`) ?? 0);
    }
  });

  it('filters by product and by location', async () => {
    const productId = demoId('product 1');
    const { body } = await call('Inventory/ListInventoryBalances', { productId });
    expect(new Set(body.balances.map((row: { productId: string }) => row.productId))).toEqual(new Set([productId]));
    const both = await call('Inventory/ListInventoryBalances', { productId, locationId: MAIN });
    expect(both.body.balances).toMatchObject([{ productId, locationId: MAIN }]);
  });

  it('paginates without gaps', async () => {
    const whole = await call('Inventory/ListInventoryBalances', { locationId: MAIN, pageSize: 30 });
    const second = await call('Inventory/ListInventoryBalances', { locationId: MAIN, page: 2, pageSize: 10 });
    expect(second.body.balances).toEqual(whole.body.balances.slice(10, 20));
    expect(second.body.hasMore).toBe(true);
  });

  it('lists nothing of another workspace', async () => {
    const { body } = await callAs('demo-neighbour', 'Inventory/ListInventoryBalances', { locationId: MAIN });
    expect(body.balances ?? []).toEqual([]);
  });
});

describe('Inventory/ListInventoryMovements', () => {
  it('returns movements that add up to the quantity on hand for every balance', async () => {
    const productId = demoId('product 3');
    const sum = (await movements({ productId, locationId: MAIN })).reduce(
      (total: number, { quantityDelta }: { quantityDelta: string }) => total + Number(quantityDelta),
      0,
    );
    expect((await balance(productId))?.onHand).toBe(sum);
  });

  it('lists movements, newest first', async () => {
    const times = (await movements({})).map(({ occurredAt }: { occurredAt: string }) => Number(occurredAt));
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
    expect(new Set(times).size).toBeGreaterThan(10);
  });

  it('filters by kind', async () => {
    const found = await movements({ kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_MOVE' });
    expect(new Set(found.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['PUBLIC_INVENTORY_MOVEMENT_KIND_MOVE']));
  });
});

describe('Inventory/AdjustInventory', () => {
  it('changes the stock on hand by a delta, up and down, and adds a movement with the reason', spec('4.11.28'), async () => {
    const productId = await newProduct(10);
    const { body } = await adjust({ productId, quantityDelta: '-4', reason: 'Broken' });
    expect(body.balance).toMatchObject({ productId, locationId: MAIN, onHand: '6', available: '6' });
    const [latest] = await movements({ productId });
    expect(latest).toMatchObject({ kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_ADJUSTMENT', quantityDelta: '-4', reason: 'Broken' });
  });

  it('applies the same delta again when repeated', spec('4.11.32'), async () => {
    const productId = await newProduct(10);
    await adjust({ productId, quantityDelta: '5' });
    await adjust({ productId, quantityDelta: '5' });
    expect(await balance(productId)).toMatchObject({ onHand: 20 });
  });

  it('rejects removing more than is available', async () => {
    const productId = await newProduct(10);
    expect(summarizeError(await adjust({ productId, quantityDelta: '-11' }))).toEqual(BLOCKED);
    expect(await balance(productId)).toMatchObject({ onHand: 10 });
    expect(await movements({ productId })).toHaveLength(1);
  });

  it('sets the available quantity to a target, including zero', spec('4.11.29'), async () => {
    const productId = await newProduct(10);
    await adjust({ productId, targetAvailable: '25' });
    expect(await balance(productId)).toMatchObject({ onHand: 25, available: 25 });
    await adjust({ productId, targetAvailable: '0' });
    expect(await balance(productId)).toMatchObject({ onHand: 0, available: 0 });
  });

  it('doesn’t compute the inbound quantity of its response', spec('4.11.31'), async () => {
    const productId = await newProduct(10);
    const arrival = { expectedArrivalAt: '1900000000', destinationLocationId: MAIN, idempotencyKey: createIdempotencyKey() };
    await call('Inventory/CreateInventoryBackorder', { ...arrival, lines: [{ productId, quantity: '7' }] });
    const { body } = await adjust({ productId, quantityDelta: '1' });
    expect(body.balance.inbound ?? '0').toBe('0');
    expect(await balance(productId)).toMatchObject({ onHand: 11, inbound: 7 });
  });

  it('requires either a delta or a target', spec('4.11.27', '7.38'), async () => {
    expect(summarizeError(await adjust({}))).toEqual(INVALID);
    expect(summarizeError(await adjust({ quantityDelta: '1', targetAvailable: '5' }))).toEqual(INVALID);
  });

  it(
    'rejects a zero delta, a negative target, and a blank or overlong reason',
    spec('4.11.26', '4.11.28', '4.11.29', '7.39', '8.12'),
    async () => {
      expect(summarizeError(await adjust({ quantityDelta: '0' }))).toEqual(INVALID);
      expect(summarizeError(await adjust({ targetAvailable: '-1' }))).toEqual(INVALID);
      expect(summarizeError(await adjust({ quantityDelta: '1', reason: ' ' }))).toEqual(INVALID);
      expect(summarizeError(await adjust({ quantityDelta: '1', reason: 'x'.repeat(1_001) }))).toEqual(INVALID);
    },
  );

  it('rejects IDs that aren’t UUIDs', spec('2.1.1'), async () => {
    expect(summarizeError(await adjust({ quantityDelta: '1', productId: 'product-1' }))).toEqual(INVALID);
    expect(summarizeError(await adjust({ quantityDelta: '1', locationId: 'here' }))).toEqual(INVALID);
  });

  it.each([
    ['a bundle', BUNDLE],
    ['an inactive product', INACTIVE],
    ['a product with infinite stock', INFINITE],
  ])('fails for %s', spec('2.8.7'), async (_what, productId) => {
    opened.requiresDemoData();
    expect(summarizeError(await adjust({ productId, quantityDelta: '1' }))).toEqual(BLOCKED);
  });

  it.each([
    ['a virtual location', VIRTUAL],
    ['an inactive location', CLOSED],
  ])('fails for %s', async (_what, locationId) => {
    expect(summarizeError(await adjust({ locationId, quantityDelta: '1' }))).toEqual(BLOCKED);
  });

  it('returns not found for unknown products and locations, and for those of another workspace', async () => {
    expect(summarizeError(await adjust({ productId: NOWHERE, quantityDelta: '1' }))).toEqual(NOT_FOUND);
    expect(summarizeError(await adjust({ locationId: NOWHERE, quantityDelta: '1' }))).toEqual(NOT_FOUND);
    const request = { productId: demoId('product 1'), locationId: MAIN, reason: 'Count', quantityDelta: '1' };
    expect(summarizeError(await callAs('demo-neighbour', 'Inventory/AdjustInventory', request))).toEqual(NOT_FOUND);
  });

  it('rejects a read-only key', async () => {
    const request = { productId: demoId('product 1'), locationId: MAIN, reason: 'Count', quantityDelta: '1' };
    expect(summarizeError(await callAs('demo-reader', 'Inventory/AdjustInventory', request))).toEqual(DENIED);
  });
});

describe('Inventory/MoveInventory', () => {
  it('moves stock from several locations to one, with one operation ID for all movements', spec('4.11.37'), async () => {
    opened.requiresDemoData();
    const productId = await newProduct(10);
    await adjust({ productId, locationId: SHELF, quantityDelta: '5' });
    const { body } = await move({ lines: [line(productId, 4), line(productId, 5, SHELF)], reference: 'M-1', notes: 'For the week' });
    expect(await balance(productId)).toMatchObject({ onHand: 6 });
    expect(await balance(productId, SHELF)).toMatchObject({ onHand: 0 });
    expect(await balance(productId, DEPOT)).toMatchObject({ onHand: 9 });
    const moved = await movements({ operationId: body.operationId });
    expect(moved).toHaveLength(4);
    expect(moved[0]).toMatchObject({ kind: 'PUBLIC_INVENTORY_MOVEMENT_KIND_MOVE', reference: 'M-1', reason: 'For the week' });
  });

  it('moves nothing if one line exceeds the available stock', spec('4.11.40', '7.36'), async () => {
    const [enough, short] = [await newProduct(10), await newProduct(2)];
    expect(summarizeError(await move({ lines: [line(enough, 4), line(short, 3)] }))).toEqual(BLOCKED);
    expect(await balance(enough)).toMatchObject({ onHand: 10 });
    expect(await balance(enough, DEPOT)).toBeUndefined();
    expect(await movements({ productId: enough })).toHaveLength(1);
  });

  it('sums lines that draw from the same balance', async () => {
    const productId = await newProduct(10);
    expect(summarizeError(await move({ lines: [line(productId, 6), line(productId, 5)] }))).toEqual(BLOCKED);
    expect((await move({ lines: [line(productId, 6), line(productId, 4)] })).status).toBe(200);
    expect(await balance(productId, DEPOT)).toMatchObject({ onHand: 10 });
  });

  it('returns the first operation for a repeated key, and moves nothing', spec('4.11.38'), async () => {
    const productId = await newProduct(10);
    const request = { lines: [line(productId, 3)], idempotencyKey: createIdempotencyKey() };
    const first = await move(request);
    const second = await move(request);
    expect(second.body).toEqual(first.body);
    expect(await balance(productId)).toMatchObject({ onHand: 7 });
  });

  it('rejects a key that was used with other lines', spec('4.11.39', '7.16'), async () => {
    const productId = await newProduct(10);
    const idempotencyKey = createIdempotencyKey();
    await move({ lines: [line(productId, 3)], idempotencyKey });
    expect(summarizeError(await move({ lines: [line(productId, 4)], idempotencyKey }))).toEqual(CONFLICT);
  });

  it('accepts a key again if its first call was rejected', async () => {
    const productId = await newProduct(1);
    const request = { lines: [line(productId, 3)], idempotencyKey: createIdempotencyKey() };
    expect(summarizeError(await move(request))).toEqual(BLOCKED);
    await adjust({ productId, quantityDelta: '2' });
    expect((await move(request)).status).toBe(200);
  });

  it('rejects a source that equals the destination', async () => {
    expect(summarizeError(await move({ lines: [line(await newProduct(10, DEPOT), 1, DEPOT)] }))).toEqual(INVALID);
  });

  it.each([
    ['a bundle', BUNDLE],
    ['an inactive product', INACTIVE],
    ['a product with infinite stock', INFINITE],
  ])('fails for %s', spec('2.8.8', '4.11.43'), async (_what, productId) => {
    opened.requiresDemoData();
    expect(summarizeError(await move({ lines: [line(productId, 1)] }))).toEqual(BLOCKED);
  });

  it.each([
    ['a virtual', VIRTUAL],
    ['an inactive', CLOSED],
  ])('fails for a move from or to %s location', spec('4.11.41', '7.36'), async (_what, locationId) => {
    opened.requiresDemoData();
    const productId = await newProduct(10);
    expect(summarizeError(await move({ lines: [line(productId, 1)], destinationLocationId: locationId }))).toEqual(BLOCKED);
    expect(summarizeError(await move({ lines: [line(productId, 1, locationId)] }))).toEqual(BLOCKED);
  });

  it('accepts 1 to 100 lines', spec('4.11.33', '8.11'), async () => {
    const productId = await newProduct(200);
    const lines = (count: number) => Array.from({ length: count }, () => line(productId, 1));
    expect(summarizeError(await move({ lines: [] }))).toEqual(INVALID);
    expect(summarizeError(await move({ lines: lines(101) }))).toEqual(INVALID);
    expect((await move({ lines: lines(100) })).status).toBe(200);
  });

  it(
    'rejects quantities that aren’t positive, and blank or overlong keys and texts',
    spec('4.11.34', '4.11.35', '4.11.36', '7.37', '8.10'),
    async () => {
      const lines = [line(await newProduct(10), 1)];
      expect(summarizeError(await move({ lines: [line(demoId('product 1'), 0)] }))).toEqual(INVALID);
      expect(summarizeError(await move({ lines, idempotencyKey: ' ' }))).toEqual(INVALID);
      expect(summarizeError(await move({ lines, idempotencyKey: 'k'.repeat(201) }))).toEqual(INVALID);
      expect(summarizeError(await move({ lines, reference: 'r'.repeat(201) }))).toEqual(INVALID);
      expect(summarizeError(await move({ lines, notes: 'n'.repeat(2_001) }))).toEqual(INVALID);
    },
  );
});
