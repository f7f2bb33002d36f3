import { Temporal } from 'temporal-polyfill';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** A part of a day in a time zone without a clock change. Unix seconds; `to` is exclusive. */
interface Interval {
  readonly from: number;
  readonly to: number;
  /** Local time at `from`, in seconds since midnight. */
  readonly clock: number;
}

/** A time range in Unix seconds. The end is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Opening hours in local time, in minutes since midnight. The end is exclusive. Weekdays are ISO 8601 numbers, where 1 is Monday. */
export interface Hours {
  readonly opens: number;
  readonly closes: number;
  readonly weekdays: readonly number[];
}

/** Whether the text is a valid date, such as 2026-02-28. */
export function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** The date in a time zone at a timestamp. */
export const getDate = (at: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at * 1000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();

/** The date that is this many days later. */
export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** The ISO 8601 weekday of a date, where 1 is Monday. */
export const getWeekday = (day: string): number => Temporal.PlainDate.from(day).dayOfWeek;

/**
 * The parts of a day without a clock change, in order. If clocks go back across midnight, a day can consist of two separate parts. A day that the time zone
 * skips has none.
 */
export function listIntervals(day: string, timeZone: string): Interval[] {
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000;
  const found: Interval[] = [];
  // Every time zone's offset is less than a day.
  for (let at = midnight - DAY_SECONDS; at < midnight + 2 * DAY_SECONDS; ) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(timeZone);
    const offset = zoned.offsetNanoseconds / 1e9;
    const change = zoned.getTimeZoneTransition('next');
    const next = change ? Math.ceil(change.epochMilliseconds / 1000) : Number.POSITIVE_INFINITY;
    const [from, to] = [Math.max(at, midnight - offset), Math.min(next, midnight + DAY_SECONDS - offset)];
    if (from < to) found.push({ from, to, clock: from + offset - midnight });
    at = next;
  }
  return found;
}

/** The opening hours within each part of the day. */
function openIntervals(day: string, timeZone: string, { opens, closes, weekdays }: Hours): Interval[] {
  if (!weekdays.includes(getWeekday(day))) return [];
  return listIntervals(day, timeZone).flatMap(({ from, to, clock }) => {
    const start = Math.max(clock, opens * MINUTE_SECONDS);
    const end = Math.min(clock + to - from, closes * MINUTE_SECONDS);
    return start < end ? [{ from: from + start - clock, to: from + end - clock, clock: start }] : [];
  });
}

/** The time ranges when something is open on a day. Adjacent ranges are merged. */
export function openSpans(day: string, timeZone: string, hours: Hours): Span[] {
  const spans: Span[] = [];
  for (const { from, to } of openIntervals(day, timeZone, hours)) {
    const last = spans.at(-1);
    if (last?.to === from) spans[spans.length - 1] = { from: last.from, to };
    else spans.push({ from, to });
  }
  return spans;
}

/**
 * The timestamps of a day at which the local time is the opening time plus a multiple of `minutes`, in order. Skipped local times are omitted, and repeated
 * ones occur twice.
 */
export function listClockTimes(day: string, timeZone: string, hours: Hours, minutes: number): number[] {
  const step = minutes * MINUTE_SECONDS;
  return openIntervals(day, timeZone, hours).flatMap(({ from, to, clock }) => {
    const steps = Math.ceil((clock - hours.opens * MINUTE_SECONDS) / step);
    const first = from + hours.opens * MINUTE_SECONDS + steps * step - clock;
    return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, index) => first + index * step);
  });
}
