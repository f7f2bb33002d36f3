// A graph for bench/ledger.ts. `STORE` selects the ledger store: `groups` is the production store, and `each` commits each change separately on the main
// thread.

import type { Expected, Found, LedgerDraft, LedgerEntry, LedgerStore } from '../src/ledger/entry.ts';
import { Ledger } from '../src/ledger/ledger.ts';
import { getLedgerPath } from '../src/ledger/ledgerUrl.ts';
import { type EntryChange, LedgerDatabase, type StoredDraft } from '../src/ledger/sqliteDatabase.ts';
import { SqliteLedgerStore } from '../src/ledger/sqliteStore.ts';
import { startApp } from '../src/server/app.ts';
import { openUpstream } from '../src/server/openUpstream.ts';
import { readConfig } from '../src/server/settings/config.ts';
import { createLogger } from '../src/server/telemetry/logger.ts';

class CommitPerChange implements LedgerStore {
  readonly #database: LedgerDatabase;

  constructor(path: string) {
    this.#database = new LedgerDatabase(path);
  }

  async claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number): Promise<Found | undefined> {
    const found = this.#write({ kind: 'claim', ids, ...toStoredEntry(draft, ttlMs) });
    return typeof found === 'string' ? { entry: JSON.parse(found), now: Date.now() } : undefined;
  }

  async move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean> {
    return this.#write({ kind: 'move', ids, expected, ...toStoredEntry(draft, ttlMs) }) === true;
  }

  async check(ids: readonly string[]): Promise<Found | undefined> {
    const found = this.#write({ kind: 'check', ids });
    return typeof found === 'string' ? { entry: JSON.parse(found), now: Date.now() } : undefined;
  }

  async remove(ids: readonly string[], expected: Expected): Promise<boolean> {
    return this.#write({ kind: 'remove', ids, expected }) === true;
  }

  async find(ids: readonly string[]): Promise<Found | undefined> {
    const found = this.#database.find(Date.now(), ids);
    return found === null ? undefined : { entry: JSON.parse(found), now: Date.now() };
  }

  async getId(): Promise<string> {
    return this.#database.id;
  }

  async sweep(): Promise<void> {}

  async close(): Promise<void> {
    this.#database.close();
  }

  #write(change: EntryChange): unknown {
    const [result] = this.#database.write(Date.now(), [change]);
    if (!result || 'failure' in result) throw new Error(`Can’t write to the ledger: ${result?.failure.message}`);
    return result.value;
  }
}

function toStoredEntry(draft: LedgerDraft, ttlMs: number): StoredDraft {
  const now = Date.now();
  const entry: LedgerEntry = { ...draft, leaseUntil: now + draft.leaseMs, expiresAt: now + ttlMs };
  return { entry: JSON.stringify(entry), expiresAt: entry.expiresAt };
}

const STORES: Readonly<Record<string, (path: string) => LedgerStore>> = {
  groups: (path) => new SqliteLedgerStore(path),
  each: (path) => new CommitPerChange(path),
};

const config = readConfig(process.env);
const logger = createLogger(config.LOG_LEVEL);
const store = STORES[process.env.STORE ?? '']?.(getLedgerPath(config.LEDGER_URL));
if (!store) throw new Error(`STORE must be one of ${Object.keys(STORES).join(', ')}.`);
const upstream = openUpstream(config, undefined, logger);
await startApp({ config, upstream, ledger: new Ledger({ store, leaseMs: 60_000 }), logger });
