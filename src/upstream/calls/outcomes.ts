import {
  type ApiError,
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
  type ValidationIssue,
  VersionConflictError,
} from '../../failures/failures.ts';
import type { ForbiddenReason } from '../../failures/forbiddenMessage.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { MessageFields } from '../contract/fields.ts';
import { type AnyOperation, isRead } from '../contract/operation.ts';
import { findBrokenRules } from '../contract/rules.ts';
import { parseQuotaHeaders } from '../traffic/rateLimitHeaders.ts';
import type { TransportError, UpstreamResponse } from '../transport/transport.ts';
import { findKnownCode, findStatus, isErrorBody, isIpRestriction, parseErrorBody } from './errorBody.ts';

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Whether a text contains a field's name, in camelCase or snake_case. */
const mentionsField = (text: string, field: string): boolean =>
  new RegExp(`(?<![\\w])(${field}|${toSnakeCase(field)})(?![\\w])`, 'i').test(text);

/** Returns the names of all fields of a message, including nested ones, with their wire names. */
function collectFieldNames(
  message: MessageFields,
  found = new Map<string, string>(),
  seen = new Set<MessageFields>(),
): Map<string, string> {
  if (seen.has(message)) return found;
  seen.add(message);
  for (const [name, field] of Object.entries(message.fields)) {
    found.set(name, field.wire ?? name);
    if (field.message) collectFieldNames(field.message, found, seen);
  }
  return found;
}

/** Returns the fields that a broken rule concerns, from the outermost in: those on its path, or those that must be combined. */
const getFields = ({ path }: ValidationIssue, { request }: AnyOperation): readonly string[] =>
  path.length === 0 ? (request.exactlyOne ?? request.atLeastOne ?? []) : path.filter((step) => !/^\d+$/.test(step));

/**
 * Returns the issues of a request that the upstream has rejected as invalid. Their format isn't documented upstream, so the result has the rules of the
 * contract that the request breaks, if the message names their fields or no field at all. It also has the upstream's message, unless that only concerns those
 * fields.
 */
function getRejectionIssues(request: unknown, operation: AnyOperation, message: string | null): ValidationIssue[] {
  const named = [...collectFieldNames(operation.request)].flatMap(([name, wire]) =>
    message !== null && mentionsField(message, wire) ? [name] : [],
  );
  const broken = findBrokenRules(request, operation.rules);
  const isNamed = (name: string | undefined) => name !== undefined && named.includes(name);
  const innermost = broken.filter((issue) => isNamed(getFields(issue, operation).at(-1)));
  const around = broken.filter((issue) => named.length === 0 || getFields(issue, operation).some(isNamed));
  const reported = innermost.length > 0 ? innermost : around;
  const explained = new Set(reported.flatMap((issue) => getFields(issue, operation)));
  const isExplained = named.length > 0 && named.every((name) => explained.has(name));
  return message === null || isExplained ? reported : [...reported, { path: [], code: 'OTHER', limit: null, message }];
}

/** Details of a call that its error depends on. */
export interface CallFacts {
  readonly operation: AnyOperation;
  /** The request as JSON. */
  readonly body: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly timeoutMs: number;
  /** Scopes that the request requires. */
  readonly requiredScopes: readonly string[];
  /** Scopes of the key. Null if they are unknown. */
  readonly grantedScopes: ReadonlySet<string> | null;
  /** Idempotency key in the request. Null for a request without one. */
  readonly idempotencyKey: string | null;
  /** Expected version in the request. Null for a request without one. */
  readonly expectedVersion: string | null;
  readonly apiKey: string;
}

/** Maximum length of an upstream message that is returned to the client, in characters. Chosen. */
const MAX_MESSAGE = 500;

/** Advice for the client after a call with an unknown outcome, and whether a retry is safe. */
function adviseRetry({ effect, versionField }: AnyOperation, idempotencyKey: string | null): { advice: string; retry: RetryAdvice } {
  // If the first attempt took effect, it changed the version, so a retry would be rejected.
  if (versionField === undefined && effect === 'SETTLED')
    return { advice: 'It’s safe to retry, because the operation is idempotent.', retry: 'SAFE' };
  if (versionField === undefined && effect === 'KEYED' && idempotencyKey !== null)
    return { advice: 'Retry with the same idempotencyKey, so that the write isn’t applied twice.', retry: 'SAME_KEY' };
  return { advice: 'Check the affected record before you retry.', retry: 'CHECK_FIRST' };
}

