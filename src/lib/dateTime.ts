const DAY_SECONDS = 86_400;
/** The first second after the years that RFC 3339 can represent with four digits. */
const YEAR_10000 = 253_402_300_800;
/** Maximum number of cached dates. Chosen: eleven years, in about 300 kB. */
const MAX_DAYS = 4_096;

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Dates with a trailing `T`, by the number of days since 1970. */
const dates = new Map<number, string>();

function formatDate(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  if (dates.size >= MAX_DAYS) dates.clear();
  const date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 11);
  dates.set(day, date);
  return date;
}

/**
 * Formats Unix seconds in RFC 3339 in UTC, with milliseconds only if they aren't 0. Null if a `Date` can't represent the time. Not `toISOString`, which took a
 * fourteenth of the time of a page of customers.
 */
export function toDateTime(unixSeconds: number): string | null {
  if (Number.isInteger(unixSeconds) && unixSeconds >= 0 && unixSeconds < YEAR_10000) {
    const day = Math.floor(unixSeconds / DAY_SECONDS);
    const second = unixSeconds - day * DAY_SECONDS;
    const hours = TWO_DIGITS[Math.floor(second / 3_600)];
    return `${formatDate(day)}${hours}:${TWO_DIGITS[Math.floor(second / 60) % 60]}:${TWO_DIGITS[second % 60]}Z`;
  }
  const date = new Date(unixSeconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}
