import { GraphQLError } from 'graphql';
import { seconds } from '../lib/words.ts';
import type { BlockerCode, ErrorCode, IssueCode } from './errorCodes.ts';
import { type ForbiddenReason, forbiddenMessage } from './forbiddenMessage.ts';

/**
 * Advice on sending the same request again.
 * - `NEVER`: it fails again.
 * - `SAFE`: nothing was done, or a repeat does nothing more.
 * - `SAME_KEY`: under the same idempotency key it is not done twice.
 * - `CHECK_FIRST`: it may have been done, and a repeat may do it again.
 */
export type RetryAdvice = 'NEVER' | 'SAFE' | 'SAME_KEY' | 'CHECK_FIRST';

/**
 * A failure that the caller can act on. Under a query it is a top-level error with `extensions.code`; under a mutation it is a member
 * of the result union. Its message is for the caller: it never names the upstream's address or a key.
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
  /** Where in the input, from the outermost field in. Empty: the input as a whole. */
  readonly path: readonly string[];
  readonly code: IssueCode;
  /** Bound that the value is past: a length, a count or a number that is allowed. Null when the rule has none. */
  readonly limit: number | null;
  readonly message: string;
}

/** A value breaks a rule. Nothing was changed; where the upstream documents the rule, nothing was sent either. */
export class ValidationError extends ApiError {
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    const lines = issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')} ${message}` : message));
    super('BAD_USER_INPUT', lines.join(' '), 'NEVER', { issues });
    this.issues = issues;
  }
}

/** A value that breaks a rule. `limit` is the bound that it is past. */
export const invalidInput = (path: readonly string[], code: IssueCode, message: string, limit: number | null = null) =>
  new ValidationError([{ path, code, limit, message }]);

/** The cursor is invalid or belongs to another list, or its place in the list can’t be found. */
export class InvalidCursorError extends ApiError {
  constructor(message: string) {
    super('INVALID_CURSOR', message, 'NEVER');
  }
}

/** No key, or one that the upstream does not accept. */
export class UnauthenticatedError extends ApiError {
  constructor(message: string) {
    super('UNAUTHENTICATED', message, 'NEVER');
  }
}

/** The key isn't allowed to do this. With `MISSING_SCOPE` nothing was sent. */
export class ForbiddenError extends ApiError {
  readonly reason: ForbiddenReason;
  readonly requiredScopes: readonly string[];
  /** Scopes that the key is known to lack. Empty if its scopes are unknown. */
  readonly missingScopes: readonly string[];

  constructor(
    reason: ForbiddenReason,
    requiredScopes: readonly string[],
    missingScopes: readonly string[] = [],
    upstreamSays: string | null = null,
  ) {
    const message = forbiddenMessage(reason, requiredScopes, missingScopes, upstreamSays);
    super('FORBIDDEN', message, 'NEVER', { reason, requiredScopes, missingScopes });
    this.reason = reason;
    this.requiredScopes = requiredScopes;
    this.missingScopes = missingScopes;
  }
}

/** There is no such record, or it is not the key's to see. */
export class NotFoundError extends ApiError {
  /** Null when it is not known which one it is. */
  readonly missingId: string | null;
  /** Where in the input it stands, from the outermost field in. Empty when it is not known. */
  readonly inputPath: readonly string[];

  constructor(message: string, missingId: string | null = null, inputPath: readonly string[] = []) {
    super('NOT_FOUND', message, 'NEVER', missingId === null ? {} : { missingId });
    this.missingId = missingId;
    this.inputPath = inputPath;
  }
}

/** The key has used up its calls. */
export class RateLimitedError extends ApiError {
  readonly retryAfterSeconds: number | null;

