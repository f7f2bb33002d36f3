import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { ask, ledgerStateOf } from '../../support/faults/ask.ts';
import { COURSES } from '../../support/faults/courses.ts';
import { type Act, type Effect, READ, WRITES } from '../../support/faults/effects.ts';
import { FAULTS, type Fault } from '../../support/faults/faults.ts';
import { Clock, type Graph, openGraph, openUpheld, type Upheld, useFolder } from '../../support/faults/harness.ts';
import { type Known, verdict } from '../../support/faults/judge.ts';
import { openRelay, type Relay } from '../../support/faults/relay.ts';

const folder = useFolder();
const clock = new Clock();
let upheld: Upheld;
let graph: Graph;
/** Another graph on the same ledger, which no fault strikes: before one tells what the ledger knows, it asks the upstream whether the key is good. */
let onlooker: Graph;
let relay: Relay;
beforeAll(async () => {
  upheld = await openUpheld(folder.path);
  relay = await openRelay(upheld.url);
  const open = () => openGraph({ upstreamUrl: upheld.url, clock, store: new SqliteLedgerStore(join(folder.path, 'ledger.sqlite'), clock) });
  graph = await open();
  onlooker = await open();
});
afterAll(async () => {
  await graph.close();
  await onlooker.close();
  await relay.close();
  await upheld.close();
});

/** The fault is gone. */
const heal = async () => {
  upheld.faults.clear();
  await graph.intercept(null);
};
afterEach(heal);

/** Observation of a request for an act. */
interface Seen {
  readonly outcome: string;
  readonly made: string | null;
  /** Calls of the operation that the upstream received. */
  readonly calls: number;
  readonly doneBefore: number;
  readonly done: number;
  readonly ledger: string | null;
}

async function observe(effect: Effect, act: Act, meanwhile?: () => Promise<void>): Promise<Seen> {
  const before = upheld.received.length;
  const doneBefore = act.done();
  const [{ outcome, made, retryAfterSeconds }] = await Promise.all([ask(graph.url, effect, act), meanwhile?.()]);
  const calls = upheld.received.slice(before).filter((operation) => operation === effect.operation).length;
  // The caller waits as long as it was told.
  clock.pass((retryAfterSeconds ?? 0) * 1000);
  return { outcome, made, calls, doneBefore, done: act.done(), ledger: await ledgerStateOf(onlooker.url, effect, act) };
}

/** Whether a caller may ask again, by what it was told. */
const mayRepeat = ({ keeper }: Effect, { idempotencyKey }: Act, { outcome }: Seen) =>
  idempotencyKey !== null || keeper === null || keeper === 'state' || outcome.endsWith(' SAFE');

/** Asks while a fault strikes, and again when it has gone. */
async function suffer({ hit, arrivesLast }: Fault, effect: Effect, act: Act): Promise<Seen[]> {
  graph.whileItWaits = async () => {};
  await graph.renew();
  const { meanwhile, arrive } = await hit({ graph, upheld, relay, operation: effect.operation });
  const first = await observe(effect, act, meanwhile);
  await heal();
  if (!arrivesLast) await arrive?.();
  if (!mayRepeat(effect, act, first)) return [first];
  const second = await observe(effect, act);
  await arrive?.();
  return mayRepeat(effect, act, second) ? [first, second, await observe(effect, act)] : [first, second];
}

/** Observations for the verdict, once no call is under way. A change that was made before the next request began counts as caused by this one. */
const known = (seen: readonly Seen[], act: Act): Known => ({
  told: seen.map(({ outcome, made, doneBefore }, index) => ({
    outcome,
    made,
    caused: (seen[index + 1]?.doneBefore ?? act.done()) - doneBefore,
  })),
  done: act.done(),
  ledger: seen.at(-1)?.ledger ?? null,
});

const stateOf = ({ outcome, done, ledger }: Seen) => `${outcome}, ${done} done${ledger === null ? '' : `, ${ledger}`}`;

/** A cell of the table, in the form of `courses.ts`. */
const courseOf = ([first, second]: readonly Seen[]) =>
  [first && stateOf(first), second && `by ${second.calls} ${second.calls === 1 ? 'call' : 'calls'}: ${stateOf(second)}`]
    .filter(Boolean)
    .join(' → ');

const isRetryable = ({ keeper }: Effect) => keeper === null || keeper === 'state' || keeper.startsWith('upstream');

let marks = 0;
const newMark = () => {
  marks += 1;
  return `mark ${marks}`;
};

describe.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
  it(READ.name, async () => {
    const seen = await suffer(fault, READ, await READ.prepare(upheld.stage, newMark()));
    expect(seen.slice(0, 2).map(({ outcome, calls }) => ({ outcome, calls }))).toEqual([
      { outcome: fault.read, calls: fault.calls[0] },
      { outcome: 'done', calls: 1 },
    ]);
  });

  it.each(WRITES.map((effect) => [effect.name, effect] as const))('%s', async (_effect, effect) => {
    const act = await effect.prepare(upheld.stage, newMark());
    const seen = await suffer(fault, effect, act);
    expect(verdict(known(seen, act))).toEqual([]);
    expect(courseOf(seen)).toBe(COURSES[fault.course][effect.keeper ?? 'nothing']);
    expect(seen[0]?.calls).toBe(fault.calls[isRetryable(effect) ? 0 : 1]);
  });
});
