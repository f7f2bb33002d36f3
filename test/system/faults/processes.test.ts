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
interface SharedLedger {
  readonly url: string;
  /** Expires the leases of all attempts in flight. */
  expireLeases(): Promise<void>;
}

const createFileLedger = (): SharedLedger => {
  const path = join(folder.path, 'ledger.sqlite');
  return {
    url: `file:${path}`,
    expireLeases: async () => {
      const database = new DatabaseSync(path);
      database.exec("UPDATE entries SET entry = json_set(entry, '$.leaseUntil', 0) WHERE entry ->> '$.state' = 'IN_FLIGHT'");
      database.close();
    },
  };
};

const EXPIRE_LEASES = `
  for _, key in ipairs(redis.call('KEYS', '*:ledger:*')) do
    local entry = cjson.decode(redis.call('GET', key))
    if entry.state == 'IN_FLIGHT' then
      entry.leaseUntil = 0
      redis.call('SET', key, cjson.encode(entry), 'KEEPTTL')
    end
  end
`;

const createRedisLedger = (url: string): SharedLedger => ({
  url,
  expireLeases: async () => {
    const connection = await connectRedis(url, () => {});
    await connection.run(EXPIRE_LEASES, [], []);
    await connection.close();
  },
});

interface Mutation {
  readonly effect: Effect;
  readonly operation: PreparedOperation;
  readonly outcomes: MutationOutcome[];
}

let preparedCount = 0;
const prepareMutations = (): Promise<Mutation[]> => {
  preparedCount += 1;
  return Promise.all(
    KEYED_WRITES.map(async (effect) => ({
      effect,
      operation: await effect.prepare(sandbox.workspace, `${effect.name} ${preparedCount}`),
      outcomes: [],
    })),
  );
};

const sendOne = async ({ url }: GraphProcess, { effect, operation, outcomes }: Mutation): Promise<MutationOutcome> => {
  const outcome = await sendMutation(url, effect, operation);
  outcomes.push(outcome);
  return outcome;
};

/** Sends all mutations to a graph at once. Returns the outcome of each and the number of its effects at that time. */
const sendAll = (graph: GraphProcess, mutations: readonly Mutation[]) =>
  Promise.all(
    mutations.map(async (one) => `${one.effect.name}: ${(await sendOne(graph, one)).outcome}, ${one.operation.countApplied()} done`),
  );

/** Expected results: the same for each mutation, or by what deduplicates its repeats. */
const expectedResults = (mutations: readonly Mutation[], outcomes: string | Partial<Record<Deduplication, string>>) =>
  mutations.map(({ effect }) => `${effect.name}: ${typeof outcomes === 'string' ? outcomes : outcomes[effect.deduplication ?? 'nothing']}`);

/** Sends all mutations to a graph and kills it once all of their calls are held. */
async function killDuring(graph: GraphProcess, mutations: readonly Mutation[], held: HeldCalls): Promise<void> {
  // No response is returned.
  const lost = Promise.allSettled(mutations.map(({ effect, operation }) => sendMutation(graph.url, effect, operation)));
  await held.waitForCalls(mutations.length);
  await graph.kill();
  expect((await lost).map(({ status }) => status)).toEqual(mutations.map(() => 'rejected'));
}

