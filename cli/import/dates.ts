import { Temporal } from 'temporal-polyfill';
import type { Locale } from './locale.ts';
import type { Notation } from './notations.ts';

/** A date with one separator, which some languages put after it, too, and follow by a space. */
const DATE = /^(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})(\.?)$/;

/** Two-digit years below this are of this century, as in Excel. */
const PIVOT = 30;

const NAMES: Readonly<Record<string, string>> = { YMD: 'the year first', DMY: 'the day first', MDY: 'the month first' };

function toYear(text: string): number {
  if (text.length === 4) return Number(text);
  return Number(text) + (Number(text) < PIVOT ? 2_000 : 1_900);
}

function createDateNotation(order: string, separator: string, yearDigits: 2 | 4): Notation {
  const years = yearDigits === 2 ? `, and years from ${1_900 + PIVOT} to ${1_999 + PIVOT}` : '';
  return {
    name: `${NAMES[order]}${years}`,
    parse: (text) => {
      const [, first, found, second, third, end] = DATE.exec(text) ?? [];
      if (found !== separator || (end === '.' && separator !== '.')) return undefined;
      const get = (part: string) => [first, second, third][order.indexOf(part)] ?? '';
      if (get('Y').length !== yearDigits || get('M').length > 2 || get('D').length > 2) return undefined;
      try {
        return Temporal.PlainDate.from(
          { year: toYear(get('Y')), month: Number(get('M')), day: Number(get('D')) },
          { overflow: 'reject' },
        ).toString();
      } catch {
        return undefined;
      }
    },
  };
}

/** The notation of constants and of JSON. */
export const STANDARD_DATE = createDateNotation('YMD', '-', 4);

/** The notations of dates: those of a locale and the standard one, or all. No language has points in dates that start with the month. */
export function createDateNotations(locale: Locale | undefined): readonly Notation[] {
  const orders = locale ? [locale.order].filter((order) => order in NAMES) : Object.keys(NAMES);
  const own = orders.flatMap((order) =>
    ['-', '/', '.']
      .filter((separator) => order !== 'MDY' || separator !== '.')
      .flatMap((separator) => [createDateNotation(order, separator, 4), createDateNotation(order, separator, 2)]),
  );
  return [...own, ...(locale && locale.order !== 'YMD' ? [STANDARD_DATE] : [])];
}

/** A timestamp, in parts. */
interface TimestampParts {
  readonly date: string;
  /** `HH:MM:SS`. Null if there's none. */
  readonly time: string | null;
  /** In RFC 3339. Null if there's none. */
  readonly offset: string | null;
}

/** Some languages separate the parts of a time by points. */
const TIMESTAMP =
  /^(?<date>.+?)(?:T|,? )(?<hour>\d{1,2})(?<separator>[:.])(?<minute>[0-5]\d)(?:\k<separator>(?<second>[0-5]\d)(?:\.0+)?)?(?: ?(?<half>[ap])\.?m\.?)? ?(?<offset>Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;

function toHour({ hour = '', half }: Readonly<Record<string, string | undefined>>): number | undefined {
  const value = Number(hour);
  if (half === undefined) return value < 24 ? value : undefined;
  if (value < 1 || value > 12) return undefined;
  return (value % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Splits a timestamp. The whole text is its date if it has no time that is understood completely. */
export function splitTimestamp(text: string): TimestampParts {
  const { groups } = TIMESTAMP.exec(text) ?? {};
  const hour = groups && toHour(groups);
  if (!groups || hour === undefined) return { date: text, time: null, offset: null };
  const { date = '', minute = '', second = '00', offset } = groups;
  const [, sign = '', hours = '', minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset ?? '') ?? [];
  const standard = sign === '' ? 'Z' : `${sign}${hours}:${minutes}`;
  return { date, time: `${String(hour).padStart(2, '0')}:${minute}:${second}`, offset: offset === undefined ? null : standard };
}
