import { ABANDONED, NotSentError, RateLimitedError } from '../../failures/failures.ts';
import type { Breakers } from '../traffic/breakers.ts';
import type { Permits } from '../traffic/permits.ts';
import type { Quota } from '../traffic/quota.ts';
import { toSeconds } from '../traffic/rateLimitHeaders.ts';
import { type Call, type Exchange, getRemainingMs } from './call.ts';
import { type ChargeOptions, releaseCharge } from './charge.ts';
import type { Pauses } from './retry.ts';

export interface AdmitOptions extends ChargeOptions {
  readonly quota: Quota;
  readonly breakers: Breakers;
  readonly permits: Permits;
  readonly pauses: Pauses;
}

/**
 * Delays an attempt until the quota of its key, the circuit breakers, and the connection limits allow it. Calls the next step in the same tick if they already
 * do.
 */
export function admit(options: AdmitOptions, next: Exchange): Exchange {
  const { quota, breakers, permits, pauses } = options;

  /** Acquires a connection permit. Returns undefined if it was granted without waiting. */
  function acquire(call: Call): Promise<void> | undefined {
    if (call.isAbandoned) throw ABANDONED;
    if (call.chargedTo.admission?.stop) throw call.chargedTo.admission.stop.error;
    const blockedMs = quota.getBlockedMs(call.keyHash);
    if (blockedMs > 0) return awaitQuota(call, blockedMs);
    breakers.check(call);
    const left = getRemainingMs(call);
    if (left <= 0) throw new NotSentError('it timed out in the queue.');
    return permits.acquire(call, left);
  }

  /** Waits for the key's next quota window if it starts soon enough, otherwise throws RateLimitedError. */
  async function awaitQuota(call: Call, blockedMs: number): Promise<void> {
    if (!pauses.canPause(blockedMs, getRemainingMs(call), call)) throw new RateLimitedError(toSeconds(blockedMs));
    await pauses.pause(blockedMs, call);
    const stillBlockedMs = quota.getBlockedMs(call.keyHash);
    if (stillBlockedMs > 0 && !call.isAbandoned) throw new RateLimitedError(toSeconds(stillBlockedMs));
    await acquire(call);
  }

  /** Rechecks what may have changed while the call was waiting for its permit. */
  function canSend(call: Call): boolean {
    const canContinue = !call.isAbandoned && !call.chargedTo.admission?.stop;
    return canContinue && quota.getBlockedMs(call.keyHash) === 0 && !breakers.isRejecting(call) && getRemainingMs(call) > 0;
  }

  return async (call) => {
    try {
      const queued = acquire(call);
      if (queued) await queued;
      while (!canSend(call)) {
        permits.release(call);
        await acquire(call);
      }
    } catch (error) {
      releaseCharge(call, error, options);
      throw error;
    }
    try {
      // In the same tick as the check, so its result is still valid.
      return await next(call);
    } finally {
      permits.release(call);
    }
  };
}
