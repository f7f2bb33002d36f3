import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, NotSentError } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { Waiting } from '../../lib/wait.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { type Call, getRemainingMs, type Send } from './call.ts';
import { classifyRetryFailure } from './outcomes.ts';

/** Maximum attempts per call, including the first. */
const MAX_ATTEMPTS = 3;
/** Maximum delay before an attempt. Chosen so that an interactive client still waits for the response. */
export const MAX_WAIT_MS = 5_000;
/** Exponential backoff: at most BASE_MS before the first retry, doubled for each further one, capped at CAP_MS. */
const BASE_MS = 50;
const CAP_MS = 2_000;
/** Maximum number of calls in backoff, of all API keys and of one. Beyond it, calls fail without a retry. */
const MAX_WAITING = 10_000;
const MAX_WAITING_PER_KEY = MAX_WAITING / 2;
/** API keys whose retry budgets are tracked; least recently used are evicted. */
const MAX_KEYS = 10_000;
/** Size of the budget of all keys, relative to that of one key: a key can use at most half of it. */
const SHARED_BUDGETS = 2;

/** Whether repeating the call has no additional effect. Without its key, a keyed operation is like any other write. */
const isRetryable = ({ effect }: AnyOperation, idempotencyKey: string | null): boolean =>
  effect === 'READ' || effect === 'SETTLED' || (effect === 'KEYED' && idempotencyKey !== null);

export interface RetryBudgetOptions {
  /** Initial number of retries. */
  readonly start: number;
  /** Fraction of a retry that each call adds. */
  readonly share: number;
  /** Maximum number of accumulated retries. */
  readonly max: number;
}

/** Limits retries to 10% of the calls of an API key during an outage. */
export const RETRY_BUDGET: RetryBudgetOptions = { start: 10, share: 0.1, max: 100 };

class TokenBucket {
  readonly #max: number;
  #tokens: number;

  constructor(start: number, max: number) {
    this.#max = max;
    this.#tokens = start;
  }

  get isEmpty(): boolean {
    return this.#tokens < 1;
  }

  add(tokens: number): void {
    this.#tokens = Math.min(this.#max, this.#tokens + tokens);
  }
}

/**
 * Retry budgets: one for the whole upstream, so that retries don't overload an upstream that is already failing, and one for each API key, so that a
 * key whose calls fail doesn't use up the retries of others. A retry consumes both.
 */
export class RetryBudget {
  readonly #options: RetryBudgetOptions;
  readonly #shared: TokenBucket;
  readonly #byKeyHash = new BoundedCache<TokenBucket>({ entries: MAX_KEYS });

  constructor(options: RetryBudgetOptions = RETRY_BUDGET) {
    this.#options = options;
    this.#shared = new TokenBucket(SHARED_BUDGETS * options.start, SHARED_BUDGETS * options.max);
  }

  /** Called for each first attempt: adds its fraction of a retry. */
  deposit(keyHash: string): void {
    this.#add(keyHash, this.#options.share);
  }

  /** Consumes a retry. False if a budget is exhausted. */
  tryConsume(keyHash: string): boolean {
    if (this.#shared.isEmpty || this.#getBucket(keyHash).isEmpty) return false;
    this.#add(keyHash, -1);
    return true;
  }

  /** Returns a consumed retry that wasn't sent. */
  release(keyHash: string): void {
    this.#add(keyHash, 1);
  }

  #add(keyHash: string, tokens: number): void {
    this.#shared.add(tokens);
    this.#getBucket(keyHash).add(tokens);
  }

  #getBucket(keyHash: string): TokenBucket {
    const known = this.#byKeyHash.get(keyHash);
    if (known) return known;
    const bucket = new TokenBucket(this.#options.start, this.#options.max);
    this.#byKeyHash.set(keyHash, bucket);
    return bucket;
  }
}

/** A call that waits for its next attempt. */
interface Retry extends Waiting {
  readonly keyHash: string;
}

export interface PauseOptions {
  /** Returns a number from 0 to 1, like Math.random. */
  readonly random?: () => number;
  /** Resolves after `ms` milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Delays between attempts: exponential backoff with full jitter, limited in length and number. */
export class Pauses {
  readonly #random: () => number;
  readonly #wait: (ms: number) => Promise<void>;
  /** Functions that end the current delays. */
  readonly #ends = new Set<() => void>();
  /** Waiting calls by key hash. */
  readonly #waitingByKeyHash = new Map<string, number>();
  #isClosed = false;

