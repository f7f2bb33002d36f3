// Steps of a call, in the order in which it passes them, each with its method:
//
//  1. scopes: its rules and the scopes of its API key (`Session`, before it comes here);
//  2. shared read: a read that its key has under way, or an answer that is kept, answers it (`SharedReads.read`);
//  3. budget: its request may make one more call (`send`);
//  4. quota: the window of its key has calls left, or the next begins soon (`#enter`, `#awaitQuota`);
//  5. breaker: neither its service nor the whole upstream is left alone (`#enter`);
//  6. permit: a connection is free that its key and its service may use, or becomes so at its turn in the queue (`#enter`);
//  7. attempt: steps 4 and 5 still hold, and it goes over the wire (`#attempt`);
//  8. learn: the breaker, the quota and the grants are told the end of the attempt (`#attempt`, `#read`);
//  9. answer: the JSON of a success, or the class of a failure (`#read`, by answers.ts);
// 10. resend: where a repeat is safe and there is time, it waits and enters again at step 4 (`#sendAndResend`).

import {
  ABANDONED,
  ApiError,
  NotSentError,
  QueryTooExpensiveError,
  RateLimitedError,
  UnauthenticatedError,
  UpstreamUnavailableError,
} from '../../failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Breakers, CallEnd } from '../traffic/breakers.ts';
import type { CallBudget } from '../traffic/callBudget.ts';
import type { CallTrace, SessionTrace } from '../traffic/callTrace.ts';
import type { DriftWatch } from '../traffic/driftWatch.ts';
import type { PermitHolder, Permits } from '../traffic/permits.ts';
import type { Quota } from '../traffic/quota.ts';
import { quotaNewsOf, retryAfterOf } from '../traffic/rateLimitHeaders.ts';
import { type Transport, TransportError, type UpstreamAnswer } from '../transport/transport.ts';
import { afterUncertainty, type CallFacts, failure, refusal, success } from './answers.ts';
import type { CallMeter, UnsentReason } from './callMeter.ts';
import { isResendable, MAX_ATTEMPTS, type Pauses, type ResendBudget } from './resend.ts';
import type { SizedAnswer } from './sharedReads.ts';

/** A call: one question to the upstream, from its first wait to its answer. */
export interface Call extends PermitHolder, CallFacts {
  readonly operation: AnyOperation;
  /** JSON. */
  readonly body: string;
  readonly requestId: string;
  /** Null for calls of no trace. */
  readonly traceparent: string | null;
  /** Null where no spans are exported. */
  readonly trace: CallTrace | null;
  /** Budget of the request that asks. */
  readonly asker: CallBudget;
  /** End of the time for all attempts and all waits, by performance.now(). */
  readonly deadline: number;
  /** Budget that the call is counted in: the asker's, or that of a request which waits for the same, when the asker has left. */
  payer: CallBudget;
  /** Whether the payer has counted the call, and it has not been sent since. */
  isCounted: boolean;
  /** Whether no request waits for the answer any more. */
  isGivenUp: boolean;
}

/** Origin of a call: the request that asks, its key, and its time. */
export interface CallOrigin {
  readonly apiKey: string;
  readonly keyHash: string;
  readonly requestId: string;
  readonly traceparent: string | null;
  readonly trace: SessionTrace | null;
  readonly asker: CallBudget;
  readonly deadline: number;
  readonly timeoutMs: number;
  readonly requiredScopes: readonly string[];
  readonly holdsScopes: boolean;
}

