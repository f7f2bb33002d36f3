import { type CircuitBreakerPolicy, CircuitState, CountBreaker, circuitBreaker, handleWhen, type Policy } from 'cockatiel';
import { NotSentError } from './errors.ts';
import type { AnyOperation } from './operation.ts';
import { serviceOf } from './slots.ts';
import { TransportError, type UpstreamAnswer } from './transport.ts';

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

/** A breaker that says whether it lets a call pass before it is asked to: cockatiel lets callers wait for the call that tries. */
class Breaker {
  readonly #policy: CircuitBreakerPolicy;
  readonly #halfOpenAfterMs: number;
  #openedAt = 0;

  constructor(failures: Policy, { threshold, calls, minCalls, halfOpenAfterMs }: BreakerOptions) {
    this.#halfOpenAfterMs = halfOpenAfterMs;
    this.#policy = circuitBreaker(failures, {
      halfOpenAfter: halfOpenAfterMs,
      breaker: new CountBreaker({ threshold, size: calls, minimumNumberOfCalls: minCalls }),
    });
    this.#policy.onBreak(() => {
      // The clock that cockatiel goes by.
      this.#openedAt = Date.now();
    });
  }

  /** Whether it lets nothing pass now: it is open, or one call tries. */
  get isShut(): boolean {
    const { state } = this.#policy;
    return state === CircuitState.HalfOpen || (state === CircuitState.Open && Date.now() - this.#openedAt < this.#halfOpenAfterMs);
  }

  run<Result>(act: () => Promise<Result>): Promise<Result> {
    return this.#policy.execute(act);
  }
}

/** A connection could not be made: what a service does comes after that. */
const isUnreachable = (error: unknown) => error instanceof TransportError && !error.isSent;

const isFailing = (answer: unknown) => FAILING.has((answer as UpstreamAnswer).status);

/**
 * Keeps calls from an upstream that is down: one breaker for the origin, which counts connections that could not be made, and one for each
 * service, which counts all failures. So a service that fails leaves the others alone, however many of the calls are its own.
 */
export class Breakers {
  readonly #options: BreakerOptions | null;
  readonly #origin: Breaker;
  readonly #services = new Map<string, Breaker>();

  /** Null switches them off. */
  constructor(options: BreakerOptions | null) {
    this.#options = options;
    this.#origin = new Breaker(handleWhen(isUnreachable), options ?? BREAKER);
  }

  /** Whether the call may not be sent now. */
  isShut(operation: AnyOperation): boolean {
    return this.#options !== null && (this.#origin.isShut || this.#of(operation, this.#options).isShut);
  }

  /** Fails with NotSentError when the call may not be sent now. */
  check(operation: AnyOperation): void {
    if (!this.isShut(operation)) return;
    throw new NotSentError(operation.name, 'the upstream has failed too often just now, and is left alone for some seconds.');
  }

  /** Sends a call, and counts what comes of it. It must not be shut, in the same tick. */
  run(operation: AnyOperation, send: () => Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    if (!this.#options) return send();
    const service = this.#of(operation, this.#options);
    return this.#origin.run(() => service.run(send));
  }

  #of(operation: AnyOperation, options: BreakerOptions): Breaker {
    const name = serviceOf(operation);
    let breaker = this.#services.get(name);
    if (!breaker) {
      breaker = new Breaker(handleWhen((error) => error instanceof TransportError).orWhenResult(isFailing), options);
      this.#services.set(name, breaker);
    }
    return breaker;
  }
}
