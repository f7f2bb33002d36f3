import { ERROR_CODES, ISSUE_CODES } from '../../errorCodes.ts';
import {
  type ApiError,
  ForbiddenError,
  type ForbiddenReason,
  IdempotencyKeyReusedError,
  NotFoundError,
  OperationInProgressError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  type RetryAdvice,
  TransitionBlockedError,
  ValidationError,
  type ValidationIssue,
  VersionConflictError,
} from '../../failures.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { Blocker } from './blockers.ts';
import { builder } from './builder.ts';
import { HOLDS_RECORDS } from './costMarks.ts';
import { described } from './enums.ts';
import { TransitionSubject, VersionedRecord } from './subjects.ts';

const Code = builder.enumType('ErrorCode', {
  description:
    'The code of a failure, for programs: `extensions.code` of errors, and `code` of the members of a result union. New codes may be added.',
  values: described(ERROR_CODES),
});

const Advice = builder.enumType('RetryAdvice', {
  description: 'The effect of sending the same request again.',
  values: {
    NEVER: { description: 'The request fails again: change it first.' },
    SAFE: { description: 'Nothing was done, or a repeat does nothing more: send it again, after `retryAfterSeconds` where that is told.' },
    SAME_KEY: { description: 'Send it again with the same idempotency key: it is not done twice. With another key it may be.' },
    CHECK_FIRST: { description: 'The request may have been done, and a repeat may do it again: look before you send it again.' },
  } satisfies Record<RetryAdvice, object>,
});

const MutationError = builder.interfaceRef<ApiError>('MutationError').implement({
  description: 'A failure that a caller can act on. Select it in every result union: new kinds of failure may be added.',
  fields: (t) => ({
    message: t.string({
      nullable: false,
      description: 'Human-readable message in English: what went wrong and how to fix it. Don’t parse it.',
      resolve: ({ message }) => message,
    }),
    code: t.field({
      type: Code,
      nullable: false,
      description: 'Machine-readable error code. Queries return the same code in `extensions.code`.',
      resolve: ({ code }) => code,
    }),
    retry: t.field({
      type: Advice,
      nullable: false,
      description: 'Whether and how to retry the request. Queries return the same value in `extensions.retry`.',
      resolve: ({ retry }) => retry,
    }),
  }),
});

const interfaces = [MutationError];

const IssueCodes = builder.enumType('ValidationIssueCode', {
  description: 'Which rule a value breaks, for programs. New codes may be added.',
  values: described(ISSUE_CODES),
});

export const Issue = builder.objectRef<ValidationIssue>('ValidationIssue').implement({
  description: 'A value that breaks a rule.',
  fields: (t) => ({
    path: t.stringList({
      nullable: false,
      description: 'The place in the input, from the outermost field in. Empty: the input as a whole.',
      resolve: ({ path }) => [...path],
    }),
    code: t.field({ type: IssueCodes, nullable: false, description: 'Which rule it breaks, for programs.', resolve: ({ code }) => code }),
    limit: t.int({
      description: 'The length, count or number that is allowed at most, or at least: see `code`. Null when the rule has none.',
      resolve: ({ limit }) => limit,
    }),
    message: t.string({ nullable: false, description: 'Which rule it breaks, in English.', resolve: ({ message }) => message }),
  }),
});

builder.objectType(ValidationError, {
  name: 'ValidationError',
  description: 'The input breaks a rule. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    issues: t.field({
      type: [Issue],
      nullable: false,
      description: 'Every value that breaks a rule.',
      resolve: ({ issues }) => [...issues],
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description: 'There is no such record, or it is not the key’s to see. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    missingId: t.id({
      description: 'The id that names no record, as the Workspace API has it. Null when it is not known which of several it is.',
      resolve: ({ missingId }) => missingId,
    }),
    path: t.stringList({
      nullable: false,
      description: 'The place in the input, from the outermost field in, such as `lines`, `3`, `productId`. Empty when it is not known.',
      resolve: ({ inputPath }) => [...inputPath],
    }),
  }),
});

const Reason = builder.enumType('ForbiddenReason', {
  description: 'The reason why a key may not do something.',
  values: {
    MISSING_SCOPE: { description: 'The key lacks a scope. Nothing was sent.' },
    PERMISSION_OR_RESOURCE: {
      description: 'The key has the scopes; the account behind it lacks the permission, or access to this record.',
    },
    ADDRESS: {
      description:
        'The key may not be used from the address that the Workspace API sees, which is that of the graph: the addresses that the key allows must include it.',
    },
    UNDETERMINED: {
      description:
        'A scope, the permission or access to the record is missing, and nobody can say which: the Workspace API does not tell the scopes of this key, has changed them, or does not count a wildcard among them.',
    },
  } satisfies Record<ForbiddenReason, object>,
});

