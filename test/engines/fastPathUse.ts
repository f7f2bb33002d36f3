import { FastPath } from '../../src/server/fastPath.ts';

let taken = 0;

/** Requests that the fast path has answered by itself since it is watched. */
export const requestsOnFastPath = (): number => taken;

/** Counts the requests of all graphs that the fast path answers without delegating them. Returns a function that stops it. */
export function watchFastPath(): () => void {
  const { handle } = FastPath.prototype;
  FastPath.prototype.handle = function watched(request, response, createContext, delegateToYoga) {
    let isDelegated = false;
    const handling = handle.call(this, request, response, createContext, (...given) => {
      isDelegated = true;
      return delegateToYoga(...given);
    });
    // Before the response is read by the caller, so that the count is there when it has arrived.
    response.once('finish', () => {
      if (!isDelegated) taken += 1;
    });
    return handling;
  };
  return () => {
    FastPath.prototype.handle = handle;
  };
}
