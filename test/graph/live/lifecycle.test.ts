import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LocalBus } from '../../../src/live/bus.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { startIdentityProvider } from '../../support/identityProvider.ts';
import { connectRaw, sendRaw } from '../../support/rawHttp.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { type Subscription, watchAfterFirst, watchRecords } from '../../support/subscribe.ts';
import { parseSeries, scrape } from '../../support/telemetry/scrape.ts';
import { postQuery, startTestGraph, type TestGraphOptions, useTestGraph } from '../../support/testGraph.ts';

const OWNER = 'demo-owner';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HEARTBEAT = { data: { recordsChanged: { ids: [], isTruncated: false, source: null, staleness: null } } };

const clock = new TestClock(0, Date.now());
const provider = await startIdentityProvider(clock.unixMs);
afterAll(() => provider.close());
const assignments = new AssignmentFile({ alice: { key: OWNER } });

// The timers of graphs that start from now on: heartbeats are sent when a test advances them.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

const LIVE: TestGraphOptions = { clock, app: { clock }, env: { LIVE: 'on', ADMIN_PORT: '0' } };
const testGraph = useTestGraph({}, undefined, { ...LIVE, env: { ...LIVE.env, ...createSignInSettings(provider, assignments) } });

/** Advances the clocks, and sends the heartbeats that are due. */
function advance(ms: number): void {
  clock.now += ms;
  vi.advanceTimersByTime(ms);
}

const countOpen = async () => parseSeries(await scrape(testGraph.adminUrl)).get('live_subscriptions');

const opened: Subscription[] = [];
afterEach(async () => {
  for (const subscription of opened.splice(0)) subscription.close();
  // None stays open after its client has disconnected.
  await expect.poll(countOpen).toBe(0);
});

/** Opens a subscription that ends after the test. */
async function watch(key: string): Promise<Subscription> {
  const subscription = await watchAfterFirst(testGraph.url, key, ['CUSTOMER']);
  opened.push(subscription);
  return subscription;
}

const createKey = () => makeKey(testGraph.sandbox.world);
const change = (key = OWNER) =>
  testGraph.executeAs(key, `mutation { customerUpdate(input: { customerId: "${demoId('customer 0')}", title: "New" }) { __typename } }`);

describe('open subscription', () => {
  it('disables buffering in nginx by a header', async () => {
    const { headers } = await watch(createKey());
    expect(headers['x-accel-buffering']).toBe('no');
  });

  it('sends only headers for HEAD', async () => {
    const path = `/graphql?query=${encodeURIComponent('subscription { recordsChanged(types: [CUSTOMER]) { ids } }')}`;
    const headers = { authorization: `Bearer ${createKey()}`, accept: 'text/event-stream' };
    const { status, headers: received, body } = await sendRaw(testGraph.url, { method: 'HEAD', path, headers });
    expect([status, received['content-type'], body.length]).toEqual([200, expect.stringContaining('text/event-stream'), 0]);
    await expect.poll(countOpen).toBe(0);
  });

  it('receives a heartbeat every 30 seconds, and is completed after an hour', async () => {
    const subscription = await watch(createKey());
    advance(30 * SECOND_MS);
    expect(await subscription.next()).toEqual(HEARTBEAT);
    advance(30 * SECOND_MS);
    expect(await subscription.next()).toEqual(HEARTBEAT);
    advance(59 * MINUTE_MS);
    expect(await subscription.next()).toBe(null);
    expect(await countOpen()).toBe(0);
  });

  it('ends when its access token expires', async () => {
    const subscription = await watch(await provider.issue('alice', { claims: { exp: Math.floor(clock.now / 1000) + 45 } }));
    advance(30 * SECOND_MS);
    expect(await subscription.next()).toEqual(HEARTBEAT);
    advance(30 * SECOND_MS);
    expect(await subscription.next()).toBe(null);
  });

  it('stays open while the Workspace API is unavailable', async () => {
    const subscription = await watch(createKey());
    onTestFinished(() => testGraph.sandbox.faults.clear());
    testGraph.sandbox.faults.add({ operation: 'Workspace/Me', status: 503 });
    advance(2 * MINUTE_MS);
    expect(await subscription.next()).toEqual(HEARTBEAT);
  });
});