builder.objectType(ForbiddenError, {
  name: 'ForbiddenError',
  description: 'The key may not do this. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    reason: t.field({ type: Reason, nullable: false, description: 'The reason.', resolve: ({ reason }) => reason }),
    requiredScopes: t.stringList({
      nullable: false,
      description: 'Every scope that this takes; empty where the Workspace API documents none.',
      resolve: ({ requiredScopes }) => [...requiredScopes],
    }),
    missingScopes: t.stringList({
      nullable: false,
      description: 'Those that the key lacks.',
      resolve: ({ missingScopes }) => [...missingScopes],
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  description: 'The key has used up its calls. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    retryAfterSeconds: t.int({
      description: 'Seconds to wait before the next request; null when it is not told.',
      resolve: ({ retryAfterSeconds }) => retryAfterSeconds,
    }),
  }),
});

builder.objectType(OutcomeUnknownError, {
  name: 'OutcomeUnknownError',
  description: 'The change was sent and no answer came: it may have been made. `message` and `retry` tell what to do.',
  interfaces,
  fields: (t) => ({
    operation: t.string({
      nullable: false,
      description: 'The mutation, such as `inventoryAdjust`: for `idempotentOperation`.',
      resolve: ({ operation }) => operation,
    }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'The moment at which it was sent.',
      resolve: ({ startedAt }) => startedAt.toISOString(),
    }),
    idempotencyKey: t.string({ description: 'The key that it was sent under.', resolve: ({ idempotencyKey }) => idempotencyKey }),
  }),
});

builder.objectType(RejectedError, {
  name: 'RejectedError',
  description: 'The Workspace API refused for a reason that has no type of its own. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    reasonCode: t.string({
      description: 'The reason in a word, such as `aborted`; null when none was given.',
      resolve: ({ reasonCode }) => reasonCode,
    }),
    httpStatus: t.int({ description: 'The HTTP status of the refusal.', nullable: false, resolve: ({ httpStatus }) => httpStatus }),
  }),
});

builder.objectType(IdempotencyKeyReusedError, {
  name: 'IdempotencyKeyReusedError',
  description: 'The idempotency key was used before with other input. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    firstUsedAt: t.field({
      type: 'DateTime',
      description: 'The moment at which the key was first used; null when it is not known.',
      resolve: ({ firstUsedAt }) => firstUsedAt?.toISOString() ?? null,
    }),
  }),
});

builder.objectType(OperationInProgressError, {
  name: 'OperationInProgressError',
  description: 'A mutation with the same idempotency key is still running. Ask again with the same key for its answer.',
  interfaces,
  fields: (t) => ({
    // Nullable as that of RateLimitedError, or no fragment could select both.
    retryAfterSeconds: t.int({
      description: 'Seconds to wait before asking again.',
      resolve: ({ retryAfterSeconds }) => retryAfterSeconds,
    }),
  }),
});

builder.objectType(VersionConflictError, {
  name: 'VersionConflictError',
  description: 'The record has changed since it was read. Nothing was changed.',
  interfaces,
  extensions: HOLDS_RECORDS,
  fields: (t) => ({
    expectedVersion: t.field({
      type: 'Version',
      nullable: false,
      description: 'The version that was sent.',
      resolve: ({ expectedVersion }) => expectedVersion,
    }),
    currentVersion: t.field({
      type: 'Version',
      description: 'The version it has; null when the key may not read it.',
      resolve: ({ currentVersion }) => currentVersion,
    }),
    current: t.field({
      type: VersionedRecord,
      description: 'The record as it is now; null when the key may not read it.',
      resolve: ({ current }) => current,
    }),
  }),
});

builder.objectType(TransitionBlockedError, {
  name: 'TransitionBlockedError',
  description: 'The state of the record forbids the step. Nothing was changed.',
  interfaces,
  extensions: HOLDS_RECORDS,
  fields: (t) => ({
    current: t.field({
      type: TransitionSubject,
      description: 'The record as it is now; null when it cannot be read, or when no one record is in the way.',
      resolve: ({ current }) => current,
    }),
    fromText: t.string({
      description: 'The state that it is in, as the Workspace API spells it; null when it cannot be told.',
      resolve: ({ fromText }) => fromText,
    }),
    blockers: t.field({
      type: [Blocker],
      nullable: false,
      description: 'The reasons why the step is blocked.',
      resolve: ({ blockers }) => [...blockers],
    }),
  }),
});

const ALWAYS = [
  ValidationError,
  NotFoundError,
  ForbiddenError,
  RateLimitedError,
  OutcomeUnknownError,
  RejectedError,
  IdempotencyKeyReusedError,
  OperationInProgressError,
] as const;

/** The failures that belong in the result union of an operation, by what the contract says of it. `hasPremise`: its input may name a version that a record must have. */
export function errorsOf({ versionField, transition }: AnyOperation, hasPremise: boolean) {
  return [...ALWAYS, ...(versionField || hasPremise ? [VersionConflictError] : []), ...(transition ? [TransitionBlockedError] : [])];
}
