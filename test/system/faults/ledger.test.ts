import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { connectRedis } from '../../../src/lib/redis.ts';
import { type ControlledLedger, openControlledLedger } from '../../support/controlledLedger.ts';
import { type Effect, KEYED_WRITES, type PreparedOperation, READ, WRITES } from '../../support/faults/effects.ts';
import { findViolations } from '../../support/faults/guarantees.ts';
import {
  Clock,
  type DurableSandbox,
  type Graph,
  holdWrites,
  LEASE_MS,
  openDurableSandbox,
  openGraph,
  useFolder,
} from '../../support/faults/harness.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { fetchLedgerState, type MutationOutcome, sendMutation } from '../../support/faults/sendMutation.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

const folder = useFolder();
let sandbox: DurableSandbox;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
});
afterAll(() => sandbox.close());

/** A ledger store that can fail. */
interface Place {
  readonly store: LedgerStore;
  /** Expected outcome of a retry whose first response couldn't be written to the ledger. */
  readonly repeat: string;
  break(): unknown;
  /** Does nothing if the store works. */
  mend(): unknown;
  close(): unknown;
}

/** A ledger file with very small pages, so that each entry needs pages of its own. */
async function openFile(name: string): Promise<ControlledLedger & { readonly other: DatabaseSync }> {
  const path = join(folder.path, `${name}.sqlite`);
  const other = new DatabaseSync(path);
  other.exec('PRAGMA page_size = 512; VACUUM;');
  return { ...(await openControlledLedger(path)), other };
}

/** The retry can't read the ledger, either. */
const BLIND = 'LEDGER_UNAVAILABLE SAFE';

/** Another process holds a write transaction open. */
async function locked(): Promise<Place> {
  const { store, other, close } = await openFile('locked');
  return {
    store,
    repeat: BLIND,
    break: () => other.exec('BEGIN IMMEDIATE'),
    mend: () => other.isTransaction && other.exec('ROLLBACK'),
    close: async () => {
      await close();
      other.close();
    },
  };
}

/** The file can't grow. */
async function full(): Promise<Place> {
  const { store, execute, other, close } = await openFile('full');
  return {
    store,
    // The claim can be read.
    repeat: 'OPERATION_IN_PROGRESS SAME_KEY',
    break: () => {
      // No page inside the file is free, either.
      other.exec('VACUUM');
      // SQLite doesn't go below the current page count.
      return execute({ sql: 'PRAGMA max_page_count = 1' });
    },
    mend: () => execute({ sql: 'PRAGMA max_page_count = 1000000' }),
    close: async () => {
      await close();
      other.close();
    },
  };
}

async function readOnly(): Promise<Place> {
  const { store, execute, other, close } = await openFile('readonly');
  return {
    store,
    repeat: BLIND,
    break: () => execute({ sql: 'PRAGMA query_only = ON' }),
    mend: () => execute({ sql: 'PRAGMA query_only = OFF' }),
    close: async () => {
      await close();
      other.close();
    },
  };
}

/** A durable Redis crashes. */
async function redisGone(redis: ReturnType<typeof useRedis>): Promise<Place> {
  const connection = await connectRedis(redis.url, () => {});
  return {
    store: new RedisLedgerStore(connection),
    repeat: BLIND,
    break: () => redis.stop(),
    mend: async () => {
      await redis.start();
      const answer = () => connection.run('return 1', [], []).catch(() => 0);
      await expect.poll(answer).toBe(1);
    },
    close: () => connection.close(),
  };
}

const FORBIDDEN = { status: 403, body: '{"code":"permission_denied","message":"No."}', times: 1 };

interface Asked {
  readonly effect: Effect;
  readonly act: PreparedOperation;
}

let marks = 0;
const acts = (effects: readonly Effect[]): Promise<Asked[]> => {
  marks += 1;
  return Promise.all(effects.map(async (effect) => ({ effect, act: await effect.prepare(sandbox.workspace, `${effect.name} ${marks}`) })));
};

/** The same expected result for each mutation. */
const each = (asked: readonly Asked[], outcome: string, done: number) =>
  asked.map(({ effect }) => ({ effect: effect.name, outcome, done }));