describe('limits of subscriptions', () => {
  it('reject the eleventh of a caller until one ends', async () => {
    const key = createKey();
    const [first] = await Promise.all(Array.from({ length: 10 }, () => watch(key)));
    const rejected = await watchRecords(testGraph.url, key, ['CUSTOMER']);
    expect(await rejected.next()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED', retry: 'SAFE' } }] });
    await watch(createKey());
    first?.close();
    await expect.poll(countOpen).toBe(10);
    await watch(key);
  });

  it('don’t count as concurrent requests', async () => {
    const { app, sandbox, close } = await startTestGraph({}, undefined, { env: { LIVE: 'on', MAX_CONCURRENT_REQUESTS: '1' } });
    onTestFinished(close);
    for (let count = 0; count < 3; count += 1) {
      const subscription = await watchAfterFirst(app.url, makeKey(sandbox.world), ['CUSTOMER']);
      onTestFinished(() => subscription.close());
    }
    expect((await postQuery(app.url, OWNER, '{ __typename }')).status).toBe(200);
  });
});

describe('subscription whose client disconnects', () => {
  it('ends', async () => {
    const subscriptions = await Promise.all(Array.from({ length: 8 }, async () => watch(createKey())));
    expect(await countOpen()).toBe(8);
    for (const subscription of subscriptions) subscription.close();
    await expect.poll(countOpen).toBe(0);
  });
});

describe('subscription whose client reads nothing', () => {
  it('ends when its unread data times out', async () => {
    const bus = new LocalBus();
    const { app, close } = await startTestGraph({}, undefined, { ...LIVE, app: { clock, bus, http: { unreadTimeoutMs: 500 } } });
    onTestFinished(close);
    const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: ids`).join(' ');
    const body = JSON.stringify({ query: `subscription { recordsChanged(types: [CUSTOMER]) { ${aliases} } }` });
    const { socket, waitFor } = connectRaw(app.url);
    onTestFinished(() => void socket.destroy());
    const headers = ['Host: graph', `Authorization: Bearer ${OWNER}`, 'Accept: text/event-stream', 'Content-Type: application/json'];
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await waitFor(/"a99":\[\]/);
    socket.pause();
    const ids = Array.from({ length: 1_000 }, (_, index) => `record ${index}`);
    const count = async () => parseSeries(await scrape(app.adminUrl)).get('live_subscriptions');
    // More than the buffers of the connection hold.
    for (let time = 0; time < 4; time += 1)
      bus.publish(demoId('workspace'), { source: 'GRAPH', changes: [{ type: 'Customer', ids, isTruncated: false }] });
    expect(await count()).toBe(1);
    await expect.poll(count).toBe(0);
  });
});

describe('shutdown', () => {
  it('completes subscriptions, and rejects new ones during the drain period', async () => {
    const closing = await startTestGraph({}, undefined, { ...LIVE, env: { ...LIVE.env, SHUTDOWN_DRAIN_MS: '600000' } });
    onTestFinished(() => closing.sandbox.close());
    const { url } = closing.app;
    const subscriptions = await Promise.all([OWNER, 'demo-neighbour'].map((key) => watchAfterFirst(url, key, ['CUSTOMER'])));
    const closed = closing.app.close();
    expect(await Promise.all(subscriptions.map((subscription) => subscription.next()))).toEqual([null, null]);
    const late = await watchRecords(url, OWNER, ['CUSTOMER']);
    expect(await late.next()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
    expect((await postQuery(url, OWNER, '{ __typename }')).data).toEqual({ __typename: 'Query' });
    // Ends the drain period.
    void closing.app.close();
    await closed;
  });
});

describe('metrics of subscriptions', () => {
  it('count open ones and signals, but not their responses as requests', async () => {
    const read = async () => parseSeries(await scrape(testGraph.adminUrl));
    const requests = 'http_server_request_duration_seconds_count{http_response_status_code="200"}';
    const subscription = await watch(createKey());
    const before = await read();
    await change();
    await subscription.next();
    subscription.close();
    await expect.poll(countOpen).toBe(0);
    const after = await read();
    const grow = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    expect([grow('live_signals_total{source="GRAPH"}'), grow(requests)]).toEqual([1, 1]);
  });
});
