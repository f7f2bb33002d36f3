/** The two clocks of a process. */
export interface Clock {
  /** Unix milliseconds: for reading headers, and for moments that are told to people or kept on a disk. People and time servers set this clock. */
  unixMs(): number;
  /** Milliseconds since some moment: for everything that ages inside the process. Nobody sets this clock. */
  monotonicMs(): number;
}

/** The clocks of this machine. The monotonic clock is told in whole milliseconds, so that sums of its moments are exact. */
export const systemClock: Clock = { unixMs: Date.now, monotonicMs: () => Math.floor(performance.now()) };

/**
 * A stretch of time, in the milliseconds of one clock. Both ends are kept: a clock that stands before `from` was set back after the span was told (tools
 * that fake clocks move the monotonic clock, too), and an `until` without its `from` would then hold for as long as the clock was set back.
 */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * How far a wall clock may be set back without any doubt in moments that were written by it, in milliseconds. Ours: time servers correct clocks by less.
 */
export const CLOCK_STEP_MS = 1_000;

/** A span that has ended for every clock. */
export const ENDED: Span = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

export const spanOf = (from: number, ms: number): Span => ({ from, until: from + ms });

/** Milliseconds to the end of a span; 0 when it has ended, or the clock stands before its beginning. */
export const msLeftOf = ({ from, until }: Span, now: number): number => (now < from ? 0 : Math.max(0, until - now));