  constructor(retryAfterSeconds: number | null, problem = 'The API key’s rate limit is exhausted.') {
    const wait = retryAfterSeconds === null ? 'Retry later.' : `Retry in ${seconds(retryAfterSeconds)}.`;
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

/** The record changed since the caller read it. */
export class VersionConflictError extends ApiError {
  readonly expectedVersion: string;
  readonly currentVersion: string | null;
  /** The record as it is now, with its type in `__typename`; null when the key may not read it. */
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

/** Something that stands in the way of a step. */
export interface Blocker {
  readonly code: BlockerCode;
  readonly message: string;
}

/** The state of the record forbids the step. */
export class TransitionBlockedError extends ApiError {
  readonly blockers: readonly Blocker[];
  /** The state it is in, in the upstream's word; null when it could not be read. */
  readonly fromText: string | null;
  /** The record as it is now, with its type in `__typename`; null when it could not be read. */
  readonly current: object | null;

  /** Without blockers it is not known what stands in the way, but in words. */
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
const REUSES = {
  INPUT: 'was already used with different input. Use a new idempotencyKey for a different operation.',
  API_KEY: 'was already used with another API key. Use a new idempotencyKey for a different operation.',
  RESPONSE_LOST:
    'belongs to a mutation whose response was lost, and an operator confirmed that it was applied. Read the affected record instead of retrying.',
};

/** The idempotency key was used before, and the result of that use can't be returned. */
export class IdempotencyKeyReusedError extends ApiError {
  readonly firstUsedAt: Date | null;

  constructor(firstUsedAt: Date | null = null, reuse: keyof typeof REUSES = 'INPUT') {
    super('IDEMPOTENCY_KEY_REUSED', `This idempotencyKey ${REUSES[reuse]}`, 'NEVER', { firstUsedAt: firstUsedAt?.toISOString() ?? null });
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

/** Whether the upstream received a call whose response was lost. */
export interface Delivery {
  /** When this became certain, in Unix milliseconds. Null if it isn’t, or not before `settled`. */
  readonly confirmedAt: number | null;
  /** Fulfilled when nothing more can be found out, at the earliest when no call of the API key is in flight. */
  readonly settled: Promise<void>;
  /** By how much the upstream’s clock is behind this host’s, in milliseconds. */
  readonly clockLagMs: number;
}

/** Facts about a change of unknown outcome. */
interface UnknownOutcome {
  readonly startedAt: Date;
  readonly idempotencyKey: string | null;
  readonly retry: RetryAdvice;
  /** The next step, as a sentence. */
  readonly advice: string;
  /** The event, as a sentence. */
  readonly problem?: string;
  /** Null if it can't be found out. */
  readonly delivery?: Delivery | null;
  /** The mutation. Only the resolvers know it: they add it to what the layers below throw. */
  readonly operation?: string;
}

/** The call was sent and no usable answer came: it may have taken effect. */
export class OutcomeUnknownError extends ApiError {
  readonly operation: string;
  readonly startedAt: Date;
  readonly idempotencyKey: string | null;
  readonly advice: string;
  readonly delivery: Delivery | null;
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
    this.delivery = outcome.delivery ?? null;
    this.#outcome = outcome;
  }

  /** The same failure, with the name of the mutation. */
  of(operation: string): OutcomeUnknownError {
    return new OutcomeUnknownError({ ...this.#outcome, operation }, this.cause);
  }
}

/** The upstream refused for a reason that has no class of its own. */
export class RejectedError extends ApiError {
  /** The upstream's word for it, if it gave one. */
  readonly reasonCode: string | null;
  readonly httpStatus: number;

  constructor(httpStatus: number, reasonCode: string | null, message: string) {
    super('REJECTED', message, 'NEVER', { reasonCode, httpStatus });
    this.reasonCode = reasonCode;
    this.httpStatus = httpStatus;
  }
}

/** The upstream could not be reached, or failed. Nothing was changed. */
export class UpstreamUnavailableError extends ApiError {
  constructor(cause?: unknown, problem = 'is unavailable.') {
    super('UPSTREAM_UNAVAILABLE', `The Workspace API ${problem} Nothing was changed. Try again.`, 'SAFE', {}, cause);
  }
}

/** Limit of an operation: upstream calls, those of them that take much work, JSON bytes of its answer, or of its variables wherever they are used. */
export type OperationLimit = 'UPSTREAM_CALLS' | 'RATE_LIMIT' | 'ANALYTICS_QUERIES' | 'RESPONSE_BYTES' | 'ARGUMENT_BYTES';

/** The operation takes more upstream calls, a larger answer, or larger arguments, than one may. Calls past the limit were not sent. */
export class QueryTooExpensiveError extends ApiError {
  /** `numbers` tell what was predicted, or met. */
  constructor(message: string, limit: number, limitOf: OperationLimit, numbers: Readonly<Record<string, number>> = {}) {
    super('QUERY_TOO_EXPENSIVE', message, 'NEVER', { limit, limitOf, ...numbers });
  }
}

/** The upstream did not answer a read in time. */
export class UpstreamTimeoutError extends ApiError {
  constructor(timeoutMs: number) {
    super('UPSTREAM_TIMEOUT', `The Workspace API didn’t respond within ${timeoutMs} ms. Nothing was changed. Try again.`, 'SAFE');
  }
}

/** The upstream gave a read up that takes much work: it could not start in time, or took too long. */
export class GivenUpError extends ApiError {
  constructor(upstreamSays: string | null) {
    const problem =
      'The Workspace API timed out while queueing or running the query. Try again, or use a shorter time range or fewer groups.';
    super('UPSTREAM_TIMEOUT', upstreamSays ? `${problem} The Workspace API responded: ${upstreamSays}` : problem, 'SAFE');
  }
}

/** The upstream's answer is not what the contract promises. */
export class UpstreamInvalidError extends ApiError {
  constructor(what: string) {
    super(
      'UPSTREAM_INVALID_RESPONSE',
      `The Workspace API returned an invalid response: ${what}. Try again, and contact the operator of the graph if the problem persists.`,
      'SAFE',
    );
  }
}

/** The graph cannot keep idempotency keys now, so what needs one was not sent. */
export class LedgerUnavailableError extends ApiError {
  constructor(cause?: unknown) {
    const message = 'The idempotency store is unavailable, so the request wasn’t sent. Retry with the same idempotencyKey.';
    super('LEDGER_UNAVAILABLE', message, 'SAFE', {}, cause);
  }
}

/** Seconds after which a caller should ask again who was refused for too much work. Ours: a disk that lives has written thousands of changes by then. */
const OVERLOADED_RETRY_SECONDS = 1;

/** Too much work of this kind is waiting. `reason` and `effect` are sentences. */
export class OverloadedError extends ApiError {
  constructor(reason: string, effect = 'Nothing was executed.') {
    const message = `The server is overloaded: ${reason} ${effect} Retry in ${seconds(OVERLOADED_RETRY_SECONDS)}.`;
    super('OVERLOADED', message, 'SAFE', { retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  }
}

/** Nobody waits for a read any more, since its caller has left: it was not sent, or cut off. There is nobody to be told, either. */
export class AbandonedError extends ApiError {
  constructor() {
    super('UPSTREAM_UNAVAILABLE', 'The read was aborted because the client disconnected.', 'SAFE');
  }
}

/**
 * The failure of every read that is given up. Thousands may be at once, which nobody is told of: so it is made once, and its stack is a line, since
 * GraphQL's errors would look for one of their own where theirs has none.
 */
export const ABANDONED = new AbandonedError();
ABANDONED.stack = `${ABANDONED.name}: ${ABANDONED.message}`;

/** The graph did not send a call: too many others wait, its turn did not come in time, or the upstream is known to be down. */
export class NotSentError extends ApiError {
  constructor(reason: string, cause?: unknown) {
    super('UPSTREAM_UNAVAILABLE', `The request wasn’t sent: ${reason} Nothing was changed. Try again.`, 'SAFE', {}, cause);
  }
}
