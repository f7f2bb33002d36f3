import { describe, expect, it } from 'vitest';
import {
  addDays,
  getDate,
  getWeekday,
  type Hours,
  isDate,
  listClockTimes,
  listIntervals,
  openSpans,
} from '../../../sandbox/work/calendar.ts';
import { fc } from '../../support/seeded.ts';

const ZONES = [
  'Europe/Amsterdam',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  // Until 2011, clocks went back at one minute past midnight, into the previous day.
  'America/St_Johns',
  // Clocks go forward at midnight, so the day starts at 01:00.
  'America/Santiago',
] as const;

/** Days with a clock change in one of the time zones, or that one of them skipped. */
const CHANGES = [
  '1986-01-01',
  '2006-10-28',
  '2006-10-29',
  '2011-12-29',
  '2011-12-30',
  '2011-12-31',
  '2024-09-08',
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
];

const ALL_DAY: Hours = { opens: 0, closes: 1_440, weekdays: [1, 2, 3, 4, 5, 6, 7] };

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(timeZone, format);
  return format;
}

interface Minute {
  /** Unix seconds. */
  readonly at: number;
  /** Local time in minutes since midnight. */
  readonly clock: number;
}

/** Clocks change at most once within a step, so the local times at both ends reveal a change. */
const STEP_MS = 15 * MINUTE_MS;

/** The local time at an instant, as if it were UTC. */
const toLocalInstant = (at: number, timeZone: string) => Date.parse(`${createFormat(timeZone).format(at).replace(' ', 'T')}Z`);

/** Every minute of a day according to Intl. Intl is slow, so only minutes around a clock change are formatted one by one. */
function listMinutes(day: string, timeZone: string): Minute[] {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const minutes: Minute[] = [];
  for (let from = midnight - DAY_MS; from < midnight + 2 * DAY_MS; from += STEP_MS) {
    const local = toLocalInstant(from, timeZone);
    const isSteady = toLocalInstant(from + STEP_MS, timeZone) - local === STEP_MS;
    for (let ms = 0; ms < STEP_MS; ms += MINUTE_MS) {
      const clock = ((isSteady ? local + ms : toLocalInstant(from + ms, timeZone)) - midnight) / MINUTE_MS;
      if (clock >= 0 && clock < 1_440) minutes.push({ at: (from + ms) / 1000, clock });
    }
  }
  return minutes;
}

const isOpenAt =
  ({ opens, closes }: Hours) =>
  ({ clock }: Minute) =>
    clock >= opens && clock < closes;

/** The time ranges that consist of open minutes. */
function groupMinutes(minutes: readonly Minute[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const { at } of minutes) {
    const last = spans.at(-1);
    if (last?.to === at) last.to = at + 60;
    else spans.push({ from: at, to: at + 60 });
  }
  return spans;
}

const anyDay = fc.oneof(
  fc.constantFrom(...CHANGES),
  fc.date({ min: new Date('1975-01-01'), max: new Date('2036-12-31'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
);
const anyHours = fc
  .tuple(fc.integer({ min: 0, max: 96 }), fc.integer({ min: 1, max: 96 }))
  .map(([one, other]) => ({ ...ALL_DAY, opens: Math.min(one, other) * 15, closes: Math.max(one, other) * 15 }));

describe.each(ZONES)('days in %s', (timeZone) => {
  it('contain the minutes according to Intl, in any year', () => {
    fc.assert(
      fc.property(anyDay, anyHours, fc.constantFrom(15, 20, 30, 45, 60, 90), (day, hours, step) => {
        const open = listMinutes(day, timeZone).filter(isOpenAt(hours));
        expect(openSpans(day, timeZone, hours)).toEqual(groupMinutes(open));
        const starts = open.filter(({ clock }) => (clock - hours.opens) % step === 0).map(({ at }) => at);
        expect(listClockTimes(day, timeZone, hours, step)).toEqual(starts);
        for (const at of starts) expect(getDate(at, timeZone)).toBe(day);
      }),
      { numRuns: 40 },
    );
  });
});

const countHours = (day: string, timeZone: string) =>
  listIntervals(day, timeZone).reduce((seconds, { from, to }) => seconds + to - from, 0) / 3_600;

const clock = (at: number, timeZone: string) =>
  createFormat(timeZone)
    .format(at * 1000)
    .slice(-5);

describe('day with a clock change', () => {
  it.each([
    ['Europe/Amsterdam', '2026-03-29', 23],
    ['Europe/Amsterdam', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Asia/Kathmandu', '1986-01-01', 23.75],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Pacific/Apia', '2011-12-30', 0],
    ['Pacific/Apia', '2011-12-31', 24],
  ])('has the right number of hours in %s on %s', (timeZone, day, hours) => {
    expect(countHours(day, timeZone)).toBe(hours);
  });

  it('omits a skipped hour, and contains a repeated one twice', () => {
    const listTimes = (day: string) =>
      listClockTimes(day, 'Europe/Amsterdam', { ...ALL_DAY, closes: 240 }, 60).map((at) => clock(at, 'Europe/Amsterdam'));
    expect(listTimes('2026-03-29')).toEqual(['00:00', '01:00', '03:00']);
    expect(listTimes('2026-10-25')).toEqual(['00:00', '01:00', '02:00', '02:00', '03:00']);
  });

  it('has two open time ranges if clocks go back across closing time', () => {
    const [one, other, ...more] = openSpans('2026-10-25', 'Europe/Amsterdam', { ...ALL_DAY, opens: 60, closes: 150 });
    expect([one?.to, other?.from, more].map((at) => typeof at)).toEqual(['number', 'number', 'object']);
    expect(((other?.from ?? 0) - (one?.to ?? 0)) / 60).toBe(30);
    expect(more).toEqual([]);
  });
});

describe('calendar', () => {
  it('has no open hours on other weekdays', () => {
    const hours = { ...ALL_DAY, weekdays: [1, 2, 3, 4, 5] };
    const week = Array.from({ length: 7 }, (_, index) => addDays('2026-02-27', index));
    expect(week.map((day) => openSpans(day, 'Asia/Kathmandu', hours).length)).toEqual([1, 0, 0, 1, 1, 1, 1]);
    expect(week.map(getWeekday)).toEqual([5, 6, 7, 1, 2, 3, 4]);
  });

  it.each(['2026-02-29', '2026-13-01', '2026-1-01', 'today', '2026-02-28T00:00:00Z', ''])('rejects the date %j', (text) => {
    expect(isDate(text)).toBe(false);
  });

  it('determines the date of a timestamp by time zone', () => {
    const at = Date.parse('2026-03-08T04:30:00Z') / 1000;
    expect(ZONES.slice(0, 5).map((timeZone) => getDate(at, timeZone))).toEqual([
      '2026-03-08',
      '2026-03-07',
      '2026-03-08',
      '2026-03-08',
      '2026-03-08',
    ]);
    expect(isDate('2028-02-29')).toBe(true);
  });
});
