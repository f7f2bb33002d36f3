import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LedgerUnavailableError, OverloadedError } from '../../../src/failures/failures.ts';
import type { Found, LedgerDraft } from '../../../src/ledger/entry.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { type ControlledLedger, createClosedGate, openControlledLedger, openGate } from '../../support/controlledLedger.ts';
import { PROGRAM_MS } from '../../support/timeouts.ts';

const TTL_MS = 60_000;

const createDraft = (attempt: string = randomUUID()): LedgerDraft => ({
  state: 'IN_FLIGHT',
  attempt,
  fingerprint: 'of a request',
  credential: 'of a key',
  startedAt: 1,
  leaseMs: 50_000,
});

const createNames = (count: number, name = 'id') => Array.from({ length: count }, (_, index) => `${name} ${index}`);

let folder = '';
let fileCount = 0;
let ledger: ControlledLedger;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groups-'));
});
const createPath = () => {
  fileCount += 1;
  return join(folder, `${fileCount}.sqlite`);
};
let path = '';
beforeEach(async () => {
  path = createPath();
  ledger = await openControlledLedger(path);
});
afterEach(() => ledger.close());

const claim = (id: string, attempt?: string) => ledger.store.claim([id], createDraft(attempt), TTL_MS);
const claimAll = (ids: readonly string[]) => Promise.all(ids.map((id) => claim(id)));
const getOutcomes = (pending: readonly Promise<unknown>[]) =>
  Promise.all(
    pending.map((each) =>
      each.then(
        (found) => (found === undefined ? 'claimed' : 'taken'),
        (error: unknown) => (error instanceof Error ? error.name : 'failed'),
      ),
    ),
  );

describe('concurrent ledger writes', () => {
  it('share a transaction if they are requested in one turn of the event loop', async () => {
    const before = await ledger.execute({});
    const runAfter = async (id: string, microtasks: number) => {
      for (let passed = 0; passed < microtasks; passed += 1) await undefined;
      return claim(id);
    };
    expect(await getOutcomes(createNames(100).map(runAfter))).toEqual(createNames(100).map(() => 'claimed'));
    expect((await ledger.execute({})) - before).toBe(1);
  });

  it('share a transaction if they are requested during another one', async () => {
    const before = await ledger.execute({});
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    const first = claim('first');
    await reached;
    const others: Promise<unknown>[] = [];
    for (const id of createNames(20)) {
      others.push(claim(id));
      await new Promise(setImmediate);
    }
    openGate(gate);
    await Promise.all([first, ...others]);
    expect((await ledger.execute({})) - before).toBe(2);
  });

  it('resolve only once they are on disk', async () => {
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    let confirmed = 0;
    const all = createNames(3).map((id) =>
      claim(id).then(() => {
        confirmed += 1;
      }),
    );
    await reached;
    const other = new DatabaseSync(path);
    const countEntries = () => other.prepare("SELECT count(*) AS kept FROM entries WHERE id <> 'marker'").get()?.kept;
    expect([confirmed, countEntries()]).toEqual([0, 0]);
    openGate(gate);
    await all[0];
    expect(countEntries()).toBe(3);
    await Promise.all(all);
    other.close();
  });

  it('return one claim per key, and its entry to the others', async () => {
    const attempts = createNames(10, 'attempt');
    const found = await Promise.all(attempts.map((attempt) => claim('the same', attempt)));
    expect(found.map((each) => (each as Found | undefined)?.entry.attempt)).toEqual([
      undefined,
      ...attempts.slice(1).map(() => 'attempt 0'),
    ]);
    expect((await ledger.store.find(['the same']))?.entry.attempt).toBe('attempt 0');
  });

  it('fail individually', async () => {
    await claim('damaged');
    await ledger.execute({ sql: "UPDATE entries SET entry = 'no JSON' WHERE id = 'damaged'" });
    const before = await ledger.execute({});
    const pending = ['one', 'damaged', 'other', 'one'].map((id) => claim(id));
    expect(await getOutcomes(pending)).toEqual(['claimed', 'LedgerUnavailableError', 'claimed', 'taken']);
    expect((await ledger.execute({})) - before).toBe(1);
    expect([await ledger.store.find(['one']), await ledger.store.find(['other'])]).toMatchObject([
      { entry: { state: 'IN_FLIGHT' } },
      { entry: { state: 'IN_FLIGHT' } },
    ]);
  });

  it('roll back and reject together if their transaction fails', async () => {
    await ledger.execute({ sql: 'PRAGMA query_only = ON' });
    expect(await getOutcomes(createNames(5).map((id) => claim(id)))).toEqual(createNames(5).map(() => 'LedgerUnavailableError'));
    await ledger.execute({ sql: 'PRAGMA query_only = OFF' });
    expect(await getOutcomes(createNames(5).map((id) => claim(id)))).toEqual(createNames(5).map(() => 'claimed'));
  });

  it('reject claims beyond ten thousand with OVERLOADED without writing them', async () => {
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    const first = claim('first');
    await reached;
    const waiting = claimAll(createNames(10_000));
    const refused = await claim('one too many').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OverloadedError);
    expect(refused).toMatchObject({ code: 'OVERLOADED', retry: 'SAFE', extensions: { retryAfterSeconds: 1 } });
    // A result belongs to an admitted claim.
    const result = ledger.store.move(['first'], { attempt: 'another', states: ['IN_FLIGHT'] }, createDraft(), TTL_MS);
    openGate(gate);
    await first;
    await waiting;
    expect(await result).toBe(false);
    expect(await claim('one too many')).toBeUndefined();
  });
});

