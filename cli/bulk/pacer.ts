import type { Clock } from '../../src/lib/clock.ts';
import { type GraphResponse, type GraphSender, type Quota, RequestError } from './graphResponse.ts';

/** Maximum attempts per call, including the first. Chosen: with the delays below, they last about a minute, which covers a restart of the upstream. */
const MAX_ATTEMPTS = 8;
/** Maximum attempts of a query that times out. Chosen: fewer, because a shorter time range helps more than a retry. */
const MAX_TIMED_OUT_ATTEMPTS = 2;
/** Exponential backoff: at most BASE_MS before the first retry, doubled for each further one, capped at CAP_MS. */
const BASE_MS = 500;
const CAP_MS = 30_000;

/** Interval between calls if the upstream doesn't report a quota, in milliseconds. Chosen: 2 calls per second, far below any known limit. */
const UNKNOWN_QUOTA_MS = 500;

/** Length of a window of the rate limit, in seconds. Source: the upstream's rate limit. */
export const WINDOW_SECONDS = 60;

/** Tolerance between reset times of the same window, in milliseconds: a response can be delayed, and that of the next window is later by a whole one. */
const SAME_WINDOW_MS = (WINDOW_SECONDS / 2) * 1_000;

/** Delay after the end of a window before the next call, in milliseconds. */
const WINDOW_MARGIN_MS = 50;

/** Maximum delay between two calls of the same window, in milliseconds. */
const MAX_SPREAD_MS = 1_000;

const getMaxAttempts = ({ code }: RequestError): number => (code === 'UPSTREAM_TIMEOUT' ? MAX_TIMED_OUT_ATTEMPTS : MAX_ATTEMPTS);

export interface PacerOptions {
  readonly client: GraphSender;
  /** Share of the key's quota that the calls can use, from 0 to 1. */
  readonly share: number;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Returns a number from 0 to 1, like Math.random. */
  readonly random: () => number;
}

/** What a request needs. */
interface RequestOptions {
  /** Upstream calls that it probably takes. */
  readonly calls: number;
  /** Length of the paths of records in the response. Errors of shorter paths fail the request. Errors of their values don't, because a retry doesn't help. */
  readonly depth: number;
  /** Called for each failed attempt whose mutation may be applied. */
  readonly onUncertain?: () => void;
}

/** Whether an error concerns what contains a record, and not only a value of it: fields that can't be null make the ones that contain them null. */
function isNullWithin(data: unknown, path: readonly (string | number)[] = [], depth: number): boolean {
  if (path.length <= depth) return true;
  let value = data;
  for (const step of path.slice(0, depth)) value = (value as Readonly<Record<string | number, unknown>> | null | undefined)?.[step];
  return value === null || value === undefined;
}

/**
 * Sends requests within a share of the key's quota in each window, so that other users of the key aren't rejected. Retries failures that are
 * temporary, including those of analytics queries, which the graph itself never retries.
 */
export class Pacer {
  readonly #options: PacerOptions;
  /** Upstream calls so far, including retries. */
  calls = 0;
  retries = 0;
  /** Time spent waiting for the quota or before retries, in milliseconds. */
  waitedMs = 0;
  /** Last known quota of the key. Null until the upstream has reported one. */
  quota: Quota | null = null;
  /** Own calls in the current window. */
  #used = 0;
  /** Calls of requests that haven't been answered, by request. */
  readonly #open = new Map<Promise<GraphResponse>, number>();
  /** End of the window on the monotonic clock. Null before the first response in it. */
  #windowEnd: number | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  /** Number of calls that a window allows. Null if the quota is unknown. */
  get callsPerWindow(): number | null {
    return this.quota && this.#getAllowance(this.quota);
  }

  /** Sends a document. Throws RequestError if it still fails after retries. */
  async request(query: string, variables: object, { calls, depth, onUncertain }: RequestOptions): Promise<GraphResponse> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#dispatch(query, variables, calls);
        const failed = response.errors.find(({ path }) => isNullWithin(response.data, path, depth));
        if (failed) throw new RequestError(failed);
        return response;
      } catch (error) {
        // Something else than a graph may have responded.
        if (!(error instanceof RequestError) || error.mayBeApplied) onUncertain?.();
        if (!(error instanceof RequestError) || !error.isTemporary || attempt >= getMaxAttempts(error)) throw error;
        this.retries += 1;
        await this.#wait(this.#getRetryDelay(error, attempt));
      }
    }
  }

  #account({ calls, quota }: GraphResponse): void {
    this.calls += calls;
    this.#used += calls;
    if (!quota) return;
    this.quota = quota;
    const windowEnd = this.#options.clock.monotonicMs() + quota.resetsInSeconds * 1_000;
    const difference = this.#windowEnd === null ? 0 : windowEnd - this.#windowEnd;
    // The response is the first one of the next window. Those of the previous one can still arrive, and don't count.
    if (difference > SAME_WINDOW_MS) [this.#used, this.#windowEnd] = [calls, windowEnd];
    else if (difference < -SAME_WINDOW_MS) this.#used -= calls;
    this.#windowEnd ??= windowEnd;
  }

  #getAllowance({ limit }: Quota): number {
    return Math.max(1, Math.floor(limit * this.#options.share));
  }

  #getRetryDelay({ retryAfterSeconds }: RequestError, attempt: number): number {
    if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000;
    return Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)) * (0.5 + this.#options.random() / 2);
  }

  /** Sends a document once all earlier ones were sent, and the window has enough calls left. */
  #dispatch(query: string, variables: object, calls: number): Promise<GraphResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<GraphResponse>();
    this.#turn = this.#turn.then(async () => {
      await this.#waitForTurn(calls);
      const isKnown = this.#windowEnd !== null;
      const response = this.#options.client.send(query, variables);
      this.#open.set(response, calls);
      const counted = response.then((received) => this.#account(received)).finally(() => this.#open.delete(response));
      counted.then(() => resolve(response), reject);
      // The first response of a window reports what is left of it.
      if (!isKnown) await counted.catch(() => {});
    });
    return promise;
  }

  async #waitForTurn(calls: number): Promise<void> {
    if (!this.quota) {
      if (this.calls > 0) await this.#wait(UNKNOWN_QUOTA_MS * calls);
      return;
    }
    while (this.#windowEnd !== null) {
      const leftMs = this.#windowEnd - this.#options.clock.monotonicMs();
      const allowance = this.#getAllowance(this.quota);
      const left = allowance - this.#used - this.#open.values().reduce((sum, each) => sum + each, 0);
      // What is left for others must not fall below half of their share.
      const reserve = Math.floor((this.quota.limit - allowance) / 2);
      if (leftMs > 0 && left >= Math.min(calls, allowance) && this.quota.remaining > reserve) {
        // Spreads the second half of the calls over the rest of the window.
        const spreadMs = left < allowance / 2 ? (leftMs / Math.max(1, left)) * calls : 0;
        return this.#wait(Math.min(MAX_SPREAD_MS * calls, spreadMs));
      }
      if (this.#open.size > 0) await Promise.allSettled(this.#open.keys());
      else {
        await this.#wait(leftMs + WINDOW_MARGIN_MS);
        [this.#used, this.#windowEnd] = [0, null];
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.waitedMs += ms;
    await this.#options.wait(ms);
  }
}
