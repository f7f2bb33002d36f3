import { builder } from './builder.ts';

/** Any three letters pass for a currency in `NumberFormat`, so what ECMAScript knows is asked for. */
const KNOWN = new Set(Intl.supportedValuesOf('currency'));
const digitsByCurrency = new Map<string, number | null>();

/** The digits behind the point in a currency; null when ECMAScript does not know the currency. */
function fractionDigits(currency: string): number | null {
  if (!KNOWN.has(currency)) return null;
  const known = digitsByCurrency.get(currency);
  if (known !== undefined) return known;
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? null;
  digitsByCurrency.set(currency, digits);
  return digits;
}

/** Minor units as a decimal number in major units, exactly: no floating point on the way. */
export function toMajorUnits(minorUnits: string, currency: string): string | null {
  const digits = fractionDigits(currency);
  const [, sign = '', units] = /^(-?)(\d+)$/.exec(minorUnits) ?? [];
  if (digits === null || units === undefined) return null;
  if (digits === 0) return sign + units;
  const padded = units.padStart(digits + 1, '0');
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** Its members are shown as they are: pages hold hundreds, and compiled queries read them in place. */
class Amount {
  /** A whole number, as text. */
  readonly minorUnits: string;
  /** ISO 4217. */
  readonly currencyCode: string | null;

  constructor(minorUnits: string, currency: string | null) {
    this.minorUnits = minorUnits;
    this.currencyCode = currency;
  }

  get amount(): string | null {
    return this.currencyCode === null ? null : toMajorUnits(this.minorUnits, this.currencyCode);
  }
}

export const Money = builder.objectRef<Amount>('Money').implement({
  description: 'An amount of money.',
  fields: (t) => ({
    minorUnits: t.expose('minorUnits', {
      type: 'Int64',
      nullable: false,
      description: 'In the smallest unit of the currency, such as cents.',
    }),
    currencyCode: t.expose('currencyCode', { type: 'CurrencyCode', description: 'Null when the upstream does not tell.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'In the currency’s main unit, such as euros; null when the currency is not known.',
    }),
  }),
});

/** Money of a record: its amount may be left out when it is 0, or come as a number. */
export const toMoney = (minorUnits: string | number | undefined, currency: string | undefined): Amount =>
  new Amount(String(minorUnits ?? 0), currency || null);
