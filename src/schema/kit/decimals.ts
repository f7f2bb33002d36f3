import { GraphQLError } from 'graphql';
import { invalidInput } from '../../failures/failures.ts';

/** Number of significant decimal digits that every double preserves. */
const DOUBLE_DIGITS = 15;

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Writes exponents out, and drops the digits that result from binary rounding: 0.1 + 0.2 is 0.3. */
const ROUNDED = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: DOUBLE_DIGITS, signDisplay: 'negative' });

/**
 * Converts a rate or percentage of a response to a decimal string. The upstream sends doubles, which JSON writes in decimal, so up to 15 digits are exact.
 * Throws GraphQLError if the value isn't a finite number.
 */
export function toDecimal(value: string | number): string {
  const text = String(value);
  if (DECIMAL.test(text) && (typeof value === 'string' || text.length <= DOUBLE_DIGITS)) return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) throw new GraphQLError(`Decimal cannot represent ${JSON.stringify(text.slice(0, 100))}.`);
  return ROUNDED.format(number);
}

/** Converts a decimal to a double for a request. Throws ValidationError if the double wouldn't preserve all digits. */
export function toDouble(decimal: string, path: readonly string[]): number {
  const digits = decimal.replace(/\D/g, '').replace(/^0+|0+$/g, '');
  if (digits.length > DOUBLE_DIGITS) {
    throw invalidInput(path, 'OUT_OF_RANGE', `must have at most ${DOUBLE_DIGITS} significant digits, but has ${digits.length}.`);
  }
  return Number(decimal);
}
