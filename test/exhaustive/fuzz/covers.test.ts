import { expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { QueryGenerator } from '../../support/randomQueries.ts';
import { fc, scaleCases } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

/** Maximum number of additional calls per document: two for each covering list. */
const MAX_ADDITIONAL_CALLS = 2 * new Set(operations.flatMap(({ cover }) => cover?.list ?? [])).size;

/** Fields that lead to many records with covering lists. */
const ROOTS = [
  'appointments',
  'contacts',
  'customers',
  'discounts',
  'inventoryBackorders',
  'inventoryTransfers',
  'members',
  'portfolios',
  'products',
  'quote',
  'teams',
  '_entities',
];

const { schema } = createGraph();
// The demo data has few products and contacts, with many references to them, so that lists are cheaper than gets.
const batching = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '100000' } });
const plain = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '100000', LIST_BATCHING: 'off' } });

it('returns the same results with and without list batching, with only a few additional calls', { timeout: LONG_TEST_MS }, async () => {
  let savingDocuments = 0;
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const author = new QueryGenerator(schema, generate, ROOTS);
    const source = author.generate(2 + generate(fc.nat, { max: 4 }));
    const { variables } = author;
    const description = `${source}\n${JSON.stringify(variables)}`;
    const [own, ownCalls] = await batching.recordCalls(() => batching.execute(source, variables));
    const [other, otherCalls] = await plain.recordCalls(() => plain.execute(source, variables));
    expect([own.data, own.errors], description).toEqual([other.data, other.errors]);
    expect(ownCalls.length - otherCalls.length, description).toBeLessThanOrEqual(MAX_ADDITIONAL_CALLS);
    if (ownCalls.length < otherCalls.length) savingDocuments += 1;
  });
  await fc.assert(property, { numRuns: scaleCases(100) });
  // Otherwise, the lists were never used, and nothing was compared.
  expect(savingDocuments).toBeGreaterThan(0);
});
