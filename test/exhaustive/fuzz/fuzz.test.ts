import { expect, it } from 'vitest';
import { cases, SEED } from '../../support/seeded.ts';
import { fuzz } from './fuzz.ts';

const REQUESTS = cases(400);

it('hostile requests find no failure, no leak and no crash', async () => {
  const { findings, unhandled, statuses, codes } = await fuzz({ requests: REQUESTS, seed: SEED });
  expect({ findings, unhandled }, `seed ${SEED}`).toEqual({ findings: [], unhandled: [] });
  // Not all of it is refused at the door, and not all of it is harmless.
  expect(Math.min(statuses[200] ?? 0, statuses[400] ?? 0)).toBeGreaterThan(REQUESTS / 5);
  expect(Object.keys(codes).length).toBeGreaterThan(5);
});
