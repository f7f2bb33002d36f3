import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, EXPIRED, getRemainingMs } from '../../lib/clock.ts';

export interface BreakerOptions {
  /** Fraction of the recent calls that can fail. */
  readonly threshold: number;
  /** Number of recent calls that are evaluated. */
  readonly calls: number;
  /** Minimum number of recent calls to evaluate. */
  readonly minCalls: number;
  /** How long an open breaker rejects all calls before it lets a trial call through, in milliseconds. */
  readonly halfOpenAfterMs: number;
}

/** How long an open breaker is reported as open without a trial call, in milliseconds. Chosen: longer than a usual scrape interval. */
const REPORTED_MS = 60_000;

/** Outcomes of the last calls, in a ring buffer. */
class RecentCalls {
  readonly #size: number;
  readonly #failed: boolean[] = [];
  #next = 0;
  #failures = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(isFailure: boolean): void {
    if (this.#failed[this.#next]) this.#failures -= 1;
    if (isFailure) this.#failures += 1;
    this.#failed[this.#next] = isFailure;
    this.#next = (this.#next + 1) % this.#size;
  }

  clear(): void {
    this.#failed.length = 0;
    this.#next = 0;
    this.#failures = 0;
  }

  /** Whether more than this fraction of them failed. False for fewer calls than `minCalls`. */
  failMoreThan(share: number, minCalls: number): boolean {
    return this.#failed.length >= minCalls && this.#failures > share * this.#failed.length;
  }
}

/**
 * Circuit breaker: opens if too many recent calls failed, then lets a single trial call through at a time. Not from a package, whose policies wrap
 * each call in promises, make callers wait for the trial call, and can't treat a canceled trial as inconclusive.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #clock: Clock;
  readonly #retrialAfterMs: number;
  readonly #recent: RecentCalls;
  #isOpen = false;
  /** Time during which all calls are rejected. */
  #rejectionSpan = EXPIRED;
  #trial: object | null = null;

  /** `retrialAfterMs`: time between a failed trial and the next one. */
  constructor(options: BreakerOptions, clock: Clock, retrialAfterMs = options.halfOpenAfterMs) {
    this.#options = options;
    this.#clock = clock;
    this.#retrialAfterMs = retrialAfterMs;
    this.#recent = new RecentCalls(options.calls);
  }

  /** Whether the breaker is open. False if a trial call could have been sent for a minute and none was, because the state of the upstream is then unknown. */
  get isOpen(): boolean {
    const { from, until } = this.#rejectionSpan;
    return this.#isOpen && (this.#trial !== null || getRemainingMs({ from, until: until + REPORTED_MS }, this.#clock.monotonicMs()) > 0);
  }

  get isRejecting(): boolean {
    return this.#isOpen && (this.#trial !== null || getRemainingMs(this.#rejectionSpan, this.#clock.monotonicMs()) > 0);
  }

  begin(call: object): void {
    if (this.#isOpen) this.#trial = call;
  }

  /** `isFailure` is null if the call was inconclusive: the next call is then the trial. The breaker only opens if `canOpen` returns true. */
  end(call: object, isFailure: boolean | null, canOpen: () => boolean): void {
    const isTrial = this.#trial === call;
    if (isTrial) this.#trial = null;
    if (isFailure === null) return;
    if (isTrial && !isFailure) {
      this.#isOpen = false;
      this.#recent.clear();
    }
    this.#recent.add(isFailure);
    if (!isFailure) return;
    const { threshold, minCalls, halfOpenAfterMs } = this.#options;
    if (isTrial) this.#pause(this.#retrialAfterMs);
    else if (!this.#isOpen && this.#recent.failMoreThan(threshold, minCalls) && canOpen()) this.#pause(halfOpenAfterMs);
  }

  #pause(ms: number): void {
    this.#isOpen = true;
    this.#rejectionSpan = createTimeRange(this.#clock.monotonicMs(), ms);
  }
}

/** Number of latest calls of a source that are evaluated. Chosen: a single failure among successes isn't a trend, two are. */
const CALLS = 3;
/** How long the calls of a source are evaluated after the latest one, in milliseconds. Chosen: longer than most pauses of an active client. */
const EVIDENCE_MS = 10_000;
/** Number of sources that are tracked; least recently used are evicted. Chosen. */
const MAX_SOURCES = 100;

interface RecentOutcomes {
  /** Whether each of the latest calls failed, oldest first. */
  readonly failed: boolean[];
  /** When the latest call ended, on the monotonic clock. */
  at: number;
}

/**
 * Latest outcomes by source: by API key, or by operation. Each source counts once, however many calls it sends, so that one source with many failing
 * calls doesn't hide the successes of others.
 */
export class Sources {
  readonly #clock: Clock;
  readonly #sources = new BoundedCache<RecentOutcomes, object>({ entries: MAX_SOURCES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(origin: object, isFailure: boolean): void {
    const now = this.#clock.monotonicMs();
    let source = this.#sources.get(origin);
    if (!source || !isRecent(source, now)) {
      source = { failed: [], at: now };
      this.#sources.set(origin, source);
    }
    source.at = now;
    source.failed.push(isFailure);
    if (source.failed.length > CALLS) source.failed.shift();
  }

  /** Whether more than this fraction of the recent sources fail, and at least `minSources`. A source fails if more than this fraction of its latest calls did. */
  failMoreThan(share: number, minSources: number): boolean {
    const now = this.#clock.monotonicMs();
    let recent = 0;
    let failing = 0;
    for (const source of this.#sources.values()) {
      if (!isRecent(source, now)) continue;
      recent += 1;
      if (source.failed.filter(Boolean).length > share * source.failed.length) failing += 1;
    }
    return failing >= minSources && failing > share * recent;
  }
}

const isRecent = ({ at }: RecentOutcomes, now: number) => getRemainingMs(createTimeRange(at, EVIDENCE_MS), now) > 0;
