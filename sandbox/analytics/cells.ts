import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AnalyticsCellSchema,
  AnalyticsCellStatus as CellStatus,
  AnalyticsFieldType as FieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { blocked } from '../kernel/errors.ts';
import { type Scaled, shownMoment } from './values.ts';

/** A value as the store has it: a text, or a whole number of which `scale` digits stand behind the point. Null where there is none. */
export interface Cell {
  readonly value: string | bigint | null;
  readonly scale?: number;
  /** Of an amount. */
  readonly currency?: string;
  /** There is a value, and it is not known. */
  readonly isUnavailable?: true;
}

export const EMPTY: Cell = { value: null };
export const UNAVAILABLE: Cell = { value: null, isUnavailable: true };

const MAX_INT64 = 2n ** 63n;

/** The whole number of a cell of numbers. Totals that 64 bits do not hold are refused: the wire has no others. */
function whole(value: bigint): bigint {
  if (value >= MAX_INT64 || value < -MAX_INT64)
    throw blocked(`Numbers in the result must fit into 64 bits, but one is ${value}. Filter for fewer records.`);
  return value;
}

/** The value of a cell with its type, as the wire has it. */
function shown({ value, scale = 0, currency = '' }: Cell, type: FieldType): MessageInitShape<typeof AnalyticsCellSchema> {
  if (typeof value === 'string') return type === FieldType.DATE ? { date: value } : { text: value };
  const number = whole(value ?? 0n);
  switch (type) {
    case FieldType.DECIMAL:
      return { decimal: { unscaled: number, scale } };
    case FieldType.MONEY:
      return { money: { amount: { unscaled: number, scale }, currency } };
    case FieldType.BOOLEAN:
      return { boolean: number !== 0n };
    case FieldType.TIMESTAMP:
      return { timestamp: shownMoment(number) };
    default:
      return { integer: number };
  }
}

/** A cell of this type as the wire has it. */
export function toCell(cell: Cell, type: FieldType): MessageInitShape<typeof AnalyticsCellSchema> {
  if (cell.isUnavailable) return { status: CellStatus.UNAVAILABLE };
  return cell.value === null ? { status: CellStatus.NULL } : { status: CellStatus.READY, ...shown(cell, type) };
}

/** Orders texts by code points, as UTF-8 and SQLite do. */
const compareTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Orders two numbers of any scales. */
function compareNumbers(one: Scaled, other: Scaled): number {
  const [left, right] = [one.unscaled * 10n ** BigInt(other.scale), other.unscaled * 10n ** BigInt(one.scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Orders two cells of a column; those without a value come last whichever the direction. */
export function compareCells(one: Cell, other: Cell, direction: 1 | -1): number {
  if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
  if (typeof one.value === 'string' || typeof other.value === 'string')
    return direction * compareTexts(String(one.value), String(other.value));
  const [left, right] = [one, other].map(({ value, scale = 0 }) => ({ unscaled: value as bigint, scale }));
  return left && right ? direction * compareNumbers(left, right) : 0;
}
