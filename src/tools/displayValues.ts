import { toWords } from '../lib/words.ts';

type Values = Readonly<Record<string, unknown>>;

/** An amount of money for people, such as `€1,234.50`. Its decimal places are those of `amount`: `Intl` uses those of cash payments by default, such as 0 for HUF. */
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

/** A timestamp for people, such as `10 March 2026 at 10:00 (Europe/Amsterdam)`. */
export function formatDateTime(timestamp: string, timeZone: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(date)} (${timeZone})`;
}

/** The value of an enum as words: `PARTIALLY_PAID` becomes `partially paid`. */
export const formatEnumValue = (value: string): string => value.toLowerCase().replaceAll('_', ' ');

/** A name as a label: `referenceNumber` becomes `Reference number`. */
export function toLabel(name: string): string {
  const words = toWords(name.replaceAll('_', ' '));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The formatted amount if a value is money. Null for anything else. */
export function formatIfMoney(value: unknown): string | null {
  const { amount, currencyCode } = (typeof value === 'object' && value !== null ? value : {}) as Values;
  return typeof amount === 'string' && typeof currencyCode === 'string' ? formatMoney(amount, currencyCode) : null;
}

/** A value within a message. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  return formatIfMoney(value) ?? (Array.isArray(value) ? value.map(formatValue).join(', ') : String(value));
}
