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

/** A ledger that several graphs share. */
interface Shared {
  readonly url: string;
  /** Expires the leases of all attempts in flight. */
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

/** Sends all mutations to a graph at once. Returns the outcome of each and the number of its effects at that time. */
const askAll = (graph: GraphProcess, asked: readonly Asked[]) =>
  Promise.all(asked.map(async (one) => `${one.effect.name}: ${(await askOne(graph, one)).outcome}, ${one.act.countApplied()} done`));

/** Expected results: the same for each mutation, or by what deduplicates its repeats. */
const each = (asked: readonly Asked[], told: string | Partial<Record<Deduplication, string>>) =>
  asked.map(({ effect }) => `${effect.name}: ${typeof told === 'string' ? told : told[effect.deduplication ?? 'nothing']}`);

/** Sends all mutations to a graph and kills it once all of their calls are held. */
async function dieWith(graph: GraphProcess, asked: readonly Asked[], stopped: HeldCalls): Promise<void> {
  // No response is returned.
  const lost = Promise.allSettled(asked.map(({ effect, act }) => sendMutation(graph.url, effect, act)));
  await stopped.waitForCalls(asked.length);
  await graph.kill();
  expect((await lost).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
}

function survives(open: () => Shared): void {
  let shared: Shared;
  const start = () => startGraph({ UPSTREAM_URL: relay.url, LEDGER_URL: shared.url });
  /** The graph that survives. */
  let other: GraphProcess;
  /** The next graph to be killed. */
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
    // These tests return no failure, so it doesn't matter which request caused the effect.
    const known = asked.map(({ act, told }, index) => ({
      responses: told.map((answer) => ({ ...answer, applied: act.countApplied() })),
      applied: act.countApplied(),
      ledgerState: ledger[index] ?? null,
    }));
    expect(known.flatMap(findViolations)).toEqual([]);
  };

  /** A mutation of a killed graph counts as in flight until its lease expires, then as unknown. */
  const outlast = async (asked: readonly Asked[], done: number) => {
    expect(await askAll(other, asked)).toEqual(each(asked, `OPERATION_IN_PROGRESS SAME_KEY, ${done} done`));
    expect(await states(asked)).toEqual(all(asked, 'IN_FLIGHT'));
    await shared.lapse();
    expect(await states(asked)).toEqual(all(asked, 'UNKNOWN'));
  };

  it('sends a write once for two concurrent instances; the other returns OperationInProgressError', async () => {
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

  it('retries lost writes of a killed graph only if the upstream deduplicates them', async () => {
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
    // A restarted graph knows what its predecessor knew.
    graph = await start();
    const again = { ...told, upstream: 'replayed, 1 done', 'upstream, readable': 'replayed, 1 done' };
    expect(await askAll(graph, asked)).toEqual(each(asked, again));
    expect(sandbox.received.slice(before).filter((operation) => operation === 'Inventory/AdjustInventory')).toEqual([]);
    await judge(asked);
  });

  it('applies writes once that arrive after their graph was killed', async () => {
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

  it('applies a write once if the graph is killed between the upstream write and its response', async () => {
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

/** Expected results of a retry after an applied write whose response was lost, by what deduplicates its repeats. */
const FOUND = {
  upstream: 'done, 1 done',
  'upstream, readable': 'done, 1 done',
  ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done',
  'ledger, readable': 'reconciled, 1 done',
};

/** Expected results of the next retry: the ledger holds the reconciled result. */
const FOUND_BEFORE = {
  upstream: 'replayed, 1 done',
  'upstream, readable': 'replayed, 1 done',
  ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done',
  'ledger, readable': 'replayed, 1 done',
};

describe('graphs that share a ledger file', () => survives(inFile));
describe.skipIf(!hasRedis)(`graphs that share a ledger in Redis${redisNote}`, () => {
  const redis = useRedis();
  survives(() => inRedis(redis.url));
});
