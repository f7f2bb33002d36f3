import { type GraphQLEnumType, type GraphQLInputType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import { Temporal } from 'temporal-polyfill';
import { getCurrencyDigits, isCurrency } from '../../src/lib/currencies.ts';
import { StartError } from '../../src/lib/startup.ts';
import { BOOLEAN_NOTATIONS, STANDARD_BOOLEAN } from './booleans.ts';
import { findCountry } from './countries.ts';
import { createDateNotations, STANDARD_DATE, splitTimestamp } from './dates.ts';
import { isKnown, type Locale, normalizeText, readLocale } from './locale.ts';
import { listUnits, type MoneyUnits, splitMoney } from './money.ts';
import type { Notation } from './notations.ts';
import { createNumberNotations, isScientific, STANDARD_NUMBER } from './numbers.ts';

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
  /** Symbols of currencies. */
  readonly units: MoneyUnits;
  /** Undefined if each column has the only notation that explains it. */
  readonly locale: Locale | undefined;
}

/** Thrown for a cell that can't be converted. The message completes "the value ". */
export class CellError extends Error {}

/** What a person says about how cells are written. `locale` is that of numbers and dates, such as `de`. */
export type Notations = Partial<Omit<CellFormat, 'units' | 'locale'>> & { readonly locale: string | undefined };

/** Creates the format of cells. Throws StartError if a part of their notation isn't known. */
export function createFormat({ separator = '|', nullToken, timeZone, currency, locale }: Notations): CellFormat {
  if (currency !== undefined && !isCurrency(currency)) throw new StartError(`--currency must be a code such as EUR, but is ${currency}.`);
  if (timeZone !== undefined && !isKnown(() => [new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone]))
    throw new StartError(`--time-zone must be a name such as Europe/Amsterdam, but is ${timeZone}.`);
  const read = locale === undefined ? undefined : readLocale(locale);
  return { separator, nullToken, timeZone, currency, units: listUnits(currency, read?.tag), locale: read };
}

/** A cell with what its conversion depends on. */
interface Cell {
  /** As `normalizeText` returns it. */
  readonly text: string;
  readonly format: CellFormat;
  /** Parses the number, the date, or the boolean of the cell. */
  readonly notation: Notation;
}

const LOST_DIGITS =
  'has an exponent, which spreadsheets write instead of digits. Format the column as a number without decimals or as text there, and export it again.';

function readNumber(text: string, { notation }: Cell, problem: string): string {
  const number = notation.parse(text);
  if (number !== undefined) return number;
  throw new CellError(isScientific(text) ? LOST_DIGITS : `${problem}, written with ${notation.name}. For another notation, use --locale.`);
}

const requireDecimal = (cell: Cell): string => readNumber(cell.text, cell, 'isn’t a decimal number');

function readDate(text: string, { notation }: Cell, problem: string): string {
  const date = notation.parse(text);
  if (date !== undefined) return date;
  throw new CellError(`${problem}, written with ${notation.name}. For another notation, use --locale.`);
}

/** The date of a cell. A spreadsheet can add midnight to it. */
function extractDate(text: string): string {
  const { date, time, offset } = splitTimestamp(text);
  return time === '00:00:00' && offset === null ? date : text;
}

function requireDate(cell: Cell): string {
  const { time } = splitTimestamp(cell.text);
  if (extractDate(cell.text) === cell.text && time !== null) throw new CellError('has a time, which a date can’t have. Remove it.');
  return readDate(extractDate(cell.text), cell, 'isn’t a date');
}

