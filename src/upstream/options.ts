import type { Clock } from '../lib/clock.ts';
import type { CallMeter } from './calls/callMeter.ts';
import type { PauseOptions, RetryBudgetOptions } from './calls/retry.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { Overlay } from './contract/overlay.ts';
import type { BreakerOptions } from './traffic/breaker.ts';
import type { SessionTrace } from './traffic/callTrace.ts';
import type { PermitLimits } from './traffic/permits.ts';
import type { Quota } from './traffic/quota.ts';
import type { Transport } from './transport/transport.ts';

/** Calls under way where nothing else is said: the default of UPSTREAM_CONNECTIONS. */
export const CALLS_AT_A_TIME = 128;

/** Parts and limits of an upstream, from the settings. */
export interface UpstreamOptions extends PauseOptions {
  readonly transport: Transport;
  /** How long a call may take, with its resends and all waits. */
  readonly timeoutMs: number;
  /** The same for a read that takes much work; without it, `timeoutMs`. */
  readonly expensiveTimeoutMs?: number;
  /** Told of every call to an operation whose end the upstream announces. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  /** Without it, the clocks of this machine. */
  readonly clock?: Clock;
  /** Calls that one request may make, so that no document uses up the key's quota. */
  readonly callsPerRequest: number;
  /** Calls that may be under way; without them, 128 in all. */
  readonly permits?: PermitLimits;
  /** When the upstream is left alone. Null switches that off. */
  readonly breaker?: BreakerOptions | null;
  /** How many calls may be sent again; without it, `RETRY_BUDGET`. */
  readonly retryBudget?: RetryBudgetOptions;
  /** Quotas of the keys; without them, those that this process learns. */
  readonly quota?: Quota;
  /** How long answers to reads are kept, per key; without it, they are not. */
  readonly readCacheMs?: number;
  /** Corrections of the contract for this upstream; without it, the contract holds. */
  readonly overlay?: Overlay;
  /** Whether pages of a list may stand for calls by id, which is the default. */
  readonly hasListBatching?: boolean;
  /** Told of a list that does not show the records that its contract says it shows. */
  readonly onPartialRows?: (list: string) => void;
  /** Told once of each member of an answer that differs from the contract, by its coordinate and the kind of difference. */
  readonly onDrift?: (coordinate: string, kind: string) => void;
  /** Whether records keep the JSON that they were decoded from, for `upstreamRecord`. Defaults to false. */
  readonly keepsRaw?: boolean;
  /** Measures the calls; without it, nothing is measured. */
  readonly meter?: CallMeter;
  /** Trace of the request that is being answered, for calls which serve others as well; without it, those are in no trace. */
  readonly currentTrace?: () => SessionTrace | null;
}

/** State of the traffic to the upstream at a moment, of all keys together. */
export interface UpstreamLoad {
  /** Calls that wait for a permit. */
  readonly queueLength: number;
  /** The fewest calls that any key has left in its window; null while nothing is known. */
  readonly leastRemaining: number | null;
  /** Whether each breaker is open, by its service; that of the whole upstream is `all`. */
  readonly breakers: Iterable<readonly [service: string, isOpen: boolean]>;
}

/** Time limit of a call, in milliseconds. */
export const timeoutOf = ({ effect }: AnyOperation, { timeoutMs, expensiveTimeoutMs = timeoutMs }: UpstreamOptions): number =>
  effect === 'EXPENSIVE_READ' ? expensiveTimeoutMs : timeoutMs;
