/** Currencies whose number of decimal places in ISO 4217 isn't 2. ECMAScript's data isn't used, because it follows cash payments. */
const BY_DIGITS = [
  [0, ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
] as const;

const DIGITS = new Map<string, number>(BY_DIGITS.flatMap(([digits, currencies]) => currencies.map((currency) => [currency, digits])));

/** Number of decimal places of a currency's major unit. */
export const getCurrencyDigits = (currency: string): number => DIGITS.get(currency) ?? 2;
