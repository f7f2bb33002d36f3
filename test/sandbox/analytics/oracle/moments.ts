import { Temporal } from 'temporal-polyfill';
import {
  type AnalyticsTimeRange,
  AnalyticsRelativePeriod as Period,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';

/** A half-open time range in Unix microseconds. */
export interface Range {
  readonly start: bigint;
  readonly end: bigint;
}

const toMicroseconds = (instant: Temporal.Instant): bigint => instant.epochNanoseconds / 1000n;

/** Parses RFC 3339. */
export const parseTimestamp = (text: string): bigint => toMicroseconds(Temporal.Instant.from(text));

const getStartOfDay = (day: Temporal.PlainDate, zone: string): bigint =>
  toMicroseconds(day.toZonedDateTime({ timeZone: zone }).toInstant());

/** The first days of a time range and of the next one. */
type Days = readonly [Temporal.PlainDate, Temporal.PlainDate];

const getMonday = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 });
const getFirstOfMonth = (day: Temporal.PlainDate) => day.with({ day: 1 });
const getFirstOfQuarter = (day: Temporal.PlainDate) => day.with({ month: day.month - ((day.month - 1) % 3), day: 1 });
const getFirstOfYear = (day: Temporal.PlainDate) => day.with({ month: 1, day: 1 });

function resolveRelativeDays(period: Period, offset: number, today: Temporal.PlainDate): Days {
  const rolling = (days: number): Days => {
    const next = today.add({ days: 1 + offset * days });
    return [next.subtract({ days }), next];
  };
  const from = (start: Temporal.PlainDate, length: Temporal.DurationLike): Days => [start, start.add(length)];
  switch (period) {
    case Period.TODAY:
      return rolling(1);
    case Period.LAST_7_DAYS:
      return rolling(7);
    case Period.LAST_30_DAYS:
      return rolling(30);
    case Period.LAST_90_DAYS:
      return rolling(90);
    case Period.THIS_WEEK:
      return from(getMonday(today).add({ weeks: offset }), { weeks: 1 });
    case Period.THIS_MONTH:
      return from(getFirstOfMonth(today).add({ months: offset }), { months: 1 });
    case Period.THIS_QUARTER:
      return from(getFirstOfQuarter(today).add({ months: 3 * offset }), { months: 3 });
    case Period.THIS_YEAR:
      return from(getFirstOfYear(today).add({ years: offset }), { years: 1 });
    case Period.LAST_12_MONTHS:
      return from(getFirstOfMonth(today).add({ months: 12 * offset - 11 }), { months: 12 });
    default:
      throw new Error(`The oracle knows no period ${period}.`);
  }
}

/** The first and last day of a relative range, which specify the equivalent calendar range. */
export function toCalendarRange(period: Period, offset: number, zone: string, now: number): { startDate: string; endDate: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(now * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  const [start, end] = resolveRelativeDays(period, offset, today);
  return { startDate: start.toString(), endDate: end.subtract({ days: 1 }).toString() };
}

/** The time range of a query at this Unix time. */
export function resolveRange({ calendar, timestamp, relative }: AnalyticsTimeRange, zone: string, now: number): Range {
  if (timestamp) return { start: parseTimestamp(timestamp.start), end: parseTimestamp(timestamp.end) };
  const days = calendar ?? (relative && toCalendarRange(relative.period, relative.offset, zone, now));
  if (!days) throw new Error('The range has no form.');
  return {
    start: getStartOfDay(Temporal.PlainDate.from(days.startDate), zone),
    end: getStartOfDay(Temporal.PlainDate.from(days.endDate).add({ days: 1 }), zone),
  };
}

/** The first day of the bucket that contains a timestamp. */
export function getBucket(timestamp: bigint, bucket: TimeBucket, zone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(Number(timestamp / 1000n))
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  switch (bucket) {
    case TimeBucket.DAY:
      return day.toString();
    case TimeBucket.WEEK:
      return getMonday(day).toString();
    case TimeBucket.MONTH:
      return getFirstOfMonth(day).toString();
    case TimeBucket.QUARTER:
      return getFirstOfQuarter(day).toString();
    case TimeBucket.YEAR:
      return getFirstOfYear(day).toString();
    default:
      throw new Error(`The oracle knows no bucket ${bucket}.`);
  }
}
