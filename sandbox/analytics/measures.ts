import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsDecimal,
  type AnalyticsMeasure,
  AnalyticsFieldType as FieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity } from './catalog.ts';
import { type Cell, EMPTY } from './cells.ts';
import { fieldAt } from './refusals.ts';
import { divide } from './values.ts';

/** Digits that a quotient has behind the point beside those of its operands. Assumed. */
const QUOTIENT_DIGITS = 6;

/** The type of a measure's cells. Its field has been checked. */
export function measureType(entity: CatalogEntity, { aggregation, field }: AnalyticsMeasure): FieldType {
  if (aggregation === Aggregation.COUNT || aggregation === Aggregation.COUNT_DISTINCT) return FieldType.INTEGER;
  if (aggregation === Aggregation.RATIO) return FieldType.DECIMAL;
  const { type } = fieldAt(entity, field, field);
  return aggregation === Aggregation.AVG && type === FieldType.INTEGER ? FieldType.DECIMAL : type;
}

/** The rows of a group that feed a measure: their number, and those of their values that are there. */
export interface Fed {
  rows: number;
  readonly values: (string | bigint)[];
}

const numbersOf = ({ values }: Fed): bigint[] => values.map((value) => BigInt(value));

const sumOf = (numbers: readonly bigint[]): bigint => numbers.reduce((sum, number) => sum + number, 0n);

/** The value at the place that is the percentile of their number, rounded up: one that is there. Assumed: the first one at 0. */
function percentileOf(numbers: readonly bigint[], { unscaled, scale }: AnalyticsDecimal): bigint | undefined {
  const sorted = numbers.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const by = 10n ** BigInt(scale);
  const rank = (unscaled * BigInt(sorted.length) + by - 1n) / by;
  return sorted[Math.max(Number(rank), 1) - 1];
}

/** The values of a measure of one field over the rows of a group, whose numbers have so many digits behind the point. */
export function measured({ aggregation, percentile }: AnalyticsMeasure, fed: Fed, scale: number): Cell {
  if (aggregation === Aggregation.COUNT) return { value: BigInt(fed.rows) };
  if (aggregation === Aggregation.COUNT_DISTINCT) return { value: BigInt(new Set(fed.values).size) };
  const numbers = numbersOf(fed);
  const [first] = numbers;
  if (first === undefined) return EMPTY;
  switch (aggregation) {
    case Aggregation.SUM:
      return { value: sumOf(numbers), scale };
    case Aggregation.AVG: {
      const dividend = { unscaled: sumOf(numbers), scale };
      const average = divide(dividend, { unscaled: BigInt(numbers.length), scale: 0 }, scale + QUOTIENT_DIGITS);
      return { value: average.unscaled, scale: average.scale };
    }
    case Aggregation.MIN:
      return { value: numbers.reduce((least, number) => (number < least ? number : least), first), scale };
    case Aggregation.MAX:
      return { value: numbers.reduce((most, number) => (number > most ? number : most), first), scale };
    default:
      return percentile ? { value: percentileOf(numbers, percentile) ?? null, scale } : EMPTY;
  }
}

/** The quotient of two measures: none where one has no value, or the denominator is zero. */
export function ratioOf(numerator: Cell, denominator: Cell): Cell {
  const [above, below] = [numerator.value, denominator.value];
  if (typeof above !== 'bigint' || typeof below !== 'bigint' || below === 0n) return EMPTY;
  const [dividend, divisor] = [
    { unscaled: above, scale: numerator.scale ?? 0 },
    { unscaled: below, scale: denominator.scale ?? 0 },
  ];
  const { unscaled, scale } = divide(dividend, divisor, Math.max(dividend.scale, divisor.scale) + QUOTIENT_DIGITS);
  return { value: unscaled, scale };
}
