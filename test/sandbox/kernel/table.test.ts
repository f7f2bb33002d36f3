import { create, toJson } from '@bufbuild/protobuf';
import { UInt64ValueSchema } from '@bufbuild/protobuf/wkt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallContext } from '../../../sandbox/kernel/call.ts';
import { Store } from '../../../sandbox/kernel/store.ts';
import { createRowReader, plainTable, type RowOf, table } from '../../../sandbox/kernel/table.ts';
import type { World } from '../../../sandbox/kernel/world.ts';
import { ProductRecordSchema, PublicProductType } from '../../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { ContactRecordSchema } from '../../../src/upstream/contract/generated/publicapi/v1/contacts_pb.ts';
import { InventoryBalanceRecordSchema } from '../../../src/upstream/contract/generated/publicapi/v1/inventory_pb.ts';
import { InventoryReceiptRecordSchema } from '../../../src/upstream/contract/generated/publicapi/v1/receipts_pb.ts';

const contactTable = table('contacts', ContactRecordSchema, {
  also: { workspace_id: 'TEXT', mood: ['glad', 'sad'], remark: 'TEXT NULL' },
  indexes: { contacts_by_name: 'workspace_id, last_name' },
});
const ADA: RowOf<typeof contactTable> = {
  id: 'c1',
  first_name: 'Ada',
  last_name: 'Adler',
  email: 'ada@example.com',
  phone: '',
  created_at: 5,
  updated_at: 6,
  workspace_id: 'w1',
  mood: 'glad',
  remark: null,
};
const BRAM = { ...ADA, id: 'c2', first_name: 'Bram', mood: 'sad', remark: 'Calls back.' } as const;

let store: Store;
beforeEach(() => {
  store = new Store(':memory:');
});
afterEach(() => store.close());

const listColumns = (name: string) => store.all<{ name: string; type: string; notnull: number }>(`PRAGMA table_info(${name})`);

describe('table of a record', () => {
  it('has a column for each plain field, and none for lists', () => {
    store.exec(table('products', ProductRecordSchema).ddl);
    const columns = listColumns('products').map(({ name, type, notnull }) => `${name} ${type}${notnull ? '' : ' NULL'}`);
    expect(columns).toEqual(
      expect.arrayContaining(['name TEXT', 'price_monthly INTEGER NULL', 'vat_rate REAL', 'is_active INTEGER', 'type INTEGER']),
    );
    expect(columns.filter((column) => column.startsWith('country_prices'))).toEqual([]);
  });

  it('reads the plain fields of a record: 64-bit integers, booleans, enums, and absent fields for empty columns', () => {
    const products = table('products', ProductRecordSchema);
    const row: RowOf<typeof products> = {
      id: 'p1',
      name: 'Pump',
      sku: 'P-1',
      price_once: 100,
      currency: 'EUR',
      vat_rate: 0.21,
      is_active: 1,
      description: '',
      folder_id: '',
      price_monthly: 7,
      price_yearly: null,
      min_quantity: null,
      max_quantity: null,
      type: PublicProductType.BUNDLE,
      has_infinite_stock: 0,
    };
    store.exec(products.ddl);
    products.insert(store, row);
    const read = products.read(products.find(store, { id: 'p1' }) ?? row);
    expect(read).toMatchObject({ isActive: true, hasInfiniteStock: false, priceMonthly: 7, type: PublicProductType.BUNDLE });
    expect(read).not.toHaveProperty('priceYearly');
    expect(contactTable.read(ADA)).toMatchObject({ createdAt: 5n, updatedAt: 6n });
    expect(toJson(ContactRecordSchema, create(ContactRecordSchema, contactTable.read(ADA)))).toMatchObject({
      firstName: 'Ada',
      createdAt: '5',
    });
  });

  it('doesn’t compile without a column of the record, or with an unknown one', () => {
    store.exec(contactTable.ddl);
    const { email: _left, ...incomplete } = ADA;
    // @ts-expect-error: a new member of the record becomes a column that every insert must set.
    expect(() => contactTable.insert(store, incomplete)).toThrow('NOT NULL constraint failed: contacts.email');
    // @ts-expect-error
    expect(() => contactTable.update(store, 'c1', { nickname: 'Ada' })).toThrow('no such column');
    // @ts-expect-error
    expect(table('contacts', ContactRecordSchema, { key: ['nickname'] }).ddl).toContain('PRIMARY KEY (nickname)');
  });

  it('finds rows by value, including null, lists them in order, and updates one', () => {
    store.exec(contactTable.ddl);
    contactTable.insert(store, ADA);
    contactTable.insert(store, BRAM);
    expect(contactTable.find(store, { workspace_id: 'w1', remark: null })).toEqual(ADA);
    expect(contactTable.list(store, { workspace_id: 'w1' }, 'first_name DESC')).toEqual([BRAM, ADA]);
    contactTable.update(store, 'c2', { remark: null, mood: 'glad' });
    expect(contactTable.list(store, {}, 'id')).toEqual([ADA, { ...BRAM, remark: null, mood: 'glad' }]);
  });

  it('rejects a record with a field that no column can hold', () => {
    expect(() => table('values', UInt64ValueSchema)).toThrow(
      'The type of field google.protobuf.UInt64Value.value can’t be stored in a column.',
    );
  });

  it('rejects an ID of another workspace, with the noun of the record', () => {
    store.exec(contactTable.ddl);
    contactTable.insert(store, ADA);
    expect(contactTable.getOrThrow({ store, workspaceId: 'w1' }, 'c1', 'contact')).toEqual(ADA);
    expect(() => contactTable.getOrThrow({ store, workspaceId: 'w2' }, 'c1', 'contact')).toThrow('Contact c1 not found.');
  });

  it('accepts only the values of a column', () => {
    store.exec(contactTable.ddl);
    // @ts-expect-error
    expect(() => contactTable.insert(store, { ...ADA, mood: 'angry' })).toThrow('CHECK constraint failed');
  });

  it('supports computed fields, renamed columns, and 64-bit integers', () => {
    const receipts = table('receipts', InventoryReceiptRecordSchema, { without: ['textTruncated'], names: { receiptId: 'id' } });
    expect(receipts.recordColumns).toBe('id, status, location_id, reference, notes, created_at, posted_at');
    const row = { id: 'r1', status: 1, location_id: 'l1', reference: '', notes: '', created_at: 1, posted_at: null } as const;
    expect(receipts.read(row)).toMatchObject({ receiptId: 'r1' });

    const balances = table('balances', InventoryBalanceRecordSchema, {
      without: ['available', 'inbound'],
      key: ['product_id', 'location_id'],
      constraints: ['CHECK (on_hand >= reserved)'],
      wide: ['on_hand'],
    });
    store.exec(balances.ddl);
    const full = { product_id: 'p1', location_id: 'l1', on_hand: 2n ** 63n - 1n, reserved: 2 };
    balances.insert(store, full);
    expect(balances.find(store, { product_id: 'p1' })).toEqual(full);
    expect(balances.read(full)).toEqual({ productId: 'p1', locationId: 'l1', onHand: full.on_hand, reserved: 2n });
    balances.upsert(store, full);
    balances.upsert(store, { ...full, on_hand: 5n });
    expect(balances.list(store, {}, 'product_id')).toEqual([{ ...full, on_hand: 5n }]);
    expect(() => balances.insert(store, full)).toThrow('UNIQUE constraint failed');
    expect(() => balances.insert(store, { ...full, product_id: 'p2', on_hand: 1n })).toThrow('CHECK constraint failed');
  });

  it('can be declared for an existing table with another column order', () => {
    store.exec(`CREATE TABLE contacts (updated_at INTEGER NOT NULL, remark TEXT, mood TEXT NOT NULL, workspace_id TEXT NOT NULL, phone TEXT NOT NULL,
      created_at INTEGER NOT NULL, email TEXT NOT NULL, last_name TEXT NOT NULL, first_name TEXT NOT NULL, id TEXT PRIMARY KEY) STRICT`);
    store.exec(contactTable.ddl);
    contactTable.insert(store, ADA);
    expect(contactTable.find(store, { id: 'c1' })).toEqual(ADA);
    expect(store.all("SELECT name FROM sqlite_schema WHERE name = 'contacts_by_name'")).toHaveLength(1);
  });
});

