import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LedgerUnavailableError } from '../../../src/failures/failures.ts';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerDatabase } from '../../../src/ledger/sqliteDatabase.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { StartError } from '../../../src/lib/startup.ts';
import { testLedgerClocks } from './ledgerClocks.ts';
import { createUse, LEASE_MS, Upstream } from './ledgerFixture.ts';
import { testLedgerSequences } from './ledgerSequences.ts';
import { testLedger } from './ledgerSuite.ts';
import { testUnsentRequests } from './ledgerUnsent.ts';
import { testLedgerVersions } from './ledgerVersions.ts';

describe('ledger in a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  });
  const open = async (name: string, host: Clock) => {
    const store = new SqliteLedgerStore(join(folder, `${name}.sqlite`), host);
    await store.open();
    return store;
  };
  const kind = { open, hasOwnClock: false };
  testLedger(kind);
  testUnsentRequests(kind);
  testLedgerClocks(kind);
  testLedgerSequences(kind);
  testLedgerVersions(kind);

  it('restricts file access to its user', async () => {
    const path = join(folder, 'private.sqlite');
    const store = new SqliteLedgerStore(path);
    await store.find(['id']);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o077).toBe(0);
    await store.close();
  });

  it('stores a result from before an outage, regardless of failed requests since', async () => {
    /** A store that can become unavailable. */
    class Store extends SqliteLedgerStore {
      isGone = false;
      override async claim(...given: Parameters<LedgerStore['claim']>) {
        if (this.isGone) throw new LedgerUnavailableError();
        return super.claim(...given);
      }
      override async move(...given: Parameters<LedgerStore['move']>) {
        if (this.isGone) throw new LedgerUnavailableError();
        return super.move(...given);
      }
    }
    const path = join(folder, 'gone.sqlite');
    const store = new Store(path);
    const ledger = new Ledger({ store, leaseMs: LEASE_MS });
    const { ok } = new Upstream();
    const breakStore = () => {
      store.isGone = true;
      return ok();
    };
    expect((await ledger.runOnce(createUse(breakStore))).effect).toBe('DONE');
    // As many requests as the ledger retains results.
    for (let requests = 0; requests < 10_000; requests += 1)
      await expect(ledger.runOnce(createUse(ok, { idempotencyKey: `${requests}` }))).rejects.toThrow(LedgerUnavailableError);
    store.isGone = false;
    await ledger.close();
    const other = new Ledger({ store: new SqliteLedgerStore(path), leaseMs: LEASE_MS });
    expect(await other.find(createUse(ok))).toMatchObject({ state: 'SUCCEEDED' });
    await other.close();
  });

  describe('concurrent creation of the file', () => {
    const openBeside = (path: string) => {
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      return other;
    };
    afterEach(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });

    it('waits until the file is created', () => {
      const path = join(folder, 'beside.sqlite');
      const other = openBeside(path);
      const paused = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
        if (other.isTransaction) other.exec('COMMIT');
        return 'timed-out';
      });
      const database = new LedgerDatabase(path);
      expect(paused).toHaveBeenCalledOnce();
      expect(database.find(0, ['id'])).toBeNull();
      database.close();
      other.close();
    });

    it('fails after two seconds', () => {
      const path = join(folder, 'locked.sqlite');
      const other = openBeside(path);
      vi.useFakeTimers({ toFake: ['performance'] });
      let waited = 0;
      vi.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, ms = 0) => {
        waited += ms;
        vi.advanceTimersByTime(ms);
        return 'timed-out';
      });
      expect(() => new LedgerDatabase(path)).toThrow('database is locked');
      expect(waited).toBe(2_000);
      other.close();
    });
  });

  it('rejects a file of another format version', async () => {
    const path = join(folder, 'newer.sqlite');
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 2');
    database.close();
    const error = await new SqliteLedgerStore(path).open().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ message: expect.stringContaining('has format version 2, but this version of the graph requires 1') });
  });
});
