import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRedis } from '../../../src/lib/redis.ts';
import { type Deduplication, type Effect, KEYED_WRITES, type PreparedOperation } from '../../support/faults/effects.ts';
import { findViolations } from '../../support/faults/guarantees.ts';
import { type DurableSandbox, openDurableSandbox, useFolder } from '../../support/faults/harness.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { isReadCall } from '../../support/faults/reads.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { type HeldCalls, openRelay, type Relay } from '../../support/faults/relay.ts';
import { fetchLedgerState, type MutationOutcome, sendMutation } from '../../support/faults/sendMutation.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

const folder = useFolder();
let sandbox: DurableSandbox;
let relay: Relay;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
  relay = await openRelay(sandbox.url);
});
afterAll(async () => {
  await relay.close();
  await sandbox.close();
});

/** Where several graphs keep one ledger. */
interface Shared {
  readonly url: string;
  /** Ends the leases of all that is in flight, as time does. */
  lapse(): Promise<void>;
}

const inFile = (): Shared => {
  const path = join(folder.path, 'ledger.sqlite');
  return {
    url: `file:${path}`,
    lapse: async () => {
      const database = new DatabaseSync(path);
      database.exec("UPDATE entries SET entry = json_set(entry, '$.leaseUntil', 0) WHERE entry ->> '$.state' = 'IN_FLIGHT'");
      database.close();
    },
  };
};

const LAPSE = `
  for _, key in ipairs(redis.call('KEYS', '*:ledger:*')) do
    local entry = cjson.decode(redis.call('GET', key))
    if entry.state == 'IN_FLIGHT' then
      entry.leaseUntil = 0
      redis.call('SET', key, cjson.encode(entry), 'KEEPTTL')
    end
  end
`;

const inRedis = (url: string): Shared => ({
  url,
  lapse: async () => {
    const connection = await connectRedis(url, () => {});
    await connection.run(LAPSE, [], []);
    await connection.close();
  },
});

interface Asked {
  readonly effect: Effect;
  readonly act: PreparedOperation;
  readonly told: MutationOutcome[];
}

let marks = 0;
const acts = (): Promise<Asked[]> => {
  marks += 1;
  return Promise.all(
    KEYED_WRITES.map(async (effect) => ({ effect, act: await effect.prepare(sandbox.workspace, `${effect.name} ${marks}`), told: [] })),
  );
};

const askOne = async ({ url }: GraphProcess, { effect, act, told }: Asked): Promise<MutationOutcome> => {
  const answer = await sendMutation(url, effect, act);
  told.push(answer);
  return answer;
};

/** Asks a graph for all at once. Answers what each was told, and how often it has been done then. */
const askAll = (graph: GraphProcess, asked: readonly Asked[]) =>
  Promise.all(asked.map(async (one) => `${one.effect.name}: ${(await askOne(graph, one)).outcome}, ${one.act.countApplied()} done`));

/** The same for each, or by what keeps its repeats from counting. */
const each = (asked: readonly Asked[], told: string | Partial<Record<Deduplication, string>>) =>
  asked.map(({ effect }) => `${effect.name}: ${typeof told === 'string' ? told : told[effect.deduplication ?? 'nothing']}`);