/** Returns the upstream's message without URLs and the API key, truncated. Returns `fallback` if the message is empty or contains a stack trace. */
function sanitizeMessage(message: string | null, apiKey: string, fallback: string): string {
  if (!message || /\n\s+at /.test(message)) return fallback;
  return message
    .replaceAll(apiKey, '[key]')
    .replace(/\bhttps?:\/\/\S+/gi, '[address]')
    .slice(0, MAX_MESSAGE);
}

/** Creates the error for a write that the upstream accepted without returning its result. */
export function createMissingResultError(operation: AnyOperation, startedAt: Date, idempotencyKey: string | null): OutcomeUnknownError {
  const problem = 'The Workspace API accepted the write, but its response doesn’t contain the result.';
  return new OutcomeUnknownError({
    startedAt,
    idempotencyKey,
    problem,
    isAccepted: true,
    ...adviseRetry(operation, idempotencyKey),
  });
}

/** Creates the error for a call that was sent and may have taken effect. */
const createUnknownOutcomeError = ({ operation, startedAt, idempotencyKey }: CallFacts, cause?: unknown, isAccepted = false) =>
  new OutcomeUnknownError({ startedAt: new Date(startedAt), idempotencyKey, isAccepted, ...adviseRetry(operation, idempotencyKey) }, cause);

/** Statuses of an upstream, or of a proxy in front of it, that failed while it processed the request. */
const SERVER_FAILURE_STATUSES = new Set([500, 502, 503, 504]);

/** Client error statuses after which a call may have taken effect, as it may after a redirect or an undocumented success status. */
const AMBIGUOUS_STATUSES = new Set([408, 499]);

function createStateError(response: UpstreamResponse, code: string | null, message: string, facts: CallFacts): ApiError {
  const { operation, idempotencyKey, expectedVersion } = facts;
  const isKeyConflict =
    operation.effect === 'KEYED' && idempotencyKey !== null && (code === 'already_exists' || (code === null && !operation.versionField));
  if (isKeyConflict) return new IdempotencyKeyReusedError();
  // The mutation adds the current version if the key can read the record.
  if (expectedVersion !== null && code === 'aborted') return new VersionConflictError(expectedVersion, null, null);
  // `aborted` means that a concurrent call conflicted. It says nothing about the record's state.
  if (operation.transition && code !== 'already_exists' && code !== 'aborted') return new TransitionBlockedError(message);
  return new RejectedError(response.status, code, message);
}

/** Returns why the upstream rejected a call that passed the graph's own scope check. */
function getForbiddenReason(message: string | null, { operation, requiredScopes, grantedScopes }: CallFacts): ForbiddenReason {
  if (isIpRestriction(message)) return 'ADDRESS';
  // The scopes may have changed since they were fetched.
  const isAboutScopes = requiredScopes.some((scope) => message?.includes(scope));
  // By name, because the upstream may not accept wildcards.
  const hasAll = grantedScopes !== null && requiredScopes.every((scope) => grantedScopes.has(scope));
  return hasAll && !operation.scopesUnknown && !isAboutScopes ? 'PERMISSION_OR_RESOURCE' : 'UNDETERMINED';
}

/** Creates the error for a request that the upstream rejects as invalid, with the upstream's message if there is one. */
function createInvalidRequestError(message: string, hasUpstreamMessage: boolean, { operation, body }: CallFacts): ValidationError {
  const sent: object = JSON.parse(body);
  const issues = getRejectionIssues(operation.wire?.decodeRequest(sent) ?? sent, operation, hasUpstreamMessage ? message : null);
  return issues.length > 0 ? new ValidationError(issues) : invalidInput([], 'OTHER', message);
}

/** Cause of the error for a response that isn't known to be the upstream's. */
export class ForeignResponseError extends Error {
  override readonly name = 'ForeignResponseError';

  constructor(status: number) {
    super(`status ${status} without an error body of the Workspace API: check the proxies in front of it`);
  }
}

/** Statuses with which a proxy asks for credentials of its own. A request with such a response hasn't been applied. Source: RFC 9110, 15.5.2 and 15.5.8. */
const AUTHENTICATION_STATUSES = new Set([401, 407]);

