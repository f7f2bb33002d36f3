import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/schema/paging/cursors.ts';
import { createList, createRow, FINGERPRINT, MemoryIndex, ORDERS, type OrderName, readPage } from './memoryIndex.ts';

/** Maximum number of executions for a page. */
const MAX_PAGE_EXECUTIONS = 8;

const createId = (index: number) => `row ${String(index).padStart(4, '0')}`;

/** Rows in list order: 3 earlier ones, `count` in one second, and 3 later ones. */
const createTie = (count: number) =>
  Array.from({ length: count + 6 }, (_, index) => {
    const second = index < 3 ? 1 : index < count + 3 ? 2 : 3;
    const time = `2026-03-02T09:00:0${second}Z`;
    return createRow(createId(index), { created: time, updated: time, canceled: index % 2 === 0 ? time : null, size: '1', status: 'OPEN' });
  });

interface Walk {
  readonly ids: readonly string[];
  /** Numbers of the pages on which rows are missing. */
  readonly truncated: readonly number[];
  readonly mostExecutions: number;
}

/** Reads all pages of a list in ascending order, in one direction. */
async function walk(index: MemoryIndex, size: number, isForward = true, order: OrderName = 'updated'): Promise<Walk> {
  const segments = ORDERS[order].createSegments('ASC');
  const pages: string[][] = [];
  const truncated: number[] = [];
  let mostExecutions = 0;
  let cursor: string | undefined;
  for (;;) {
    const executed = index.queries.length;
    const page = await readPage(isForward ? { first: size, after: cursor } : { last: size, before: cursor }, createList(index, segments));
    mostExecutions = Math.max(mostExecutions, index.queries.length - executed);
    if (page.isTruncated) truncated.push(pages.length);
    pages.push(page.rows.map(({ id }) => id));
    if (!(isForward ? page.hasNextPage : page.hasPreviousPage))
      return { ids: (isForward ? pages : pages.reverse()).flat(), truncated, mostExecutions };
    cursor = encodeCursor(page.offsets.at(isForward ? -1 : 0) ?? '', FINGERPRINT);
  }
}

describe.each([25, 64, 100])('pages of %i', (size) => {
  it.each([150, 260, 499, 500])('return all of %i rows with the same sort values', async (count) => {
    for (const isForward of [true, false]) {
      const { ids, truncated, mostExecutions } = await walk(new MemoryIndex(createTie(count)), size, isForward);
      expect(ids).toEqual(createTie(count).map(({ id }) => id));
      expect(truncated).toEqual([]);
      expect(mostExecutions).toBeLessThanOrEqual(MAX_PAGE_EXECUTIONS);
    }
  });

  it('leave out rows after the first 500 with the same sort values, and continue after them', async () => {
    const rows = createTie(700).map(({ id }) => id);
    const { ids, truncated, mostExecutions } = await walk(new MemoryIndex(createTie(700)), size);
    expect(ids).toEqual([...rows.slice(0, 503), ...rows.slice(703)]);
    // The page on which they would start.
    expect(truncated).toEqual([Math.floor(503 / size)]);
    expect(mostExecutions).toBeLessThanOrEqual(MAX_PAGE_EXECUTIONS);
  });

  it('leave out rows before the last 500 with the same sort values when read backward', async () => {
    const rows = createTie(700).map(({ id }) => id);
    const { ids, truncated } = await walk(new MemoryIndex(createTie(700)), size, false);
    expect(ids).toEqual([...rows.slice(0, 3), ...rows.slice(203)]);
    expect(truncated.length).toBeGreaterThanOrEqual(1);
  });
});

describe('rows with the same sort values', () => {
  it.each(['created', 'canceled', 'size', 'status'] as const)('appear completely when sorted by %s', async (order) => {
    const index = new MemoryIndex(createTie(320));
    const forward = await walk(index, 40, true, order);
    const backward = await walk(index, 40, false, order);
    expect(forward.ids).toEqual(backward.ids);
    expect(forward.ids.toSorted()).toEqual(createTie(320).map(({ id }) => id));
  });

  it('precede and follow each other in both directions', async () => {
    const index = new MemoryIndex(createTie(450));
    const segments = ORDERS.updated.createSegments('ASC');
    const { offsets } = await readPage({ last: 2 }, createList(index, segments));
    const toCursor = (offset: string | undefined) => encodeCursor(offset ?? '', FINGERPRINT);
    let cursor = toCursor(offsets[0]);
    for (let end = 454; end > 100; end -= 100) {
      const before = await readPage({ last: 100, before: cursor }, createList(index, segments));
      expect(before.rows.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, position) => createId(end - 100 + position)));
      const after = await readPage({ first: 1, after: toCursor(before.offsets[0]) }, createList(index, segments));
      expect(after.rows.map(({ id }) => id)).toEqual([createId(end - 99)]);
      cursor = toCursor(before.offsets[0]);
    }
  });

  it('need only one query if they fit into it', async () => {
    const index = new MemoryIndex(createTie(60));
    const { mostExecutions } = await walk(index, 25);
    expect(mostExecutions).toBe(1);
    expect(index.queries.map(({ limit }) => limit)).toEqual([26, 48, 73]);
  });
});
