import { StartError } from '../../src/lib/startup.ts';

/** How numbers and dates are written in a language and region. */
export interface Locale {
  readonly decimal: string;
  /** Separates groups of digits. */
  readonly group: string;
  /** Whether large numbers have groups of two digits. */
  readonly isIndian: boolean;
  /** `D`, `M` and `Y` in the order of a date. */
  readonly order: string;
  /** Replaces the locale's digits by those of ASCII. */
  readonly toAsciiDigits: (text: string) => string;
  /** Tags for `Intl`. */
  readonly tag: string;
}

/** Whether `Intl` knows names. It throws for some that it doesn't know. */
export function isKnown(list: () => readonly string[]): boolean {
  try {
    return list().length > 0;
  } catch {
    return false;
  }
}

/** Marks of the direction of text, in some locales. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/g;

/** Text of a number, an amount, or a date, with one form of spaces, apostrophes, and minus signs. */
export const normalizeText = (text: string): string =>
  text.replaceAll(DIRECTION_MARKS, '').replaceAll(/\s/g, ' ').replaceAll(/[’ʼ]/g, "'").replaceAll('\u2212', '-').trim();

/** Reads a locale, such as `de`. Throws StartError if it isn't known, or uses another calendar. */
export function readLocale(tag: string): Locale {
  if (!isKnown(() => Intl.NumberFormat.supportedLocalesOf(tag)))
    throw new StartError(`--locale ${tag} isn’t known. Use a language tag, such as de or en-GB.`);
  const dates = new Intl.DateTimeFormat(tag, { timeZone: 'UTC' });
  const { calendar } = dates.resolvedOptions();
  if (calendar !== 'gregory')
    throw new StartError(`--locale ${tag} has years of the calendar ${calendar}. Use ${tag}-u-ca-gregory if the file has those of 2026.`);
  const parts = new Intl.NumberFormat(tag).formatToParts(12_345_678.9);
  const find = (type: string) => parts.find((part) => part.type === type)?.value;
  const digits = [...new Intl.NumberFormat(tag, { useGrouping: false }).format(9_876_543_210)].toReversed();
  const group = find('group');
  return {
    tag,
    decimal: find('decimal') ?? '.',
    // A space is one, too.
    group: group === undefined ? ',' : normalizeText(group) || ' ',
    isIndian: parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2,
    order: dates
      .formatToParts(0)
      .flatMap(({ type }) => (['day', 'month', 'year'].includes(type) ? [type.slice(0, 1).toUpperCase()] : []))
      .join(''),
    toAsciiDigits:
      digits[1] === '1'
        ? (text) => text
        : (text) => text.replaceAll(/\p{Nd}/gu, (digit) => (digits.includes(digit) ? String(digits.indexOf(digit)) : digit)),
  };
}
