// The graph's own calls, which aren't charged to any request.

import { randomUUID } from 'node:crypto';
import { ForbiddenError, UpstreamUnavailableError } from '../failures/failures.ts';
import { parseGrants, UNREADABLE_GRANTS } from './access/grants.ts';
import { type Call, createCall } from './calls/call.ts';
import { createLostFailure, createResponseFailure, type OnFailure } from './calls/callMeter.ts';
import { Requester, type RequesterOptions } from './calls/requester.ts';
import { Me } from './contract/generated/operations.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { BreakerCall, Breakers, CallEnd } from './traffic/breakers.ts';
import { type Transport, TransportError } from './transport/transport.ts';

interface ProbeOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly onFailure?: OnFailure;
}

/**
 * Returns the operation without decoding of its responses. It isn't documented where `Me` returns the scopes of a key, so they are searched for in its JSON.
 */
export const disableDecoding = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  decode: (json) => json,
  isUndocumented: true,
});

/**
 * Fetches the grants of a key. The call isn't charged to a request and has no client's `traceparent`, because all requests of the key use the result. `trace`
 * belongs to the first request that needs it.
 */
export async function fetchGrants(
  send: (call: Call) => Promise<object>,
  me: AnyOperation,
  timeoutMs: number,
  { key, apiKey, quota, trace }: Pick<RequesterOptions, 'key' | 'apiKey' | 'quota' | 'trace'>,
): Promise<ReturnType<typeof parseGrants>> {
  const maxCalls = Number.POSITIVE_INFINITY;
  const requester = new Requester({ key, apiKey, quota, trace, maxCalls, requestId: randomUUID(), traceparent: null });
  const call = createCall({ operation: me, request: {}, body: '{}', timeoutMs }, requester);
  call.trace = trace?.createCallTrace(me) ?? null;
  try {
    return parseGrants(await send(call));
  } catch (error) {
    // The key is valid, but lacks the scope that `Me` requires.
    if (error instanceof ForbiddenError && error.reason !== 'ADDRESS') return UNREADABLE_GRANTS;
    throw error;
  }
}

/**
 * Checks with an invalid API key whether the upstream responds. Throws UpstreamUnavailableError if it's unreachable or responds with a 5xx status, and
 * NotSentError if a circuit breaker is open.
 */
export async function probe({ transport, timeoutMs, onFailure }: ProbeOptions, { path }: AnyOperation, breakers: Breakers): Promise<void> {
  const call: BreakerCall = { operation: Me, key: { hash: 'probe' }, breakers: null, timeoutMs };
  breakers.check(call);
  const request = { path, apiKey: 'probe', body: '{}', requestId: randomUUID(), timeoutMs };
  let end: CallEnd = null;
  breakers.begin(call);
  try {
    end = (await transport.send(request)).status;
  } catch (error) {
    if (error instanceof TransportError) {
      end = error;
      onFailure?.(createLostFailure(Me, error));
    }
    throw new UpstreamUnavailableError(error);
  } finally {
    breakers.end(call, end, timeoutMs);
  }
  if (end < 500) return;
  onFailure?.(createResponseFailure(Me, end));
  throw new UpstreamUnavailableError();
}