/** Statuses whose errors are about the key, the input, or the record, so that they must come from the upstream. */
const SPECIFIC_STATUSES = new Set([400, 403, 409, 412, 422]);

/**
 * Whether something in front of the upstream may have sent an error. The upstream's error bodies aren't documented, so any JSON and an empty body count as its
 * own. For a rejected key, after which clients log out, the body must be an error.
 */
function isForeign({ status, body }: UpstreamResponse, json: unknown): boolean {
  if (status === 401) return !isErrorBody(json);
  return status === 407 || (SPECIFIC_STATUSES.has(status) && json === undefined && body !== '');
}

function createForeignError({ status }: UpstreamResponse, facts: CallFacts): ApiError {
  const cause = new ForeignResponseError(status);
  if (isRead(facts.operation)) return new UpstreamUnavailableError(cause);
  // A proxy can also replace the response to a request that it has passed on.
  return AUTHENTICATION_STATUSES.has(status)
    ? new UpstreamUnavailableError(cause, 'is unavailable. Nothing was changed.')
    : createUnknownOutcomeError(facts, cause);
}

/** The error for a response that isn't a success. The code in the body decides, or the status if the body has no known code. */
export function classifyResponse(response: UpstreamResponse, facts: CallFacts, json = parseJson(response.body)): ApiError {
  const { operation, apiKey } = facts;
  // The upstream failed during a write: treat the outcome as unknown, whatever the error text says.
  if (SERVER_FAILURE_STATUSES.has(response.status) && !isRead(operation)) return createUnknownOutcomeError(facts);
  const { code, message: upstreamMessage } = parseErrorBody(json);
  const codeStatus = findStatus(code);
  if (codeStatus === undefined && isForeign(response, json)) return createForeignError(response, facts);
  const status = codeStatus ?? response.status;
  const reason = codeStatus === undefined ? `status ${response.status}` : `code ${code}`;
  const message = sanitizeMessage(upstreamMessage, apiKey, `The Workspace API rejected the request with ${reason}.`);
  switch (status) {
    case 400:
      return createInvalidRequestError(message, upstreamMessage !== null, facts);
    case 401:
      return new UnauthenticatedError('The API key is invalid, expired, or revoked.');
    case 403: {
      const sanitized = upstreamMessage ? sanitizeMessage(upstreamMessage, apiKey, '') : null;
      return new ForbiddenError(getForbiddenReason(upstreamMessage, facts), facts.requiredScopes, [], sanitized);
    }
    case 404:
      // The upstream reports a missing record in JSON or with an empty body. Another body, such as an HTML page, comes from a different server.
      if (response.body === '' || json !== undefined) return new NotFoundError(message);
      return new UpstreamInvalidError('status 404 with a body that isn’t JSON (check UPSTREAM_URL)');
    case 409:
    case 412:
    case 422:
      return createStateError(response, code, message, facts);
    case 429:
      // The `interpret` step replaces this error with one that includes the wait.
      return new RateLimitedError(null);
    default:
      if (status === 504 && operation.effect === 'EXPENSIVE_READ') return new GivenUpError(upstreamMessage ? message : null);
      if (status >= 400 && status < 500 && !AMBIGUOUS_STATUSES.has(status)) return new RejectedError(response.status, code, message);
      return isRead(operation) ? new UpstreamUnavailableError() : createUnknownOutcomeError(facts);
  }
}

/** Creates the error for a call without a response. */
export function classifyTransportError(error: TransportError, facts: CallFacts): ApiError {
  const { operation, timeoutMs } = facts;
  if (isRead(operation)) return error.isTimeout ? new UpstreamTimeoutError(timeoutMs) : new UpstreamUnavailableError(error);
  return error.isSent
    ? createUnknownOutcomeError(facts, error)
    : new UpstreamUnavailableError(error, 'is unavailable. Nothing was changed.');
}

/** Creates the error for a successful response that can't be parsed. Without quota headers, it may come from something in front of the upstream. */
function createUnreadableError(facts: CallFacts, response: UpstreamResponse, problem: string): ApiError {
  if (isRead(facts.operation)) return new UpstreamInvalidError(problem);
  return createUnknownOutcomeError(facts, undefined, parseQuotaHeaders(response, facts.startedAt) !== null);
}

