import { beforeAll, describe, expect, it } from 'vitest';
import {
  diversify,
  executeSearch,
  listRows,
  listSortFields,
  QUERY,
  SEARCHES,
  type SearchName,
  type SearchTraits,
  selectIndexFields,
  walk,
} from '../../graph/search/searches.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
beforeAll(() => diversify(testGraph.sandbox.world));

/** Number of records whose amounts the index doesn't have, so that they're read. */
const UNSETTLED: Readonly<Partial<Record<SearchName, number>>> = { orderSearch: 2, quoteSearch: 1 };

const toColumn = (field: string) => (field === 'EXPECTED_CLOSE_AT' ? 'expected_close_date' : field.toLowerCase());

/** IDs in list order, sorted by the sandbox's database. Rows without a value come last. */
function listIds({ table }: SearchTraits, field: string, direction: string): string[] {
  const column = toColumn(field);
  const order = `${column} IS NULL, ${column} ${direction}, created_at ${direction}, id ${direction}`;
  return listRows<{ id: string }>(testGraph.sandbox.world, table, `ORDER BY ${order}`).map(({ id }) => id);
}

describe.each(SEARCHES)('$name', (traits) => {
  const { name, get, recordField } = traits;
  const orders = listSortFields(traits).flatMap((field) => (['ASC', 'DESC'] as const).map((direction) => ({ field, direction })));

  it.each(orders)('returns all records page by page, sorted by $field $direction', async (orderBy) => {
    const expected = listIds(traits, orderBy.field, orderBy.direction);
    expect(expected.length).toBeGreaterThan(5);
    // Several pages of each search.
    const size = Math.ceil(expected.length / 4);
    for (const isForward of [true, false]) expect(await walk(testGraph, name, { orderBy }, { size, isForward })).toEqual(expected);
  });

  it('returns the newest records first by default', async () => {
    const { result, errors } = await executeSearch(testGraph, name, {}, 'nodes { rawId }');
    expect(errors).toBeUndefined();
    expect(result.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(listIds(traits, 'CREATED_AT', 'DESC').slice(0, 25));
  });

  it('returns in one call from the index what the record returns', async () => {
    const selection = selectIndexFields(traits);
    const options = { orderBy: { field: 'CREATED_AT', direction: 'ASC' }, first: 90 } as const;
    // The first page of an index is compared with its records.
    await executeSearch(testGraph, name, options, `nodes { id rawId ${selection} }`);
    const page = await executeSearch(testGraph, name, options, `nodes { id rawId ${selection} }`);
    const whole = await executeSearch(testGraph, name, options, `edges { node { ${recordField} id rawId ${selection} } }`);
    expect([page.errors, whole.errors]).toEqual([undefined, undefined]);
    expect(whole.result.edges.map(({ node }: { node: object }) => node)).toMatchObject(page.result.nodes);
    const count = (calls: readonly string[], operation: string) => calls.filter((call) => call === operation).length;
    expect([count(page.calls, QUERY), count(page.calls, get)]).toEqual([1, UNSETTLED[name] ?? 0]);
    expect([count(whole.calls, QUERY), count(whole.calls, get)]).toEqual([1, page.result.nodes.length]);
  });
});
