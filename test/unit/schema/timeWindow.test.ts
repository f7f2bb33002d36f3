import { describe, expect, it } from 'vitest';
import { InvalidCursorError, UpstreamInvalidError, ValidationError } from '../../../src/failures/failures.ts';
import type { TimeSpan } from '../../../src/schema/kit/ranges.ts';
import { computeFingerprint, encodeCursor } from '../../../src/schema/paging/cursors.ts';
import { decodeTimePosition, estimateSpanCalls, readTimeWindow } from '../../../src/schema/paging/timeSpans.ts';
import { parseWindow, type WindowArgs } from '../../../src/schema/paging/window.ts';
import { fc } from '../../support/seeded.ts';

const LIST = computeFingerprint('Appointment/ListAppointments', {});
const SPAN: TimeSpan = { from: 0, to: 50 };

const parseTimeWindow = (args: WindowArgs) => parseWindow(args, LIST, decodeTimePosition);

interface Row {
  readonly id: number;
  readonly at: number;
}

/** Rows with these start times, in order. */
const rowsAt = (starts: readonly number[]): Row[] => starts.toSorted((one, other) => one - other).map((at, id) => ({ id, at }));

/** An upstream that returns the first rows of a time range and counts its calls. */
function createUpstream(rows: readonly Row[], cap: number) {
  const calls: number[] = [];
  return {
    calls,
    fetch: async ({ from, to }: TimeSpan, pageSize: number) => {
      calls.push(pageSize);
      if (pageSize < 1 || pageSize > cap || from >= to) throw new Error(`There are no ${pageSize} rows from ${from} to ${to}.`);
      const held = rows.filter(({ at }) => at >= from && at < to);
      return { rows: held.slice(0, pageSize), hasMore: held.length > pageSize };
    },
  };
}

const options = (maxSize: number) => ({ maxSize, startOf: ({ at }: Row) => at });

async function read(rows: readonly Row[], cap: number, args: WindowArgs) {
  const upstream = createUpstream(rows, cap);
  const slice = await readTimeWindow(SPAN, parseTimeWindow(args), options(cap), upstream.fetch);
  const cursors = slice.offsets.map((position) => encodeCursor(position, LIST));
  return { ...slice, cursors, calls: upstream.calls.length };
}

const getSize = ({ first, last }: WindowArgs) => first ?? last ?? 0;

/** The rows that can be read. If more rows start at one time than a call returns, the rest of them, and all later rows, can't be read. */
function readable(rows: readonly Row[], cap: number): { readonly rows: readonly Row[]; readonly isTruncated: boolean } {
  for (const [at, group] of Map.groupBy(rows, (row) => row.at)) {
    const end = rows.findLastIndex((row) => row.at < at) + 1;
    if (group.length > cap) return { rows: rows.slice(0, end + cap), isTruncated: true };
  }
  return { rows, isTruncated: false };
}

const starts = fc.array(
  fc.integer({ min: 0, max: 12 }).map((at) => at * 4),
  { maxLength: 60 },
);
const cap = fc.integer({ min: 1, max: 12 });
const size = fc.integer({ min: 1, max: 20 });

