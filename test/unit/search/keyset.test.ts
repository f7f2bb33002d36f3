import { describe, expect, it } from 'vitest';
import { QueryTooExpensiveError } from '../../../src/failures/failures.ts';
import { encodeCursor } from '../../../src/schema/paging/cursors.ts';
import type { WindowArgs } from '../../../src/schema/paging/window.ts';
import type { Direction, Segment } from '../../../src/schema/search/keyset.ts';
import { fc, scaleCases } from '../../support/seeded.ts';
import {
  type Cells,
  createComparator,
  createList,
  createRow,
  FINGERPRINT,
  MemoryIndex,
  type MemoryRow,
  ORDERS,
  type OrderName,
  readPage,
} from './memoryIndex.ts';

const RUNS = 100;

const second = fc
  .oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 3 }) })
  .map((seconds) => `2026-03-02T09:00:0${seconds}Z`);
const maybeNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });

const cells: fc.Arbitrary<Cells> = fc.record({
  created: second,
  updated: second,
  canceled: maybeNull(second),
  size: fc.integer({ min: -11, max: 11 }).map(String),
  status: fc.constantFrom('OPEN', 'DONE', 'ARCHIVED', 'DELETED'),
});

/** IDs that UTF-16 code units and code points sort differently, and characters that JSON and URLs escape. */
const id = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '~', '"', 'é', '\uff21', '😀'), minLength: 1, maxLength: 4 });

/** A row that changes: it's present with these cells, or absent. */
interface Change {
  readonly row: number;
  readonly cells: Cells | null;
}

interface List {
  readonly order: OrderName;
  readonly direction: Direction;
  /** Rows that never change. */
  readonly stable: readonly MemoryRow[];
  readonly volatileIds: readonly string[];
  readonly maxRows: number;
}

const list: fc.Arbitrary<List> = fc
  .record({
    order: fc.constantFrom(...(Object.keys(ORDERS) as OrderName[])),
    direction: fc.constantFrom<Direction>('ASC', 'DESC'),
    rows: fc.uniqueArray(fc.tuple(id, cells), { selector: ([each]) => each, maxLength: 40 }),
    volatileIds: fc.uniqueArray(id, { maxLength: 12 }),
    maxRows: fc.oneof(fc.integer({ min: 2, max: 9 }), fc.constant(100)),
  })
  .map(({ rows, volatileIds, ...rest }) => ({
    ...rest,
    stable: rows.filter(([each]) => !volatileIds.includes(each)).map(([each, own]) => createRow(each, own)),
    volatileIds,
  }));

const change: fc.Arbitrary<Change> = fc.record({ row: fc.nat({ max: 11 }), cells: maybeNull(cells) });
/** Changes before each execution, until there are no more. */
const changes = fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 40 });

const size = fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 6 }) }, { weight: 1, arbitrary: fc.nat({ max: 100 }) });
const steps = fc.array(fc.record({ isForward: fc.boolean(), size }), { minLength: 1, maxLength: 12 });

function openIndex({ stable, volatileIds, maxRows }: List, pending: readonly (readonly Change[])[]): MemoryIndex {
  const index = new MemoryIndex(stable);
  index.maxRows = maxRows;
  const waiting = [...pending];
  const apply = (applied: readonly Change[] = []) => {
    for (const { row, cells: own } of applied) {
      const changed = volatileIds[row];
      if (changed === undefined) continue;
      if (own) index.rows.set(changed, createRow(changed, own));
      else index.rows.delete(changed);
    }
  };
  index.onExecute = () => apply(waiting.shift());
  // Volatile rows exist before the first page.
  apply(waiting.shift());
  return index;
}

/** An end of a page: its row as it was read, with its cursor. */
interface PageEnd {
  readonly row: MemoryRow;
  readonly cursor: string;
}

/** Reads one page after another, from either end of the page before. Checks each page against the rows that never change. */
class Walker {
  readonly #list: List;
  readonly #index: MemoryIndex;
  readonly #compare: (one: MemoryRow, other: MemoryRow) => number;
  readonly #nextBudget: () => number;
  start: PageEnd | undefined;
  end: PageEnd | undefined;

  constructor(list: List, index: MemoryIndex, nextBudget = () => Number.POSITIVE_INFINITY) {
    this.#list = list;
    this.#index = index;
    this.#compare = createComparator(list.order, list.direction);
    this.#nextBudget = nextBudget;
  }

