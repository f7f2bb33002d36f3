import { type Clock, createTimeRange, EXPIRED, getRemainingMs, systemClock } from './clock.ts';

/** Minimum interval between two reports, in milliseconds. Chosen: an operator notices the problem, and the log stays readable. */
const INTERVAL_MS = 60_000;

/** Returns a function that reports an event at most once a minute, with the number of events since the previous report. */
export function limitReports<Event>(report: (event: Event, count: number) => void, clock: Clock = systemClock): (event: Event) => void {
  let pause = EXPIRED;
  let count = 0;
  return (event) => {
    count += 1;
    const now = clock.monotonicMs();
    if (getRemainingMs(pause, now) > 0) return;
    pause = createTimeRange(now, INTERVAL_MS);
    report(event, count);
    count = 0;
  };
}
