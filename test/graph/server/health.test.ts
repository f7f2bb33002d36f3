import { describe, expect, it, onTestFinished } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { parseSeries, scrape, sumByLabels } from '../../support/telemetry/scrape.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';

const ME = 'Workspace/Me';
const READ = '{ contacts(first: 1) { nodes { __typename } } }';

/** A world with a clock for the health checks alone. */
async function open(): Promise<{ readonly testGraph: TestGraph; readonly clock: TestClock }> {
  const clock = new TestClock();
  const testGraph = await startTestGraph({}, undefined, { app: { clock }, env: { ADMIN_PORT: '0' } });
  onTestFinished(async () => {
    testGraph.gate.releaseAll();
    await testGraph.close();
  });
  return { testGraph, clock };
}

async function ready({ app }: TestGraph): Promise<unknown> {
  const response = await fetch(`${app.url}/health/ready`);
  return [response.status, await response.json()];
}

const upstreamUp = async ({ app }: TestGraph) => parseSeries(await scrape(app.adminUrl)).get('upstream_up');

describe('/health/ready', () => {
  it('reports the upstream as unknown until it has been checked', async () => {
    const { testGraph } = await open();
    expect(await upstreamUp(testGraph)).toBeUndefined();
    await expect.poll(() => ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    expect(await upstreamUp(testGraph)).toBe(1);
  });

  it('returns 200 without waiting for an upstream that hangs, and checks it only once', async () => {
    const { testGraph } = await open();
    const held = testGraph.gate.hold(ME);
    for (let probe = 0; probe < 40; probe += 1) expect(await ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'unknown' }]);
    await held.arrived;
    expect(testGraph.gate.sent(ME)).toBe(1);
  });

  it('causes one upstream call in ten seconds, however often it is requested', async () => {
    const { testGraph, clock } = await open();
    await expect.poll(() => ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    for (let probe = 0; probe < 40; probe += 1) await ready(testGraph);
    clock.now += 9_999;
    await ready(testGraph);
    expect(testGraph.gate.sent(ME)).toBe(1);
    clock.now += 1;
    expect(await ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    await expect.poll(() => testGraph.gate.sent(ME)).toBe(2);
  });

  it('returns 200 while the upstream fails, and reports the failure', async () => {
    const { testGraph, clock } = await open();
    testGraph.sandbox.faults.add({ operation: ME, status: 500 });
    await expect.poll(() => ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'unavailable' }]);
    expect(await upstreamUp(testGraph)).toBe(0);
    testGraph.sandbox.faults.clear();
    clock.now += 10_000;
    await expect.poll(() => ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
  });

  it('forgets a result after five minutes', async () => {
    const { testGraph, clock } = await open();
    await expect.poll(() => ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    clock.now += 300_000;
    testGraph.gate.hold(ME);
    expect(await ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'unknown' }]);
    expect(await upstreamUp(testGraph)).toBeUndefined();
  });

  it('returns 200 without the upstream, and doesn’t contain its address', async () => {
    const { testGraph } = await open();
    await testGraph.sandbox.close();
    await expect.poll(() => ready(testGraph)).toEqual([200, { status: 'ok', upstream: 'unavailable' }]);
    expect(JSON.stringify(await ready(testGraph))).not.toContain(new URL(testGraph.sandbox.url).host);
    const { data, errors } = await postQuery(testGraph.app.url, 'demo-owner', READ);
    expect({ data, code: errors?.[0]?.extensions.code }).toEqual({ data: { contacts: null }, code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('isn’t counted as a request to the upstream by the metrics until it has been checked', async () => {
    const { testGraph } = await open();
    testGraph.gate.hold(ME);
    await ready(testGraph);
    expect(
      sumByLabels(parseSeries(await scrape(testGraph.app.adminUrl)), 'upstream_request_duration_seconds_count', ['rpc_method']),
    ).toEqual({});
  });
});

it('/health/live returns 200 and sends nothing', async () => {
  const { testGraph } = await open();
  const response = await fetch(`${testGraph.app.url}/health/live`);
  expect([response.status, await response.json(), testGraph.gate.sent(ME)]).toEqual([200, { status: 'ok' }, 0]);
});
