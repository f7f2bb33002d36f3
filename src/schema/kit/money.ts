import { GraphQLError } from 'graphql';
import { invalidInput } from '../../failures/failures.ts';
import { getCurrencyDigits, isCurrency } from '../../lib/currencies.ts';
import { builder } from './builder.ts';
import type { RangeLimits } from './ranges.ts';

/** Maximum difference of decimal places. Chosen: prevents an exponent from creating gigabytes of digits. */
const MAX_DIGITS = 100;

/** An integer, as a string. */
const INTEGER = /^-?\d+$/;

/** Converts minor units to a decimal number in major units, without floating-point arithmetic. */
function toMajorUnits(minorUnits: string, currency: string): string {
  const digits = getCurrencyDigits(currency);
  if (digits === 0) return minorUnits;
  const sign = minorUnits.startsWith('-') ? '-' : '';
  const padded = minorUnits.slice(sign.length).padStart(digits + 1, '0');
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** Converts a decimal in major units (unscaled × 10^-scale) to minor units. Undefined if the currency has fewer decimal places, or isn't known. */
export function scaleToMinorUnits(
  { unscaled, scale }: { readonly unscaled: string; readonly scale: number },
  currency: string,
): string | undefined {
  const digits = getCurrencyDigits(currency) - scale;
  if (!isCurrency(currency) || !INTEGER.test(unscaled) || Math.abs(digits) > MAX_DIGITS) return undefined;
  const factor = 10n ** BigInt(Math.abs(digits));
  if (digits >= 0) return String(BigInt(unscaled) * factor);
  return BigInt(unscaled) % factor === 0n ? String(BigInt(unscaled) / factor) : undefined;
}

/** An amount of money. Its members are plain properties, because pages contain hundreds of amounts and compiled queries read them directly. */
export class Amount {
  /** An integer, as a string. */
  readonly minorUnits: string;
  /** A known ISO 4217 code. */
  readonly currencyCode: string;

  constructor(minorUnits: string, currencyCode: string) {
    this.minorUnits = minorUnits;
    this.currencyCode = currencyCode;
  }

  get amount(): string {
    return toMajorUnits(this.minorUnits, this.currencyCode);
  }
}

export const Money = builder.objectRef<Amount>('Money').implement({
  description: 'An amount of money and its currency. Fields of this type are null if the currency is unknown.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'Decimal',
      nullable: false,
      description: 'Amount in major units, such as euros, with all decimal places of the currency. For example, `250.00`.',
    }),
    currencyCode: t.expose('currencyCode', { type: 'CurrencyCode', nullable: false, description: 'Currency of the amount.' }),
    minorUnits: t.expose('minorUnits', {
      type: 'Int64',
      nullable: false,
      description: 'Amount in the smallest unit of the currency, such as cents. For example, `25000`.',
    }),
  }),
});

const isInteger = (value: string | number) => (typeof value === 'string' ? INTEGER.test(value) : Number.isSafeInteger(value));

/**
 * Creates an amount from the minor units of a record: 64 bits as a string, or 32 bits as a number. Null if the currency is missing or unknown, because then the
 * number of decimal places isn't known. Throws GraphQLError if the minor units aren't an integer.
 */
export function toMoney(minorUnits: string | number, currency: string | null | undefined): Amount | null {
  if (!currency || !isCurrency(currency)) return null;
  if (!isInteger(minorUnits)) throw new GraphQLError(`Money cannot represent ${JSON.stringify(minorUnits)?.slice(0, 100)} minor units.`);
  return new Amount(String(minorUnits), currency);
}

export const MoneyInput = builder.inputType('MoneyInput', {
  description: 'An amount of money in the smallest unit of its currency.',
  fields: (t) => ({
    minorUnits: t.field({
      type: 'Int64',
      required: true,
      description: 'Amount in the smallest unit of the currency, such as cents. For example, `25000` means EUR 250.00.',
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      description: 'Currency of the amount. Defaults to the record’s currency. Other currencies are rejected.',
    }),
    amount: t.field({
      type: 'Decimal',
      description:
        'The same amount in major units, so that a `Money` can be sent back. Requires `currencyCode`, and is rejected if it differs from `minorUnits`.',
    }),
  }),
});

