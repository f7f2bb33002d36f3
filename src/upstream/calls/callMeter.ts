import type { AnyOperation } from '../contract/operation.ts';
import { type Transport, TransportError, type UpstreamRequest } from '../transport/transport.ts';

/** End of a sending, in the few words that metrics are labelled with. */
export type SendingOutcome = 'ok' | 'rejected' | 'rate_limited' | 'failed' | 'timeout' | 'unreachable' | 'lost' | 'canceled';

export const UNSENT_REASONS = ['breaker', 'queue', 'quota', 'canceled'] as const;

/** Reason why a call or a retry wasn't sent. */
export type UnsentReason = (typeof UNSENT_REASONS)[number];

/** Meter of the calls to the upstream, told of each as it ends. */
export interface CallMeter {
  /** A sending has ended: each resend is one, and so are the graph's own calls. */
  onSent(operation: string, outcome: SendingOutcome, seconds: number): void;
  /** A sending began that repeats one. */
  onRetry(): void;
  /** A call was not sent, or not sent again, though its request may make it. */
  onUnsent(reason: UnsentReason): void;
  /** A read was not sent, since one that asks the same is under way. */
  onShared(): void;
}

function outcomeOf(status: number): SendingOutcome {
  if (status < 300) return 'ok';
  if (status === 429) return 'rate_limited';
  return status < 500 ? 'rejected' : 'failed';
}

function outcomeOfFailure(error: unknown): SendingOutcome {
  if (!(error instanceof TransportError)) return 'failed';
  if (error.isTimeout) return 'timeout';
  if (error.isAbandoned) return 'canceled';
  return error.isSent ? 'lost' : 'unreachable';
}

/** A transport whose sendings are measured. Around the transport, so that the graph's own calls count, too. */
export function meteredTransport(transport: Transport, operations: Iterable<AnyOperation>, meter: CallMeter): Transport {
  const names = new Map([...operations].map(({ path, name }) => [path, name]));
  const send = async (request: UpstreamRequest) => {
    const startedAt = performance.now();
    let outcome: SendingOutcome = 'failed';
    try {
      const answer = await transport.send(request);
      outcome = outcomeOf(answer.status);
      return answer;
    } catch (error) {
      outcome = outcomeOfFailure(error);
      throw error;
    } finally {
      meter.onSent(names.get(request.path) ?? 'other', outcome, (performance.now() - startedAt) / 1000);
    }
  };
  return { send, close: () => transport.close() };
}