describe('window over a time range', () => {
  it('can be paginated to its end without lost or repeated rows, and reports if it’s incomplete', async () => {
    await fc.assert(
      fc.asyncProperty(starts, cap, size, async (given, maxSize, first) => {
        const rows = rowsAt(given);
        const expected = readable(rows, maxSize);
        const walked: Row[] = [];
        let after: string | undefined;
        for (let page = 0; ; page += 1) {
          if (page > rows.length) throw new Error('The walk does not end.');
          const { rows: found, ...facts } = await read(rows, maxSize, { first, after });
          walked.push(...found);
          expect(found.length).toBeLessThanOrEqual(first);
          expect(facts.calls).toBeLessThanOrEqual(estimateSpanCalls(first, maxSize, false));
          expect(facts.hasPreviousPage).toBe(page > 0);
          if (!facts.hasNextPage) {
            expect(facts.isTruncated).toBe(expected.isTruncated);
            break;
          }
          expect(found.length).toBeGreaterThan(0);
          after = facts.cursors.at(-1);
        }
        expect(walked).toEqual(expected.rows);
      }),
      { numRuns: 1_000 },
    );
  });

  it('can be read before a row, from its end, and between two rows', async () => {
    const positions = fc.tuple(fc.nat(59), fc.nat(59));
    await fc.assert(
      fc.asyncProperty(
        starts,
        fc.integer({ min: 6, max: 12 }),
        size,
        fc.boolean(),
        positions,
        async (given, maxSize, count, isLast, at) => {
          const rows = rowsAt(given);
          const { rows: whole, isTruncated } = readable(rows, maxSize);
          if (isTruncated || whole.length === 0) return;
          const cursors: string[] = [];
          for (let hasNextPage = true; hasNextPage; ) {
            if (cursors.length > whole.length) throw new Error('The walk does not end.');
            const page = await read(rows, maxSize, { first: 20, after: cursors.at(-1) });
            cursors.push(...page.cursors);
            hasNextPage = page.hasNextPage;
          }
          const [low, high] = [Math.min(...at) % whole.length, Math.max(...at) % whole.length];
          const between = whole.slice(low + 1, high);
          const args = { after: cursors[low], before: cursors[high], ...(isLast ? { last: count } : { first: count }) };
          const { rows: found, calls } = await read(rows, maxSize, args);
          const expected = isLast ? between.slice(Math.max(0, between.length - count)) : between.slice(0, count);
          const isShort = calls >= estimateSpanCalls(getSize(args), maxSize, isLast);
          expect(found).toEqual(isShort ? expected.slice(0, found.length) : expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('needs one call per page if start times differ, and another one for rows of the previous page', async () => {
    const rows = rowsAt(Array.from({ length: 40 }, (_, at) => at));
    const page = await read(rows, 10, { first: 10 });
    expect([page.calls, page.hasNextPage]).toEqual([1, true]);
    const next = await read(rows, 10, { first: 10, after: page.cursors.at(-1) });
    expect([next.calls, next.rows[0]?.id]).toEqual([2, 10]);
  });

  it('continues after a start time that fills a call, if it has no other rows', async () => {
    const rows = rowsAt([0, 7, 7, 7, 7, 8]);
    const { cursors } = await read(rows, 4, { first: 5 });
    const { rows: found, isTruncated } = await read(rows, 4, { first: 5, after: cursors.at(-1) });
    expect([found.map(({ at }) => at), isTruncated]).toEqual([[8], false]);
  });

  it('reports for an empty page whether more rows follow', async () => {
    expect(await read(rowsAt([1]), 10, { first: 0 })).toMatchObject({ rows: [], hasNextPage: true, calls: 1 });
    expect(await read([], 10, { first: 0 })).toMatchObject({ rows: [], hasNextPage: false, calls: 1 });
  });

  it('can’t be read backwards if that needs too many calls', async () => {
    const rows = rowsAt(Array.from({ length: 50 }, (_, at) => at));
    await expect(read(rows, 5, { last: 3 })).rejects.toThrow(ValidationError);
    expect((await read(rows, 6, { last: 3 })).rows.map(({ at }) => at)).toEqual([47, 48, 49]);
  });

  it.each([
    [
      'out of order',
      [
        { id: 1, at: 9 },
        { id: 2, at: 8 },
      ],
    ],
    ['before the time', [{ id: 1, at: -1 }]],
    ['behind the time', [{ id: 1, at: 50 }]],
    ['without a start', [{ id: 1, at: Number.NaN }]],
  ])('fails for rows %s', async (_case, rows) => {
    const fetch = async () => ({ rows, hasMore: false });
    await expect(readTimeWindow(SPAN, parseTimeWindow({}), options(10), fetch)).rejects.toThrow(UpstreamInvalidError);
  });

  it.each([encodeCursor(3, LIST), encodeCursor('7.', LIST), encodeCursor('7.1', computeFingerprint('Other/List', {})), 'nonsense'])(
    'rejects a cursor of another list or kind: %s',
    (after) => {
      expect(() => parseTimeWindow({ after })).toThrow(InvalidCursorError);
    },
  );
});
