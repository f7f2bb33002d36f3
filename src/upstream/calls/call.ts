import type { Grants } from '../access/grants.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { CallBudget } from '../traffic/callBudget.ts';
import type { CallTrace, SessionTrace } from '../traffic/callTrace.ts';
import type { PermitHolder } from '../traffic/permits.ts';
import type { UpstreamResponse } from '../transport/transport.ts';
import type { CallFacts } from './outcomes.ts';

/** One upstream call, from the resolver that requests it to the response, including retries. */
export interface Call extends PermitHolder, CallFacts {
  readonly operation: AnyOperation;
  readonly request: object;
  /** The request, serialized as JSON. */
  readonly body: string;
  /** Equal for reads with the same operation and request, which are coalesced. Empty for writes. */
  readonly requestKey: string;
  /** Maximum age of a cached response, in milliseconds. */
  readonly maxAgeMs: number;
  readonly origin: CallOrigin;
  /** Call budget of the GraphQL request that issued the call. */
  readonly requester: CallBudget;
  /** Deadline for all attempts and waits together, on the `performance.now()` clock. */
  readonly deadline: number;
  /** Null if span export is disabled, and until the call is authorized. */
  trace: CallTrace | null;
  startedAt: number;
  requiredScopes: readonly string[];
  grantedScopes: ReadonlySet<string> | null;
  /** Budget that the call is charged to: the requester's, or that of another request waiting for it after the requester disconnected. */
  chargedTo: CallBudget;
  /** Whether the call has been charged but not yet sent. */
  isCharged: boolean;
  /** Whether no request is waiting for the response anymore. */
  isAbandoned: boolean;
  /** Number of retries so far, including the one in progress. */
  retries: number;
  /** When the last attempt was sent, on the monotonic clock. */
  sentAt: number;
  /** Length of the response's JSON, in characters. */
  responseLength: number;
}

/** The GraphQL request that issues a call, or the graph itself. */
export interface CallOrigin {
  readonly apiKey: string;
  readonly keyHash: string;
  readonly requestId: string;
  /** Null if the calls belong to no trace. */
  readonly traceparent: string | null;
  readonly trace: SessionTrace | null;
  readonly budget: CallBudget;
}

/** Origin of a request's calls, which must be authorized. */
export interface RequestOrigin extends CallOrigin {
  /** Grants with all scopes that the request requires. Throws or rejects with ForbiddenError if the key lacks one. */
  authorize(operation: AnyOperation, request: object): Grants | Promise<Grants>;
  /** Called before a write is sent. Returns true if the write must not be sent, because the request is a rehearsal. */
  rehearses(operation: AnyOperation): boolean;
}

/** A call that a request issues. */
export interface RequestCall extends Call {
  readonly origin: RequestOrigin;
}

/** Sends a call, and resolves to the decoded response. */
export type Send<Sent extends Call = Call> = (call: Sent) => Promise<object>;

/** Sends one attempt of a call, and resolves to the HTTP response. */
export type Exchange = (call: Call) => Promise<UpstreamResponse>;

function stringField(request: object, field: string | undefined): string | null {
  const value = field && (request as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}

/** Content of a call, and its time limits. */
export interface CallContent {
  readonly operation: AnyOperation;
  readonly request: object;
  readonly body: string;
  readonly requestKey?: string;
  readonly maxAgeMs?: number;
  readonly timeoutMs: number;
}

/** Creates a call without sending it. Its deadline starts now. */
export function createCall<Origin extends CallOrigin>(
  { operation, request, body, requestKey = '', maxAgeMs = Number.POSITIVE_INFINITY, timeoutMs }: CallContent,
  origin: Origin,
): Call & { readonly origin: Origin } {
  const { apiKey, keyHash, budget } = origin;
  return {
    operation,
    request,
    body,
    requestKey,
    maxAgeMs,
    origin,
    apiKey,
    keyHash,
    requester: budget,
    deadline: performance.now() + timeoutMs,
    timeoutMs,
    trace: null,
    startedAt: Date.now(),
    requiredScopes: operation.scopes,
    grantedScopes: null,
    idempotencyKey: stringField(request, operation.keyField),
    expectedVersion: stringField(request, operation.versionField),
    queuedFor: budget,
    chargedTo: budget,
    isCharged: false,
    isAbandoned: false,
    retries: 0,
    sentAt: 0,
    responseLength: 0,
    wait: null,
  };
}

/** Milliseconds until the deadline of a call. */
export const getRemainingMs = ({ deadline }: Pick<Call, 'deadline'>): number => deadline - performance.now();
