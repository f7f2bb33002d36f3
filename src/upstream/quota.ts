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
  /** An answer came to a call that was sent at `sentAt`, other than a refusal for the quota; or that refusal, after `block`. */
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

/** All moments are Unix milliseconds. */
export interface KeyState {
  limit: number | null;
  remaining: number;
  /** Null when the window that it told of has passed, and nothing is known of the next. */
  resetsAt: number | null;
  /** When the window began, as far as we know. */
  since: number;
  reserved: number;
  blockedUntil: number;
  /** When the last block was imposed, and how long it was. */
  blockedAt: number;
  blockMs: number;
}

const fresh = (): KeyState => ({
  limit: null,
  remaining: 0,
  resetsAt: null,
  since: 0,
  reserved: 0,
  blockedUntil: 0,
  blockedAt: 0,
  blockMs: 0,
});

/** The quotas that this process knows of. */
export class MemoryQuota implements Quota {
  readonly #now: () => number;
  readonly #keys = new Map<string, KeyState>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The state of a key, with a window that has passed begun anew; undefined when nothing is known. */
  stateOf(credential: string): KeyState | undefined {
    const state = this.#keys.get(credential);
    if (state && state.limit !== null && state.resetsAt !== null && state.resetsAt <= this.#now()) {
      state.remaining = state.limit;
      state.since = state.resetsAt;
      state.resetsAt = null;
    }
    return state;
  }

  #open(credential: string): KeyState {
    const state = this.stateOf(credential) ?? fresh();
    this.#keys.delete(credential);
    this.#keys.set(credential, state);
    const oldest = this.#keys.keys().next().value;
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    return state;
  }

  blockedMs(credential: string): number {
    const state = this.stateOf(credential);
    if (!state) return 0;
    const isUsedUp = state.limit !== null && state.resetsAt !== null && state.remaining <= 0;
    return Math.max(0, state.blockedUntil - this.#now(), isUsedUp ? (state.resetsAt ?? 0) - this.#now() : 0);
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
    const now = this.#now();
    const blockedMs = state.blockedUntil - now;
    const untilReset = state.limit !== null && state.remaining < needed && state.resetsAt !== null ? state.resetsAt - now : 0;
    const waitMs = Math.max(blockedMs, untilReset);
    if (waitMs > patienceMs) return waitMs;
    // Between two windows what is left is not known: were it counted down without an answer, the key would never be let in again.
    const left = state.resetsAt === null ? (state.limit ?? 0) : state.remaining;
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
    if (state.reserved === 0 && state.limit === null && state.blockedUntil === 0) this.#keys.delete(reservation.credential);
  }

  spend(credential: string, reservation: Reservation | null): void {
    const state = this.stateOf(credential);
    if (state) state.remaining = Math.max(0, state.remaining - 1);
    if (reservation) this.#take(reservation, 1);
  }

  learn(credential: string, sentAt: number, news: WindowNews | null): void {
    const known = this.stateOf(credential);
    // A call that was sent before the block says nothing of how it goes on.
    if (known && sentAt >= known.blockedUntil) known.blockMs = 0;
    if (!news) return;
    const state = known ?? this.#open(credential);
    const resetsAt = this.#now() + news.resetsInMs;
    // The latest moment that it may mean is told from now, the earliest from when the call was sent.
    // Between two windows as many calls as one allows were of more than one: many that got no answer.
    const isNewWindow = state.resetsAt === null ? state.remaining === 0 : sentAt + news.resetsInMs > state.resetsAt + SAME_RESET_MS;
    if (state.limit === null || isNewWindow) {
      Object.assign(state, { limit: news.limit, remaining: news.remaining, resetsAt, since: sentAt });
      return;
    }
    // An answer of a window that has passed meanwhile says nothing of this one.
    if (sentAt < state.since) return;
    state.remaining = Math.min(state.remaining + news.limit - state.limit, news.remaining);
    state.limit = news.limit;
    state.resetsAt = Math.min(state.resetsAt ?? resetsAt, resetsAt);
  }

  block(credential: string, sentAt: number, retryAfterMs: number | null): number {
    const state = this.#open(credential);
    const now = this.#now();
    // Calls that were under way together are refused together: that is one refusal.
    if (sentAt >= state.blockedUntil || state.blockMs === 0) {
      state.blockMs = state.blockMs === 0 ? FIRST_BLOCK_MS : Math.min(state.blockMs * 2, MAX_BLOCK_MS);
      state.blockedAt = now;
    }
    const until = retryAfterMs === null ? state.blockedAt + state.blockMs : now + retryAfterMs;
    state.blockedUntil = Math.max(state.blockedUntil, until);
    return Math.max(0, state.blockedUntil - now);
  }

  /** Takes over what all know, less the calls of ours that they have not been told of. A `limit` of 0 says nothing of the window. */
  adopt(credential: string, shared: SharedState, untold: number): void {
    if (shared.limit <= 0 && shared.blockedMs <= 0) return;
    const state = this.stateOf(credential) ?? this.#open(credential);
    const now = this.#now();
    state.blockedUntil = Math.max(state.blockedUntil, now + shared.blockedMs);
    if (shared.limit <= 0) return;
    const resetsAt = now + shared.resetsInMs;
    const remaining = Math.max(0, shared.remaining - untold);
    const laterMs = resetsAt - (state.resetsAt ?? 0);
    if (state.limit === null || laterMs > SAME_RESET_MS) Object.assign(state, { limit: shared.limit, remaining, resetsAt, since: now });
    else if (laterMs >= -SAME_RESET_MS) state.remaining = Math.min(state.remaining, remaining);
  }

  view(credential: string): QuotaView | null {
    const state = this.stateOf(credential);
    if (!state || state.limit === null) return null;
    const resetsInSeconds = Math.max(0, Math.ceil(((state.resetsAt ?? 0) - this.#now()) / 1000));
    return { limit: state.limit, remaining: state.remaining, resetsInSeconds };
  }

  async close(): Promise<void> {}
}
