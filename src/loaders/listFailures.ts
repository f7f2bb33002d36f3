import { AbandonedError, ForbiddenError, RateLimitedError, UnauthenticatedError } from '../failures/failures.ts';
import { isRequesterLimit } from '../upstream/calls/deduplicate.ts';
import type { KnownList } from '../upstream/traffic/knownLists.ts';

/** Whether every further call of this request would fail too: the key is invalid or the client disconnected. */
export const isFatal = (error: unknown): boolean => error instanceof UnauthenticatedError || error instanceof AbandonedError;

/** Pauses a list that failed, unless the failure comes from the requester's own limits. A forbidden list stays paused until the key's grants are fetched again. */
export function pauseAfter(error: unknown, list: KnownList): void {
  if (error instanceof ForbiddenError) list.pauseUntilGrantsExpire();
  else if (!isFatal(error) && !isRequesterLimit(error) && !(error instanceof RateLimitedError)) list.pause();
}