/** The instant of a local time. Throws CellError if the clock skips or repeats it. */
function resolveLocalTime(local: string, timeZone: string): Temporal.Instant {
  const time = Temporal.PlainDateTime.from(local);
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) => time.toZonedDateTime(timeZone, { disambiguation })) as [
    Temporal.ZonedDateTime,
    Temporal.ZonedDateTime,
  ];
  if (earlier.equals(later)) return earlier.toInstant();
  const isRepeated = earlier.toPlainDateTime().equals(time);
  throw new CellError(
    isRepeated
      ? `exists twice in ${timeZone}, because the clock is set back. Add an offset: ${earlier.offset} or ${later.offset}.`
      : `doesn’t exist in ${timeZone}, because the clock is set forward. Correct it.`,
  );
}

function describeWrongTime(text: string): string {
  if (text.endsWith(']')) return 'has a time zone in brackets. Replace it by an offset, such as +01:00.';
  if (/:\d{2}[.,]\d/.test(text)) return 'has a fraction of a second, which isn’t stored. Remove it.';
  return 'has a time or an offset that isn’t known. Write them as 14:00 or 14:00:00, and as Z or +01:00.';
}

function requireTimestamp(cell: Cell): string {
  const { timeZone } = cell.format;
  const { date, time, offset } = splitTimestamp(cell.text);
  if (time === null && cell.text.includes(':')) throw new CellError(describeWrongTime(cell.text));
  const local = `${readDate(date, cell, 'isn’t a timestamp, such as 2026-01-31T14:00:00Z')}T${time ?? '00:00:00'}`;
  if (offset !== null) return Temporal.Instant.from(`${local}${offset}`).toString();
  if (timeZone === undefined) throw new CellError('has no offset, such as Z or +01:00. Add one, or specify --time-zone.');
  return resolveLocalTime(local, timeZone).toString();
}

