import { UPSTREAM_FAILURES } from '../../failures/errorCodes.ts';
import {
  ABANDONED,
  ApiError,
  NotSentError,
  QueryTooExpensiveError,
  RateLimitedError,
  UnauthenticatedError,
  UpstreamUnavailableError,
  ValidationError,
} from '../../failures/failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Grants } from '../access/grants.ts';
import { getRequiredScopes } from '../access/scopes.ts';
import { type AnyOperation, isRead, isRepeatable } from '../contract/operation.ts';
import { findBrokenRules, getDocumentedRules } from '../contract/rules.ts';
import type { Breakers, CallEnd } from '../traffic/breakers.ts';
import type { DriftWatch } from '../traffic/driftWatch.ts';
import type { Permits } from '../traffic/permits.ts';
import type { Quota } from '../traffic/quota.ts';
import { parseQuotaHeaders, parseRetryAfter, type QuotaUpdate, toSeconds } from '../traffic/rateLimitHeaders.ts';
import type { Turns } from '../traffic/turns.ts';
import { type Transport, TransportError, type UpstreamResponse } from '../transport/transport.ts';
import { type Call, getRemainingMs, REHEARSED, type RequestCall } from './call.ts';
import { type CallMeter, createLostFailure, createResponseFailure, type OnFailure, type UnsentReason } from './callMeter.ts';
import type { Key } from './key.ts';
import { classifyRetryFailure, classifyTransportError, decodeResponse, ForeignResponseError, readResponse } from './outcomes.ts';
import type { ReadCoalescer } from './readCoalescer.ts';
import { MAX_ATTEMPTS, type Pauses, RetryableFailure, type RetryBudget } from './retry.ts';

export interface CallPipelineOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly quota: Quota;
  readonly permits: Permits;
  readonly breakers: Breakers;
  readonly pauses: Pauses;
  readonly reads: ReadCoalescer;
  readonly retryBudget: RetryBudget;
  readonly turns: Turns;
  /** Compares a sample of the responses with the contract. */
  readonly drift: DriftWatch;
  readonly meter?: Pick<CallMeter, 'onRetry' | 'onUnsent'>;
  readonly onFailure?: OnFailure;
  /** Called with each key that the upstream rejects as invalid. */
  readonly onInvalidKey: (key: Key) => void;
  /** Called for each call to an operation whose response has a `Deprecation` header. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
}

/** Finds why a request is rejected before it's sent: the documented rules of the contract that it breaks. */
export function findRequestProblem(operation: AnyOperation, request: object): ValidationError | undefined {
  const issues = findBrokenRules(request, getDocumentedRules(operation.request));
  return issues.length > 0 ? new ValidationError(issues) : undefined;
}

/**
 * The steps of a call, in order. Each continues in the same tick unless it has to wait:
 *
 * 1. `send`: rejects requests that break the contract's rules, or for which the key lacks a scope
 * 2. `#coalesce`: rejects the writes of a rehearsal, and resolves a read from an identical one of the same key that is in flight, or from the cache.
 *    With its response, a read waits until it's the request's turn to continue
 * 3. `sendOwn`: charges the call to its request, and waits until it has a reservation of the quota. The graph's own calls start here
 * 4. `#attempt`: waits until the key's quota, the circuit breakers, and the connection limits allow an attempt
 * 5. `#exchange`: sends one HTTP request
 * 6. `#interpret`: decodes the HTTP response or throws its error, and updates the key's quota from its headers
 * 7. `#repeat`: repeats steps 4 to 6 after a retryable failure, if that is safe and time is left
 */
export class CallPipeline {
  readonly #options: CallPipelineOptions;

  constructor(options: CallPipelineOptions) {
    this.#options = options;
  }

