import { invalidInput } from '../../failures/failures.ts';
import { ceilToSeconds, formatInstant, type Instant, isBefore } from '../../lib/instant.ts';
import { builder } from './builder.ts';
import type { TimeSpan } from './timeWindow.ts';

/** A time range as callers specify it. */
interface DateTimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

export const DateTimeRangeInput = builder.inputRef<DateTimeRange>('DateTimeRangeInput').implement({
  description: 'A time range that includes `from` and excludes `to`.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', required: true, description: 'Start of the range, inclusive.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'End of the range, exclusive. Must be after `from`.' }),
  }),
});

/**
 * Converts the time range of an argument to whole seconds, for a list of records whose timestamps have no fraction. Rounding both ends up doesn't change which
 * of them match: the first whole second at or after `from` is included, and the first at or after `to` isn't. The result can be empty. Throws ValidationError
 * if `from` isn't before `to`.
 */
export function toTimeSpan({ from, to }: DateTimeRange, argument: string): TimeSpan {
  if (isBefore(from, to)) return { from: ceilToSeconds(from), to: ceilToSeconds(to) };
  throw invalidInput([argument, 'to'], 'OUT_OF_RANGE', `must be after \`from\` (${formatInstant(from)}), but is ${formatInstant(to)}.`);
}
