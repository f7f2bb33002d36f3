import type { GraphQLInputField } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import { type Filter, listFilterFields, Model } from '../../graph/search/model.ts';
import { diversify, executeSearch, SEARCHES, type SearchTraits } from '../../graph/search/searches.ts';
import { SEED, scaleCases } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
// Reading all records takes far longer than a search, and no test changes any.
let model: Model;
beforeAll(() => {
  diversify(testGraph.sandbox.world);
  model = new Model(testGraph.sandbox.world);
});

/** Compares the first page and the number of matches with those of the model. Returns the number of matches. */
async function compareWithModel(traits: SearchTraits, filter: Filter): Promise<number> {
  const { result, errors } = await executeSearch(testGraph, traits.name, { filter, first: 100 }, 'totalCount nodes { rawId }');
  expect(errors, JSON.stringify(filter)).toBeUndefined();
  const expected = model.search(traits, filter).map(({ id }) => id);
  const found = result.nodes.map(({ rawId }: { rawId: string }) => rawId);
  expect([result.totalCount, found], JSON.stringify(filter)).toEqual([expected.length, expected.slice(0, 100)]);
  return expected.length;
}

describe.each(SEARCHES)('$name', (traits) => {
  it.each(listFilterFields(traits).map(({ name }) => name))('filters by %s', async (name) => {
    const random = new Random(SEED);
    const field = listFilterFields(traits).find((each) => each.name === name) as GraphQLInputField;
    const conditions = model.listConditions(traits, field, (count) => random.nextInteger(0, count - 1));
    const counts: number[] = [];
    for (const condition of conditions) counts.push(await compareWithModel(traits, { [name]: condition }));
    // Otherwise the filter might be ignored.
    expect(new Set([...counts, model.list(traits).length]).size).toBeGreaterThan(1);
  });

  it('combines random filters with AND and OR, over up to two relationships', async () => {
    const random = new Random(SEED);
    for (let index = 0; index < scaleCases(15); index += 1) await compareWithModel(traits, model.createFilter(traits, random, 1));
  });
});
