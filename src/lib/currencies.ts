/**
 * The currencies of ECMAScript with ICU 78, by their number of decimal places in ISO 4217. Not the list of the running Node.js or browser, whose versions differ,
 * and not their numbers, which are for cash payments (0 for HUF and IDR) and would make amounts a hundred times too large.
 */
const CURRENCIES_BY_DIGITS = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUC CUP CVE CZK DKK DOP
    DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK
    SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG XDR XSU YER ZAR ZMW ZWG ZWL`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
] as const;

const DIGITS: ReadonlyMap<string, number> = new Map(
  CURRENCIES_BY_DIGITS.flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, digits] as const)),
);

/** Whether a string is the ISO 4217 code of a currency whose number of decimal places is known. */
export const isCurrency = (code: string): boolean => DIGITS.has(code);

/** Number of decimal places of a known currency. */
export const getCurrencyDigits = (currency: string): number => DIGITS.get(currency) ?? 2;
