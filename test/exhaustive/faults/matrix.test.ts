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
/** Another graph with the same ledger. Before it reports the ledger's state, it checks the API key with the upstream, so it must not be affected by faults. */
let observer: Graph;
let relay: Relay;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
  relay = await openRelay(sandbox.url);
  const open = () =>
    openGraph({ upstreamUrl: sandbox.url, clock, store: new SqliteLedgerStore(join(folder.path, 'ledger.sqlite'), clock) });
  graph = await open();
  observer = await open();
});
afterAll(async () => {
  await graph.close();
  await observer.close();
  await relay.close();
  await sandbox.close();
});

/** Removes the fault. */
const clearFaults = async () => {
  sandbox.faults.clear();
  await graph.intercept(null);
};
afterEach(clearFaults);

/** Result of one request for an operation. */
interface Observation {
  readonly outcome: string;
  readonly recordId: string | null;
  /** Number of calls of the operation that the upstream received. */
  readonly calls: number;
  readonly doneBefore: number;
  readonly done: number;
  readonly ledger: string | null;
}

async function observe(effect: Effect, prepared: PreparedOperation, meanwhile?: () => Promise<void>): Promise<Observation> {
  const before = sandbox.received.length;
  const doneBefore = prepared.countApplied();
  const [{ outcome, recordId, retryAfterSeconds }] = await Promise.all([sendMutation(graph.url, effect, prepared), meanwhile?.()]);
  const calls = sandbox.received.slice(before).filter((operation) => operation === effect.operation).length;
  // The caller waits for as long as the response specifies.
  clock.advance((retryAfterSeconds ?? 0) * 1000);
  return {
    outcome,
    recordId,
    calls,
    doneBefore,
    done: prepared.countApplied(),
    ledger: await fetchLedgerState(observer.url, effect, prepared),
  };
}

/** Whether the caller can safely retry, given the response. */
const canRetry = ({ deduplication }: Effect, { idempotencyKey }: PreparedOperation, { outcome }: Observation) =>
  idempotencyKey !== null || deduplication === null || deduplication === 'state' || outcome.endsWith(' SAFE');

/** Sends a request under a fault, and retries it without the fault. */
async function runUnderFault(
  { inject, isDeliveredAfterRetry }: Fault,
  effect: Effect,
  prepared: PreparedOperation,
): Promise<Observation[]> {
  graph.onWait = async () => {};
  await graph.reset();
  const { meanwhile, deliverDelayed } = await inject({ graph, sandbox, relay, operation: effect.operation });
  const first = await observe(effect, prepared, meanwhile);
  await clearFaults();
  if (!isDeliveredAfterRetry) await deliverDelayed?.();
  if (!canRetry(effect, prepared, first)) return [first];
  const second = await observe(effect, prepared);
  await deliverDelayed?.();
  return canRetry(effect, prepared, second) ? [first, second, await observe(effect, prepared)] : [first, second];
}

/** Everything known about the operation once all calls have ended. An effect that occurs before the next request counts as the effect of this one. */
const toHistory = (seen: readonly Observation[], prepared: PreparedOperation): OperationHistory => ({
  responses: seen.map(({ outcome, recordId, doneBefore }, index) => ({
    outcome,
    recordId,
    applied: (seen[index + 1]?.doneBefore ?? prepared.countApplied()) - doneBefore,
  })),
  applied: prepared.countApplied(),
  ledgerState: seen.at(-1)?.ledger ?? null,
});

const describeState = ({ outcome, done, ledger }: Observation) => `${outcome}, ${done} done${ledger === null ? '' : `, ${ledger}`}`;

/** A cell of the table, in the format of `expectedResults.ts`. */
const describeCourse = ([first, second]: readonly Observation[]) =>
  [first && describeState(first), second && `by ${second.calls} ${second.calls === 1 ? 'call' : 'calls'}: ${describeState(second)}`]
    .filter(Boolean)
    .join(' → ');

const isRetryable = ({ deduplication }: Effect) =>
  deduplication === null || deduplication === 'state' || deduplication.startsWith('upstream');

let marks = 0;
const createMark = () => {
  marks += 1;
  return `mark ${marks}`;
};

describe.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
  it(READ.name, async () => {
    const seen = await runUnderFault(fault, READ, await READ.prepare(sandbox.workspace, createMark()));
    expect(seen.slice(0, 2).map(({ outcome, calls }) => ({ outcome, calls }))).toEqual([
      { outcome: fault.readOutcome, calls: fault.calls[0] },
      { outcome: 'done', calls: 1 },
    ]);
  });

  it.each(WRITES.map((effect) => [effect.name, effect] as const))('%s', async (_effect, effect) => {
    const prepared = await effect.prepare(sandbox.workspace, createMark());
    const seen = await runUnderFault(fault, effect, prepared);
    expect(findViolations(toHistory(seen, prepared))).toEqual([]);
    expect(describeCourse(seen)).toBe(EXPECTED_RESULTS[fault.expected][effect.deduplication ?? 'nothing']);
    expect(seen[0]?.calls).toBe(fault.calls[isRetryable(effect) ? 0 : 1]);
  });
});
