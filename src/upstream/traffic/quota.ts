import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, ENDED, msLeftOf, type Span, spanOf, systemClock } from '../../lib/clock.ts';
import type { QuotaUpdate } from './rateLimitHeaders.ts';

/** Quota of a key in its present window, as callers are told it. */
export interface QuotaView {
  /** Calls that a quota window allows. */
  readonly limit: number;
  /** Calls that are left of them. */
  readonly remaining: number;
  readonly resetsInSeconds: number;
}

/** Reservation: calls of a quota that are set aside for a request. */
export interface Reservation {
  readonly keyHash: string;
  /** Calls that are left of them. */
  calls: number;
  /** Whether other instances know of the reservation, too. */
  readonly isShared: boolean;
}

/** A reservation, or the milliseconds after which to try again. */
export type Reserved = Reservation | { readonly waitMs: number };

/** Quotas: the calls that each key may make in a window of time, as far as the upstream has told. Only `reserve` may take its time: all else is on the way of a call. */
export interface Quota {
  /** Milliseconds until the key may send; 0 when it may now. */
  blockedMs(keyHash: string): number;
  /**
   * Reserves calls if they fit into what is left next to other reservations, without `spare`, a share of the window. A key that can send nothing now,
   * but can again within `patienceMs`, is admitted.
   */
  reserve(keyHash: string, calls: number, patienceMs: number, spare?: number): Reserved | Promise<Reserved>;
  /** Calls that are left and not reserved. Null while nothing is known. */
  available(keyHash: string): number | null;
  /** Gives back what is left. */
  release(reservation: Reservation): void;
  /** Counts a call that is sent, from the reservation where there is one. */
  spend(keyHash: string, reservation: Reservation | null): void;
  /** Learns from an answer to a call that was sent at `sentAt` by the monotonic clock. After `block`, where the answer is a refusal for the quota. */
  learn(keyHash: string, sentAt: number, news: QuotaUpdate | null): void;
  /** Blocks a key whose call was refused for its quota. Answers for how many milliseconds. */
  block(keyHash: string, sentAt: number, retryAfterMs: number | null): number;
  /** Null while nothing is known. */
  view(keyHash: string): QuotaView | null;
  /** The fewest calls that any key has left in a window that has not passed; null while nothing is known. Looks at all keys. */
  leastRemaining(): number | null;
  /** Tells other instances of the calls that they have not heard of. */
  close(): Promise<void>;
}

/** Quota of a key as all instances together know it. */
export interface SharedState extends QuotaUpdate {
  readonly blockedMs: number;
}

/** Keys held at a time. Ours. */
const MAX_KEYS = 10_000;
/** Blocks of a key that is not told when to come back: the first, and the longest; each is twice as long as the one before. Ours. */
const FIRST_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 60_000;
/** Difference of the moments of a reset between answers of the same window: they are told in whole seconds. */
const SAME_RESET_MS = 1_000;
/** Wait before asking again when other requests have set aside all that is left. Ours: they give back what they do not need. */
const CONTENTION_MS = 1_000;

/** Quota of a key as it is held, with moments by the monotonic clock. */
export interface KeyState {
  limit: number | null;
  remaining: number;
  /** Window, to its reset. Null when the one that was told of has passed, and nothing is known of the next. */
  window: Span | null;
  /** When the window began, as far as we know. */
  since: number;
  reserved: number;
  blocked: Span;
  /** When the last block was imposed, and how long it was. */
  blockedAt: number;
  blockMs: number;
}

const fresh = (): KeyState => ({
  limit: null,
  remaining: 0,
  window: null,
  since: Number.NEGATIVE_INFINITY,
  reserved: 0,
  blocked: ENDED,
  blockedAt: Number.NEGATIVE_INFINITY,
  blockMs: 0,
});

/** Quotas as this process alone learns them. */
export class MemoryQuota implements Quota {
  readonly #clock: Clock;
  readonly #keys = new BoundedCache<KeyState>({ entries: MAX_KEYS });

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** The state of a key, with a window that has passed begun anew, and without what was told before the clock was set back; undefined when nothing is known. */
  stateOf(keyHash: string): KeyState | undefined {
    const state = this.#keys.get(keyHash);
    if (!state) return undefined;
    const now = this.#clock.monotonicMs();
    if (state.limit !== null && state.window !== null && msLeftOf(state.window, now) === 0) {
      state.remaining = state.limit;
      state.since = Math.min(state.window.until, now);
      state.window = null;
    }
    if (now < state.blocked.from) Object.assign(state, { blocked: ENDED, blockMs: 0 });
    return state;
  }

