import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, SMALL } from '../../../sandbox/demo.ts';
import type { Snapshot } from '../../../sandbox/kernel/snapshot.ts';
import { Store } from '../../../sandbox/kernel/store.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { openSandbox, post, START } from '../sandbox.ts';

describe('transaction', () => {
  let store: Store;
  beforeEach(() => {
    store = new Store(':memory:');
    store.exec('CREATE TABLE things (name TEXT PRIMARY KEY) STRICT');
  });
  afterEach(() => store.close());
  const names = () => store.all<{ name: string }>('SELECT name FROM things ORDER BY name').map(({ name }) => name);

  it('commits all changes, and returns the result', () => {
    const result = store.transaction(() => {
      store.insert('things', { name: 'a' });
      store.insert('things', { name: 'b' });
      return 5;
    });
    expect([result, names()]).toEqual([5, ['a', 'b']]);
  });

  it('rolls back all changes if the work throws, and rethrows', () => {
    const failure = new Error('No.');
    const work = () => {
      store.insert('things', { name: 'a' });
      throw failure;
    };
    expect(() => store.transaction(work)).toThrow(failure);
    expect(names()).toEqual([]);
    store.transaction(() => store.insert('things', { name: 'c' }));
    expect(names()).toEqual(['c']);
  });

  it('throws the first error, even if the database has already rolled back', () => {
    const work = () => {
      store.insert('things', { name: 'a' });
      store.run("INSERT OR ROLLBACK INTO things (name) VALUES ('a')");
    };
    expect(() => store.transaction(work)).toThrow('UNIQUE constraint failed');
    expect(names()).toEqual([]);
  });
});

describe('integer above 53 bits', () => {
  const BIG = 2n ** 63n - 1n;
  const sql = 'SELECT :big AS big, 5 AS small, NULL AS none';
  interface Row {
    readonly big: bigint;
    readonly small: number;
    readonly none: null;
  }

  it('preserves its digits in a wide column, and is never rounded in another', () => {
    const store = new Store(':memory:');
    expect(store.get<Row>(sql, { big: BIG }, ['big'])).toEqual({ big: BIG, small: 5, none: null });
    expect(store.all<Row>(sql, { big: 7n }, ['big'])).toEqual([{ big: 7n, small: 5, none: null }]);
    expect(store.get<Row>(sql, { big: 7n })).toEqual({ big: 7, small: 5, none: null });
    expect(() => store.get<Row>(sql, { big: BIG }, ['small'])).toThrow('big is 9223372036854775807');
    expect(() => store.get<Row>(sql, { big: BIG })).toThrow(RangeError);
    store.close();
  });
});

/** All rows of all tables. */
function listRows({ store }: World): Record<string, unknown[]> {
  const tables = store.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return Object.fromEntries(tables.map(({ name }) => [name, store.all(`SELECT * FROM main.${name} ORDER BY rowid`)]));
}

const openSeed = (seed: number, data: string | Snapshot = ':memory:') => openWorld({ data, seed, clock: () => START * 1000 }, SMALL);

let world: World;
let one: Record<string, unknown[]>;
beforeAll(() => {
  world = openSeed(7);
  one = listRows(world);
});
afterAll(() => world.close());

