import { type Clock, createTimeRange, EXPIRED, getRemainingMs, systemClock, type TimeRange } from '../../lib/clock.ts';
import type { QuotaUpdate } from './rateLimitHeaders.ts';

/** A key's quota in the current window, as reported to clients. */
export interface QuotaView {
  /** Calls that a quota window allows. */
  readonly limit: number;
  /** Number of calls left in the window. */
  readonly remaining: number;
  readonly resetsInSeconds: number;
}

/** Calls of a quota that are reserved for a request. */
export interface Reservation {
  readonly key: QuotaKey;
  /** Number of calls left in the reservation. */
  calls: number;
  /** Whether other instances know about the reservation. */
  readonly isShared: boolean;
}

/** A reservation, or the milliseconds after which to try again. */
export type Reserved = Reservation | { readonly waitMs: number };

/** An API key, with the state of its quota. */
export interface QuotaKey {
  readonly hash: string;
  /** Null until the upstream has reported a quota, or calls are reserved. */
  quota: QuotaState | null;
}

/** Quotas of the API keys, as far as the upstream has reported them. Only `reserve` can be asynchronous: every call uses the other methods. */
export interface Quota {
  /** Milliseconds until the key can send. 0 if it can send now. */
  getBlockedMs(key: QuotaKey): number;
  /**
   * Reserves calls if they fit the remaining quota, without other reservations and without `spare`, a fraction of the window. Also admits a key that can't send
   * now, but can within `maxWaitMs`.
   */
  reserve(key: QuotaKey, calls: number, maxWaitMs: number, spare?: number): Reserved | Promise<Reserved>;
  /** Number of remaining calls that aren't reserved. Null if the quota is unknown. */
  getAvailable(key: QuotaKey): number | null;
  /** Releases the remaining calls of a reservation. */
  release(reservation: Reservation): void;
  /** Counts a call that is sent, and charges it to the reservation if there is one. */
  spend(key: QuotaKey, reservation: Reservation | null): void;
  /**
   * Updates the quota from a response to a call that was sent at `sentAt` on the monotonic clock. If the response is a rate limit error, call `block` first.
   */
  update(key: QuotaKey, sentAt: number, reported: QuotaUpdate | null): void;
  /** Blocks a key whose call was rejected by the rate limit. Returns for how many milliseconds. */
  block(key: QuotaKey, sentAt: number, retryAfterMs: number | null): number;
  /** Number of calls that a quota window allows. Null if it's unknown. */
  getLimit(key: QuotaKey): number | null;
  /** Null if the quota is unknown. */
  getView(key: QuotaKey): QuotaView | null;
  /** Reports the calls that other instances don't know about yet. */
  close(): Promise<void>;
}

/** A key's quota, as all instances together know it. */
export interface SharedState extends QuotaUpdate {
  readonly blockedMs: number;
}

/** First and longest block of a key without a reported end, in milliseconds. Each block is twice as long as the previous one. Chosen. */
const FIRST_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 60_000;
/** Tolerance between the reset times that responses of the same window report, in milliseconds: they are in whole seconds. */
const SAME_RESET_MS = 1_000;
/**
 * Wait before another attempt to reserve calls when other requests have reserved all that are left, in milliseconds. Chosen: they release what they don't need.
 */
const CONTENTION_MS = 1_000;

/** A key's quota, with timestamps on the monotonic clock. */
export interface QuotaState {
  limit: number | null;
  remaining: number;
  /** The window until its reset. Null if the reported window has ended and the next one is unknown. */
  window: TimeRange | null;
  /** When the window started, as far as it is known. */
  since: number;
  reserved: number;
  blocked: TimeRange;
  /** When the last block started, and its length. */
  blockedAt: number;
  blockMs: number;
}

const createState = (): QuotaState => ({
  limit: null,
  remaining: 0,
  window: null,
  since: Number.NEGATIVE_INFINITY,
  reserved: 0,
  blocked: EXPIRED,
  blockedAt: Number.NEGATIVE_INFINITY,
  blockMs: 0,
});

