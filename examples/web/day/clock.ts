import { Temporal } from 'temporal-polyfill';

/** Default time zone of an agenda. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** Today in the browser's time zone. */
export const getToday = (): string => Temporal.Now.plainDateISO().toString();

/** Whether a text is a day of the calendar, such as `2030-03-10`. */
export function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** Adds days to a day. */
export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** A day in a time zone as a time range. It has 23 or 25 hours if the clocks change, and may not start at midnight. */
export function toTimeRange(day: string, timeZone: string): { readonly gte: string; readonly lt: string } {
  const start = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString();
  return { gte: start(day), lt: start(addDays(day, 1)) };
}

/** An offset in short, such as `UTC−4`. Uses a minus sign instead of a hyphen, so that lines don't break after it. */
const formatOffset = (offset: string): string =>
  `UTC${offset
    .replace('-', '−')
    .replace(/(?<=[+−])0/, '')
    .replace(':00', '')}`;

/** The local time in a time zone. Includes the offset for times that occur twice when the clocks are set back. */
export function formatTime(timestamp: string, timeZone: string): string {
  const at = Temporal.Instant.from(timestamp).toZonedDateTimeISO(timeZone);
  const local = at.toPlainDateTime();
  const [first, last] = (['earlier', 'later'] as const).map((disambiguation) => local.toZonedDateTime(timeZone, { disambiguation }));
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  return first?.offset === last?.offset ? time : `${time} ${formatOffset(at.offset)}`;
}

/** A day with its weekday, formatted for people. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
