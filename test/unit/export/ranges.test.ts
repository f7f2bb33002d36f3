import { describe, expect, it } from 'vitest';
import { RequestError } from '../../../cli/bulk/graphResponse.ts';
import { createFirstPlace, type Page, type Place, type Range, readRanges } from '../../../cli/export/ranges.ts';
import { fc, scaleCases } from '../../support/seeded.ts';

interface TestRow {
  /** Unix seconds, with a fraction that only the index knows. */
  readonly at: number;
  readonly id: string;
}

const START = 1_700_000_000;
const DAY = 86_400;
const MAX_ROWS = 90;

const createId = (index: number) => `id ${String((index * 7_919) % 100_003).padStart(6, '0')}`;
const createRows = (times: readonly number[]): TestRow[] => times.map((at, index) => ({ at, id: createId(index) }));
const repeat = (count: number, at: number) => Array.from({ length: count }, () => at);
const byPosition = (one: TestRow, other: TestRow) => one.at - other.at || (one.id < other.id ? -1 : 1);
const toPage = (rows: readonly TestRow[], endCursor: string | null = null): Page<TestRow> => ({
  rows: rows.map((row) => ({ id: row.id, at: Math.floor(row.at), row, unavailable: [] })),
  endCursor,
  isTruncated: false,
});

/** A search over these rows. Records its requests, and the number of rows that the upstream would have to sort for each. */
class MemorySearch {
  readonly #rows: readonly TestRow[];
  readonly requests: Range[] = [];
  readonly matches: number[] = [];

  constructor(rows: readonly TestRow[]) {
    this.#rows = rows.toSorted(byPosition);
  }

  readonly read = async (range: Range, after: string | null): Promise<Page<TestRow>> => {
    const found = this.#rows.filter(({ at }) => at >= range.from && at < range.to);
    const start = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const page = found.slice(start, start + MAX_ROWS);
    this.requests.push(range);
    this.matches.push(found.length - start);
    return toPage(page, start + MAX_ROWS < found.length ? (page.at(-1)?.id ?? null) : null);
  };

  list(until: number): readonly TestRow[] {
    return this.#rows.filter(({ at }) => at < until);
  }
}

async function readAll(search: Pick<MemorySearch, 'read'>, until: number, place = createFirstPlace(START)) {
  const rows: TestRow[] = [];
  const places: { readonly place: Place; readonly count: number }[] = [];
  for await (const batch of readRanges(search.read, until, place, true)) {
    rows.push(...batch.rows);
    places.push({ place: batch.place, count: rows.length });
  }
  return { rows, places };
}

const createTimeout = () => new RequestError({ message: 'The upstream didn’t respond.', extensions: { code: 'UPSTREAM_TIMEOUT' } });

describe('readRanges', () => {
  it('leaves out rows from `until` on', async () => {
    const search = new MemorySearch(createRows([START, START + 9, START + 9.5, START + 10, START + 11]));
    const { rows } = await readAll(search, START + 10);
    expect(rows.map(({ at }) => at)).toEqual([START, START + 9, START + 9.5]);
  });

  it('reads nothing from an empty index', async () => {
    expect(await readAll(new MemorySearch([]), START)).toEqual({ rows: [], places: [] });
  });

  it('crosses a gap of two years in a few requests', async () => {
    const later = START + 730 * DAY;
    const search = new MemorySearch(createRows([START, later]));
    expect((await readAll(search, later + DAY)).rows).toHaveLength(2);
    expect(search.requests.length).toBeLessThan(15);
  });

  it('continues a range with many rows by shorter ones', async () => {
    // A quiet month, then 50,000 rows within 139 minutes.
    const search = new MemorySearch(
      createRows([START, ...Array.from({ length: 50_000 }, (_, at) => START + 30 * DAY + Math.floor(at / 6))]),
    );
    expect((await readAll(search, START + 40 * DAY)).rows).toEqual(search.list(START + 40 * DAY));
    // The range that leads to them has all of them, up to the first shorter one.
    expect(search.matches.filter((count) => count > 20_000).length).toBeLessThan(70);
    expect(search.requests.length).toBeLessThan(600);
  });

  it('shortens a range in which the upstream times out', async () => {
    const search = new MemorySearch(createRows(Array.from({ length: 3_000 }, (_, at) => START + Math.floor(at / 2))));
    let timeouts = 0;
    const read = async (range: Range, after: string | null) => {
      const page = await search.read(range, after);
      if ((search.matches.at(-1) ?? 0) <= 500) return page;
      timeouts += 1;
      throw createTimeout();
    };
    expect((await readAll({ read }, START + DAY)).rows).toEqual(search.list(START + DAY));
    expect(timeouts).toBeGreaterThan(2);
    await expect(readAll({ read: async () => Promise.reject(createTimeout()) }, START + DAY)).rejects.toThrow('didn’t respond');
  });

  it('reads the remaining rows from the place after any batch, also of version 0.2.0', async () => {
    const times = fc.array(fc.tuple(fc.nat({ max: 40_000 }), fc.constantFrom(1, 1, 1, 60, 160)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(times, fc.boolean(), async (bursts, hasFractions) => {
        const search = new MemorySearch(
          createRows(bursts.flatMap(([at, count]) => repeat(count, START + at + (hasFractions && at % 3 ? 0.25 : 0)))),
        );
        const until = START + 40_000;
        const { rows: found, places } = await readAll(search, until);
        expect(found).toEqual(search.list(until));
        for (const { place, count } of places) {
          // As after a restart, which reads the place from JSON.
          const { ids, ...released } = JSON.parse(JSON.stringify(place)) as Place;
          for (const each of hasFractions ? [{ ...released, ids }] : [{ ...released, ids }, released])
            expect((await readAll(search, until, each as Place)).rows).toEqual(found.slice(count));
        }
      }),
      { numRuns: scaleCases(20) },
    );
  });

  it.each([
    ['swapped rows', [START + 2, START + 1]],
    ['a row before the range', [START - 1]],
    ['a row after the range', [START + DAY]],
  ])('rejects %s', async (_, times) => {
    const read = async () => toPage(createRows(times));
    await expect(readAll({ read }, START + 100)).rejects.toThrow('aren’t sorted by their timestamps, or aren’t in the time range');
  });

  it('rejects rows that were left out because of equal timestamps, and leaves out repeated ones', async () => {
    const rows = createRows([START + 5]);
    const truncated = async () => ({ ...toPage(rows), isTruncated: true });
    await expect(readAll({ read: truncated }, START + 100)).rejects.toThrow('More rows have the timestamp 2023-11-14T22:13:25.000Z');
    expect((await readAll({ read: async () => toPage([...rows, ...rows]) }, START + 100)).rows).toEqual(rows);
  });
});
