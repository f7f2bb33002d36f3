import type { Locale } from './locale.ts';
import type { Notation } from './notations.ts';

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Separators of groups of digits, in any notation, after `normalizeText`. */
const GROUPS = ['.', ',', ' ', "'"];

/** Groups of three digits, and in India also of two for all but the last. A group that starts with 0 isn't one: `0.210` has a decimal point. */
function createNumberNotation(decimal: string, group: string, isIndian: boolean): Notation {
  const [d, g] = [escapePattern(decimal), escapePattern(group)];
  const grouped = `[1-9]\\d{0,2}(?:${g}\\d{3})+${isIndian ? `|[1-9]\\d?(?:${g}\\d{2})*${g}\\d{3}` : ''}`;
  const pattern = new RegExp(`^(-?)(\\d+|${grouped})(?:${d}(\\d+))?$`);
  return {
    name: decimal === '.' ? 'a decimal point' : `the decimal separator ${decimal}`,
    parse: (text) => {
      const [, sign = '', whole, fraction] = pattern.exec(text) ?? [];
      if (whole === undefined) return undefined;
      return `${sign}${whole.replaceAll(group, '')}${fraction === undefined ? '' : `.${fraction}`}`;
    },
  };
}

/** The notations of numbers: those of a locale, or with a decimal point or comma. */
export function createNumberNotations(locale: Locale | undefined): readonly Notation[] {
  const decimals = locale ? [locale.decimal] : ['.', ','];
  const groups = locale ? [...new Set([locale.group, ...GROUPS])] : GROUPS;
  return decimals.flatMap((decimal) =>
    groups.filter((group) => group !== decimal).map((group) => createNumberNotation(decimal, group, locale?.isIndian ?? false)),
  );
}

/** The notation of constants and of JSON: a decimal point, without groups. */
export const STANDARD_NUMBER: Notation = {
  name: 'a decimal point',
  parse: (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined),
};

/** A number in the format of spreadsheets for long numbers, which has fewer digits than the number had. */
export const isScientific = (text: string): boolean => /^-?\d(?:[.,]\d+)?E\+\d{2,3}$/i.test(text);
