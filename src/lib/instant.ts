import { toDateTime } from './dateTime.ts';

/**
 * An instant with any number of decimal places: Unix seconds, then a point and the digits of the fraction if there is one, such as `1767225600.25`. As in
 * POSIX, the seconds are rounded down and the fraction is added to them, also before 1970: `-1.75` is a quarter of a second before 1970.
 */
export type Instant = string;

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Whether the day of a calendar date exists: `Date.parse` accepts February 30 as March 1. */
export function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Parses an RFC 3339 timestamp. Undefined for other text, and for days that don't exist. */
export function parseInstant(text: string): Instant | undefined {
  const [, date = '', time = '', digits = '', offset = ''] = RFC_3339.exec(text) ?? [];
  const milliseconds = isDay(date) ? Date.parse(`${date}T${time}${offset}`) : Number.NaN;
  if (Number.isNaN(milliseconds)) return undefined;
  const fraction = digits.replace(/0+$/, '');
  return fraction === '' ? String(milliseconds / 1000) : `${milliseconds / 1000}.${fraction}`;
}

function splitInstant(instant: Instant): readonly [seconds: number, fraction: string] {
  const [seconds, fraction = ''] = instant.split('.');
  return [Number(seconds), fraction];
}

/** The last whole second that isn't after the instant. */
export const floorSeconds = (instant: Instant): number => splitInstant(instant)[0];

/** The first whole second that isn't before the instant. */
export function ceilToSeconds(instant: Instant): number {
  const [seconds, fraction] = splitInstant(instant);
  return fraction === '' ? seconds : seconds + 1;
}

/** Number of decimal places of the seconds. */
export const countDecimals = (instant: Instant): number => splitInstant(instant)[1].length;

export function isBefore(instant: Instant, other: Instant): boolean {
  const [seconds, fraction] = splitInstant(instant);
  const [otherSeconds, otherFraction] = splitInstant(other);
  // Fractions have no trailing zeros, so their digits sort like their values.
  return seconds < otherSeconds || (seconds === otherSeconds && fraction < otherFraction);
}

/** The instant in RFC 3339, in UTC. */
export function formatInstant(instant: Instant): string {
  const [seconds, fraction] = splitInstant(instant);
  const whole = toDateTime(seconds) ?? instant;
  return fraction === '' ? whole : whole.replace('Z', `.${fraction}Z`);
}