export type MoneyInputValue = typeof MoneyInput.$inferInput;

/** Splits a decimal string into an integer and its scale. */
function toUnscaled(decimal: string): { readonly unscaled: string; readonly scale: number } {
  const [whole = '', fraction = ''] = decimal.split('.');
  return { unscaled: whole + fraction, scale: fraction.length };
}

/** Returns the minor units of an input. Throws ValidationError if its `amount` isn't the same. */
export function readMinorUnits({ minorUnits, currencyCode, amount }: MoneyInputValue, path: readonly string[]): string {
  if (amount === null || amount === undefined) return minorUnits;
  if (!currencyCode) throw invalidInput([...path, 'currencyCode'], 'REQUIRED', 'is required if `amount` is set.');
  const converted = scaleToMinorUnits(toUnscaled(amount), currencyCode);
  if (converted !== undefined && BigInt(converted) === BigInt(minorUnits)) return minorUnits;
  throw invalidInput(
    [...path, 'amount'],
    'NOT_ALLOWED',
    `must be the same amount as \`minorUnits\` (${minorUnits} of ${currencyCode}), but is ${amount}. Omit it to set another amount.`,
  );
}

/** Maximum 32-bit integer. */
const MAX_INT = 2 ** 31 - 1;

/** Converts minor units to the contract's format: 64 bits as a string, 32 bits as a number. Throws ValidationError if they don't fit. */
export function toMinorUnits(minorUnits: string, kind: string, path: readonly string[]): string | number {
  if (kind !== 'int') return minorUnits;
  if (Number(minorUnits) > MAX_INT) throw invalidInput(path, 'OUT_OF_RANGE', `must be at most ${MAX_INT}, but is ${minorUnits}.`, MAX_INT);
  return Number(minorUnits);
}

/** Rejects an amount in another currency than the record's. `currency` is the record's, if known. */
export function checkCurrency({ currencyCode }: MoneyInputValue, currency: string | null | undefined, path: readonly string[]): void {
  if (!currencyCode || currencyCode === currency) return;
  const problem = currency
    ? `must be ${currency}, the currency of the record, but is ${currencyCode}.`
    : `must be omitted, because the currency of the record is unknown, but is ${currencyCode}.`;
  throw invalidInput([...path, 'currencyCode'], 'NOT_ALLOWED', problem);
}

const Int64ConditionInput = builder.inputType('Int64ConditionInput', {
  description: 'A condition on a whole number. Without `gte` or `lt`, the range is open at that end.',
  fields: (t) => ({
    gte: t.field({ type: 'Int64', description: 'Lower limit, inclusive.' }),
    lt: t.field({ type: 'Int64', description: 'Upper limit, exclusive. Must be greater than `gte`.' }),
  }),
});

export const MoneyConditionInput = builder.inputType('MoneyConditionInput', {
  description: 'A condition on an amount of money. Only amounts in its currency match.',
  fields: (t) => ({
    currencyCode: t.field({ type: 'CurrencyCode', required: true, description: 'Currency of the amount.' }),
    minorUnits: t.field({
      type: Int64ConditionInput,
      description:
        'Condition on the amount in the smallest unit of the currency, such as cents. By default, all amounts in the currency match.',
    }),
  }),
});

export type MoneyConditionValue = typeof MoneyConditionInput.$inferInput;

/** Returns the range of a condition in minor units. Throws ValidationError if `lt` isn’t greater than `gte`. */
export function toAmountLimits({ minorUnits }: MoneyConditionValue, path: readonly string[]): RangeLimits {
  const { gte, lt } = minorUnits ?? {};
  const limits = { gte: gte ? BigInt(gte) : null, lt: lt ? BigInt(lt) : null };
  if (limits.gte !== null && limits.lt !== null && limits.gte >= limits.lt)
    throw invalidInput([...path, 'minorUnits', 'lt'], 'OUT_OF_RANGE', `must be greater than \`gte\` (${gte}), but is ${lt}.`);
  return limits;
}
