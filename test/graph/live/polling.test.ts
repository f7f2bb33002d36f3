import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { DEMO, Records } from '../../support/contract/records.ts';
import { type Subscription, watchRecords } from '../../support/subscribe.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const POLL_SECONDS = 10;
const QUERY = 'AnalyticsService/ExecuteQuery';
const clock = new TestClock(0, Date.now());

// The timers of the graph that starts from now on: it polls when a test advances them.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());
const testGraph = useTestGraph({}, undefined, {
  clock,
  app: { clock },
  env: { LIVE: 'on', LIVE_POLL_SECONDS: String(POLL_SECONDS) },
});

/** Advances the clocks of the graph and the sandbox. */
function advance(seconds: number): void {
  clock.now += seconds * 1_000;
  testGraph.sandbox.now = Math.floor(clock.now / 1_000);
  vi.advanceTimersByTime(seconds * 1_000);
}

const opened: Subscription[] = [];
afterEach(() => {
  for (const subscription of opened.splice(0)) subscription.close();
});

async function watch(key: string, types: readonly string[], ids?: readonly string[]): Promise<Subscription> {
  const subscription = await watchRecords(testGraph.url, key, types, ids);
  opened.push(subscription);
  expect(await subscription.next()).toMatchObject({ data: { recordsChanged: { isTruncated: true, source: null } } });
  return subscription;
}

const createKey = () => makeKey(testGraph.sandbox.world);
const customerId = (index: number) => demoId(`customer ${index}`);
const toId = (index: number) => toGlobalId('Customer', customerId(index));

/** Changes a customer without the graph. */
const changeElsewhere = (index: number, title: string) =>
  new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }, DEMO).call('Customer/PatchCustomer', {
    id: customerId(index),
    title,
  });

/** Lets one poll happen. Returns its calls. */
async function poll(): Promise<string[]> {
  const before = testGraph.sandbox.received.length;
  const listCalls = () => testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
  const advanceUntilPolled = () => {
    // A poll that is still in progress skips the next one.
    if (!listCalls().includes(QUERY)) advance(POLL_SECONDS);
    return listCalls();
  };
  await expect.poll(advanceUntilPolled).toContain(QUERY);
  return listCalls();
}

const polled = (ids: readonly string[], staleness: number, isTruncated = false) => ({
  data: { recordsChanged: { ids, isTruncated, source: 'POLL', staleness } },
});

describe('LIVE_POLL_SECONDS', () => {
  it('signals a change that was made elsewhere, with one call for all subscriptions of the workspace', async () => {
    const key = createKey();
    const subscriptions = [await watch(key, ['CUSTOMER']), await watch(key, ['CUSTOMER']), await watch(createKey(), ['CUSTOMER'])];
    const named = await watch(createKey(), ['CUSTOMER'], [toId(1)]);
    await poll();
    await changeElsewhere(0, 'Elsewhere');
    await changeElsewhere(1, 'Elsewhere');
    expect((await poll()).filter((call) => call === QUERY)).toEqual([QUERY]);
    for (const subscription of subscriptions) {
      await expect
        .poll(() => subscription.next())
        .toMatchObject({ data: { recordsChanged: { source: 'POLL', ids: expect.arrayContaining([toId(0), toId(1)]) } } });
    }
    await expect.poll(() => named.next()).toEqual(polled([toId(1)], 0));
  });

  it('doesn’t repeat changes of this graph, and reports the age of the latest poll', async () => {
    const subscription = await watch(createKey(), ['CUSTOMER']);
    await poll();
    const update = `mutation { customerUpdate(input: { customerId: "${toId(2)}", title: "Here" }) { __typename } }`;
    expect((await testGraph.execute(update)).errors).toBeUndefined();
    await expect
      .poll(() => subscription.next())
      .toMatchObject({ data: { recordsChanged: { ids: [toId(2)], source: 'GRAPH', staleness: expect.any(Number) } } });
    await poll();
    await changeElsewhere(3, 'Elsewhere');
    await poll();
    const signals = [];
    for (let signal = await subscription.next(); ; signal = await subscription.next()) {
      const { ids } = signal?.data.recordsChanged ?? {};
      signals.push(...ids);
      if (ids.includes(toId(3))) break;
    }
    expect(signals).toEqual([toId(3)]);
  });

  it('reports more than 100 changes as truncated', async () => {
    const subscription = await watch(createKey(), ['CUSTOMER']);
    await poll();
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }, DEMO);
    for (let count = 0; count < 150; count += 1) await records.call('Customer/CreateCustomer', { title: `New ${count}` });
    await poll();
    await expect.poll(() => subscription.next()).toMatchObject({ data: { recordsChanged: { isTruncated: true, source: 'POLL' } } });
  });

  it('polls each type once per interval, and stops when no subscription is left', async () => {
    const subscription = await watch(createKey(), ['ORDER', 'QUOTE', 'PAYMENT', 'WORK_ORDER', 'PROBLEM', 'APPOINTMENT']);
    expect((await poll()).length).toBeGreaterThan(0);
    await expect.poll(async () => testGraph.sandbox.received.slice(-6).map(({ operation }) => operation)).toEqual(Array(6).fill(QUERY));
    subscription.close();
    await expect
      .poll(async () => {
        const before = testGraph.sandbox.received.length;
        advance(POLL_SECONDS);
        await testGraph.execute('{ contacts(first: 1) { nodes { id } } }');
        return testGraph.sandbox.received.slice(before).filter(({ operation }) => operation === QUERY).length;
      })
      .toBe(0);
  });

  it('sends no staleness to callers whose access to all records is unknown, even if others poll', async () => {
    const owner = await watch(createKey(), ['CUSTOMER']);
    const [visible] = (await testGraph.executeAs('demo-regional', '{ customers(first: 1) { nodes { id } } }')).data.customers.nodes;
    const subscription = await watch('demo-regional', ['CUSTOMER'], [visible.id]);
    await poll();
    const nextHeartbeat = () => {
      advance(30);
      return owner.next();
    };
    // The first one can be sent before the response of the poll has arrived.
    await expect.poll(nextHeartbeat).toMatchObject({ data: { recordsChanged: { ids: [], staleness: expect.any(Number) } } });
    expect(await subscription.next()).toMatchObject({ data: { recordsChanged: { ids: [], staleness: null } } });
  });
});
