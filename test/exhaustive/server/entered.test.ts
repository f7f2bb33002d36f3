import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Files and functions that a request may enter. Lower them whenever a change allows it. */
const CEILINGS = {
  'customer → orders(10) → lines → product': [95, 496],
  quoteConfirm: [95, 480],
};

it('enters no more files and functions per request than before', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/check/entered.ts']);
  const entered = Array.from(stdout.matchAll(/^(.+): (\d+) files, (\d+) functions$/gm), ([, name = '', files, functions]) => ({
    name,
    counts: [Number(files), Number(functions)],
  }));
  expect(entered.map(({ name }) => name)).toEqual(Object.keys(CEILINGS));
  for (const { name, counts } of entered) {
    const [maxFiles = 0, maxFunctions = 0] = CEILINGS[name as keyof typeof CEILINGS];
    expect(counts[0], `${name}: files`).toBeLessThanOrEqual(maxFiles);
    expect(counts[1], `${name}: functions`).toBeLessThanOrEqual(maxFunctions);
  }
}, 120_000);
