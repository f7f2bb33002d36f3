import {
  type ApiError,
  type Delivery,
  ForbiddenError,
  GivenUpError,
  IdempotencyKeyReusedError,
  invalidInput,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  type RetryAdvice,
  TransitionBlockedError,
  UnauthenticatedError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
  ValidationError,
  VersionConflictError,
} from '../../failures/failures.ts';
import type { ForbiddenReason } from '../../failures/forbiddenMessage.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { isAddressRefusal } from '../access/addressRefusal.ts';
import { type AnyOperation, isRead } from '../contract/operation.ts';
import { attachRaw } from '../contract/rawRecords.ts';
import { issuesOfRefusal } from '../contract/refusedRules.ts';
import type { TransportError, UpstreamResponse } from '../transport/transport.ts';
import { errorIn, knownCodeIn, statusOf } from './errorBody.ts';

/** Facts of a call that its failure is made from. */
export interface CallFacts {
  readonly operation: AnyOperation;
  /** The request as JSON. */
  readonly body: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly timeoutMs: number;
  /** Scopes that the request takes. */
  readonly requiredScopes: readonly string[];
  /** Whether the key is known to hold them word for word: a wildcard may not count with the upstream. */
  readonly hasExactScopes: boolean;
  /** The key in the request's key field, when there is one. */
  readonly idempotencyKey: string | null;
  /** The version in the request's version field, when there is one. */
  readonly expectedVersion: string | null;
  readonly apiKey: string;
  /** Whether the upstream received the last attempt. Null if that can't be found out. */
  delivery: Delivery | null;
}

/** The longest upstream message that is passed on, in characters. Ours. */
const MAX_MESSAGE = 500;

/** The advice for a call of unknown outcome, and whether sending it again is safe. */
function nextStep({ effect, versionField }: AnyOperation, idempotencyKey: string | null): { advice: string; retry: RetryAdvice } {
  // A version that the first attempt made would refuse the repeat.
  if (versionField === undefined && effect === 'SETTLED')
    return { advice: 'It’s safe to retry, because the operation is idempotent.', retry: 'SAFE' };
  if (versionField === undefined && effect === 'KEYED' && idempotencyKey !== null)
    return { advice: 'Retry with the same idempotencyKey, so that the write isn’t applied twice.', retry: 'SAME_KEY' };
  return { advice: 'Check the affected record before you retry.', retry: 'CHECK_FIRST' };
}

/** The upstream's words, fit for the caller: no address, no key, no stack, not endless. */
function presentable(message: string | null, apiKey: string, fallback: string): string {
  if (!message || /\n\s+at /.test(message)) return fallback;
  return message
    .replaceAll(apiKey, '[key]')
    .replace(/\bhttps?:\/\/\S+/gi, '[address]')
    .slice(0, MAX_MESSAGE);
}

/** The upstream said yes to a change, and did not say what it did. */
export function untoldOutcome(operation: AnyOperation, startedAt: Date, idempotencyKey: string | null): OutcomeUnknownError {
  const problem = 'The Workspace API accepted the write, but its response doesn’t contain the result.';
  return new OutcomeUnknownError({
    startedAt,
    idempotencyKey,
    problem,
    delivery: { confirmedAt: Date.now(), clockLagMs: 0, settled: Promise.resolve() },
    ...nextStep(operation, idempotencyKey),
  });
}

/** A call that was sent and may have taken effect. */
const unknownOutcome = ({ operation, startedAt, idempotencyKey, delivery }: CallFacts, cause?: unknown) =>
  new OutcomeUnknownError({ startedAt: new Date(startedAt), idempotencyKey, delivery, ...nextStep(operation, idempotencyKey) }, cause);

/** Statuses of an upstream, or of something before it, that fell over in the middle. */
const FALLEN = new Set([500, 502, 503, 504]);

/** Statuses below 500 that end a call mid-way: it may have taken effect. So may one that is accepted, or sent elsewhere. */
const MID_WAY = new Set([408, 499]);

