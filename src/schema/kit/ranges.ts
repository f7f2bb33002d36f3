import { invalidInput } from '../../failures/failures.ts';
import { ceilToSeconds, formatInstant, type Instant, isBefore } from '../../lib/instant.ts';
import { builder } from './builder.ts';

/** Time range in Unix seconds, excluding its end. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A time range as callers specify it. */
interface DateTimeRange {
  readonly gte: Instant;
  readonly lt: Instant;
}

export const DateTimeRangeInput = builder.inputRef<DateTimeRange>('DateTimeRangeInput').implement({
  description: 'A time range.',
  fields: (t) => ({
    gte: t.field({ type: 'DateTime', required: true, description: 'Start of the range, inclusive.' }),
    lt: t.field({ type: 'DateTime', required: true, description: 'End of the range, exclusive. Must be after `gte`.' }),
  }),
});

/**
 * Converts the time range of an argument to whole seconds, for a list of records whose timestamps have no fraction. Rounding both ends up doesn't change which
 * of them match: the first whole second at or after `gte` is included, and the first at or after `lt` isn't. The result can be empty. Throws ValidationError
 * if `gte` isn't before `lt`.
 */
export function toTimeSpan(range: DateTimeRange, argument: string): TimeSpan {
  checkTimeOrder(range, [argument]);
  return { from: ceilToSeconds(range.gte), to: ceilToSeconds(range.lt) };
}

/** A condition on a timestamp as callers specify it. */
interface TimeBounds {
  readonly gte?: Instant | null | undefined;
  readonly lt?: Instant | null | undefined;
}

export const TimeConditionInput = builder.inputRef<TimeBounds>('TimeConditionInput').implement({
  description: 'A condition on a timestamp. Without `gte` or `lt`, the range is open at that end.',
  fields: (t) => ({
    gte: t.field({ type: 'DateTime', description: 'Start of the range, inclusive.' }),
    lt: t.field({ type: 'DateTime', description: 'End of the range, exclusive. Must be after `gte`.' }),
  }),
});

/** Limits of a range of whole numbers. Null at an open end. */
export interface RangeLimits {
  readonly gte: bigint | null;
  readonly lt: bigint | null;
}

/** Throws ValidationError if `lt` isn’t after `gte`. */
export function checkTimeOrder({ gte, lt }: TimeBounds, path: readonly string[]): void {
  if (gte && lt && !isBefore(gte, lt))
    throw invalidInput([...path, 'lt'], 'OUT_OF_RANGE', `must be after \`gte\` (${formatInstant(gte)}), but is ${formatInstant(lt)}.`);
}

/** Converts a condition to whole seconds, rounded as by `toTimeSpan`. Throws ValidationError if `lt` isn’t after `gte`. */
export function toTimeLimits(condition: TimeBounds, path: readonly string[]): RangeLimits {
  checkTimeOrder(condition, path);
  const { gte, lt } = condition;
  return { gte: gte ? BigInt(ceilToSeconds(gte)) : null, lt: lt ? BigInt(ceilToSeconds(lt)) : null };
}
