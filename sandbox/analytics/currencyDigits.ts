/**
 * Currencies whose digits behind the point are not 2, by ISO 4217. Not ECMAScript's, which follow what is paid in cash.
 */
const BY_DIGITS = [
  [0, ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
] as const;

const DIGITS = new Map<string, number>(BY_DIGITS.flatMap(([digits, currencies]) => currencies.map((currency) => [currency, digits])));

/** The digits of a currency's major unit behind the point. */
export const digitsOf = (currency: string): number => DIGITS.get(currency) ?? 2;
