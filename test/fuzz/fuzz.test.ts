import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

const REQUESTS = 400;
/** Both far above what is seen: other tests run at the same time, and what is remembered takes room. */
const MAX_SLOWDOWN = 5;
const MAX_HEAP_GROWTH_MB = 300;

it('hostile requests find no failure, no leak and no crash, and leave the server as it was', { timeout: 120_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 30);
  const { findings, unhandled, slowdown, heapGrowthMb, statuses, codes } = await fuzz({ requests: REQUESTS, seed });
  expect({ findings, unhandled }, `seed ${seed}`).toEqual({ findings: [], unhandled: [] });
  expect(slowdown).toBeLessThan(MAX_SLOWDOWN);
  expect(heapGrowthMb).toBeLessThan(MAX_HEAP_GROWTH_MB);
  // Not all of it is refused at the door, and not all of it is harmless.
  expect(Math.min(statuses[200] ?? 0, statuses[400] ?? 0)).toBeGreaterThan(REQUESTS / 5);
  expect(Object.keys(codes).length).toBeGreaterThan(5);
});