  constructor({ random = Math.random, wait = (ms) => delay(ms) }: PauseOptions) {
    this.#random = random;
    this.#wait = wait;
  }

  /** Delay in milliseconds before the next retry, after `retries` previous ones. At least `minMs`, from the upstream's Retry-After. */
  getRetryDelay(retries: number, minMs: number): number {
    return Math.max(this.#random() * Math.min(CAP_MS, BASE_MS * 2 ** retries), minMs);
  }

  /** Whether a call can wait for `ms` milliseconds: the delay is short enough to be worth it, and not too many calls are waiting. */
  canPause(ms: number, msLeft: number, { keyHash }: Retry): boolean {
    if (this.#isClosed || ms > MAX_WAIT_MS || ms >= msLeft) return false;
    return this.#ends.size < MAX_WAITING && (this.#waitingByKeyHash.get(keyHash) ?? 0) < MAX_WAITING_PER_KEY;
  }

  /** Waits for `ms` milliseconds, or until the wait is abandoned. */
  async pause(ms: number, retry: Retry): Promise<void> {
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
    this.#ends.add(abandon);
    this.#count(retry, 1);
    retry.wait = { abandon };
    try {
      await Promise.race([this.#wait(ms), abandoned]);
    } finally {
      this.#ends.delete(abandon);
      this.#count(retry, -1);
      retry.wait = null;
    }
  }

  /** Ends all current delays and prevents new ones. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
  }

  #count({ keyHash }: Retry, calls: number): void {
    const waiting = (this.#waitingByKeyHash.get(keyHash) ?? 0) + calls;
    if (waiting > 0) this.#waitingByKeyHash.set(keyHash, waiting);
    else this.#waitingByKeyHash.delete(keyHash);
  }
}

/** Retryable failure of one attempt: transport error, 429, 502–504. */
export class RetryableFailure extends Error {
  override readonly name = 'RetryableFailure';
  /** The error to throw if the call isn't retried. */
  readonly error: ApiError;
  /** Whether the attempt may have taken effect. */
  readonly isUncertain: boolean;
  /** Minimum delay before the next attempt, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(error: ApiError, isUncertain: boolean, retryAfterMs = 0) {
    super(error.message, { cause: error });
    this.error = error;
    this.isUncertain = isUncertain;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RetryOptions {
  readonly pauses: Pauses;
  readonly retryBudget: RetryBudget;
}

/** Repeats an attempt after a retryable failure, if that is safe and fits the budgets and the deadline. */
export function retry({ pauses, retryBudget }: RetryOptions, next: Send): Send {
  /** Charges the next retry to the budgets. Returns the delay before it in milliseconds, or undefined if the call must not be retried. */
  function reserve(call: Call, { retryAfterMs }: RetryableFailure): number | undefined {
    const { chargedTo, retries } = call;
    if (call.isAbandoned || !isRetryable(call.operation, call.idempotencyKey) || retries + 1 >= MAX_ATTEMPTS) return undefined;
    const waitMs = pauses.getRetryDelay(retries, retryAfterMs);
    if (!pauses.canPause(waitMs, getRemainingMs(call), call)) return undefined;
    if (!chargedTo.tryConsume()) return undefined;
    call.isCharged = retryBudget.tryConsume(call.keyHash);
    if (call.isCharged) return waitMs;
    chargedTo.release();
    return undefined;
  }

  async function repeat(call: Call, first: RetryableFailure): Promise<object> {
    let isUncertain = false;
    for (let last = first; ; ) {
      const waitMs = reserve(call, last);
      if (waitMs === undefined) throw isUncertain ? classifyRetryFailure(last.error, call) : last.error;
      isUncertain ||= last.isUncertain;
      call.retries += 1;
      await pauses.pause(waitMs, call);
      try {
        return await next(call);
      } catch (error) {
        // If the retry wasn't sent, report the failure that triggered it: it is more specific.
        const failure = error instanceof NotSentError ? last.error : error;
        if (!(failure instanceof RetryableFailure))
          throw isUncertain && failure instanceof ApiError ? classifyRetryFailure(failure, call) : failure;
        last = failure;
      }
    }
  }

  return (call) =>
    next(call).catch((error: unknown) => {
      if (error instanceof RetryableFailure) return repeat(call, error);
      throw error;
    });
}
