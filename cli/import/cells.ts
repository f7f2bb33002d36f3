import { type GraphQLEnumType, type GraphQLInputType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { Temporal } from 'temporal-polyfill';
import { getCurrencyDigits, isCurrency } from '../../src/lib/currencies.ts';
import { StartError } from '../../src/lib/startup.ts';

/** How cells are written. */
export interface CellFormat {
  /** Separates the items of a list. */
  readonly separator: string;
  /** A cell with this text is null. Undefined if none is. */
  readonly nullToken: string | undefined;
  /** Time zone of timestamps without an offset. Undefined if they need one. */
  readonly timeZone: string | undefined;
  /** Currency of amounts without one. */
  readonly currency: string | undefined;
  /** Replaces a decimal in the format of the locale by one with a point. */
  readonly toDecimal: (text: string) => string;
  /** Replaces a date in the format of the locale by `YYYY-MM-DD`. */
  readonly toDate: (text: string) => string;
}

/** Thrown for a cell that can't be converted. The message completes "the value ". */
export class CellError extends Error {}

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a person says about how cells are written. `locale` is that of decimals and dates, such as `de`. */
export type Notation = Partial<Omit<CellFormat, 'toDecimal' | 'toDate'>> & { readonly locale: string | undefined };

/** Whether `Intl` knows names. It throws for some that it doesn't know. */
function isKnown(list: () => readonly string[]): boolean {
  try {
    return list().length > 0;
  } catch {
    return false;
  }
}

/** Creates the format of cells. Throws StartError if a part of their notation isn't known. */
export function createFormat({ separator = '|', nullToken, timeZone, currency, locale }: Notation): CellFormat {
  if (currency !== undefined && !isCurrency(currency)) throw new StartError(`--currency must be a code such as EUR, but is ${currency}.`);
  if (timeZone !== undefined && !isKnown(() => [new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone]))
    throw new StartError(`--time-zone must be a name such as Europe/Amsterdam, but is ${timeZone}.`);
  return { separator, nullToken, timeZone, currency, ...createLocale(locale) };
}

/** Creates the conversions of a locale, such as `de`. Without one, only standard formats are accepted. */
function createLocale(locale: string | undefined): Pick<CellFormat, 'toDecimal' | 'toDate'> {
  if (locale === undefined) return { toDecimal: (text) => text, toDate: (text) => text };
  if (!isKnown(() => Intl.NumberFormat.supportedLocalesOf(locale)))
    throw new StartError(`--locale ${locale} isn’t known. Use a language tag, such as de or en-GB.`);
  const numbers = new Intl.NumberFormat(locale).formatToParts(-12_345.6);
  const [decimal = '.', group = ','] = ['decimal', 'group'].map((type) => numbers.find((part) => part.type === type)?.value);
  const dates = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(0).filter(({ type }) => type !== 'literal');
  const order = dates.map(({ type }) => type);
  const grouped = new RegExp(`^-?\\d{1,3}(?:${escapePattern(group)}\\d{3})+(?=$|${escapePattern(decimal)})`);
  return {
    toDecimal: (text) => {
      const plain = grouped.test(text) ? text.replaceAll(group, '') : text;
      return /^-?\d+\D\d+$/.test(plain) ? plain.replace(decimal, '.') : plain;
    },
    toDate: (text) => {
      const parts = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?=$|[T ])/.exec(text);
      if (!parts || /^\d{4}-/.test(text)) return text;
      const [whole, ...values] = parts;
      const get = (name: string) => (values[order.indexOf(name as 'year')] ?? '').padStart(name === 'year' ? 4 : 2, '0');
      return `${get('year')}-${get('month')}-${get('day')}${text.slice(whole.length)}`;
    },
  };
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function requireDecimal(text: string, { toDecimal }: CellFormat): string {
  const decimal = toDecimal(text);
  if (DECIMAL.test(decimal)) return decimal;
  throw new CellError('isn’t a decimal number, such as 12.50. For another notation, use --locale.');
}

function requireDate(text: string, { toDate }: CellFormat): string {
  try {
    return Temporal.PlainDate.from(toDate(text), { overflow: 'reject' }).toString();
  } catch {
    throw new CellError('isn’t a date, such as 2026-01-31. For another notation, use --locale.');
  }
}

function requireTimestamp(text: string, format: CellFormat): string {
  const iso = format.toDate(text).replace(' ', 'T');
  try {
    if (/[Zz]$|[+-]\d{2}:\d{2}$/.test(iso)) return Temporal.Instant.from(iso).toString();
    if (format.timeZone !== undefined) return Temporal.PlainDateTime.from(iso).toZonedDateTime(format.timeZone).toInstant().toString();
  } catch {
    throw new CellError('isn’t a timestamp, such as 2026-01-31T14:00:00Z. For another notation, use --locale.');
  }
  throw new CellError('has no offset, such as Z or +01:00. Add one, or specify --time-zone.');
}

function requireMoney(text: string, format: CellFormat): object {
  const [, before, number = '', after] = /^([A-Z]{3})?\s*(\S+?)\s*([A-Z]{3})?$/.exec(text) ?? [];
  const currencyCode = before ?? after ?? format.currency;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(requireDecimal(number, format)) ?? [];
  if (currencyCode === undefined) throw new CellError('has no currency. Write 12.50 EUR, or specify --currency.');
  const digits = getCurrencyDigits(currencyCode);
  if (fraction.length > digits) throw new CellError(`has more than ${digits} decimal places, which ${currencyCode} has.`);
  return { minorUnits: String(BigInt(`${sign}${whole}${fraction.padEnd(digits, '0')}`)), currencyCode };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

function requireBoolean(text: string): boolean {
  const value = BOOLEANS.get(text.toLowerCase());
  if (value !== undefined) return value;
  throw new CellError('isn’t true or false.');
}

function requireInteger(text: string, { toDecimal }: CellFormat): number {
  const value = Number(toDecimal(text));
  if (/^-?\d+$/.test(toDecimal(text)) && Number.isSafeInteger(value)) return value;
  throw new CellError('isn’t an integer.');
}

function requireEnum(text: string, type: GraphQLEnumType): string {
  const name = text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
  const values = type
    .getValues()
    .map((value) => value.name)
    .filter((value) => value !== 'OTHER');
  if (values.includes(name)) return name;
  throw new CellError(`isn’t one of ${values.join(', ')}.`);
}

function requireJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CellError('isn’t JSON.');
  }
}

/** Conversions of scalars and of inputs that one cell can express, by type. The texts of others are sent as they are. */
const CONVERSIONS: Readonly<Record<string, (text: string, format: CellFormat) => unknown>> = {
  Boolean: requireBoolean,
  Date: requireDate,
  DateTime: requireTimestamp,
  Decimal: requireDecimal,
  Int: requireInteger,
  Int64: (text, format) => String(requireInteger(text, format)),
  JSON: requireJson,
  MoneyInput: requireMoney,
};

/** Whether a cell can have a value of a type. */
export const isCellType = (type: GraphQLInputType): boolean =>
  !('getFields' in getNamedType(type)) || getNamedType(type).name in CONVERSIONS;

/** Converts a cell that isn't empty to a value of a type. Throws CellError. */
export function convertCell(text: string, type: GraphQLInputType, format: CellFormat): unknown {
  if (text === format.nullToken) return null;
  const nullable = getNullableType(type);
  if (isListType(nullable)) return text.split(format.separator).map((item) => convertCell(item.trim(), nullable.ofType, format));
  const named = getNamedType(nullable);
  if (isEnumType(named)) return requireEnum(text, named);
  const convert = CONVERSIONS[named.name];
  return convert ? convert(text.trim(), format) : text;
}
