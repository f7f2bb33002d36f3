import { setImmediate as nextTurn } from 'node:timers/promises';
import { QueryTooExpensiveError, QuotaExceededError, RateLimitedError } from '../../failures/failures.ts';
import type { Quota, Reservation, Reserved } from './quota.ts';
import { toSeconds } from './rateLimitHeaders.ts';

/** Fraction of a quota window that requests of unknown size leave to other operations. Chosen: enough for a few small operations. */
const SPARE_FRACTION = 0.1;

/** Predicted number of upstream calls of an operation. */
export interface Demand {
  /** Upper bound, assuming that every record is distinct. */
  readonly maxCalls: number;
  /** Lower bound: each field of a mutation sends one call. */
  readonly minCalls: number;
  /** Number of calls that earlier executions suggest. Null if there were none. */
  readonly expected: number | null;
  /** Whether `expected` comes from an execution that was stopped before it finished. */
  readonly isLowerBound: boolean;
}

/** Why a request was stopped, and the number of calls that it had sent or wanted to send by then. */
export interface Stop {
  readonly error: QueryTooExpensiveError | QuotaExceededError;
  readonly neededCalls: number;
}

/** Call counts of a request. */
interface RequestCalls {
  /** Calls that were sent or are about to be. */
  readonly counted: number;
  readonly limit: number;
}

function createTooExpensiveError(neededCalls: number, limit: number): QueryTooExpensiveError {
  const message = `This operation needs at least ${neededCalls} upstream calls, which doesn’t fit the API key’s rate limit of ${limit} calls per window. No further calls were sent. Request smaller pages or less data at a time.`;
  return new QueryTooExpensiveError(message, limit, 'RATE_LIMIT', { neededCalls });
}

/**
 * Admission of a request to the quota of its key. Calls that are covered are sent immediately. If a request may need more calls than are left, further calls
 * are covered in waves: either all calls that it wants to send at the same time are sent, or none is and the request is stopped. It therefore can't exhaust the
 * quota with wasted calls.
 */
export class Admission {
  readonly #quota: Quota;
  readonly #keyHash: string;
  readonly #budget: RequestCalls;
  readonly #maxWaitMs: number;
  readonly #reservations: Reservation[] = [];
  /** Upper bound of the operation's calls. */
  predicted = 0;
  /** The upper bound, capped by the request's limit. */
  #maxCalls = 0;
  /** Number of calls that may be sent, including those that were. */
  #covered = 0;
  #covering: Promise<void> | null = null;
  #isFinished = false;
  #stop: Stop | null = null;