/** Quotas that this process learns on its own. */
export class MemoryQuota implements Quota {
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Returns the state of a key. Resets a window that has ended, and discards what was reported before the clock was set back. Null if nothing is known.
   */
  getState({ quota: state }: QuotaKey): QuotaState | null {
    if (!state) return null;
    const now = this.#clock.monotonicMs();
    if (state.limit !== null && state.window !== null && getRemainingMs(state.window, now) === 0) {
      state.remaining = state.limit;
      state.since = Math.min(state.window.until, now);
      state.window = null;
    }
    if (now < state.blocked.from) Object.assign(state, { blocked: EXPIRED, blockMs: 0 });
    return state;
  }

  #getOrCreateState(key: QuotaKey): QuotaState {
    const known = this.getState(key);
    if (known) return known;
    key.quota = createState();
    return key.quota;
  }

  getBlockedMs(key: QuotaKey): number {
    const state = this.getState(key);
    if (!state) return 0;
    const now = this.#clock.monotonicMs();
    const isUsedUp = state.limit !== null && state.remaining <= 0;
    return Math.max(getRemainingMs(state.blocked, now), isUsedUp ? getRemainingMs(state.window ?? EXPIRED, now) : 0);
  }

  reserve(key: QuotaKey, calls: number, maxWaitMs: number, spare = 0): Reserved {
    const state = this.getState(key);
    const waitMs = state ? this.#getWaitMs(state, calls, maxWaitMs, spare) : 0;
    return waitMs > 0 ? { waitMs } : this.reserveUnchecked(key, calls, false);
  }

  getAvailable(key: QuotaKey): number | null {
    const state = this.getState(key);
    return state && state.limit !== null ? this.#getRemaining(state, state.limit) - state.reserved : null;
  }

  /** Reserves calls, whether they fit or not. */
  reserveUnchecked(key: QuotaKey, calls: number, isShared: boolean): Reservation {
    this.#getOrCreateState(key).reserved += calls;
    return { key, calls, isShared };
  }

  #getWaitMs(state: QuotaState, calls: number, maxWaitMs: number, spare: number): number {
    const now = this.#clock.monotonicMs();
    const { limit } = state;
    const blockedMs = getRemainingMs(state.blocked, now);
    if (limit === null) return blockedMs > maxWaitMs ? blockedMs : 0;
    const needed = calls + Math.floor(limit * spare);
    const untilReset = getRemainingMs(state.window ?? EXPIRED, now);
    // Doesn't fit any window.
    if (needed > limit) return Math.max(blockedMs, untilReset, CONTENTION_MS);
    const waitMs = Math.max(blockedMs, state.remaining < needed ? untilReset : 0);
    if (waitMs > maxWaitMs) return waitMs;
    return waitMs <= 0 && this.#getRemaining(state, limit) - state.reserved < needed ? CONTENTION_MS : 0;
  }

  /** Between two windows, a full window: if it were counted down without a response, the key would never be admitted again. */
  #getRemaining({ window, remaining }: QuotaState, limit: number): number {
    return window === null ? limit : remaining;
  }

  release(reservation: Reservation): void {
    this.#consume(reservation, reservation.calls);
  }

  #consume(reservation: Reservation, calls: number): void {
    const taken = Math.min(calls, reservation.calls);
    reservation.calls -= taken;
    const { key } = reservation;
    const { quota: state } = key;
    if (!state) return;
    state.reserved = Math.max(0, state.reserved - taken);
    if (state.reserved === 0 && state.limit === null && state.blocked === EXPIRED) key.quota = null;
  }

  spend(key: QuotaKey, reservation: Reservation | null): void {
    const state = this.getState(key);
    if (state) state.remaining = Math.max(0, state.remaining - 1);
    if (reservation) this.#consume(reservation, 1);
  }

  update(key: QuotaKey, sentAt: number, reported: QuotaUpdate | null): void {
    const known = this.getState(key);
    // A call that was sent before the block ended doesn't show that the rate limit is over.
    if (known && sentAt >= known.blocked.until) known.blockMs = 0;
    if (!reported) return;
    const state = known ?? this.#getOrCreateState(key);
    const now = this.#clock.monotonicMs();
    // The clock may have been set back while the call was in flight.
    const since = Math.min(sentAt, now);
    const window = createTimeRange(now, reported.resetsInMs);
    // The reset is latest if it counts from now, and earliest if it counts from when the call was sent. If a full window was used up between two windows, its
    // calls belong to more than one: many of them got no response.
    const isNewWindow = state.window === null ? state.remaining === 0 : since + reported.resetsInMs > state.window.until + SAME_RESET_MS;
    if (state.limit === null || isNewWindow) {
      Object.assign(state, { limit: reported.limit, remaining: reported.remaining, window, since });
      return;
    }
    // A response from a window that has ended says nothing about the current one.
    if (since < state.since) return;
    state.remaining = Math.min(state.remaining + reported.limit - state.limit, reported.remaining);
    state.limit = reported.limit;
    state.window = { from: now, until: Math.min(state.window?.until ?? window.until, window.until) };
  }

  block(key: QuotaKey, sentAt: number, retryAfterMs: number | null): number {
    const state = this.#getOrCreateState(key);
    const now = this.#clock.monotonicMs();
    // Calls that were in flight together are rejected together, which counts as one rejection.
    if (sentAt >= state.blocked.until || state.blockMs === 0) {
      state.blockMs = state.blockMs === 0 ? FIRST_BLOCK_MS : Math.min(state.blockMs * 2, MAX_BLOCK_MS);
      state.blockedAt = now;
    }
    const until = retryAfterMs === null ? state.blockedAt + state.blockMs : now + retryAfterMs;
    state.blocked = { from: now, until: Math.max(state.blocked.until, until) };
    return getRemainingMs(state.blocked, now);
  }

  /** Adopts the state that all instances share, minus this instance's calls that it doesn't include yet. A `limit` of 0 means that the window is unknown. */
  adopt(key: QuotaKey, shared: SharedState, unreported: number): void {
    if (shared.limit <= 0 && shared.blockedMs <= 0) return;
    const state = this.getState(key) ?? this.#getOrCreateState(key);
    const now = this.#clock.monotonicMs();
    if (shared.blockedMs > getRemainingMs(state.blocked, now)) state.blocked = createTimeRange(now, shared.blockedMs);
    if (shared.limit <= 0) return;
    const window = createTimeRange(now, shared.resetsInMs);
    const remaining = Math.max(0, shared.remaining - unreported);
    const laterMs = window.until - (state.window ?? EXPIRED).until;
    if (state.limit === null || laterMs > SAME_RESET_MS) Object.assign(state, { limit: shared.limit, remaining, window, since: now });
    else if (laterMs >= -SAME_RESET_MS) state.remaining = Math.min(state.remaining, remaining);
  }

  getLimit(key: QuotaKey): number | null {
    return this.getState(key)?.limit ?? null;
  }

  getView(key: QuotaKey): QuotaView | null {
    const state = this.getState(key);
    if (!state || state.limit === null) return null;
    const resetsInSeconds = Math.ceil(getRemainingMs(state.window ?? EXPIRED, this.#clock.monotonicMs()) / 1000);
    return { limit: state.limit, remaining: state.remaining, resetsInSeconds };
  }

  async close(): Promise<void> {}
}

/** Lowest number of calls that any key has left in its current window. Null if no quota is known. */
export function findLowestRemaining(keys: Iterable<QuotaKey>, clock: Clock): number | null {
  const now = clock.monotonicMs();
  let least: number | null = null;
  for (const { quota } of keys) {
    if (!quota || quota.limit === null || quota.window === null || getRemainingMs(quota.window, now) === 0) continue;
    if (least === null || quota.remaining < least) least = quota.remaining;
  }
  return least;
}
