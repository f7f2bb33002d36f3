import { expect, it } from 'vitest';
import { SEED, scaleCases } from '../../support/seeded.ts';
import { fuzz } from './fuzz.ts';

const REQUESTS = scaleCases(400);

it('fuzzing finds no internal error, leak, or crash', async () => {
  const { findings, unhandled, statuses, codes } = await fuzz({ requests: REQUESTS, seed: SEED });
  expect({ findings, unhandled }, `seed ${SEED}`).toEqual({ findings: [], unhandled: [] });
  // Some requests are valid, and some are invalid.
  expect(Math.min(statuses[200] ?? 0, statuses[400] ?? 0)).toBeGreaterThan(REQUESTS / 5);
  expect(Object.keys(codes).length).toBeGreaterThan(5);
});
