import { type Clock, systemClock } from '../../src/lib/clock.ts';

/** Both clocks, of one time: what passes, passes for both. */
export const clockOf = (now: () => number): Clock => ({ unixMs: now, monotonicMs: now });

/** The clocks of this machine, set so many milliseconds ahead: as far as the functions say when they are asked. */
export const clockAhead = (aheadMs: () => number, clock: Clock = systemClock): Clock => ({
  unixMs: () => clock.unixMs() + aheadMs(),
  monotonicMs: () => clock.monotonicMs() + aheadMs(),
});
