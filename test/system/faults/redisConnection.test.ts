import { setImmediate } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { RedisLedgerStore } from '../../../src/ledger/redisStore.ts';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { openLedger } from '../../../src/server/openLedger.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { openTcpProxy, type TcpProxy } from '../../support/faults/tcpProxy.ts';
import { redisNote, useRedis } from '../../support/redis.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';

const LEASE_MS = 60_000;
const NO_CONNECTION = 'There is no connection to Redis.';
const CREATE = `mutation ($key: String!) {
  contactCreate(input: { lastName: "Once", idempotencyKey: $key }) { __typename }
}`;

const getPort = (url: string) => Number(new URL(url).port);

describe.skipIf(!hasRedis)(`broken connection to Redis${redisNote}`, () => {
  const server = useRedis(true);
  const successor = useRedis(true);
  let proxy: TcpProxy;
  let redis: Redis;
  beforeEach(async () => {
    proxy = await openTcpProxy(getPort(server.url));
    redis = await connectRedis(`redis://127.0.0.1:${proxy.port}`, () => {});
  });
  afterEach(async () => {
    await redis?.close();
    await proxy?.close();
  });
  const ping = () => redis.run('return 1', [], []);
  /** Waits until Redis responds again. */
  const waitForRecovery = () => expect.poll(() => ping().catch(() => 0), { timeout: 20_000 }).toBe(1);

  describe('connection of a graph', () => {
    let testGraph: TestGraph;
    beforeEach(async () => {
      testGraph = await startTestGraph({}, undefined, {
        redis,
        ledger: new Ledger({ store: new RedisLedgerStore(redis), leaseMs: LEASE_MS }),
      });
    });
    afterEach(() => testGraph?.close());
    let keys = 0;
    const create = async () => {
      keys += 1;
      const before = testGraph.sandbox.received.length;
      const { data, errors } = await postQuery(testGraph.app.url, 'demo-owner', CREATE, { key: `key ${keys}` });
      const sent = testGraph.sandbox.received.slice(before).filter(({ operation }) => operation === 'Contact/CreateContact');
      return [errors?.[0]?.extensions.code ?? data.contactCreate.__typename, sent.length];
    };
    const read = async () => {
      const { errors } = await postQuery(testGraph.app.url, 'demo-owner', `{ contact(id: "${demoId('contact 0')}") { lastName } }`);
      return errors;
    };

    it('reconnects if the connection hangs, and mutations with a key work again', async () => {
      expect(await create()).toEqual(['ContactCreatePayload', 1]);
      proxy.freeze();
      expect(await create()).toEqual(['LEDGER_UNAVAILABLE', 0]);
      await waitForRecovery();
      expect(await create()).toEqual(['ContactCreatePayload', 1]);
    });

    it('responds without waiting for Redis while new connections hang, too', async () => {
      proxy.freeze();
      proxy.blackhole();
      await expect(ping()).rejects.toThrow('Redis didn’t respond within 2000 ms.');
      await expect(ping()).rejects.toThrow(NO_CONNECTION);
      expect(await create()).toEqual(['LEDGER_UNAVAILABLE', 0]);
      expect(await read()).toBeUndefined();
      // The next attempts fail in their handshake.
      const opened = proxy.opened();
      await expect.poll(() => proxy.opened(), { timeout: 20_000 }).toBeGreaterThan(opened + 1);
      await expect(ping()).rejects.toThrow(NO_CONNECTION);
      proxy.restore();
      await waitForRecovery();
      expect(await create()).toEqual(['ContactCreatePayload', 1]);
    });
  });

  it('reconnects before a request needs the connection', async () => {
    const opened = proxy.opened();
    proxy.freeze();
    await expect.poll(() => proxy.opened(), { timeout: 30_000 }).toBe(opened + 1);
    await waitForRecovery();
  });

  it('reconnects if its server has become a replica', async () => {
    const admin = await createClient({ url: server.url }).connect();
    const write = () => redis.run("return redis.call('SET', KEYS[1], '1')", ['a key'], []);
    try {
      await admin.replicaOf('127.0.0.1', getPort(successor.url));
      proxy.restore(getPort(successor.url));
      await expect(write()).rejects.toThrow('READONLY');
      await expect.poll(() => write().catch(() => 'failed'), { timeout: 20_000 }).toBe('OK');
    } finally {
      await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      admin.destroy();
    }
  });

  it('preserves the connection if the process itself paused', async () => {
    const errors: unknown[] = [];
    const direct = await connectRedis(server.url, (error) => errors.push(error));
    const reply = direct.run('return 1', [], []);
    // The command is written at the end of this turn of the event loop, just before this continues.
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect(await reply).toBe(1);
    expect(errors).toEqual([]);
    await direct.close();
  });
});

