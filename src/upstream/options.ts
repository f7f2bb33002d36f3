import { UnauthenticatedError } from '../failures/failures.ts';
import type { Clock } from '../lib/clock.ts';
import type { CallMeter, OnFailure } from './calls/callMeter.ts';
import type { PauseOptions, RetryBudgetOptions } from './calls/retry.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { Overlay } from './contract/overlay.ts';
import type { BreakerOptions } from './traffic/breaker.ts';
import type { SessionTrace } from './traffic/callTrace.ts';
import type { PermitLimits } from './traffic/permits.ts';
import type { Quota } from './traffic/quota.ts';
import type { Transport } from './transport/transport.ts';

/** Default maximum of calls in flight, also of UPSTREAM_CONNECTIONS. */
export const DEFAULT_MAX_CALLS_IN_FLIGHT = 128;

/** Dependencies and limits of an upstream. */
export interface UpstreamOptions extends PauseOptions {
  readonly transport: Transport;
  /** Time limit of a call, including retries and all waits, in milliseconds. */
  readonly timeoutMs: number;
  /** Time limit of an analytics query. Defaults to `timeoutMs`. */
  readonly expensiveTimeoutMs?: number;
  /** Called for each call to an operation whose response has a `Deprecation` header. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  readonly onFailure?: OnFailure;
  /** Defaults to the clocks of this machine. */
  readonly clock?: Clock;
  /** Maximum number of calls per request, so that no operation exhausts the key's quota. */
  readonly callsPerRequest: number;
  /** Limits of calls in flight. Derived from 128 calls by default. */
  readonly permits?: PermitLimits;
  /** Limits of the circuit breakers. Null disables them. Defaults to `BREAKER`. */
  readonly breaker?: BreakerOptions | null;
  /** Limits of retries. Defaults to `RETRY_BUDGET`. */
  readonly retryBudget?: RetryBudgetOptions;
  /** Quotas of the keys. Defaults to quotas that this process learns on its own. */
  readonly quota?: Quota;
  /** How long responses to reads are cached per key, in milliseconds. Defaults to 0, which disables the cache. */
  readonly readCacheMs?: number;
  /** Corrections of the contract for this upstream. Defaults to none. */
  readonly overlay?: Overlay;
  /** Whether pages of a list can replace gets by ID. Defaults to true. */
  readonly hasListBatching?: boolean;
  /** Called for a list whose rows differ from what the contract says they equal. */
  readonly onPartialRows?: (list: string) => void;
  /** Whether rows of analytics indexes can replace records. Defaults to true. */
  readonly hasIndexRows?: boolean;
  /** Called once for each difference between a response and the contract, with the member's coordinate and the kind of difference. */
  readonly onDrift?: (coordinate: string, kind: string) => void;
  /** Message of the error for a request without a credential. Defaults to `Missing API key.` */
  readonly missingCredential?: string;
  /** Records metrics of the calls. Defaults to none. */
  readonly meter?: CallMeter;
  /** Returns the trace of the current request, for calls that serve other requests as well. Without it, those calls belong to no trace. */
  readonly currentTrace?: () => SessionTrace | null;
}

/** Snapshot of the traffic to the upstream, for all keys together. */
export interface UpstreamLoad {
  /** Number of calls that wait for a permit. */
  readonly queueLength: number;
  /** Lowest number of calls that any key has left in its quota window. Null if no quota is known. */
  readonly lowestRemaining: number | null;
  /** Whether each breaker is open, by service. `all` is the breaker of the whole upstream. */
  readonly breakers: Iterable<readonly [service: string, isOpen: boolean]>;
}

/** Returns the time limit of a call, in milliseconds. */
export const getTimeoutMs = ({ effect }: AnyOperation, { timeoutMs, expensiveTimeoutMs = timeoutMs }: UpstreamOptions): number =>
  effect === 'EXPENSIVE_READ' ? expensiveTimeoutMs : timeoutMs;

/** Creates the error for a request without a credential. */
export const createMissingCredentialError = ({ missingCredential = 'Missing API key.' }: UpstreamOptions): UnauthenticatedError =>
  new UnauthenticatedError(missingCredential);
