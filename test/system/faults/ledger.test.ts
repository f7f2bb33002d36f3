import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { connectRedis } from '../../../src/lib/redis.ts';
import { ask, ledgerStateOf, type Told } from '../../support/faults/ask.ts';
import { type Act, type Effect, KEYED_WRITES, READ, WRITES } from '../../support/faults/effects.ts';
import { Clock, type Graph, hold, LEASE_MS, openGraph, openUpheld, type Upheld, useFolder } from '../../support/faults/harness.ts';
import { verdict } from '../../support/faults/judge.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { type HitLedger, openHitLedger } from '../../support/hitLedger.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

const folder = useFolder();
let upheld: Upheld;
beforeAll(async () => {
  upheld = await openUpheld(folder.path);
});
afterAll(() => upheld.close());

/** A ledger that can break. */
interface Place {
  readonly store: LedgerStore;
  /** Expected outcome of a repeat whose first answer could not be written to the ledger. */
  readonly repeat: string;
  break(): unknown;
  /** Does nothing when it is whole. */
  mend(): unknown;
  close(): unknown;
}

/** A ledger in a file of very small pages, so that each entry takes some of its own. */
async function openFile(name: string): Promise<HitLedger & { readonly other: DatabaseSync }> {
  const path = join(folder.path, `${name}.sqlite`);
  const other = new DatabaseSync(path);
  other.exec('PRAGMA page_size = 512; VACUUM;');
  return { ...(await openHitLedger(path)), other };
}

/** The repeat cannot look, either. */
const BLIND = 'LEDGER_UNAVAILABLE SAFE';

/** Another process is writing, and does not come to an end. */
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

/** The file may not grow. */
async function full(): Promise<Place> {
  const { store, tell, other, close } = await openFile('full');
  return {
    store,
    // The claim can be read.
    repeat: 'OPERATION_IN_PROGRESS SAME_KEY',
    break: () => {
      // No page is free inside the file, either.
      other.exec('VACUUM');
      // The smallest that SQLite takes is what it has.
      return tell({ sql: 'PRAGMA max_page_count = 1' });
    },
    mend: () => tell({ sql: 'PRAGMA max_page_count = 1000000' }),
    close: async () => {
      await close();
      other.close();
    },
  };
}

async function readOnly(): Promise<Place> {
  const { store, tell, other, close } = await openFile('readonly');
  return {
    store,
    repeat: BLIND,
    break: () => tell({ sql: 'PRAGMA query_only = ON' }),
    mend: () => tell({ sql: 'PRAGMA query_only = OFF' }),
    close: async () => {
      await close();
      other.close();
    },
  };
}

/** Redis, which is durable as it must be, crashes. */
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
  readonly act: Act;
}

let marks = 0;
const acts = (effects: readonly Effect[]): Promise<Asked[]> => {
  marks += 1;
  return Promise.all(effects.map(async (effect) => ({ effect, act: await effect.prepare(upheld.stage, `${effect.name} ${marks}`) })));
};

/** The same for each. */
const each = (asked: readonly Asked[], outcome: string, done: number) =>
  asked.map(({ effect }) => ({ effect: effect.name, outcome, done }));