/**
 * Whether a response can be empty: proto3 JSON may omit an empty list, but not a record that exists. Whether a write needs its record is up to the
 * mutation. See docs/decisions/0025-one-shape-behind-the-transport.md.
 */
function canBeEmpty(operation: AnyOperation): boolean {
  const fields = Object.values(operation.response.fields);
  if (!isRead(operation) || operation.emptyIfMissing) return true;
  return fields.some(({ list }) => list) && !fields.some(({ message, list }) => message && !list);
}

/** Whether a JSON object can be the operation's response: it has at least one of the response's members, or may be empty. */
function hasExpectedMembers(operation: AnyOperation, json: object): boolean {
  const { fields } = operation.response;
  const names = Object.keys(json);
  if (names.length === 0) return canBeEmpty(operation);
  return names.some((name) => Object.hasOwn(fields, name)) || Object.keys(fields).length === 0;
}

/** Outcome of a call: the JSON of a success, in the contract's names, or an error, which may be temporary. */
export type Outcome =
  | { readonly json: object; readonly error: null; readonly isTransient: false }
  | { readonly json: null; readonly error: ApiError; readonly isTransient: boolean };

const createFailure = (error: ApiError, isTransient = false): Outcome => ({ json: null, error, isTransient });

/** Statuses of a temporary failure. The upstream may have processed the request. Connect sends `deadline_exceeded` with 408 or 504, depending on its version. */
const TRANSIENT_STATUSES = new Set([408, 502, 503, 504]);

/** Whether a failure is temporary, by its status, or by the code in its body: some gateways send all errors with status 200 or 500. */
const isTransientFailure = (status: number, code: string | null): boolean =>
  TRANSIENT_STATUSES.has(status) || ((status < 300 || status >= 500) && TRANSIENT_STATUSES.has(findStatus(code) ?? status));

/** Reads a response. A body with an error code is that error, whatever the status: some gateways send errors with status 200. */
export function readResponse(response: UpstreamResponse, facts: CallFacts): Outcome {
  const { operation } = facts;
  const json = parseJson(response.body);
  const isSuccess = response.status === 200 || response.status === 201;
  const code = findKnownCode(json);
  if (!isSuccess || code !== null) return createFailure(classifyResponse(response, facts, json), isTransientFailure(response.status, code));
  if (!isJsonObject(json)) return createFailure(createUnreadableError(facts, response, 'the body isn’t a JSON object in UTF-8'));
  const known = operation.wire?.decode(json) ?? json;
  if (operation.isUndocumented || hasExpectedMembers(operation, known)) return { json: known, error: null, isTransient: false };
  return createFailure(createUnreadableError(facts, response, `the body has none of the members of ${operation.response.name}`));
}

/** Decodes the JSON of a successful response to a complete record. Calls `observe` with the JSON first, in the contract's names. */
export function decodeResponse(json: object, response: UpstreamResponse, facts: CallFacts, observe: (json: object) => void): object {
  const { operation } = facts;
  try {
    observe(json);
    return operation.decode(json) as object;
  } catch (error) {
    // Recursive messages can be nested deeper than the stack allows.
    if (error instanceof RangeError) throw createUnreadableError(facts, response, 'its JSON is nested too deeply');
    throw error;
  }
}

/**
 * Errors that an operation returns only if no earlier attempt took effect; otherwise it would have returned the result of that attempt. An error about a used
 * key isn't one of them, because an earlier attempt that is still running is rejected with the same status.
 */
const CONCLUSIVE = [ValidationError, NotFoundError, TransitionBlockedError];

/** Whether the failure of a retry proves that no earlier attempt took effect. */
export const isConclusive = (error: unknown, { versionField }: AnyOperation): boolean =>
  // An earlier attempt may have changed the version or made the transition impossible.
  versionField === undefined && CONCLUSIVE.some((conclusive) => error instanceof conclusive);

/** Creates the error for a failed retry after an attempt that may have taken effect. Only a conclusive error proves that it didn't. */
export function classifyRetryFailure(error: ApiError, facts: CallFacts): ApiError {
  if (isRead(facts.operation)) return error;
  return isConclusive(error, facts.operation) ? error : createUnknownOutcomeError(facts, error);
}
