import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from '../../../src/live/changes.ts';
import { LiveSubscription } from '../../../src/live/subscription.ts';

const createEvent = (id: string): ChangeEvent => ({ source: 'GRAPH', changes: [{ type: 'Order', ids: [id], isTruncated: false }] });
const EVERYTHING = { source: null, changes: [{ type: 'Order', ids: [], isTruncated: true }] };

function open() {
  const dropped: number[] = [];
  let ends = 0;
  const subscription = new LiveSubscription({
    interest: { types: new Set(['Order']), ids: null },
    onEnd: () => {
      ends += 1;
    },
    onDrop: (signals) => void dropped.push(signals),
  });
  const { signals } = subscription;
  return {
    subscription,
    publish: (id: string) => subscription.receive(createEvent(id)),
    dropped,
    countEnds: () => ends,
    read: async () => (await signals.next()).value,
  };
}

describe('subscription whose client doesn’t read', () => {
  it('replaces more than 100 unread signals by one to refetch everything, and continues', async () => {
    const { publish, read, dropped } = open();
    expect(await read()).toEqual(EVERYTHING);
    for (let count = 0; count < 250; count += 1) publish(String(count));
    expect(dropped).toEqual([101, 101]);
    expect(await read()).toEqual(EVERYTHING);
    for (let count = 201; count < 250; count += 1) expect(await read()).toEqual(createEvent(String(count)));
    publish('next');
    expect(await read()).toEqual(createEvent('next'));
  });

  it('receives no heartbeats', async () => {
    const { subscription, publish, read } = open();
    await read();
    publish('1');
    subscription.beat();
    publish('2');
    expect([await read(), await read()]).toEqual([createEvent('1'), createEvent('2')]);
    subscription.beat();
    expect(await read()).toEqual({ source: null, changes: [] });
  });
});

describe('end of a subscription', () => {
  it('delivers the unread signals if the server completes it', async () => {
    const { subscription, publish, read, countEnds } = open();
    await read();
    publish('1');
    subscription.complete();
    publish('2');
    expect([await read(), await read(), countEnds()]).toEqual([createEvent('1'), undefined, 1]);
  });

  it('settles a pending read if the client disconnects', async () => {
    const { subscription, read, countEnds } = open();
    await read();
    const pending = read();
    subscription.abort();
    expect([await pending, countEnds()]).toEqual([undefined, 1]);
  });

  it.each(['complete', 'abort'] as const)('reads nothing if it ends before it’s read: %s', async (end) => {
    const { subscription, publish, read, countEnds } = open();
    subscription[end]();
    publish('1');
    expect([await read(), countEnds()]).toEqual([undefined, 1]);
  });
});
