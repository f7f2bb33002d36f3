import { describe, expect, it } from 'vitest';
import { createFirstPlace, type Place, type RangePage, type RangeQuery, readRanges } from '../../../src/export/ranges.ts';
import { UpstreamTimeoutError } from '../../../src/failures/failures.ts';
import { floorSeconds, type Instant, isBefore } from '../../../src/lib/instant.ts';
import { compareIds } from '../../../src/schema/search/keyset.ts';
import { fc, scaleCases } from '../../support/seeded.ts';

interface TestRow {
  readonly at: Instant;
  readonly id: string;
}

const START = 1_700_000_000;
const DAY = 86_400;
const MAX_ROWS = 100;

const createId = (index: number) => `id ${String((index * 7_919) % 100_003).padStart(6, '0')}`;
const createRows = (times: readonly (number | string)[]): TestRow[] => times.map((at, index) => ({ at: String(at), id: createId(index) }));
const repeat = (count: number, at: number | string) => Array.from({ length: count }, () => at);

const byPosition = (one: TestRow, other: TestRow) => {
  if (one.at === other.at) return compareIds(one.id, other.id);
  return isBefore(one.at, other.at) ? -1 : 1;
};

/** An upstream with these rows. Records its queries, and the number of rows that it would have to sort for each. */
class MemoryIndex {
  readonly #rows: readonly TestRow[];
  readonly queries: RangeQuery[] = [];
  readonly matches: number[] = [];

  constructor(rows: readonly TestRow[]) {
    this.#rows = rows.toSorted(byPosition);
  }

  readonly read = async (query: RangeQuery): Promise<RangePage<TestRow>> => {
    const { start, end, excluded } = query;
    const found = this.#rows.filter(({ at, id }) => !isBefore(at, start) && floorSeconds(at) < end && !excluded.includes(id));
    this.queries.push(query);
    this.matches.push(found.length);
    return { rows: found.slice(0, MAX_ROWS).map((row) => ({ ...row, row })), isTruncated: found.length > MAX_ROWS };
  };

  list(until: number): readonly TestRow[] {
    return this.#rows.filter(({ at }) => floorSeconds(at) < until);
  }
}

async function readAll(index: Pick<MemoryIndex, 'read'>, until: number, place = createFirstPlace(START)) {
  const rows: TestRow[] = [];
  const places: { readonly place: Place; readonly count: number }[] = [];
  for await (const batch of readRanges(index.read, until, place)) {
    rows.push(...batch.rows);
    places.push({ place: batch.place, count: rows.length });
  }
  return { rows, places };
}

describe('readRanges', () => {
  it.each([100, 300, 501])('reads %s rows with the same timestamp, and those around them', async (count) => {
    const index = new MemoryIndex(createRows([...repeat(30, START + 4), ...repeat(count, START + 5), ...repeat(40, START + 6)]));
    expect((await readAll(index, START + DAY)).rows).toEqual(index.list(START + DAY));
    for (const { excluded } of index.queries) expect(excluded.length).toBeLessThanOrEqual(500);
  });

  it('rejects more rows with the same timestamp than can be excluded', async () => {
    const index = new MemoryIndex(createRows([START, ...repeat(700, START + 5)]));
    await expect(readAll(index, START + DAY)).rejects.toThrow('More than 500 rows have the timestamp 2023-11-14T22:13:25Z');
  });

  it('leaves out rows from `until` on', async () => {
    const index = new MemoryIndex(createRows([START, START + 9, `${START + 9}.5`, START + 10, START + 11]));
    const { rows } = await readAll(index, START + 10);
    expect(rows.map(({ at }) => at)).toEqual([String(START), String(START + 9), `${START + 9}.5`]);
  });

  it('reads nothing from an empty index', async () => {
    expect(await readAll(new MemoryIndex([]), START)).toEqual({ rows: [], places: [] });
  });

  it('crosses a gap of two years in a few queries', async () => {
    const later = START + 730 * DAY;
    const index = new MemoryIndex(createRows([START, later]));
    expect((await readAll(index, later + DAY)).rows).toHaveLength(2);
    expect(index.queries.length).toBeLessThan(15);
  });

  it('continues a range with many rows by shorter ones', async () => {
    // A quiet month, then 6,000 rows within a quarter of an hour.
    const index = new MemoryIndex(createRows([START, ...Array.from({ length: 6_000 }, (_, at) => START + 30 * DAY + Math.floor(at / 6))]));
    expect((await readAll(index, START + 40 * DAY)).rows).toEqual(index.list(START + 40 * DAY));
    // The range that leads to them has all of them, up to the first shorter one.
    expect(index.matches.filter((count) => count > 3_000).length).toBeLessThan(25);
    expect(index.queries.length).toBeLessThan(100);
  });

  it('shortens a range in which the upstream times out', async () => {
    const index = new MemoryIndex(createRows(Array.from({ length: 3_000 }, (_, at) => START + Math.floor(at / 2))));
    let timeouts = 0;
    const read = async (query: RangeQuery) => {
      const page = await index.read(query);
      if ((index.matches.at(-1) ?? 0) <= 500) return page;
      timeouts += 1;
      throw new UpstreamTimeoutError(15_000);
    };
    expect((await readAll({ read }, START + DAY)).rows).toEqual(index.list(START + DAY));
    expect(timeouts).toBeGreaterThan(2);
    const always = async () => Promise.reject(new UpstreamTimeoutError(15_000));
    await expect(readAll({ read: always }, START + DAY)).rejects.toThrow('didn’t respond');
  });

  it('reads the remaining rows from the place after any batch', async () => {
    const times = fc.array(fc.tuple(fc.nat({ max: 40_000 }), fc.constantFrom(1, 1, 1, 60, 160)), { maxLength: 40 });
    const cases = times.map((bursts) =>
      createRows(bursts.flatMap(([at, count]) => repeat(count, at % 3 === 0 ? `${START + at}.25` : START + at))),
    );
    await fc.assert(
      fc.asyncProperty(cases, async (rows) => {
        const index = new MemoryIndex(rows);
        const until = START + 40_000;
        const { rows: found, places } = await readAll(index, until);
        expect(found).toEqual(index.list(until));
        for (const { place, count } of places) {
          // As after a restart, which reads the place from JSON.
          const rest = await readAll(index, until, JSON.parse(JSON.stringify(place)) as Place);
          expect(rest.rows).toEqual(found.slice(count));
        }
      }),
      { numRuns: scaleCases(20) },
    );
  });

  it.each([
    ['swapped rows', [START + 2, START + 1], 'aren’t sorted'],
    ['a row before the range', [START - 1], 'outside of its time range'],
    ['a row after the range', [START + DAY], 'outside of its time range'],
  ])('rejects %s', async (_, times, message) => {
    const rows = createRows(times);
    const read = async () => ({ rows: rows.map((row) => ({ ...row, row })), isTruncated: false });
    await expect(readAll({ read }, START + 100)).rejects.toThrow(message);
  });

  it('rejects repeated rows, and pages without rows that report more', async () => {
    const [row] = createRows([START]);
    const repeated = async () => ({ rows: [row, row].map((each) => ({ ...(each as TestRow), row: each as TestRow })), isTruncated: false });
    await expect(readAll({ read: repeated }, START + 100)).rejects.toThrow('repeated');
    await expect(readAll({ read: async () => ({ rows: [], isTruncated: true }) }, START + 100)).rejects.toThrow(
      'no rows, but reports more',
    );
  });
});
