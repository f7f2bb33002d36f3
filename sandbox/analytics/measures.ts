import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsDecimal,
  type AnalyticsMeasure,
  AnalyticsFieldType as FieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity } from './catalog.ts';
import { type Cell, EMPTY } from './cells.ts';
import { requireField } from './invalidQuery.ts';
import type { Value } from './queryResult.ts';
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

/** Sums the upper and the lower 32 bits separately, because SQLite's sums fail beyond 64 bits. */
const createSums = (value: string) => [`sum((${value}) >> 32)`, `sum((${value}) & 0xffffffff)`, `count(${value})`];

const AGGREGATES: Readonly<Partial<Record<Aggregation, (value: string) => string[]>>> = {
  [Aggregation.COUNT]: () => ['count(*)'],
  [Aggregation.COUNT_DISTINCT]: (value) => [`count(DISTINCT ${value})`],
  [Aggregation.SUM]: createSums,
  [Aggregation.AVG]: createSums,
  [Aggregation.MIN]: (value) => [`min(${value})`],
  [Aggregation.MAX]: (value) => [`max(${value})`],
  [Aggregation.PERCENTILE_DISC]: (value) => [`group_concat(${value})`],
};

/** SQL aggregates that a measure is computed from. None for ratios. `value` is SQL for a row's value. */
export const createAggregates = ({ aggregation }: AnalyticsMeasure, value: string): string[] => AGGREGATES[aggregation]?.(value) ?? [];

/** The value whose rank is the percentile of the count, rounded up, so that it's always an existing value. Assumed: 0 returns the first value. */
function computePercentile(numbers: readonly bigint[], { unscaled, scale }: AnalyticsDecimal): bigint | undefined {
  const sorted = numbers.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const by = 10n ** BigInt(scale);
  const rank = (unscaled * BigInt(sorted.length) + by - 1n) / by;
  return sorted[Math.max(Number(rank), 1) - 1];
}

/** The result of a measure from the values of its aggregates in a group. `scale` is the number of decimal places of the field. */
export function computeMeasure(
  { aggregation, percentile }: AnalyticsMeasure,
  [first = null, ...others]: readonly Value[],
  scale: number,
): Cell {
  if (first === null) return EMPTY;
  const [lower = 0n, count = 0n] = others.map((value) => BigInt(value ?? 0n));
  const computeSum = () => (BigInt(first) << 32n) + lower;
  switch (aggregation) {
    case Aggregation.SUM:
      return { value: computeSum(), scale };
    case Aggregation.AVG: {
      const average = divide({ unscaled: computeSum(), scale }, { unscaled: count, scale: 0 }, scale + QUOTIENT_DIGITS);
      return { value: average.unscaled, scale: average.scale };
    }
    case Aggregation.PERCENTILE_DISC:
      return percentile ? { value: computePercentile(String(first).split(',').map(BigInt), percentile) ?? null, scale } : EMPTY;
    case Aggregation.MIN:
    case Aggregation.MAX:
      return { value: first, scale };
    default:
      return { value: first };
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
