import { setImmediate as nextTurn } from 'node:timers/promises';
import { QueryTooExpensiveError, QuotaExceededError, RateLimitedError } from '../../failures/failures.ts';
import type { SessionTrace } from '../traffic/callTrace.ts';
import type { Quota, Reservation, Reserved } from '../traffic/quota.ts';
import { toSeconds } from '../traffic/rateLimitHeaders.ts';
import type { Sender } from '../traffic/senders.ts';
import type { Key } from './key.ts';

/** Values that take as long to resolve as a call takes to prepare and to send. Measured: about 0.1 ms. */
const CALL_VALUES = 12;

/** Fraction of a quota window that requests of unknown size leave to other operations. Chosen: enough for a few small operations. */
const SPARE_FRACTION = 0.1;

/** Predicted number of upstream calls of an operation. */
export interface Demand {
  /** Upper bound, assuming that every record is distinct. */
  readonly maxCalls: number;
  /** Calls in addition that can find out whether pages of a list save calls. */
  readonly probeCalls: number;
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

/** Who sends a request, and how many calls it can send. */
export interface RequesterOptions {
  readonly key: Key;
  readonly apiKey: string;
  readonly requestId: string;
  /** Null if the calls belong to no trace. */
  readonly traceparent: string | null;
  readonly trace: SessionTrace | null;
  readonly maxCalls: number;
  readonly quota: Quota;
}

function createTooExpensiveError(neededCalls: number, limit: number): QueryTooExpensiveError {
  const message = `This operation needs at least ${neededCalls} upstream calls, which doesn’t fit the API key’s rate limit of ${limit} calls per window. No further calls were sent. Request smaller pages or less data at a time.`;
  return new QueryTooExpensiveError(message, limit, 'RATE_LIMIT', { neededCalls });
}

/**
 * A GraphQL request, or the graph itself, as the steps of a call see it: who sends it, its calls, and its admission to the quota of its key. Calls that the
 * admission has reserved are sent immediately. If a request may need more calls than are left, further calls are reserved in waves: either all calls that it
 * wants to send at the same time are sent, or none is and the request is stopped. It therefore can't exhaust the quota with wasted calls.
 */
export class Requester {
  readonly key: Key;
  /** Sent upstream. Empty if the request has none, and therefore sends no calls. */
  readonly apiKey: string;
  readonly requestId: string;
  readonly traceparent: string | null;
  /** Null if no spans are exported. */
  readonly trace: SessionTrace | null;
  /** Maximum number of calls. */
  readonly maxCalls: number;
  /** Calls that the operation has requested, including those that were coalesced. */
  requested = 0;
  /** Calls that were sent or are about to be. */
  counted = 0;
  /** Attempts that were sent, including retries but excluding lookups of the key's grants. */
  sent = 0;
  /** Predicted number of values in the request's response. */
  values = 0;
  /** Number of calls that the operation is expected to send. Null if it hasn't been executed before. */
  expectedCalls: number | null = 1;
  /** Upper bound of the operation's calls. Infinite before it's admitted. */
  predictedCalls = Number.POSITIVE_INFINITY;
  /** Calls in addition that can find out whether pages of a list save calls. Infinite before it's admitted. */
  probeCalls = Number.POSITIVE_INFINITY;
  /** Whether the client has disconnected, so that nothing more is read for it. */
  isDisconnected = false;
  /** Why the request was stopped. Null while it may continue. */
  stop: Stop | null = null;
  /** Turn of the event loop in which the request was last resumed, and the turn that it waits for (traffic/turns.ts). */
  resumedIn = 0;
  turn: Promise<void> | null = null;
  readonly #quota: Quota;
  #isAdmitted = false;
  #maxWaitMs = 0;
  /** Number of calls that may be sent, including those that were. Infinite before the admission: the graph's own calls need none. */
  #allowed = Number.POSITIVE_INFINITY;
  #reserving: Promise<void> | null = null;
  /** Reserved at the admission. */
  #reservation: Reservation | null = null;
  /** Reserved in waves. Null if there were none. */
  #waves: Reservation[] | null = null;
  #isFinished = false;

  constructor({ key, apiKey, requestId, traceparent, trace, maxCalls, quota }: RequesterOptions) {
    this.key = key;
    this.apiKey = apiKey;
    this.requestId = requestId;
    this.traceparent = traceparent;
    this.trace = trace;
    this.maxCalls = maxCalls;
    this.#quota = quota;
  }

  /** Whose turns of the event loop it takes. */
  get sender(): Sender {
    return this.key.sender;
  }

