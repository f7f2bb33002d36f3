import { type Clock, systemClock } from '../../src/lib/clock.ts';

/** Both clocks, of one time: what passes, passes for both. */
export const clockOf = (now: () => number): Clock => ({ unixMs: now, monotonicMs: now });

/** The clocks of this machine, set so many milliseconds ahead: as far as the functions say when they are asked. */
export const clockAhead = (aheadMs: () => number, clock: Clock = systemClock): Clock => ({
  unixMs: () => clock.unixMs() + aheadMs(),
  monotonicMs: () => clock.monotonicMs() + aheadMs(),
});

/** Clocks that only move when told. */
export class TestClock implements Clock {
  /** Time that has passed, in milliseconds: both clocks move with it. */
  now: number;
  /** How far somebody has set the wall clock ahead, in milliseconds. */
  setAheadMs: number;

  constructor(setAheadMs = 0, now = 1_700_000_000_000) {
    this.setAheadMs = setAheadMs;
    this.now = now;
  }

  readonly unixMs = () => this.now + this.setAheadMs;
  readonly monotonicMs = () => this.now;
}
