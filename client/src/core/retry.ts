import { adviseRetry, isTokenExpired, type Outcome, type Repeatability } from './advice.ts';

/** An attempt that is followed by another. */
export interface RetryEvent {
  /** Number of the failed attempt, starting with 1. */
  readonly attempt: number;
  /** An error code, `HTTP` with a status, or `NO_RESPONSE`. */
  readonly reason: string;
  readonly delayMs: number;
}

/** How requests are retried. */
export interface RetryOptions {
  /** Attempts per request, including the first. Defaults to 5. */
  readonly maxAttempts?: number;
  /** Upper bound of the random delay before the second attempt. It doubles with each attempt. Defaults to 200. */
  readonly baseDelayMs?: number;
  /** Total time after which no further attempt starts. Responses that ask for a longer wait are returned at once. Defaults to 20,000. */
  readonly maxTotalMs?: number;
  /** Gets another access token, which the next attempts must send. Called once for all requests that are waiting for it. */
  readonly renew?: () => Promise<unknown>;
  readonly onRetry?: (event: RetryEvent) => void;
  /** Milliseconds of a monotonic clock. For tests. */
  readonly now?: () => number;
  /** Waits. Rejects when the signal is aborted. For tests. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 to 1. For tests. */
  readonly random?: () => number;
}

/** Further attempts after OUTCOME_UNKNOWN: the graph checks on each whether the mutation was applied, and more checks rarely find more. */
const OUTCOME_CHECKS = 1;

const waitForTimer = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export interface Retried extends Repeatability {
  /** Stops the attempts. */
  readonly signal?: AbortSignal | undefined;
}

/** Attempts a request until its outcome is final, or until the time or the attempts are exhausted. */
export type Retrier = <Result extends Outcome>(attempt: () => Promise<Result>, request: Retried) => Promise<Result>;

/** Renews the access token once for all requests that it had expired for. Returns the number of renewals, and a function that renews after that number. */
function createRenewals(renew: () => Promise<unknown>) {
  let count = 0;
  let inFlight: Promise<boolean> | undefined;
  const start = async () => {
    try {
      await renew();
      count += 1;
      return true;
    } catch {
      // The page gets the response of the graph, which is why it has to sign in again.
      return false;
    } finally {
      inFlight = undefined;
    }
  };
  return {
    getCount: () => count,
    /** Resolves to whether there is a token that is newer than the one that was sent. */
    renewAfter: async (sentCount: number): Promise<boolean> => {
      if (sentCount !== count) return true;
      inFlight ??= start();
      return inFlight;
    },
  };
}

export function createRetrier(options: RetryOptions = {}): Retrier {
  const { maxAttempts = 5, baseDelayMs = 200, maxTotalMs = 20_000, onRetry } = options;
  const { now = () => performance.now(), wait = waitForTimer, random = Math.random } = options;
  const renewals = options.renew && createRenewals(options.renew);
  return async (attempt, request) => {
    const startedAt = now();
    let isRenewed = false;
    let checks = 0;
    for (let count = 1; ; count += 1) {
      const sentCount = renewals?.getCount() ?? 0;
      const outcome = await attempt();
      if (renewals && !isRenewed && isTokenExpired(outcome)) {
        isRenewed = true;
        if (!(await renewals.renewAfter(sentCount))) return outcome;
        count -= 1;
        continue;
      }
      const advice = count < maxAttempts ? adviseRetry(outcome, request) : undefined;
      if (!advice || request.signal?.aborted) return outcome;
      if (advice.reason === 'OUTCOME_UNKNOWN' && checks++ >= OUTCOME_CHECKS) return outcome;
      // Full jitter. In addition to the time that the graph asks for, so that clients don’t return all at once.
      const delayMs = (advice.retryAfterSeconds ?? 0) * 1000 + random() * baseDelayMs * 2 ** (count - 1);
      if (now() - startedAt + delayMs > maxTotalMs) return outcome;
      onRetry?.({ attempt: count, reason: advice.reason, delayMs });
      await wait(delayMs, request.signal);
    }
  };
}
