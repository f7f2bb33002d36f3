import { FastPath } from '../../src/server/fastPath.ts';

let served = 0;

/** Number of requests that the fast path has served without Yoga since `watchFastPath`. */
export const countFastPathRequests = (): number => served;

/** Counts the requests of all graphs that the fast path serves without delegating them. Returns a function that stops counting. */
export function watchFastPath(): () => void {
  const { handle } = FastPath.prototype;
  FastPath.prototype.handle = function watched(current, createContext, delegateToYoga) {
    let isDelegated = false;
    const handling = handle.call(this, current, createContext, (...args) => {
      isDelegated = true;
      return delegateToYoga(...args);
    });
    // Count before the client reads the response, so that the count is current once the response has arrived.
    current.response.once('finish', () => {
      if (!isDelegated) served += 1;
    });
    return handling;
  };
  return () => {
    FastPath.prototype.handle = handle;
  };
}
