import { Temporal } from 'temporal-polyfill';
import {
  type AnalyticsTimeRange,
  AnalyticsRelativePeriod as Period,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { parseTimestamp } from './values.ts';

/** A time range. The end is exclusive. */
export interface Range {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

/** Returns the canonical name of an IANA time zone, or undefined for other text. */
export function canonicalizeTimeZone(zone: string): string | undefined {
  // Temporal also accepts offsets such as +01:00, which aren't IANA time zones.
  if (!/^[A-Za-z]/.test(zone)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch {
    return undefined;
  }
}

/** The first instant of a day, which isn't midnight if clocks skip it. A time zone can also skip the whole day. */
export const startOfDay = (day: Temporal.PlainDate, zone: string): Temporal.Instant => day.toZonedDateTime(zone).toInstant();

/** The first day of the calendar unit that contains a day. Weeks start on Monday. */
export function getFirstDay(unit: 'day' | 'week' | 'month' | 'quarter' | 'year', day: Temporal.PlainDate): Temporal.PlainDate {
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return day.subtract({ days: day.dayOfWeek - 1 });
    case 'month':
      return day.with({ day: 1 });
    case 'quarter':
      return day.with({ month: day.month - ((day.month - 1) % 3), day: 1 });
    case 'year':
      return day.with({ month: 1, day: 1 });
  }
}

/** The length of a period, which is also the unit of its offset, and its first day relative to today. */
interface RelativePeriod {
  readonly length: { readonly days?: number; readonly months?: number };
  readonly first: (today: Temporal.PlainDate) => Temporal.PlainDate;
}

const createLastDays = (days: number): RelativePeriod => ({ length: { days }, first: (today) => today.subtract({ days: days - 1 }) });

const PERIODS: Readonly<Partial<Record<Period, RelativePeriod>>> = {
  [Period.TODAY]: { length: { days: 1 }, first: (today) => today },
  [Period.THIS_WEEK]: { length: { days: 7 }, first: (today) => getFirstDay('week', today) },
  [Period.THIS_MONTH]: { length: { months: 1 }, first: (today) => getFirstDay('month', today) },
  [Period.THIS_QUARTER]: { length: { months: 3 }, first: (today) => getFirstDay('quarter', today) },
  [Period.THIS_YEAR]: { length: { months: 12 }, first: (today) => getFirstDay('year', today) },
  [Period.LAST_7_DAYS]: createLastDays(7),
  [Period.LAST_30_DAYS]: createLastDays(30),
  [Period.LAST_90_DAYS]: createLastDays(90),
  [Period.LAST_12_MONTHS]: { length: { months: 12 }, first: (today) => getFirstDay('month', today).subtract({ months: 11 }) },
};

/** Whether the period is defined. */
export const isPeriod = (period: Period): boolean => PERIODS[period] !== undefined;

function resolveRelativeRange(period: Period, offset: number, { now, zone }: EvaluationTime): Range {
  const found = PERIODS[period];
  if (!found) throw new Error(`A period must be one of the contract, but is ${period}.`);
  const { length, first } = found;
  const shift = { days: (length.days ?? 0) * offset, months: (length.months ?? 0) * offset };
  const start = first(
    Temporal.Instant.fromEpochMilliseconds(now * 1_000)
      .toZonedDateTimeISO(zone)
      .toPlainDate(),
  ).add(shift);
  return { start: startOfDay(start, zone), end: startOfDay(start.add(length), zone) };
}

/** The time at which a query is evaluated, and its time zone. */
export interface EvaluationTime {
  /** Unix seconds. */
  readonly now: number;
  readonly zone: string;
}

/** Resolves a checked time range to absolute bounds. */
export function resolveRange({ calendar, timestamp, relative }: AnalyticsTimeRange, evaluationTime: EvaluationTime): Range {
  if (relative) return resolveRelativeRange(relative.period, relative.offset, evaluationTime);
  if (calendar) {
    const [first, last] = [Temporal.PlainDate.from(calendar.startDate), Temporal.PlainDate.from(calendar.endDate)];
    return { start: startOfDay(first, evaluationTime.zone), end: startOfDay(last.add({ days: 1 }), evaluationTime.zone) };
  }
  const [start, end] = [parseTimestamp(timestamp?.start ?? ''), parseTimestamp(timestamp?.end ?? '')];
  if (!start || !end) throw new Error('The time range must be validated before it is resolved.');
  return { start, end };
}
