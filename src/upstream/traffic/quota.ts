import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, ENDED, msLeftOf, type Span, spanOf, systemClock } from '../../lib/clock.ts';
import type { WindowNews } from './rateLimitHeaders.ts';

/** What is known of a key's window of calls. */
export interface QuotaView {
  /** Calls that a window allows. */
  readonly limit: number;
  /** Calls that are left of it. */
  readonly remaining: number;
  readonly resetsInSeconds: number;
}

/** Calls that are set aside for a document. */
export interface Reservation {
  readonly credential: string;
  /** How many are left of them. */
  calls: number;
  /** Whether other instances know of it, too. */
  readonly isShared: boolean;
}

/** A reservation, or the milliseconds after which to ask again. */
export type Admission = Reservation | { readonly waitMs: number };

/**
 * The calls that each key may make, as far as the upstream has told. Keys are known by their hash. Only `reserve` may take its time: all
 * else is on the way of a call.
 */
export interface Quota {
  /** Milliseconds until the key may send; 0 when it may now. */
  blockedMs(credential: string): number;
  /**
   * Sets calls aside, but never more than half of a window: a document that needs more would never be admitted. A key that can do nothing now,
   * and can again within `patienceMs`, is admitted.
   */
  reserve(credential: string, calls: number, patienceMs: number): Admission | Promise<Admission>;
  /** Gives back what is left. */
  release(reservation: Reservation): void;
  /** A call is sent, from a reservation when there is one. */
  spend(credential: string, reservation: Reservation | null): void;
  /** An answer came to a call that was sent at `sentAt` by the monotonic clock, other than a refusal for the quota; or that refusal, after `block`. */
  learn(credential: string, sentAt: number, news: WindowNews | null): void;
  /** The upstream refused a call for its quota. Answers how long the key is blocked, in milliseconds. */
  block(credential: string, sentAt: number, retryAfterMs: number | null): number;
  /** Null while nothing is known. */
  view(credential: string): QuotaView | null;
  /** Tells others what they have not been told yet. */
  close(): Promise<void>;
}

/** What all instances together know of a key. */
export interface SharedState extends WindowNews {
  readonly blockedMs: number;
}

/** Keys held at a time; the one unused for longest goes first. Ours. */
const MAX_KEYS = 10_000;
/** Blocks of a key that is not told when to come back: the first, and the longest; each is twice as long as the one before. Ours. */
const FIRST_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 60_000;
/** What the moment of a reset may differ by between answers of one window: it is told in whole seconds. */
const SAME_RESET_MS = 1_000;
/** When to ask again when other documents have set aside what is left. Ours: they give back what they do not need. */
const CONTENTION_MS = 1_000;

/** All moments are by the monotonic clock. */
export interface KeyState {
  limit: number | null;
  remaining: number;
  /** To the reset. Null when the window that was told of has passed, and nothing is known of the next. */
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

/** The quotas that this process knows of. */
export class MemoryQuota implements Quota {
  readonly #clock: Clock;
  readonly #keys = new BoundedCache<KeyState>({ entries: MAX_KEYS });

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** The state of a key, with a window that has passed begun anew, and without what was told before the clock was set back; undefined when nothing is known. */
  stateOf(credential: string): KeyState | undefined {
    const state = this.#keys.get(credential);
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

  #open(credential: string): KeyState {
    const known = this.stateOf(credential);
    if (known) return known;
    const state = fresh();
    this.#keys.set(credential, state);
    return state;
  }

  blockedMs(credential: string): number {
    const state = this.stateOf(credential);
    if (!state) return 0;
    const now = this.#clock.monotonicMs();
    const isUsedUp = state.limit !== null && state.remaining <= 0;
    return Math.max(msLeftOf(state.blocked, now), isUsedUp ? msLeftOf(state.window ?? ENDED, now) : 0);
  }

  reserve(credential: string, calls: number, patienceMs: number): Admission {
    const state = this.stateOf(credential);
    const needed = state?.limit ? Math.min(calls, Math.max(1, Math.floor(state.limit / 2))) : calls;
    const waitMs = state ? this.#waitFor(state, needed, patienceMs) : 0;
    return waitMs > 0 ? { waitMs } : this.hold(credential, needed, false);
  }

  /** Sets calls aside whether they fit or not. */
  hold(credential: string, calls: number, isShared: boolean): Reservation {
    this.#open(credential).reserved += calls;
    return { credential, calls, isShared };
  }

  #waitFor(state: KeyState, needed: number, patienceMs: number): number {
    const now = this.#clock.monotonicMs();
    const untilReset = state.limit !== null && state.remaining < needed ? msLeftOf(state.window ?? ENDED, now) : 0;
    const waitMs = Math.max(msLeftOf(state.blocked, now), untilReset);
    if (waitMs > patienceMs) return waitMs;
    // Between two windows what is left is not known: were it counted down without an answer, the key would never be let in again.
    const left = state.window === null ? (state.limit ?? 0) : state.remaining;
    const isContended = state.limit !== null && waitMs <= 0 && left - state.reserved < needed;
    return isContended ? CONTENTION_MS : 0;
  }

  release(reservation: Reservation): void {
    this.#take(reservation, reservation.calls);
  }

  #take(reservation: Reservation, calls: number): void {
    const taken = Math.min(calls, reservation.calls);
    reservation.calls -= taken;
    const state = this.#keys.get(reservation.credential);
    if (!state) return;
    state.reserved = Math.max(0, state.reserved - taken);
    if (state.reserved === 0 && state.limit === null && state.blocked === ENDED) this.#keys.delete(reservation.credential);
  }

  spend(credential: string, reservation: Reservation | null): void {
    const state = this.stateOf(credential);
    if (state) state.remaining = Math.max(0, state.remaining - 1);
    if (reservation) this.#take(reservation, 1);
  }

  learn(credential: string, sentAt: number, news: WindowNews | null): void {
    const known = this.stateOf(credential);
    // A call that was sent before the block says nothing of how it goes on.
    if (known && sentAt >= known.blocked.until) known.blockMs = 0;
    if (!news) return;
    const state = known ?? this.#open(credential);
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

  block(credential: string, sentAt: number, retryAfterMs: number | null): number {
    const state = this.#open(credential);
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
  adopt(credential: string, shared: SharedState, untold: number): void {
    if (shared.limit <= 0 && shared.blockedMs <= 0) return;
    const state = this.stateOf(credential) ?? this.#open(credential);
    const now = this.#clock.monotonicMs();
    if (shared.blockedMs > msLeftOf(state.blocked, now)) state.blocked = spanOf(now, shared.blockedMs);
    if (shared.limit <= 0) return;
    const window = spanOf(now, shared.resetsInMs);
    const remaining = Math.max(0, shared.remaining - untold);
    const laterMs = window.until - (state.window ?? ENDED).until;
    if (state.limit === null || laterMs > SAME_RESET_MS) Object.assign(state, { limit: shared.limit, remaining, window, since: now });
    else if (laterMs >= -SAME_RESET_MS) state.remaining = Math.min(state.remaining, remaining);
  }

  view(credential: string): QuotaView | null {
    const state = this.stateOf(credential);
    if (!state || state.limit === null) return null;
    const resetsInSeconds = Math.ceil(msLeftOf(state.window ?? ENDED, this.#clock.monotonicMs()) / 1000);
    return { limit: state.limit, remaining: state.remaining, resetsInSeconds };
  }

  async close(): Promise<void> {}
}