function stateRefusal(answer: UpstreamResponse, code: string | null, message: string, facts: CallFacts): ApiError {
  const { operation, idempotencyKey, expectedVersion } = facts;
  const isKeyConflict =
    operation.effect === 'KEYED' && idempotencyKey !== null && (code === 'already_exists' || (code === null && !operation.versionField));
  if (isKeyConflict) return new IdempotencyKeyReusedError();
  // Which version it has now is for the one who may read it to find out.
  if (expectedVersion !== null && code === 'aborted') return new VersionConflictError(expectedVersion, null, null);
  // `aborted` says that another call was in the way, and nothing of the state.
  if (operation.transition && code !== 'already_exists' && code !== 'aborted') return new TransitionBlockedError(message);
  return new RejectedError(answer.status, code, message);
}

/** Why the upstream refused a call that passed our own check of scopes. */
function reasonOf(message: string | null, { operation, requiredScopes, hasExactScopes }: CallFacts): ForbiddenReason {
  if (isAddressRefusal(message)) return 'ADDRESS';
  // The scopes may have changed since they were told.
  const isAboutScopes = requiredScopes.some((scope) => message?.includes(scope));
  return hasExactScopes && !operation.scopesUnknown && !isAboutScopes ? 'PERMISSION_OR_RESOURCE' : 'UNDETERMINED';
}

/** Makes the failure of a request that the upstream refuses as invalid, with its own message where it gives one. */
function invalid(message: string, isTold: boolean, { operation, body }: CallFacts): ValidationError {
  const sent: object = JSON.parse(body);
  const issues = issuesOfRefusal(operation.wire?.decodeRequest(sent) ?? sent, operation, isTold ? message : null);
  return issues.length > 0 ? new ValidationError(issues) : invalidInput([], 'OTHER', message);
}

/** The error for a response that isn't a success. The code in the body decides, or the status if the body has no known code. */
export function refusal(answer: UpstreamResponse, facts: CallFacts, json = parseJson(answer.body)): ApiError {
  const { operation, apiKey } = facts;
  // The upstream failed in the middle of a change, whatever its words say.
  if (FALLEN.has(answer.status) && !isRead(operation)) return unknownOutcome(facts);
  const { code, message: said } = errorIn(json);
  const codeStatus = statusOf(code);
  const status = codeStatus ?? answer.status;
  const reason = codeStatus === undefined ? `status ${answer.status}` : `code ${code}`;
  const message = presentable(said, apiKey, `The Workspace API rejected the request with ${reason}.`);
  switch (status) {
    case 400:
      return invalid(message, said !== null, facts);
    case 401:
      return new UnauthenticatedError('The API key is invalid, expired, or revoked.');
    case 403: {
      const says = said ? presentable(said, apiKey, '') : null;
      return new ForbiddenError(reasonOf(said, facts), facts.requiredScopes, [], says);
    }
    case 404:
      // A record that is missing is told in JSON, or without a word. A page of HTML comes from something else that answers there.
      if (answer.body === '' || json !== undefined) return new NotFoundError(message);
      return new UpstreamInvalidError('status 404 with a body that isn’t JSON (check UPSTREAM_URL)');
    case 409:
    case 412:
    case 422:
      return stateRefusal(answer, code, message, facts);
    case 429:
      // For how long, the sender finds out.
      return new RateLimitedError(null);
    default:
      if (status === 504 && operation.effect === 'EXPENSIVE_READ') return new GivenUpError(said ? message : null);
      if (status >= 400 && status < 500 && !MID_WAY.has(status)) return new RejectedError(answer.status, code, message);
      return isRead(operation) ? new UpstreamUnavailableError() : unknownOutcome(facts);
  }
}

/** The class of a call that got no answer. */
export function failure(error: TransportError, facts: CallFacts): ApiError {
  const { operation, timeoutMs } = facts;
  if (!error.isSent && !error.isTimeout) return new UpstreamUnavailableError(error);
  if (!isRead(operation)) return error.isSent ? unknownOutcome(facts, error) : new UpstreamUnavailableError(error);
  return error.isTimeout ? new UpstreamTimeoutError(timeoutMs) : new UpstreamUnavailableError(error);
}

