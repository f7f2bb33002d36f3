import { invalidInput } from '../../failures.ts';
import { toDateTime } from '../../lib/dateTime.ts';
import { builder } from './builder.ts';
import type { TimeSpan } from './timeWindow.ts';

/** Stretch of time as callers give it: Unix seconds as text, in the form of the scalar DateTime. */
interface DateTimeRange {
  readonly from: string;
  readonly to: string;
}

export const DateTimeRangeInput = builder.inputRef<DateTimeRange>('DateTimeRangeInput').implement({
  description: 'A time range that includes `from` and excludes `to`.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', required: true, description: 'Start of the range, inclusive.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'End of the range, exclusive. Must be after `from`.' }),
  }),
});

/** The stretch of time that an argument gives. Fails with ValidationError for one that is empty or backwards. */
export function toTimeSpan({ from, to }: DateTimeRange, argument: string): TimeSpan {
  const span = { from: Number(from), to: Number(to) };
  if (span.from < span.to) return span;
  const [start, end] = [span.from, span.to].map(toDateTime);
  throw invalidInput([argument, 'to'], 'OUT_OF_RANGE', `must be after \`from\` (${start}), but is ${end}.`);
}
