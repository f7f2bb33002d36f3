import type { AnyOperation } from '../contract/operation.ts';
import { type Transport, TransportError, type UpstreamRequest } from '../transport/transport.ts';

/** Outcome of an attempt, as a label value of metrics. */
export type AttemptOutcome = 'ok' | 'rejected' | 'rate_limited' | 'failed' | 'timeout' | 'unreachable' | 'lost' | 'canceled';

export const UNSENT_REASONS = ['breaker', 'queue', 'quota', 'canceled'] as const;

/** Why a call or a retry wasn't sent. */
export type UnsentReason = (typeof UNSENT_REASONS)[number];

/** Records metrics of the calls to the upstream. */
export interface CallMeter {
  /** Called when an attempt has ended, including retries and the graph's own calls. */
  onSent(operation: string, outcome: AttemptOutcome, seconds: number): void;
  /** Called when a retry is sent. */
  onRetry(): void;
  /** Called when a call or a retry isn't sent although it fits its request's budget. */
  onUnsent(reason: UnsentReason): void;
  /** Called when a read joins an identical one in flight. */
  onCoalesced(): void;
}

/** Returns the outcome of an attempt with a response. */
function classifyStatus(status: number): AttemptOutcome {
  if (status < 300) return 'ok';
  if (status === 429) return 'rate_limited';
  // The upstream, or a proxy in front of it, didn't finish in time.
  return status < 500 && status !== 408 ? 'rejected' : 'failed';
}

/** Returns the outcome of an attempt without a response. */
function classifyFailure(error: TransportError): AttemptOutcome {
  if (error.isTimeout) return 'timeout';
  if (error.isAbandoned) return 'canceled';
  return error.isSent ? 'lost' : 'unreachable';
}

/** Wraps a transport to measure every attempt, including the graph's own calls. */
export function meterTransport(transport: Transport, operations: Iterable<AnyOperation>, meter: CallMeter): Transport {
  const names = new Map([...operations].map(({ path, name }) => [path, name]));
  const send = async (request: UpstreamRequest) => {
    const startedAt = performance.now();
    let outcome: AttemptOutcome = 'failed';
    try {
      const response = await transport.send(request);
      outcome = classifyStatus(response.status);
      return response;
    } catch (error) {
      if (error instanceof TransportError) outcome = classifyFailure(error);
      throw error;
    } finally {
      meter.onSent(names.get(request.path) ?? 'other', outcome, (performance.now() - startedAt) / 1000);
    }
  };
  return { send, close: () => transport.close() };
}

/** A failure that the upstream or the connection to it caused, rather than the client. */
export interface CallFailure {
  /** Name of the upstream operation. */
  readonly operation: string;
  /** The outcome of the attempt, or why it wasn't sent. `invalid`: the response has a success status, but can't be used. `foreign`: it may be a proxy's. */
  readonly failure: AttemptOutcome | UnsentReason | 'invalid' | 'foreign';
  /** Status of the response. Undefined if no response arrived. */
  readonly status?: number;
  /** Why a sent attempt has no response. */
  readonly error?: TransportError;
}

/** Called for each attempt that fails because of the upstream, and for each that isn't sent because of it. */
export type OnFailure = (failure: CallFailure) => void;

export const createLostFailure = ({ name }: AnyOperation, error: TransportError): CallFailure => ({
  operation: name,
  failure: classifyFailure(error),
  error,
});

export function createResponseFailure({ name }: AnyOperation, status: number, isForeign = false): CallFailure {
  const outcome = classifyStatus(status);
  const failure = outcome === 'ok' ? 'invalid' : outcome;
  return { operation: name, failure: isForeign ? 'foreign' : failure, status };
}
