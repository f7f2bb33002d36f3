import { describe, expect, it } from 'vitest';
import { queryArb } from '../../sandbox/analytics/oracle/queries.ts';
import { useOracle } from '../../sandbox/analytics/oracle/useOracle.ts';
import { worldArb } from '../../sandbox/analytics/oracle/worlds.ts';
import { fc, SEED } from '../../support/seeded.ts';

/** All of them take half a minute. */
const QUERIES = 5_000;
const WORLDS = 20;

const oracle = useOracle();

describe('a typed query', () => {
  it.for(fc.sample(worldArb, { numRuns: WORLDS, seed: SEED }).map((world, index) => [index, world] as const))(
    'is answered as an independent evaluator answers it, in world %i',
    async ([index, world]) => {
      const situation = oracle.enter(world);
      const property = fc.asyncProperty(queryArb(situation.records), async (query) => {
        const { answered, expected } = await oracle.both(situation, query);
        expect(answered).toEqual(expected);
      });
      await fc.assert(property, { numRuns: Math.ceil(QUERIES / WORLDS), seed: SEED + index });
    },
  );
});
