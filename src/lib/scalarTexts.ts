import { isLongerThan } from './characters.ts';
import { isCurrency } from './currencies.ts';
import { isDay, parseInstant } from './instant.ts';
import { isInt64 } from './int64.ts';

/** The texts that a scalar accepts. */
export interface ScalarTexts {
  /** What is accepted, worded to follow "must be". */
  readonly expected: string;
  /** The value of a text. Undefined if the scalar doesn't accept it. */
  readonly normalize: (text: string) => string | undefined;
}

const acceptIf = (isValid: (text: string) => boolean) => (text: string) => (isValid(text) ? text : undefined);

function normalizeInt64(text: string): string | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? String(value) : undefined;
}

/** Whether a string is a valid `Date`. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** Whether a string is a valid `Decimal`. */
export const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

const COUNTRY_CODE = /^[A-Z]{2}$/;

/** Whether a value is a valid `CountryCode`. */
export const isCountryCode = (value: unknown): value is string => typeof value === 'string' && COUNTRY_CODE.test(value);

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Maximum length of a decimal in characters. Chosen: no double has more than 17 digits, and parsing longer strings is slow. */
const MAX_DECIMAL_LENGTH = 100;
/** Maximum length of a version in characters. Not documented upstream; chosen. */
const MAX_VERSION_LENGTH = 200;

/** The texts that the graph's scalars accept, also for the import, which checks values before it sends them. */
export const SCALAR_TEXTS = {
  CountryCode: { expected: 'two uppercase letters', normalize: acceptIf(isCountryCode) },
  // Amounts in another currency couldn't be read: see toMoney.
  CurrencyCode: { expected: 'an ISO 4217 currency code, such as EUR', normalize: acceptIf(isCurrency) },
  Date: { expected: 'a date in the form YYYY-MM-DD', normalize: acceptIf(isDate) },
  DateTime: { expected: 'an RFC 3339 timestamp, such as 2026-03-31T09:30:00Z', normalize: parseInstant },
  Decimal: {
    expected: `a decimal string of at most ${MAX_DECIMAL_LENGTH} characters, such as "0.21"`,
    normalize: acceptIf((text) => text.length <= MAX_DECIMAL_LENGTH && isDecimal(text)),
  },
  HexColor: { expected: '# and six hexadecimal digits', normalize: acceptIf((text) => /^#[0-9a-f]{6}$/i.test(text)) },
  Int64: { expected: 'a 64-bit integer', normalize: normalizeInt64 },
  TimeZone: { expected: 'an IANA time zone', normalize: acceptIf(isTimeZone) },
  URL: { expected: 'an absolute URL', normalize: acceptIf((text) => URL.canParse(text)) },
  Version: {
    expected: `the unmodified \`version\` of a record, not blank and at most ${MAX_VERSION_LENGTH} characters`,
    normalize: acceptIf((text) => text.trim() !== '' && !isLongerThan(text, MAX_VERSION_LENGTH)),
  },
} as const satisfies Readonly<Record<string, ScalarTexts>>;

/** The value of an input of such a scalar: a string, or an integer that has all its digits. Undefined if it isn't accepted. */
export function parseScalar({ normalize }: ScalarTexts, value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' ? normalize(text) : undefined;
}

/** The message for an input that isn't accepted. `written` is its text in a document, or its JSON. */
export const describeWrongScalar = (name: string, { expected }: ScalarTexts, written: string): string =>
  `${name} must be ${expected}, but is ${written.slice(0, 100)}.`;
