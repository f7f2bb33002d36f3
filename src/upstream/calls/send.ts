// Lifecycle of an upstream call, in order, with the method that implements each step:
//
//  1. scopes: check the operation's rules and the key's scopes (`Session`, before the call gets here)
//  2. coalescing: join an identical read in flight for the same key, or use a cached response (`SharedReads.read`)
//  3. budget: count the call against its request's limit, and require that the request's admission covers it (`send`)
//  4. quota: require calls left in the key's window, or wait if the next window starts soon (`#acquire`, `#awaitQuota`)
//  5. breaker: require the circuit breakers of the service and of the whole upstream to accept calls (`#acquire`)
//  6. permit: acquire a connection permit for this key and service, queueing if there is none (`#acquire`)
//  7. attempt: recheck 4 and 5, then send the HTTP request (`#attempt`)
//  8. feedback: report the outcome to the breakers, the quota and the grant cache (`#attempt`, `#handleResponse`)
//  9. response: parse the JSON of a success, or map a failure to an error class (`#handleResponse`, using answers.ts)
// 10. retry: if repeating the call is safe and time is left, back off and continue at step 4 (`#sendWithRetries`)

import {
  ABANDONED,
  ApiError,
  NotSentError,
  QueryTooExpensiveError,
  QuotaExceededError,
  RateLimitedError,
  UnauthenticatedError,
  UpstreamUnavailableError,
} from '../../failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Breakers, CallEnd } from '../traffic/breakers.ts';
import type { CallBudget } from '../traffic/callBudget.ts';
import type { CallTrace, SessionTrace } from '../traffic/callTrace.ts';
import { Deliveries, type SentCall } from '../traffic/deliveries.ts';
import type { DriftWatch } from '../traffic/driftWatch.ts';
import type { PermitHolder, Permits } from '../traffic/permits.ts';
import type { Quota } from '../traffic/quota.ts';
import { madeAt, parseQuotaHeaders, retryAfterOf } from '../traffic/rateLimitHeaders.ts';
import { type Transport, TransportError, type UpstreamResponse } from '../transport/transport.ts';
import { type CallFacts, classifyRetryFailure, decodeResponse, failure, readResponse } from './answers.ts';
import type { CallMeter, UnsentReason } from './callMeter.ts';
import { isRetryable, MAX_ATTEMPTS, type Pauses, type RetryBudget } from './retry.ts';
import type { SizedResponse } from './sharedReads.ts';

/** One upstream call, from queueing to the response, including retries. */
export interface Call extends PermitHolder, CallFacts {
  readonly operation: AnyOperation;
  /** The request, serialized as JSON. */
  readonly body: string;
  readonly requestId: string;
  /** Null if the call belongs to no trace. */
  readonly traceparent: string | null;
  /** Null if span export is disabled. */
  readonly trace: CallTrace | null;
  /** Call budget of the GraphQL request that issued the call. */
  readonly requester: CallBudget;
  /** Deadline for all attempts and waits together, on the `performance.now()` clock. */
  readonly deadline: number;
  /** Budget that the call is charged to: the requester's, or that of another request waiting for it after the requester disconnected. */
  chargedTo: CallBudget;
  /** Whether the call has been charged but not yet sent. */
  isCharged: boolean;
  /** Whether no request is waiting for the response anymore. */
  isAbandoned: boolean;
}

/** The request that issues a call: its API key, budget and deadline. */
export interface CallOrigin {
  readonly apiKey: string;
  readonly keyHash: string;
  readonly requestId: string;
  readonly traceparent: string | null;
  readonly trace: SessionTrace | null;
  readonly requester: CallBudget;
  readonly deadline: number;
  readonly timeoutMs: number;
  readonly requiredScopes: readonly string[];
  readonly hasExactScopes: boolean;
}

