import { beforeAll, describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { START, useSandbox } from '../sandbox.ts';
import { calendar, compare, createQuery, dimension, measure, relative, sendQuery } from './queryHelpers.ts';
import { addRow } from './rows.ts';

const opened = useSandbox();
const { call } = opened;
const COUNT = measure('COUNT');

/** The bounds of a time range in a zone. */
async function fetchBounds(timezone: string, timeRange: object) {
  const { result } = await sendQuery(call, createQuery('orders', { timezone, timeRange, aggregate: { measures: [COUNT] } }));
  const { start, end } = result.resolvedTimeRange;
  return [start, end];
}

const days = (first: string, last = first) => calendar('created_at', first, last);

/** Runs `work` with the sandbox's clock at this time. */
async function withClockAt<Result>(timestamp: string, work: () => Promise<Result>): Promise<Result> {
  opened.sandbox.now = Date.parse(timestamp) / 1_000;
  try {
    return await work();
  } finally {
    opened.sandbox.now = START;
  }
}

const period = (name: string, offset = 0) => relative('created_at', name, offset);

describe('calendar range', () => {
  it.each([
    ['Europe/Amsterdam', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Amsterdam', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['Asia/Kathmandu', '2026-06-01', '2026-05-31T18:15:00Z', '2026-06-01T18:15:00Z'],
    // Clocks skip midnight, so the day starts at 01:00.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
    ['Africa/Cairo', '2026-10-29', '2026-10-28T21:00:00Z', '2026-10-29T22:00:00Z'],
    // Clocks change by half an hour.
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z'],
    // The time zone skipped this day.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z'],
    ['UTC', '2024-02-29', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
  ])(
    'starts in %s on %s at the first instant of the day, and ends at that of the next',
    spec('4.12.27', '4.12.68'),
    async (zone, day, start, end) => {
      expect(await fetchBounds(zone, days(day))).toEqual([start, end]);
    },
  );

  it('includes the last day', spec('4.12.27'), async () => {
    expect(await fetchBounds('Europe/Amsterdam', days('2026-03-01', '2026-03-31'))).toEqual([
      '2026-02-28T23:00:00Z',
      '2026-03-31T22:00:00Z',
    ]);
  });

  it('defaults to the workspace’s time zone', spec('4.12.25'), async () => {
    expect(await fetchBounds('', days('2026-01-01'))).toEqual(['2025-12-31T23:00:00Z', '2026-01-01T23:00:00Z']);
  });
});

describe('timestamp range', () => {
  it('retains its bounds, converted to UTC', spec('4.12.28'), async () => {
    const timestamp = { start: '2026-01-01T01:00:00.5+01:00', end: '2026-01-01T00:00:00.500001Z' };
    expect(await fetchBounds('Asia/Kathmandu', { field: 'created_at', timestamp })).toEqual([
      '2026-01-01T00:00:00.5Z',
      '2026-01-01T00:00:00.500001Z',
    ]);
  });
});

describe('relative range', () => {
  /** Monday, March 2, 2026, 10:00 in Amsterdam. */
  it.each([
    ['TODAY', 0, '2026-03-01T23:00:00Z', '2026-03-02T23:00:00Z'],
    ['TODAY', -1, '2026-02-28T23:00:00Z', '2026-03-01T23:00:00Z'],
    ['TODAY', 1, '2026-03-02T23:00:00Z', '2026-03-03T23:00:00Z'],
    ['THIS_WEEK', 0, '2026-03-01T23:00:00Z', '2026-03-08T23:00:00Z'],
    ['THIS_WEEK', -1, '2026-02-22T23:00:00Z', '2026-03-01T23:00:00Z'],
    // Includes a clock change.
    ['THIS_WEEK', 4, '2026-03-29T22:00:00Z', '2026-04-05T22:00:00Z'],
    ['THIS_MONTH', 0, '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['THIS_MONTH', -24, '2024-02-29T23:00:00Z', '2024-03-31T22:00:00Z'],
    ['THIS_QUARTER', 0, '2025-12-31T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['THIS_QUARTER', -1, '2025-09-30T22:00:00Z', '2025-12-31T23:00:00Z'],
    ['THIS_YEAR', 0, '2025-12-31T23:00:00Z', '2026-12-31T23:00:00Z'],
    ['THIS_YEAR', 24, '2049-12-31T23:00:00Z', '2050-12-31T23:00:00Z'],
    ['LAST_7_DAYS', 0, '2026-02-23T23:00:00Z', '2026-03-02T23:00:00Z'],
    ['LAST_7_DAYS', -1, '2026-02-16T23:00:00Z', '2026-02-23T23:00:00Z'],
    ['LAST_30_DAYS', 0, '2026-01-31T23:00:00Z', '2026-03-02T23:00:00Z'],
    ['LAST_30_DAYS', 1, '2026-03-02T23:00:00Z', '2026-04-01T22:00:00Z'],
    ['LAST_90_DAYS', 0, '2025-12-02T23:00:00Z', '2026-03-02T23:00:00Z'],
    ['LAST_90_DAYS', -1, '2025-09-03T22:00:00Z', '2025-12-02T23:00:00Z'],
    ['LAST_12_MONTHS', 0, '2025-03-31T22:00:00Z', '2026-03-31T22:00:00Z'],
    ['LAST_12_MONTHS', -1, '2024-03-31T22:00:00Z', '2025-03-31T22:00:00Z'],
  ])('consists of whole days for %s with offset %i', spec('4.12.65', '4.12.66', '4.12.67'), async (name, offset, start, end) => {
    expect(await fetchBounds('Europe/Amsterdam', period(name, offset))).toEqual([start, end]);
  });

  it('starts on the current day of the time zone, and weeks on Monday', async () => {
    await withClockAt('2026-03-01T22:30:00Z', async () => {
      expect(await fetchBounds('Europe/Amsterdam', period('THIS_WEEK'))).toEqual(['2026-02-22T23:00:00Z', '2026-03-01T23:00:00Z']);
      expect(await fetchBounds('Asia/Kathmandu', period('THIS_WEEK'))).toEqual(['2026-03-01T18:15:00Z', '2026-03-08T18:15:00Z']);
    });
  });

  it('covers whole months if today is the last day of a month', spec('4.12.66'), async () => {
    await withClockAt('2026-03-31T12:00:00Z', async () => {
      expect(await fetchBounds('UTC', period('THIS_MONTH', -1))).toEqual(['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z']);
      expect(await fetchBounds('UTC', period('LAST_12_MONTHS'))).toEqual(['2025-04-01T00:00:00Z', '2026-04-01T00:00:00Z']);
    });
  });

  it('starts on an existing day if the time zone skipped its first day', async () => {
    await withClockAt('2011-12-31T12:00:00Z', async () => {
      expect(await fetchBounds('Pacific/Apia', period('TODAY'))).toEqual(['2011-12-31T10:00:00Z', '2012-01-01T10:00:00Z']);
      expect(await fetchBounds('Pacific/Apia', period('LAST_7_DAYS'))).toEqual(['2011-12-26T10:00:00Z', '2012-01-01T10:00:00Z']);
    });
  });
});

/** Timestamps around clock changes, for orders with searchable numbers. */
const TIMESTAMPS = [
  '2011-12-30T09:59:59Z', // The 29th in Apia.
  '2011-12-30T10:00:00Z', // The 31st.
  '2026-03-28T22:59:59Z', // The 28th in Amsterdam.
  '2026-03-28T23:00:00Z', // The 29th, which has 23 hours.
  '2026-03-29T21:59:59Z',
  '2026-03-29T22:00:00Z', // Monday the 30th.
  '2026-04-05T13:29:59Z', // The 5th on Lord Howe Island and in Amsterdam.
  '2026-04-05T13:30:00Z', // The 6th on Lord Howe Island.
  '2026-04-23T21:59:59Z', // The 23rd in Cairo.
  '2026-04-23T22:00:00Z', // The 24th, which starts at 01:00.
];

beforeAll(() => {
  for (const [index, timestamp] of TIMESTAMPS.entries())
    addRow(opened.sandbox.world, 'orders', {
      reference_number: `zone ${index}`,
      quote_id: `zone ${index}`,
      created_at: Date.parse(timestamp) / 1_000,
    });
});

const ZONED = compare('reference_number', 'CONTAINS', { text: 'zone ' });

const groupByBucket = (timezone: string, bucket: string, timeRange: object, field = 'created_at') =>
  sendQuery(
    call,
    createQuery('orders', { timezone, timeRange, filter: ZONED, aggregate: { measures: [COUNT], dimensions: [dimension(field, bucket)] } }),
  );

const YEAR = calendar('created_at', '2026-01-01', '2026-12-31');

describe('time bucket', () => {
  it('has its first day in the time zone as its value, and no row if it’s empty', spec('4.12.59'), async () => {
    const { rows, ids } = await groupByBucket('Europe/Amsterdam', 'DAY', YEAR);
    expect(ids).toEqual(['created_at_day', 'count']);
    expect(rows).toEqual([
      ['2026-03-28', '1'],
      ['2026-03-29', '2'],
      ['2026-03-30', '1'],
      ['2026-04-05', '2'],
      ['2026-04-23', '1'],
      ['2026-04-24', '1'],
    ]);
  });

  it('depends on the time zone', async () => {
    expect((await groupByBucket('Australia/Lord_Howe', 'DAY', calendar('created_at', '2026-04-05', '2026-04-06'))).rows).toEqual([
      ['2026-04-05', '1'],
      ['2026-04-06', '1'],
    ]);
    expect((await groupByBucket('Africa/Cairo', 'DAY', calendar('created_at', '2026-04-23', '2026-04-24'))).rows).toEqual([
      ['2026-04-23', '1'],
      ['2026-04-24', '1'],
    ]);
    expect((await groupByBucket('Pacific/Apia', 'DAY', calendar('created_at', '2011-12-01', '2011-12-31'))).rows).toEqual([
      ['2011-12-29', '1'],
      ['2011-12-31', '1'],
    ]);
  });

  it('starts on Monday for weeks, and on the first day for months, quarters and years', spec('4.12.57'), async () => {
    expect((await groupByBucket('Europe/Amsterdam', 'WEEK', YEAR)).rows).toEqual([
      ['2026-03-23', '3'],
      ['2026-03-30', '3'],
      ['2026-04-20', '2'],
    ]);
    expect((await groupByBucket('Europe/Amsterdam', 'MONTH', YEAR)).rows).toEqual([
      ['2026-03-01', '4'],
      ['2026-04-01', '4'],
    ]);
    expect((await groupByBucket('Europe/Amsterdam', 'QUARTER', YEAR)).rows).toEqual([
      ['2026-01-01', '4'],
      ['2026-04-01', '4'],
    ]);
    expect((await groupByBucket('Europe/Amsterdam', 'YEAR', YEAR)).rows).toEqual([['2026-01-01', '8']]);
  });

  it('counts only rows within the range, and adds a warning if the range cuts it off', async () => {
    const { rows, result } = await groupByBucket('Europe/Amsterdam', 'WEEK', calendar('created_at', '2026-03-29', '2026-04-01'));
    expect(rows).toEqual([
      ['2026-03-23', '2'],
      ['2026-03-30', '1'],
    ]);
    expect(result.warnings).toEqual([
      'The first bucket of created_at_week starts before the time range. It only counts what lies within the range.',
      'The last bucket of created_at_week ends after the time range. It only counts what lies within the range.',
    ]);
    expect(
      (await groupByBucket('Europe/Amsterdam', 'WEEK', calendar('created_at', '2026-03-23', '2026-04-05'))).result.warnings ?? [],
    ).toEqual([]);
  });

  it('can use another field than the range, and then be empty', async () => {
    opened.sandbox.world.store.run("UPDATE orders SET cancelled_at = :at WHERE reference_number = 'zone 3'", { at: START });
    opened.sandbox.world.store.run(
      "UPDATE orders SET cancelled_at = NULL WHERE reference_number LIKE 'zone %' AND reference_number <> 'zone 3'",
    );
    expect((await groupByBucket('Europe/Amsterdam', 'MONTH', YEAR, 'cancelled_at')).rows).toEqual([
      ['2026-03-01', '1'],
      [null, '7'],
    ]);
  });
});
