import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsDecimal,
  type AnalyticsMeasure,
  AnalyticsFieldType as FieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity } from './catalog.ts';
import { type Cell, EMPTY } from './cells.ts';
import { requireField } from './invalidQuery.ts';
import { divide } from './values.ts';

/** Number of decimal places of a quotient, in addition to those of its operands. Assumed. */
const QUOTIENT_DIGITS = 6;

/** The cell type of a measure, whose field has been checked. */
export function measureType(entity: CatalogEntity, { aggregation, field }: AnalyticsMeasure): FieldType {
  if (aggregation === Aggregation.COUNT || aggregation === Aggregation.COUNT_DISTINCT) return FieldType.INTEGER;
  if (aggregation === Aggregation.RATIO) return FieldType.DECIMAL;
  const { type } = requireField(entity, field, field);
  return aggregation === Aggregation.AVG && type === FieldType.INTEGER ? FieldType.DECIMAL : type;
}

/** The input of a measure from a group: the number of rows, and their values. */
export interface MeasureInput {
  rows: number;
  readonly values: (string | bigint)[];
}

const toBigInts = ({ values }: MeasureInput): bigint[] => values.map((value) => BigInt(value));

const sum = (numbers: readonly bigint[]): bigint => numbers.reduce((sum, number) => sum + number, 0n);

/** The value whose rank is the percentile of the count, rounded up, so that it's always an existing value. Assumed: 0 returns the first value. */
function computePercentile(numbers: readonly bigint[], { unscaled, scale }: AnalyticsDecimal): bigint | undefined {
  const sorted = numbers.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const by = 10n ** BigInt(scale);
  const rank = (unscaled * BigInt(sorted.length) + by - 1n) / by;
  return sorted[Math.max(Number(rank), 1) - 1];
}

/** The result of a measure of one field for a group. `scale` is the number of decimal places of the values. */
export function computeMeasure({ aggregation, percentile }: AnalyticsMeasure, input: MeasureInput, scale: number): Cell {
  if (aggregation === Aggregation.COUNT) return { value: BigInt(input.rows) };
  if (aggregation === Aggregation.COUNT_DISTINCT) return { value: BigInt(new Set(input.values).size) };
  const numbers = toBigInts(input);
  const [first] = numbers;
  if (first === undefined) return EMPTY;
  switch (aggregation) {
    case Aggregation.SUM:
      return { value: sum(numbers), scale };
    case Aggregation.AVG: {
      const dividend = { unscaled: sum(numbers), scale };
      const average = divide(dividend, { unscaled: BigInt(numbers.length), scale: 0 }, scale + QUOTIENT_DIGITS);
      return { value: average.unscaled, scale: average.scale };
    }
    case Aggregation.MIN:
      return { value: numbers.reduce((least, number) => (number < least ? number : least), first), scale };
    case Aggregation.MAX:
      return { value: numbers.reduce((most, number) => (number > most ? number : most), first), scale };
    default:
      return percentile ? { value: computePercentile(numbers, percentile) ?? null, scale } : EMPTY;
  }
}

/** The quotient of two measures. Null if either has no value, or if the denominator is zero. */
export function computeRatio(numerator: Cell, denominator: Cell): Cell {
  const [above, below] = [numerator.value, denominator.value];
  if (typeof above !== 'bigint' || typeof below !== 'bigint' || below === 0n) return EMPTY;
  const [dividend, divisor] = [
    { unscaled: above, scale: numerator.scale ?? 0 },
    { unscaled: below, scale: denominator.scale ?? 0 },
  ];
  const { unscaled, scale } = divide(dividend, divisor, Math.max(dividend.scale, divisor.scale) + QUOTIENT_DIGITS);
  return { value: unscaled, scale };
}
