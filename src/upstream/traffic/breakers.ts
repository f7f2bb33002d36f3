import { NotSentError } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { TransportError } from '../transport/transport.ts';
import { Breaker, type BreakerOptions, Sources } from './breaker.ts';
import { getTrafficService } from './permits.ts';

/** Default limits. Chosen: sending more calls to a service that fails half of them does more harm than rejecting them. */
export const BREAKER: BreakerOptions = { threshold: 0.5, calls: 50, minCalls: 20, halfOpenAfterMs: 5_000 };

/**
 * Fraction of its configured timeout that a call must have had for its timeout to count as a failure. Calls that waited longer before they were sent
 * say more about their queue than about the upstream. Less than 1, because looking up the key's scopes also takes time.
 */
const FAIR_SHARE = 0.9;
/** Minimum number of failing API keys to block a service for all keys, and of failing operations to block all operations for a key. */
const MIN_KEYS = 2;
const MIN_OPERATIONS = 2;
/** Failing API keys that are tracked per service; least recently used are evicted. Chosen. */
const MAX_KEYS = 100;
/** Trials of a blocked service are this many times as frequent as those of a blocked key, so that a failing key isn't always the one that tries. */
const TRIALS_PER_KEY_TRIAL = 5;

/** Statuses that count as a failure of the upstream. */
const FAILING = new Set([408, 500, 502, 503, 504]);
/** The key was rejected before the call reached the service. */
const UNAUTHENTICATED = 401;

/** Outcome of a call: the status of its response, or the error if it received none. Null if the call was canceled. */
export type CallEnd = number | TransportError | null;

interface CallSource {
  readonly operation: AnyOperation;
  /** The breakers of its service. Null before they are looked up. */
  breakers: ServiceBreakers | null;
  readonly key: object;
}

/** Properties of a call that the breakers need. */
export interface BreakerCall extends CallSource {
  /** Configured timeout, which includes the time in the queue. */
  readonly timeoutMs: number;
}

/** Whether the connection failed, so the service never received the call. */
const isUnreachable = (end: number | TransportError) => typeof end !== 'number' && !end.isSent;

const isFailing = (end: number | TransportError) => typeof end !== 'number' || FAILING.has(end);

const isTimeout = (end: number | TransportError) => typeof end !== 'number' && end.isTimeout;

const always = () => true;

/** Breakers of an API key for which a service has failed. */
class KeyBreakers {
  readonly #options: BreakerOptions;
  readonly #clock: Clock;
  readonly #all: Breaker;
  /** By operation name. Operations without a failed call have none. */
  readonly #operations = new Map<string, Breaker>();

  constructor(options: BreakerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#all = new Breaker(options, clock);
  }

  get isOpen(): boolean {
    return this.#all.isOpen || [...this.#operations.values()].some(({ isOpen }) => isOpen);
  }

  isRejecting({ name }: AnyOperation): boolean {
    return this.#all.isRejecting || this.#operations.get(name)?.isRejecting === true;
  }

  begin(call: BreakerCall): void {
    this.#all.begin(call);
    this.#operations.get(call.operation.name)?.begin(call);
  }

  end(call: BreakerCall, isFailure: boolean | null, doOperationsFail: () => boolean): void {
    const { name } = call.operation;
    if (isFailure && !this.#operations.has(name)) this.#operations.set(name, new Breaker(this.#options, this.#clock));
    this.#operations.get(name)?.end(call, isFailure, always);
    this.#all.end(call, isFailure, doOperationsFail);
  }
}

/**
 * Breakers of a service, at three levels: for one operation with one API key, for all operations with one key, and for all keys. Each counts the calls
 * that it would block. The second only opens if most of the operations in use fail, the third only if most of the keys in use do as well. A single
 * key or operation therefore doesn't block a service for others, and a service with a single key is still blocked when it's down.
 */
class ServiceBreakers {
  readonly #options: BreakerOptions;
  readonly #clock: Clock;
  readonly #breaker: Breaker;
  readonly #byKey = new BoundedCache<KeyBreakers, object>({ entries: MAX_KEYS });
  readonly #keys: Sources;
  readonly #operations: Sources;
  #running = 0;
  /** When the last response arrived, or the first of the running calls was sent if that was later. On the monotonic clock. */
  #silentSince = 0;

  constructor(options: BreakerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#breaker = new Breaker(options, clock, options.halfOpenAfterMs / TRIALS_PER_KEY_TRIAL);
    this.#keys = new Sources(clock);
    this.#operations = new Sources(clock);
  }

  get isOpen(): boolean {
    return this.#breaker.isOpen || [...this.#byKey.values()].some(({ isOpen }) => isOpen);
  }