  constructor(quota: Quota, keyHash: string, budget: RequestCalls, maxWaitMs: number) {
    this.#quota = quota;
    this.#keyHash = keyHash;
    this.#budget = budget;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Null while the request may continue. */
  get stop(): Stop | null {
    return this.#stop;
  }

  /** Number of the key's calls that the request could still send. Infinite while the quota is unknown. */
  get left(): number {
    const available = this.#quota.getAvailable(this.#keyHash);
    return available === null ? Number.POSITIVE_INFINITY : available + this.#reservations.reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Number of those calls that are left to other operations, after the request has sent what it was admitted for. */
  get spare(): number {
    return Math.floor((this.#limit ?? 0) * SPARE_FRACTION);
  }

  /** The reservation that the next call is charged to. Null if none has calls left. */
  get reservation(): Reservation | null {
    return this.#reservations.find(({ calls }) => calls > 0) ?? null;
  }

  /**
   * Admits the operation, or throws before it sends a call: RateLimitedError if it doesn't fit the remaining quota, QueryTooExpensiveError if it doesn't fit
   * any window. Without an expected number, the upper bound counts only up to half a window, because large operations rarely reach it.
   */
  async open({ maxCalls, minCalls, expected, isLowerBound }: Demand): Promise<void> {
    const { limit } = this.#budget;
    this.predicted = maxCalls;
    this.#maxCalls = Math.min(maxCalls, limit);
    const needed = Math.min(Math.max(expected ?? 0, minCalls), limit);
    const spare = isLowerBound ? SPARE_FRACTION : 0;
    const isKnown = this.#limit !== null;
    const countCallsToReserve = () => {
      const window = this.#limit;
      if (window !== null && needed + Math.floor(window * spare) > window) throw createTooExpensiveError(needed, window);
      return expected === null ? Math.max(needed, this.#capAtHalfWindow(this.#maxCalls)) : needed;
    };
    let calls = countCallsToReserve();
    let reserved = await this.#reserve(calls, spare);
    // Other instances have reported the limit in the meantime.
    if ('waitMs' in reserved && !isKnown && this.#limit !== null) {
      calls = countCallsToReserve();
      reserved = await this.#reserve(calls, spare);
    }
    if ('waitMs' in reserved) throw new RateLimitedError(toSeconds(reserved.waitMs));
    if (this.#fits(this.#maxCalls, calls)) return this.#cover(reserved, this.#maxCalls);
    if (calls === needed) return this.#cover(reserved, needed);
    // Half a window was only the condition for admission. Further calls are covered when they are needed.
    this.#quota.release(reserved);
    const rest = needed > 0 ? await this.#reserve(needed, spare) : null;
    if (rest && !('waitMs' in rest)) this.#cover(rest, needed);
  }

  /** Covers a call that has been counted. Undefined if it's covered already. Otherwise, settles when it's covered or the request is stopped. */
  cover(): Promise<void> | undefined {
    if (this.#stop || this.#budget.counted <= this.#covered) return undefined;
    this.#covering ??= this.#coverWave();
    return this.#covering;
  }

  /** Releases all reservations. */
  finish(): void {
    this.#isFinished = true;
    for (const reservation of this.#reservations.splice(0)) this.#quota.release(reservation);
  }

  get #limit(): number | null {
    return this.#quota.getView(this.#keyHash)?.limit ?? null;
  }

  #reserve(calls: number, spare = 0): Reserved | Promise<Reserved> {
    return this.#quota.reserve(this.#keyHash, calls, this.#maxWaitMs, spare);
  }

  /** Caps calls at half a window: an operation must be able to run while others use the key, and they must not wait for it. */
  #capAtHalfWindow(calls: number): number {
    const limit = this.#limit;
    return limit === null ? calls : Math.min(calls, Math.max(1, Math.floor(limit / 2)));
  }

  /** Whether this many calls are left, `reserved` of which are reserved already. False while the quota is unknown. */
  #fits(calls: number, reserved: number): boolean {
    const available = this.#quota.getAvailable(this.#keyHash);
    return available !== null && available + reserved >= calls;
  }

  #cover(reservation: Reservation, covered: number): void {
    this.#covered = covered;
    // The request may have ended while it waited.
    if (this.#isFinished) this.#quota.release(reservation);
    else this.#reservations.push(reservation);
  }

  async #coverWave(): Promise<void> {
    // By then, all calls that the request wants to send at the same time are counted.
    await nextTurn();
    while (this.#budget.counted > this.#covered) {
      const waitMs = (await this.#coverRest()) ? 0 : await this.#coverCounted();
      if (waitMs === 0) continue;
      this.#stop = this.#createStop(this.#budget.counted, waitMs);
      break;
    }
    this.#covering = null;
  }

  /** Covers all calls that the operation may still need, if that many are left. */
  async #coverRest(): Promise<boolean> {
    const calls = this.#maxCalls - this.#covered;
    if (this.#maxCalls < this.#budget.counted) return false;
    const reserved = this.#capAtHalfWindow(calls);
    const admission = await this.#reserve(reserved);
    if ('waitMs' in admission) return false;
    if (this.#fits(calls, reserved)) {
      this.#cover(admission, this.#maxCalls);
      return true;
    }
    this.#quota.release(admission);
    return false;
  }

  /**
   * Covers the calls that the request wants to send now, if that leaves some to others. Returns 0 on success, otherwise the milliseconds until they may fit.
   */
  async #coverCounted(): Promise<number> {
    const { counted } = this.#budget;
    const admission = await this.#reserve(counted - this.#covered, SPARE_FRACTION);
    if ('waitMs' in admission) return admission.waitMs;
    this.#cover(admission, counted);
    return 0;
  }

  #createStop(neededCalls: number, waitMs: number): Stop {
    const limit = this.#limit;
    const fitsNoWindow = limit !== null && neededCalls + Math.floor(limit * SPARE_FRACTION) > limit;
    const error = fitsNoWindow ? createTooExpensiveError(neededCalls, limit) : new QuotaExceededError(neededCalls, toSeconds(waitMs));
    return { error, neededCalls };
  }
}