  /** Sends a call on behalf of a request. */
  send(call: RequestCall): Promise<object> {
    const { operation, request, requester } = call;
    try {
      if (requester.isDisconnected) throw ABANDONED;
      const problem = findRequestProblem(operation, request);
      if (problem) throw problem;
      const grants = requester.access.require(operation, request);
      return grants instanceof Promise ? grants.then((found) => this.#coalesce(call, found)) : this.#coalesce(call, grants);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #coalesce(call: RequestCall, { scopes }: Grants): Promise<object> {
    const { operation, request, requester, key } = call;
    const { reads, turns } = this.#options;
    call.requiredScopes = getRequiredScopes(operation, request);
    call.grantedScopes = scopes;
    // Excludes the time spent on looking up the scopes.
    call.startedAt = Date.now();
    call.trace = requester.trace?.createCallTrace(operation) ?? null;
    // Analytics queries are never coalesced.
    if (operation.effect === 'EXPENSIVE_READ') return this.sendOwn(call).then((value) => turns.resume(value, requester));
    if (isRead(operation)) return reads.read(call, this.sendOwn);
    if (requester.isRehearsal) return Promise.reject(this.#rehearse(call));
    reads.onWrite(key);
    return this.sendOwn(call).finally(() => reads.onWrite(key));
  }

  /**
   * Rejects the write of a rehearsal. It must also comply with the assumed rules of the contract, which are otherwise left to the upstream: a plan that it would
   * reject must not be confirmed.
   */
  #rehearse({ operation, request, requester }: RequestCall): Error {
    requester.rehearsed = operation.name;
    const issues = findBrokenRules(request, operation.rules);
    return issues.length > 0 ? new ValidationError(issues) : REHEARSED;
  }

  /** Sends one of the graph's own calls, which needs no scopes and is never coalesced. */
  readonly sendOwn = (call: Call): Promise<object> => {
    const { chargedTo } = call;
    call.isCharged = chargedTo.tryConsume();
    if (!call.isCharged) {
      const message = `This request needs more than ${chargedTo.maxCalls} upstream calls, so the remaining ones weren’t sent. Request less data at a time.`;
      return Promise.reject(new QueryTooExpensiveError(message, chargedTo.maxCalls, 'UPSTREAM_CALLS'));
    }
    const reserving = chargedTo.reserveCall();
    if (!reserving) return this.#attempt(call);
    return reserving.then(
      () => this.#attempt(call),
      (error: unknown) => {
        this.#releaseCharge(call, error);
        throw error;
      },
    );
  };

  #attempt(call: Call): Promise<object> {
    let queued: Promise<void> | undefined;
    try {
      queued = this.#acquire(call);
    } catch (error) {
      this.#releaseCharge(call, error);
      return Promise.reject(error);
    }
    // In the same tick as the checks, so their result is still valid.
    return queued ? this.#waitAndExchange(call, queued) : this.#exchange(call);
  }

  /** Acquires a connection permit. Returns undefined if it was granted without waiting. */
  #acquire(call: Call): Promise<void> | undefined {
    const { quota, breakers, permits } = this.#options;
    if (call.isAbandoned) throw ABANDONED;
    if (call.chargedTo.stop) throw call.chargedTo.stop.error;
    const blockedMs = quota.getBlockedMs(call.key);
    if (blockedMs > 0) return this.#awaitQuota(call, blockedMs);
    breakers.check(call);
    const left = getRemainingMs(call);
    if (left <= 0) throw new NotSentError('it timed out in the queue.');
    return permits.acquire(call, left);
  }

