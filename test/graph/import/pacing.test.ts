import { expect, it, onTestFinished } from 'vitest';
import { openSandbox, post } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createFile, runImport } from './support.ts';

const LIMIT = 40;
const WINDOW_SECONDS = 60;
const ROWS = 120;

it('leaves the others of the same key their share of the rate limit in each window', async () => {
  const sandbox = await openSandbox({ rateLimit: { limit: LIMIT, windowSeconds: WINDOW_SECONDS } });
  onTestFinished(() => sandbox.close());
  // The time of keys, which is the real one.
  const start = Math.floor(Date.now() / 1_000);
  sandbox.now = start;
  const clock = new TestClock(0, start * 1_000);
  /** Ends at once, and advances the clocks of the import and the sandbox. */
  const wait = async (ms: number) => {
    clock.now += ms;
    sandbox.now = Math.floor(clock.now / 1_000);
  };
  const own = new Map<number, number>();
  const others = new Map<number, number>();
  const rejected: number[] = [];
  const count = (counts: Map<number, number>) => {
    const window = Math.floor((clock.now / 1_000 - start) / WINDOW_SECONDS);
    counts.set(window, (counts.get(window) ?? 0) + 1);
    return counts.get(window) ?? 0;
  };
  const transport = interceptCalls(async (request, usual) => {
    const calls = count(own);
    const response = await usual(request);
    if (response.status === 429) rejected.push(response.status);
    // Another user of the key, who sends calls once the import has used half of its share of the window.
    if (calls >= LIMIT / 4 && count(others) <= LIMIT / 4) {
      const { status } = await post(sandbox.url, 'demo-owner', 'Contact/ListContacts', {});
      if (status !== 200) rejected.push(status);
    }
    return response;
  });
  const file = createFile(`lastName\n${Array.from({ length: ROWS }, (_, index) => `Paced ${index}\n`).join('')}`);
  // Creates the ledger, which rejects keys that are older, before waits advance the clock.
  const { ledgerFile } = file;
  expect(
    await runImport(sandbox.url, { ...createFile('lastName\nFirst\n'), ledgerFile }, ['--mutation', 'contactCreate'], { clock }),
  ).toMatchObject({ code: 0 });
  const { code, err } = await runImport(sandbox.url, file, ['--mutation', 'contactCreate', '--share', '0.5'], { transport, clock, wait });
  expect([code, err, rejected]).toEqual([0, expect.stringContaining(`${ROWS} DONE`), []]);
  expect(own.size).toBeGreaterThan(3);
  // One more for the lookup of the key's scopes.
  for (const calls of own.values()) expect(calls).toBeLessThanOrEqual(LIMIT / 2 + 1);
});
