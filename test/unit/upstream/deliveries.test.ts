import { describe, expect, it } from 'vitest';
import { Deliveries } from '../../../src/upstream/traffic/deliveries.ts';
import { TestClock } from '../../support/clock.ts';

const LIMIT = 1_000;

/** An upstream that counts the calls of one key in fixed windows of one minute. */
function openUpstream() {
  const clock = new TestClock();
  const deliveries = new Deliveries(clock);
  let [counted, endsAt] = [0, clock.now + 60_000];
  const receive = () => {
    if (clock.now >= endsAt) [counted, endsAt] = [0, clock.now + 60_000];
    counted += 1;
    return { limit: LIMIT, remaining: LIMIT - counted, resetsInMs: endsAt - clock.now };
  };
  const begin = () => deliveries.begin('key');
  const call = () => deliveries.onResponse(begin(), 200, receive(), 0);
  const lose = (isReceived: boolean) => {
    const lost = begin();
    if (isReceived) receive();
    deliveries.onLost(lost);
    return lost;
  };
  return { clock, deliveries, receive, begin, call, lose };
}

describe('Deliveries', () => {
  it('confirms lost calls if all of them were counted', () => {
    const { call, lose } = openUpstream();
    call();
    const received = lose(true);
    call();
    expect(received.confirmedAt).toEqual(expect.any(Number));
    const [one, other] = [lose(true), lose(false)];
    call();
    expect([one.confirmedAt, other.confirmedAt]).toEqual([null, null]);
  });

  it('confirms after a pause in which windows ended', () => {
    const { clock, call, lose } = openUpstream();
    call();
    clock.now += 600_000;
    const lost = lose(true);
    call();
    expect(lost.confirmedAt).toEqual(expect.any(Number));
  });

  it('confirms nothing if the window ends before the next response', () => {
    const { clock, call, lose } = openUpstream();
    call();
    const lost = lose(true);
    clock.now += 60_000;
    call();
    expect(lost.confirmedAt).toBeNull();
  });

  it('confirms nothing for ten minutes after another process has used the key', () => {
    const { clock, receive, call, lose } = openUpstream();
    call();
    receive();
    call();
    const lost = lose(true);
    call();
    expect(lost.confirmedAt).toBeNull();
    clock.now += 600_000;
    call();
    const later = lose(true);
    call();
    expect(later.confirmedAt).toEqual(expect.any(Number));
  });

  it('decides only when no call is in flight', () => {
    const { deliveries, receive, begin, call, lose } = openUpstream();
    call();
    const lost = lose(true);
    const other = begin();
    call();
    expect(lost.confirmedAt).toBeNull();
    deliveries.onResponse(other, 200, receive(), 0);
    expect(lost.confirmedAt).toEqual(expect.any(Number));
  });

  it('confirms nothing while a call that timed out can still arrive', () => {
    const { deliveries, receive, begin, call, lose } = openUpstream();
    call();
    deliveries.onAbandoned(begin());
    receive();
    const lost = lose(true);
    call();
    expect(lost.confirmedAt).toBeNull();
  });
});
