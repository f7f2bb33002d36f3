import { setTimeout as delay } from 'node:timers/promises';
import type { Waiting } from '../../lib/wait.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Attempts at one call, the first included. Ours. */
export const MAX_ATTEMPTS = 3;
/** Longest wait before an attempt. Ours: a caller has a use for the answer within seconds. */
export const MAX_WAIT_MS = 5_000;
/** Wait before a resend: at most BASE_MS, doubled for each resend before it, never more than CAP_MS. Ours. */
const BASE_MS = 50;
const CAP_MS = 2_000;
/** Calls that wait before an attempt at a time. Ours: past it they fail as they are. */
const MAX_WAITING = 10_000;

/** Whether a repeat has no second effect. Without its key a keyed operation is like any other write. */
export const isResendable = ({ effect }: AnyOperation, idempotencyKey: string | null): boolean =>
  effect === 'READ' || effect === 'SETTLED' || (effect === 'KEYED' && idempotencyKey !== null);

export interface ResendBudgetOptions {
  /** Resends that there are at first. */
  readonly start: number;
  /** Share of a resend that each call adds. */
  readonly share: number;
  /** Resends that are saved up at most. */
  readonly max: number;
}

/** Ours: in an outage resends are a tenth of the calls. */
export const RESEND_BUDGET: ResendBudgetOptions = { start: 10, share: 0.1, max: 100 };

/** Budget of resends for the whole upstream: an upstream in trouble is not kept down by resends. */
export class ResendBudget {
  readonly #options: ResendBudgetOptions;
  #tokens: number;

  constructor(options: ResendBudgetOptions = RESEND_BUDGET) {
    this.#options = options;
    this.#tokens = options.start;
  }

  /** Adds the share of a call that is sent for the first time. */
  deposit(): void {
    this.#tokens = Math.min(this.#options.max, this.#tokens + this.#options.share);
  }

  /** Takes a resend; false when the budget is used up. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Gives a resend back that was not sent. */
  giveBack(): void {
    this.#tokens = Math.min(this.#options.max, this.#tokens + 1);
  }
}

export interface PauseOptions {
  /** From 0 to 1, as Math.random. */
  readonly random?: () => number;
  /** Fulfilled after so many milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Waits between attempts: exponential with full jitter, never too long, never too many at a time. */
export class Pauses {
  readonly #random: () => number;
  readonly #wait: (ms: number) => Promise<void>;
  #waiting = 0;

  constructor({ random = Math.random, wait = (ms) => delay(ms) }: PauseOptions) {
    this.#random = random;
    this.#wait = wait;
  }

  /** Milliseconds to wait before a resend, which `resends` others came before: at least as long as the upstream said. */
  beforeResend(resends: number, atLeastMs: number): number {
    return Math.max(this.#random() * Math.min(CAP_MS, BASE_MS * 2 ** resends), atLeastMs);
  }

  /** Whether a wait is short enough to be begun. */
  isWorthwhile(ms: number, msLeft: number): boolean {
    return ms <= MAX_WAIT_MS && ms < msLeft && this.#waiting < MAX_WAITING;
  }

  /** Waits; ends early when it is given up. */
  async take(ms: number, waiting: Waiting): Promise<void> {
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>();
    this.#waiting += 1;
    waiting.wait = { giveUp };
    try {
      await Promise.race([this.#wait(ms), givenUp]);
    } finally {
      this.#waiting -= 1;
      waiting.wait = null;
    }
  }
}
