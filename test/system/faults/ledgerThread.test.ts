import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ControlledLedger, createClosedGate, openControlledLedger, openGate } from '../../support/controlledLedger.ts';
import { type Effect, KEYED_WRITES, READ, WRITES } from '../../support/faults/effects.ts';
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
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { fetchLedgerState, sendMutation } from '../../support/faults/sendMutation.ts';

const folder = useFolder();
let sandbox: DurableSandbox;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
});
afterAll(() => sandbox.close());

const findEffect = (name: string): Effect => {
  const found = WRITES.find((effect) => effect.name === name);
  if (!found) throw new Error(`There is no effect ${name}: choose one of effects.ts.`);
  return found;
};
/** Only the ledger detects repeats of this effect, and it can't be read: nothing else prevents a second effect. */
const ADJUST = findEffect('CRITICAL inventoryAdjust');
const WITHOUT_KEY = findEffect('CREATING contactCreate without a key');

let preparedCount = 0;
const prepare = (effect: Effect) => {
  preparedCount += 1;
  return effect.prepare(sandbox.workspace, `${effect.name} ${preparedCount}`);
};

describe('graph that is killed in a ledger transaction', () => {
  const path = () => join(folder.path, 'killed.sqlite');
  const env = () => ({ UPSTREAM_URL: sandbox.url, LEDGER_URL: `file:${path()}` });
  const KILL_AT = ['--import', fileURLToPath(new URL('../../support/faults/killAt.ts', import.meta.url))];
  let other: GraphProcess;
  beforeAll(async () => {
    other = await startGraph(env());
  });
  afterAll(killAll);

  const expireLeases = () => {
    const database = new DatabaseSync(path());
    database.exec("UPDATE entries SET entry = json_set(entry, '$.leaseUntil', 0) WHERE entry ->> '$.state' = 'IN_FLIGHT'");
    database.close();
  };

  it.each([
    ['claim', 'before it is sent', 1, 'null 0, done 1'],
    ['claim', 'before its commit', 1, 'null 0, done 1'],
    ['claim', 'after its commit', 1, 'UNKNOWN 0, OUTCOME_UNKNOWN SAME_KEY 0'],
    ['result', 'before it is sent', 2, 'UNKNOWN 1, OUTCOME_UNKNOWN SAME_KEY 1'],
    ['result', 'before its commit', 2, 'UNKNOWN 1, OUTCOME_UNKNOWN SAME_KEY 1'],
    ['result', 'after its commit', 2, 'SUCCEEDED 1, replayed 1'],
  ])('returns nothing and applies the mutation at most once: %s, %s', async (_name, point, transaction, then) => {
    const operation = await prepare(ADJUST);
    const graph = await startGraph({ ...env(), KILL_AT: point, KILL_IN: String(transaction) }, KILL_AT);
    await expect(sendMutation(graph.url, ADJUST, operation)).rejects.toThrow();
    expireLeases();
    const found = `${await fetchLedgerState(other.url, ADJUST, operation)} ${operation.countApplied()}`;
    const { outcome } = await sendMutation(other.url, ADJUST, operation);
    expect(`${found}, ${outcome} ${operation.countApplied()}`).toBe(then);
  });
});