  #open(keyHash: string): KeyState {
    const known = this.stateOf(keyHash);
    if (known) return known;
    const state = fresh();
    this.#keys.set(keyHash, state);
    return state;
  }

  blockedMs(keyHash: string): number {
    const state = this.stateOf(keyHash);
    if (!state) return 0;
    const now = this.#clock.monotonicMs();
    const isUsedUp = state.limit !== null && state.remaining <= 0;
    return Math.max(msLeftOf(state.blocked, now), isUsedUp ? msLeftOf(state.window ?? ENDED, now) : 0);
  }

  reserve(keyHash: string, calls: number, patienceMs: number, spare = 0): Reserved {
    const state = this.stateOf(keyHash);
    const waitMs = state ? this.#waitFor(state, calls, patienceMs, spare) : 0;
    return waitMs > 0 ? { waitMs } : this.hold(keyHash, calls, false);
  }

  available(keyHash: string): number | null {
    const state = this.stateOf(keyHash);
    return state && state.limit !== null ? this.#leftOf(state, state.limit) - state.reserved : null;
  }

  /** Sets calls aside whether they fit or not. */
  hold(keyHash: string, calls: number, isShared: boolean): Reservation {
    this.#open(keyHash).reserved += calls;
    return { keyHash, calls, isShared };
  }

  #waitFor(state: KeyState, calls: number, patienceMs: number, spare: number): number {
    const now = this.#clock.monotonicMs();
    const { limit } = state;
    const blockedMs = msLeftOf(state.blocked, now);
    if (limit === null) return blockedMs > patienceMs ? blockedMs : 0;
    const needed = calls + Math.floor(limit * spare);
    const untilReset = msLeftOf(state.window ?? ENDED, now);
    // Fits into no window.
    if (needed > limit) return Math.max(blockedMs, untilReset, CONTENTION_MS);
    const waitMs = Math.max(blockedMs, state.remaining < needed ? untilReset : 0);
    if (waitMs > patienceMs) return waitMs;
    return waitMs <= 0 && this.#leftOf(state, limit) - state.reserved < needed ? CONTENTION_MS : 0;
  }

  /** Between two windows, a whole window: were it counted down without an answer, the key would never be admitted again. */
  #leftOf({ window, remaining }: KeyState, limit: number): number {
    return window === null ? limit : remaining;
  }

  release(reservation: Reservation): void {
    this.#take(reservation, reservation.calls);
  }

  #take(reservation: Reservation, calls: number): void {
    const taken = Math.min(calls, reservation.calls);
    reservation.calls -= taken;
    const state = this.#keys.get(reservation.keyHash);
    if (!state) return;
    state.reserved = Math.max(0, state.reserved - taken);
    if (state.reserved === 0 && state.limit === null && state.blocked === ENDED) this.#keys.delete(reservation.keyHash);
  }

  spend(keyHash: string, reservation: Reservation | null): void {
    const state = this.stateOf(keyHash);
    if (state) state.remaining = Math.max(0, state.remaining - 1);
    if (reservation) this.#take(reservation, 1);
  }

  learn(keyHash: string, sentAt: number, news: QuotaUpdate | null): void {
    const known = this.stateOf(keyHash);
    // A call that was sent before the block says nothing of how it goes on.
    if (known && sentAt >= known.blocked.until) known.blockMs = 0;
    if (!news) return;
    const state = known ?? this.#open(keyHash);
    const now = this.#clock.monotonicMs();
    // The clock may have been set back while the call was under way.
    const since = Math.min(sentAt, now);
    const window = spanOf(now, news.resetsInMs);
    // The latest moment that it may mean is told from now, the earliest from when the call was sent.
    // Between two windows as many calls as one allows were of more than one: many that got no answer.
    const isNewWindow = state.window === null ? state.remaining === 0 : since + news.resetsInMs > state.window.until + SAME_RESET_MS;
    if (state.limit === null || isNewWindow) {
      Object.assign(state, { limit: news.limit, remaining: news.remaining, window, since });
      return;
    }
    // An answer of a window that has passed meanwhile says nothing of this one.
    if (since < state.since) return;
    state.remaining = Math.min(state.remaining + news.limit - state.limit, news.remaining);
    state.limit = news.limit;
    state.window = { from: now, until: Math.min(state.window?.until ?? window.until, window.until) };
  }

  block(keyHash: string, sentAt: number, retryAfterMs: number | null): number {
    const state = this.#open(keyHash);
    const now = this.#clock.monotonicMs();
    // Calls that were under way together are refused together: that is one refusal.
    if (sentAt >= state.blocked.until || state.blockMs === 0) {
      state.blockMs = state.blockMs === 0 ? FIRST_BLOCK_MS : Math.min(state.blockMs * 2, MAX_BLOCK_MS);
      state.blockedAt = now;
    }
    const until = retryAfterMs === null ? state.blockedAt + state.blockMs : now + retryAfterMs;
    state.blocked = { from: now, until: Math.max(state.blocked.until, until) };
    return msLeftOf(state.blocked, now);
  }

  /** Takes over what all know, less the calls of ours that they have not been told of. A `limit` of 0 says nothing of the window. */
  adopt(keyHash: string, shared: SharedState, untold: number): void {
    if (shared.limit <= 0 && shared.blockedMs <= 0) return;
    const state = this.stateOf(keyHash) ?? this.#open(keyHash);
    const now = this.#clock.monotonicMs();
    if (shared.blockedMs > msLeftOf(state.blocked, now)) state.blocked = spanOf(now, shared.blockedMs);
    if (shared.limit <= 0) return;
    const window = spanOf(now, shared.resetsInMs);
    const remaining = Math.max(0, shared.remaining - untold);
    const laterMs = window.until - (state.window ?? ENDED).until;
    if (state.limit === null || laterMs > SAME_RESET_MS) Object.assign(state, { limit: shared.limit, remaining, window, since: now });
    else if (laterMs >= -SAME_RESET_MS) state.remaining = Math.min(state.remaining, remaining);
  }

  view(keyHash: string): QuotaView | null {
    const state = this.stateOf(keyHash);
    if (!state || state.limit === null) return null;
    const resetsInSeconds = Math.ceil(msLeftOf(state.window ?? ENDED, this.#clock.monotonicMs()) / 1000);
    return { limit: state.limit, remaining: state.remaining, resetsInSeconds };
  }

  leastRemaining(): number | null {
    const now = this.#clock.monotonicMs();
    let least: number | null = null;
    for (const { limit, remaining, window } of this.#keys.values()) {
      if (limit === null || window === null || msLeftOf(window, now) === 0) continue;
      if (least === null || remaining < least) least = remaining;
    }
    return least;
  }

  async close(): Promise<void> {}
}
