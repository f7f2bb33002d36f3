import { beforeAll, describe, expect, it, vi } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const CREATE = 'Inventory/CreateInventoryReceipt';
let locationId = '';
let foreignLocationId = '';
beforeAll(async () => {
  locationId = (await call('Inventory/SearchInventoryLocations', {})).body.locations[0].id;
  foreignLocationId = (await callAs('demo-neighbour', 'Inventory/SearchInventoryLocations', {})).body.locations[0].id;
});

const receipts = () => opened.sandbox.world.store.get<{ count: number }>('SELECT count(*) AS count FROM inventory_receipts')?.count ?? 0;
const keys = () => opened.sandbox.world.store.get<{ count: number }>('SELECT count(*) AS count FROM idempotency_keys')?.count ?? 0;

/** Number of receipts and idempotency keys that `work` adds. */
async function countAddedRows(work: () => Promise<unknown>) {
  const before = { receipts: receipts(), keys: keys() };
  await work();
  return { receipts: receipts() - before.receipts, keys: keys() - before.keys };
}

describe('idempotency key', () => {
  it('returns the first response again, and creates nothing', async () => {
    const request = { locationId, notes: 'Pallet', idempotencyKey: 'again' };
    const first = await call(CREATE, request);
    expect(first.status).toBe(200);
    const grown = await countAddedRows(async () => {
      const second = await call(CREATE, request);
      expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
    });
    expect(grown).toEqual({ receipts: 0, keys: 0 });
  });

  it('returns the first response for the same payload in another encoding', async () => {
    const first = await call(CREATE, { locationId, notes: '', idempotencyKey: 'spelling' });
    const second = await call(CREATE, { idempotency_key: 'spelling', location_id: locationId, unheardOf: 1 });
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
  });

  it.each([{ notes: 'Other' }, { reference: 'R-1' }, { reference: '' }])(
    'returns a conflict for another payload, and changes nothing: %j',
    spec('7.14'),
    async (change) => {
      const key = `conflict ${JSON.stringify(change)}`;
      await call(CREATE, { locationId, notes: 'Pallet', idempotencyKey: key });
      const grown = await countAddedRows(async () => {
        const { status, body } = await call(CREATE, { locationId, notes: 'Pallet', idempotencyKey: key, ...change });
        expect({ status, code: body.code }).toEqual({ status: 409, code: 'already_exists' });
      });
      expect(grown).toEqual({ receipts: 0, keys: 0 });
    },
  );

  it('returns its first response even after a conflict', async () => {
    const request = { locationId, notes: 'Pallet', idempotencyKey: 'after' };
    const first = await call(CREATE, request);
    await call(CREATE, { ...request, notes: 'Other' });
    expect((await call(CREATE, request)).body).toEqual(first.body);
  });

  it('creates one receipt for many concurrent calls', async () => {
    const request = { locationId, notes: 'Race', idempotencyKey: 'race' };
    const grown = await countAddedRows(async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => call(CREATE, request)));
      expect(new Set(responses.map(({ body }) => body.receiptId)).size).toBe(1);
    });
    expect(grown).toEqual({ receipts: 1, keys: 1 });
  });

  it('distinguishes payloads by case and whitespace', async () => {
    const ids = new Set<string>();
    for (const idempotencyKey of ['exact', 'EXACT', ' exact']) ids.add((await call(CREATE, { locationId, idempotencyKey })).body.receiptId);
    expect(ids.size).toBe(3);
  });

  it('can be used for something else in another workspace', async () => {
    const own = await call(CREATE, { locationId, notes: 'Ours', idempotencyKey: 'shared' });
    const foreign = await callAs('demo-neighbour', CREATE, { locationId: foreignLocationId, notes: 'Theirs', idempotencyKey: 'shared' });
    expect(foreign.status).toBe(200);
    expect(foreign.body.receiptId).not.toBe(own.body.receiptId);
  });

  it('applies to all API keys of the workspace', async () => {
    const request = { locationId, notes: 'Team', idempotencyKey: 'team' };
    const first = await call(CREATE, request);
    expect((await callAs('demo-warehouse', CREATE, request)).body).toEqual(first.body);
  });

  it('doesn’t return its response to an API key without the scope', async () => {
    const request = { locationId, notes: 'Closed', idempotencyKey: 'closed' };
    await call(CREATE, request);
    expect((await callAs('demo-sales', CREATE, request)).status).toBe(403);
  });

  it('can be used by another operation', async () => {
    const { body } = await call(CREATE, { locationId, idempotencyKey: 'operation' });
    const product = opened.sandbox.world.store.get<{ product_id: string }>(
      'SELECT product_id FROM inventory_balances WHERE location_id = :locationId',
      {
        locationId,
      },
    );
    const line = { receiptId: body.receiptId, productId: product?.product_id, quantity: '1', idempotencyKey: 'operation' };
    expect((await call('Inventory/AddInventoryReceiptLine', line)).status).toBe(200);
  });
});

describe('failing call', () => {
  it('doesn’t use up its key', async () => {
    const grown = await countAddedRows(async () => {
      expect((await call(CREATE, { locationId: 'nowhere', idempotencyKey: 'unburnt' })).status).toBe(404);
    });
    expect(grown).toEqual({ receipts: 0, keys: 0 });
    expect((await call(CREATE, { locationId, idempotencyKey: 'unburnt' })).status).toBe(200);
  });

  it('leaves no changes if it fails after a write', async () => {
    const { store } = opened.sandbox.world;
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    store.exec(
      `CREATE TRIGGER no_room BEFORE INSERT ON idempotency_keys WHEN new.key = 'unlucky' BEGIN SELECT RAISE(ABORT, 'No room.'); END`,
    );
    const counters = () => store.all('SELECT * FROM counters ORDER BY name');
    const before = counters();
    const grown = await countAddedRows(async () => {
      expect((await call(CREATE, { locationId, idempotencyKey: 'unlucky' })).status).toBe(500);
    });
    expect(grown).toEqual({ receipts: 0, keys: 0 });
    expect(counters()).toEqual(before);
    store.exec('DROP TRIGGER no_room');
    vi.restoreAllMocks();
    expect((await call(CREATE, { locationId, idempotencyKey: 'unlucky' })).status).toBe(200);
  });
});