/** Asks a graph for all, and kills it when all of them are stopped on their way. */
async function dieWith(graph: GraphProcess, asked: readonly Asked[], stopped: HeldCalls): Promise<void> {
  // Nobody is told anything.
  const lost = Promise.allSettled(asked.map(({ effect, act }) => sendMutation(graph.url, effect, act)));
  await stopped.waitForCalls(asked.length);
  await graph.kill();
  expect((await lost).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
}

function survives(open: () => Shared): void {
  let shared: Shared;
  const start = () => startGraph({ UPSTREAM_URL: relay.url, LEDGER_URL: shared.url });
  /** Lives on. */
  let other: GraphProcess;
  /** Is the next to die. */
  let graph: GraphProcess;
  beforeAll(async () => {
    shared = open();
    [other, graph] = await Promise.all([start(), start()]);
  });
  afterAll(killAll);

  const states = (asked: readonly Asked[]) => Promise.all(asked.map(({ effect, act }) => fetchLedgerState(other.url, effect, act)));
  const all = (asked: readonly Asked[], state: string) => asked.map(() => state);
  const judge = async (asked: readonly Asked[]) => {
    const ledger = await states(asked);
    // Nobody is told of a failure here, so that it does not matter whose request it was done for.
    const known = asked.map(({ act, told }, index) => ({
      responses: told.map((answer) => ({ ...answer, applied: act.countApplied() })),
      applied: act.countApplied(),
      ledgerState: ledger[index] ?? null,
    }));
    expect(known.flatMap(findViolations)).toEqual([]);
  };

  /** While its lease lasts, an act of a graph that has died counts as running; then it is unknown. */
  const outlast = async (asked: readonly Asked[], done: number) => {
    expect(await askAll(other, asked)).toEqual(each(asked, `OPERATION_IN_PROGRESS SAME_KEY, ${done} done`));
    expect(await states(asked)).toEqual(all(asked, 'IN_FLIGHT'));
    await shared.lapse();
    expect(await states(asked)).toEqual(all(asked, 'UNKNOWN'));
  };

  it('two graphs get the same key at the same moment: one sends it, the other says that it runs', async () => {
    const asked = await acts();
    const before = sandbox.received.length;
    const stopped = relay.holdWrites('before');
    const pairs = asked.map((one) => [askOne(graph, one), askOne(other, one)] as const);
    const firsts = await Promise.all(pairs.map((pair) => Promise.race(pair)));
    expect(firsts.map(({ outcome }) => outcome)).toEqual(asked.map(() => 'OPERATION_IN_PROGRESS SAME_KEY'));
    stopped.release();
    await Promise.all(pairs.flat());
    expect(asked.map(({ told }) => told.map(({ outcome }) => outcome))).toEqual(
      asked.map(() => ['OPERATION_IN_PROGRESS SAME_KEY', 'done']),
    );
    expect(
      sandbox.received
        .slice(before)
        .filter((operation) => !isReadCall(operation))
        .sort(),
    ).toEqual(asked.map(({ effect }) => effect.operation).sort());
    expect(await askAll(graph, asked)).toEqual(each(asked, 'replayed, 1 done'));
    expect(await askAll(other, asked)).toEqual(each(asked, 'replayed, 1 done'));
    await judge(asked);
  });

  it('a graph is killed while its calls are on their way, and they are lost: only what the upstream knows is sent again', async () => {
    const asked = await acts();
    const before = sandbox.received.length;
    const stopped = relay.holdWrites('before');
    await dieWith(graph, asked, stopped);
    stopped.drop();
    await outlast(asked, 0);
    const told = {
      upstream: 'done, 1 done',
      'upstream, readable': 'done, 1 done',
      ledger: 'OUTCOME_UNKNOWN SAME_KEY, 0 done',
      'ledger, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done',
    };
    expect(await askAll(other, asked)).toEqual(each(asked, told));
    // A graph that is started again knows what the one before it knew.
    graph = await start();
    const again = { ...told, upstream: 'replayed, 1 done', 'upstream, readable': 'replayed, 1 done' };
    expect(await askAll(graph, asked)).toEqual(each(asked, again));
    expect(sandbox.received.slice(before).filter((operation) => operation === 'Inventory/AdjustInventory')).toEqual([]);
    await judge(asked);
  });

  it('a graph is killed while its calls are on their way, and they arrive: they are done once', async () => {
    const asked = await acts();
    const stopped = relay.holdWrites('before');
    await dieWith(graph, asked, stopped);
    await outlast(asked, 0);
    stopped.release();
    await expect.poll(() => asked.map(({ act }) => act.countApplied())).toEqual(asked.map(() => 1));
    expect(await askAll(other, asked)).toEqual(each(asked, FOUND));
    await judge(asked);
    graph = await start();
  });

  it('a graph is killed between what the upstream did and its answer: it is done once', async () => {
    const asked = await acts();
    const stopped = relay.holdWrites('after');
    await dieWith(graph, asked, stopped);
    stopped.drop();
    await outlast(asked, 1);
    expect(await askAll(other, asked)).toEqual(each(asked, FOUND));
    graph = await start();
    expect(await askAll(graph, asked)).toEqual(each(asked, FOUND_BEFORE));
    await judge(asked);
  });
}

/** Expected outcome of a repeat, by keeper, when the change was made and its answer lost. */
const FOUND = {
  upstream: 'done, 1 done',
  'upstream, readable': 'done, 1 done',
  ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done',
  'ledger, readable': 'reconciled, 1 done',
};

/** The same for a repeat after that: the ledger holds what was found. */
const FOUND_BEFORE = {
  upstream: 'replayed, 1 done',
  'upstream, readable': 'replayed, 1 done',
  ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done',
  'ledger, readable': 'replayed, 1 done',
};

describe('Graphs that share a ledger in a file', () => survives(inFile));
describe.skipIf(!hasRedis)(`Graphs that share a ledger in Redis${redisNote}`, () => {
  const redis = useRedis();
  survives(() => inRedis(redis.url));
});
