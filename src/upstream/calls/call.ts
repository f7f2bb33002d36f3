import type { Authorization } from '../access/authorization.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { BreakerCall } from '../traffic/breakers.ts';
import type { CallTrace } from '../traffic/callTrace.ts';
import type { PermitHolder } from '../traffic/permits.ts';
import type { Key } from './key.ts';
import type { CallFacts } from './outcomes.ts';
import type { Requester } from './requester.ts';

/** Error of a write in a rehearsal. Never returned to a client. */
export const REHEARSED = new Error('The write wasn’t sent, because this is a rehearsal.');

/** One upstream call, from the resolver that requests it to the response, including retries. */
export interface Call<Origin extends Requester = Requester> extends PermitHolder, BreakerCall, CallFacts {
  readonly operation: AnyOperation;
  readonly request: object;
  /** The request, serialized as JSON. */
  readonly body: string;
  /** Equal for reads with the same operation and request, which are coalesced. Empty for writes. */
  readonly requestKey: string;
  /** Maximum age of a cached response, in milliseconds. */
  readonly maxAgeMs: number;
  readonly key: Key;
  /** The request that issued the call. */
  readonly requester: Origin;
  /** Deadline for all attempts and waits together, on the `performance.now()` clock. */
  readonly deadline: number;
  /** Null if no spans are exported, and until the call is authorized. */
  trace: CallTrace | null;
  startedAt: number;
  requiredScopes: readonly string[];
  grantedScopes: ReadonlySet<string> | null;
  /** The request that the call is charged to: the requester, or another that waits for it after the requester disconnected. */
  chargedTo: Requester;
  queuedFor: Requester;
  /** Whether the call has been charged but not yet sent. */
  isCharged: boolean;
  /** Whether no request is waiting for the response anymore. */
  isAbandoned: boolean;
  /** Number of retries so far, including the one in progress. */
  retries: number;
  /** Whether the upstream may have received an attempt. */
  mayHaveArrived: boolean;
  /** When the last attempt was sent, on the monotonic clock. */
  sentAt: number;
  /** Length of the response's JSON, in characters. */
  responseLength: number;
}

/** A request whose calls must be authorized. */
export interface AuthorizedRequester extends Requester {
  readonly access: Authorization;
  /** Whether writes are rejected with `REHEARSED` instead of sent, after they have passed all checks. */
  readonly isRehearsal: boolean;
  /** Name of the operation that a rehearsal would have sent. Null before that. */
  rehearsed: string | null;
}

/** A call that a request issues. The others are the graph's own. */
export type RequestCall = Call<AuthorizedRequester>;

function stringField(request: object, field: string | undefined): string | null {
  const value = field && (request as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}

/** Content of a call, and its time limit. */
export interface CallContent {
  readonly operation: AnyOperation;
  readonly request: object;
  readonly body: string;
  readonly requestKey?: string;
  readonly maxAgeMs?: number | undefined;
  readonly timeoutMs: number;
}

/** Creates a call without sending it. Its deadline starts now. */
export function createCall<Origin extends Requester>(
  { operation, request, body, requestKey = '', maxAgeMs = Number.POSITIVE_INFINITY, timeoutMs }: CallContent,
  requester: Origin,
): Call<Origin> {
  return {
    operation,
    request,
    body,
    requestKey,
    maxAgeMs,
    apiKey: requester.apiKey,
    key: requester.key,
    requester,
    deadline: performance.now() + timeoutMs,
    timeoutMs,
    trace: null,
    startedAt: Date.now(),
    requiredScopes: operation.scopes,
    grantedScopes: null,
    idempotencyKey: stringField(request, operation.keyField),
    expectedVersion: stringField(request, operation.versionField),
    service: null,
    breakers: null,
    queuedFor: requester,
    chargedTo: requester,
    isCharged: false,
    isAbandoned: false,
    retries: 0,
    mayHaveArrived: false,
    sentAt: 0,
    responseLength: 0,
    wait: null,
  };
}

/** Milliseconds until the deadline of a call. */
export const getRemainingMs = ({ deadline }: Pick<Call, 'deadline'>): number => deadline - performance.now();
