import { Temporal } from 'temporal-polyfill';
import type { AnalyticsValue } from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';

/** The kinds of values that a comparison can have. */
const KINDS = ['text', 'integer', 'decimal', 'boolean', 'timestamp', 'date', 'currentMember', 'nowOffsetSeconds'] as const;

export type ValueKind = (typeof KINDS)[number];

/** The kinds of values that are set. A valid value has exactly one. */
export const listKinds = (value: AnalyticsValue): readonly ValueKind[] => KINDS.filter((kind) => value[kind] !== undefined);

/** An exact decimal number: unscaled × 10^-scale. */
export interface ExactDecimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** Maximum number of decimal places of the seconds of a timestamp. Documented. */
const TIMESTAMP_SCALE = 6;
const TIMESTAMP = new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d{1,${TIMESTAMP_SCALE}})?(Z|[+-]\\d{2}:\\d{2})$`);

/** Parses an RFC 3339 timestamp with up to six decimal places. Undefined for other text. */
export function parseTimestamp(text: string): Temporal.Instant | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    return undefined;
  }
}

/** Unix seconds with all decimal places. */
export const toSeconds = (timestamp: Temporal.Instant): ExactDecimal => ({
  unscaled: timestamp.epochNanoseconds / 1_000n,
  scale: TIMESTAMP_SCALE,
});

/** Formats Unix seconds as RFC 3339 in UTC. */
export const formatTimestamp = (seconds: number | bigint): string =>
  Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1_000).toString();

/** A number rounded down and up to integers of another scale. Both are equal if it needs no rounding. */
export function floorAndCeiling({ unscaled, scale }: ExactDecimal, to: number): { readonly floor: bigint; readonly ceiling: bigint } {
  if (scale <= to) {
    const exact = unscaled * 10n ** BigInt(to - scale);
    return { floor: exact, ceiling: exact };
  }
  const by = 10n ** BigInt(scale - to);
  const quotient = unscaled / by;
  const rest = unscaled - quotient * by;
  if (rest === 0n) return { floor: quotient, ceiling: quotient };
  return rest > 0n ? { floor: quotient, ceiling: quotient + 1n } : { floor: quotient - 1n, ceiling: quotient };
}

/** The quotient with this scale, rounded half to even. The divisor must not be zero. Assumed: the upstream doesn't document the scale of quotients. */
export function divide(dividend: ExactDecimal, divisor: ExactDecimal, scale: number): ExactDecimal {
  const sign = dividend.unscaled < 0n === divisor.unscaled < 0n ? 1n : -1n;
  const size = (value: bigint) => (value < 0n ? -value : value);
  const above = size(dividend.unscaled) * 10n ** BigInt(scale + divisor.scale);
  const below = size(divisor.unscaled) * 10n ** BigInt(dividend.scale);
  const quotient = above / below;
  const twice = (above - quotient * below) * 2n;
  const isUp = twice > below || (twice === below && quotient % 2n === 1n);
  return { unscaled: sign * (quotient + (isUp ? 1n : 0n)), scale };
}
