import { AbandonedError, ApiError, NotSentError, QueryTooExpensiveError, RateLimitedError, UnauthenticatedError } from '../../failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Breakers, Outcome } from '../traffic/breakers.ts';
import type { Quota } from '../traffic/quota.ts';
import { retryAfterOf, windowNewsOf } from '../traffic/rateLimitHeaders.ts';
import type { Claim, Slots } from '../traffic/slots.ts';
import { type Transport, TransportError, type UpstreamAnswer } from '../transport/transport.ts';
import { afterUncertainty, type CallFacts, failure, refusal, success } from './answers.ts';
import type { Meter } from './meter.ts';
import { isResendable, MAX_ATTEMPTS, type Pauses, type RetryBudget } from './resend.ts';
import type { Sized } from './sharedReads.ts';

/** One call, from its first wait to its answer. */
export interface Call extends Claim, CallFacts {
  readonly operation: AnyOperation;
  /** JSON. */
  readonly body: string;
  readonly requestId: string;
  /** The document that asks. */
  readonly document: Meter;
  /** By performance.now(): one for all attempts and all waits. */
  readonly deadline: number;
  /** Who pays for it: the document that asks, or one that waits for the same, when the first has left. */
  payer: Meter;
  /** Whether the payer has made room for it, and it has not been sent since. */
  isClaimed: boolean;
  /** Whether nobody waits for its answer any more. */
  isGivenUp: boolean;
}

/** Who asks, and until when. */
export interface Asker {
  readonly apiKey: string;
  readonly credential: string;
  readonly requestId: string;
  readonly document: Meter;
  readonly deadline: number;
  readonly timeoutMs: number;
  readonly requiredScopes: readonly string[];
  readonly holdsScopes: boolean;
}

