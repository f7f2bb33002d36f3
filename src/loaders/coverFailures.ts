import { AbandonedError, ForbiddenError, RateLimitedError, UnauthenticatedError } from '../failures.ts';
import { isOwnLimit } from '../upstream/calls/send.ts';
import type { ListShape, PartsShape } from '../upstream/traffic/listShapes.ts';

/** Whether no call of this request will be answered, so that nothing more is to be asked. */
export const isFinal = (error: unknown): boolean => error instanceof UnauthenticatedError || error instanceof AbandonedError;

/** Puts a list to rest that failed, unless that tells of the limits of who asked. One that is refused rests until the grants of the key are asked for again. */
export function restAfter(error: unknown, shape: ListShape | PartsShape): void {
  if (error instanceof ForbiddenError) shape.restWhileGranted();
  else if (!isFinal(error) && !isOwnLimit(error) && !(error instanceof RateLimitedError)) shape.rest();
}
