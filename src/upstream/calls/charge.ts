import { ABANDONED, NotSentError, QueryTooExpensiveError, RateLimitedError } from '../../failures/failures.ts';
import type { Breakers } from '../traffic/breakers.ts';
import type { Permits } from '../traffic/permits.ts';
import type { Call, Send } from './call.ts';
import type { OnFailure } from './callFailure.ts';
import type { CallMeter, UnsentReason } from './callMeter.ts';
import type { RetryBudget } from './retry.ts';

export interface ChargeOptions {
  readonly breakers: Breakers;
  readonly retryBudget: RetryBudget;
  readonly meter?: Pick<CallMeter, 'onRetry' | 'onUnsent'>;
  readonly onFailure?: OnFailure;
}

function getUnsentReason(call: Call, error: unknown, breakers: Breakers): UnsentReason {
  if (error === ABANDONED) return 'canceled';
  if (error instanceof RateLimitedError || error instanceof QueryTooExpensiveError) return 'quota';
  return breakers.isRejecting(call) ? 'breaker' : 'queue';
}

/** Records an attempt that won't be sent, and releases what was charged for it. */
export function releaseCharge(call: Call, reason: unknown, { breakers, retryBudget, meter, onFailure }: ChargeOptions): void {
  call.isCharged = false;
  call.trace?.onUnsent(reason);
  const failure = getUnsentReason(call, reason, breakers);
  meter?.onUnsent(failure);
  if (reason instanceof NotSentError) onFailure?.({ operation: call.operation.name, failure });
  call.chargedTo.release();
  if (call.retries > 0) retryBudget.release(call.keyHash);
}

/** Charges a call to its request's budget, and waits until the request's admission covers it. */
export const charge =
  (options: ChargeOptions, next: Send): Send =>
  (call) => {
    const { chargedTo } = call;
    call.isCharged = chargedTo.tryConsume();
    if (!call.isCharged) {
      const message = `This request needs more than ${chargedTo.limit} upstream calls, so the remaining ones weren’t sent. Request less data at a time.`;
      return Promise.reject(new QueryTooExpensiveError(message, chargedTo.limit, 'UPSTREAM_CALLS'));
    }
    const onStop = (error: unknown) => {
      releaseCharge(call, error, options);
      throw error;
    };
    try {
      const covering = chargedTo.admission?.cover();
      return covering ? covering.then(() => next(call), onStop) : next(call);
    } catch (error) {
      return Promise.reject(error).catch(onStop);
    }
  };

/**
 * Handles the disconnect of a request that was waiting for a coalesced read. If no other request is `waiting`, the call is abandoned. Otherwise
 * the call takes the queue position of the request that has sent the fewest calls, and is charged to it if the charged request disconnected.
 */
export function onRequesterDisconnect(call: Call, waiting: readonly Call[], permits: Permits): void {
  const [successor] = waiting.map(({ requester }) => requester).sort((left, right) => left.sent - right.sent);
  if (!successor) {
    call.isAbandoned = true;
    call.wait?.abandon();
    return;
  }
  permits.requeueFor(call, successor);
  if (!call.chargedTo.isDisconnected || (call.isCharged && !successor.tryConsume())) return;
  if (call.isCharged) call.chargedTo.release();
  call.chargedTo = successor;
}
