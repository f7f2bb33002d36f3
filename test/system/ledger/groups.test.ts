import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LedgerUnavailableError, OverloadedError } from '../../../src/failures/failures.ts';
import type { LedgerDraft } from '../../../src/ledger/entry.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { type ControlledLedger, createClosedGate, openControlledLedger, openGate } from '../../support/controlledLedger.ts';
import { PROGRAM_MS } from '../../support/timeouts.ts';

const TTL_MS = 60_000;

const draftOf = (attempt: string = randomUUID()): LedgerDraft => ({
  state: 'IN_FLIGHT',
  attempt,
  fingerprint: 'of a request',
  credential: 'of a key',
  startedAt: 1,
  leaseMs: 50_000,
});

const named = (count: number, name = 'id') => Array.from({ length: count }, (_, index) => `${name} ${index}`);

let folder = '';
let place = 0;
let ledger: ControlledLedger;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groups-'));
});
const newPath = () => {
  place += 1;
  return join(folder, `${place}.sqlite`);
};
let path = '';
beforeEach(async () => {
  path = newPath();
  ledger = await openControlledLedger(path);
});
afterEach(() => ledger.close());

const claim = (id: string, attempt?: string) => ledger.store.claim([id], draftOf(attempt), TTL_MS);
const claimAll = (ids: readonly string[]) => Promise.all(ids.map((id) => claim(id)));
const outcomesOf = (asked: readonly Promise<unknown>[]) =>
  Promise.all(
    asked.map((each) =>
      each.then(
        (found) => (found === undefined ? 'claimed' : 'taken'),
        (error: unknown) => (error instanceof Error ? error.name : 'failed'),
      ),
    ),
  );

describe('Changes of a ledger that come together', () => {
  it('are one transaction when they come in one turn of the event loop', async () => {
    const before = await ledger.execute({});
    const soon = async (id: string, microtasks: number) => {
      for (let passed = 0; passed < microtasks; passed += 1) await undefined;
      return claim(id);
    };
    expect(await outcomesOf(named(100).map(soon))).toEqual(named(100).map(() => 'claimed'));
    expect((await ledger.execute({})) - before).toBe(1);
  });

  it('are one transaction when they come while another one is being written', async () => {
    const before = await ledger.execute({});
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    const first = claim('first');
    await reached;
    const others: Promise<unknown>[] = [];
    for (const id of named(20)) {
      others.push(claim(id));
      await new Promise(setImmediate);
    }
    openGate(gate);
    await Promise.all([first, ...others]);
    expect((await ledger.execute({})) - before).toBe(2);
  });

  it('are confirmed when they are on the disk, and not before', async () => {
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    let confirmed = 0;
    const all = named(3).map((id) =>
      claim(id).then(() => {
        confirmed += 1;
      }),
    );
    await reached;
    const other = new DatabaseSync(path);
    const kept = () => other.prepare('SELECT count(*) AS kept FROM entries').get()?.kept;
    expect([confirmed, kept()]).toEqual([0, 0]);
    openGate(gate);
    await all[0];
    expect(kept()).toBe(3);
    await Promise.all(all);
    other.close();
  });

  it('may have the same key: one gets it, and the others are told of that one', async () => {
    const attempts = named(10, 'attempt');
    const found = await Promise.all(attempts.map((attempt) => claim('the same', attempt)));
    expect(found.map((each) => each?.entry.attempt)).toEqual([undefined, ...attempts.slice(1).map(() => 'attempt 0')]);
    expect((await ledger.store.find(['the same']))?.entry.attempt).toBe('attempt 0');
  });

  it('do not undo each other: one that fails fails alone', async () => {
    await claim('damaged');
    await ledger.execute({ sql: "UPDATE entries SET entry = 'no JSON' WHERE id = 'damaged'" });
    const before = await ledger.execute({});
    const asked = ['one', 'damaged', 'other', 'one'].map((id) => claim(id));
    expect(await outcomesOf(asked)).toEqual(['claimed', 'LedgerUnavailableError', 'claimed', 'taken']);
    expect((await ledger.execute({})) - before).toBe(1);
    expect([await ledger.store.find(['one']), await ledger.store.find(['other'])]).toMatchObject([
      { entry: { state: 'IN_FLIGHT' } },
      { entry: { state: 'IN_FLIGHT' } },
    ]);
  });

  it('are all undone, and refused, when their transaction fails', async () => {
    await ledger.execute({ sql: 'PRAGMA query_only = ON' });
    expect(await outcomesOf(named(5).map((id) => claim(id)))).toEqual(named(5).map(() => 'LedgerUnavailableError'));
    await ledger.execute({ sql: 'PRAGMA query_only = OFF' });
    expect(await outcomesOf(named(5).map((id) => claim(id)))).toEqual(named(5).map(() => 'claimed'));
  });

  it('are refused as overload, unwritten, past ten thousand claims', async () => {
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    const first = claim('first');
    await reached;
    const waiting = claimAll(named(10_000));
    const refused = await claim('one too many').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OverloadedError);
    expect(refused).toMatchObject({ code: 'OVERLOADED', retry: 'SAFE', extensions: { retryAfterSeconds: 1 } });
    // A result belongs to a claim that was let in.
    const result = ledger.store.move(['first'], { attempt: 'another', states: ['IN_FLIGHT'] }, draftOf(), TTL_MS);
    openGate(gate);
    await first;
    await waiting;
    expect(await result).toBe(false);
    expect(await claim('one too many')).toBeUndefined();
  });
});

