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

/** How many receipts and keys there are more than before. */
async function grownBy(work: () => Promise<unknown>) {
  const before = { receipts: receipts(), keys: keys() };
  await work();
  return { receipts: receipts() - before.receipts, keys: keys() - before.keys };
}

describe('a key', () => {
  it('gives the first answer again, and makes nothing new', async () => {
    const request = { locationId, notes: 'Pallet', idempotencyKey: 'again' };
    const first = await call(CREATE, request);
    expect(first.status).toBe(200);
    const grown = await grownBy(async () => {
      const second = await call(CREATE, request);
      expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
    });
    expect(grown).toEqual({ receipts: 0, keys: 0 });
  });

  it('gives the first answer to the same payload in another spelling', async () => {
    const first = await call(CREATE, { locationId, notes: '', idempotencyKey: 'spelling' });
    const second = await call(CREATE, { idempotency_key: 'spelling', location_id: locationId, unheardOf: 1 });
    expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
  });

  it.each([{ notes: 'Other' }, { reference: 'R-1' }, { reference: '' }])(
    'with another payload is a conflict that changes nothing: %j',
    spec('7.14'),
    async (change) => {
      const key = `conflict ${JSON.stringify(change)}`;
      await call(CREATE, { locationId, notes: 'Pallet', idempotencyKey: key });
      const grown = await grownBy(async () => {
        const { status, body } = await call(CREATE, { locationId, notes: 'Pallet', idempotencyKey: key, ...change });
        expect({ status, code: body.code }).toEqual({ status: 409, code: 'already_exists' });
      });
      expect(grown).toEqual({ receipts: 0, keys: 0 });
    },
  );

  it('still gives its first answer after a conflict', async () => {
    const request = { locationId, notes: 'Pallet', idempotencyKey: 'after' };
    const first = await call(CREATE, request);
    await call(CREATE, { ...request, notes: 'Other' });
    expect((await call(CREATE, request)).body).toEqual(first.body);
  });

  it('makes one receipt of many calls at once', async () => {
    const request = { locationId, notes: 'Race', idempotencyKey: 'race' };
    const grown = await grownBy(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => call(CREATE, request)));
      expect(new Set(answers.map(({ body }) => body.receiptId)).size).toBe(1);
    });
    expect(grown).toEqual({ receipts: 1, keys: 1 });
  });

  it('tells another call by even a difference in case or in blanks', async () => {
    const ids = new Set<string>();
    for (const idempotencyKey of ['exact', 'EXACT', ' exact']) ids.add((await call(CREATE, { locationId, idempotencyKey })).body.receiptId);
    expect(ids.size).toBe(3);
  });

  it('belongs to the workspace: another one may use it for something else', async () => {
    const own = await call(CREATE, { locationId, notes: 'Ours', idempotencyKey: 'shared' });
    const foreign = await callAs('demo-neighbour', CREATE, { locationId: foreignLocationId, notes: 'Theirs', idempotencyKey: 'shared' });
    expect(foreign.status).toBe(200);
    expect(foreign.body.receiptId).not.toBe(own.body.receiptId);
  });

  it('belongs to all API keys of the workspace', async () => {
    const request = { locationId, notes: 'Team', idempotencyKey: 'team' };
    const first = await call(CREATE, request);
    expect((await callAs('demo-warehouse', CREATE, request)).body).toEqual(first.body);
  });

  it('does not open its first answer to an API key without the scope', async () => {
    const request = { locationId, notes: 'Closed', idempotencyKey: 'closed' };
    await call(CREATE, request);
    expect((await callAs('demo-sales', CREATE, request)).status).toBe(403);
  });

  it('belongs to the operation: another one may use it', async () => {
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

describe('a call that fails', () => {
  it('does not use up its key', async () => {
    const grown = await grownBy(async () => {
      expect((await call(CREATE, { locationId: 'nowhere', idempotencyKey: 'unburnt' })).status).toBe(404);
    });
    expect(grown).toEqual({ receipts: 0, keys: 0 });
    expect((await call(CREATE, { locationId, idempotencyKey: 'unburnt' })).status).toBe(200);
  });

  it('leaves nothing when it fails after it has written', async () => {
    const { store } = opened.sandbox.world;
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    store.exec(
      `CREATE TRIGGER no_room BEFORE INSERT ON idempotency_keys WHEN new.key = 'unlucky' BEGIN SELECT RAISE(ABORT, 'No room.'); END`,
    );
    const counters = () => store.all('SELECT * FROM counters ORDER BY name');
    const before = counters();
    const grown = await grownBy(async () => {
      expect((await call(CREATE, { locationId, idempotencyKey: 'unlucky' })).status).toBe(500);
    });
    expect(grown).toEqual({ receipts: 0, keys: 0 });
    expect(counters()).toEqual(before);
    store.exec('DROP TRIGGER no_room');
    vi.restoreAllMocks();
    expect((await call(CREATE, { locationId, idempotencyKey: 'unlucky' })).status).toBe(200);
  });
});
