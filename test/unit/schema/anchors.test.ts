import { describe, expect, it } from 'vitest';
import { InvalidCursorError } from '../../../src/failures/failures.ts';
import { Anchor, parseAnchor } from '../../../src/schema/paging/anchors.ts';
import { computeFingerprint, decodeCursor, encodeCursor } from '../../../src/schema/paging/cursors.ts';
import { readPages } from '../../../src/schema/paging/pages.ts';
import { parseOffsetWindow, sliceCompleteList, type WindowArgs } from '../../../src/schema/paging/window.ts';
import { fc } from '../../support/seeded.ts';

const LIST = computeFingerprint('Quote/ListQuotes', { customerId: 'a' });

interface Row {
  readonly id: string;
  /** Sort key. Rows with the same key are sorted by ID. */
  readonly at: number;
}

const rowAt = (at: number, name: string | number = at): Row => ({ id: `${name}`, at });
const rowsTo = (length: number) => Array.from({ length }, (_, index) => rowAt(index));
const identify = ({ id }: Row) => id;
const SORTED = { identify, getRank: ({ at }: Row) => at };
const UNSORTED = { identify };

/** An upstream with one list that tests change between reads. */
class Upstream {
  rows: Row[];
  readonly calls: string[] = [];
  readonly #order: typeof SORTED | typeof UNSORTED;

  constructor(rows: Row[], order: typeof SORTED | typeof UNSORTED = SORTED) {
    this.rows = rows;
    this.#order = order;
  }

  async read(args: WindowArgs) {
    const slice = await readPages(parseOffsetWindow(args, LIST), { maxSize: 100, ...this.#order }, async (page, pageSize) => {
      this.calls.push(`${page} of ${pageSize}`);
      const end = page * pageSize;
      return { rows: this.rows.slice(end - pageSize, end), hasMore: this.rows.length > end };
    });
    const cursors = slice.offsets.map((offset, index) => encodeCursor(offset, LIST, slice.getAnchor?.(index)));
    return { ids: slice.rows.map(identify), cursors, ...slice };
  }

  /** Reads a page after the first one, after a change. Returns the rows and the number of calls. */
  async readAfter(first: number, change: () => void, then = first) {
    const { cursors } = await this.read({ first });
    change();
    this.calls.length = 0;
    const { ids } = await this.read({ first: then, after: cursors.at(-1) });
    return { ids, calls: this.calls.length };
  }

