import { Temporal } from 'temporal-polyfill';

interface Range {
  readonly from: string | null;
  readonly to: string | null;
}

/** The first days of the months in a time range. Results omit months without data, but a chart must include them. */
export function listMonths({ from, to }: Range, timeZone: string): string[] {
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

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
/** A month as an axis label. */
export const formatShortMonth = (day: string): string => SHORT.format(toDate(day));
/** A month with its year. */
export const formatLongMonth = (day: string): string => LONG.format(toDate(day));
