import { NotSentError } from '../../failures.ts';
import { type Clock, ENDED, msLeftOf, spanOf, systemClock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { TransportError } from '../transport/transport.ts';
import { serviceOf } from './permits.ts';

export interface BreakerOptions {
  /** The share of calls that may fail. */
  readonly threshold: number;
  /** How many of the last calls are looked at. */
  readonly calls: number;
  /** How many there must have been before any conclusion. */
  readonly minCalls: number;
  /** How long nothing is sent, until one call tries. */
  readonly halfOpenAfterMs: number;
}

/** Ours: a service that fails half of the time does more harm by being asked than by being left alone. */
export const BREAKER: BreakerOptions = { threshold: 0.5, calls: 50, minCalls: 20, halfOpenAfterMs: 5_000 };

/** Statuses of an upstream that is in trouble. */
const FAILING = new Set([500, 502, 503, 504]);

/** End of a call: the status of its answer, or the reason why there is none; null when it was given up, which says nothing. */
export type CallEnd = number | TransportError | null;

/** The last calls, as a ring: whether each failed. */
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

  /** Whether more than this share of them failed; false for fewer calls than `minCalls`. */
  failMoreThan(share: number, minCalls: number): boolean {
    return this.#failed.length >= minCalls && this.#failures > share * this.#failed.length;
  }
}

/**
 * Circuit breaker: opens when too many of the last calls failed, and lets a single call try after a while. Ours, since a package's policy would wrap each
 * call in promises of its own, let callers wait for the call that tries, and could not be told that this call was given up.
 */
class Breaker {
  readonly #options: BreakerOptions;
  readonly #recent: RecentCalls;
  readonly #clock: Clock;
  #isOpen = false;
  /** How long nothing is sent, since it opened. */
  #rest = ENDED;
  /** Call that tries. */
  #trial: object | null = null;

  constructor(options: BreakerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#recent = new RecentCalls(options.calls);
  }

  /** Whether it has opened, and no call has succeeded since. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it lets nothing pass now: it is open, or one call tries. */
  get isRejecting(): boolean {
    return this.#isOpen && (this.#trial !== null || msLeftOf(this.#rest, this.#clock.monotonicMs()) > 0);
  }

  begin(call: object): void {
    if (this.#isOpen) this.#trial = call;
  }

  /** `isFailure` is null when nothing is known: then the next call tries. */
  end(call: object, isFailure: boolean | null): void {
    const isTrial = this.#trial === call;
    if (isTrial) this.#trial = null;
    if (isFailure === null) return;
    if (isTrial && !isFailure) {
      this.#isOpen = false;
      this.#recent.clear();
    }
    this.#recent.add(isFailure);
    const { threshold, minCalls, halfOpenAfterMs } = this.#options;
    const opens = isTrial ? isFailure : isFailure && !this.#isOpen && this.#recent.failMoreThan(threshold, minCalls);
    if (!opens) return;
    this.#isOpen = true;
    this.#rest = spanOf(this.#clock.monotonicMs(), halfOpenAfterMs);
  }
}

/** A connection could not be made: what a service does comes after that. */
const isUnreachable = (end: number | TransportError) => typeof end !== 'number' && !end.isSent;

const isFailing = (end: number | TransportError) => typeof end !== 'number' || FAILING.has(end);

/**
 * Breakers: they keep calls from an upstream that is down. The breaker of the origin counts connections that could not be made, that of each service counts
 * all failures; so a service that fails does not keep calls from the others, however many of the calls are its own. Reads that take much work have a breaker of their own.
 */
export class Breakers {
  readonly #options: BreakerOptions | null;
  readonly #clock: Clock;
  readonly #origin: Breaker;
  readonly #services = new Map<string, Breaker>();

  /** Null switches them off. */
  constructor(options: BreakerOptions | null, clock: Clock = systemClock) {
    this.#options = options;
    this.#clock = clock;
    this.#origin = new Breaker(options ?? BREAKER, clock);
  }

  /** Whether the call may not be sent now. */
  isRejecting(operation: AnyOperation): boolean {
    return this.#options !== null && (this.#origin.isRejecting || this.#of(operation, this.#options).isRejecting);
  }

  /** Fails with NotSentError when the call may not be sent now. */
  check(operation: AnyOperation): void {
    if (!this.isRejecting(operation)) return;
    throw new NotSentError('the circuit breaker is open after repeated failures of the Workspace API.');
  }

  /** Whether each breaker is open, by its service; that of the whole upstream is `all`. */
  *states(): Iterable<readonly [service: string, isOpen: boolean]> {
    if (!this.#options) return;
    yield ['all', this.#origin.isOpen];
    for (const [service, { isOpen }] of this.#services) yield [service, isOpen];
  }

  /** Begins a call, which is to `end`. The breaker must not be shut, in the same tick. */
  begin(operation: AnyOperation, call: object): void {
    if (!this.#options) return;
    this.#origin.begin(call);
    this.#of(operation, this.#options).begin(call);
  }

  /** Ends a call that began. */
  end(operation: AnyOperation, call: object, end: CallEnd): void {
    if (!this.#options) return;
    this.#origin.end(call, end === null ? null : isUnreachable(end));
    this.#of(operation, this.#options).end(call, end === null ? null : isFailing(end));
  }

  #of(operation: AnyOperation, options: BreakerOptions): Breaker {
    const name = serviceOf(operation);
    let breaker = this.#services.get(name);
    if (!breaker) {
      breaker = new Breaker(options, this.#clock);
      this.#services.set(name, breaker);
    }
    return breaker;
  }
}