describe('ledger thread', () => {
  it.each([
    ['before BEGIN IMMEDIATE', 'claimed'],
    ['before COMMIT', 'claimed'],
    ['after COMMIT', 'taken'],
  ])('rejects its pending writes if it exits %s, and its successor continues with the file', async (point, then) => {
    const unclaimed = await claim('kept');
    await ledger.execute({ at: { point } });
    expect(await getOutcomes(createNames(3).map((id) => claim(id)))).toEqual(createNames(3).map(() => 'LedgerUnavailableError'));
    expect(await getOutcomes(createNames(3).map((id) => claim(id)))).toEqual(createNames(3).map(() => then));
    expect([unclaimed, await ledger.store.find(['kept'])]).toMatchObject([undefined, { entry: { state: 'IN_FLIGHT' } }]);
  });

  it('rejects a pending lookup if it exits', async () => {
    await ledger.execute({ at: { point: 'before COMMIT' } });
    const reached = ledger.waitForPoint('before COMMIT');
    const pending = claim('id');
    const found = new Promise(setImmediate).then(() => ledger.store.find(['id']));
    expect(await getOutcomes([pending, found])).toEqual(['LedgerUnavailableError', 'LedgerUnavailableError']);
    await reached;
    expect(await ledger.store.find(['id'])).toBeUndefined();
  });

  it('restarts once its file can be opened again', async () => {
    await ledger.execute({ at: { point: 'before COMMIT' }, sql: 'PRAGMA user_version = 2' });
    await expect(claim('id')).rejects.toThrow(LedgerUnavailableError);
    const refused = await claim('id').catch((error: LedgerUnavailableError) => error.cause);
    expect(String(refused)).toContain('has format version 2');
    const other = new DatabaseSync(path);
    other.exec('PRAGMA user_version = 1');
    other.close();
    expect(await claim('id')).toBeUndefined();
  });

  it('rejects everything after five seconds if it hangs, until it responds', async () => {
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const pending: Promise<unknown>[] = [claim('held')];
      await reached;
      pending.push(ledger.store.find(['held']), claim('behind it'));
      vi.advanceTimersByTime(4_999);
      expect(await Promise.race([...pending, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits');
      vi.advanceTimersByTime(1);
      expect(await getOutcomes(pending)).toEqual(pending.map(() => 'LedgerUnavailableError'));
      expect(await getOutcomes([claim('later'), ledger.store.find(['later'])])).toEqual([
        'LedgerUnavailableError',
        'LedgerUnavailableError',
      ]);
    } finally {
      vi.useRealTimers();
      openGate(gate);
    }
    // Written after all. The rejected caller settles the claim later.
    await expect.poll(() => claim('held').catch(() => 'hangs')).toMatchObject({ entry: { state: 'IN_FLIGHT' } });
    expect(await getOutcomes([claim('behind it'), claim('later')])).toEqual(['claimed', 'claimed']);
  });

  it('closes even if its file is locked, and rejects pending writes', async () => {
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const pending = getOutcomes(createNames(3).map((id) => claim(id)));
    await ledger.store.close();
    expect(await pending).toEqual(createNames(3).map(() => 'LedgerUnavailableError'));
    other.close();
  });

  it('keeps the process alive only while a write is pending', async () => {
    const store = JSON.stringify(new URL('../../../src/ledger/sqliteStore.ts', import.meta.url));
    const program = `
      import { SqliteLedgerStore } from ${store};
      const store = new SqliteLedgerStore(${JSON.stringify(createPath())});
      await store.claim(['id'], ${JSON.stringify(createDraft())}, ${TTL_MS});
      console.log((await store.find(['id'])).entry.state);
    `;
    const file = join(folder, 'program.mjs');
    writeFileSync(file, program);
    const ran = await promisify(execFile)(process.execPath, [file], { timeout: PROGRAM_MS });
    expect(ran).toEqual({ stdout: 'IN_FLIGHT\n', stderr: '' });
  });

  it('writes pending entries before it closes', async () => {
    const other = new SqliteLedgerStore(createPath());
    let written = 0;
    for (const id of createNames(2_500)) {
      void other.claim([id], createDraft(), TTL_MS).then(() => {
        written += 1;
      });
    }
    await other.close();
    expect(written).toBe(2_500);
    await expect(other.claim(['late'], createDraft(), TTL_MS)).rejects.toThrow(LedgerUnavailableError);
    await expect(other.find(['late'])).rejects.toThrow(LedgerUnavailableError);
  });
});
