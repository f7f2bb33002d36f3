import { afterAll, describe, expect, it } from 'vitest';
import { type ApiError, LedgerUnavailableError } from '../../../src/failures/failures.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { testLedgerClocks } from './ledgerClocks.ts';
import { createUse, LEASE_MS, type LedgerKind, Upstream } from './ledgerFixture.ts';
import { testLedgerSequences } from './ledgerSequences.ts';
import { testLedger } from './ledgerSuite.ts';
import { testUnsentRequests } from './ledgerUnsent.ts';
import { testLedgerVersions } from './ledgerVersions.ts';

describe.skipIf(!hasRedis)(`ledger in Redis${redisNote}`, () => {
  const redis = useRedis(true);
  const connections: Redis[] = [];
  afterAll(() => Promise.all(connections.map((connection) => connection.close())));
  let shared: Promise<Redis> | undefined;
  const connect = async () => {
    const connection = await connectRedis(redis.url, () => {});
    connections.push(connection);
    return connection;
  };
  const kind: LedgerKind = {
    // A single connection is enough, because Redis runs each script atomically. IDs of different stores differ in their prefix.
    hasOwnClock: true,
    open: async (name, host) => {
      shared ??= connect();
      const connection = await shared;
      // Redis's time is the elapsed time, regardless of how the host's clock is set.
      const atTime = (script: string) => script.replace(/local now = .*/, `local now = ${host.monotonicMs()}`);
      const store = new RedisLedgerStore({
        ...connection,
        get: (key) => connection.get(`${name} ${key}`),
        run: (script, keys, args) =>
          connection.run(
            atTime(script),
            keys.map((key) => `${name} ${key}`),
            args,
          ),
      });
      await store.open();
      return store;
    },
  };
  testLedger(kind);
  testUnsentRequests(kind);
  testLedgerClocks(kind);
  testLedgerSequences(kind);
  testLedgerVersions(kind);

  it('rejects mutations unsent while Redis is unavailable, and resumes once it is back', async () => {
    const connection = await connect();
    const ledger = new Ledger({ store: new RedisLedgerStore(connection), leaseMs: LEASE_MS });
    const { effects, ok } = new Upstream();
    await redis.stop();
    await expect(ledger.runOnce(createUse(ok))).rejects.toThrow(LedgerUnavailableError);
    expect(effects).toEqual([]);
    await redis.start();
    await expect
      .poll(() =>
        ledger.runOnce(createUse(ok)).then(
          ({ effect }) => effect,
          (error: ApiError) => error.code,
        ),
      )
      .toBe('DONE');
    expect(effects).toHaveLength(1);
    await ledger.close();
  });
});