  /** Waits for the key's next quota window if it starts soon enough, otherwise throws RateLimitedError. */
  async #awaitQuota(call: Call, blockedMs: number): Promise<void> {
    const { pauses, quota } = this.#options;
    if (!pauses.canPause(blockedMs, getRemainingMs(call), call)) throw new RateLimitedError(toSeconds(blockedMs));
    await pauses.pause(blockedMs, call);
    const stillBlockedMs = quota.getBlockedMs(call.key);
    if (stillBlockedMs > 0 && !call.isAbandoned) throw new RateLimitedError(toSeconds(stillBlockedMs));
    await this.#acquire(call);
  }

  async #waitAndExchange(call: Call, queued: Promise<void>): Promise<object> {
    try {
      await queued;
      while (!this.#canSend(call)) {
        this.#options.permits.release(call);
        await this.#acquire(call);
      }
    } catch (error) {
      this.#releaseCharge(call, error);
      throw error;
    }
    return this.#exchange(call);
  }

  /** Rechecks what may have changed while the call was waiting for its permit. */
  #canSend(call: Call): boolean {
    const { quota, breakers } = this.#options;
    const canContinue = !call.isAbandoned && !call.chargedTo.stop;
    return canContinue && quota.getBlockedMs(call.key) === 0 && !breakers.isRejecting(call) && getRemainingMs(call) > 0;
  }

  /** Records an attempt that won't be sent, and releases what was charged for it. */
  #releaseCharge(call: Call, reason: unknown): void {
    const { retryBudget, meter, onFailure } = this.#options;
    call.isCharged = false;
    call.trace?.onUnsent(reason);
    const failure = this.#getUnsentReason(call, reason);
    meter?.onUnsent(failure);
    if (reason instanceof NotSentError) onFailure?.({ operation: call.operation.name, failure });
    call.chargedTo.release();
    if (call.retries > 0) retryBudget.release(call.key);
  }

  #getUnsentReason(call: Call, error: unknown): UnsentReason {
    if (error === ABANDONED) return 'canceled';
    if (error instanceof RateLimitedError || error instanceof QueryTooExpensiveError) return 'quota';
    return this.#options.breakers.isRejecting(call) ? 'breaker' : 'queue';
  }

  #exchange(call: Call): Promise<object> {
    this.#recordSent(call);
    const { operation, apiKey, body, trace, requester } = call;
    const { requestId, traceparent } = requester;
    const timeoutMs = getRemainingMs(call);
    const request = { path: operation.path, apiKey, body, requestId, timeoutMs, waiting: call };
    const { mayHaveArrived } = call;
    call.mayHaveArrived = true;
    let sending: Promise<UpstreamResponse>;
    try {
      sending = this.#options.transport.send(trace ? { ...request, traceHeaders: trace.begin() } : { ...request, traceparent });
    } catch (error) {
      sending = Promise.reject(error);
    }
    return sending.then(
      (response) => {
        this.#end(call, response.status, timeoutMs);
        return this.#onResponse(call, response);
      },
      (error: unknown) => {
        if (error instanceof TransportError && !error.isSent) call.mayHaveArrived = mayHaveArrived;
        const failure = this.#classifyLoss(call, error);
        this.#end(call, failure !== ABANDONED && error instanceof TransportError ? error : null, timeoutMs);
        return this.#onFailure(call, failure);
      },
    );
  }

  /** Records an attempt synchronously, in the tick of the checks that allowed it. */
  #recordSent(call: Call): void {
    const { quota, retryBudget, breakers, clock, meter } = this.#options;
    const { chargedTo, key } = call;
    call.isCharged = false;
    chargedTo.sent += 1;
    quota.spend(key, chargedTo.reservation);
    if (call.retries > 0) meter?.onRetry();
    else retryBudget.deposit(key);
    breakers.begin(call);
    call.sentAt = clock.monotonicMs();
  }

  #end(call: Call, outcome: CallEnd, timeoutMs: number): void {
    const { breakers, permits } = this.#options;
    call.wait = null;
    try {
      call.trace?.end(outcome);
      breakers.end(call, outcome, timeoutMs);
    } finally {
      permits.release(call);
    }
  }

  #classifyLoss(call: Call, error: unknown): unknown {
    if (call.isAbandoned) return ABANDONED;
    if (!(error instanceof TransportError)) return error;
    this.#options.onFailure?.(createLostFailure(call.operation, error));
    const failure = classifyTransportError(error, call);
    // A timeout isn't retryable: it is the deadline of the whole call.
    return error.isTimeout ? failure : new RetryableFailure(failure, error.isSent);
  }

  #onResponse(call: Call, response: UpstreamResponse): object | Promise<object> {
    try {
      return this.#interpret(call, response);
    } catch (error) {
      const failure = error instanceof RetryableFailure ? error.error : error;
      if (failure instanceof ApiError && UPSTREAM_FAILURES.has(failure.code))
        this.#options.onFailure?.(createResponseFailure(call.operation, response.status, failure.cause instanceof ForeignResponseError));
      return this.#onFailure(call, error);
    }
  }

  /** Decodes a successful response and throws the error of another. Updates the key's quota from the headers of both. */
  #interpret(call: Call, response: UpstreamResponse): object {
    const { quota, clock, drift, onDeprecated, onInvalidKey } = this.#options;
    const { key, operation, sentAt } = call;
    const { headers, body } = response;
    if (headers.deprecation !== undefined) onDeprecated?.(operation.name, String(headers.sunset ?? '') || null);
    const now = clock.unixMs();
    const update = parseQuotaHeaders(response, now);
    const { json, error, isTransient } = readResponse(response, call);
    if (error instanceof UnauthenticatedError) onInvalidKey(key);
    const retryAfterMs = error && parseRetryAfter(response, now);
    if (error instanceof RateLimitedError) throw this.#onRateLimit(call, update, retryAfterMs);
    quota.update(key, sentAt, update);
    if (!error) {
      call.responseLength = body.length;
      return decodeResponse(json, response, call, (members) => drift.observe(operation, members));
    }
    if (!isTransient) throw error;
    if (retryAfterMs !== null) error.extensions.retryAfterSeconds = toSeconds(retryAfterMs);
    throw new RetryableFailure(error, true, retryAfterMs ?? 0);
  }

  #onRateLimit({ key, sentAt, operation }: Call, update: QuotaUpdate | null, retryAfterMs: number | null): RetryableFailure {
    const { quota } = this.#options;
    // The upstream's queue for analytics queries is full. It is separate from the key's quota, so don't block the key's other calls.
    if (operation.effect === 'EXPENSIVE_READ' && retryAfterMs === null && update?.remaining !== 0)
      throw new UpstreamUnavailableError(undefined, 'has too many queries in its queue.');
    const resetsInMs = update?.remaining === 0 ? update.resetsInMs : null;
    const blockedMs = quota.block(key, sentAt, retryAfterMs ?? resetsInMs);
    quota.update(key, sentAt, update);
    return new RetryableFailure(new RateLimitedError(toSeconds(blockedMs)), false, blockedMs);
  }

  /** Starts the retries after the first attempt. Those of `#repeat` throw their failure to it. */
  #onFailure(call: Call, failure: unknown): Promise<object> {
    if (call.retries === 0 && failure instanceof RetryableFailure) return this.#repeat(call, failure);
    throw failure;
  }

  async #repeat(call: Call, first: RetryableFailure): Promise<object> {
    let isUncertain = false;
    for (let last = first; ; ) {
      const waitMs = this.#reserveRetry(call, last);
      if (waitMs === undefined) throw isUncertain ? classifyRetryFailure(last.error, call) : last.error;
      isUncertain ||= last.isUncertain;
      call.retries += 1;
      await this.#options.pauses.pause(waitMs, call);
      try {
        return await this.#attempt(call);
      } catch (error) {
        // If the retry wasn't sent, report the failure that triggered it: it is more specific.
        const failure = error instanceof NotSentError ? last.error : error;
        if (!(failure instanceof RetryableFailure))
          throw isUncertain && failure instanceof ApiError ? classifyRetryFailure(failure, call) : failure;
        last = failure;
      }
    }
  }

  /** Charges the next retry to the budgets. Returns the delay before it in milliseconds, or undefined if the call must not be retried. */
  #reserveRetry(call: Call, { retryAfterMs }: RetryableFailure): number | undefined {
    const { pauses, retryBudget } = this.#options;
    const { operation, request, chargedTo, retries, key } = call;
    const isRetryable = operation.effect === 'READ' || isRepeatable(operation, request);
    if (call.isAbandoned || !isRetryable || retries + 1 >= MAX_ATTEMPTS) return undefined;
    const waitMs = pauses.getRetryDelay(retries, retryAfterMs);
    if (!pauses.canPause(waitMs, getRemainingMs(call), call)) return undefined;
    if (!chargedTo.tryConsume()) return undefined;
    call.isCharged = retryBudget.tryConsume(key);
    if (call.isCharged) return waitMs;
    chargedTo.release();
    return undefined;
  }
}