  isRejecting({ key, operation }: CallSource): boolean {
    return this.#breaker.isRejecting || this.#byKey.get(key)?.isRejecting(operation) === true;
  }

  begin(call: BreakerCall): void {
    if (this.#running === 0) this.#silentSince = this.#clock.monotonicMs();
    this.#running += 1;
    this.#breaker.begin(call);
    this.#byKey.get(call.key)?.begin(call);
  }

  /** Whether the service had its full time for a call that was sent with the timeout `grantedMs`, or hasn't responded to any call for as long. */
  hadFullTime({ timeoutMs }: BreakerCall, grantedMs: number): boolean {
    return grantedMs >= FAIR_SHARE * timeoutMs || this.#clock.monotonicMs() - this.#silentSince >= timeoutMs;
  }

  end(call: BreakerCall, hasResponse: boolean, isFailure: boolean | null): void {
    const { key, operation } = call;
    const { threshold } = this.#options;
    this.#running -= 1;
    if (hasResponse) this.#silentSince = this.#clock.monotonicMs();
    if (isFailure !== null) {
      this.#keys.add(key, isFailure);
      this.#operations.add(operation, isFailure);
    }
    this.#getKeyBreakers(key, isFailure === true)?.end(call, isFailure, () => this.#operations.failMoreThan(threshold, MIN_OPERATIONS));
    this.#breaker.end(call, isFailure, () => this.#operations.failMoreThan(threshold, 1) && this.#keys.failMoreThan(threshold, MIN_KEYS));
  }

  #getKeyBreakers(key: object, isFailure: boolean): KeyBreakers | undefined {
    const known = this.#byKey.get(key);
    if (known || !isFailure) return known;
    const breakers = new KeyBreakers(this.#options, this.#clock);
    this.#byKey.set(key, breakers);
    return breakers;
  }
}

/**
 * Circuit breakers, which stop calls to an upstream that is down. The origin's breaker only counts failed connections, so that a failing service never blocks
 * others, regardless of its share of the calls. Each service has its own breakers; analytics queries count as a separate service.
 */
export class Breakers {
  readonly #options: BreakerOptions | null;
  readonly #clock: Clock;
  readonly #origin: Breaker;
  readonly #services = new Map<string, ServiceBreakers>();

  /** Null disables the breakers. */
  constructor(options: BreakerOptions | null, clock: Clock = systemClock) {
    this.#options = options;
    this.#clock = clock;
    this.#origin = new Breaker(options ?? BREAKER, clock);
  }

  /** Whether the call must not be sent now. */
  isRejecting(call: CallSource): boolean {
    return this.#options !== null && (this.#origin.isRejecting || this.#getService(call, this.#options).isRejecting(call));
  }

  /** Throws NotSentError if the call must not be sent now. */
  check(call: CallSource): void {
    if (!this.isRejecting(call)) return;
    throw new NotSentError('the circuit breaker is open after repeated failures of the Workspace API.');
  }

  /** Whether each service's breakers are open, for at least one key. `all` is the origin's breaker. */
  *getStates(): Iterable<readonly [service: string, isOpen: boolean]> {
    if (!this.#options) return;
    yield ['all', this.#origin.isOpen];
    for (const [service, { isOpen }] of this.#services) yield [service, isOpen];
  }

  /** Records a call that is about to be sent. Must be called in the same tick as the check. */
  begin(call: BreakerCall): void {
    if (!this.#options) return;
    this.#origin.begin(call);
    this.#getService(call, this.#options).begin(call);
  }

  /** Records the outcome of a call after `begin`. `grantedMs` is the timeout that it was sent with. */
  end(call: BreakerCall, end: CallEnd, grantedMs: number): void {
    if (!this.#options) return;
    const service = this.#getService(call, this.#options);
    const outcome = end !== null && isTimeout(end) && !service.hadFullTime(call, grantedMs) ? null : end;
    this.#origin.end(call, outcome === null ? null : isUnreachable(outcome), always);
    service.end(call, typeof end === 'number', outcome === null || outcome === UNAUTHENTICATED ? null : isFailing(outcome));
  }

  #getService(call: CallSource, options: BreakerOptions): ServiceBreakers {
    call.breakers ??= this.#findService(call.operation, options);
    return call.breakers;
  }

  #findService(operation: AnyOperation, options: BreakerOptions): ServiceBreakers {
    const name = getTrafficService(operation);
    let service = this.#services.get(name);
    if (!service) {
      service = new ServiceBreakers(options, this.#clock);
      this.#services.set(name, service);
    }
    return service;
  }
}