describe('slow ledger disk', () => {
  let ledger: ControlledLedger;
  let graph: Graph;
  let gate: Int32Array;
  beforeAll(async () => {
    ledger = await openControlledLedger(join(folder.path, 'slow.sqlite'));
    graph = await openGraph({ upstreamUrl: sandbox.url, clock: new Clock(), store: ledger.store });
    await graph.reset();
  });
  afterAll(async () => {
    await graph.close();
    await ledger.close();
  });
  afterEach(async () => {
    openGate(gate);
    await graph.intercept(null);
  });

  /** Blocks the next transaction. Resolves once `start` has reached it. */
  const blockNextTransaction = async <Answer>(start: () => Promise<Answer>) => {
    gate = createClosedGate();
    const before = await ledger.execute({ at: { point: 'before COMMIT', gate } });
    const reached = ledger.waitForPoint('before COMMIT');
    const response = start();
    await reached;
    return { before, answer: response };
  };

  it('serves queries and mutations that need no ledger', async () => {
    const [keyed, free, read] = [await prepare(ADJUST), await prepare(WITHOUT_KEY), await prepare(READ)];
    let hasResponse = false;
    const { answer: response } = await blockNextTransaction(() =>
      sendMutation(graph.url, ADJUST, keyed).finally(() => {
        hasResponse = true;
      }),
    );
    const outcomes = [
      await sendMutation(graph.url, READ, read),
      await sendMutation(graph.url, WITHOUT_KEY, free),
      await sendMutation(graph.url, READ, read),
    ];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
    expect([hasResponse, keyed.countApplied(), free.countApplied()]).toEqual([false, 0, 1]);
    openGate(gate);
    expect([(await response).outcome, keyed.countApplied()]).toEqual(['done', 1]);
  });

  it('groups concurrent claims into one transaction', async () => {
    const first = await prepare(ADJUST);
    const others = await Promise.all(
      [...KEYED_WRITES, ...KEYED_WRITES, ...KEYED_WRITES].map(async (effect) => ({ effect, operation: await prepare(effect) })),
    );
    const calls = await holdWrites(graph, 'before');
    const { before, answer: response } = await blockNextTransaction(() => sendMutation(graph.url, ADJUST, first));
    const claims = vi.spyOn(ledger.store, 'claim');
    const responses = Promise.all(others.map(({ effect, operation }) => sendMutation(graph.url, effect, operation)));
    await expect.poll(() => claims.mock.calls.length).toBe(others.length);
    claims.mockRestore();
    openGate(gate);
    await calls.waitForCalls(1 + others.length);
    expect((await ledger.execute({})) - before).toBe(2);
    calls.release();
    expect([await response, ...(await responses)].map(({ outcome }) => outcome)).toEqual(Array(1 + others.length).fill('done'));
    expect([first, ...others.map(({ operation }) => operation)].map(({ countApplied }) => countApplied())).toEqual(
      Array(1 + others.length).fill(1),
    );
  });

  it('rejects only mutations with OVERLOADED when the queue is full', async () => {
    const [first, operation, read] = [await prepare(ADJUST), await prepare(ADJUST), await prepare(READ)];
    const { answer: response } = await blockNextTransaction(() => sendMutation(graph.url, ADJUST, first));
    const draft = { state: 'IN_FLIGHT', attempt: 'a', fingerprint: 'f', credential: 'c', startedAt: 1, leaseMs: LEASE_MS } as const;
    const waiting = Promise.all(Array.from({ length: 10_000 }, (_, index) => ledger.store.claim([`${index}`], draft, LEASE_MS)));
    const received = sandbox.received.length;
    expect((await sendMutation(graph.url, ADJUST, operation)).outcome).toBe('OVERLOADED SAFE');
    expect(sandbox.received.slice(received)).toEqual([]);
    expect((await sendMutation(graph.url, READ, read)).outcome).toBe('done');
    openGate(gate);
    await waiting;
    expect((await response).outcome).toBe('done');
    expect([(await sendMutation(graph.url, ADJUST, operation)).outcome, operation.countApplied()]).toEqual(['done', 1]);
  });

  it('rejects a mutation unsent if the thread exits during its claim, and applies its retry', async () => {
    for (const point of ['before COMMIT', 'after COMMIT']) {
      const { length } = sandbox.received;
      const first = await prepare(ADJUST);
      const writes = [vi.spyOn(ledger.store, 'move'), vi.spyOn(ledger.store, 'remove')];
      await ledger.execute({ at: { point } });
      expect((await sendMutation(graph.url, ADJUST, first)).outcome).toBe('LEDGER_UNAVAILABLE SAFE');
      expect(sandbox.received.slice(length)).toEqual([]);
      // A claim that was written after all is released within a second.
      await expect.poll(async () => (await sendMutation(graph.url, ADJUST, first)).outcome).toBe('done');
      expect(first.countApplied()).toBe(1);
      // The new thread has written the result and the release of the first claim, maybe in one transaction. Otherwise, the release would reach the next point.
      for (const { mock } of writes) await expect.poll(() => mock.settledResults.map(({ type }) => type)).toContain('fulfilled');
      for (const write of writes) write.mockRestore();
    }
  });

  it('returns the result if the thread exits while storing it, and stores it later', async () => {
    const operation = await prepare(ADJUST);
    const calls = await holdWrites(graph, 'before');
    const response = sendMutation(graph.url, ADJUST, operation);
    await calls.waitForCalls(1);
    await ledger.execute({ at: { point: 'before COMMIT' } });
    calls.release();
    expect([(await response).outcome, operation.countApplied()]).toEqual(['done', 1]);
    await expect.poll(() => fetchLedgerState(graph.url, ADJUST, operation)).toBe('SUCCEEDED');
    expect([(await sendMutation(graph.url, ADJUST, operation)).outcome, operation.countApplied()]).toEqual(['replayed', 1]);
  });
});
