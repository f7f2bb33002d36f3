import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LocalBus } from '../../../src/live/bus.ts';
import type { LiveType } from '../../../src/live/changes.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import type { HeldCalls } from '../../support/gate.ts';
import type { Subscription } from '../../support/subscribe.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ANYTHING, signal, toId, useLiveCustomers } from './liveCustomers.ts';

const QUERY = 'AnalyticsService/ExecuteQuery';

// The timers of the graph: heartbeats are sent when a test advances them.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

const clock = new TestClock();
const bus = new LocalBus();
const testGraph = useTestGraph({}, undefined, { clock, app: { clock, bus }, env: { LIVE: 'on' } });
const { watch, getRejection, change, makeMemberKey, restrictView, restrictScopes } = useLiveCustomers(testGraph);

/** Advances the clocks without a heartbeat. */
const advance = (seconds: number) => {
  clock.now += seconds * 1_000;
};
/** Sends heartbeats. */
const beat = () => vi.advanceTimersByTime(30_000);
const HEARTBEAT = { data: { recordsChanged: { ids: [], isTruncated: false, source: null, staleness: null } } };

describe('subscription whose rights can’t be checked', () => {
  /** Opens a subscription and withholds a change from it. */
  async function withhold(key: string, ids?: readonly string[]): Promise<Subscription> {
    const subscription = await watch(key, ids);
    testGraph.sandbox.faults.add({ operation: ids ? 'Customer/GetCustomer' : QUERY, status: 503 });
    advance(31);
    await change(0);
    beat();
    expect(await subscription.next()).toEqual(HEARTBEAT);
    return subscription;
  }

  /** Ends the outage, and waits until failed checks are repeated. */
  const recover = () => {
    testGraph.sandbox.faults.clear();
    advance(6);
    beat();
  };

  /** As another replica does after a mutation of roles, teams, or members. */
  const publishChangedRights = () => bus.publish(demoId('workspace'), { source: 'GRAPH', changes: [], changesRights: true });

  it.each([
    ['all records', undefined],
    ['its records', [toId(0), toId(1)]],
  ])('receives no change of %s, and after the next successful check one signal that anything may have changed', async (_name, ids) => {
    const subscription = await withhold(makeMemberKey(), ids);
    await change(1);
    beat();
    expect(await subscription.next()).toEqual(HEARTBEAT);
    recover();
    expect(await subscription.next()).toEqual(ANYTHING);
    await change(1);
    expect(await subscription.next()).toEqual(signal(toId(1)));
  });

  it('ends without a signal if the caller has lost full access', async () => {
    const key = makeMemberKey();
    const subscription = await withhold(key);
    restrictView(key);
    recover();
    expect([await subscription.next(), await subscription.next()]).toMatchObject([
      { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
      null,
    ]);
  });

  it('receives only heartbeats if the caller has lost access to its records', async () => {
    const key = makeMemberKey();
    const subscription = await withhold(key, [toId(0)]);
    restrictView(key);
    recover();
    expect(await subscription.next()).toEqual(HEARTBEAT);
  });

  it('ends after five minutes, so that its client connects again', async () => {
    const key = makeMemberKey();
    const subscription = await withhold(key);
    advance(290);
    await change();
    beat();
    expect(await subscription.next()).toEqual(HEARTBEAT);
    advance(10);
    beat();
    expect(await subscription.next()).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE', retry: 'SAFE' } }],
    });
    expect(await subscription.next()).toBe(null);
    expect(await getRejection(key)).toMatchObject({ extensions: { code: 'UPSTREAM_UNAVAILABLE' } });
  });

  it('continues after a first failed check, however long nothing changed', async () => {
    const subscription = await watch(makeMemberKey());
    testGraph.sandbox.faults.add({ operation: QUERY, status: 503, times: 1 });
    advance(3_000);
    await change();
    beat();
    expect(await subscription.next()).toEqual(HEARTBEAT);
    recover();
    expect(await subscription.next()).toEqual(ANYTHING);
  });

  it('receives nothing by rights whose read took half a minute', async () => {
    const key = makeMemberKey();
    const subscription = await watch(key);
    advance(31);
    const held = testGraph.gate.holdResponses(QUERY);
    await change();
    await held.arrived;
    restrictView(key);
    advance(31);
    held.release();
    // Repeats the check.
    beat();
    expect([await subscription.next(), await subscription.next()]).toMatchObject([
      { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
      null,
    ]);
  });

  it('receives nothing by scopes that became older than half a minute while its other rights were read', async () => {
    const key = makeMemberKey();
    const subscription = await watch(key);
    advance(20);
    const held = testGraph.gate.hold(QUERY);
    publishChangedRights();
    await change();
    await held.arrived;
    restrictScopes(key, ['me:read', 'analytics:read']);
    advance(15);
    held.release();
    expect(await subscription.next()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN', missingScopes: ['customer:read'] } }] });
  });

  it('receives nothing by rights that the graph changed while the scopes were read', async () => {
    const key = makeMemberKey();
    const subscription = await watch(key);
    advance(20);
    const rights = testGraph.gate.hold(QUERY);
    publishChangedRights();
    await change();
    await rights.arrived;
    advance(15);
    const scopes = testGraph.gate.hold('Workspace/Me');
    rights.release();
    await scopes.arrived;
    restrictView(key);
    publishChangedRights();
    scopes.release();
    expect(await subscription.next()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  it('receives no record whose access was read long before that of the others', async () => {
    const key = makeMemberKey();
    const records = { Customer: demoId('customer 0'), Order: demoId('order 0'), Problem: demoId('problem 0') };
    const subscription = await watch(key, Object.values(records), ['CUSTOMER', 'ORDER', 'PROBLEM']);
    advance(31);
    const [orders, problems] = ['Order/GetOrder', 'Problem/GetProblem'].map((name) => testGraph.gate.hold(name)) as [HeldCalls, HeldCalls];
    const changes = Object.entries(records).map(([type, id]) => ({ type: type as LiveType, ids: [id], isTruncated: false }));
    bus.publish(demoId('workspace'), { source: 'GRAPH', changes });
    await orders.arrived;
    restrictView(key);
    for (const held of [orders, problems]) {
      await held.arrived;
      advance(20);
      held.release();
    }
    beat();
    expect(await subscription.next()).toEqual(HEARTBEAT);
  });

  it('receives nothing by rights that were read before the graph changed them', async () => {
    const key = makeMemberKey();
    const subscription = await watch(key);
    advance(31);
    const held = testGraph.gate.holdResponses(QUERY);
    await change();
    await held.arrived;
    restrictView(key);
    publishChangedRights();
    held.release();
    expect(await subscription.next()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });
});
