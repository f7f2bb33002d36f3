import { beforeAll, describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { Random } from '../../../sandbox/kernel/random.ts';
import { diversify, executeSearch, SEARCHES } from '../../graph/search/searches.ts';
import {
  CUSTOMER_TEXTS,
  containsText,
  isFoundCustomer,
  listCustomers,
  listSearched,
  type SearchedRow,
} from '../../graph/search/textModel.ts';
import { SEED, scaleCases } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph({ sizes: FULL });
beforeAll(() => diversify(testGraph.sandbox.world));

/** Number of customers that `query` finds by the upstream's own search. */
const MAX_CUSTOMERS = 100;

/** Texts that match many records, or have a meaning in SQL. */
const SPECIAL = ['air', 'a', 'o', '@', '.com', '-00', '+', '%', '_', "'", '\\', ' ', 'é', 'İ'];

/** A part of a text of a row or of its customers, in any case. */
function createText(random: Random, rows: readonly SearchedRow[]): string {
  if (random.nextBoolean(0.1)) return random.pick(SPECIAL);
  const { texts, customers } = random.pick(rows);
  const known = [...texts, ...customers.flatMap((customer) => CUSTOMER_TEXTS.map((column) => customer[column]))];
  const text = random.pick(known.filter((each): each is string => typeof each === 'string' && each !== ''));
  const start = random.nextInteger(0, text.length - 1);
  const part = text.slice(start, start + random.pick([1, 2, 3, 4, 6, 12, 100]));
  return random.pick([part, part.toUpperCase(), part.toLowerCase(), `${part}x`]);
}

describe.each(SEARCHES)('$name', (traits) => {
  it('finds by random texts the records whose texts in the index match, and those of up to 100 customers', async () => {
    const random = new Random(SEED);
    const { world } = testGraph.sandbox;
    const [rows, customers] = [listSearched(world, traits), listCustomers(world)];
    const truncated = { count: 0, byIndex: 0 };
    for (let index = 0; index < scaleCases(20); index += 1) {
      const query = createText(random, rows);
      if (query.trim() === '') continue;
      const matching = customers.filter((customer) => isFoundCustomer(customer, query));
      const found = new Set(matching.slice(0, MAX_CUSTOMERS).map(({ id }) => id));
      const isFound = ({ customers: referred }: SearchedRow) => referred.some(({ id }) => found.has(id ?? ''));
      const isIndexed = ({ texts }: SearchedRow) => texts.some((text) => containsText(text, query));
      const expected = rows.filter((row) => isIndexed(row) || isFound(row));
      const isTruncated = matching.length > MAX_CUSTOMERS;
      const selection = 'totalCount isTruncated nodes { rawId }';
      const { result, errors } = await executeSearch(testGraph, traits.name, { query, first: 100 }, selection);
      expect(errors, query).toBeUndefined();
      expect([query, result]).toEqual([
        query,
        { totalCount: expected.length, isTruncated, nodes: expected.slice(0, 100).map(({ id }) => ({ rawId: id })) },
      ]);
      if (!isTruncated) continue;
      truncated.count += 1;
      if (rows.some((row) => isIndexed(row) && !isFound(row))) truncated.byIndex += 1;
    }
    // Otherwise, nothing would show that the index is searched even if the customers are cut off.
    expect([truncated.count > 0, truncated.byIndex > 0]).toEqual([true, true]);
  });
});
