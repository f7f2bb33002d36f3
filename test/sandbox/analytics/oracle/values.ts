import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AnalyticsCellSchema,
  AnalyticsCellStatus as CellStatus,
  AnalyticsFieldType as FieldType,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';

/** An exact decimal number. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** An amount in major units. */
export interface Money {
  readonly amount: Decimal;
  readonly currency: string;
}

/** The value of a field or a column. A `moment` is in Unix microseconds, and a `day` is a text. */
export type Value =
  | null
  | 'unavailable'
  | { readonly text: string }
  | { readonly integer: bigint }
  | { readonly decimal: Decimal }
  | { readonly money: Money }
  | { readonly boolean: boolean }
  | { readonly moment: bigint }
  | { readonly day: string };

export const isEmpty = (value: Value): value is null | 'unavailable' => value === null || value === 'unavailable';

const TEN = 10n;

/** Negative if `one` is less. Converts both to the same scale, so that nothing is rounded. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const left = one.unscaled * TEN ** BigInt(other.scale);
  const right = other.unscaled * TEN ** BigInt(one.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The quotient with this scale, rounded half to even. */
export function divideDecimals(numerator: Decimal, denominator: Decimal, scale: number): Decimal {
  let above = numerator.unscaled * TEN ** BigInt(denominator.scale + scale);
  let below = denominator.unscaled * TEN ** BigInt(numerator.scale);
  if (below < 0n) [above, below] = [-above, -below];
  // Rounds down, including negative numbers, so that the remainder is never negative.
  let floor = above / below;
  if (above % below < 0n) floor -= 1n;
  const twice = (above - floor * below) * 2n;
  const isUp = twice > below || (twice === below && floor % 2n !== 0n);
  return { unscaled: isUp ? floor + 1n : floor, scale };
}

/** Compares UTF-8 to sort by code point, as databases do. JavaScript compares UTF-16 units. */
const compareTexts = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const compareBigints = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0);

/** Negative if `one` comes first. Both must have the same type, and neither can be empty. */
export function compareValues(one: Value, other: Value): number {
  if (isEmpty(one) || isEmpty(other)) throw new Error('Empty values are not compared.');
  if ('text' in one && 'text' in other) return compareTexts(one.text, other.text);
  if ('integer' in one && 'integer' in other) return compareBigints(one.integer, other.integer);
  if ('decimal' in one && 'decimal' in other) return compareDecimals(one.decimal, other.decimal);
  if ('boolean' in one && 'boolean' in other) return Number(one.boolean) - Number(other.boolean);
  if ('moment' in one && 'moment' in other) return compareBigints(one.moment, other.moment);
  if ('day' in one && 'day' in other) return compareTexts(one.day, other.day);
  // Ignores the currency, because amounts in different currencies can't be compared otherwise.
  if ('money' in one && 'money' in other) return compareDecimals(one.money.amount, other.money.amount);
  throw new Error('Values of two types are not compared.');
}

/** A text that is the same for equal values. */
export const toKey = (value: Value): string => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part));

const MICROSECONDS = 1_000_000n;

/** Timestamps are stored in whole seconds, although the type has microseconds. */
const formatTimestamp = (timestamp: bigint) => new Date(Number(timestamp / MICROSECONDS) * 1000).toISOString().replace('.000Z', 'Z');

/** The cell for a value. */
export function toCell(value: Value): MessageInitShape<typeof AnalyticsCellSchema> {
  if (value === null) return { status: CellStatus.NULL };
  if (value === 'unavailable') return { status: CellStatus.UNAVAILABLE };
  const status = CellStatus.READY;
  if ('moment' in value) return { status, timestamp: formatTimestamp(value.moment) };
  if ('day' in value) return { status, date: value.day };
  return { status, ...value };
}

/** Number of decimal places of amounts in a currency. */
export function getDecimalPlaces(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Whether values of the type can be added. */
export const isNumber = (type: FieldType): boolean => type === FieldType.INTEGER || type === FieldType.DECIMAL;
