/** Codes of currencies by their symbol. */
export type MoneyUnits = ReadonlyMap<string, string>;

/** The symbols that mean one currency only, and those of `currency`, in English and in a language. Longer ones come first. */
export function listUnits(currency: string | undefined, locale: string | undefined): MoneyUnits {
  const units = new Map([['€', 'EUR']]);
  for (const tag of currency === undefined ? [] : ['en', locale ?? 'en'])
    for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
      const parts = new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay }).formatToParts(0);
      const symbol = parts.find(({ type }) => type === 'currency')?.value.replaceAll(/\s/g, ' ');
      if (symbol !== undefined && currency !== undefined) units.set(symbol, currency);
    }
  return new Map([...units].toSorted(([one], [other]) => other.length - one.length));
}

/** An amount, in parts. */
interface MoneyParts {
  /** Codes of the currencies that it names. */
  readonly units: readonly string[];
  /** What is left of the text. */
  readonly number: string;
  /** A symbol that isn't known. */
  readonly symbol: string | undefined;
}

const CODE_BEFORE = /^([A-Z]{3})(?![A-Z])/;
const CODE_AFTER = /(?<![A-Z])([A-Z]{3})$/;

/** Splits an amount, as `normalizeText` returns it, with a currency before or after the number. */
export function splitMoney(text: string, symbols: MoneyUnits): MoneyParts {
  const units: string[] = [];
  const sign = /^-\D/.test(text) ? '-' : '';
  let rest = text.slice(sign.length).trim();
  const take = (unit: string | undefined, length: number, isBefore: boolean) => {
    if (unit === undefined) return;
    units.push(unit);
    rest = (isBefore ? rest.slice(length) : rest.slice(0, rest.length - length)).trim();
  };
  const known = [...symbols];
  const [before] = known.filter(([symbol]) => rest.startsWith(symbol));
  take(before?.[1] ?? CODE_BEFORE.exec(rest)?.[1], before?.[0].length ?? 3, true);
  const [after] = known.filter(([symbol]) => rest.endsWith(symbol));
  take(after?.[1] ?? CODE_AFTER.exec(rest)?.[1], after?.[0].length ?? 3, false);
  return { units, number: sign + rest, symbol: /\p{Sc}/u.exec(rest)?.[0] };
}
