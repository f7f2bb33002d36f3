import { describe, expect, it } from 'vitest';
import { InvalidCursorError, ValidationError } from '../../../src/failures/failures.ts';
import { computeFingerprint, decodeCursor, encodeCursor } from '../../../src/schema/paging/cursors.ts';
import { planPages, readPages } from '../../../src/schema/paging/pages.ts';
import {
  MAX_SIZE,
  parseOffsetWindow,
  readPrefix,
  rejectWindowAtEnd,
  sliceCompleteList,
  type Window,
  type WindowArgs,
} from '../../../src/schema/paging/window.ts';
import { fc } from '../../support/seeded.ts';

const LIST = computeFingerprint('Quote/ListQuotes', { customerId: 'a' });
const cursor = (offset: number | undefined) => (offset === undefined ? undefined : encodeCursor(offset, LIST));
const createWindow = (from: number, to: number): Window => ({
  size: to - from,
  isBackwards: false,
  after: from === 0 ? undefined : { offset: from - 1, anchor: undefined },
  before: undefined,
});
const createList = (length: number) => Array.from({ length }, (_, index) => index);

/** An upstream with one list that counts its calls. */
function createUpstream(rows: readonly number[], cap: number, maxPage = Number.POSITIVE_INFINITY) {
  const calls: { page: number; pageSize: number }[] = [];
  return {
    calls,
    page: async (page: number, pageSize: number) => {
      calls.push({ page, pageSize });
      if (pageSize < 1 || pageSize > cap || page < 1 || page > maxPage) throw new Error(`There is no page ${page} of ${pageSize}.`);
      const end = page * pageSize;
      return { rows: rows.slice(end - pageSize, end), hasMore: rows.length > end };
    },
  };
}

interface Offsets {
  readonly first?: number | undefined;
  readonly after?: number | undefined;
  readonly last?: number | undefined;
  readonly before?: number | undefined;
}

const withCursors = ({ after, before, ...sizes }: Offsets): WindowArgs => ({ ...sizes, after: cursor(after), before: cursor(before) });

/** The offsets that a window covers in a list of this length. */
function getRange({ first = 25, after = -1, last, before = Number.POSITIVE_INFINITY }: Offsets, length = Number.POSITIVE_INFINITY) {
  const from = after + 1;
  const to = Math.max(from, Math.min(before, length));
  return last === undefined ? { from, to: Math.min(from + first, to) } : { from: Math.max(from, to - last), to };
}

/** EdgesToReturn of the Relay Connections specification, with offsets. A cursor past the end belongs to no edge. */
function edgesToReturn(rows: readonly number[], { first, after, last, before }: Offsets): readonly number[] {
  let edges = rows;
  if (after !== undefined) edges = edges.filter((row) => row > after);
  if (before !== undefined) edges = edges.filter((row) => row < before);
  if (first !== undefined) edges = edges.slice(0, first);
  if (last !== undefined) edges = edges.slice(Math.max(0, edges.length - last));
  return edges;
}

const size = fc.integer({ min: 0, max: MAX_SIZE });
const offset = fc.integer({ min: 0, max: 400 });
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

const forwards: fc.Arbitrary<Offsets> = fc.record({ first: size, after: maybe(offset), before: maybe(offset) });

/** Backward pagination from a row's cursor, so that all earlier rows are known to exist. */
const backwards = (length: number): fc.Arbitrary<Offsets> =>
  fc.record({ last: size, before: fc.integer({ min: 0, max: Math.max(0, length - 1) }), after: maybe(offset) });

const cases = fc.integer({ min: 0, max: 400 }).chain((length) =>
  fc.record({
    length: fc.constant(length),
    cap: fc.integer({ min: MAX_SIZE, max: 250 }),
    args: length === 0 ? forwards : fc.oneof(forwards, backwards(length)),
  }),
);

const runs = (numRuns: number) => ({ numRuns });