  #getStableRows(): readonly MemoryRow[] {
    return this.#list.stable.toSorted(this.#compare);
  }

  /** Returns whether there are more rows in this direction, and the rows of the page. */
  async read(isForward: boolean, pageSize: number): Promise<{ readonly hasMore: boolean; readonly rows: readonly MemoryRow[] }> {
    const from = isForward ? this.end : this.start;
    const args: WindowArgs = isForward ? { first: pageSize, after: from?.cursor } : { last: pageSize, before: from?.cursor };
    const segments = ORDERS[this.#list.order].createSegments(this.#list.direction);
    const page = await this.#readPage(args, segments);
    const { rows, offsets } = page;
    const hasMore = isForward ? page.hasNextPage : page.hasPreviousPage;
    expect(isForward ? page.hasPreviousPage : page.hasNextPage).toBe(from !== undefined);
    expect(page.isTruncated).toBe(false);
    expect(rows.length).toBeLessThanOrEqual(pageSize);
    this.#checkRows(rows, isForward, from, hasMore);
    const ends = rows.map((row, position) => ({ row, cursor: encodeCursor(offsets[position] as string, FINGERPRINT) }));
    if (ends.length > 0) [this.start, this.end] = [ends[0], ends.at(-1)];
    return { hasMore, rows };
  }

  /** Reads a page again with the maximum of rows and executions if there weren't enough for its first row. */
  async #readPage(args: WindowArgs, segments: readonly Segment[]) {
    try {
      return await readPage(args, createList(this.#index, segments, this.#nextBudget()));
    } catch (error) {
      expect(error).toBeInstanceOf(QueryTooExpensiveError);
      const { maxRows } = this.#index;
      this.#index.maxRows = 100;
      const page = await readPage(args, createList(this.#index, segments));
      this.#index.maxRows = maxRows;
      return page;
    }
  }

  /** The page is sorted, and has exactly the stable rows between the cursor and its other end, or the end of the list. */
  #checkRows(rows: readonly MemoryRow[], isForward: boolean, from: PageEnd | undefined, hasMore: boolean): void {
    for (const [position, row] of rows.slice(1).entries()) expect(this.#compare(rows[position] as MemoryRow, row)).toBeLessThan(0);
    const until = isForward ? rows.at(-1) : rows[0];
    const sign = isForward ? 1 : -1;
    const isBehind = (row: MemoryRow, other: MemoryRow | undefined) => other === undefined || sign * this.#compare(other, row) < 0;
    const isUntil = (row: MemoryRow) => !hasMore || (until !== undefined && !isBehind(row, until));
    const expected = this.#getStableRows().filter((row) => isBehind(row, from?.row) && isUntil(row));
    const volatileIds = new Set(this.#list.volatileIds);
    expect(rows.filter((row) => !volatileIds.has(row.id)).map((row) => row.id)).toEqual(expected.map((row) => row.id));
  }
}

/** Reads all pages in one direction. Returns the IDs in list order. */
async function walk(walker: Walker, isForward: boolean, sizes: readonly number[]): Promise<readonly string[]> {
  const ids: string[][] = [];
  for (let page = 0; ; page += 1) {
    const { hasMore, rows } = await walker.read(isForward, sizes[page % sizes.length] ?? 1);
    ids.push(rows.map((row) => row.id));
    if (!hasMore) return (isForward ? ids : ids.reverse()).flat();
  }
}

const sizes = fc.array(size, { minLength: 1, maxLength: 5 }).map((each) => [...each, 1]);

describe('pages of an unchanged list', () => {
  it('equal the sorted list in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(list, sizes, fc.boolean(), async (each, pageSizes, isForward) => {
        const expected = each.stable.toSorted(createComparator(each.order, each.direction)).map((row) => row.id);
        expect(await walk(new Walker(each, openIndex(each, [])), isForward, pageSizes)).toEqual(expected);
      }),
      { numRuns: scaleCases(RUNS) },
    );
  });

  it('follow each other when the direction changes', async () => {
    await fc.assert(
      fc.asyncProperty(list, steps, async (each, moves) => {
        const walker = new Walker(each, openIndex(each, []));
        for (const { isForward, size: pageSize } of moves) {
          const { rows, hasMore } = await walker.read(isForward, pageSize);
          if (hasMore && each.maxRows === 100) expect(rows).toHaveLength(pageSize);
        }
      }),
      { numRuns: scaleCases(RUNS) },
    );
  });
});