describe.skipIf(!hasRedis)(`Redis settings${redisNote}`, () => {
  const durable = useRedis(true);
  const volatile = useRedis();
  const connections: Redis[] = [];
  afterAll(() => Promise.all(connections.map((connection) => connection.close())));
  beforeAll(async () => {
    for (const { url } of [durable, volatile]) {
      const admin = await createClient({ url }).connect();
      await admin.aclSetUser('managed', ['on', '>secret', '~*', '&*', '+@all', '-config']);
      await admin.aclSetUser('limited', ['on', '>secret', '~*', '&*', '+@all', '-config', '-info']);
      await admin.configSet('maxmemory-policy', 'allkeys-lru');
      admin.destroy();
    }
  });
  /** What the log contains about the settings when the ledger is opened. */
  const openAndReadLog = async (server: { url: string }, user?: string) => {
    const url = user ? server.url.replace('//', `//${user}:secret@`) : server.url;
    const redis = await connectRedis(url, () => {});
    connections.push(redis);
    const lines: unknown[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    await (await openLedger(readConfig({ LEDGER_URL: url }), redis, logger)).close();
    return lines;
  };
  const UNSAFE = { msg: expect.stringContaining('may lose idempotency keys') };
  const UNVERIFIED = { msg: expect.stringContaining('could not be verified') };

  it('reads the settings with CONFIG', async () => {
    expect(await openAndReadLog(durable)).toMatchObject([{ ...UNSAFE, settings: ['maxmemory-policy allkeys-lru'] }]);
    expect(await openAndReadLog(volatile)).toMatchObject([
      { ...UNSAFE, settings: ['appendonly no', 'appendfsync everysec', 'maxmemory-policy allkeys-lru'] },
    ]);
  });

  it('reads the settings with INFO if CONFIG is forbidden, and logs those that it doesn’t contain', async () => {
    expect(await openAndReadLog(durable, 'managed')).toMatchObject([
      { ...UNSAFE, settings: ['maxmemory-policy allkeys-lru'] },
      { ...UNVERIFIED, settings: ['appendfsync'] },
    ]);
    expect(await openAndReadLog(volatile, 'managed')).toMatchObject([
      { ...UNSAFE, settings: ['appendonly no', 'maxmemory-policy allkeys-lru'] },
      { ...UNVERIFIED, settings: ['appendfsync'] },
    ]);
  });

  it('logs settings that become unsafe while the graph runs as errors, after a minute or a reconnection', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const admin = await createClient({ url: durable.url }).connect();
    onTestFinished(() => admin.destroy());
    await admin.configSet('maxmemory-policy', 'noeviction');
    const lines = await openAndReadLog(durable);
    expect(lines).toEqual([]);
    await admin.configSet('maxmemory-policy', 'allkeys-lru');
    vi.advanceTimersByTime(60_000);
    const evicts = { ...UNSAFE, level: 50, settings: ['maxmemory-policy allkeys-lru'] };
    await expect.poll(() => lines).toMatchObject([evicts]);
    await admin.configSet('appendfsync', 'everysec');
    await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    await expect
      .poll(() => lines)
      .toMatchObject([evicts, { ...UNSAFE, level: 50, settings: ['appendfsync everysec', 'maxmemory-policy allkeys-lru'] }]);
    await admin.configSet('appendfsync', 'always');
  });

  it('logs all settings as unverified if both commands are forbidden', async () => {
    expect(await openAndReadLog(durable, 'limited')).toMatchObject([
      { ...UNVERIFIED, settings: ['appendonly', 'appendfsync', 'maxmemory-policy'] },
    ]);
  });
});
