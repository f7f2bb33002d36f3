import { GraphQLError } from 'graphql';
import { formatSeconds } from '../lib/words.ts';
import type { BlockerCode, ErrorCode, IssueCode } from './errorCodes.ts';
import { createForbiddenMessage, type ForbiddenReason } from './forbiddenMessage.ts';

/**
 * Advice on sending the same request again.
 * - `NEVER`: it will fail again.
 * - `SAFE`: nothing was done, or repeating it has no further effect.
 * - `SAME_KEY`: with the same idempotency key, it isn't applied twice.
 * - `CHECK_FIRST`: it may have been applied, and a repeat may apply it again.
 */
export type RetryAdvice = 'NEVER' | 'SAFE' | 'SAME_KEY' | 'CHECK_FIRST';

/**
 * A failure that the client can act on. In a query, it's a top-level error with `extensions.code`. In a mutation, it's a member of the result union. Its
 * message is for clients: it never contains the upstream's URL or a key.
 */
export abstract class ApiError extends GraphQLError {
  readonly code: ErrorCode;
  readonly retry: RetryAdvice;

  constructor(code: ErrorCode, message: string, retry: RetryAdvice, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { extensions: { code, retry, ...details } });
    this.name = new.target.name;
    this.code = code;
    this.retry = retry;
    if (cause !== undefined) this.cause = cause;
  }
}

export interface ValidationIssue {
  /** Path in the input, from the outermost field. Empty if the issue concerns the input as a whole. */
  readonly path: readonly string[];
  readonly code: IssueCode;
  /** The exceeded limit: a length, a count, or a number. Null if the rule has none. */
  readonly limit: number | null;
  readonly message: string;
}

/** A value violates a rule. Nothing was changed. If the upstream documents the rule, nothing was sent either. */
export class ValidationError extends ApiError {
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    const lines = issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')} ${message}` : message));
    super('BAD_USER_INPUT', lines.join(' '), 'NEVER', { issues });
    this.issues = issues;
  }
}

/** Creates the error for a value that violates a rule. `limit` is the exceeded limit. */
export const invalidInput = (path: readonly string[], code: IssueCode, message: string, limit: number | null = null) =>
  new ValidationError([{ path, code, limit, message }]);

/** The cursor is invalid or belongs to another list, or its place in the list can’t be found. */
export class InvalidCursorError extends ApiError {
  constructor(message: string) {
    super('INVALID_CURSOR', message, 'NEVER');
  }
}

/** The API key is missing, or the upstream doesn't accept it. */
export class UnauthenticatedError extends ApiError {
  constructor(message: string) {
    super('UNAUTHENTICATED', message, 'NEVER');
  }
}

/** The caller isn't allowed to do this. Nothing was sent if a scope is missing. */
export class ForbiddenError extends ApiError {
  readonly reason: ForbiddenReason;
  readonly requiredScopes: readonly string[];
  /** Scopes that the caller is known to lack. Empty if its scopes are unknown. */
  readonly missingScopes: readonly string[];

  constructor(
    reason: ForbiddenReason,
    requiredScopes: readonly string[],
    missingScopes: readonly string[] = [],
    upstreamSays: string | null = null,
  ) {
    const message = createForbiddenMessage(reason, requiredScopes, missingScopes, upstreamSays);
    super('FORBIDDEN', message, 'NEVER', { reason, requiredScopes, missingScopes });
    this.reason = reason;
    this.requiredScopes = requiredScopes;
    this.missingScopes = missingScopes;
  }
}

/** The record doesn't exist or isn't visible to the key. */
export class NotFoundError extends ApiError {
  /** Null if it's unknown which ID is missing. */
  readonly missingId: string | null;
  /** Path of the ID in the input, from the outermost field. Empty if it's unknown. */
  readonly inputPath: readonly string[];

  constructor(message: string, missingId: string | null = null, inputPath: readonly string[] = []) {
    super('NOT_FOUND', message, 'NEVER', missingId === null ? {} : { missingId });
    this.missingId = missingId;
    this.inputPath = inputPath;
  }
}

/** The key's quota is exhausted. */
export class RateLimitedError extends ApiError {
  readonly retryAfterSeconds: number | null;