describe('pages of a changing list', () => {
  it('return each row that doesn’t change exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(list, changes, sizes, fc.boolean(), async (each, pending, pageSizes, isForward) => {
        const volatileIds = new Set(each.volatileIds);
        const found = await walk(new Walker(each, openIndex(each, pending)), isForward, pageSizes);
        const expected = each.stable.toSorted(createComparator(each.order, each.direction)).map((row) => row.id);
        expect(found.filter((row) => !volatileIds.has(row))).toEqual(expected);
      }),
      { numRuns: scaleCases(4 * RUNS) },
    );
  });

  it('neither skip nor repeat rows that don’t change when the direction changes', async () => {
    await fc.assert(
      fc.asyncProperty(list, changes, steps, async (each, pending, moves) => {
        const walker = new Walker(each, openIndex(each, pending));
        for (const { isForward, size: pageSize } of moves) await walker.read(isForward, pageSize);
      }),
      { numRuns: scaleCases(4 * RUNS) },
    );
  });
});

const budgets = fc.array(fc.nat({ max: 3 }), { minLength: 1 });

describe('page of 100 rows', () => {
  it.each([
    [100, false],
    [101, true],
  ])('takes one execution of a list of %i rows', async (count, hasNextPage) => {
    const toTime = (row: number) => new Date(Date.UTC(2026, 2, 2) + row * 1000).toISOString();
    const index = new MemoryIndex(Array.from({ length: count }, (_, row) => createRow(`row ${row}`, { created: toTime(row) })));
    const page = await readPage({ first: 100 }, createList(index, ORDERS.created.createSegments('ASC')));
    expect([page.rows.length, page.hasNextPage, index.queries.length]).toEqual([100, hasNextPage, 1]);
  });
});

describe('rows with long texts', () => {
  const openLongIndex = (maxSize: number) => {
    const index = new MemoryIndex(
      Array.from({ length: 150 }, (_, row) =>
        createRow(`row ${String(row).padStart(3, '0')}`, { created: `2026-03-02T09:00:0${row % 7}Z` }),
      ),
    );
    index.maxSize = maxSize;
    return index;
  };

  it('take executions with fewer rows until the page is complete', async () => {
    const index = openLongIndex(7 * 30);
    const page = await readPage({ first: 100 }, createList(index, ORDERS.created.createSegments('ASC')));
    expect(index.queries.map(({ limit }) => limit)).toEqual([100, 50, 25, 25, 25, 25]);
    expect([page.rows.length, page.hasNextPage]).toEqual([100, true]);
  });

  it('make pages shorter if the executions end, without gaps', async () => {
    const index = openLongIndex(7 * 8);
    const found: string[] = [];
    let after: string | undefined;
    for (;;) {
      const list = createList(index, ORDERS.created.createSegments('DESC'));
      const page = await readPage({ first: 100, ...(after && { after }) }, list);
      found.push(...page.rows.map(({ id }) => id));
      if (!page.hasNextPage) break;
      expect(page.rows.length).toBeLessThan(100);
      after = encodeCursor(page.offsets.at(-1) ?? '', FINGERPRINT);
    }
    expect(found).toEqual([...index.rows.values()].toSorted(createComparator('created', 'DESC')).map(({ id }) => id));
  });

  it('fail if a single row is too large', async () => {
    const index = openLongIndex(6);
    const list = createList(index, ORDERS.created.createSegments('ASC'));
    await expect(readPage({ first: 100 }, list)).rejects.toThrow('Too large.');
    expect(index.queries).toHaveLength(8);
  });

  it('don’t exceed the budget of executions', async () => {
    const index = openLongIndex(7);
    const list = createList(index, ORDERS.created.createSegments('ASC'), 4);
    await expect(readPage({ first: 100 }, list)).rejects.toThrow(QueryTooExpensiveError);
    expect(index.queries).toHaveLength(4);
  });
});

describe('budget of executions', () => {
  it('ends a page early, but the next page continues after it', async () => {
    await fc.assert(
      fc.asyncProperty(list, changes, sizes, fc.boolean(), budgets, async (each, pending, pageSizes, isForward, eachBudget) => {
        let pages = 0;
        const nextBudget = () => {
          pages += 1;
          return eachBudget[pages % eachBudget.length] ?? 0;
        };
        const volatileIds = new Set(each.volatileIds);
        const found = await walk(new Walker(each, openIndex(each, pending), nextBudget), isForward, pageSizes);
        const expected = each.stable.toSorted(createComparator(each.order, each.direction)).map((row) => row.id);
        expect(found.filter((row) => !volatileIds.has(row))).toEqual(expected);
      }),
      { numRuns: scaleCases(RUNS) },
    );
  });
});
