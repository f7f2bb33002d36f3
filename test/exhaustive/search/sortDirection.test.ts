import { describe, expect, it } from 'vitest';
import { createSortOptions, sortCases, walkSearch } from '../../support/searchWalk.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const typed = useTestGraph();
const sql = useTestGraph({}, undefined, createSortOptions('SQL'));
const ascending = useTestGraph({}, undefined, createSortOptions('ASCENDING'));

/** More pages than any list has. */
const ALL = [100, 40] as const;

describe.each(sortCases)('%s by %s', (search, field) => {
  it.each(['ASC', 'DESC'])('returns the same pages as typed queries with any sortDirection: %s', async (direction) => {
    const orderBy = `{ field: ${field}, direction: ${direction} }`;
    for (const isBackward of [false, true]) {
      const expected = await walkSearch(typed, search, orderBy, isBackward, ALL);
      expect(expected.length).toBeGreaterThan(0);
      expect(await walkSearch(sql, search, orderBy, isBackward, ALL)).toEqual(expected);
      const canAscend = (direction === 'ASC') !== isBackward;
      if (canAscend) expect(await walkSearch(ascending, search, orderBy, isBackward, ALL)).toEqual(expected);
    }
  });
});