describe('demo data', () => {
  const rowsOfSeed = (seed: number) => {
    const opened = openSeed(seed);
    const rows = listRows(opened);
    opened.close();
    return rows;
  };

  it('doesn’t differ for the same seed and clock', () => {
    expect(rowsOfSeed(7)).toEqual(one);
  });

  it('differs for another seed', () => {
    const other = rowsOfSeed(8);
    const filled = Object.keys(one).filter((table) => table !== 'counters' && one[table]?.length);
    expect(filled).toContain('contacts');
    for (const table of filled) expect(other[table], table).not.toEqual(one[table]);
  });

  it('fills every table except those that only calls fill', () => {
    const empty = Object.entries(one).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([table]) => table)).toEqual(['correspondence_messages', 'customer_uploads', 'idempotency_keys', 'outbox', 'usage']);
  });

  it('contains no references to the other workspace', () => {
    const [own, foreign] = ['demo-owner', 'demo-neighbour'].map(
      (name) =>
        world.store.get<{ workspace_id: string }>(
          'SELECT workspace_id FROM api_keys JOIN members ON members.id = member_id WHERE api_keys.name = :name',
          { name },
        )?.workspace_id,
    );
    const rows = Object.values(one).flat() as Record<string, unknown>[];
    const listIds = (workspaceId: string | undefined) =>
      new Set(rows.filter((row) => row.workspace_id === workspaceId).map(({ id }) => id));
    const foreignIds = listIds(foreign);
    foreignIds.delete(undefined);
    const strays = rows.filter((row) => row.workspace_id === own && Object.values(row).some((value) => foreignIds.has(value)));
    expect(foreignIds.size).toBeGreaterThan(50);
    expect(strays).toEqual([]);
  });
});

describe('snapshot', () => {
  const { serialize } = DatabaseSync.prototype;
  afterEach(() => {
    DatabaseSync.prototype.serialize = serialize;
  });

  it.each(['by its bytes', 'by SQL, in versions of Node.js without `serialize`'])(
    'starts independent worlds with the same rows: %s',
    (way) => {
      if (way !== 'by its bytes') Reflect.deleteProperty(DatabaseSync.prototype, 'serialize');
      const source = openSeed(7);
      // Otherwise, a world that starts without data would have the same rows.
      source.next('test');
      const rows = listRows(source);
      const snapshot = source.store.takeSnapshot();
      source.close();
      const [first, second] = [openSeed(7, snapshot), openSeed(7, snapshot)];
      first.next('test');
      expect(listRows(second)).toEqual(rows);
      first.close();
      second.close();
    },
  );
});

describe('database file', () => {
  let path = '';
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'data.sqlite');
    world.store.exec(`VACUUM INTO '${path}'`);
  });

  const reopen = () => openSandbox({ world: openSeed(7, path) });

  it('retains the data, the API keys and the idempotency keys after a restart', async () => {
    const before = await reopen();
    const made = await post(before.url, 'demo-owner', 'Contact/CreateContact', { lastName: 'Kept' });
    const [location] = (await post(before.url, 'demo-owner', 'Inventory/SearchInventoryLocations', {})).body.locations;
    const receipt = { locationId: location.id, notes: 'Kept', idempotencyKey: 'kept' };
    const first = await post(before.url, 'demo-owner', 'Inventory/CreateInventoryReceipt', receipt);
    const rows = listRows(before.world);
    await before.close();

    const after = await reopen();
    try {
      expect(listRows(after.world)).toEqual(rows);
      const read = await post(after.url, 'demo-owner', 'Contact/GetContact', { id: made.body.contact.id });
      expect(read.body).toEqual(made.body);
      expect((await post(after.url, 'demo-owner', 'Inventory/CreateInventoryReceipt', receipt)).body).toEqual(first.body);
      const other = await post(after.url, 'demo-owner', 'Inventory/CreateInventoryReceipt', { ...receipt, notes: 'Other' });
      expect(other.status).toBe(409);
    } finally {
      await after.close();
    }
  });

  it('continues with new IDs after a restart', async () => {
    const ids: string[] = [];
    for (let start = 0; start < 3; start += 1) {
      const sandbox = await reopen();
      for (let index = 0; index < 5; index += 1) {
        const { status, body } = await post(sandbox.url, 'demo-owner', 'Contact/CreateContact', { lastName: 'Next' });
        expect(status).toBe(200);
        ids.push(body.contact.id);
      }
      await sandbox.close();
    }
    expect(new Set(ids).size).toBe(15);
  });

  it('gets demo data once, whatever seed and sizes later starts use', async () => {
    rmSync(path);
    openSeed(7, path).close();
    const second = openWorld({ data: path, seed: 8, clock: () => START * 1000 }, { ...SMALL, contacts: 31 });
    expect(listRows(second)).toEqual(one);
    second.close();
  });
});
