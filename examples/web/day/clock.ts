import { Temporal } from 'temporal-polyfill';

/** Zone of an agenda that names none. */
export const NO_ZONE = 'UTC';

/** Today, where the browser is. */
export const today = (): string => Temporal.Now.plainDateISO().toString();

/** The day so many days later. */
export const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** A day of a zone as a stretch of time. With a change of the clocks it has 23 or 25 hours, and may not begin at midnight. */
export function rangeOf(day: string, timeZone: string): { readonly from: string; readonly to: string } {
  const start = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString();
  return { from: start(day), to: start(daysAfter(day, 1)) };
}

/** An offset in short, such as `UTC−4`. Its sign is no hyphen, so that lines do not break behind it. */
const offsetName = (offset: string): string =>
  `UTC${offset
    .replace('-', '−')
    .replace(/(?<=[+−])0/, '')
    .replace(':00', '')}`;

/** The time that clocks of a zone show. One that comes twice, as clocks are put back, has its offset beside it. */
export function timeAt(moment: string, timeZone: string): string {
  const at = Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone);
  const shown = at.toPlainDateTime();
  const [first, last] = (['earlier', 'later'] as const).map((disambiguation) => shown.toZonedDateTime(timeZone, { disambiguation }));
  const time = shown.toPlainTime().toString({ smallestUnit: 'minute' });
  return first?.offset === last?.offset ? time : `${time} ${offsetName(at.offset)}`;
}

/** A day for people, with the day of the week. */
export const dayName = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