/** Tests of acts during which the ledger's store breaks. */
function suffers(open: () => Promise<Place>): void {
  let place: Place;
  let graph: Graph;
  beforeAll(async () => {
    place = await open();
    graph = await openGraph({ upstreamUrl: upheld.url, clock: new Clock(), store: place.store });
    await graph.renew();
  });
  afterAll(async () => {
    await graph.close();
    await place.close();
  });

  afterEach(async () => {
    upheld.faults.clear();
    await graph.intercept(null);
    await place.mend();
  });

  /** Asks for all at once, and tells what each was told with how often it has been done. */
  const askAll = async (asked: readonly Asked[], told: Map<Asked, Told[]> = new Map()) => {
    const answers = await Promise.all(asked.map(({ effect, act }) => ask(graph.url, effect, act)));
    return asked.map((one, index) => {
      const answer = answers[index] as Told;
      told.set(one, [...(told.get(one) ?? []), answer]);
      return { effect: one.effect.name, outcome: answer.outcome, done: one.act.done() };
    });
  };
  const states = (asked: readonly Asked[]) => Promise.all(asked.map(({ effect, act }) => ledgerStateOf(graph.url, effect, act)));
  const all = (asked: readonly Asked[], state: string) => asked.map(() => state);

  /** Expected answers to repeats of acts that were done. */
  const repeated = (asked: readonly Asked[]) => each(asked, 'replayed', 1);

  it('before the claim: what needs the ledger is not sent, and all else is done', async () => {
    const asked = await acts([READ, ...WRITES]);
    const isKept = ({ effect }: Asked) => KEYED_WRITES.includes(effect);
    const kept = asked.filter(isKept);
    const others = asked.filter((one) => !isKept(one));
    const before = upheld.received.length;
    await place.break();
    const told = await askAll([...others, ...kept]);
    await place.mend();
    expect(told).toEqual([...each(others, 'done', 1), ...each(kept, BLIND, 0)]);
    // Confirming reads the quote first.
    const sent = [...others.map(({ effect }) => effect.operation), 'Quote/GetQuote'];
    expect(upheld.received.slice(before).sort()).toEqual(sent.sort());
    expect(await askAll(kept)).toEqual(each(kept, 'done', 1));
    expect(await states(kept)).toEqual(all(kept, 'SUCCEEDED'));
    expect(await askAll(kept)).toEqual(repeated(kept));
  });

  it('between claim and answer: who asked is told that it is done, and the ledger learns it when it can be written', async () => {
    const asked = await acts(KEYED_WRITES);
    const told = new Map<Asked, Told[]>();
    const calls = await hold(graph, 'before');
    const answers = askAll(asked, told);
    await calls.count(asked.length);
    expect(await states(asked)).toEqual(all(asked, 'IN_FLIGHT'));
    await place.break();
    calls.release();
    expect(await answers).toEqual(each(asked, 'done', 1));
    await graph.intercept(null);
    const before = upheld.received.length;
    expect(await askAll(asked, told)).toEqual(each(asked, place.repeat, 1));
    expect(upheld.received.slice(before)).toEqual([]);
    await place.mend();
    await expect.poll(() => states(asked)).toEqual(all(asked, 'SUCCEEDED'));
    expect(await askAll(asked, told)).toEqual(repeated(asked));
    for (const one of asked) {
      const known = (told.get(one) ?? []).map((answer, index) => ({ ...answer, caused: index === 0 ? 1 : 0 }));
      expect(verdict({ told: known, done: one.act.done(), ledger: 'SUCCEEDED' })).toEqual([]);
    }
  });

  it('between claim and refusal: who asked is told of the refusal, and the key is free when the ledger can be written', async () => {
    const asked = await acts(KEYED_WRITES);
    const calls = await hold(graph, 'before');
    for (const { effect } of asked) upheld.faults.add({ operation: effect.operation, ...FORBIDDEN });
    const answers = askAll(asked);
    await calls.count(asked.length);
    await place.break();
    calls.release();
    expect(await answers).toEqual(each(asked, 'FORBIDDEN NEVER', 0));
    await graph.intercept(null);
    await place.mend();
    await expect.poll(() => states(asked)).toEqual(all(asked, 'FAILED'));
    expect(await askAll(asked)).toEqual(each(asked, 'done', 1));
  });
}

describe('An attempt outlasts its lease', () => {
  const clock = new Clock();
  let graph: Graph;
  beforeAll(async () => {
    const store = new SqliteLedgerStore(join(folder.path, 'lease.sqlite'), clock);
    graph = await openGraph({ upstreamUrl: upheld.url, clock, store });
    await graph.renew();
  });
  afterAll(() => graph.close());

  it.each(KEYED_WRITES.map((effect) => [effect.name, effect] as const))(
    '%s: its late answer settles what was unknown',
    async (name, effect) => {
      const act = await effect.prepare(upheld.stage, `${name} late`);
      const calls = await hold(graph, 'after');
      const late = ask(graph.url, effect, act);
      await calls.count(1);
      await graph.intercept(null);
      clock.pass(LEASE_MS);
      const meanwhile = await ask(graph.url, effect, act);
      const expected = { upstream: 'done', 'upstream, readable': 'done', 'ledger, readable': 'reconciled' } as const;
      expect(meanwhile.outcome).toBe(expected[effect.keeper as keyof typeof expected] ?? 'OUTCOME_UNKNOWN SAME_KEY');
      calls.release();
      const told = [await late, await ask(graph.url, effect, act)];
      expect(told.map(({ outcome }) => outcome)).toEqual(['done', 'replayed']);
      const ledger = await ledgerStateOf(graph.url, effect, act);
      expect(ledger).toBe('SUCCEEDED');
      const known = [meanwhile, ...told].map((answer) => ({ ...answer, caused: 0 }));
      expect(verdict({ told: known, done: act.done(), ledger })).toEqual([]);
    },
  );
});

describe('The ledger’s file is locked by another process', () => suffers(locked));
describe('The ledger’s disk is full', () => suffers(full));
describe('The ledger’s file can only be read', () => suffers(readOnly));
describe.skipIf(!hasRedis)(`The ledger’s Redis is gone${redisNote}`, () => {
  const redis = useRedis(true);
  suffers(() => redisGone(redis));
});
