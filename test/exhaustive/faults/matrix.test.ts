import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { type Effect, type PreparedOperation, READ, WRITES } from '../../support/faults/effects.ts';
import { EXPECTED_RESULTS } from '../../support/faults/expectedResults.ts';
import { FAULTS, type Fault } from '../../support/faults/faults.ts';
import { findViolations, type OperationHistory } from '../../support/faults/guarantees.ts';
import { Clock, type DurableSandbox, type Graph, openDurableSandbox, openGraph, useFolder } from '../../support/faults/harness.ts';
import { openRelay, type Relay } from '../../support/faults/relay.ts';
import { fetchLedgerState, sendMutation } from '../../support/faults/sendMutation.ts';

const folder = useFolder();
const clock = new Clock();
let sandbox: DurableSandbox;
let graph: Graph;
/** Another graph on the same ledger, which no fault strikes: before one tells what the ledger knows, it asks the upstream whether the key is good. */
let onlooker: Graph;
let relay: Relay;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
  relay = await openRelay(sandbox.url);
  const open = () =>
    openGraph({ upstreamUrl: sandbox.url, clock, store: new SqliteLedgerStore(join(folder.path, 'ledger.sqlite'), clock) });
  graph = await open();
  onlooker = await open();
});
afterAll(async () => {
  await graph.close();
  await onlooker.close();
  await relay.close();
  await sandbox.close();
});

/** The fault is gone. */
const heal = async () => {
  sandbox.faults.clear();
  await graph.intercept(null);
};
afterEach(heal);

/** Observation of a request for an act. */
interface Seen {
  readonly outcome: string;
  readonly recordId: string | null;
  /** Calls of the operation that the upstream received. */
  readonly calls: number;
  readonly doneBefore: number;
  readonly done: number;
  readonly ledger: string | null;
}

async function observe(effect: Effect, act: PreparedOperation, meanwhile?: () => Promise<void>): Promise<Seen> {
  const before = sandbox.received.length;
  const doneBefore = act.countApplied();
  const [{ outcome, recordId, retryAfterSeconds }] = await Promise.all([sendMutation(graph.url, effect, act), meanwhile?.()]);
  const calls = sandbox.received.slice(before).filter((operation) => operation === effect.operation).length;
  // The caller waits as long as it was told.
  clock.advance((retryAfterSeconds ?? 0) * 1000);
  return { outcome, recordId, calls, doneBefore, done: act.countApplied(), ledger: await fetchLedgerState(onlooker.url, effect, act) };
}

/** Whether a caller may ask again, by what it was told. */
const mayRepeat = ({ deduplication }: Effect, { idempotencyKey }: PreparedOperation, { outcome }: Seen) =>
  idempotencyKey !== null || deduplication === null || deduplication === 'state' || outcome.endsWith(' SAFE');

/** Asks while a fault strikes, and again when it has gone. */
async function suffer({ inject, isDeliveredAfterRetry }: Fault, effect: Effect, act: PreparedOperation): Promise<Seen[]> {
  graph.onWait = async () => {};
  await graph.reset();
  const { meanwhile, deliverDelayed } = await inject({ graph, sandbox, relay, operation: effect.operation });
  const first = await observe(effect, act, meanwhile);
  await heal();
  if (!isDeliveredAfterRetry) await deliverDelayed?.();
  if (!mayRepeat(effect, act, first)) return [first];
  const second = await observe(effect, act);
  await deliverDelayed?.();
  return mayRepeat(effect, act, second) ? [first, second, await observe(effect, act)] : [first, second];
}

/** Observations for the verdict, once no call is under way. A change that was made before the next request began counts as caused by this one. */
const known = (seen: readonly Seen[], act: PreparedOperation): OperationHistory => ({
  responses: seen.map(({ outcome, recordId, doneBefore }, index) => ({
    outcome,
    recordId,
    applied: (seen[index + 1]?.doneBefore ?? act.countApplied()) - doneBefore,
  })),
  applied: act.countApplied(),
  ledgerState: seen.at(-1)?.ledger ?? null,
});

const stateOf = ({ outcome, done, ledger }: Seen) => `${outcome}, ${done} done${ledger === null ? '' : `, ${ledger}`}`;

/** A cell of the table, in the form of `expectedResults.ts`. */
const courseOf = ([first, second]: readonly Seen[]) =>
  [first && stateOf(first), second && `by ${second.calls} ${second.calls === 1 ? 'call' : 'calls'}: ${stateOf(second)}`]
    .filter(Boolean)
    .join(' → ');

const isRetryable = ({ deduplication }: Effect) =>
  deduplication === null || deduplication === 'state' || deduplication.startsWith('upstream');

let marks = 0;
const newMark = () => {
  marks += 1;
  return `mark ${marks}`;
};

describe.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
  it(READ.name, async () => {
    const seen = await suffer(fault, READ, await READ.prepare(sandbox.workspace, newMark()));
    expect(seen.slice(0, 2).map(({ outcome, calls }) => ({ outcome, calls }))).toEqual([
      { outcome: fault.readOutcome, calls: fault.calls[0] },
      { outcome: 'done', calls: 1 },
    ]);
  });

  it.each(WRITES.map((effect) => [effect.name, effect] as const))('%s', async (_effect, effect) => {
    const act = await effect.prepare(sandbox.workspace, newMark());
    const seen = await suffer(fault, effect, act);
    expect(findViolations(known(seen, act))).toEqual([]);
    expect(courseOf(seen)).toBe(EXPECTED_RESULTS[fault.expected][effect.deduplication ?? 'nothing']);
    expect(seen[0]?.calls).toBe(fault.calls[isRetryable(effect) ? 0 : 1]);
  });
});
