import { randomUUID } from 'node:crypto';
import { ApiError, RateLimitedError } from '../failures/failures.ts';
import type { Clock } from '../lib/clock.ts';
import { createKeyCredential } from '../upstream/access/credential.ts';
import type { Upstream } from '../upstream/client.ts';
import type { Session } from '../upstream/session.ts';
import type { QuotaView } from '../upstream/traffic/quota.ts';

/** Maximum attempts per call, including the first. Chosen: with the delays below, they last about a minute, which covers a restart of the upstream. */
const MAX_ATTEMPTS = 8;
/** Maximum attempts of a query that times out. Chosen: fewer, because a shorter time range helps more than a retry. */
const MAX_TIMED_OUT_ATTEMPTS = 2;
/** Exponential backoff: at most BASE_MS before the first retry, doubled for each further one, capped at CAP_MS. */
const BASE_MS = 500;
const CAP_MS = 30_000;

/** Interval between calls if the upstream doesn't report a quota, in milliseconds. Chosen: 2 calls per second, far below any known limit. */
const UNKNOWN_QUOTA_MS = 500;

/** Tolerance between reset times of the same window, in milliseconds: they are rounded to whole seconds. */
const SAME_WINDOW_MS = 2_000;

/** Delay after the end of a window before the next call, in milliseconds. */
const WINDOW_MARGIN_MS = 50;

/** Maximum delay between two calls of the same window, in milliseconds. */
const MAX_SPREAD_MS = 1_000;

const getMaxAttempts = ({ code }: ApiError): number => (code === 'UPSTREAM_TIMEOUT' ? MAX_TIMED_OUT_ATTEMPTS : MAX_ATTEMPTS);

export interface PacerOptions {
  readonly upstream: Upstream;
  readonly apiKey: string;
  /** Share of the key's quota that the calls can use, from 0 to 1. */
  readonly share: number;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Returns a number from 0 to 1, like Math.random. */
  readonly random: () => number;
}

/**
 * Sends calls one at a time, within a share of the key's quota in each window, so that other users of the key aren't rejected. Retries failures that are safe to
 * retry, including those of analytics queries, which the client itself never retries.
 */
export class Pacer {
  readonly #options: PacerOptions;
  /** Calls sent so far, including retries. */
  calls = 0;
  retries = 0;
  /** Time spent waiting for the quota or before retries, in milliseconds. */
  waitedMs = 0;
  /** Last known quota of the key. Null until the upstream has reported one. */
  quota: QuotaView | null = null;
  /** Own calls in the current window. */
  #used = 0;
  /** End of the window on the monotonic clock. Null before the first response in it. */
  #windowEnd: number | null = null;

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  /** Number of calls that a window allows. Null if the quota is unknown. */
  get callsPerWindow(): number | null {
    return this.quota && this.#getAllowance(this.quota);
  }

  /**
   * Calls the upstream in a session of its own, because a session retains the responses to its reads. `expectedCalls` is the number of calls that the session
   * probably sends.
   */
  async call<Result>(send: (session: Session) => Promise<Result>, expectedCalls = 1): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(send, expectedCalls);
      } catch (error) {
        if (!(error instanceof ApiError) || error.retry !== 'SAFE' || attempt >= getMaxAttempts(error)) throw error;
        this.retries += 1;
        await this.#wait(this.#getRetryDelay(error, attempt));
      }
    }
  }

  async #sendOnce<Result>(send: (session: Session) => Promise<Result>, expectedCalls: number): Promise<Result> {
    const { upstream, apiKey } = this.#options;
    const session = upstream.openSession(createKeyCredential(apiKey), randomUUID());
    try {
      await this.#waitForTurn(session, expectedCalls);
      return await send(session);
    } finally {
      this.calls += session.sent;
      this.#used += session.sent;
      this.quota = session.quota ?? this.quota;
      session.finish();
    }
  }

  #getAllowance({ limit }: QuotaView): number {
    return Math.max(1, Math.floor(limit * this.#options.share));
  }

  #getRetryDelay(error: ApiError, attempt: number): number {
    if (error instanceof RateLimitedError && error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
    return Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)) * (0.5 + this.#options.random() / 2);
  }

  async #waitForTurn(session: Session, calls: number): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      const { quota } = session;
      if (!quota) {
        if (this.calls > 0) await this.#wait(UNKNOWN_QUOTA_MS * calls);
        return;
      }
      const now = clock.monotonicMs();
      if (quota.resetsInSeconds === 0) return this.#startWindow();
      const windowEnd = now + quota.resetsInSeconds * 1000;
      if (this.#windowEnd !== null && Math.abs(windowEnd - this.#windowEnd) > SAME_WINDOW_MS) this.#startWindow();
      this.#windowEnd ??= windowEnd;
      const allowance = this.#getAllowance(quota);
      const left = allowance - this.#used;
      // What is left for others must not fall below half of their share.
      const reserve = Math.floor((quota.limit - allowance) / 2);
      if (left >= Math.min(calls, allowance) && quota.remaining > reserve) {
        // Spreads the second half of the calls over the rest of the window.
        const spreadMs = left < allowance / 2 ? ((windowEnd - now) / Math.max(1, left)) * calls : 0;
        await this.#wait(Math.min(MAX_SPREAD_MS * calls, spreadMs));
        return;
      }
      await this.#wait(windowEnd - now + WINDOW_MARGIN_MS);
    }
  }

  /** Called between two windows. */
  #startWindow(): void {
    if (this.#windowEnd !== null) this.#used = 0;
    this.#windowEnd = null;
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.waitedMs += ms;
    await this.#options.wait(ms);
  }
}