describe('window over pages', () => {
  it('returns what the Connections specification requires, and exact page info', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ length, cap, args }) => {
        const rows = createList(length);
        const upstream = createUpstream(rows, cap);
        const range = getRange(args);
        const slice = await readPages(parseOffsetWindow(withCursors(args), LIST), { maxSize: cap, identify: String }, upstream.page);
        const expected = edgesToReturn(rows, args);
        expect(slice.rows).toEqual(expected);
        expect(slice.hasNextPage).toBe(length > range.to);
        expect(slice.hasPreviousPage).toBe(range.from > 0);
        if (expected.length > 0) expect(slice.offsets[0]).toBe(expected[0]);
      }),
      runs(5_000),
    );
  });

  it('needs one call if one page can contain it, and at most two otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ length, cap, args }) => {
        const upstream = createUpstream(createList(length), cap);
        const { from, to } = getRange(args);
        await readPages(parseOffsetWindow(withCursors(args), LIST), { maxSize: cap }, upstream.page);
        const wanted = { from, to: Math.max(to, from + 1) };
        const sizes = createList(cap).map((index) => index + 1);
        const fitsOne = sizes.some((each) => Math.floor(wanted.from / each) === Math.floor((wanted.to - 1) / each));
        expect(upstream.calls.length).toBeGreaterThan(0);
        expect(upstream.calls.length).toBeLessThanOrEqual(fitsOne ? 1 : 2);
      }),
      runs(2_000),
    );
  });

  it('never exceeds the maximum page size and page number', () => {
    fc.assert(
      fc.property(
        offset,
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 250 }),
        fc.integer({ min: 1, max: 20 }),
        (from, rows, cap, maxPage): void => {
          const to = from + Math.min(rows, cap);
          const plan = planPages({ from, to }, cap, maxPage);
          const isReachable = (pageSize: number) => Math.ceil(to / pageSize) <= maxPage;
          if (!plan) {
            expect(createList(cap).some((index) => index + 1 >= to - from && isReachable(index + 1))).toBe(false);
            return;
          }
          expect(plan.pageSize).toBeLessThanOrEqual(cap);
          expect(plan.firstPage + plan.pages - 1).toBeLessThanOrEqual(maxPage);
          expect((plan.firstPage - 1) * plan.pageSize).toBeLessThanOrEqual(from);
          expect((plan.firstPage + plan.pages - 1) * plan.pageSize).toBeGreaterThanOrEqual(to);
        },
      ),
      runs(5_000),
    );
  });

  it('fails if the upstream doesn’t list that many pages', async () => {
    const upstream = createUpstream(createList(500), 100, 3);
    const window = parseOffsetWindow({ first: 10, after: cursor(299) }, LIST);
    await expect(readPages(window, { maxSize: 100, maxPage: 3 }, upstream.page)).rejects.toThrow(ValidationError);
    expect(upstream.calls).toEqual([]);
  });

  it('stops at the last available page, and reports if more rows follow', async () => {
    const read = (rows: number, after: number) => {
      const window = parseOffsetWindow({ first: 20, after: cursor(after) }, LIST);
      return readPages(window, { maxSize: 100, maxPage: 3 }, createUpstream(createList(rows), 100, 3).page);
    };
    expect(await read(500, 200)).toMatchObject({ rows: createList(221).slice(201), hasNextPage: true, isTruncated: false });
    expect(await read(500, 289)).toMatchObject({ rows: createList(300).slice(290), hasNextPage: false, isTruncated: true });
    expect(await read(300, 289)).toMatchObject({ rows: createList(300).slice(290), hasNextPage: false, isTruncated: false });
  });

  it.each([
    [0, undefined, false, false],
    [3, undefined, true, false],
    [3, 1, true, true],
    [3, 2, false, true],
  ])(
    'reports whether rows follow an empty page, over %i rows after %s, by reading one row',
    async (length, after, hasNextPage, hasPreviousPage) => {
      const upstream = createUpstream(createList(length), 100);
      const slice = await readPages(parseOffsetWindow({ first: 0, after: cursor(after) }, LIST), { maxSize: 100 }, upstream.page);
      expect(slice).toMatchObject({ rows: [], hasNextPage, hasPreviousPage });
      expect(upstream.calls).toEqual([{ page: after === undefined ? 1 : after + 2, pageSize: 1 }]);
    },
  );

  it('returns no row twice if rows are inserted between its two calls, and neither do later pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 98 }), fc.integer({ min: 1, max: 30 }), async (after, inserted) => {
        let rows = createList(400);
        let calls = 0;
        const page = async (number: number, pageSize: number) => {
          if (calls === 1) rows = [...createList(inserted).map((row) => -1 - row), ...rows];
          calls += 1;
          return createUpstream(rows, 100).page(number, pageSize);
        };
        const options = { maxSize: 100, identify: String };
        const slice = await readPages(parseOffsetWindow({ first: 100, after: cursor(after) }, LIST), options, page);
        expect(calls).toBe(2);
        const next = await readPages(parseOffsetWindow({ first: 50, after: cursor(slice.offsets.at(-1) ?? 0) }, LIST), options, page);
        const seen = [...slice.rows, ...next.rows];
        expect(seen).toEqual(createList(400).slice(after + 1, after + 1 + seen.length));
        expect(slice.hasNextPage).toBe(true);
      }),
      runs(200),
    );
  });

  it('continues after a page from which the upstream has omitted rows', async () => {
    const page = async () => ({ rows: createList(20), hasMore: true });
    expect((await readPages(createWindow(0, 25), { maxSize: 100 }, page)).hasNextPage).toBe(true);
  });

  it('returns no row twice if the upstream omits rows from its pages', async () => {
    const isHidden = (row: number) => row % 17 === 3 || row % 50 === 49;
    const page = async (number: number, size: number) => ({
      rows: createList(230)
        .slice((number - 1) * size, number * size)
        .filter((row) => !isHidden(row)),
      hasMore: number * size < 230,
    });
    const seen: number[] = [];
    let after: string | undefined;
    for (let guard = 0; guard < 50; guard += 1) {
      const slice = await readPages(parseOffsetWindow({ first: 25, after }, LIST), { maxSize: 100 }, page);
      seen.push(...slice.rows);
      if (!slice.hasNextPage) break;
      after = cursor(slice.offsets.at(-1) ?? 0);
    }
    expect(seen).toEqual(createList(230).filter((row) => !isHidden(row)));
  });

  it('ends if the upstream announces more rows but returns none', async () => {
    let calls = 0;
    const slice = await readPages(createWindow(50, 150), { maxSize: 100 }, async () => {
      calls += 1;
      return { rows: [], hasMore: true };
    });
    expect({ slice, calls }).toMatchObject({
      slice: { rows: [], offsets: [], isTruncated: false, hasNextPage: false, hasPreviousPage: true },
      calls: 1,
    });
  });
});

