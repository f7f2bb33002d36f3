import { describe, expect, it, onTestFinished } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { countsBy, scrape, seriesIn } from '../../support/telemetry/scrape.ts';
import { openWorld, postGraph, type World } from '../../support/world.ts';

const ME = 'Workspace/Me';
const READ = '{ contacts(first: 1) { nodes { __typename } } }';

/** A world with a clock for the health checks alone. */
async function open(): Promise<{ readonly world: World; readonly clock: TestClock }> {
  const clock = new TestClock();
  const world = await openWorld({}, undefined, { app: { clock }, env: { ADMIN_PORT: '0' } });
  onTestFinished(async () => {
    world.gate.releaseAll();
    await world.close();
  });
  return { world, clock };
}

async function ready({ app }: World): Promise<unknown> {
  const response = await fetch(`${app.url}/health/ready`);
  return [response.status, await response.json()];
}

const upstreamUp = async ({ app }: World) => seriesIn(await scrape(app.adminUrl)).get('upstream_up');

describe('/health/ready', () => {
  it('reports the upstream as unknown until it has been checked', async () => {
    const { world } = await open();
    expect(await upstreamUp(world)).toBeUndefined();
    await expect.poll(() => ready(world)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    expect(await upstreamUp(world)).toBe(1);
  });

  it('returns 200 without waiting for an upstream that hangs, and checks it only once', async () => {
    const { world } = await open();
    const held = world.gate.hold(ME);
    for (let probe = 0; probe < 40; probe += 1) expect(await ready(world)).toEqual([200, { status: 'ok', upstream: 'unknown' }]);
    await held.arrived;
    expect(world.gate.sent(ME)).toBe(1);
  });

  it('causes one upstream call in ten seconds, however often it is requested', async () => {
    const { world, clock } = await open();
    await expect.poll(() => ready(world)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    for (let probe = 0; probe < 40; probe += 1) await ready(world);
    clock.now += 9_999;
    await ready(world);
    expect(world.gate.sent(ME)).toBe(1);
    clock.now += 1;
    expect(await ready(world)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    await expect.poll(() => world.gate.sent(ME)).toBe(2);
  });

  it('returns 200 while the upstream fails, and reports the failure', async () => {
    const { world, clock } = await open();
    world.sandbox.faults.add({ operation: ME, status: 500 });
    await expect.poll(() => ready(world)).toEqual([200, { status: 'ok', upstream: 'unavailable' }]);
    expect(await upstreamUp(world)).toBe(0);
    world.sandbox.faults.clear();
    clock.now += 10_000;
    await expect.poll(() => ready(world)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
  });

  it('forgets a result after five minutes', async () => {
    const { world, clock } = await open();
    await expect.poll(() => ready(world)).toEqual([200, { status: 'ok', upstream: 'ok' }]);
    clock.now += 300_000;
    world.gate.hold(ME);
    expect(await ready(world)).toEqual([200, { status: 'ok', upstream: 'unknown' }]);
    expect(await upstreamUp(world)).toBeUndefined();
  });

  it('returns 200 without the upstream, and doesn’t contain its address', async () => {
    const { world } = await open();
    await world.sandbox.close();
    await expect.poll(() => ready(world)).toEqual([200, { status: 'ok', upstream: 'unavailable' }]);
    expect(JSON.stringify(await ready(world))).not.toContain(new URL(world.sandbox.url).host);
    const { data, errors } = await postGraph(world.app.url, 'demo-owner', READ);
    expect({ data, code: errors?.[0]?.extensions.code }).toEqual({ data: { contacts: null }, code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('isn’t counted as a request to the upstream by the metrics until it has been checked', async () => {
    const { world } = await open();
    world.gate.hold(ME);
    await ready(world);
    expect(countsBy(seriesIn(await scrape(world.app.adminUrl)), 'upstream_request_duration_seconds_count', ['rpc_method'])).toEqual({});
  });
});

it('/health/live returns 200 and sends nothing', async () => {
  const { world } = await open();
  const response = await fetch(`${world.app.url}/health/live`);
  expect([response.status, await response.json(), world.gate.sent(ME)]).toEqual([200, { status: 'ok' }, 0]);
});
