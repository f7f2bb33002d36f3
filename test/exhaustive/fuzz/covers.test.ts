import { expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { QueryGenerator } from '../../support/randomQueries.ts';
import { cases, fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

/** Calls that a list may cost above gets while it is learned, by the lists that cover any. */
const MOST_LOST = 2 * new Set(operations.flatMap(({ cover }) => cover?.list ?? [])).size;

/** Fields that lead to many records which lists show whole. */
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
// Few enough products and contacts for gets to be dearer, and many edges to them.
const covered = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '100000' } });
const plain = useTestGraph({}, undefined, { env: { UPSTREAM_CALLS_PER_REQUEST: '100000', LIST_BATCHING: 'off' } });

it('documents are answered with and without covers alike, and covers take few calls more at most', { timeout: LONG_TEST_MS }, async () => {
  let sparing = 0;
  const alike = fc.asyncProperty(fc.gen(), async (any) => {
    const author = new QueryGenerator(schema, any, ROOTS);
    const source = author.generate(2 + any(fc.nat, { max: 4 }));
    const { variables } = author;
    const told = `${source}\n${JSON.stringify(variables)}`;
    const [own, ownCalls] = await covered.recordCalls(() => covered.execute(source, variables));
    const [other, otherCalls] = await plain.recordCalls(() => plain.execute(source, variables));
    expect([own.data, own.errors], told).toEqual([other.data, other.errors]);
    expect(ownCalls.length - otherCalls.length, told).toBeLessThanOrEqual(MOST_LOST);
    if (ownCalls.length < otherCalls.length) sparing += 1;
  });
  await fc.assert(alike, { numRuns: cases(100) });
  // Else the lists were never used, and nothing was compared.
  expect(sparing).toBeGreaterThan(0);
});