function textIn(request: object, field: string | undefined): string | null {
  const value = field && (request as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}

/** Makes a call that is yet to be sent. `body` is the JSON of `request`. */
export function callOf(operation: AnyOperation, request: object, body: string, origin: CallOrigin): Call {
  return {
    operation,
    body,
    apiKey: origin.apiKey,
    keyHash: origin.keyHash,
    requestId: origin.requestId,
    traceparent: origin.traceparent,
    trace: origin.trace?.call(operation) ?? null,
    asker: origin.asker,
    deadline: origin.deadline,
    timeoutMs: origin.timeoutMs,
    requiredScopes: origin.requiredScopes,
    holdsScopes: origin.holdsScopes,
    startedAt: Date.now(),
    idempotencyKey: textIn(request, operation.keyField),
    expectedVersion: textIn(request, operation.versionField),
    turnOf: origin.asker,
    payer: origin.asker,
    isCounted: false,
    isGivenUp: false,
    wait: null,
  };
}

export interface SenderOptions {
  readonly transport: Transport;
  readonly quota: Quota;
  readonly permits: Permits;
  readonly breakers: Breakers;
  readonly resendBudget: ResendBudget;
  readonly pauses: Pauses;
  readonly clock: Clock;
  /** Told of each key hash whose key the upstream does not accept. */
  readonly onRefusedKey: (keyHash: string) => void;
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  readonly meter?: Pick<CallMeter, 'onResend' | 'onUnsent'>;
  /** Compares samples of the answers with the contract. */
  readonly drift: DriftWatch;
}

/** Failure of an attempt for a reason that may have passed by the next one. */
class Interruption extends Error {
  /** Failure that the caller is told when there is no next attempt. */
  readonly failure: ApiError;
  /** Whether the attempt may have taken effect. */
  readonly isUncertain: boolean;
  /** Milliseconds that the next attempt has to wait. */
  readonly retryAfterMs: number;

  constructor(failure: ApiError, isUncertain: boolean, retryAfterMs = 0) {
    super(failure.message, { cause: failure });
    this.name = 'Interruption';
    this.failure = failure;
    this.isUncertain = isUncertain;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Statuses of an upstream that could not begin, or failed half-way: a resend may find it well. */
const TRANSIENT = new Set([502, 503, 504]);

/** Whole seconds to wait. A sum of milliseconds may be a trifle above a whole number. */
const secondsOf = (ms: number) => Math.ceil(Math.round(ms) / 1000);

const msLeft = ({ deadline }: Call) => deadline - performance.now();

/** Whether a failure comes of limits of the request that asked: a request that asks the same may succeed. */
export const isOwnLimit = (error: unknown): boolean =>
  error instanceof QueryTooExpensiveError ||
  error instanceof NotSentError ||
  (error instanceof ApiError && error.code === 'UPSTREAM_TIMEOUT');

/** Sends calls, in the order of the steps above. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Budget (3), then all that follows. Thousands of calls may queue at a time: all that is needed to send a call is made when its turn has come. */
  send(call: Call): Promise<SizedAnswer> {
    const { payer } = call;
    call.isCounted = payer.take();
    if (!call.isCounted) {
      const message = `This request takes more than ${payer.limit} upstream calls; the rest was not sent. Ask for less at a time.`;
      return Promise.reject(new QueryTooExpensiveError(message, payer.limit, 'UPSTREAM_CALLS'));
    }
    try {
      const turn = this.#enter(call);
      if (!turn) return this.#sendAndResend(call);
      return turn.then(
        () => this.#sendAndResend(call),
        (error: unknown) => {
          this.#bookUnsent(call, false, error);
          throw error;
        },
      );
    } catch (error) {
      this.#bookUnsent(call, false, error);
      return Promise.reject(error);
    }
  }

  /** Resend (10): sends a call that has its permit, and again where that is safe. */
  async #sendAndResend(call: Call): Promise<SizedAnswer> {
    let isUncertain = false;
    let previous: Interruption | undefined;
    let waitMs: number | undefined;
    for (let resends = 0; ; resends += 1) {
      try {
        return await this.#attempt(call, waitMs);
      } catch (error) {
        // A resend that could not be sent tells less than the failure that it was for.
        const last = error instanceof NotSentError && previous ? previous.failure : error;
        if (!(last instanceof Interruption)) throw isUncertain && last instanceof ApiError ? afterUncertainty(last, call) : last;
        waitMs = this.#waitBeforeNext(call, last, resends);
        if (waitMs === undefined) throw isUncertain ? afterUncertainty(last.failure, call) : last.failure;
        isUncertain ||= last.isUncertain;
        previous = last;
      }
    }
  }

  /**
   * A request that waited for a read has left, and these wait still. Without any the call is given up; else it takes the turn of the request that comes
   * first, whose budget counts what is sent from now on when the payer is the one that has left.
   */
  leave(call: Call, waiting: readonly Call[]): void {
    const [heir] = waiting.map(({ asker }) => asker).sort((left, right) => left.sent - right.sent);
    if (!heir) {
      call.isGivenUp = true;
      call.wait?.giveUp();
      return;
    }
    this.#options.permits.handOn(call, heir);
    if (!call.payer.hasLeft || (call.isCounted && !heir.take())) return;
    if (call.isCounted) call.payer.giveBack();
    call.payer = heir;
  }

  /** Milliseconds to wait before a resend, which is then counted; undefined when there is none. */
  #waitBeforeNext(call: Call, { retryAfterMs }: Interruption, resends: number): number | undefined {
    const { pauses, resendBudget } = this.#options;
    const { payer } = call;
    if (call.isGivenUp || !isResendable(call.operation, call.idempotencyKey) || resends + 1 >= MAX_ATTEMPTS) return undefined;
    const waitMs = pauses.beforeResend(resends, retryAfterMs);
    if (!pauses.isWorthwhile(waitMs, msLeft(call))) return undefined;
    if (!payer.take()) return undefined;
    call.isCounted = resendBudget.take();
    if (call.isCounted) return waitMs;
    payer.giveBack();
    return undefined;
  }

  /** Attempt (7): sends a call that has its permit, or, when there is a wait before it, that is to enter again. */
  async #attempt(call: Call, waitMs: number | undefined): Promise<SizedAnswer> {
    const { pauses, permits, breakers, transport } = this.#options;
    const { operation, apiKey, body, requestId, traceparent, trace } = call;
    try {
      if (waitMs !== undefined) {
        await pauses.take(waitMs, call);
        await this.#enter(call);
      }
      while (!this.#mayGo(call)) await this.#enterAgain(call);
    } catch (error) {
      this.#bookUnsent(call, waitMs !== undefined, error);
      throw error;
    }
    // From the check to here is a single tick: nothing comes between.
    const sentAt = this.#bookSent(call, waitMs !== undefined);
    let end: CallEnd = null;
    let answer: UpstreamAnswer;
    try {
      const { path } = operation;
      const sent = { path, apiKey, body, requestId, timeoutMs: msLeft(call), waiting: call };
      answer = await transport.send(trace ? { ...sent, traceHeaders: trace.begin() } : { ...sent, traceparent });
      end = answer.status;
    } catch (error) {
      if (call.isGivenUp) throw ABANDONED;
      if (!(error instanceof TransportError)) throw error;
      end = error;
      // A deadline that has passed leaves no time for another attempt.
      if (error.isTimeout) throw failure(error, call);
      throw new Interruption(failure(error, call), error.isSent);
    } finally {
      call.wait = null;
      trace?.end(end);
      breakers.end(operation, call, end);
      permits.release(call);
    }
    return this.#read(answer, call, sentAt);
  }

  /** Books an attempt that goes now, and answers when that is, by the monotonic clock. */
  #bookSent(call: Call, isResend: boolean): number {
    const { quota, breakers, resendBudget, clock, meter } = this.#options;
    const { payer, keyHash, operation } = call;
    call.isCounted = false;
    payer.sent += 1;
    quota.spend(keyHash, payer.reservation);
    if (isResend) meter?.onResend();
    else resendBudget.deposit();
    breakers.begin(operation, call);
    return clock.monotonicMs();
  }

  /** Gives back what was counted for an attempt that does not go. */
  #bookUnsent(call: Call, isResend: boolean, reason: unknown): void {
    call.isCounted = false;
    call.trace?.notSent(reason);
    this.#options.meter?.onUnsent(this.#reasonOf(call, reason));
    call.payer.giveBack();
    if (isResend) this.#options.resendBudget.giveBack();
  }

  #reasonOf({ operation }: Call, failure: unknown): UnsentReason {
    if (failure === ABANDONED) return 'given_up';
    if (failure instanceof RateLimitedError) return 'quota';
    return this.#options.breakers.isShut(operation) ? 'breaker' : 'queue';
  }

  /** Quota (4), breaker (5) and permit (6). Undefined when the call may go at once. */
  #enter(call: Call): Promise<void> | undefined {
    const { permits, quota, breakers } = this.#options;
    if (call.isGivenUp) throw ABANDONED;
    const blockedMs = quota.blockedMs(call.keyHash);
    if (blockedMs > 0) return this.#awaitQuota(call, blockedMs);
    breakers.check(call.operation);
    const left = msLeft(call);
    if (left <= 0) throw new NotSentError('its time was up before its turn came.');
    return permits.acquire(call, left);
  }

  /** Quota (4): waits for the next window of the key, where that is not long. */
  async #awaitQuota(call: Call, blockedMs: number): Promise<void> {
    const { quota, pauses } = this.#options;
    if (!pauses.isWorthwhile(blockedMs, msLeft(call))) throw new RateLimitedError(secondsOf(blockedMs));
    await pauses.take(blockedMs, call);
    const stillMs = quota.blockedMs(call.keyHash);
    if (stillMs > 0 && !call.isGivenUp) throw new RateLimitedError(secondsOf(stillMs));
    await this.#enter(call);
  }

  /** Gives the permit back, and queues for another one. */
  #enterAgain(call: Call): Promise<void> | undefined {
    this.#options.permits.release(call);
    return this.#enter(call);
  }

  /** Whether quota and breaker still let the call go, which may have waited for its permit. */
  #mayGo(call: Call): boolean {
    const { quota, breakers } = this.#options;
    return !call.isGivenUp && quota.blockedMs(call.keyHash) === 0 && !breakers.isShut(call.operation) && msLeft(call) > 0;
  }

  /** Learn (8) and answer (9): reads an answer, and what its headers tell of the quota. */
  #read(answer: UpstreamAnswer, call: Call, sentAt: number): SizedAnswer {
    const { quota, clock, onDeprecated, onRefusedKey, drift } = this.#options;
    const { keyHash } = call;
    const { status, headers } = answer;
    if (headers.deprecation !== undefined) onDeprecated?.(call.operation.name, String(headers.sunset ?? '') || null);
    const isSuccess = status === 200 || status === 201;
    const refused = isSuccess ? null : refusal(answer, call);
    if (refused instanceof UnauthenticatedError) onRefusedKey(keyHash);
    const retryAfterMs = refused && retryAfterOf(answer, clock.unixMs());
    const news = quotaNewsOf(answer, clock.unixMs());
    if (refused instanceof RateLimitedError) {
      // A queue is full that the other calls of the key do not wait in.
      if (call.operation.effect === 'EXPENSIVE_READ' && retryAfterMs === null && news?.remaining !== 0)
        throw new UpstreamUnavailableError(undefined, 'has too many queries in its queue.');
      const resetsInMs = news?.remaining === 0 ? news.resetsInMs : null;
      const blockedMs = quota.block(keyHash, sentAt, retryAfterMs ?? resetsInMs);
      quota.learn(keyHash, sentAt, news);
      throw new Interruption(new RateLimitedError(secondsOf(blockedMs)), false, blockedMs);
    }
    quota.learn(keyHash, sentAt, news);
    if (!refused) {
      const value = success(answer, call);
      drift.see(call.operation, value);
      return { value, size: answer.body.length };
    }
    if (!TRANSIENT.has(status)) throw refused;
    if (retryAfterMs !== null) refused.extensions.retryAfterSeconds = secondsOf(retryAfterMs);
    throw new Interruption(refused, true, retryAfterMs ?? 0);
  }
}
