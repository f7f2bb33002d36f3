import { afterUncertainty, type CallFacts, failure, refusal, success } from './answers.ts';
import type { Breakers } from './breakers.ts';
import { ApiError, NotSentError, QueryTooExpensiveError, RateLimitedError } from './errors.ts';
import type { Meter } from './meter.ts';
import type { AnyOperation } from './operation.ts';
import type { Quota } from './quota.ts';
import { retryAfterOf, windowNewsOf } from './rateLimitHeaders.ts';
import { isResendable, MAX_ATTEMPTS, type Pauses, type RetryBudget } from './resend.ts';
import type { Sized } from './sharedReads.ts';
import type { Claim, Slots } from './slots.ts';
import { type Transport, TransportError, type UpstreamAnswer } from './transport.ts';

/** One call, from its first wait to its answer. */
export interface Call extends Claim {
  readonly facts: CallFacts;
  /** JSON. */
  readonly body: string;
  readonly requestId: string;
  /** Who pays for it. */
  readonly meter: Meter;
  /** By performance.now(): one for all attempts and all waits. */
  readonly deadline: number;
}

/** Who asks, and until when. */
export interface Asker {
  readonly apiKey: string;
  readonly credential: string;
  readonly requestId: string;
  readonly meter: Meter;
  readonly deadline: number;
  readonly timeoutMs: number;
  readonly areScopesKnown: boolean;
}

/** A call that is yet to be sent. */
export function callOf(operation: AnyOperation, request: object, { timeoutMs, areScopesKnown, apiKey, ...asker }: Asker): Call {
  const textOf = (field: string | undefined) => {
    const value = field && (request as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : null;
  };
  const facts: CallFacts = {
    operation,
    startedAt: new Date(),
    timeoutMs,
    areScopesKnown,
    idempotencyKey: textOf(operation.keyField),
    expectedVersion: textOf(operation.versionField),
    apiKey,
  };
  return { ...asker, operation, facts, body: JSON.stringify(request), caller: asker.meter };
}

export interface SenderOptions {
  readonly transport: Transport;
  readonly quota: Quota;
  readonly slots: Slots;
  readonly breakers: Breakers;
  readonly budget: RetryBudget;
  readonly pauses: Pauses;
  readonly now: () => number;
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

  async send(call: Call): Promise<Sized> {
    const { meter, facts } = call;
    if (!meter.claim()) {
      const message = `This request takes more than ${meter.limit} upstream calls; the rest was not sent. Ask for less at a time.`;
      throw new QueryTooExpensiveError(message, meter.limit);
    }
    let isUncertain = false;
    let previous: Interruption | undefined;
    for (let resends = 0; ; resends += 1) {
      try {
        return await this.#attempt(call, resends === 0);
      } catch (error) {
        // What kept the resend from being sent says less than what it was to be sent for.
        const last = error instanceof NotSentError && previous ? previous.failure : error;
        if (!(last instanceof Interruption)) throw isUncertain && last instanceof ApiError ? afterUncertainty(last, facts) : last;
        const waitMs = this.#waitBeforeNext(call, last, resends);
        if (waitMs === undefined) throw isUncertain ? afterUncertainty(last.failure, facts) : last.failure;
        isUncertain ||= last.isUncertain;
        previous = last;
        await this.#options.pauses.take(waitMs);
      }
    }
  }

  /** How long to wait before a call is sent again; undefined when it is not. With an answer there is room for it. */
  #waitBeforeNext(call: Call, { retryAfterMs }: Interruption, resends: number): number | undefined {
    const { pauses, budget } = this.#options;
    const { facts, meter } = call;
    if (!isResendable(facts.operation, facts.idempotencyKey) || resends + 1 >= MAX_ATTEMPTS) return undefined;
    const waitMs = pauses.beforeResend(resends, retryAfterMs);
    if (!pauses.isWorthwhile(waitMs, msLeft(call))) return undefined;
    if (!meter.claim()) return undefined;
    if (budget.take()) return waitMs;
    meter.unclaim();
    return undefined;
  }

  /** Sends a call once. */
  async #attempt(call: Call, isFirst: boolean): Promise<Sized> {
    const { slots, quota, breakers, budget, transport } = this.#options;
    const { meter, credential, operation, facts, body, requestId } = call;
    try {
      for (await this.#enter(call); !this.#mayGo(call); await this.#enter(call)) slots.release(call);
    } catch (error) {
      meter.unclaim();
      throw error;
    }
    // From the check on this is one tick: nothing comes between.
    const sentAt = this.#options.now();
    meter.sent += 1;
    quota.spend(credential, meter.reservation);
    if (isFirst) budget.deposit();
    const request = { path: operation.path, apiKey: facts.apiKey, body, requestId, timeoutMs: msLeft(call) };
    let answer: UpstreamAnswer;
    try {
      answer = await breakers.run(operation, () => transport.send(request));
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      // Time that has run out does not come back with another attempt.
      if (error.isTimeout) throw failure(error, facts);
      throw new Interruption(failure(error, facts), error.isSent);
    } finally {
      slots.release(call);
    }
    return this.#read(answer, call, sentAt);
  }

  /** Waits until the call may be sent: for its key's window, where that is not long, and for its turn. It holds a slot then. */
  async #enter(call: Call): Promise<void> {
    const { slots, quota, breakers, pauses } = this.#options;
    for (let hasWaited = false; ; hasWaited = true) {
      const blockedMs = quota.blockedMs(call.credential);
      if (blockedMs > 0) {
        if (hasWaited || !pauses.isWorthwhile(blockedMs, msLeft(call))) throw new RateLimitedError(secondsOf(blockedMs));
        await pauses.take(blockedMs);
        continue;
      }
      breakers.check(call.operation);
      const left = msLeft(call);
      if (left <= 0) throw new NotSentError(call.operation.name, 'its time was up before its turn came.');
      return slots.acquire(call, left);
    }
  }

  /** Whether nothing has changed while the call waited for its turn. */
  #mayGo(call: Call): boolean {
    const { quota, breakers } = this.#options;
    return quota.blockedMs(call.credential) === 0 && !breakers.isShut(call.operation) && msLeft(call) > 0;
  }

  /** What an answer says, and what it tells of the key's window. */
  #read(answer: UpstreamAnswer, { facts, credential }: Call, sentAt: number): Sized {
    const { quota, now, onDeprecated } = this.#options;
    const { status, headers } = answer;
    if (headers.deprecation !== undefined) onDeprecated?.(facts.operation.name, String(headers.sunset ?? '') || null);
    const isSuccess = status === 200 || status === 201;
    const refused = isSuccess ? null : refusal(answer, facts);
    const retryAfterMs = refused && retryAfterOf(answer, now());
    const news = windowNewsOf(answer, now());
    if (refused instanceof RateLimitedError) {
      const resetsInMs = news?.remaining === 0 ? news.resetsInMs : null;
      const blockedMs = quota.block(credential, sentAt, retryAfterMs ?? resetsInMs);
      quota.learn(credential, sentAt, news);
      throw new Interruption(new RateLimitedError(secondsOf(blockedMs)), false, blockedMs);
    }
    quota.learn(credential, sentAt, news);
    if (!refused) return { value: success(answer, facts), size: answer.body.length };
    if (!TRANSIENT.has(status)) throw refused;
    if (retryAfterMs !== null) refused.extensions.retryAfterSeconds = secondsOf(retryAfterMs);
    throw new Interruption(refused, true, retryAfterMs ?? 0);
  }
}