/** Tests of mutations during which the ledger's store fails. */
function suffers(open: () => Promise<Place>): void {
  let place: Place;
  let graph: Graph;
  beforeAll(async () => {
    place = await open();
    graph = await openGraph({ upstreamUrl: sandbox.url, clock: new Clock(), store: place.store });
    await graph.reset();
  });
  afterAll(async () => {
    await graph.close();
    await place.close();
  });

  afterEach(async () => {
    sandbox.faults.clear();
    await graph.intercept(null);
    await place.mend();
  });

  /** Sends all mutations at once. Returns the outcome of each and the number of its effects. */
  const askAll = async (asked: readonly Asked[], told: Map<Asked, MutationOutcome[]> = new Map()) => {
    const answers = await Promise.all(asked.map(({ effect, act }) => sendMutation(graph.url, effect, act)));
    return asked.map((one, index) => {
      const answer = answers[index] as MutationOutcome;
      told.set(one, [...(told.get(one) ?? []), answer]);
      return { effect: one.effect.name, outcome: answer.outcome, done: one.act.countApplied() };
    });
  };
  const states = (asked: readonly Asked[]) => Promise.all(asked.map(({ effect, act }) => fetchLedgerState(graph.url, effect, act)));
  const all = (asked: readonly Asked[], state: string) => asked.map(() => state);

  /** Expected results of retries of applied mutations. */
  const repeated = (asked: readonly Asked[]) => each(asked, 'replayed', 1);

  it('sends only what needs no ledger if the store fails before the claim', async () => {
    const asked = await acts([READ, ...WRITES]);
    const isKept = ({ effect }: Asked) => KEYED_WRITES.includes(effect);
    const kept = asked.filter(isKept);
    const others = asked.filter((one) => !isKept(one));
    const before = sandbox.received.length;
    await place.break();
    const told = await askAll([...others, ...kept]);
    await place.mend();
    expect(told).toEqual([...each(others, 'done', 1), ...each(kept, BLIND, 0)]);
    // Confirming a quote fetches it first.
    const sent = [...others.map(({ effect }) => effect.operation), 'Quote/GetQuote'];
    expect(sandbox.received.slice(before).sort()).toEqual(sent.sort());
    expect(await askAll(kept)).toEqual(each(kept, 'done', 1));
    expect(await states(kept)).toEqual(all(kept, 'SUCCEEDED'));
    expect(await askAll(kept)).toEqual(repeated(kept));
  });

  it('returns the result if the store fails after the claim, and stores it once the store recovers', async () => {
    const asked = await acts(KEYED_WRITES);
    const told = new Map<Asked, MutationOutcome[]>();
    const calls = await holdWrites(graph, 'before');
    const answers = askAll(asked, told);
    await calls.waitForCalls(asked.length);
    expect(await states(asked)).toEqual(all(asked, 'IN_FLIGHT'));
    await place.break();
    calls.release();
    expect(await answers).toEqual(each(asked, 'done', 1));
    await graph.intercept(null);
    const before = sandbox.received.length;
    expect(await askAll(asked, told)).toEqual(each(asked, place.repeat, 1));
    expect(sandbox.received.slice(before)).toEqual([]);
    await place.mend();
    await expect.poll(() => states(asked)).toEqual(all(asked, 'SUCCEEDED'));
    expect(await askAll(asked, told)).toEqual(repeated(asked));
    for (const one of asked) {
      const known = (told.get(one) ?? []).map((answer, index) => ({ ...answer, applied: index === 0 ? 1 : 0 }));
      expect(findViolations({ responses: known, applied: one.act.countApplied(), ledgerState: 'SUCCEEDED' })).toEqual([]);
    }
  });

  it('returns the error if the store fails after the claim, and releases the key once the store recovers', async () => {
    const asked = await acts(KEYED_WRITES);
    const calls = await holdWrites(graph, 'before');
    for (const { effect } of asked) sandbox.faults.add({ operation: effect.operation, ...FORBIDDEN });
    const answers = askAll(asked);
    await calls.waitForCalls(asked.length);
    await place.break();
    calls.release();
    expect(await answers).toEqual(each(asked, 'FORBIDDEN NEVER', 0));
    await graph.intercept(null);
    await place.mend();
    await expect.poll(() => states(asked)).toEqual(all(asked, 'FAILED'));
    expect(await askAll(asked)).toEqual(each(asked, 'done', 1));
  });
}

describe('attempt that outlasts its lease', () => {
  const clock = new Clock();
  let graph: Graph;
  beforeAll(async () => {
    const store = new SqliteLedgerStore(join(folder.path, 'lease.sqlite'), clock);
    graph = await openGraph({ upstreamUrl: sandbox.url, clock, store });
    await graph.reset();
  });
  afterAll(() => graph.close());

  it.each(KEYED_WRITES.map((effect) => [effect.name, effect] as const))(
    'settles an unknown outcome with the late response: %s',
    async (name, effect) => {
      const act = await effect.prepare(sandbox.workspace, `${name} late`);
      const calls = await holdWrites(graph, 'after');
      const late = sendMutation(graph.url, effect, act);
      await calls.waitForCalls(1);
      await graph.intercept(null);
      clock.advance(LEASE_MS);
      const meanwhile = await sendMutation(graph.url, effect, act);
      const expected = { upstream: 'done', 'upstream, readable': 'done', 'ledger, readable': 'reconciled' } as const;
      expect(meanwhile.outcome).toBe(expected[effect.deduplication as keyof typeof expected] ?? 'OUTCOME_UNKNOWN SAME_KEY');
      calls.release();
      const told = [await late, await sendMutation(graph.url, effect, act)];
      expect(told.map(({ outcome }) => outcome)).toEqual(['done', 'replayed']);
      const ledger = await fetchLedgerState(graph.url, effect, act);
      expect(ledger).toBe('SUCCEEDED');
      const known = [meanwhile, ...told].map((answer) => ({ ...answer, applied: 0 }));
      expect(findViolations({ responses: known, applied: act.countApplied(), ledgerState: ledger })).toEqual([]);
    },
  );
});

describe('ledger file that is locked by another process', () => suffers(locked));
describe('full ledger disk', () => suffers(full));
describe('read-only ledger file', () => suffers(readOnly));
describe.skipIf(!hasRedis)(`unavailable ledger Redis${redisNote}`, () => {
  const redis = useRedis(true);
  suffers(() => redisGone(redis));
});