  constructor(retryAfterSeconds: number | null, problem = 'The API key’s rate limit is exhausted.') {
    const wait = retryAfterSeconds === null ? 'Retry later.' : `Retry in ${formatSeconds(retryAfterSeconds)}.`;
    super('RATE_LIMITED', `${problem} ${wait}`, 'SAFE', { retryAfterSeconds });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A request was stopped because it needs more calls than its key has left. Other requests of the key can continue. */
export class QuotaExceededError extends RateLimitedError {
  constructor(neededCalls: number, retryAfterSeconds: number) {
    super(
      retryAfterSeconds,
      `This operation needs at least ${neededCalls} upstream calls, more than the API key has left. No further calls were sent.`,
    );
  }
}

/** The record has changed since the client read it. */
export class VersionConflictError extends ApiError {
  readonly expectedVersion: string;
  readonly currentVersion: string | null;
  /** The current record, with its type in `__typename`. Null if the key can't read it. */
  readonly current: object | null;

  constructor(expectedVersion: string, currentVersion: string | null, current: object | null) {
    super(
      'VERSION_CONFLICT',
      'The record has changed since you read it. Fetch it again, then decide whether to retry with its current version.',
      'NEVER',
      {
        expectedVersion,
        currentVersion,
      },
    );
    this.expectedVersion = expectedVersion;
    this.currentVersion = currentVersion;
    this.current = current;
  }
}

/** A condition that blocks a transition. */
export interface Blocker {
  readonly code: BlockerCode;
  readonly message: string;
  /** Path in the input, from the outermost field. Undefined if the condition concerns the record itself. */
  readonly path?: readonly string[];
}

/** The state of the record doesn't allow the transition. */
export class TransitionBlockedError extends ApiError {
  readonly blockers: readonly Blocker[];
  /** The current state, as the upstream's value. Null if it couldn't be read. */
  readonly fromText: string | null;
  /** The current record, with its type in `__typename`. Null if it couldn't be read. */
  readonly current: object | null;

  /** By default, the only blocker is the message itself: the upstream's reason is only known as text. */
  constructor(
    message: string,
    blockers: readonly Blocker[] = [{ code: 'OTHER', message }],
    fromText: string | null = null,
    current: object | null = null,
  ) {
    super('TRANSITION_BLOCKED', message, 'NEVER', { fromText, blockers });
    this.blockers = blockers;
    this.fromText = fromText;
    this.current = current;
  }
}

/** Why an idempotency key can't be used again. */
const REUSE_REASONS = {
  INPUT: 'was already used with different input. Use a new idempotencyKey for a different operation.',
  API_KEY: 'was already used with another API key. Use a new idempotencyKey for a different operation.',
  ACCOUNT: 'was already used by another account. Use a new idempotencyKey for a different operation.',
  RESPONSE_LOST:
    'belongs to a mutation whose response was lost, and an operator confirmed that it was applied. Read the affected record instead of retrying.',
};

/** The idempotency key was used before, and the result of that use can't be returned. */
export class IdempotencyKeyReusedError extends ApiError {
  readonly firstUsedAt: Date | null;

  constructor(firstUsedAt: Date | null = null, reason: keyof typeof REUSE_REASONS = 'INPUT') {
    super('IDEMPOTENCY_KEY_REUSED', `This idempotencyKey ${REUSE_REASONS[reason]}`, 'NEVER', {
      firstUsedAt: firstUsedAt?.toISOString() ?? null,
    });
    this.firstUsedAt = firstUsedAt;
  }
}

/** A mutation with the same idempotency key is still running. */
export class OperationInProgressError extends ApiError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(
      'OPERATION_IN_PROGRESS',
      'A mutation with this idempotencyKey is still in progress. Retry later with the same idempotencyKey.',
      'SAME_KEY',
      {
        retryAfterSeconds,
      },
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Facts about a write with an unknown outcome. */
interface UnknownOutcome {
  readonly startedAt: Date;
  readonly idempotencyKey: string | null;
  readonly retry: RetryAdvice;
  /** The next step, as a sentence. */
  readonly advice: string;
  /** The event, as a sentence. */
  readonly problem?: string;
  /** Whether the upstream reported success, so that only the result is unknown. */
  readonly isAccepted?: boolean;
  /** Name of the mutation. Only known to the resolvers, which add it to errors of the lower layers. */
  readonly operation?: string;
  /** Reads the records that the write may have created. Null if they can't be searched for. */
  readonly findCandidates?: () => Promise<readonly object[] | null>;
}

/** The call was sent, but no usable response was received: it may have been applied. */
export class OutcomeUnknownError extends ApiError {
  readonly operation: string;
  readonly startedAt: Date;
  readonly idempotencyKey: string | null;
  readonly advice: string;
  readonly isAccepted: boolean;
  readonly findCandidates: UnknownOutcome['findCandidates'];
  readonly #outcome: UnknownOutcome;

  constructor(outcome: UnknownOutcome, cause?: unknown) {
    const {
      startedAt,
      idempotencyKey,
      retry,
      advice,
      problem = 'The Workspace API didn’t return a usable response, so the outcome is unknown. The write may have been applied.',
      operation = '',
    } = outcome;
    const details = { operation, startedAt: startedAt.toISOString(), idempotencyKey };
    super('OUTCOME_UNKNOWN', `${problem} ${advice}`, retry, details, cause);
    this.operation = operation;
    this.startedAt = startedAt;
    this.idempotencyKey = idempotencyKey;
    this.advice = advice;
    this.isAccepted = outcome.isAccepted ?? false;
    this.findCandidates = outcome.findCandidates;
    this.#outcome = outcome;
  }

  /** A copy of this error with other facts, such as the name of the mutation. */
  with(facts: Partial<UnknownOutcome>): OutcomeUnknownError {
    return new OutcomeUnknownError({ ...this.#outcome, ...facts }, this.cause);
  }
}

/** The upstream rejected the request for a reason without a class of its own. */
export class RejectedError extends ApiError {
  /** The upstream's code of the reason, if it returned one. */
  readonly reasonCode: string | null;
  readonly httpStatus: number;

  constructor(httpStatus: number, reasonCode: string | null, message: string) {
    super('REJECTED', message, 'NEVER', { reasonCode, httpStatus });
    this.reasonCode = reasonCode;
    this.httpStatus = httpStatus;
  }
}

/** The upstream couldn't be reached, or a read failed. In a mutation, earlier writes can have been applied. */
export class UpstreamUnavailableError extends ApiError {
  constructor(cause?: unknown, problem = 'is unavailable.') {
    super('UPSTREAM_UNAVAILABLE', `The Workspace API ${problem} Try again.`, 'SAFE', {}, cause);
  }
}

/** Limit of an operation: upstream calls, expensive upstream calls, JSON bytes of its response, or JSON bytes of its variables, counted at each use. */
export type OperationLimit = 'UPSTREAM_CALLS' | 'RATE_LIMIT' | 'ANALYTICS_QUERIES' | 'RESPONSE_BYTES' | 'ARGUMENT_BYTES';

/** The operation needs more upstream calls, a larger response, or larger arguments than allowed. Calls beyond the limit weren't sent. */
export class QueryTooExpensiveError extends ApiError {
  /** `numbers` are the predicted or actual values. */
  constructor(message: string, limit: number, limitOf: OperationLimit, numbers: Readonly<Record<string, number>> = {}) {
    super('QUERY_TOO_EXPENSIVE', message, 'NEVER', { limit, limitOf, ...numbers });
  }
}

/** The upstream didn't respond to a read in time. */
export class UpstreamTimeoutError extends ApiError {
  constructor(timeoutMs: number) {
    super('UPSTREAM_TIMEOUT', `The Workspace API didn’t respond within ${timeoutMs} ms. Try again.`, 'SAFE');
  }
}

/** The upstream aborted an expensive read: it couldn't start in time, or took too long. */
export class GivenUpError extends ApiError {
  constructor(upstreamSays: string | null) {
    const problem =
      'The Workspace API timed out while queueing or running the query. Try again, or use a shorter time range or fewer groups.';
    super('UPSTREAM_TIMEOUT', upstreamSays ? `${problem} The Workspace API responded: ${upstreamSays}` : problem, 'SAFE');
  }
}

/** The upstream lacks something that a field or argument needs, such as a column of the analytics catalog. Nothing was executed. */
export class UnsupportedError extends ApiError {
  /** `fields` are the selected fields that can't be returned. */
  constructor(message: string, fields?: readonly string[]) {
    super('UPSTREAM_UNSUPPORTED', message, 'NEVER', fields && { fields });
  }
}

/** The upstream's response violates the contract. */
export class UpstreamInvalidError extends ApiError {
  constructor(what: string) {
    super(
      'UPSTREAM_INVALID_RESPONSE',
      `The Workspace API returned an invalid response: ${what}. Try again, and contact the operator of the graph if the problem persists.`,
      'SAFE',
    );
  }
}

const EXPIRED_KEY_MESSAGES = {
  OLD: 'The idempotencyKey is so old that the graph may have forgotten its use, so the request wasn’t sent. Check the affected record, and use a new idempotencyKey if the write wasn’t applied.',
  EARLY:
    'The idempotencyKey was created by a clock that is ahead, so the request wasn’t sent. Correct the clock, and use a new idempotencyKey.',
  FOREIGN:
    'The idempotencyKey was created for another storage than that of this server, so the request wasn’t sent. Either the storage was replaced or restored, or servers behind the same URL don’t share one (LEDGER_URL). Check the affected record, and use a new idempotencyKey if the write wasn’t applied.',
};

/** The idempotency key has no entry, and is too old to prove that it hasn't been used, was created by a clock that is ahead, or for another storage. The request wasn't sent. */
export class IdempotencyKeyExpiredError extends ApiError {
  constructor(reason: keyof typeof EXPIRED_KEY_MESSAGES) {
    super('IDEMPOTENCY_KEY_EXPIRED', EXPIRED_KEY_MESSAGES[reason], reason === 'EARLY' ? 'NEVER' : 'CHECK_FIRST');
  }
}

/** The idempotency store is unavailable, so a request that needs it wasn't sent. */
export class LedgerUnavailableError extends ApiError {
  constructor(cause?: unknown) {
    const message = 'The idempotency store is unavailable, so the request wasn’t sent. Retry with the same idempotencyKey.';
    super('LEDGER_UNAVAILABLE', message, 'SAFE', {}, cause);
  }
}

/** Seconds after which a rejected client should retry. Chosen: a healthy disk has written thousands of changes by then. */
const OVERLOADED_RETRY_SECONDS = 1;

/** Too much work of this kind is queued. `reason` and `effect` are sentences. */
export class OverloadedError extends ApiError {
  constructor(reason: string, effect = 'Nothing was executed.') {
    const message = `The server is overloaded: ${reason} ${effect} Retry in ${formatSeconds(OVERLOADED_RETRY_SECONDS)}.`;
    super('OVERLOADED', message, 'SAFE', { retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  }
}

/** Live updates are disabled. */
export class LiveDisabledError extends ApiError {
  constructor() {
    super(
      'LIVE_UPDATES_DISABLED',
      'This server doesn’t send live updates. Poll with queries instead, or set `LIVE=on` if you operate it.',
      'NEVER',
    );
  }
}

/** A read was aborted or not sent, because its client disconnected. The error isn't returned to anyone. */
export class AbandonedError extends ApiError {
  constructor() {
    super('UPSTREAM_UNAVAILABLE', 'The read was aborted because the client disconnected.', 'SAFE');
  }
}

/**
 * The error of every aborted read. Shared, because thousands of reads can be aborted at once and the error is never returned. Its stack is a single line:
 * GraphQL errors capture one of their own if their original error has none.
 */
export const ABANDONED = new AbandonedError();
ABANDONED.stack = `${ABANDONED.name}: ${ABANDONED.message}`;

/** The graph didn't send a call: too many others are queued, it timed out in the queue, or the upstream is known to be down. */
export class NotSentError extends ApiError {
  constructor(reason: string, cause?: unknown) {
    super('UPSTREAM_UNAVAILABLE', `The request wasn’t sent: ${reason} Try again.`, 'SAFE', {}, cause);
  }
}
