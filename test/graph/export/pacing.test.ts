import { describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox, post, START } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { addOrders, createOut, readRows, runExport } from '../../support/exports.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';

const LIMIT = 20;
const WINDOW_SECONDS = 60;
const ROWS = 2_500;
const ORDERS = ['orders', '--columns', 'id'];

async function openLargeSandbox(limit: number) {
  const sandbox = await openSandbox({ rateLimit: { limit, windowSeconds: WINDOW_SECONDS } });
  onTestFinished(() => sandbox.close());
  addOrders(sandbox.world, ROWS, `${START - 1_000_000} + n * 10`);
  const clock = new TestClock(0, START * 1_000);
  /** Ends at once, and advances the clocks of the export and the sandbox. */
  const wait = async (ms: number) => {
    clock.now += ms;
    sandbox.now = Math.floor(clock.now / 1_000);
  };
  return { sandbox, clock, wait };
}

describe('export with a share of the rate limit', () => {
  it('leaves the others of the same key their share in each window', async () => {
    const { sandbox, clock, wait } = await openLargeSandbox(LIMIT);
    const own = new Map<number, number>();
    const others = new Map<number, number>();
    const rejected: number[] = [];
    const count = (counts: Map<number, number>) => {
      const window = Math.floor((clock.now / 1_000 - START) / WINDOW_SECONDS);
      counts.set(window, (counts.get(window) ?? 0) + 1);
      return counts.get(window) ?? 0;
    };
    const transport = interceptCalls(async (request, usual) => {
      const calls = count(own);
      const response = await usual(request);
      if (response.status === 429) rejected.push(response.status);
      // Another user of the key, who sends calls once the export has used its share of the window.
      if (calls >= LIMIT / 2 && count(others) <= 5) {
        rejected.push(...[(await post(sandbox.url, 'demo-owner', 'Contact/ListContacts', {})).status].filter((status) => status !== 200));
      }
      return response;
    });
    const out = createOut();
    const { code, err } = await runExport(sandbox.url, [...ORDERS, '--share', '0.5', '--out', out], {
      transport,
      clock,
      wait,
    });
    expect([code, err]).toEqual([0, expect.stringContaining('0 retries')]);
    expect(rejected).toEqual([]);
    expect(readRows(out).length).toBeGreaterThan(ROWS);
    expect(own.size).toBeGreaterThan(2);
    // One more for the lookup of the key's scopes.
    for (const calls of own.values()) expect(calls).toBeLessThanOrEqual(LIMIT / 2 + 1);
  });

  it('sends two calls per second if the upstream reports no rate limit, and says so', async () => {
    const { sandbox } = await openLargeSandbox(1_000);
    const transport = interceptCalls(async (request, usual) => {
      const { headers, ...response } = await usual(request);
      return { ...response, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('ratelimit'))) };
    });
    const where = ['--where', `createdAt: { gte: "${new Date((START - 999_000) * 1_000).toISOString()}" }`];
    const { code, err, waits } = await runExport(sandbox.url, [...ORDERS, ...where, '--out', createOut()], { transport });
    expect([code, err]).toEqual([0, expect.stringContaining('at most 2 calls per second')]);
    expect(waits.length).toBeGreaterThan(5);
    expect(new Set(waits)).toEqual(new Set([500]));
  });
});