function textIn(request: object, field: string | undefined): string | null {
  const value = field && (request as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}

/** A call that is yet to be sent. `body` is the request's JSON. */
export function callOf(operation: AnyOperation, request: object, body: string, asker: Asker): Call {
  return {
    operation,
    body,
    apiKey: asker.apiKey,
    credential: asker.credential,
    requestId: asker.requestId,
    document: asker.document,
    deadline: asker.deadline,
    timeoutMs: asker.timeoutMs,
    requiredScopes: asker.requiredScopes,
    holdsScopes: asker.holdsScopes,
    startedAt: Date.now(),
    idempotencyKey: textIn(request, operation.keyField),
    expectedVersion: textIn(request, operation.versionField),
    caller: asker.document,
    payer: asker.document,
    isClaimed: false,
    isGivenUp: false,
    wait: null,
  };
}

export interface SenderOptions {
  readonly transport: Transport;
  readonly quota: Quota;
  readonly slots: Slots;
  readonly breakers: Breakers;
  readonly budget: RetryBudget;
  readonly pauses: Pauses;
  readonly clock: Clock;
  /** Told of every key that the upstream does not take. */
  readonly onRefusedKey: (credential: string) => void;
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
}

/** An attempt that came to nothing for a reason that may have passed by the next one. */
class Interruption extends Error {
  /** What to tell the caller when there is no next attempt. */
  readonly failure: ApiError;
  /** Whether the attempt may have taken effect. */
  readonly isUncertain: boolean;
  /** How long the next attempt has to wait, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(failure: ApiError, isUncertain: boolean, retryAfterMs = 0) {
    super(failure.message, { cause: failure });
    this.name = 'Interruption';
    this.failure = failure;
    this.isUncertain = isUncertain;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Statuses that say the upstream could not begin, or fell over: a resend may find it well. */
const TRANSIENT = new Set([502, 503, 504]);

const secondsOf = (ms: number) => Math.ceil(ms / 1000);

const msLeft = ({ deadline }: Call) => deadline - performance.now();

/** Whether a failure comes of the limits of the one who asked, and says nothing to another one who asks the same. */
export const isOwnLimit = (error: unknown): boolean =>
  error instanceof QueryTooExpensiveError ||
  error instanceof NotSentError ||
  (error instanceof ApiError && error.code === 'UPSTREAM_TIMEOUT');

/** Sends calls: each waits for its key's quota and for its turn, and is sent again where that is safe and there is time. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Thousands may wait for their turn at a time: all that is needed to send one is made when its turn has come. */
  send(call: Call): Promise<Sized> {
    const { payer } = call;
    call.isClaimed = payer.claim();
    if (!call.isClaimed) {
      const message = `This request takes more than ${payer.limit} upstream calls; the rest was not sent. Ask for less at a time.`;
      return Promise.reject(new QueryTooExpensiveError(message, payer.limit, 'UPSTREAM_CALLS'));
    }
    try {
      const turn = this.#enter(call);
      if (!turn) return this.#sendAndResend(call);
      return turn.then(
        () => this.#sendAndResend(call),
        (error: unknown) => {
          this.#bookUnsent(call, false);
          throw error;
        },
      );
    } catch (error) {
      this.#bookUnsent(call, false);
      return Promise.reject(error);
    }
  }

  /** Sends a call that has entered, and again where that is safe. */
  async #sendAndResend(call: Call): Promise<Sized> {
    let isUncertain = false;
    let previous: Interruption | undefined;
    let waitMs: number | undefined;
    for (let resends = 0; ; resends += 1) {
      try {
        return await this.#attempt(call, waitMs);
      } catch (error) {
        // What kept the resend from being sent says less than what it was to be sent for.
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
   * One who waited for a read has left, and these wait still. Without any it is given up; else it takes the turn of the one that comes first, who
   * pays for what is sent from now on when the one who was to pay has left.
   */
  leave(call: Call, waiting: readonly Call[]): void {
    const [heir] = waiting.map(({ document }) => document).sort((left, right) => left.sent - right.sent);
    if (!heir) {
      call.isGivenUp = true;
      call.wait?.giveUp();
      return;
    }
    this.#options.slots.handOn(call, heir);
    if (!call.payer.hasLeft || (call.isClaimed && !heir.claim())) return;
    if (call.isClaimed) call.payer.unclaim();
    call.payer = heir;
  }

  /** How long to wait before a call is sent again; undefined when it is not. With an answer there is room for it. */
  #waitBeforeNext(call: Call, { retryAfterMs }: Interruption, resends: number): number | undefined {
    const { pauses, budget } = this.#options;
    const { payer } = call;
    if (call.isGivenUp || !isResendable(call.operation, call.idempotencyKey) || resends + 1 >= MAX_ATTEMPTS) return undefined;
    const waitMs = pauses.beforeResend(resends, retryAfterMs);
    if (!pauses.isWorthwhile(waitMs, msLeft(call))) return undefined;
    if (!payer.claim()) return undefined;
    call.isClaimed = budget.take();
    if (call.isClaimed) return waitMs;
    payer.unclaim();
    return undefined;
  }

  /** Sends a call once: one that has entered, or, when there is a wait before it, one that is to enter again. */
  async #attempt(call: Call, waitMs: number | undefined): Promise<Sized> {
    const { pauses, slots, breakers, transport } = this.#options;
    const { operation, apiKey, body, requestId } = call;
    try {
      if (waitMs !== undefined) {
        await pauses.take(waitMs, call);
        await this.#enter(call);
      }
      while (!this.#mayGo(call)) await this.#enterAgain(call);
    } catch (error) {
      this.#bookUnsent(call, waitMs !== undefined);
      throw error;
    }
    // From the check on this is one tick: nothing comes between.
    const sentAt = this.#bookSent(call, waitMs !== undefined);
    let outcome: Outcome = null;
    let answer: UpstreamAnswer;
    try {
      const { path } = operation;
      answer = await transport.send({ path, apiKey, body, requestId, timeoutMs: msLeft(call), waiting: call });
      outcome = answer.status;
    } catch (error) {
      if (call.isGivenUp) throw new AbandonedError();
      if (!(error instanceof TransportError)) throw error;
      outcome = error;
      // Time that has run out does not come back with another attempt.
      if (error.isTimeout) throw failure(error, call);
      throw new Interruption(failure(error, call), error.isSent);
    } finally {
      call.wait = null;
      breakers.end(operation, call, outcome);
      slots.release(call);
    }
    return this.#read(answer, call, sentAt);
  }

  /** Counts a call that goes now, and answers when that is, by the monotonic clock. */
  #bookSent(call: Call, isResend: boolean): number {
    const { quota, breakers, budget, clock } = this.#options;
    const { payer, credential, operation } = call;
    call.isClaimed = false;
    payer.sent += 1;
    quota.spend(credential, payer.reservation);
    if (!isResend) budget.deposit();
    breakers.begin(operation, call);
    return clock.monotonicMs();
  }

  /** Gives back what was taken for a call that does not go. */
  #bookUnsent(call: Call, isResend: boolean): void {
    call.isClaimed = false;
    call.payer.unclaim();
    if (isResend) this.#options.budget.giveBack();
  }

  /** Takes a slot, once the key's window and the breakers let the call go. Undefined when it may go at once. */
  #enter(call: Call): Promise<void> | undefined {
    const { slots, quota, breakers } = this.#options;
    if (call.isGivenUp) throw new AbandonedError();
    const blockedMs = quota.blockedMs(call.credential);
    if (blockedMs > 0) return this.#enterLater(call, blockedMs);
    breakers.check(call.operation);
    const left = msLeft(call);
    if (left <= 0) throw new NotSentError('its time was up before its turn came.');
    return slots.acquire(call, left);
  }

  /** Waits for its key's window, where that is not long. */
  async #enterLater(call: Call, blockedMs: number): Promise<void> {
    const { quota, pauses } = this.#options;
    if (!pauses.isWorthwhile(blockedMs, msLeft(call))) throw new RateLimitedError(secondsOf(blockedMs));
    await pauses.take(blockedMs, call);
    const stillMs = quota.blockedMs(call.credential);
    if (stillMs > 0 && !call.isGivenUp) throw new RateLimitedError(secondsOf(stillMs));
    await this.#enter(call);
  }

  #enterAgain(call: Call): Promise<void> | undefined {
    this.#options.slots.release(call);
    return this.#enter(call);
  }

  /** Whether nothing has changed while the call waited for its turn. */
  #mayGo(call: Call): boolean {
    const { quota, breakers } = this.#options;
    return !call.isGivenUp && quota.blockedMs(call.credential) === 0 && !breakers.isShut(call.operation) && msLeft(call) > 0;
  }

  /** What an answer says, and what it tells of the key's window. */
  #read(answer: UpstreamAnswer, call: Call, sentAt: number): Sized {
    const { quota, clock, onDeprecated, onRefusedKey } = this.#options;
    const { credential } = call;
    const { status, headers } = answer;
    if (headers.deprecation !== undefined) onDeprecated?.(call.operation.name, String(headers.sunset ?? '') || null);
    const isSuccess = status === 200 || status === 201;
    const refused = isSuccess ? null : refusal(answer, call);
    if (refused instanceof UnauthenticatedError) onRefusedKey(credential);
    const retryAfterMs = refused && retryAfterOf(answer, clock.unixMs());
    const news = windowNewsOf(answer, clock.unixMs());
    if (refused instanceof RateLimitedError) {
      const resetsInMs = news?.remaining === 0 ? news.resetsInMs : null;
      const blockedMs = quota.block(credential, sentAt, retryAfterMs ?? resetsInMs);
      quota.learn(credential, sentAt, news);
      throw new Interruption(new RateLimitedError(secondsOf(blockedMs)), false, blockedMs);
    }
    quota.learn(credential, sentAt, news);
    if (!refused) return { value: success(answer, call), size: answer.body.length };
    if (!TRANSIENT.has(status)) throw refused;
    if (retryAfterMs !== null) refused.extensions.retryAfterSeconds = secondsOf(retryAfterMs);
    throw new Interruption(refused, true, retryAfterMs ?? 0);
  }
}
