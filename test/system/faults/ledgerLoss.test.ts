import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerStore } from '../../../src/ledger/entry.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { connectRedis } from '../../../src/lib/redis.ts';
import { type Effect, KEYED_WRITES, type PreparedOperation } from '../../support/faults/effects.ts';
import { Clock, type DurableSandbox, type Graph, openDurableSandbox, openGraph, useFolder } from '../../support/faults/harness.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { sendMutation } from '../../support/faults/sendMutation.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

const UNAVAILABLE = 'LEDGER_UNAVAILABLE SAFE';
const MALFORMED = [
  '{',
  'null',
  '[]',
  '{}',
  '{"state":"DONE","expiresAt":9007199254740991}',
  '{"expiresAt":9007199254740991,"state":"SUCCEEDED"}',
];

const folder = useFolder();
let sandbox: DurableSandbox;
beforeAll(async () => {
  sandbox = await openDurableSandbox(folder.path);
});
afterAll(() => sandbox.close());

const graphs: Graph[] = [];
afterEach(async () => {
  await Promise.all(graphs.splice(0).map((graph) => graph.close()));
});
const failures: unknown[] = [];
const start = async (store: LedgerStore): Promise<Graph> => {
  failures.length = 0;
  const onFailure = (error: unknown) => failures.push((error as Error).message);
  const graph = await openGraph({ upstreamUrl: sandbox.url, clock: new Clock(), store, onFailure });
  graphs.push(graph);
  await graph.reset();
  return graph;
};

// A write that only the ledger deduplicates.
const effect = KEYED_WRITES.find(({ deduplication }) => deduplication === 'ledger') as Effect;
let prepared = 0;
const prepare = () => {
  prepared += 1;
  return effect.prepare(sandbox.workspace, `lost ${prepared}`);
};
const send = async ({ url }: Graph, operation: PreparedOperation) => (await sendMutation(url, effect, operation)).outcome;

describe('ledger file', () => {
  const open = (name: string) => new SqliteLedgerStore(join(folder.path, name));
  const deleteFiles = (path: string) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
  };

  it.each<[what: string, lose: (path: string) => void]>([
    ['deleted', deleteFiles],
    ['deleted without its log', (path) => rmSync(path)],
    [
      'replaced',
      (path) => {
        new DatabaseSync(`${path}.new`).exec('PRAGMA user_version = 1');
        renameSync(`${path}.new`, path);
      },
    ],
    ['separated from its log', (path) => rmSync(`${path}-wal`)],
    ['separated from its shared memory', (path) => rmSync(`${path}-shm`)],
  ])('accepts no mutation with a key after the file is %s', async (what, lose) => {
    const name = `${what}.sqlite`;
    const path = join(folder.path, name);
    const running = await start(open(name));
    const [known, other] = [await prepare(), await prepare()];
    expect(await send(running, known)).toBe('done');
    lose(path);
    expect([await send(running, other), await send(running, known)]).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect([other.countApplied(), known.countApplied()]).toEqual([0, 1]);
    expect(failures).toEqual([expect.stringContaining(path)]);
  });

  it('applies a mutation once that two graphs get after the file is deleted and one of them is restarted', async () => {
    const path = join(folder.path, 'two.sqlite');
    const [running, restarted] = [await start(open('two.sqlite')), await start(open('two.sqlite'))];
    expect([await send(running, await prepare()), await send(restarted, await prepare())]).toEqual(['done', 'done']);
    deleteFiles(path);
    await restarted.close();
    const again = await start(open('two.sqlite'));
    const operation = await prepare();
    expect([await send(again, operation), await send(running, operation)]).toEqual(['done', UNAVAILABLE]);
    expect(operation.countApplied()).toBe(1);
  });

  it('rejects a mutation whose entry is malformed, and logs its ID', async () => {
    const running = await start(open('malformed.sqlite'));
    const operation = await prepare();
    expect(await send(running, operation)).toBe('done');
    const other = new DatabaseSync(join(folder.path, 'malformed.sqlite'));
    const ids = other
      .prepare('SELECT id FROM entries')
      .all()
      .map(({ id }) => String(id));
    for (const json of MALFORMED) {
      other.prepare('UPDATE entries SET entry = ?, expires_at = 9007199254740991').run(json);
      expect([json, await send(running, operation)]).toEqual([json, UNAVAILABLE]);
      expect(ids.filter((id) => String(failures.at(-1)).includes(id))).toHaveLength(1);
    }
    expect(failures).toEqual(MALFORMED.map(() => expect.stringContaining('malformed')));
    expect(await send(running, await prepare())).toBe('done');
    other.close();
  });
});

describe.skipIf(!hasRedis)(`ledger in Redis${redisNote}`, () => {
  const redis = useRedis(true);
  const closes: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(closes.splice(0).map((close) => close()));
  });
  const open = async () => {
    const connection = await connectRedis(redis.url, () => {});
    closes.push(() => connection.close());
    return new RedisLedgerStore(connection);
  };
  const connectAdmin = async () => {
    const admin = await createClient({ url: redis.url }).connect();
    closes.push(async () => admin.destroy());
    return admin;
  };

  it('accepts no mutation with a key after FLUSHALL until the graph is restarted', async () => {
    const running = await start(await open());
    const admin = await connectAdmin();
    const [known, other] = [await prepare(), await prepare()];
    expect(await send(running, known)).toBe('done');
    await admin.flushAll();
    expect([await send(running, other), await send(running, known)]).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect([other.countApplied(), known.countApplied()]).toEqual([0, 1]);
    expect(failures).toEqual([expect.stringContaining('Redis')]);
    const restarted = await start(await open());
    // The first graph releases the key of the mutation that it didn't send.
    await expect.poll(() => send(restarted, other)).toBe('done');
    expect(await send(running, other)).toBe(UNAVAILABLE);
    expect(other.countApplied()).toBe(1);
  });

  it('accepts mutations of a graph that starts on the entries of an earlier version', async () => {
    const running = await start(await open());
    const admin = await connectAdmin();
    const operation = await prepare();
    expect(await send(running, operation)).toBe('done');
    // Earlier versions write no marker.
    await admin.del('workspace-graph:ledger:marker');
    const upgraded = await start(await open());
    expect([await send(upgraded, operation), await send(upgraded, await prepare())]).toEqual(['replayed', 'done']);
  });

  it('rejects a mutation whose entry is malformed, and logs its ID', async () => {
    const admin = await connectAdmin();
    await admin.flushAll();
    const restarted = await start(await open());
    const operation = await prepare();
    expect(await send(restarted, operation)).toBe('done');
    const keys = (await admin.keys('workspace-graph:ledger:{*')).map((key) => [key, key.slice('workspace-graph:ledger:'.length)] as const);
    for (const json of MALFORMED) {
      for (const [key] of keys) await admin.set(key, json);
      expect([json, await send(restarted, operation)]).toEqual([json, UNAVAILABLE]);
      expect(keys.filter(([, id]) => String(failures.at(-1)).includes(id))).toHaveLength(1);
    }
    expect(failures).toEqual(MALFORMED.map(() => expect.stringContaining('malformed')));
    expect(await send(restarted, await prepare())).toBe('done');
  });
});
