import { AsyncResource } from 'node:async_hooks';

/** Minimum interval between two reports, in milliseconds. Chosen: an operator notices the problem, and the log stays readable. */
const INTERVAL_MS = 60_000;

/**
 * Returns a function that reports the first event immediately, and later ones once a minute: one of them, with the number of events since the previous report. Each
 * is reported in its own asynchronous context, because the logger removes the secrets of the current request.
 */
export function limitReports<Event>(report: (event: Event, count: number) => void): (event: Event) => void {
  let isPaused = false;
  let count = 0;
  let reportNext: (() => void) | null = null;
  const endPause = () => {
    isPaused = false;
    reportNext?.();
  };
  const reportNow = (event: Event) => {
    isPaused = true;
    reportNext = null;
    setTimeout(endPause, INTERVAL_MS).unref();
    report(event, count);
    count = 0;
  };
  return (event) => {
    count += 1;
    if (!isPaused) reportNow(event);
    else reportNext ??= AsyncResource.bind(() => reportNow(event));
  };
}
