import { setTimeout as delay } from 'node:timers/promises';
import type { ApiError } from '../../failures/failures.ts';
import type { Waiting } from '../../lib/wait.ts';

/** Maximum attempts per call, including the first. */
export const MAX_ATTEMPTS = 3;
/** Maximum delay before an attempt. Chosen so that an interactive client still waits for the response. */
export const MAX_WAIT_MS = 5_000;
/** Exponential backoff: at most BASE_MS before the first retry, doubled for each further one, capped at CAP_MS. */
const BASE_MS = 50;
const CAP_MS = 2_000;
/** Maximum number of calls in backoff, of all API keys and of one. Beyond it, calls fail without a retry. */
const MAX_WAITING = 10_000;
const MAX_WAITING_PER_KEY = MAX_WAITING / 2;
/** Size of the budget of all keys, relative to that of one key: a key can use at most half of it. */
const SHARED_BUDGETS = 2;

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

/** An API key, with its retries. */
export interface RetryKey {
  /** Retries that the key has accumulated. Null before its first call. */
  retryTokens: number | null;
  /** Number of its calls that wait for their next attempt. */
  pausing: number;
}

/**
 * Retry budgets: one for the whole upstream, so that retries don't overload an upstream that is already failing, and one for each API key, so that a
 * key whose calls fail doesn't use up the retries of others. A retry consumes both.
 */
export class RetryBudget {
  readonly #options: RetryBudgetOptions;
  #shared: number;

  constructor(options: RetryBudgetOptions = RETRY_BUDGET) {
    this.#options = options;
    this.#shared = SHARED_BUDGETS * options.start;
  }

  /** Called for each first attempt: adds its fraction of a retry. */
  deposit(key: RetryKey): void {
    this.#add(key, this.#options.share);
  }

  /** Consumes a retry. False if a budget is exhausted. */
  tryConsume(key: RetryKey): boolean {
    if (this.#shared < 1 || (key.retryTokens ?? this.#options.start) < 1) return false;
    this.#add(key, -1);
    return true;
  }

  /** Returns a consumed retry that wasn't sent. */
  release(key: RetryKey): void {
    this.#add(key, 1);
  }

  #add(key: RetryKey, tokens: number): void {
    const { start, max } = this.#options;
    this.#shared = Math.min(SHARED_BUDGETS * max, this.#shared + tokens);
    key.retryTokens = Math.min(max, (key.retryTokens ?? start) + tokens);
  }
}

/** A call that waits for its next attempt. */
interface Retry extends Waiting {
  readonly key: RetryKey;
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
  canPause(ms: number, msLeft: number, { key }: Retry): boolean {
    if (this.#isClosed || ms > MAX_WAIT_MS || ms >= msLeft) return false;
    return this.#ends.size < MAX_WAITING && key.pausing < MAX_WAITING_PER_KEY;
  }

  /** Waits for `ms` milliseconds, or until the wait is abandoned. */
  async pause(ms: number, retry: Retry): Promise<void> {
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
    this.#ends.add(abandon);
    retry.key.pausing += 1;
    retry.wait = { abandon };
    try {
      await Promise.race([this.#wait(ms), abandoned]);
    } finally {
      this.#ends.delete(abandon);
      retry.key.pausing -= 1;
      retry.wait = null;
    }
  }

  /** Ends all current delays and prevents new ones. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
  }
}

/** Retryable failure of one attempt: transport error, 408, 429, 502–504, or status 200 or 500 with the code of one of these. */
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
