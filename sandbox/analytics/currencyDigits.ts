/** Currencies whose number of decimal places in ISO 4217 isn't 2. ECMAScript's data isn't used, because it follows cash payments. */
const BY_DIGITS = [
  [0, ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF']],
  [3, ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']],
] as const;

const DEFAULT_DIGITS = 2;
const MAX_DIGITS = 3;

const DIGITS = new Map<string, number>(BY_DIGITS.flatMap(([digits, currencies]) => currencies.map((currency) => [currency, digits])));

/** Number of decimal places of a currency's major unit. */
export const getCurrencyDigits = (currency: string): number => DIGITS.get(currency) ?? DEFAULT_DIGITS;

/** SQL that converts an amount in minor units to thousandths of the major unit, so that amounts in different currencies can be compared. */
export function createThousandthsSql(amount: string, currency: string): string {
  const cases = BY_DIGITS.map(
    ([digits, currencies]) =>
      `WHEN ${currency} IN (${currencies.map((each) => `'${each}'`).join(', ')}) THEN ${10 ** (MAX_DIGITS - digits)}`,
  );
  return `${amount} * CASE ${cases.join(' ')} ELSE ${10 ** (MAX_DIGITS - DEFAULT_DIGITS)} END`;
}
