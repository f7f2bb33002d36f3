import { GraphQLError } from 'graphql';
import type { AnalyticsDecimal } from '../../upstream/contract/generated/records.ts';

/** Maximum number of decimal places. Chosen: prevents an exponent from making the graph write gigabytes of zeros. */
const MAX_SCALE = 100;

/** Converts an exact decimal to a string: unscaled × 10^-scale. 0 if it's absent. Throws GraphQLError if a part isn't an integer. */
export function toDecimalText(decimal: AnalyticsDecimal | undefined): string {
  if (decimal === undefined) return '0';
  const { unscaled, scale } = decimal;
  const digits = String(unscaled);
  if (!/^-?\d+$/.test(digits) || !Number.isInteger(scale) || Math.abs(scale) > MAX_SCALE)
    throw new GraphQLError(`Decimal cannot represent ${JSON.stringify({ unscaled, scale }).slice(0, 100)}.`);
  if (scale <= 0) return digits === '0' ? digits : `${digits}${'0'.repeat(-scale)}`;
  const sign = digits.startsWith('-') ? '-' : '';
  const padded = digits.slice(sign.length).padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
