import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, SMALL } from '../../../sandbox/demo.ts';
import { LedgerDatabase } from '../../../src/ledger/sqliteDatabase.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
  path = join(folder, 'data.sqlite');
});

/** Executes SQL on the file. Returns the row of the last statement. */
function run(sql: string): Record<string, unknown> | undefined {
  const database = new DatabaseSync(path);
  const statements = sql.split(';');
  const last = statements.pop() ?? '';
  database.exec(statements.join(';'));
  const row = database.prepare(last).get();
  database.close();
  return row;
}

const openLedger = () => new LedgerDatabase(path).close();
const openSandbox = () => openWorld({ data: path, seed: 1, clock: Date.now }, SMALL).close();

const PROGRAMS = [
  { name: 'the ledger', open: openLedger, applicationId: 0x5753474c },
  { name: 'the sandbox', open: openSandbox, applicationId: 0x57534753 },
];

const FOREIGN = [
  ['a table of its own', 'CREATE TABLE notes (id TEXT)'],
  ['tables of our names', 'CREATE TABLE entries (id TEXT, body TEXT); CREATE TABLE counters (id TEXT); CREATE TABLE workspaces (id TEXT)'],
  ['an application ID', 'PRAGMA application_id = 252006673'],
  ['the application ID of a later use', 'CREATE TABLE notes (id TEXT); PRAGMA user_version = 1; PRAGMA application_id = 1'],
] as const;

describe.each(PROGRAMS)('database file of $name', ({ open, applicationId }) => {
  it.each(FOREIGN)('can’t be opened, and doesn’t change, if it belongs to another program, which has %s', (_name, sql) => {
    run(`${sql}; SELECT 1`);
    const before = readFileSync(path);
    expect(open).toThrow(expect.objectContaining({ code: 'ERR_FOREIGN_DATABASE' }));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['data.sqlite']);
  });

  it('stores an application ID, also in a file of an earlier version', () => {
    open();
    expect(run('PRAGMA application_id')).toEqual({ application_id: applicationId });
    run('PRAGMA application_id = 0; SELECT 1');
    open();
    expect(run('PRAGMA application_id')).toEqual({ application_id: applicationId });
  });

  it('can be empty', () => {
    run('PRAGMA user_version = 0; SELECT 1');
    open();
  });
});

it('ledger and sandbox reject each other’s database file', () => {
  openLedger();
  expect(openSandbox).toThrow('belongs to another program');
  path = join(folder, 'sandbox.sqlite');
  openSandbox();
  expect(openLedger).toThrow('belongs to another program');
});

it('ledger retains the entries of an earlier version', () => {
  const times = { startedAt: 1, leaseUntil: 2, expiresAt: 4_000_000_000_000 };
  const entry = { state: 'SUCCEEDED', attempt: 'a', fingerprint: 'f', credential: 'c', ...times };
  run(`CREATE TABLE entries (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_by_expiry ON entries (expires_at);
    PRAGMA user_version = 1;
    INSERT INTO entries VALUES ('id', 4000000000000, '${JSON.stringify(entry)}');
    SELECT 1`);
  const ledger = new LedgerDatabase(path);
  expect(JSON.parse(ledger.find(Date.now(), ['id']) ?? 'null')).toEqual(entry);
  ledger.close();
  // An earlier version can still open the file.
  expect(run('PRAGMA user_version')).toEqual({ user_version: 1 });
});
