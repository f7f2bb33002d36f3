import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import { LocalBus } from '../../../src/live/bus.ts';
import { Poller } from '../../../src/live/poller.ts';
import { RedisPollStore } from '../../../src/live/redisBus.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

/** Long, so that instances only poll when a test says so. */
const INTERVAL_MS = 3_600_000;
const TYPE = 'Order';

describe.skipIf(!hasRedis)(`instances that share polls through Redis${redisNote}`, () => {
  const server = useRedis();
  let redis: Redis;
  let channel = '';
  const open: Poller[] = [];
  beforeAll(async () => {
    redis = await connectRedis(server.url, () => {});
  });
  afterAll(() => redis?.close());
  afterEach(() => {
    for (const poller of open.splice(0)) poller.close();
  });

  /** An instance with a subscriber, whose index has one record that changes with each poll. */
  function start(states: readonly string[] = []) {
    const bus = new LocalBus();
    const published: string[] = [];
    bus.subscribe((_channel, { changes }) => void published.push(...changes.flatMap(({ ids }) => ids)));
    const poller = new Poller({ bus, store: new RedisPollStore(redis), intervalMs: INTERVAL_MS, clock: systemClock });
    open.push(poller);
    const polledSince: number[] = [];
    const stop = poller.watch(channel, TYPE, {
      poll: async (since) => {
        polledSince.push(since);
        return { records: states.map((state) => ({ id: state, state, updatedAt: 2_000_000_000 })), isTruncated: false };
      },
      getQuota: () => null,
    });
    return { poller, polledSince, published, stop };
  }

  let count = 0;
  const nextChannel = () => {
    count += 1;
    channel = `workspace ${count}`;
  };

  it('poll by one of them, which continues from where the other ended', async () => {
    nextChannel();
    const [one, other] = [start(['a', 'b']), start(['a', 'b', 'c'])];
    for (let time = 0; time < 3; time += 1) {
      await one.poller.pollAll();
      await other.poller.pollAll();
    }
    expect([one.polledSince.length, other.polledSince.length, one.published]).toEqual([3, 0, ['a', 'b']]);
    expect(other.poller.getStaleness(channel, [TYPE])).toEqual(expect.any(Number));
    one.stop();
    await expect
      .poll(async () => {
        await other.poller.pollAll();
        return other.published;
      })
      .toEqual(['c']);
    expect(other.polledSince[0]).toBe(2_000_000_000 - 60);
  });

  it('poll by another one when the turn of an instance that was killed has expired', async () => {
    nextChannel();
    const killed = new RedisPollStore(redis);
    expect(await killed.begin(`${channel}:${TYPE}`, 500)).toEqual({ isMine: true, watermark: null, ageMs: null });
    const other = start(['a']);
    await other.poller.pollAll();
    expect(other.polledSince).toEqual([]);
    await expect
      .poll(async () => {
        await other.poller.pollAll();
        return other.published;
      })
      .toEqual(['a']);
    expect(await killed.begin(`${channel}:${TYPE}`, 500)).toMatchObject({ isMine: false });
  });

  it('don’t publish what any of them has written', async () => {
    nextChannel();
    const [one, other] = [start(['a', 'b']), start()];
    await other.poller.markSeen(channel, TYPE, ['a']);
    await one.poller.pollAll();
    expect(one.published).toEqual(['b']);
  });

  it('don’t publish the result of a poll after their turn has ended', async () => {
    nextChannel();
    const store = new RedisPollStore(redis);
    expect(await store.begin(`${channel}:${TYPE}`, 1)).toMatchObject({ isMine: true, watermark: null });
    const other = new RedisPollStore(redis);
    await expect.poll(() => other.begin(`${channel}:${TYPE}`, 60_000)).toMatchObject({ isMine: true });
    expect(await store.finish(`${channel}:${TYPE}`, 1, ['a'])).toEqual([]);
    expect(await other.finish(`${channel}:${TYPE}`, 1, ['a'])).toEqual(['a']);
  });
});
