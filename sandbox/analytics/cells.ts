import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AnalyticsCellSchema,
  AnalyticsCellStatus as CellStatus,
  AnalyticsFieldType as FieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { failedPrecondition } from '../kernel/errors.ts';
import { type ExactDecimal, formatTimestamp } from './values.ts';

/** A value: a text, or an integer with `scale` decimal places. Null if there is none. */
export interface Cell {
  readonly value: string | bigint | null;
  readonly scale?: number;
  /** Set for amounts. */
  readonly currency?: string;
  /** Whether the value exists but is unknown. */
  readonly isUnavailable?: true;
}

export const EMPTY: Cell = { value: null };
export const UNAVAILABLE: Cell = { value: null, isUnavailable: true };

const MAX_INT64 = 2n ** 63n;

/** Throws if a total exceeds 64 bits, because the protocol can't represent it. */
function requireInt64(value: bigint): bigint {
  if (value >= MAX_INT64 || value < -MAX_INT64)
    throw failedPrecondition(`Numbers in the result must fit into 64 bits, but one is ${value}. Filter for fewer records.`);
  return value;
}

/** Encodes the value of a cell with its type. */
function encodeValue({ value, scale = 0, currency = '' }: Cell, type: FieldType): MessageInitShape<typeof AnalyticsCellSchema> {
  if (typeof value === 'string') return type === FieldType.DATE ? { date: value } : { text: value };
  const number = requireInt64(value ?? 0n);
  switch (type) {
    case FieldType.DECIMAL:
      return { decimal: { unscaled: number, scale } };
    case FieldType.MONEY:
      return { money: { amount: { unscaled: number, scale }, currency } };
    case FieldType.BOOLEAN:
      return { boolean: number !== 0n };
    case FieldType.TIMESTAMP:
      return { timestamp: formatTimestamp(number) };
    default:
      return { integer: number };
  }
}

/** Encodes a cell of this type. */
export function toCell(cell: Cell, type: FieldType): MessageInitShape<typeof AnalyticsCellSchema> {
  if (cell.isUnavailable) return { status: CellStatus.UNAVAILABLE };
  return cell.value === null ? { status: CellStatus.NULL } : { status: CellStatus.READY, ...encodeValue(cell, type) };
}

/** Compares texts by code point, as UTF-8 and SQLite do. */
const compareTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Compares two numbers, which may have different scales. */
function compareNumbers(one: ExactDecimal, other: ExactDecimal): number {
  const [left, right] = [one.unscaled * 10n ** BigInt(other.scale), other.unscaled * 10n ** BigInt(one.scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares two cells of a column. Cells without a value come last, in either direction. */
export function compareCells(one: Cell, other: Cell, direction: 1 | -1): number {
  if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
  if (typeof one.value === 'string' || typeof other.value === 'string')
    return direction * compareTexts(String(one.value), String(other.value));
  const [left, right] = [one, other].map(({ value, scale = 0 }) => ({ unscaled: value as bigint, scale }));
  return left && right ? direction * compareNumbers(left, right) : 0;
}
