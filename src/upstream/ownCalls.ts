// Calls that no request asks for, and none pays for.

import { randomUUID } from 'node:crypto';
import { ForbiddenError, UpstreamUnavailableError } from '../failures/failures.ts';
import { keyHashOf } from '../lib/keyHash.ts';
import { grantsIn, UNTOLD } from './access/grants.ts';
import { createCall, type Send } from './calls/call.ts';
import { Me } from './contract/generated/operations.ts';
import type { AnyOperation } from './contract/operation.ts';
import type { BreakerCall, Breakers, CallEnd } from './traffic/breakers.ts';
import { CallBudget } from './traffic/callBudget.ts';
import type { SessionTrace } from './traffic/callTrace.ts';
import { type Transport, TransportError } from './transport/transport.ts';

interface ProbeOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
}

/** An operation whose responses aren't decoded: where `Me` returns the scopes of a key isn't documented, so they're looked for in its JSON. */
export const undecoded = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  decode: (json) => json,
  isUndocumented: true,
});

/**
 * Asks for the grants of a key. No request pays for it, since the answer serves all requests of the key. So it carries no caller's `traceparent`; `trace` is
 * that of the request which asks first.
 */
export async function askGrants(
  send: Send,
  me: AnyOperation,
  timeoutMs: number,
  apiKey: string,
  trace: SessionTrace | null,
): Promise<ReturnType<typeof grantsIn>> {
  const budget = new CallBudget(Number.POSITIVE_INFINITY);
  const origin = { apiKey, keyHash: keyHashOf(apiKey), requestId: randomUUID(), traceparent: null, trace, budget };
  const call = createCall({ operation: me, request: {}, body: '{}', timeoutMs }, origin);
  call.trace = trace?.call(me) ?? null;
  try {
    return grantsIn(await send(call));
  } catch (error) {
    // The key is good, but may not ask: `Me` needs a scope of its own.
    if (error instanceof ForbiddenError && error.reason !== 'ADDRESS') return UNTOLD;
    throw error;
  }
}

/** Asks with a key that is none, to see whether an answer comes. */
export async function probe({ transport, timeoutMs }: ProbeOptions, { path }: AnyOperation, breakers: Breakers): Promise<void> {
  const call: BreakerCall = { operation: Me, keyHash: 'probe', timeoutMs };
  breakers.check(call);
  const request = { path, apiKey: 'probe', body: '{}', requestId: randomUUID(), timeoutMs };
  let end: CallEnd = null;
  breakers.begin(call);
  try {
    end = (await transport.send(request)).status;
  } catch (error) {
    if (error instanceof TransportError) end = error;
    throw new UpstreamUnavailableError(error);
  } finally {
    breakers.end(call, end, timeoutMs);
  }
  if (end >= 500) throw new UpstreamUnavailableError();
}
