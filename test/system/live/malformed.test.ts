import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis, type Redis } from '../../../src/lib/redis.ts';
import type { ChangeEvent } from '../../../src/live/changes.ts';
import { RedisBus, RedisPollStore } from '../../../src/live/redisBus.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { RedisQuota } from '../../../src/upstream/traffic/redisQuota.ts';
import { hasRedis } from '../../support/faults/redisProcess.ts';
import { redisNote, useRedis } from '../../support/redis.ts';

const CHANNEL = 'workspace-graph:live';
const CHANGE = { type: 'Order', ids: ['a'], isTruncated: false };
const EVENT = { source: 'GRAPH', changes: [CHANGE] };
const MESSAGE = { from: 'another instance', channel: 'workspace', event: EVENT };

const MALFORMED: readonly (readonly [name: string, message: unknown])[] = [
  ['empty', ''],
  ['text', 'hello'],
  ['truncated', JSON.stringify(MESSAGE).slice(0, -5)],
  ['null', null],
  ['a list', [MESSAGE]],
  ['a number', 5],
  ['without an event', { ...MESSAGE, event: undefined }],
  ['without a channel', { ...MESSAGE, channel: undefined }],
  ['with a channel that is an object', { ...MESSAGE, channel: {} }],
  ['without a sender', { ...MESSAGE, from: undefined }],
  ['with changes that aren’t a list', { ...MESSAGE, event: { ...EVENT, changes: { length: 1 } } }],
  ['without changes', { ...MESSAGE, event: { source: 'GRAPH' } }],
  ['with a change that is null', { ...MESSAGE, event: { ...EVENT, changes: [null] } }],
  ['with an unknown source', { ...MESSAGE, event: { ...EVENT, source: 'OTHER' } }],
  ['with IDs that aren’t a list', { ...MESSAGE, event: { ...EVENT, changes: [{ ...CHANGE, ids: 'abc' }] } }],
  ['with IDs that are numbers', { ...MESSAGE, event: { ...EVENT, changes: [{ ...CHANGE, ids: [1] }] } }],
  ['with a huge ID', { ...MESSAGE, event: { ...EVENT, changes: [{ ...CHANGE, ids: ['x'.repeat(5_000)] }] } }],
  ['with an isTruncated that is text', { ...MESSAGE, event: { ...EVENT, changes: [{ ...CHANGE, isTruncated: 'false' }] } }],
  ['nested 100,000 times', '['.repeat(100_000)],
  ['with a megabyte of IDs', { ...MESSAGE, event: { ...EVENT, changes: [{ ...CHANGE, ids: Array(100_000).fill('0123456789') }] } }],
];

describe.skipIf(!hasRedis)(`data in Redis that this version of the graph didn’t write${redisNote}`, () => {
  const server = useRedis();
  /** The connection that the ledger shares. */
  let redis: Redis;
  let foreign: Redis;
  let bus: RedisBus;
  const errors: unknown[] = [];
  const rejected: string[] = [];
  const received: (readonly [channel: string | null, event: ChangeEvent])[] = [];
  beforeAll(async () => {
    redis = await connectRedis(server.url, (error) => void errors.push(error));
    foreign = await connectRedis(server.url, () => {});
    bus = await RedisBus.open(redis, (problem) => void rejected.push(problem));
    bus.subscribe((...event) => void received.push(event));
  });
  afterAll(async () => {
    await redis?.close();
    await foreign?.close();
  });
  beforeEach(() => {
    for (const list of [errors, rejected, received]) list.length = 0;
  });

  const publish = (message: unknown) =>
    foreign.run(
      `return redis.call('PUBLISH', KEYS[1], ARGV[1])`,
      [CHANNEL],
      [typeof message === 'string' ? message : JSON.stringify(message)],
    );

  it.each(MALFORMED)('causes a report, but no signal or new connection, if it’s malformed: %s', async (_name, message) => {
    await publish(message);
    await publish(MESSAGE);
    await expect.poll(() => received).toEqual([['workspace', EVENT]]);
    expect(await redis.run('return 1', [], [])).toBe(1);
    expect([rejected.length, errors]).toEqual([1, []]);
    expect(rejected[0]).not.toContain('hello');
  });

  it('reaches subscriptions as far as it’s known if a newer instance published it', async () => {
    const newer = {
      ...MESSAGE,
      version: 2,
      event: {
        ...EVENT,
        more: {},
        changes: [
          { ...CHANGE, more: 1 },
          { ...CHANGE, type: 'Invoice' },
        ],
      },
    };
    await publish(newer);
    await expect.poll(() => received).toEqual([['workspace', EVENT]]);
    expect([rejected, errors]).toEqual([[], []]);
  });

  it('doesn’t end the connection if a listener of its messages fails', async () => {
    const stop = bus.subscribe(() => {
      throw new Error('a bug');
    });
    await publish(MESSAGE);
    await expect.poll(() => errors.map(String)).toEqual(['Error: a bug']);
    stop();
    await publish(MESSAGE);
    await expect.poll(() => received).toHaveLength(2);
    expect(await redis.run('return 1', [], [])).toBe(1);
  });

  it('reports anything as changed if a change has too many IDs for a message', async () => {
    const other = await RedisBus.open(foreign, () => {});
    other.publish('workspace', {
      source: 'GRAPH',
      changes: [{ type: 'Order', ids: Array(50_000).fill('0123456789'), isTruncated: false }],
    });
    await expect
      .poll(() => received)
      .toEqual([['workspace', { source: 'GRAPH', changes: [{ type: 'Order', ids: [], isTruncated: true }] }]]);
  });

  it.each(['', 'nan', 'inf', 'text', '1e400', '-5'])('ignores the state of a poll or a quota that is %j', async (value) => {
    const set = (key: string, ...fields: readonly string[]) =>
      foreign.run(
        `redis.call('DEL', KEYS[1]) for _, field in ipairs(ARGV) do redis.call('HSET', KEYS[1], field, '${value}') end`,
        [key],
        fields,
      );
    await set('workspace-graph:poll:w:Order', 'watermark', 'polledAt', 'endsAt');
    const store = new RedisPollStore(redis);
    await store.begin('w:Order', 1_000);
    const { watermark, ageMs } = await store.begin('w:Order', 1_000);
    expect([watermark, ageMs === null || Number.isFinite(ageMs)]).toEqual([null, true]);
    await set(
      'workspace-graph:quota:key',
      'limit',
      'remaining',
      'resetsAt',
      'reserved',
      'blockedUntil',
      'windowReportedAt',
      'blockReportedAt',
    );
    const quota = new RedisQuota(redis, () => {});
    expect(await quota.reserve(new Key('key'), 1, 0)).toMatchObject({ calls: 1 });
    await quota.close();
  });
});
