/**
 * Currencies whose number of decimal places isn't 2 in ISO 4217. ECMAScript's numbers are for cash payments (0 for HUF and IDR in ICU 78), which would make
 * amounts a hundred times too large.
 */
const CURRENCIES_BY_DIGITS = [
  [0, ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
] as const;

const DECIMAL_DIGITS = new Map<string, number>(
  CURRENCIES_BY_DIGITS.flatMap(([digits, currencies]) => currencies.map((currency) => [currency, digits])),
);

/** Number of decimal places of a currency that ECMAScript knows. */
export const getCurrencyDigits = (currency: string): number => DECIMAL_DIGITS.get(currency) ?? 2;
