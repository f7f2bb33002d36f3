import { ABANDONED } from '../../failures/failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Breakers, CallEnd } from '../traffic/breakers.ts';
import type { Quota } from '../traffic/quota.ts';
import { type Transport, TransportError } from '../transport/transport.ts';
import { type Call, type Exchange, getRemainingMs } from './call.ts';
import { createLostFailure } from './callFailure.ts';
import type { ChargeOptions } from './charge.ts';
import { classifyTransportError } from './outcomes.ts';
import { RetryableFailure } from './retry.ts';

export interface ExchangeOptions extends ChargeOptions {
  readonly transport: Transport;
  readonly quota: Quota;
  readonly breakers: Breakers;
  readonly clock: Clock;
}

/** Sends one HTTP request and reports its outcome to the breakers. Records the attempt synchronously, in the tick of the check that admitted it. */
export function exchange(options: ExchangeOptions): Exchange {
  const { transport, quota, breakers, retryBudget, clock, meter, onFailure } = options;

  function recordSent(call: Call): void {
    const { chargedTo, keyHash } = call;
    call.isCharged = false;
    chargedTo.sent += 1;
    quota.spend(keyHash, chargedTo.admission?.reservation ?? null);
    if (call.retries > 0) meter?.onRetry();
    else retryBudget.deposit(keyHash);
    breakers.begin(call);
    call.sentAt = clock.monotonicMs();
  }

  return async (call) => {
    recordSent(call);
    const { operation, apiKey, body, trace, origin } = call;
    const { requestId, traceparent } = origin;
    const timeoutMs = getRemainingMs(call);
    let outcome: CallEnd = null;
    try {
      const request = { path: operation.path, apiKey, body, requestId, timeoutMs, waiting: call };
      const response = await transport.send(trace ? { ...request, traceHeaders: trace.begin() } : { ...request, traceparent });
      outcome = response.status;
      return response;
    } catch (error) {
      if (call.isAbandoned) throw ABANDONED;
      if (!(error instanceof TransportError)) throw error;
      outcome = error;
      onFailure?.(createLostFailure(operation, error));
      // Not retryable: the timeout is the deadline of the whole call.
      if (error.isTimeout) throw classifyTransportError(error, call);
      throw new RetryableFailure(classifyTransportError(error, call), error.isSent);
    } finally {
      call.wait = null;
      trace?.end(outcome);
      breakers.end(call, outcome, timeoutMs);
    }
  };
}