describe('pagination', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: MAX_SIZE }), { minLength: 1, maxLength: 8 });

  it('returns every row once forwards, with any page sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), sizes, async (length, steps) => {
        const upstream = createUpstream(createList(length), 100);
        const seen: number[] = [];
        for (let step = 0, after: number | undefined, goesOn = true; goesOn; step += 1) {
          const args = { first: steps[step % steps.length], after: cursor(after) };
          const slice = await readPages(parseOffsetWindow(args, LIST), { maxSize: 100 }, upstream.page);
          seen.push(...slice.rows);
          after = slice.offsets.at(-1) ?? 0;
          goesOn = slice.hasNextPage;
        }
        expect(seen).toEqual(createList(length));
      }),
      runs(500),
    );
  });

  it('returns every row once backwards, with any page sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), sizes, async (length, steps) => {
        const upstream = createUpstream(createList(length), 100);
        const seen: number[] = [];
        for (let step = 0, before = length - 1, goesOn = true; goesOn; step += 1) {
          const args = { last: steps[step % steps.length], before: cursor(before) };
          const slice = await readPages(parseOffsetWindow(args, LIST), { maxSize: 100 }, upstream.page);
          expect(slice.hasNextPage).toBe(true);
          seen.unshift(...slice.rows);
          before = slice.offsets[0] ?? 0;
          goesOn = slice.hasPreviousPage;
        }
        expect(seen).toEqual(createList(length - 1));
      }),
      runs(500),
    );
  });

  it('needs one call per page of constant size, with exactly that size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: MAX_SIZE }), async (length, step) => {
        const upstream = createUpstream(createList(length), 100);
        let after: number | undefined;
        for (let goesOn = true; goesOn; ) {
          const slice = await readPages(parseOffsetWindow({ first: step, after: cursor(after) }, LIST), { maxSize: 100 }, upstream.page);
          after = slice.offsets.at(-1) ?? 0;
          goesOn = slice.hasNextPage;
        }
        expect(upstream.calls).toEqual(createList(Math.ceil(length / step)).map((page) => ({ page: page + 1, pageSize: step })));
      }),
      runs(500),
    );
  });
});