  remove(...ids: string[]): void {
    this.rows = this.rows.filter(({ id }) => !ids.includes(id));
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}`);

describe('page after a cursor in a list with a known order', () => {
  it.each([2, 10, 25, 50])('skips nothing if all %i rows of the page before are gone', async (size) => {
    const upstream = new Upstream(rowsTo(300));
    expect(await upstream.readAfter(size, () => upstream.remove(...range(0, size)))).toEqual({ ids: range(size, 2 * size), calls: 1 });
  });

  it.each([2, 10, 25, 50, 100])('repeats nothing if a row is inserted before %i rows', async (size) => {
    const upstream = new Upstream(rowsTo(300));
    const { ids, calls } = await upstream.readAfter(size, () => upstream.rows.unshift(rowAt(-1)));
    expect(ids).toEqual(range(size, 2 * size));
    expect(calls).toBeLessThanOrEqual(2);
  });

  it('starts at the first row if the list shrinks to rows after the cursor, or below its offset', async () => {
    const upstream = new Upstream(rowsTo(300));
    const { cursors } = await upstream.read({ first: 100 });
    const next = await upstream.read({ first: 60, after: cursors[99] });
    upstream.remove(...range(0, 160));
    upstream.calls.length = 0;
    expect((await upstream.read({ first: 10, after: next.cursors.at(-1) })).ids).toEqual(range(160, 170));
    upstream.rows = upstream.rows.slice(-3);
    expect((await upstream.read({ first: 10, after: next.cursors.at(-1) })).ids).toEqual(range(297, 300));
    expect(upstream.calls.length).toBeLessThanOrEqual(8);
  });

  it('can be up to four pages away, and fails if it’s farther', async () => {
    const upstream = new Upstream(rowsTo(2_000));
    const { cursors } = await upstream.read({ first: 2 });
    const rowsInserted = (length: number) => Array.from({ length }, (_, index) => rowAt(-length + index));
    upstream.rows.unshift(...rowsInserted(350));
    upstream.calls.length = 0;
    expect((await upstream.read({ first: 2, after: cursors[1] })).ids).toEqual(['2', '3']);
    expect(upstream.calls).toEqual(['1 of 4', '1 of 100', '2 of 100', '3 of 100', '4 of 100']);
    upstream.rows.unshift(...rowsInserted(1_000).map(({ at }) => rowAt(at - 1_000)));
    upstream.calls.length = 0;
    await expect(upstream.read({ first: 2, after: cursors[1] })).rejects.toThrow(InvalidCursorError);
    expect(upstream.calls).toHaveLength(5);
  });

  it('distinguishes rows with the same timestamp, even if those that were read are gone', async () => {
    const upstream = new Upstream(Array.from({ length: 20 }, (_, index) => rowAt(5, String.fromCharCode(97 + index))));
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const { ids, cursors, hasNextPage } = await upstream.read({ first: 2, after });
      seen.push(...ids);
      upstream.remove(...ids);
      after = cursors.at(-1);
      if (!hasNextPage) break;
    }
    expect(seen.join('')).toBe('abcdefghijklmnopqrst');
  });

  it('fails if only rows with its timestamp are left and can’t be distinguished', async () => {
    const upstream = new Upstream(Array.from({ length: 20 }, (_, index) => rowAt(5, String.fromCharCode(97 + index))));
    const { cursors } = await upstream.read({ first: 12 });
    // The cursor contains eight fingerprints, so the first two rows could be before or after it.
    upstream.remove(...'cdefghijkl');
    await expect(upstream.read({ first: 2, after: cursors[11] })).rejects.toThrow(InvalidCursorError);
  });

  it('excludes rows with the same timestamp that earlier pages have returned', async () => {
    const upstream = new Upstream(Array.from({ length: 20 }, (_, index) => rowAt(5, String.fromCharCode(97 + index))));
    let after: string | undefined;
    for (let page = 0; page < 3; page += 1) after = (await upstream.read({ first: 2, after })).cursors.at(-1);
    upstream.remove('d', 'e', 'f');
    expect((await upstream.read({ first: 2, after })).ids).toEqual(['g', 'h']);
  });

  it('ignores a row that has moved by itself', async () => {
    const upstream = new Upstream(rowsTo(100));
    const { ids } = await upstream.readAfter(10, () => {
      upstream.remove('9');
      upstream.rows.splice(15, 0, rowAt(15, 9));
    });
    expect(ids).toEqual([...range(10, 16), '9', ...range(16, 19)]);
  });

  it('can’t detect missing rows on a page without room for the previous row: pages of 100', async () => {
    const upstream = new Upstream(rowsTo(300));
    const { ids, calls } = await upstream.readAfter(100, () => upstream.remove('5'));
    expect({ first: ids[0], calls }).toEqual({ first: '101', calls: 1 });
  });
});

describe('page before a cursor', () => {
  it.each([SORTED, UNSORTED])('repeats and skips nothing if rows come and go before it', async (order) => {
    const upstream = new Upstream(rowsTo(300), order);
    const { cursors } = await upstream.read({ first: 100 });
    upstream.rows.unshift(rowAt(-2), rowAt(-1));
    const page = await upstream.read({ last: 10, before: cursors[50] });
    expect(page).toMatchObject({ ids: range(40, 50), hasNextPage: true, hasPreviousPage: true });
    upstream.remove(...range(3, 9));
    expect(await upstream.read({ last: 10, before: page.cursors[0] })).toMatchObject({ ids: range(30, 40), hasPreviousPage: true });
  });

  it('skips nothing if the row itself is gone', async () => {
    const upstream = new Upstream(rowsTo(300));
    const { cursors } = await upstream.read({ first: 100 });
    upstream.remove('50', '49', '20');
    expect((await upstream.read({ last: 10, before: cursors[50] })).ids).toEqual(range(39, 49));
  });

  it('stops before it with `first`, too', async () => {
    const upstream = new Upstream(rowsTo(300));
    const { cursors } = await upstream.read({ first: 100 });
    upstream.remove('1', '2');
    expect((await upstream.read({ first: 50, before: cursors[6] })).ids).toEqual(['0', '3', '4', '5']);
    expect((await upstream.read({ first: 50, after: cursors[3], before: cursors[6] })).ids).toEqual(['4', '5']);
  });
});

describe('page after a cursor in a list with an unknown order', () => {
  it('follows rows that have moved together', async () => {
    const upstream = new Upstream(rowsTo(300), UNSORTED);
    expect((await upstream.readAfter(10, () => upstream.rows.unshift(rowAt(999)))).ids).toEqual(range(10, 20));
    expect((await upstream.readAfter(100, () => upstream.rows.unshift(rowAt(998)))).ids).toEqual(range(99, 199));
  });

  it('continues after the neighbor of a row that is gone', async () => {
    const upstream = new Upstream(rowsTo(300), UNSORTED);
    expect((await upstream.readAfter(10, () => upstream.remove('9'))).ids).toEqual(range(10, 20));
  });

  it.each<[string, (upstream: Upstream) => void]>([
    ['the row and its neighbor are gone', (upstream) => upstream.remove('8', '9')],
    ['all rows before it are gone', (upstream) => upstream.remove(...range(0, 10))],
    ['the rows are sorted in another way', (upstream) => upstream.rows.reverse()],
    ['the row has moved by itself', (upstream) => upstream.rows.unshift(...upstream.rows.splice(9, 1))],
  ])('fails if %s', async (_name, change) => {
    const upstream = new Upstream(rowsTo(300), UNSORTED);
    await expect(upstream.readAfter(10, () => change(upstream))).rejects.toThrow(InvalidCursorError);
    expect(upstream.calls.length).toBeLessThanOrEqual(5);
  });

  it('also supports rows that aren’t in the order of their rank', async () => {
    const upstream = new Upstream(rowsTo(300).toReversed());
    await expect(upstream.readAfter(10, () => upstream.remove(...range(280, 300)))).rejects.toThrow(InvalidCursorError);
  });
});

describe('paginating a changing list', () => {
  const change = fc.record({ removed: fc.array(fc.nat(120), { maxLength: 12 }), inserted: fc.array(fc.nat(400), { maxLength: 3 }) });

  it.each([
    ['known order', SORTED],
    ['unknown order', UNSORTED],
  ])('returns each remaining row once, or fails: %s', async (_name, order) => {
    let rejected = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 45 }),
        fc.array(change, { maxLength: 10 }),
        fc.boolean(),
        async (first, changes, hasTies) => {
          const toRow = (at: number, name: string) => rowAt(hasTies ? Math.floor(at / 3) : at, name);
          const byOrder = (one: Row, other: Row) => one.at - other.at || (one.id < other.id ? -1 : 1);
          const upstream = new Upstream(Array.from({ length: 120 }, (_, index) => toRow(index * 3, `row ${index}`)).sort(byOrder), order);
          const staying = new Set(upstream.rows.map(identify));
          const seen: string[] = [];
          try {
            for (let after: string | undefined, turn = 0; ; turn += 1) {
              const { ids, cursors, hasNextPage } = await upstream.read({ first, after });
              seen.push(...ids);
              if (!hasNextPage) break;
              after = cursors.at(-1);
              const { removed = [], inserted = [] } = changes[turn] ?? {};
              for (const index of removed) staying.delete(`row ${index}`);
              upstream.remove(...removed.map((index) => `row ${index}`));
              upstream.rows = [...upstream.rows, ...inserted.map((at, index) => toRow(at, `new ${turn} ${index}`))].sort(byOrder);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidCursorError);
            rejected += 1;
            return;
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect([...staying].filter((id) => !seen.includes(id))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
    expect(rejected).toBeLessThan(order === SORTED ? 15 : 250);
  });
});

describe('list without pages', () => {
  it('continues after the row of a cursor, wherever it is', () => {
    const rows = rowsTo(30);
    const slice = sliceCompleteList(parseOffsetWindow({ first: 10 }, LIST), rows, SORTED);
    const after = encodeCursor(9, LIST, slice.getAnchor?.(9));
    const cut = (now: Row[]) => sliceCompleteList(parseOffsetWindow({ first: 2, after }, LIST), now, SORTED).rows.map(identify);
    expect(cut([rowAt(-1), ...rows])).toEqual(['10', '11']);
    expect(cut(rows.slice(20))).toEqual(['20', '21']);
    expect(cut(rows.slice(0, 5))).toEqual([]);
  });
});

/** Parses a cursor as releases without anchors do. */
const offsetBefore = (cursor: string) => /^1:([\d.-]+):([\w-]{8})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];

describe('cursor with an anchor', () => {
  it('has a limited length, and can be read by releases without anchors', async () => {
    const upstream = new Upstream(
      rowsTo(120).map(({ at }) => rowAt(-1_763_900_000 + Math.floor(at / 20), `3f2b8a4e-0000-4000-8000-${at}`)),
    );
    const { cursors } = await upstream.read({ first: 100 });
    expect(Math.max(...cursors.map((cursor) => cursor.length))).toBeLessThanOrEqual(90);
    for (const [offset, cursor] of cursors.entries()) {
      expect(offsetBefore(cursor)).toBe(`${offset}`);
      expect(decodeCursor(cursor, LIST)).toMatchObject({ offset, anchor: { rank: expect.any(Number) } });
    }
    fc.assert(
      fc.property(fc.nat({ max: 999_999_999_999 }), (offset) => {
        const cursor = encodeCursor(offset, LIST, decodeCursor(cursors[7] as string, LIST).anchor);
        expect(cursor.length).toBeLessThanOrEqual(100);
        expect(offsetBefore(cursor)).toBe(`${offset}`);
      }),
      { numRuns: 500 },
    );
  });

  it('can lack the anchor, as in releases without anchors', () => {
    const cursor = encodeCursor(7, LIST);
    expect([cursor, `${cursor}=`, `${cursor}==`].map((each) => decodeCursor(each, LIST))).toEqual(
      Array(3).fill({ offset: 7, anchor: undefined }),
    );
  });

  it('fails if it’s damaged', async () => {
    const { cursors } = await new Upstream(rowsTo(20)).read({ first: 10 });
    const own = cursors[7] as string;
    const end = own.indexOf('=');
    expect(end).toBeGreaterThan(0);
    for (let length = end + 3; length < own.length; length += 1)
      expect(() => decodeCursor(own.slice(0, length), LIST)).toThrow(InvalidCursorError);
    const other = cursors[6] as string;
    for (const damaged of [`${own}a`, `${own}=`, `${own}\n`, `${own}~`, `${own.slice(0, end)}${other.slice(end)}`])
      expect(() => decodeCursor(damaged, LIST), damaged).toThrow(InvalidCursorError);
    fc.assert(
      fc.property(fc.string({ minLength: 2 }), (suffix) => {
        fc.pre(suffix !== '==');
        expect(() => decodeCursor(`${own.slice(0, end)}=${suffix}`, LIST)).toThrow(InvalidCursorError);
      }),
      { numRuns: 500 },
    );
  });

  it('contains only anchors of its format', () => {
    for (const text of [
      '',
      'abc',
      'abcdefg',
      'abcde!',
      'abcdef.',
      'abcdef.-',
      'abcdef.zzzzzzzzzzz',
      'abcdef.1~~',
      'abcdef.1.1',
      'abcdef'.repeat(9),
    ])
      expect(parseAnchor(text), text).toBeNull();
    expect(parseAnchor('abcdefghijkl.-1y~')).toEqual(new Anchor(['abcdef', 'ghijkl'], -70, false));
  });
});
