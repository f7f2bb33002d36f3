import { afterEach, describe, expect, it } from 'vitest';
import { LocalBus } from '../../../src/live/bus.ts';
import type { ChangeEvent } from '../../../src/live/changes.ts';
import { type PolledRecord, type PolledRecords, Poller } from '../../../src/live/poller.ts';
import { MemoryPollStore, type PollStore } from '../../../src/live/pollStore.ts';
import { TestClock } from '../../support/clock.ts';

const INTERVAL_MS = 30_000;
const CHANNEL = 'workspace';
const open: Poller[] = [];
afterEach(() => {
  for (const poller of open.splice(0)) poller.close();
});

const clock = new TestClock();
const getNow = () => Math.floor(clock.now / 1000);
const createRecord = (id: string, updatedAt = getNow()): PolledRecord => ({ id, state: `${id} ${updatedAt}`, updatedAt });

/** An index whose rows a test sets. */
class TestIndex {
  records: readonly PolledRecord[] = [];
  isTruncated = false;
  remaining = 100;
  error: Error | null = null;
  readonly polledSince: number[] = [];

  readonly poll = async (since: number): Promise<PolledRecords> => {
    this.polledSince.push(since);
    if (this.error) throw this.error;
    return { records: this.records, isTruncated: this.isTruncated };
  };
  readonly getQuota = () => ({ limit: 100, remaining: this.remaining, resetsInSeconds: 60 });
}

function openPoller(bus: LocalBus, store: PollStore = new MemoryPollStore(clock)) {
  const poller = new Poller({ bus, store, intervalMs: INTERVAL_MS, clock });
  open.push(poller);
  return poller;
}

/** A poller with one subscriber, and the events that it publishes. */
function start() {
  const bus = new LocalBus();
  const events: ChangeEvent[] = [];
  bus.subscribe((_channel, event) => void events.push(event));
  const poller = openPoller(bus);
  const index = new TestIndex();
  const stop = poller.watch(CHANNEL, 'Order', index);
  const poll = async () => {
    clock.now += INTERVAL_MS;
    await poller.pollAll();
    return events.splice(0);
  };
  return { bus, events, poller, index, stop, poll };
}

const changed = (ids: readonly string[], isTruncated = false) => [{ source: 'POLL', changes: [{ type: 'Order', ids, isTruncated }] }];

describe('poll of an index', () => {
  it('publishes each state of a record once, although polls overlap', async () => {
    const { index, poll } = start();
    expect(await poll()).toEqual([]);
    const [one, other] = [createRecord('1'), createRecord('2')];
    index.records = [one, other];
    expect(await poll()).toEqual(changed(['1', '2']));
    expect(await poll()).toEqual([]);
    index.records = [other, createRecord('1')];
    expect(await poll()).toEqual(changed(['1']));
  });

  it('starts a minute before the newest record that it has found', async () => {
    const { index, poll } = start();
    await poll();
    const first = getNow();
    const record = createRecord('1', first + 10);
    index.records = [record];
    await poll();
    await poll();
    expect(index.polledSince).toEqual([first - 60, first - 60, first + 10 - 60]);
  });

  it('reports more changes than it can read as truncated, and continues after them', async () => {
    const { index, poll } = start();
    await poll();
    index.records = Array.from({ length: 100 }, (_, each) => createRecord(String(each), getNow() - 50));
    index.isTruncated = true;
    expect(await poll()).toMatchObject([{ changes: [{ isTruncated: true }] }]);
    const now = getNow();
    index.isTruncated = false;
    expect(await poll()).toEqual([]);
    expect(index.polledSince.at(-1)).toBe(now - 60);
  });

  it('doesn’t repeat a state that a mutation of this graph has published', async () => {
    const { poller, index, poll } = start();
    const own = createRecord('1');
    await poller.markSeen(CHANNEL, 'Order', [own.state]);
    index.records = [own, createRecord('2')];
    expect(await poll()).toEqual(changed(['2']));
  });

  it('happens half as often below 20 % of the quota, and not below 10 %', async () => {
    const { poller, index, poll } = start();
    const count = async (remaining: number) => {
      index.remaining = remaining;
      const before = index.polledSince.length;
      for (let time = 0; time < 4; time += 1) await poll();
      return index.polledSince.length - before;
    };
    expect([await count(20), await count(19), await count(9)]).toEqual([4, 2, 0]);
    expect(poller.getStaleness(CHANNEL, ['Order'])).toBe(4 * (INTERVAL_MS / 1000));
    expect(await count(100)).toBe(4);
    expect(poller.getStaleness(CHANNEL, ['Order'])).toBe(0);
  });

  it('ends with its last subscriber', async () => {
    const { poller, index, stop, poll } = start();
    const other = new TestIndex();
    const stopOther = poller.watch(CHANNEL, 'Order', other);
    stop();
    await poll();
    stopOther();
    await poll();
    expect([index.polledSince.length, other.polledSince.length, poller.getStaleness(CHANNEL, ['Order'])]).toEqual([0, 1, null]);
  });

  it('continues with the key of another subscriber after a failure', async () => {
    const { poller, index, poll } = start();
    const other = new TestIndex();
    poller.watch(CHANNEL, 'Order', other);
    index.error = new Error('Revoked.');
    expect(await poll()).toEqual([]);
    other.records = [createRecord('1')];
    expect(await poll()).toEqual(changed(['1']));
    expect([index.polledSince.length, other.polledSince.length]).toEqual([1, 1]);
  });

  it('doesn’t use the key of a subscriber again that leaves during a poll that fails', async () => {
    const { poller, index, stop, poll } = start();
    const other = new TestIndex();
    const stopOther = poller.watch(CHANNEL, 'Order', other);
    index.error = new Error('Revoked.');
    const failing = poll();
    stop();
    await failing;
    await poll();
    stopOther();
    await poll();
    expect([index.polledSince.length, other.polledSince.length]).toEqual([1, 1]);
  });

  it('reports no staleness for types that aren’t polled', async () => {
    const { poller, poll } = start();
    expect(poller.getStaleness(CHANNEL, ['Order'])).toBe(null);
    await poll();
    expect([poller.getStaleness(CHANNEL, ['Order']), poller.getStaleness(CHANNEL, ['Order', 'Quote'])]).toEqual([0, null]);
  });
});
