import { describe, expect, it, onTestFinished } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { parseSeries, scrape, sumByLabels } from '../../support/telemetry/scrape.ts';
import { postQuery, startTestGraph, type TestGraph } from '../../support/testGraph.ts';

const ME = 'Workspace/Me';
const READ = '{ contacts(first: 1) { nodes { __typename } } }';

/** A test graph with a separate clock for the health checks. */
async function openTestGraph(): Promise<{ readonly testGraph: TestGraph; readonly clock: TestClock }> {
  const clock = new TestClock();
  const testGraph = await startTestGraph({}, undefined, { app: { clock }, env: { ADMIN_PORT: '0' } });
  onTestFinished(async () => {
    testGraph.gate.releaseAll();
    await testGraph.close();
  });
  return { testGraph, clock };
}

async function fetchReadiness({ app }: TestGraph): Promise<unknown> {
  const response = await fetch(`${app.url}/health/ready`);
  return [response.status, await response.json()];
}

const fetchUpstreamUp = async ({ app }: TestGraph) => parseSeries(await scrape(app.adminUrl)).get('upstream_up');

describe('/health/ready', () => {
  it('reports the upstream as unknown until it has been checked', async () => {
    const { testGraph } = await openTestGraph();
    expect(await fetchUpstreamUp(testGraph)).toBeUndefined();
    await expect.poll(() => fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    expect(await fetchUpstreamUp(testGraph)).toBe(1);
  });

  it('returns 200 without waiting for an upstream that hangs, and checks it only once', async () => {
    const { testGraph } = await openTestGraph();
    const held = testGraph.gate.hold(ME);
    for (let probe = 0; probe < 40; probe += 1)
      expect(await fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'unknown' }]);
    await held.arrived;
    expect(testGraph.gate.sent(ME)).toBe(1);
  });

  it('causes one upstream call in ten seconds, however often it is requested', async () => {
    const { testGraph, clock } = await openTestGraph();
    await expect.poll(() => fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    for (let probe = 0; probe < 40; probe += 1) await fetchReadiness(testGraph);
    clock.now += 9_999;
    await fetchReadiness(testGraph);
    expect(testGraph.gate.sent(ME)).toBe(1);
    clock.now += 1;
    expect(await fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    await expect.poll(() => testGraph.gate.sent(ME)).toBe(2);
  });

  it('returns 200 while the upstream fails, and reports the failure', async () => {
    const { testGraph, clock } = await openTestGraph();
    testGraph.sandbox.faults.add({ operation: ME, status: 500 });
    await expect.poll(() => fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'unavailable' }]);
    expect(await fetchUpstreamUp(testGraph)).toBe(0);
    testGraph.sandbox.faults.clear();
    clock.now += 10_000;
    await expect.poll(() => fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
  });

  it('forgets a result after five minutes', async () => {
    const { testGraph, clock } = await openTestGraph();
    await expect.poll(() => fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    clock.now += 300_000;
    testGraph.gate.hold(ME);
    expect(await fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'unknown' }]);
    expect(await fetchUpstreamUp(testGraph)).toBeUndefined();
  });

  it('returns 200 without the upstream, and doesn’t contain its address', async () => {
    const { testGraph } = await openTestGraph();
    await testGraph.sandbox.close();
    await expect.poll(() => fetchReadiness(testGraph)).toEqual([200, { status: 'ok', upstream: 'unavailable' }]);
    expect(JSON.stringify(await fetchReadiness(testGraph))).not.toContain(new URL(testGraph.sandbox.url).host);
    const { data, errors } = await postQuery(testGraph.app.url, 'demo-owner', READ);
    expect({ data, code: errors?.[0]?.extensions.code }).toEqual({ data: { contacts: null }, code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('causes no upstream call in the metrics until the check has completed', async () => {
    const { testGraph } = await openTestGraph();
    testGraph.gate.hold(ME);
    await fetchReadiness(testGraph);
    expect(
      sumByLabels(parseSeries(await scrape(testGraph.app.adminUrl)), 'upstream_request_duration_seconds_count', ['rpc_method']),
    ).toEqual({});
  });
});

it('/health/live returns 200 without a call', async () => {
  const { testGraph } = await openTestGraph();
  const response = await fetch(`${testGraph.app.url}/health/live`);
  expect([response.status, await response.json(), testGraph.gate.sent(ME)]).toEqual([200, { status: 'ok' }, 0]);
});
