import { Temporal } from 'temporal-polyfill';
import { AnalyticsTimeBucket as TimeBucket } from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { getFirstDay, startOfDay } from './ranges.ts';
import { floorAndCeiling, toSeconds } from './values.ts';

interface Unit {
  readonly unit: 'day' | 'week' | 'month' | 'quarter' | 'year';
  readonly length: { readonly days?: number; readonly months?: number; readonly years?: number };
}

/** The calendar unit of each bucket, and the length of the bucket. */
const UNITS: Readonly<Partial<Record<TimeBucket, Unit>>> = {
  [TimeBucket.DAY]: { unit: 'day', length: { days: 1 } },
  [TimeBucket.WEEK]: { unit: 'week', length: { days: 7 } },
  [TimeBucket.MONTH]: { unit: 'month', length: { months: 1 } },
  [TimeBucket.QUARTER]: { unit: 'quarter', length: { months: 3 } },
  [TimeBucket.YEAR]: { unit: 'year', length: { years: 1 } },
};

/** A bucket with its bounds in Unix seconds (the end is exclusive), and its first day. */
export interface Bucket {
  readonly start: number;
  readonly end: number;
  readonly day: string;
}

const ceilToSeconds = (timestamp: Temporal.Instant) => Number(floorAndCeiling(toSeconds(timestamp), 0).ceiling);

/** The bucket that contains a timestamp in Unix seconds. */
export function findBucket(bucket: TimeBucket, seconds: number, zone: string): Bucket {
  const { unit, length } = UNITS[bucket] ?? { unit: 'day', length: { days: 1 } };
  const today = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  let first = getFirstDay(unit, today);
  // If clocks go back across midnight, they show the previous day again after the next one has started.
  if (ceilToSeconds(startOfDay(first.add(length), zone)) <= seconds) first = first.add(length);
  return { start: ceilToSeconds(startOfDay(first, zone)), end: ceilToSeconds(startOfDay(first.add(length), zone)), day: first.toString() };
}

/** The buckets that contain any of these timestamps, which are in Unix seconds and ascending order. */
export function listBuckets(bucket: TimeBucket, timestamps: readonly number[], zone: string): Bucket[] {
  const found: Bucket[] = [];
  for (const timestamp of timestamps) {
    const last = found.at(-1);
    if (!last || timestamp >= last.end) found.push(findBucket(bucket, timestamp, zone));
  }
  return found;
}