function requireMoney(cell: Cell): object {
  const { units, number, symbol } = splitMoney(cell.text, cell.format.units);
  const [found, ...others] = units;
  if (others.length > 0) throw new CellError(`names two currencies, ${units.join(' and ')}. Remove one.`);
  if (symbol !== undefined)
    throw new CellError(`has the symbol ${symbol}, which isn’t that of --currency. Replace it by a code, such as USD.`);
  const currencyCode = found ?? cell.format.currency;
  const decimal = readNumber(number, cell, 'isn’t an amount such as 12.50 EUR');
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (currencyCode === undefined) throw new CellError('has no currency. Write 12.50 EUR, or specify --currency.');
  if (!isCurrency(currencyCode)) throw new CellError(`has the currency ${currencyCode}, which isn’t an ISO 4217 code, such as EUR.`);
  const digits = getCurrencyDigits(currencyCode);
  if (/[1-9]/.test(fraction.slice(digits))) throw new CellError(`has more than ${digits} decimal places, which ${currencyCode} has.`);
  return { minorUnits: String(BigInt(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`)), currencyCode };
}

function requireBoolean({ text, notation }: Cell): boolean {
  const value = notation.parse(text);
  if (value !== undefined) return value === 'true';
  throw new CellError(`isn’t true or false, written with ${notation.name}. Replace it with values of --map.`);
}

function requireCountry({ text }: Cell): string {
  const code = findCountry(text);
  if (code !== undefined) return code;
  throw new CellError('isn’t a country. Write its code, such as NL, or its name, such as Netherlands. Or replace it with values of --map.');
}

/** An integer, which can have decimal places that are zero. */
function requireInteger(cell: Cell): string {
  const [whole = '', fraction = ''] = readNumber(cell.text, cell, 'isn’t an integer').split('.');
  if (/[1-9]/.test(fraction)) throw new CellError('isn’t an integer.');
  return String(BigInt(whole));
}

function requireInt(cell: Cell): number {
  const value = Number(requireInteger(cell));
  if (Number.isSafeInteger(value)) return value;
  throw new CellError('is too large.');
}

function requireEnum(text: string, type: GraphQLEnumType): string {
  const name = normalizeText(text).toUpperCase().replaceAll(/[ -]+/g, '_');
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

function requireText(text: string): string {
  if (isScientific(text)) throw new CellError(LOST_DIGITS);
  return text;
}

/** How a cell of a type is converted, and which part of it can have several notations. */
interface Conversion {
  readonly convert: (cell: Cell) => unknown;
  readonly notated?: { readonly kind: keyof typeof NOTATIONS; readonly extract: (text: string, format: CellFormat) => string };
}

/** Notations by kind. The standard one is that of constants. */
const NOTATIONS = {
  boolean: { standard: STANDARD_BOOLEAN, list: () => BOOLEAN_NOTATIONS },
  date: { standard: STANDARD_DATE, list: createDateNotations },
  number: { standard: STANDARD_NUMBER, list: createNumberNotations },
} satisfies Record<string, { readonly standard: Notation; readonly list: (locale: Locale | undefined) => readonly Notation[] }>;

const extractAll = (text: string) => text;
const NUMBER = { kind: 'number', extract: extractAll } as const;

/** Conversions of scalars and of inputs that one cell can express, by type. Others are texts, or JSON. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  Boolean: { convert: requireBoolean, notated: { kind: 'boolean', extract: extractAll } },
  CountryCode: { convert: requireCountry },
  Date: { convert: requireDate, notated: { kind: 'date', extract: extractDate } },
  DateTime: { convert: requireTimestamp, notated: { kind: 'date', extract: (text) => splitTimestamp(text).date } },
  Decimal: { convert: requireDecimal, notated: NUMBER },
  Int: { convert: requireInt, notated: NUMBER },
  Int64: { convert: requireInteger, notated: NUMBER },
  MoneyInput: { convert: requireMoney, notated: { kind: 'number', extract: (text, { units }) => splitMoney(text, units).number } },
};

const getConversion = (type: GraphQLInputType): Conversion | undefined => CONVERSIONS[getNamedType(type).name];

/** Whether a cell can have a value of a type. */
export const isCellType = (type: GraphQLInputType): boolean => !('getFields' in getNamedType(type)) || getConversion(type) !== undefined;

const getStandardNotation = (type: GraphQLInputType): Notation => NOTATIONS[getConversion(type)?.notated?.kind ?? 'number'].standard;

/** The notations that cells of a type can have. Empty for types that need none. */
export function listNotations(type: GraphQLInputType, { locale }: CellFormat): readonly Notation[] {
  const kind = getConversion(type)?.notated?.kind;
  return kind === undefined ? [] : NOTATIONS[kind].list(locale);
}

/** A cell as its conversion expects it. */
const prepare = (text: string, { locale }: CellFormat): string => {
  const plain = normalizeText(text);
  return locale ? locale.toAsciiDigits(plain) : plain;
};

/** The items of a list, or the cell itself. */
const listItems = (text: string, type: GraphQLInputType, { separator }: CellFormat): readonly string[] =>
  isListType(getNullableType(type)) ? text.split(separator).map((item) => item.trim()) : [text];

/** The parts of a cell that can have several notations. */
export function extractNotated(text: string, type: GraphQLInputType, format: CellFormat): readonly string[] {
  const notated = getConversion(type)?.notated;
  if (!notated || text === format.nullToken) return [];
  return listItems(text, type, format).map((item) => notated.extract(prepare(item, format), format));
}

/** Converts a cell that isn't empty to a value of a type. Throws CellError. */
export function convertCell(text: string, type: GraphQLInputType, format: CellFormat, notation = getStandardNotation(type)): unknown {
  if (text === format.nullToken) return null;
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return listItems(text, type, format).map((item) => {
      if (item === '') throw new CellError(`has an empty item before or after ${JSON.stringify(format.separator)}. Remove it.`);
      return convertCell(item, nullable.ofType, format, notation);
    });
  const named = getNamedType(nullable);
  if (isEnumType(named)) return requireEnum(text, named);
  const conversion = getConversion(named);
  if (conversion) return conversion.convert({ text: prepare(text, format), format, notation });
  return named.name === 'JSON' ? requireJson(text) : requireText(text);
}
