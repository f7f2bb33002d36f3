import type { Delivery } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { Clock } from '../../lib/clock.ts';
import type { QuotaUpdate } from './rateLimitHeaders.ts';

/** Maximum number of keys. Chosen: same as for quotas. */
const MAX_KEYS = 10_000;
/** How long a key that was used by another process counts as shared, in milliseconds. Chosen: longer than pauses in the traffic of a busy integration. */
const SHARED_MS = 10 * 60 * 1000;
/** How long a call that timed out may still reach the upstream, in milliseconds. Chosen: twice as long as the upstream queues a call. */
const LATE_MS = 60 * 1000;

/** Tolerance between the times to a reset that concurrent responses report, in milliseconds: they are in whole seconds. */
const SAME_RESET_MS = 1_000;

/** Time to the reset of a window that no response has reported yet. Its count is expected, not measured. */
const UNMEASURED = Number.POSITIVE_INFINITY;

/** The quota that a response reported, or that is expected at the start of a window. Times are from the monotonic clock. */
interface QuotaReading {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInMs: number;
  readonly at: number;
}

/** A call that was sent, and whether the upstream has received it. */
export interface SentCall extends Delivery {
  confirmedAt: number | null;
  clockLagMs: number;
  readonly tally: Tally;
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

/** The calls of one key since `base`. */
interface Tally {
  inFlight: number;
  /** The quota when no call was in flight. Null if it isn't known. */
  base: QuotaReading | null;
  /** The lowest reading since then. */
  lowest: QuotaReading | null;
  /** Calls sent since then, all of which the upstream counts if it receives them. */
  sent: number;
  lost: SentCall[];
  /** Until when nothing is concluded, because calls of other processes or late calls may be counted. */
  inconclusiveUntil: number;
}

/** Whether both readings can be from one window. */
const isSameWindow = (earlier: QuotaReading, later: QuotaReading) =>
  earlier.limit === later.limit && later.resetsInMs <= earlier.resetsInMs + SAME_RESET_MS && later.at - earlier.at < earlier.resetsInMs;

/**
 * Detects whether the upstream received a call whose response was lost. Its quota headers count the calls of a key, so if exactly as many were counted as this
 * process sent, the lost ones are among them. Concludes nothing while calls are in flight, across the end of a quota window, or if another process uses the key.
 */
export class Deliveries {
  readonly #clock: Clock;
  readonly #tallies = new BoundedCache<Tally>({ entries: MAX_KEYS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a call that is about to be sent. Its end must be recorded with one of the other methods. */
  begin(keyHash: string): SentCall {
    let tally = this.#tallies.get(keyHash);
    if (!tally) {
      tally = { inFlight: 0, base: null, lowest: null, sent: 0, lost: [], inconclusiveUntil: Number.NEGATIVE_INFINITY };
      this.#tallies.set(keyHash, tally);
    }
    const { base } = tally;
    const now = this.#clock.monotonicMs();
    // This process has sent nothing in the windows since, so the present one is full unless another process uses the key.
    if (base && tally.inFlight === 0 && tally.sent === 0 && now - base.at >= base.resetsInMs + SAME_RESET_MS)
      tally.base = { limit: base.limit, remaining: base.limit, resetsInMs: UNMEASURED, at: now };
    tally.inFlight += 1;
    tally.sent += 1;
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    return { confirmedAt: null, clockLagMs: 0, tally, settled, settle };
  }

  /** Records a response. `lagMs`: by how much the upstream's clock is behind this host's. Errors may lack quota headers, and may not be counted. */
  onResponse(call: SentCall, status: number, update: QuotaUpdate | null, lagMs: number): void {
    const { tally } = call;
    tally.inFlight -= 1;
    call.settle();
    if (!update) return;
    // A success proves receipt, even if the response can't be parsed. Without quota headers, it may come from something in front of the upstream.
    if (status < 300) this.#confirm(call, lagMs);
    const { lowest } = tally;
    const reading = { ...update, at: this.#clock.monotonicMs() };
    if (!lowest || reading.remaining < lowest.remaining || !isSameWindow(lowest, reading)) tally.lowest = reading;
    if (tally.inFlight === 0) this.#settle(tally, reading.at, lagMs);
  }

  /** Records that the connection failed before a response. */
  onLost(call: SentCall): void {
    call.tally.inFlight -= 1;
    call.tally.lost.push(call);
  }

  /** Records that this process stopped waiting for a response. The upstream may receive or process the call at any time, so it's never confirmed. */
  onAbandoned({ tally, settle }: SentCall): void {
    tally.inFlight -= 1;
    settle();
    tally.inconclusiveUntil = Math.max(tally.inconclusiveUntil, this.#clock.monotonicMs() + LATE_MS);
  }

  /** Records that the call wasn't sent after all. */
  onUnsent({ tally }: SentCall): void {
    tally.inFlight -= 1;
    tally.sent -= 1;
  }

  /** Compares the counts while no call is in flight, then starts over. A call that wasn't confirmed by now never is. */
  #settle(tally: Tally, now: number, lagMs: number): void {
    const { base, lowest, sent, lost } = tally;
    if (!lowest) return;
    const counted = base && isSameWindow(base, lowest) ? base.remaining - lowest.remaining : null;
    if (counted === sent && lowest.remaining > 0 && now >= tally.inconclusiveUntil) {
      for (const call of lost) this.#confirm(call, lagMs);
    } else if (counted !== null && counted > sent && base?.resetsInMs !== UNMEASURED)
      tally.inconclusiveUntil = Math.max(tally.inconclusiveUntil, now + SHARED_MS);
    for (const { settle } of lost) settle();
    Object.assign(tally, { base: lowest, lowest: null, sent: 0, lost: [] });
  }

  #confirm(call: SentCall, lagMs: number): void {
    call.confirmedAt = this.#clock.unixMs();
    call.clockLagMs = lagMs;
  }
}
