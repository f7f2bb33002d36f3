import { Temporal } from 'temporal-polyfill';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Part of a day of a time zone, from one change of its clocks to the next, or to the end of the day. Unix seconds; `to` is not part of it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Seconds since midnight that clocks show at `from`. */
  readonly clock: number;
}

/** A span of time in Unix seconds, without its end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When something is open, as clocks show it: in minutes since midnight, without the end. Weekdays are those of ISO 8601, where Monday is 1. */
export interface Hours {
  readonly opens: number;
  readonly closes: number;
  readonly weekdays: readonly number[];
}

/** Whether the text is a day of the calendar, such as 2026-02-28. */
export function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** The day that calendars of a time zone show at a moment. */
export const dayAt = (at: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at * 1000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();

/** The day that comes so many days after another one. */
export const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** The weekday of a day by ISO 8601: Monday is 1. */
export const weekdayOf = (day: string): number => Temporal.PlainDate.from(day).dayOfWeek;

/** The stretches of a day, in order. Clocks that are put back over midnight may make a day of two pieces; a day that a zone has skipped has none. */
export function stretchesOf(day: string, timeZone: string): Stretch[] {
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000;
  const found: Stretch[] = [];
  // No zone is a day or more away from UTC.
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

/** The part of each stretch in which clocks show open hours. */
function openStretches(day: string, timeZone: string, { opens, closes, weekdays }: Hours): Stretch[] {
  if (!weekdays.includes(weekdayOf(day))) return [];
  return stretchesOf(day, timeZone).flatMap(({ from, to, clock }) => {
    const start = Math.max(clock, opens * MINUTE_SECONDS);
    const end = Math.min(clock + to - from, closes * MINUTE_SECONDS);
    return start < end ? [{ from: from + start - clock, to: from + end - clock, clock: start }] : [];
  });
}

/** The spans in which something is open on a day: those that follow each other at once are one. */
export function openSpans(day: string, timeZone: string, hours: Hours): Span[] {
  const spans: Span[] = [];
  for (const { from, to } of openStretches(day, timeZone, hours)) {
    const last = spans.at(-1);
    if (last?.to === from) spans[spans.length - 1] = { from: last.from, to };
    else spans.push({ from, to });
  }
  return spans;
}

/**
 * The moments of a day at which clocks show the opening time, or it and a multiple of so many minutes, in order. A time that clocks skip is none of them, and one
 * that they show twice stands for two.
 */
export function clockTimes(day: string, timeZone: string, hours: Hours, minutes: number): number[] {
  const step = minutes * MINUTE_SECONDS;
  return openStretches(day, timeZone, hours).flatMap(({ from, to, clock }) => {
    const steps = Math.ceil((clock - hours.opens * MINUTE_SECONDS) / step);
    const first = from + hours.opens * MINUTE_SECONDS + steps * step - clock;
    return Array.from({ length: Math.max(0, Math.ceil((to - first) / step)) }, (_, index) => first + index * step);
  });
}