  /** Counts a call that is about to be sent. False if the request has reached its maximum. */
  tryConsume(): boolean {
    if (this.counted >= this.maxCalls) return false;
    this.counted += 1;
    return true;
  }

  /** Releases a call that was counted but not sent. */
  release(): void {
    this.counted -= 1;
  }

  /** Whether the operation may request more calls than it has so far. */
  get mayCallAgain(): boolean {
    return this.requested < this.predictedCalls;
  }

  /** Work that a response leads to, in values: those that it resolves on average, and the further calls, because a single response can lead to all of them. */
  get workPerResponse(): number {
    const { values, expectedCalls, requested } = this;
    if (!this.mayCallAgain) return values / requested;
    return values / (expectedCalls ?? 1) + CALL_VALUES * Math.max(0, (expectedCalls ?? this.#mostCalls) - requested);
  }

  /** Number of calls that the request could still send: by its maximum, and by the quota of its key. */
  get left(): number {
    return Math.min(this.maxCalls - this.counted, this.#quotaLeft);
  }

  /** Like `left`, without the calls of the quota that are left to other operations. */
  get leftWithoutSpare(): number {
    const spare = Math.floor((this.#windowLimit ?? 0) * SPARE_FRACTION);
    return Math.min(this.maxCalls - this.counted, this.#quotaLeft - spare);
  }

  /** Infinite while the quota is unknown, and before the admission. */
  get #quotaLeft(): number {
    const available = this.#isAdmitted ? this.#quota.getAvailable(this.key) : null;
    if (available === null) return Number.POSITIVE_INFINITY;
    return (this.#waves ?? []).reduce((sum, { calls }) => sum + calls, available + (this.#reservation?.calls ?? 0));
  }

  /** The reservation that the next call is charged to. Null if none has calls left. */
  get reservation(): Reservation | null {
    if (this.#reservation && this.#reservation.calls > 0) return this.#reservation;
    return this.#waves?.find(({ calls }) => calls > 0) ?? null;
  }

  /**
   * Admits the operation to the quota of its key, until `finish`. Throws or rejects before it sends a call: with RateLimitedError if it doesn't fit the
   * remaining quota, with QueryTooExpensiveError if it doesn't fit any window. Without an expected number, the upper bound counts only up to half a window,
   * because large operations rarely reach it. Undefined if nothing has to be waited for.
   */
  protected admitToQuota({ maxCalls, probeCalls, minCalls, expected, isLowerBound }: Demand, maxWaitMs: number): Promise<void> | undefined {
    this.#isAdmitted = true;
    this.#maxWaitMs = maxWaitMs;
    this.#allowed = 0;
    this.predictedCalls = maxCalls;
    this.probeCalls = probeCalls;
    const needed = Math.min(Math.max(expected ?? 0, minCalls), this.maxCalls);
    const spare = isLowerBound ? SPARE_FRACTION : 0;
    const isKnown = this.#windowLimit !== null;
    const calls = this.#countCallsToReserve(needed, expected, spare);
    const reserved = this.#reserve(calls, spare);
    if (!(reserved instanceof Promise)) return this.#onReserved(reserved, calls, needed, spare);
    return reserved.then(async (first) => {
      if (!('waitMs' in first) || isKnown || this.#windowLimit === null) return this.#onReserved(first, calls, needed, spare);
      // Other instances have reported the limit in the meantime.
      const again = this.#countCallsToReserve(needed, expected, spare);
      return this.#onReserved(await this.#reserve(again, spare), again, needed, spare);
    });
  }

  /** Reserves a call that has been counted. Undefined if it may be sent at once. Otherwise, settles when it may be sent or the request is stopped. */
  reserveCall(): Promise<void> | undefined {
    if (this.counted <= this.#allowed || this.stop) return undefined;
    this.#reserving ??= this.#reserveWave();
    return this.#reserving;
  }

  /** Releases all reservations. Can be called repeatedly. */
  finish(): void {
    this.#isFinished = true;
    if (this.#reservation) this.#quota.release(this.#reservation);
    for (const reservation of this.#waves ?? []) this.#quota.release(reservation);
    this.#reservation = null;
    this.#waves = null;
  }

  /** Upper bound of the operation's calls, capped by the maximum of the request. */
  get #mostCalls(): number {
    return Math.min(this.predictedCalls, this.maxCalls);
  }

  get #windowLimit(): number | null {
    return this.#quota.getLimit(this.key);
  }

  #countCallsToReserve(needed: number, expected: number | null, spare: number): number {
    const window = this.#windowLimit;
    if (window !== null && needed + Math.floor(window * spare) > window) throw createTooExpensiveError(needed, window);
    return expected === null ? Math.max(needed, this.#capAtHalfWindow(this.#mostCalls)) : needed;
  }

  #onReserved(reserved: Reserved, calls: number, needed: number, spare: number): Promise<void> | undefined {
    if ('waitMs' in reserved) throw new RateLimitedError(toSeconds(reserved.waitMs));
    if (this.#fits(this.#mostCalls, calls)) this.#keep(reserved, this.#mostCalls);
    else if (calls === needed) this.#keep(reserved, needed);
    else return this.#reserveOnly(needed, spare, reserved);
    return undefined;
  }

  /** Half a window was only the condition for admission. Further calls are reserved when they are needed. */
  #reserveOnly(needed: number, spare: number, reserved: Reservation): Promise<void> | undefined {
    this.#quota.release(reserved);
    if (needed === 0) return undefined;
    const keep = (rest: Reserved) => {
      if (!('waitMs' in rest)) this.#keep(rest, needed);
    };
    const rest = this.#reserve(needed, spare);
    return rest instanceof Promise ? rest.then(keep) : void keep(rest);
  }

  #reserve(calls: number, spare = 0): Reserved | Promise<Reserved> {
    return this.#quota.reserve(this.key, calls, this.#maxWaitMs, spare);
  }

  /** Caps calls at half a window: an operation must be able to run while others use the key, and they must not wait for it. */
  #capAtHalfWindow(calls: number): number {
    const limit = this.#windowLimit;
    return limit === null ? calls : Math.min(calls, Math.max(1, Math.floor(limit / 2)));
  }

  /** Whether this many calls are left, including `reserved` calls. False while the quota is unknown. */
  #fits(calls: number, reserved: number): boolean {
    const available = this.#quota.getAvailable(this.key);
    return available !== null && available + reserved >= calls;
  }

  #keep(reservation: Reservation, allowed: number): void {
    this.#allowed = allowed;
    // The request may have ended while it waited.
    if (this.#isFinished) this.#quota.release(reservation);
    else if (!this.#reservation) this.#reservation = reservation;
    else if (this.#waves) this.#waves.push(reservation);
    else this.#waves = [reservation];
  }

  /**
   * Reserves calls for a wave: those that the request wants to send at the same time. For example, a query for customers and their contacts has reserved six calls,
   * because it usually sends as many. Now its list has 20 customers, whose contacts are requested in the same turn of the event loop. One wave reserves the 15 calls
   * that are missing, or stops the request before the first of the 20 is sent.
   */
  async #reserveWave(): Promise<void> {
    // By then, all calls that the request wants to send at the same time are counted.
    await nextTurn();
    while (this.counted > this.#allowed) {
      const waitMs = (await this.#reserveRest()) ? 0 : await this.#reserveCounted();
      if (waitMs === 0) continue;
      this.stop = this.#createStop(waitMs);
      break;
    }
    this.#reserving = null;
  }

  /** Reserves all calls that the operation may still need, if that many are left. */
  async #reserveRest(): Promise<boolean> {
    const most = this.#mostCalls;
    const calls = most - this.#allowed;
    if (most < this.counted) return false;
    const capped = this.#capAtHalfWindow(calls);
    const reserved = await this.#reserve(capped);
    if ('waitMs' in reserved) return false;
    if (this.#fits(calls, capped)) {
      this.#keep(reserved, most);
      return true;
    }
    this.#quota.release(reserved);
    return false;
  }

  /**
   * Reserves the calls that the request wants to send now, if that leaves some to others. Returns 0 on success, otherwise the milliseconds until they may fit.
   */
  async #reserveCounted(): Promise<number> {
    const { counted } = this;
    const reserved = await this.#reserve(counted - this.#allowed, SPARE_FRACTION);
    if ('waitMs' in reserved) return reserved.waitMs;
    this.#keep(reserved, counted);
    return 0;
  }

  #createStop(waitMs: number): Stop {
    const limit = this.#windowLimit;
    const { counted: neededCalls } = this;
    const fitsNoWindow = limit !== null && neededCalls + Math.floor(limit * SPARE_FRACTION) > limit;
    const error = fitsNoWindow ? createTooExpensiveError(neededCalls, limit) : new QuotaExceededError(neededCalls, toSeconds(waitMs));
    return { error, neededCalls };
  }
}