describe('page of a table', () => {
  const rows = Array.from(
    { length: 5 },
    (_, index) => ({ ...ADA, id: `c${index}`, created_at: index, mood: index < 3 ? 'glad' : 'sad' }) as const,
  );
  const caller = { permissions: new Set(), scopes: [] as string[], workspaceId: 'w1' };
  const listIds = (request: { page?: number; pageSize: number }, filters: object, order?: string) => {
    const call = new CallContext({ store } as World, caller as never, 2, '');
    const { rows: found, ...page } = contactTable.page(call, request, filters, order);
    return { ids: found.map(({ id }) => id), ...page };
  };
  beforeEach(() => {
    store.exec(contactTable.ddl);
    for (const row of [...rows, { ...ADA, id: 'other', workspace_id: 'w2' }]) contactTable.insert(store, row);
  });

  it('contains the workspace’s rows, newest first, up to the size of the request or the default', () => {
    expect(listIds({ pageSize: 0 }, {})).toEqual({ ids: ['c4', 'c3'], page: 1, pageSize: 2, hasMore: true });
    expect(listIds({ page: 2, pageSize: 3 }, {})).toEqual({ ids: ['c1', 'c0'], page: 2, pageSize: 3, hasMore: false });
    expect(listIds({ pageSize: 9 }, {}, 'id').ids).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  });

  it('applies the filters, and ignores empty strings and zero', () => {
    expect(listIds({ pageSize: 9 }, { mood: 'sad' }).ids).toEqual(['c4', 'c3']);
    expect(listIds({ pageSize: 9 }, { mood: 'sad', created_at: 3, email: '' }).ids).toEqual(['c3']);
    expect(listIds({ pageSize: 9 }, { phone: '', created_at: 0 }).ids).toHaveLength(5);
  });
});

describe('plain table', () => {
  it('has the declared columns, and references to other tables', () => {
    const owners = plainTable('owners', { id: 'TEXT', size: 'INTEGER NULL', share: 'REAL', bytes: 'BLOB' });
    const pets = plainTable('pets', { owner_id: 'TEXT', name: 'TEXT' }, { key: ['owner_id', 'name'], references: { owner_id: owners } });
    store.exec(owners.ddl);
    store.exec(pets.ddl);
    const owner: RowOf<typeof owners> = { id: 'o1', size: null, share: 0.5, bytes: new Uint8Array([1, 2]) };
    owners.insert(store, owner);
    expect(owners.find(store, { id: 'o1' })).toEqual(owner);
    expect(() => pets.insert(store, { owner_id: 'o2', name: 'Rex' })).toThrow('FOREIGN KEY constraint failed');
  });
});

it('createRowReader reads another record from a row that has its columns', () => {
  const row = { ...ADA, more: 5 };
  expect(createRowReader(ContactRecordSchema)(row)).toEqual(contactTable.read(ADA));
});