function testSharedLedger(open: () => SharedLedger): void {
  let shared: SharedLedger;
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

  const fetchStates = (mutations: readonly Mutation[]) =>
    Promise.all(mutations.map(({ effect, operation }) => fetchLedgerState(other.url, effect, operation)));
  const repeatState = (mutations: readonly Mutation[], state: string) => mutations.map(() => state);
  const expectNoViolations = async (mutations: readonly Mutation[]) => {
    const ledger = await fetchStates(mutations);
    // These tests return no failure, so it doesn't matter which request caused the effect.
    const known = mutations.map(({ operation, outcomes }, index) => ({
      responses: outcomes.map((outcome) => ({ ...outcome, applied: operation.countApplied() })),
      applied: operation.countApplied(),
      ledgerState: ledger[index] ?? null,
    }));
    expect(known.flatMap(findViolations)).toEqual([]);
  };

  /** A mutation of a killed graph counts as in flight until its lease expires, then as unknown. */
  const expireInFlight = async (mutations: readonly Mutation[], done: number) => {
    expect(await sendAll(other, mutations)).toEqual(expectedResults(mutations, `OPERATION_IN_PROGRESS SAME_KEY, ${done} done`));
    expect(await fetchStates(mutations)).toEqual(repeatState(mutations, 'IN_FLIGHT'));
    await shared.expireLeases();
    expect(await fetchStates(mutations)).toEqual(repeatState(mutations, 'UNKNOWN'));
  };

  it('sends a write once for two concurrent instances; the other returns OperationInProgressError', async () => {
    const mutations = await prepareMutations();
    const before = sandbox.received.length;
    const held = relay.holdWrites('before');
    const pairs = mutations.map((one) => [sendOne(graph, one), sendOne(other, one)] as const);
    const firsts = await Promise.all(pairs.map((pair) => Promise.race(pair)));
    expect(firsts.map(({ outcome }) => outcome)).toEqual(mutations.map(() => 'OPERATION_IN_PROGRESS SAME_KEY'));
    held.release();
    await Promise.all(pairs.flat());
    expect(mutations.map(({ outcomes }) => outcomes.map(({ outcome }) => outcome))).toEqual(
      mutations.map(() => ['OPERATION_IN_PROGRESS SAME_KEY', 'done']),
    );
    expect(
      sandbox.received
        .slice(before)
        .filter((operation) => !isReadCall(operation))
        .sort(),
    ).toEqual(mutations.map(({ effect }) => effect.operation).sort());
    expect(await sendAll(graph, mutations)).toEqual(expectedResults(mutations, 'replayed, 1 done'));
    expect(await sendAll(other, mutations)).toEqual(expectedResults(mutations, 'replayed, 1 done'));
    await expectNoViolations(mutations);
  });

  it('retries lost writes of a killed graph only if the upstream deduplicates them', async () => {
    const mutations = await prepareMutations();
    const before = sandbox.received.length;
    const held = relay.holdWrites('before');
    await killDuring(graph, mutations, held);
    held.drop();
    await expireInFlight(mutations, 0);
    const outcomes = {
      upstream: 'done, 1 done',
      'upstream, readable': 'done, 1 done',
      ledger: 'OUTCOME_UNKNOWN SAME_KEY, 0 done',
      'ledger, readable': 'OUTCOME_UNKNOWN SAME_KEY, 0 done',
    };
    expect(await sendAll(other, mutations)).toEqual(expectedResults(mutations, outcomes));
    // A restarted graph knows what its predecessor knew.
    graph = await start();
    const again = { ...outcomes, upstream: 'replayed, 1 done', 'upstream, readable': 'replayed, 1 done' };
    expect(await sendAll(graph, mutations)).toEqual(expectedResults(mutations, again));
    expect(sandbox.received.slice(before).filter((operation) => operation === 'Inventory/AdjustInventory')).toEqual([]);
    await expectNoViolations(mutations);
  });

  it('applies writes once that arrive after their graph was killed', async () => {
    const mutations = await prepareMutations();
    const held = relay.holdWrites('before');
    await killDuring(graph, mutations, held);
    await expireInFlight(mutations, 0);
    held.release();
    await expect.poll(() => mutations.map(({ operation }) => operation.countApplied())).toEqual(mutations.map(() => 1));
    expect(await sendAll(other, mutations)).toEqual(expectedResults(mutations, RECONCILED));
    await expectNoViolations(mutations);
    graph = await start();
  });

  it('applies a write once if the graph is killed between the upstream write and its response', async () => {
    const mutations = await prepareMutations();
    const held = relay.holdWrites('after');
    await killDuring(graph, mutations, held);
    held.drop();
    await expireInFlight(mutations, 1);
    expect(await sendAll(other, mutations)).toEqual(expectedResults(mutations, RECONCILED));
    graph = await start();
    expect(await sendAll(graph, mutations)).toEqual(expectedResults(mutations, RECONCILED_BEFORE));
    await expectNoViolations(mutations);
  });
}

/** Expected results of a retry after an applied write whose response was lost, by what deduplicates its repeats. */
const RECONCILED = {
  upstream: 'done, 1 done',
  'upstream, readable': 'done, 1 done',
  ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done',
  'ledger, readable': 'reconciled, 1 done',
};

/** Expected results of the next retry: the ledger holds the reconciled result. */
const RECONCILED_BEFORE = {
  upstream: 'replayed, 1 done',
  'upstream, readable': 'replayed, 1 done',
  ledger: 'OUTCOME_UNKNOWN SAME_KEY, 1 done',
  'ledger, readable': 'replayed, 1 done',
};

describe('graphs that share a ledger file', () => testSharedLedger(createFileLedger));
describe.skipIf(!hasRedis)(`graphs that share a ledger in Redis${redisNote}`, () => {
  const redis = useRedis();
  testSharedLedger(() => createRedisLedger(redis.url));
});