describe('window over a prefix', () => {
  it('returns the available rows, with cursors that work, and reports if there may be more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 120 }), forwards, async (length, cap, args) => {
        const readable = createList(Math.min(length, cap));
        const sizes: number[] = [];
        const range = getRange(args, cap);
        const slice = await readPrefix(parseOffsetWindow(withCursors(args), LIST), { maxSize: cap }, async (pageSize) => {
          sizes.push(pageSize);
          return { rows: createList(length).slice(0, pageSize) };
        });
        expect(slice.rows).toEqual(edgesToReturn(readable, args));
        expect(slice.hasNextPage).toBe(readable.length > range.to);
        expect(slice.hasPreviousPage).toBe(range.from > 0);
        if (slice.isTruncated) expect(length >= cap || range.from >= cap).toBe(true);
        if (length > cap && !slice.hasNextPage) expect(slice.isTruncated || range.to < cap).toBe(true);
        expect(sizes.length).toBeLessThanOrEqual(1);
        for (const pageSize of sizes) expect(pageSize).toBeLessThanOrEqual(cap);
      }),
      runs(3_000),
    );
  });

  it('reports truncation only if the upstream does, and not if the page is full', async () => {
    const read = (length: number, isTruncated?: boolean) =>
      readPrefix(parseOffsetWindow({ first: 10 }, LIST), { maxSize: 10 }, async (pageSize) => ({
        rows: createList(length).slice(0, pageSize),
        isTruncated: isTruncated,
      }));
    expect((await read(10, false)).isTruncated).toBe(false);
    expect((await read(11, true)).isTruncated).toBe(true);
    // The upstream may have omitted rows that the key can't see.
    expect((await read(4, true)).isTruncated).toBe(true);
    expect((await read(10)).isTruncated).toBe(true);
  });
});

describe('window over a list without pages', () => {
  it('can be read from the end, and has exact page info', () => {
    const args = fc.record({ last: size, before: maybe(offset), after: maybe(offset) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.oneof(args, forwards), (length, given: Offsets) => {
        const rows = createList(length);
        const range = getRange(given, length);
        const slice = sliceCompleteList(parseOffsetWindow(withCursors(given), LIST), rows);
        expect(slice.rows).toEqual(edgesToReturn(rows, given));
        expect(slice.hasNextPage).toBe(length > range.to);
        expect(slice.hasPreviousPage).toBe(range.from > 0);
      }),
      runs(3_000),
    );
  });
});

describe('pagination arguments', () => {
  it.each([
    [{ first: -1 }, 'first'],
    [{ last: -1, before: cursor(5) }, 'last'],
    [{ first: 101 }, 'first'],
    [{ last: 1_000_000_000, before: cursor(5) }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
    [{ last: 1 }, 'last'],
  ])('%j fail', (args, path) => {
    const attempt = () => rejectWindowAtEnd(parseOffsetWindow(args, LIST));
    expect(attempt).toThrow(ValidationError);
    expect(attempt).toThrow(path);
  });

  it('default to 25 rows', () => {
    expect(parseOffsetWindow({ after: cursor(9) }, LIST)).toMatchObject({ size: 25, isBackwards: false });
  });
});

describe('cursor', () => {
  it('resolves to its offset, in its own list only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.string(), fc.string(), (at, one, other) => {
        const own = computeFingerprint('Quote/ListQuotes', { customerId: one });
        expect(decodeCursor(encodeCursor(at, own), own)).toEqual({ offset: at, anchor: undefined });
        fc.pre(one !== other);
        expect(() => decodeCursor(encodeCursor(at, own), computeFingerprint('Quote/ListQuotes', { customerId: other }))).toThrow(
          InvalidCursorError,
        );
        expect(() => decodeCursor(encodeCursor(at, own), computeFingerprint('Order/ListOrders', { customerId: one }))).toThrow(
          InvalidCursorError,
        );
      }),
      runs(1_000),
    );
  });

  it('doesn’t depend on the order of filters, or on omitted filters', () => {
    expect(computeFingerprint('A/B', { x: 1, y: { b: 2, a: 1 } })).toBe(
      computeFingerprint('A/B', { y: { a: 1, b: 2 }, x: 1, z: undefined }),
    );
  });

  it('fails if it’s malformed, and never resolves to an offset', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.string().map((text) => Buffer.from(`1:${text}`).toString('base64url')),
        ),
        (text) => {
          expect(() => decodeCursor(text, LIST)).toThrow(InvalidCursorError);
        },
      ),
      runs(2_000),
    );
  });
});
