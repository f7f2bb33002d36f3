import { type Clock, systemClock } from '../../src/lib/clock.ts';

/** Wall clock and monotonic clock that return the same time. */
export const createClock = (now: () => number): Clock => ({ unixMs: now, monotonicMs: now });

/** This machine's clocks, ahead by a number of milliseconds that is read on each use. */
export const createClockAhead = (aheadMs: () => number, clock: Clock = systemClock): Clock => ({
  unixMs: () => clock.unixMs() + aheadMs(),
  monotonicMs: () => clock.monotonicMs() + aheadMs(),
});

/** Clocks that only advance when a test sets them. */
export class TestClock implements Clock {
  /** Elapsed time of both clocks, in milliseconds. */
  now: number;
  /** Offset of the wall clock in milliseconds, as if an administrator had set it ahead. */
  setAheadMs: number;

  constructor(setAheadMs = 0, now = 1_700_000_000_000) {
    this.setAheadMs = setAheadMs;
    this.now = now;
  }

  readonly unixMs = () => this.now + this.setAheadMs;
  readonly monotonicMs = () => this.now;
}
