import { describe, expect, it } from 'vitest';
import { queryArb } from '../../sandbox/analytics/oracle/queries.ts';
import { useOracle } from '../../sandbox/analytics/oracle/useOracle.ts';
import { worldArb } from '../../sandbox/analytics/oracle/worlds.ts';
import { fc, SEED, scaleCases } from '../../support/seeded.ts';

const WORLDS = 20;
const QUERIES_PER_WORLD = scaleCases(75);

const oracle = useOracle();

describe('typed query', () => {
  it.for(fc.sample(worldArb, { numRuns: WORLDS, seed: SEED }).map((world, index) => [index, world] as const))(
    'returns the same result as an independent evaluator, in world %i',
    async ([index, world]) => {
      const situation = oracle.enter(world);
      const property = fc.asyncProperty(queryArb(situation.records), async (query) => {
        const { answered: actual, expected } = await oracle.both(situation, query);
        expect(actual).toEqual(expected);
      });
      await fc.assert(property, { numRuns: QUERIES_PER_WORLD, seed: SEED + index });
    },
  );
});