describe('The thread of a ledger', () => {
  it.each([
    ['before BEGIN IMMEDIATE', 'claimed'],
    ['before COMMIT', 'claimed'],
    ['after COMMIT', 'taken'],
  ])('ends %s: what it held is refused, and the next one goes on with what is on the disk', async (point, then) => {
    const kept = await claim('kept');
    await ledger.execute({ at: { point } });
    expect(await outcomesOf(named(3).map((id) => claim(id)))).toEqual(named(3).map(() => 'LedgerUnavailableError'));
    expect(await outcomesOf(named(3).map((id) => claim(id)))).toEqual(named(3).map(() => then));
    expect([kept, await ledger.store.find(['kept'])]).toMatchObject([undefined, { entry: { state: 'IN_FLIGHT' } }]);
  });

  it('ends while a look-up waits for it: that one is refused, too', async () => {
    await ledger.execute({ at: { point: 'before COMMIT' } });
    const reached = ledger.waitForPoint('before COMMIT');
    const asked = claim('id');
    const found = new Promise(setImmediate).then(() => ledger.store.find(['id']));
    expect(await outcomesOf([asked, found])).toEqual(['LedgerUnavailableError', 'LedgerUnavailableError']);
    await reached;
    expect(await ledger.store.find(['id'])).toBeUndefined();
  });

  it('is started anew when its file can be opened again', async () => {
    await ledger.execute({ at: { point: 'before COMMIT' }, sql: 'PRAGMA user_version = 2' });
    await expect(claim('id')).rejects.toThrow(LedgerUnavailableError);
    const refused = await claim('id').catch((error: LedgerUnavailableError) => error.cause);
    expect(String(refused)).toContain('has format version 2');
    const other = new DatabaseSync(path);
    other.exec('PRAGMA user_version = 1');
    other.close();
    expect(await claim('id')).toBeUndefined();
  });

  it('hangs: after five seconds all that wait are refused, and all that come, until it answers', async () => {
    const gate = createClosedGate();
    await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked: Promise<unknown>[] = [claim('held')];
      await reached;
      asked.push(ledger.store.find(['held']), claim('behind it'));
      vi.advanceTimersByTime(4_999);
      expect(await Promise.race([...asked, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits');
      vi.advanceTimersByTime(1);
      expect(await outcomesOf(asked)).toEqual(asked.map(() => 'LedgerUnavailableError'));
      expect(await outcomesOf([claim('later'), ledger.store.find(['later'])])).toEqual([
        'LedgerUnavailableError',
        'LedgerUnavailableError',
      ]);
    } finally {
      vi.useRealTimers();
      openGate(gate);
    }
    // Written after all; whoever was refused has it settled later.
    await expect.poll(() => claim('held').catch(() => 'hangs')).toMatchObject({ entry: { state: 'IN_FLIGHT' } });
    expect(await outcomesOf([claim('behind it'), claim('later')])).toEqual(['claimed', 'claimed']);
  });

  it('closes though its file is locked: what waits is refused', async () => {
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const asked = outcomesOf(named(3).map((id) => claim(id)));
    await ledger.store.close();
    expect(await asked).toEqual(named(3).map(() => 'LedgerUnavailableError'));
    other.close();
  });

  it('keeps the process for as long as a change waits, and no longer', async () => {
    const store = JSON.stringify(new URL('../../../src/ledger/sqliteStore.ts', import.meta.url));
    const program = `
      import { SqliteLedgerStore } from ${store};
      const store = new SqliteLedgerStore(${JSON.stringify(newPath())});
      await store.claim(['id'], ${JSON.stringify(draftOf())}, ${TTL_MS});
      console.log((await store.find(['id'])).entry.state);
    `;
    const file = join(folder, 'program.mjs');
    writeFileSync(file, program);
    const ran = await promisify(execFile)(process.execPath, [file], { timeout: PROGRAM_MS });
    expect(ran).toEqual({ stdout: 'IN_FLIGHT\n', stderr: '' });
  });

  it('writes what waits before it is closed', async () => {
    const other = new SqliteLedgerStore(newPath());
    let written = 0;
    for (const id of named(2_500)) {
      void other.claim([id], draftOf(), TTL_MS).then(() => {
        written += 1;
      });
    }
    await other.close();
    expect(written).toBe(2_500);
    await expect(other.claim(['late'], draftOf(), TTL_MS)).rejects.toThrow(LedgerUnavailableError);
    await expect(other.find(['late'])).rejects.toThrow(LedgerUnavailableError);
  });
});
