import { GraphQLError } from 'graphql';
import { invalidInput } from '../../failures/failures.ts';

/** The most decimal digits that a double carries for every number: a decimal of so many comes out of it as it went in. */
const DOUBLE_DIGITS = 15;

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Writes out exponents, and drops the digits of a double that stand for no decimal: 0.1 + 0.2 is 0.3. */
const ROUNDED = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: DOUBLE_DIGITS, signDisplay: 'negative' });

/**
 * A rate or percentage of an answer as decimal text. The wire has doubles, which JSON writes in decimal, so up to 15 digits are
 * those that were stored. Fails as a value that does not fit its field when it is no finite number.
 */
export function toDecimal(value: string | number): string {
  const text = String(value);
  if (DECIMAL.test(text) && (typeof value === 'string' || text.length <= DOUBLE_DIGITS)) return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(number)) throw new GraphQLError(`Decimal cannot represent ${JSON.stringify(text.slice(0, 100))}.`);
  return ROUNDED.format(number);
}

/** The double of a decimal, for the wire. Fails with ValidationError where it would not carry all digits. */
export function toDouble(decimal: string, path: readonly string[]): number {
  const digits = decimal.replace(/\D/g, '').replace(/^0+|0+$/g, '');
  if (digits.length > DOUBLE_DIGITS) {
    throw invalidInput(path, 'OUT_OF_RANGE', `must have at most ${DOUBLE_DIGITS} significant digits, but has ${digits.length}.`);
  }
  return Number(decimal);
}