function stringField(request: object, field: string | undefined): string | null {
  const value = field && (request as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}

/** Creates a call without sending it. `body` is `request` serialized as JSON. */
export function createCall(operation: AnyOperation, request: object, body: string, origin: CallOrigin): Call {
  return {
    operation,
    body,
    apiKey: origin.apiKey,
    keyHash: origin.keyHash,
    requestId: origin.requestId,
    traceparent: origin.traceparent,
    trace: origin.trace?.call(operation) ?? null,
    requester: origin.requester,
    deadline: origin.deadline,
    timeoutMs: origin.timeoutMs,
    requiredScopes: origin.requiredScopes,
    hasExactScopes: origin.hasExactScopes,
    startedAt: Date.now(),
    idempotencyKey: stringField(request, operation.keyField),
    expectedVersion: stringField(request, operation.versionField),
    queuedFor: origin.requester,
    chargedTo: origin.requester,
    isCharged: false,
    isAbandoned: false,
    delivery: null,
    wait: null,
  };
}

export interface SenderOptions {
  readonly transport: Transport;
  readonly quota: Quota;
  readonly permits: Permits;
  readonly breakers: Breakers;
  readonly retryBudget: RetryBudget;
  readonly pauses: Pauses;
  readonly clock: Clock;
  /** Called with the hash of each API key that the upstream rejects as invalid. */
  readonly onInvalidKey: (keyHash: string) => void;
  /** Called for each call to an operation whose response has a `Deprecation` header. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  readonly meter?: Pick<CallMeter, 'onRetry' | 'onUnsent'>;
  /** Compares a sample of the responses with the contract. */
  readonly drift: DriftWatch;
  /** Whether records keep the JSON that they were decoded from. */
  readonly keepsRaw: boolean;
}

/** Retryable failure of one attempt: transport error, 429, 502–504. */
class RetryableFailure extends Error {
  /** The error to throw if the call isn't retried. */
  readonly error: ApiError;
  /** Whether the attempt may have taken effect. */
  readonly isUncertain: boolean;
  /** Minimum delay before the next attempt, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(error: ApiError, isUncertain: boolean, retryAfterMs = 0) {
    super(error.message, { cause: error });
    this.name = 'RetryableFailure';
    this.error = error;
    this.isUncertain = isUncertain;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Statuses of a temporary failure. The upstream may have processed the request. */
const TRANSIENT_STATUSES = new Set([502, 503, 504]);

/** Rounds up to whole seconds. Rounds to milliseconds first, so that a floating-point error doesn't add a second. */
const toSeconds = (ms: number) => Math.ceil(Math.round(ms) / 1000);

const msLeft = ({ deadline }: Call) => deadline - performance.now();

/** Whether a failure was caused by the requester's own limits, so that the same call from another request may succeed. */
export const isRequesterLimit = (error: unknown): boolean =>
  error instanceof QueryTooExpensiveError ||
  error instanceof QuotaExceededError ||
  error instanceof NotSentError ||
  (error instanceof ApiError && error.code === 'UPSTREAM_TIMEOUT');

/** Sends calls through the lifecycle above. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #deliveries: Deliveries;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#deliveries = new Deliveries(options.clock);
  }

  /** Step 3 and everything after it. Allocates as little as possible before the permit is granted, because thousands of calls may be queued. */
  send(call: Call): Promise<SizedResponse> {
    const { chargedTo } = call;
    call.isCharged = chargedTo.tryConsume();
    if (!call.isCharged) {
      const message = `This request needs more than ${chargedTo.limit} upstream calls, so the remaining ones weren’t sent. Request less data at a time.`;
      return Promise.reject(new QueryTooExpensiveError(message, chargedTo.limit, 'UPSTREAM_CALLS'));
    }
    try {
      const covering = chargedTo.admission?.cover();
      const queued = covering ? covering.then(() => this.#acquire(call)) : this.#acquire(call);
      if (!queued) return this.#sendWithRetries(call);
      return queued.then(
        () => this.#sendWithRetries(call),
        (error: unknown) => {
          this.#recordUnsent(call, false, error);
          throw error;
        },
      );
    } catch (error) {
      this.#recordUnsent(call, false, error);
      return Promise.reject(error);
    }
  }

  /** Step 10: sends a call that holds a permit, and retries it after a retryable failure if that is safe. */
  async #sendWithRetries(call: Call): Promise<SizedResponse> {
    let isUncertain = false;
    let previous: RetryableFailure | undefined;
    let waitMs: number | undefined;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt(call, waitMs);
      } catch (error) {
        // If the retry wasn't sent, report the failure that triggered it: it is more specific.
        const last = error instanceof NotSentError && previous ? previous.error : error;
        if (!(last instanceof RetryableFailure)) throw isUncertain && last instanceof ApiError ? classifyRetryFailure(last, call) : last;
        waitMs = this.#reserveRetry(call, last, retries);
        if (waitMs === undefined) throw isUncertain ? classifyRetryFailure(last.error, call) : last.error;
        isUncertain ||= last.isUncertain;
        previous = last;
      }
    }
  }

  /**
   * Handles the disconnect of a request that was waiting for a coalesced read. If no other request is `waiting`, the call is abandoned. Otherwise
   * the call takes the queue position of the request that has sent the fewest calls, and is charged to it if the charged request disconnected.
   */
  onRequesterDisconnect(call: Call, waiting: readonly Call[]): void {
    const [successor] = waiting.map(({ requester }) => requester).sort((left, right) => left.sent - right.sent);
    if (!successor) {
      call.isAbandoned = true;
      call.wait?.abandon();
      return;
    }
    this.#options.permits.requeueFor(call, successor);
    if (!call.chargedTo.isDisconnected || (call.isCharged && !successor.tryConsume())) return;
    if (call.isCharged) call.chargedTo.release();
    call.chargedTo = successor;
  }

  /** Closes the transport. Writes in flight then have an unknown outcome; calls that wait for an attempt, and those that follow, fail at once. */
  close(): Promise<void> {
    const { transport, pauses } = this.#options;
    const closed = transport.close();
    pauses.close();
    return closed;
  }

  /** Charges the next retry to the budgets. Returns the delay before it in milliseconds, or undefined if the call must not be retried. */
  #reserveRetry(call: Call, { retryAfterMs }: RetryableFailure, retries: number): number | undefined {
    const { pauses, retryBudget } = this.#options;
    const { chargedTo } = call;
    if (call.isAbandoned || !isRetryable(call.operation, call.idempotencyKey) || retries + 1 >= MAX_ATTEMPTS) return undefined;
    const waitMs = pauses.beforeRetry(retries, retryAfterMs);
    if (!pauses.canPause(waitMs, msLeft(call), call)) return undefined;
    if (!chargedTo.tryConsume()) return undefined;
    call.isCharged = retryBudget.tryConsume(call.keyHash);
    if (call.isCharged) return waitMs;
    chargedTo.release();
    return undefined;
  }

  /** Step 7: sends the call once. A first attempt already holds a permit; a retry waits for `waitMs`, then acquires one. */
  async #attempt(call: Call, waitMs: number | undefined): Promise<SizedResponse> {
    const { pauses, permits, breakers, transport } = this.#options;
    const { operation, apiKey, body, requestId, traceparent, trace } = call;
    try {
      if (waitMs !== undefined) {
        await pauses.pause(waitMs, call);
        await this.#acquire(call);
      }
      while (!this.#canSend(call)) await this.#reacquire(call);
    } catch (error) {
      this.#recordUnsent(call, waitMs !== undefined, error);
      throw error;
    }
    // Still in the same tick as the `#canSend` check, so its result is still valid.
    const sentAt = this.#recordSent(call, waitMs !== undefined);
    const timeoutMs = msLeft(call);
    const sentCall = this.#deliveries.begin(call.keyHash);
    call.delivery = sentCall;
    let outcome: CallEnd = null;
    let response: UpstreamResponse;
    try {
      const { path } = operation;
      const request = { path, apiKey, body, requestId, timeoutMs, waiting: call };
      response = await transport.send(trace ? { ...request, traceHeaders: trace.begin() } : { ...request, traceparent });
      outcome = response.status;
    } catch (error) {
      this.#recordLost(call, sentCall, error);
      if (call.isAbandoned) throw ABANDONED;
      if (!(error instanceof TransportError)) throw error;
      outcome = error;
      // Not retryable: the timeout is the deadline of the whole call.
      if (error.isTimeout) throw failure(error, call);
      throw new RetryableFailure(failure(error, call), error.isSent);
    } finally {
      call.wait = null;
      trace?.end(outcome);
      breakers.end(call, outcome, timeoutMs);
      permits.release(call);
    }
    return this.#handleResponse(response, call, sentAt, sentCall);
  }

  /** Records an attempt that is about to be sent. Returns the current time on the monotonic clock. */
  #recordSent(call: Call, isRetry: boolean): number {
    const { quota, breakers, retryBudget, clock, meter } = this.#options;
    const { chargedTo, keyHash } = call;
    call.isCharged = false;
    chargedTo.sent += 1;
    quota.spend(keyHash, chargedTo.admission?.reservation ?? null);
    if (isRetry) meter?.onRetry();
    else retryBudget.deposit(keyHash);
    breakers.begin(call);
    return clock.monotonicMs();
  }

  /** Records an attempt without a response. */
  #recordLost(call: Call, sentCall: SentCall, error: unknown): void {
    if (!(error instanceof TransportError) || (error.isSent && (error.isTimeout || call.isAbandoned))) {
      this.#deliveries.onAbandoned(sentCall);
    } else if (error.isSent) {
      this.#deliveries.onLost(sentCall);
    } else this.#deliveries.onUnsent(sentCall);
  }

  /** Records an attempt that won't be sent, and releases what was charged for it. */
  #recordUnsent(call: Call, isRetry: boolean, reason: unknown): void {
    call.isCharged = false;
    call.trace?.notSent(reason);
    this.#options.meter?.onUnsent(this.#unsentReason(call, reason));
    call.chargedTo.release();
    if (isRetry) this.#options.retryBudget.release(call.keyHash);
  }

  #unsentReason(call: Call, error: unknown): UnsentReason {
    if (error === ABANDONED) return 'canceled';
    if (error instanceof RateLimitedError || error instanceof QueryTooExpensiveError) return 'quota';
    return this.#options.breakers.isRejecting(call) ? 'breaker' : 'queue';
  }

  /** Steps 4 to 6: quota, breaker and permit. Returns undefined if the permit was granted without waiting. */
  #acquire(call: Call): Promise<void> | undefined {
    const { permits, quota, breakers } = this.#options;
    if (call.isAbandoned) throw ABANDONED;
    if (call.chargedTo.admission?.stop) throw call.chargedTo.admission.stop.error;
    const blockedMs = quota.blockedMs(call.keyHash);
    if (blockedMs > 0) return this.#awaitQuota(call, blockedMs);
    breakers.check(call);
    const left = msLeft(call);
    if (left <= 0) throw new NotSentError('it timed out in the queue.');
    return permits.acquire(call, left);
  }

  /** Step 4: waits for the key's next quota window if it starts soon enough, otherwise throws RateLimitedError. */
  async #awaitQuota(call: Call, blockedMs: number): Promise<void> {
    const { quota, pauses } = this.#options;
    if (!pauses.canPause(blockedMs, msLeft(call), call)) throw new RateLimitedError(toSeconds(blockedMs));
    await pauses.pause(blockedMs, call);
    const stillBlockedMs = quota.blockedMs(call.keyHash);
    if (stillBlockedMs > 0 && !call.isAbandoned) throw new RateLimitedError(toSeconds(stillBlockedMs));
    await this.#acquire(call);
  }

  /** Releases the permit and queues for another. */
  #reacquire(call: Call): Promise<void> | undefined {
    this.#options.permits.release(call);
    return this.#acquire(call);
  }

  /** Rechecks quota, breaker and deadline, which may have changed while the call was queued for its permit. */
  #canSend(call: Call): boolean {
    const { quota, breakers } = this.#options;
    const mayContinue = !call.isAbandoned && !call.chargedTo.admission?.stop;
    return mayContinue && quota.blockedMs(call.keyHash) === 0 && !breakers.isRejecting(call) && msLeft(call) > 0;
  }

  /** Steps 8 and 9: updates the quota from the response headers, then parses the body or throws the matching error. */
  #handleResponse(response: UpstreamResponse, call: Call, sentAt: number, sentCall: SentCall): SizedResponse {
    const { quota, clock, onDeprecated, onInvalidKey, drift, keepsRaw } = this.#options;
    const { keyHash, operation } = call;
    const { status, headers } = response;
    if (headers.deprecation !== undefined) onDeprecated?.(operation.name, String(headers.sunset ?? '') || null);
    const now = clock.unixMs();
    const quotaUpdate = parseQuotaHeaders(response, now);
    this.#deliveries.onResponse(sentCall, status, quotaUpdate, now - madeAt(headers, now));
    const { json, error } = readResponse(response, call);
    if (error instanceof UnauthenticatedError) onInvalidKey(keyHash);
    const retryAfterMs = error && retryAfterOf(response, now);
    if (error instanceof RateLimitedError) {
      // The upstream's queue for analytics queries is full. It is separate from the key's quota, so don't block the key's other calls.
      if (operation.effect === 'EXPENSIVE_READ' && retryAfterMs === null && quotaUpdate?.remaining !== 0)
        throw new UpstreamUnavailableError(undefined, 'has too many queries in its queue.');
      const resetsInMs = quotaUpdate?.remaining === 0 ? quotaUpdate.resetsInMs : null;
      const blockedMs = quota.block(keyHash, sentAt, retryAfterMs ?? resetsInMs);
      quota.learn(keyHash, sentAt, quotaUpdate);
      throw new RetryableFailure(new RateLimitedError(toSeconds(blockedMs)), false, blockedMs);
    }
    quota.learn(keyHash, sentAt, quotaUpdate);
    if (!error) {
      const observe = (json: object) => drift.observe(operation, json);
      return { value: decodeResponse(json, call, { observe, keepsRaw }), size: response.body.length };
    }
    if (!TRANSIENT_STATUSES.has(status)) throw error;
    if (retryAfterMs !== null) error.extensions.retryAfterSeconds = toSeconds(retryAfterMs);
    throw new RetryableFailure(error, true, retryAfterMs ?? 0);
  }
}
