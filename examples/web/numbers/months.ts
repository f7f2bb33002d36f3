import { Temporal } from 'temporal-polyfill';

interface Range {
  readonly from: string | null;
  readonly to: string | null;
}

/** The first days of the months that a stretch of time touches. Answers leave out those in which nothing was counted, and a chart must not. */
export function monthsOf({ from, to }: Range, timeZone: string): string[] {
  if (!from || !to) return [];
  const last = Temporal.Instant.from(to).subtract({ nanoseconds: 1 }).toZonedDateTimeISO(timeZone).toPlainDate();
  const months: string[] = [];
  let month = Temporal.Instant.from(from).toZonedDateTimeISO(timeZone).toPlainDate().with({ day: 1 });
  for (; Temporal.PlainDate.compare(month, last) <= 0; month = month.add({ months: 1 })) months.push(month.toString());
  return months;
}

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const SHORT = format({ month: 'short' });
const LONG = format({ month: 'long', year: 'numeric' });

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
/** A month for the axis of a chart. */
export const shortMonth = (day: string): string => SHORT.format(dateOf(day));
/** A month with its year. */
export const longMonth = (day: string): string => LONG.format(dateOf(day));
