import { setTimeout as delay } from 'node:timers/promises';
import type { Waiting } from '../../lib/wait.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Maximum attempts per call, including the first. */
export const MAX_ATTEMPTS = 3;
/** Maximum delay before an attempt. Chosen so that an interactive client still waits for the response. */
export const MAX_WAIT_MS = 5_000;
/** Exponential backoff: at most BASE_MS before the first retry, doubled for each further one, capped at CAP_MS. */
const BASE_MS = 50;
const CAP_MS = 2_000;
/** Maximum number of calls in backoff. Beyond it, calls fail without a retry. */
const MAX_WAITING = 10_000;

/** Whether repeating the call has no additional effect. A keyed operation without its key is like any other write. */
export const isRetryable = ({ effect }: AnyOperation, idempotencyKey: string | null): boolean =>
  effect === 'READ' || effect === 'SETTLED' || (effect === 'KEYED' && idempotencyKey !== null);

export interface RetryBudgetOptions {
  /** Initial number of retries. */
  readonly start: number;
  /** Fraction of a retry that each call adds. */
  readonly share: number;
  /** Maximum number of accumulated retries. */
  readonly max: number;
}

/** Limits retries to 10% of the calls during an outage. */
export const RETRY_BUDGET: RetryBudgetOptions = { start: 10, share: 0.1, max: 100 };

/** Retry budget for the whole upstream (token bucket). Prevents retries from overloading an upstream that is already failing. */
export class RetryBudget {
  readonly #options: RetryBudgetOptions;
  #tokens: number;

  constructor(options: RetryBudgetOptions = RETRY_BUDGET) {
    this.#options = options;
    this.#tokens = options.start;
  }

  /** Called for each first attempt: adds its fraction of a retry. */
  deposit(): void {
    this.#tokens = Math.min(this.#options.max, this.#tokens + this.#options.share);
  }

  /** Consumes a retry. False if the budget is exhausted. */
  tryConsume(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Returns a consumed retry that wasn't sent. */
  release(): void {
    this.#tokens = Math.min(this.#options.max, this.#tokens + 1);
  }
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
  beforeRetry(retries: number, minMs: number): number {
    return Math.max(this.#random() * Math.min(CAP_MS, BASE_MS * 2 ** retries), minMs);
  }

  /** Whether a delay of `ms` is short enough to be worth starting. */
  fitsDeadline(ms: number, msLeft: number): boolean {
    return !this.#isClosed && ms <= MAX_WAIT_MS && ms < msLeft && this.#ends.size < MAX_WAITING;
  }

  /** Waits for `ms` milliseconds, or until the wait is abandoned. */
  async pause(ms: number, waiting: Waiting): Promise<void> {
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
    this.#ends.add(abandon);
    waiting.wait = { abandon };
    try {
      await Promise.race([this.#wait(ms), abandoned]);
    } finally {
      this.#ends.delete(abandon);
      waiting.wait = null;
    }
  }

  /** Ends all current delays, after which none is worth starting. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
  }
}
