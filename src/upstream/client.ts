import { randomUUID } from 'node:crypto';
import { ForbiddenError, UpstreamUnavailableError } from '../failures/failures.ts';
import { systemClock } from '../lib/clock.ts';
import { hashApiKey } from '../lib/keyHash.ts';
import type { Credential } from './access/credential.ts';
import { GrantCache, parseGrants, UNREADABLE_GRANTS } from './access/grants.ts';
import { type Call, createCall } from './calls/call.ts';
import { createLostFailure, createResponseFailure, meterTransport, type OnFailure } from './calls/callMeter.ts';
import { CallPipeline } from './calls/callPipeline.ts';
import { Keys } from './calls/key.ts';
import { ReadCoalescer } from './calls/readCoalescer.ts';
import { Requester, type RequesterOptions } from './calls/requester.ts';
import { Pauses, RetryBudget } from './calls/retry.ts';
import { Contract } from './contract/contract.ts';
import { Me, operations } from './contract/generated/operations.ts';
import type { AnyOperation } from './contract/operation.ts';
import { DEFAULT_MAX_CALLS_IN_FLIGHT, type UpstreamLoad, type UpstreamOptions } from './options.ts';
import { Session, type SessionOptions, type UpstreamParts } from './session.ts';
import { BREAKER, type BreakerCall, Breakers, type CallEnd } from './traffic/breakers.ts';
import { DriftWatch } from './traffic/driftWatch.ts';
import { derivePermitLimits, Permits } from './traffic/permits.ts';
import { findLowestRemaining, MemoryQuota } from './traffic/quota.ts';
import type { Sender } from './traffic/senders.ts';
import { Turns } from './traffic/turns.ts';
import { type Transport, TransportError } from './transport/transport.ts';

interface ProbeOptions {
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly onFailure?: OnFailure;
}

/**
 * Returns the operation without decoding of its responses. It isn't documented where `Me` returns the scopes of a key, so they are searched for in its JSON.
 */
const disableDecoding = (operation: AnyOperation): AnyOperation => ({
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

/** The upstream API, shared by all requests. */
export interface Upstream {
  /** The contract with this upstream's deviations applied. */
  readonly contract: Contract;
  /** How often each difference between sampled responses and the contract was seen, by coordinate and kind. */
  readonly drifts: ReadonlyMap<string, number>;
  /** Returns a snapshot of the traffic. Iterates over all keys. */
  load(): UpstreamLoad;
  /** Opens the session of one request, until its `finish`. `credential` is null if the client sent none. */
  openSession(credential: Credential | null, requestId: string, options?: SessionOptions): Session;
  /** The sender of requests with a credential, or without one. */
  getSender(credential: Pick<Credential, 'keyHash'> | null): Sender;
  /** Waits for a turn of the event loop to do work of a sender, in values of responses that take as long. Undefined if it can start immediately. */
  waitToWork(sender: Sender, work: number): Promise<void> | undefined;
  /** Checks whether the upstream responds; client errors are fine. Rejects if it's unreachable or failing, or if a circuit breaker is open. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the upstream. Closing it also closes its transport. */
export function createUpstream(settings: UpstreamOptions): Upstream {
  const { meter, readCacheMs = 0 } = settings;
  const options = meter ? { ...settings, transport: meterTransport(settings.transport, operations, meter) } : settings;
  const { transport, clock = systemClock, timeoutMs, breaker = BREAKER, onDeprecated, onFailure, currentTrace } = options;
  const quota = options.quota ?? new MemoryQuota(clock);
  const permits = new Permits(options.permits ?? derivePermitLimits(DEFAULT_MAX_CALLS_IN_FLIGHT));
  const breakers = new Breakers(breaker, clock);
  const pauses = new Pauses(options);
  const drift = new DriftWatch(options.onDrift);
  const turns = new Turns();
  const reads = new ReadCoalescer({ permits, turns, cacheMs: readCacheMs, clock, ...(meter && { meter }) });
  const keys = new Keys({ isWorthKeeping: (key) => quota.getBlockedMs(key) > 0, onEvict: (key) => reads.forget(key) });
  const contract = new Contract(options.overlay);
  const me = disableDecoding(contract.getOperation(Me));
  const pipeline = new CallPipeline({
    transport,
    clock,
    quota,
    permits,
    breakers,
    pauses,
    reads,
    turns,
    drift,
    retryBudget: new RetryBudget(options.retryBudget),
    onInvalidKey: (key) => {
      grants.forget(key);
      reads.forget(key);
    },
    ...(onDeprecated && { onDeprecated }),
    ...(onFailure && { onFailure }),
    ...(meter && { meter }),
  });
  const grants = new GrantCache((apiKey) => {
    const key = keys.get(hashApiKey(apiKey));
    return fetchGrants(pipeline.sendOwn, me, timeoutMs, { key, apiKey, quota, trace: currentTrace?.() ?? null });
  }, clock);
  const parts: UpstreamParts = { options, contract, keys, grants, quota, pipeline, reads, turns };
  return {
    contract,
    drifts: drift.counts,
    load: () => ({
      queueLength: permits.waiting,
      lowestRemaining: findLowestRemaining(keys, clock),
      breakers: breakers.getStates(),
    }),
    openSession: (credential, requestId, options) => new Session(parts, credential, requestId, options),
    getSender: (credential) => keys.getSender(credential?.keyHash ?? null),
    waitToWork: (sender, work) => turns.waitToWork(sender, work),
    probe: () => probe(options, me, breakers),
    close: async () => {
      const closed = transport.close();
      pauses.close();
      await closed;
      await quota.close();
    },
  };
}
