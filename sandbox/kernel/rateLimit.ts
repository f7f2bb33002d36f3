export interface RateLimit {
  /** Maximum number of calls per key in one window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly isExceeded: boolean;
}

/** Counts calls by key in fixed windows. */
export class RateLimiter {
  readonly #rule: RateLimit;
  readonly #windows = new Map<string, { endsAt: number; used: number }>();

  constructor(rule: RateLimit) {
    this.#rule = rule;
  }

  /** Counts one call of the key at `now`, in Unix seconds. */
  count(keyId: string, now: number): Quota {
    const { limit, windowSeconds } = this.#rule;
    let window = this.#windows.get(keyId);
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + windowSeconds, used: 0 };
      this.#windows.set(keyId, window);
    }
    window.used += 1;
    return {
      limit,
      remaining: Math.max(0, limit - window.used),
      reset: window.endsAt - now,
      isExceeded: window.used > limit,
    };
  }
}
