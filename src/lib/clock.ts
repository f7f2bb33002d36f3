/** The two clocks of a process. */
export interface Clock {
  /** Unix milliseconds of the wall clock: for headers, and for timestamps that are displayed or stored. Users and time servers can set this clock. */
  unixMs(): number;
  /** Milliseconds of the monotonic clock, from an arbitrary origin: for everything that expires within the process. This clock can't be set. */
  monotonicMs(): number;
}

/** The clocks of this machine. The monotonic clock is rounded down to whole milliseconds, so that sums of its timestamps are exact. */
export const systemClock: Clock = { unixMs: Date.now, monotonicMs: () => Math.floor(performance.now()) };

/**
 * A time range in milliseconds of one clock. Contains both ends, because a clock before `from` was set back after the range was created (tools that fake clocks
 * also move the monotonic clock). With `until` alone, the range would last longer by as much as the clock was set back.
 */
export interface TimeRange {
  readonly from: number;
  readonly until: number;
}

/** By how much a wall clock may be set back before timestamps that it wrote are distrusted, in milliseconds. Chosen: time servers correct clocks by less. */
export const CLOCK_STEP_MS = 1_000;

/** A range that has expired on every clock. */
export const EXPIRED: TimeRange = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

export const createTimeRange = (from: number, ms: number): TimeRange => ({ from, until: from + ms });

/** Milliseconds until the end of a range. 0 if it has expired, or if the clock is before its start. */
export const getRemainingMs = ({ from, until }: TimeRange, now: number): number => (now < from ? 0 : Math.max(0, until - now));