/** The error for a successful response that can't be read. */
const unreadable = (facts: CallFacts, problem: string): ApiError =>
  isRead(facts.operation) ? new UpstreamInvalidError(problem) : unknownOutcome(facts);

/**
 * Whether a response can be empty: proto3 JSON may omit an empty list, but not a record that exists. Whether a write needs its record is up to the
 * mutation. See docs/decisions/0030-foreign-responses.md.
 */
function canBeEmpty(operation: AnyOperation): boolean {
  const fields = Object.values(operation.response.fields);
  if (!isRead(operation) || operation.emptyIfMissing) return true;
  return fields.some(({ list }) => list) && !fields.some(({ message, list }) => message && !list);
}

/** Whether the members of a JSON object are those of the operation's response: at least one is, unless there are none. */
function hasExpectedMembers(operation: AnyOperation, json: object): boolean {
  const { fields } = operation.response;
  const names = Object.keys(json);
  if (names.length === 0) return canBeEmpty(operation);
  return names.some((name) => Object.hasOwn(fields, name)) || Object.keys(fields).length === 0;
}

/** The end of a call: the JSON of a success in the contract's words, or an error. */
export type Outcome = { readonly json: object; readonly error: null } | { readonly json: null; readonly error: ApiError };

const failed = (error: ApiError): Outcome => ({ json: null, error });

/** Reads a response. A body with an error code is that error, whatever the status: some gateways send errors with status 200. */
export function readResponse(response: UpstreamResponse, facts: CallFacts): Outcome {
  const { operation } = facts;
  const json = parseJson(response.body);
  const isSuccess = response.status === 200 || response.status === 201;
  if (!isSuccess || knownCodeIn(json) !== null) return failed(refusal(response, facts, json));
  if (!isJsonObject(json)) return failed(unreadable(facts, 'the body isn’t a JSON object'));
  const known = operation.wire?.decode(json) ?? json;
  if (operation.isUndocumented || hasExpectedMembers(operation, known)) return { json: known, error: null };
  return failed(unreadable(facts, `the body has none of the members of ${operation.response.name}`));
}

/** How the response of a success is read. */
export interface Reading {
  /** Sees the JSON before it's decoded, in the contract's words. */
  readonly observe: (json: object) => void;
  /** Whether records keep the JSON that they were decoded from, for `upstreamRecord`. */
  readonly keepsRaw: boolean;
}

/** The complete record of a successful response. */
export function decodeResponse(json: object, facts: CallFacts, { observe, keepsRaw }: Reading): object {
  const { operation } = facts;
  try {
    observe(json);
    const decoded = operation.decode(json) as object;
    if (keepsRaw) attachRaw(operation.response, json, decoded);
    return decoded;
  } catch (error) {
    // Recursive messages can nest deeper than the stack.
    if (error instanceof RangeError) throw unreadable(facts, 'its JSON is nested too deeply');
    throw error;
  }
}

/**
 * Refusals that an operation gives after looking at the request: had the earlier attempt taken effect, it would have answered that. That the key
 * was used is none of them: an earlier attempt that still runs is refused with the same status.
 */
const CONCLUSIVE = [ValidationError, NotFoundError, TransitionBlockedError];

/** Whether a repeat's failure tells that no earlier attempt took effect. */
export const isConclusive = (error: unknown, { versionField }: AnyOperation): boolean =>
  // An earlier attempt may be what has made the version stale, or the step impossible.
  versionField === undefined && CONCLUSIVE.some((conclusive) => error instanceof conclusive);

/** The class of a resend's failure, when the first attempt may have taken effect: only a conclusive refusal says that it has not. */
export function classifyRetryFailure(error: ApiError, facts: CallFacts): ApiError {
  if (isRead(facts.operation)) return error;
  return isConclusive(error, facts.operation) ? error : unknownOutcome(facts, error);
}
