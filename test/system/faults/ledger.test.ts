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
interface FaultyStore {
  readonly store: LedgerStore;
  /** Expected outcome of a retry whose first response couldn't be written to the ledger. */
  readonly expectedRetryOutcome: string;
  break(): unknown;
  /** Does nothing if the store works. */
  repair(): unknown;
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
const UNAVAILABLE = 'LEDGER_UNAVAILABLE SAFE';

/** Another process holds a write transaction open. */
async function createLockedStore(): Promise<FaultyStore> {
  const { store, other, close } = await openFile('locked');
  return {
    store,
    expectedRetryOutcome: UNAVAILABLE,
    break: () => other.exec('BEGIN IMMEDIATE'),
    repair: () => other.isTransaction && other.exec('ROLLBACK'),
    close: async () => {
      await close();
      other.close();
    },
  };
}

/** The file can't grow. */
async function createFullStore(): Promise<FaultyStore> {
  const { store, execute, other, close } = await openFile('full');
  return {
    store,
    // The claim can be read.
    expectedRetryOutcome: 'OPERATION_IN_PROGRESS SAME_KEY',
    break: () => {
      // No page inside the file is free, either.
      other.exec('VACUUM');
      // SQLite doesn't go below the current page count.
      return execute({ sql: 'PRAGMA max_page_count = 1' });
    },
    repair: () => execute({ sql: 'PRAGMA max_page_count = 1000000' }),
    close: async () => {
      await close();
      other.close();
    },
  };
}

async function createReadOnlyStore(): Promise<FaultyStore> {
  const { store, execute, other, close } = await openFile('readonly');
  return {
    store,
    expectedRetryOutcome: UNAVAILABLE,
    break: () => execute({ sql: 'PRAGMA query_only = ON' }),
    repair: () => execute({ sql: 'PRAGMA query_only = OFF' }),
    close: async () => {
      await close();
      other.close();
    },
  };
}

/** A durable Redis crashes. */
async function createUnavailableRedisStore(redis: ReturnType<typeof useRedis>): Promise<FaultyStore> {
  const connection = await connectRedis(redis.url, () => {});
  return {
    store: new RedisLedgerStore(connection),
    expectedRetryOutcome: UNAVAILABLE,
    break: () => redis.stop(),
    repair: async () => {
      await redis.start();
      const ping = () => connection.run('return 1', [], []).catch(() => 0);
      await expect.poll(ping).toBe(1);
    },
    close: () => connection.close(),
  };
}

const FORBIDDEN = { status: 403, body: '{"code":"permission_denied","message":"No."}', times: 1 };

interface Mutation {
  readonly effect: Effect;
  readonly operation: PreparedOperation;
}

let preparedCount = 0;
const prepareMutations = (effects: readonly Effect[]): Promise<Mutation[]> => {
  preparedCount += 1;
  return Promise.all(
    effects.map(async (effect) => ({ effect, operation: await effect.prepare(sandbox.workspace, `${effect.name} ${preparedCount}`) })),
  );
};

/** The same expected result for each mutation. */
const expectedResults = (mutations: readonly Mutation[], outcome: string, done: number) =>
  mutations.map(({ effect }) => ({ effect: effect.name, outcome, done }));

/** Tests of mutations during which the ledger's store fails. */
function testFailingStore(open: () => Promise<FaultyStore>): void {
  let faultyStore: FaultyStore;
  let graph: Graph;
  beforeAll(async () => {
    faultyStore = await open();
    graph = await openGraph({ upstreamUrl: sandbox.url, clock: new Clock(), store: faultyStore.store });
    await graph.reset();
  });
  afterAll(async () => {
    await graph.close();
    await faultyStore.close();
  });

  afterEach(async () => {
    sandbox.faults.clear();
    await graph.intercept(null);
    await faultyStore.repair();
  });

  /** Sends all mutations at once. Returns the outcome of each and the number of its effects. */
  const sendAll = async (mutations: readonly Mutation[], outcomes: Map<Mutation, MutationOutcome[]> = new Map()) => {
    const results = await Promise.all(mutations.map(({ effect, operation }) => sendMutation(graph.url, effect, operation)));
    return mutations.map((one, index) => {
      const outcome = results[index] as MutationOutcome;
      outcomes.set(one, [...(outcomes.get(one) ?? []), outcome]);
      return { effect: one.effect.name, outcome: outcome.outcome, done: one.operation.countApplied() };
    });
  };
  const fetchStates = (mutations: readonly Mutation[]) =>
    Promise.all(mutations.map(({ effect, operation }) => fetchLedgerState(graph.url, effect, operation)));
  const repeatState = (mutations: readonly Mutation[], state: string) => mutations.map(() => state);

  /** Expected results of retries of applied mutations. */
  const expectedReplays = (mutations: readonly Mutation[]) => expectedResults(mutations, 'replayed', 1);

  it('sends only mutations that need no ledger if the store fails before the claim', async () => {
    const mutations = await prepareMutations([READ, ...WRITES]);
    const isKeyed = ({ effect }: Mutation) => KEYED_WRITES.includes(effect);
    const keyed = mutations.filter(isKeyed);
    const others = mutations.filter((one) => !isKeyed(one));
    const before = sandbox.received.length;
    await faultyStore.break();
    const outcomes = await sendAll([...others, ...keyed]);
    await faultyStore.repair();
    expect(outcomes).toEqual([...expectedResults(others, 'done', 1), ...expectedResults(keyed, UNAVAILABLE, 0)]);
    // Confirming a quote fetches it first.
    const sent = [...others.map(({ effect }) => effect.operation), 'Quote/GetQuote'];
    expect(sandbox.received.slice(before).sort()).toEqual(sent.sort());
    expect(await sendAll(keyed)).toEqual(expectedResults(keyed, 'done', 1));
    expect(await fetchStates(keyed)).toEqual(repeatState(keyed, 'SUCCEEDED'));
    expect(await sendAll(keyed)).toEqual(expectedReplays(keyed));
  });

  it('returns the result if the store fails after the claim, and stores it once the store recovers', async () => {
    const mutations = await prepareMutations(KEYED_WRITES);
    const outcomes = new Map<Mutation, MutationOutcome[]>();
    const calls = await holdWrites(graph, 'before');
    const results = sendAll(mutations, outcomes);
    await calls.waitForCalls(mutations.length);
    expect(await fetchStates(mutations)).toEqual(repeatState(mutations, 'IN_FLIGHT'));
    await faultyStore.break();
    calls.release();
    expect(await results).toEqual(expectedResults(mutations, 'done', 1));
    await graph.intercept(null);
    const before = sandbox.received.length;
    expect(await sendAll(mutations, outcomes)).toEqual(expectedResults(mutations, faultyStore.expectedRetryOutcome, 1));
    expect(sandbox.received.slice(before)).toEqual([]);
    await faultyStore.repair();
    await expect.poll(() => fetchStates(mutations)).toEqual(repeatState(mutations, 'SUCCEEDED'));
    expect(await sendAll(mutations, outcomes)).toEqual(expectedReplays(mutations));
    for (const one of mutations) {
      const known = (outcomes.get(one) ?? []).map((outcome, index) => ({ ...outcome, applied: index === 0 ? 1 : 0 }));
      expect(findViolations({ responses: known, applied: one.operation.countApplied(), ledgerState: 'SUCCEEDED' })).toEqual([]);
    }
  });

  it('returns the error if the store fails after the claim, and releases the key once the store recovers', async () => {
    const mutations = await prepareMutations(KEYED_WRITES);
    const calls = await holdWrites(graph, 'before');
    for (const { effect } of mutations) sandbox.faults.add({ operation: effect.operation, ...FORBIDDEN });
    const results = sendAll(mutations);
    await calls.waitForCalls(mutations.length);
    await faultyStore.break();
    calls.release();
    expect(await results).toEqual(expectedResults(mutations, 'FORBIDDEN NEVER', 0));
    await graph.intercept(null);
    await faultyStore.repair();
    await expect.poll(() => fetchStates(mutations)).toEqual(repeatState(mutations, 'FAILED'));
    expect(await sendAll(mutations)).toEqual(expectedResults(mutations, 'done', 1));
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
      const operation = await effect.prepare(sandbox.workspace, `${name} late`);
      const calls = await holdWrites(graph, 'after');
      const late = sendMutation(graph.url, effect, operation);
      await calls.waitForCalls(1);
      await graph.intercept(null);
      clock.advance(LEASE_MS);
      const meanwhile = await sendMutation(graph.url, effect, operation);
      const expected = { upstream: 'done', 'upstream, readable': 'done', 'ledger, readable': 'reconciled' } as const;
      expect(meanwhile.outcome).toBe(expected[effect.deduplication as keyof typeof expected] ?? 'OUTCOME_UNKNOWN SAME_KEY');
      calls.release();
      const outcomes = [await late, await sendMutation(graph.url, effect, operation)];
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'replayed']);
      const ledger = await fetchLedgerState(graph.url, effect, operation);
      expect(ledger).toBe('SUCCEEDED');
      const known = [meanwhile, ...outcomes].map((outcome) => ({ ...outcome, applied: 0 }));
      expect(findViolations({ responses: known, applied: operation.countApplied(), ledgerState: ledger })).toEqual([]);
    },
  );
});

describe('ledger file that is locked by another process', () => testFailingStore(createLockedStore));
describe('full ledger disk', () => testFailingStore(createFullStore));
describe('read-only ledger file', () => testFailingStore(createReadOnlyStore));
describe.skipIf(!hasRedis)(`unavailable ledger Redis${redisNote}`, () => {
  const redis = useRedis(true);
  testFailingStore(() => createUnavailableRedisStore(redis));
});
