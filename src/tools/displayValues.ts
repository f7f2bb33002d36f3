import type { JsonObject } from '../lib/json.ts';
import { quoteText } from '../lib/printableText.ts';
import { toWords } from '../lib/words.ts';

/**
 * Formats an amount of money for people, such as `€1,234.50`. Uses the decimal places of `amount`, because the defaults of `Intl` are those of cash payments,
 * such as 0 for HUF.
 */
export function formatMoney(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // Formats decimal strings exactly, without conversion to a double.
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Formats a timestamp for people, such as `10 March 2026 at 10:00 (Europe/Amsterdam)`. */
export function formatDateTime(timestamp: string, timeZone: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return quoteText(timestamp);
  return `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(date)} (${timeZone})`;
}

/** Formats an enum value: `PARTIALLY_PAID` becomes `partially paid`. */
export const formatEnumValue = (value: string): string => value.toLowerCase().replaceAll('_', ' ');

/** Converts a name to a label: `referenceNumber` becomes `Reference number`. */
export function toLabel(name: string): string {
  const words = toWords(name.replaceAll('_', ' '));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats a value if it's money. Null for anything else. */
export function formatIfMoney(value: unknown): string | null {
  const { amount, currencyCode } = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  return typeof amount === 'string' && typeof currencyCode === 'string' ? formatMoney(amount, currencyCode) : null;
}

/** A value that can't be mistaken for a part of a sentence: an enum value, a number, a code, or a reference. */
const WORD = /^[\w.:+-]{1,60}$/;

/** Formats a value for a message. Quotes texts other than single words. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (typeof value === 'object') return formatIfMoney(value) ?? quoteText(JSON.stringify(value));
  const text = String(value);
  return WORD.test(text) ? text : quoteText(text);
}
