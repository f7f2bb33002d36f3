import { ERROR_CODES, ISSUE_CODES } from '../../failures/errorCodes.ts';
import {
  type ApiError,
  ForbiddenError,
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
} from '../../failures/failures.ts';
import type { ForbiddenReason } from '../../failures/forbiddenMessage.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { Blocker } from './blockers.ts';
import { builder } from './builder.ts';
import { CreatedRecord, MAX_CANDIDATES } from './candidates.ts';
import { type CostExtensions, HOLDS_RECORDS } from './costExtensions.ts';
import { describeValues } from './enums.ts';
import { TransitionSubject, VersionedRecord } from './subjects.ts';

const Code = builder.enumType('ErrorCode', {
  description:
    'A machine-readable error code, as in `extensions.code` of errors and in `code` of errors in a result union. Codes may be added, so handle unknown ones.',
  values: describeValues(ERROR_CODES),
});

const Advice = builder.enumType('RetryAdvice', {
  description: 'Whether and how a failed request can be retried.',
  values: {
    NEVER: { description: 'The same request fails again. Change it before you retry.' },
    SAFE: {
      description: 'Safe to retry, because nothing was done or a retry has no further effect. Wait for `retryAfterSeconds`, if set.',
    },
    SAME_KEY: {
      description: 'Retry with the same idempotency key, so that the mutation isn’t applied twice. With another key, it may be.',
    },
    CHECK_FIRST: { description: 'The mutation may have been applied, and a retry may apply it again. Check the records before you retry.' },
  } satisfies Record<RetryAdvice, object>,
});

const MutationError = builder.interfaceRef<ApiError>('MutationError').implement({
  description: 'An error that a client can handle. Select it in every result union to cover error types that are added later.',
  extensions: { isError: true },
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
  description: 'A machine-readable code of a validation rule. Codes may be added, so handle unknown ones.',
  values: describeValues(ISSUE_CODES),
});

export const Issue = builder.objectRef<ValidationIssue>('ValidationIssue').implement({
  description: 'An input value that violates a rule.',
  fields: (t) => ({
    path: t.stringList({
      nullable: false,
      description: 'Path to the value in the input, starting with the outermost field. Empty if the issue concerns the input as a whole.',
      resolve: ({ path }) => [...path],
    }),
    code: t.field({
      type: IssueCodes,
      nullable: false,
      description: 'Machine-readable code of the violated rule.',
      resolve: ({ code }) => code,
    }),
    limit: t.int({
      description: 'Maximum or minimum length, count, or number, depending on `code`. Null if the rule has no limit.',
      resolve: ({ limit }) => limit,
    }),
    message: t.string({
      nullable: false,
      description: 'Human-readable description of the violated rule, in English.',
      resolve: ({ message }) => message,
    }),
  }),
});

builder.objectType(ValidationError, {
  name: 'ValidationError',
  description: 'The input violates a rule. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    issues: t.field({
      type: [Issue],
      nullable: false,
      description: 'All values that violate a rule.',
      resolve: ({ issues }) => [...issues],
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  description: 'The record doesn’t exist or isn’t visible to the API key. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    missingId: t.id({
      description:
        'Raw ID of the missing record, or its global ID if it has no `rawId`. Null if it’s unknown which of several records is missing.',
      resolve: ({ missingId }) => missingId,
    }),
    path: t.stringList({
      nullable: false,
      description: 'Path to the ID in the input, starting with the outermost field, such as `lines`, `3`, `productId`. Empty if unknown.',
      resolve: ({ inputPath }) => [...inputPath],
    }),
  }),
});

const Reason = builder.enumType('ForbiddenReason', {
  description: 'The reason why a caller isn’t allowed to do something.',
  values: {
    MISSING_SCOPE: { description: 'The key lacks a scope. Nothing was sent to the Workspace API.' },
    ACCOUNT_SCOPE: {
      description: 'The account that has signed in isn’t allowed a scope, or its key lacks it. Nothing was sent to the Workspace API.',
    },
    UNDOCUMENTED_SCOPE: {
      description:
        'The account that has signed in is limited to certain scopes, and can’t send writes whose scope isn’t documented. Nothing was sent to the Workspace API.',
    },
    PERMISSION_OR_RESOURCE: {
      description: 'The key has the scopes, but its account lacks the permission or access to the record.',
    },
    ADDRESS: {
      description:
        'The IP addresses that the key can be used from don’t include the address that the Workspace API sees, which is the address of this server.',
    },
    UNDETERMINED: {
      description:
        'The Workspace API denied access for an unknown reason: a scope, the permission, or access to the record. The key’s scopes are unknown, have changed, or include a wildcard, or the required scope isn’t documented.',
    },
  } satisfies Record<ForbiddenReason, object>,
});

builder.objectType(ForbiddenError, {
  name: 'ForbiddenError',
  description: 'The API key isn’t allowed to do this. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    reason: t.field({
      type: Reason,
      nullable: false,
      description: 'Why the key isn’t allowed to do this.',
      resolve: ({ reason }) => reason,
    }),
    requiredScopes: t.stringList({
      nullable: false,
      description: 'All scopes that the request requires. Empty if the Workspace API specifies none.',
      resolve: ({ requiredScopes }) => [...requiredScopes],
    }),
    missingScopes: t.stringList({
      nullable: false,
      description: 'Required scopes that the key is known to lack. Empty if its scopes are unknown, such as for a key without `me:read`.',
      resolve: ({ missingScopes }) => [...missingScopes],
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  description: 'The API key has exhausted its rate limit. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    retryAfterSeconds: t.int({
      description: 'Seconds to wait before the next request. Null if unknown.',
      resolve: ({ retryAfterSeconds }) => retryAfterSeconds,
    }),
  }),
});

builder.objectType(OutcomeUnknownError, {
  name: 'OutcomeUnknownError',
  description:
    'The mutation was sent, but no usable response was received, so it may have been applied. See `message` and `retry` for how to proceed.',
  interfaces,
  extensions: HOLDS_RECORDS,
  fields: (t) => ({
    operation: t.string({
      nullable: false,
      description: 'Name of the mutation, such as `inventoryAdjust`, to pass to `idempotentOperation`.',
      resolve: ({ operation }) => operation,
    }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the mutation was sent.',
      resolve: ({ startedAt }) => startedAt.toISOString(),
    }),
    idempotencyKey: t.string({
      description: 'Idempotency key of the mutation. Null if it was sent without one.',
      resolve: ({ idempotencyKey }) => idempotencyKey,
    }),
    candidates: t.field({
      type: [CreatedRecord],
      nullable: { list: true, items: false },
      description: `Up to ${MAX_CANDIDATES} records that contain the whole input and were created since the mutation was sent. The result may be among them. Null if the key can’t read them, or if they can’t be searched for. If the list is empty, follow \`message\`.`,
      extensions: { readsCandidates: true, assumedSize: MAX_CANDIDATES } satisfies CostExtensions,
      resolve: ({ findCandidates }) => findCandidates?.() ?? null,
    }),
  }),
});

builder.objectType(RejectedError, {
  name: 'RejectedError',
  description: 'The Workspace API rejected the request for a reason without an error type of its own. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    reasonCode: t.string({
      description: 'Error code of the Workspace API, such as `aborted`. Null if it returned none.',
      resolve: ({ reasonCode }) => reasonCode,
    }),
    httpStatus: t.int({
      description: 'HTTP status that the Workspace API returned.',
      nullable: false,
      resolve: ({ httpStatus }) => httpStatus,
    }),
  }),
});

builder.objectType(IdempotencyKeyReusedError, {
  name: 'IdempotencyKeyReusedError',
  description: 'The idempotency key was already used with different input. Nothing was changed.',
  interfaces,
  fields: (t) => ({
    firstUsedAt: t.field({
      type: 'DateTime',
      description: 'When the key was first used. Null if unknown.',
      resolve: ({ firstUsedAt }) => firstUsedAt?.toISOString() ?? null,
    }),
  }),
});

builder.objectType(OperationInProgressError, {
  name: 'OperationInProgressError',
  description: 'A mutation with the same idempotency key is still running. Retry with the same key to get its result.',
  interfaces,
  fields: (t) => ({
    // Nullable like the field of RateLimitedError, because otherwise no fragment could select both.
    retryAfterSeconds: t.int({
      description: 'Seconds to wait before retrying.',
      resolve: ({ retryAfterSeconds }) => retryAfterSeconds,
    }),
  }),
});

builder.objectType(VersionConflictError, {
  name: 'VersionConflictError',
  description: 'The record has changed since it was last read. Nothing was changed.',
  interfaces,
  extensions: HOLDS_RECORDS,
  fields: (t) => ({
    expectedVersion: t.field({
      type: 'Version',
      nullable: false,
      description: 'Version that the request expected.',
      resolve: ({ expectedVersion }) => expectedVersion,
    }),
    currentVersion: t.field({
      type: 'Version',
      description: 'Current version of the record. Null if the record can’t be read.',
      resolve: ({ currentVersion }) => currentVersion,
    }),
    current: t.field({
      type: VersionedRecord,
      description: 'The record in its current state. Null if it can’t be read.',
      resolve: ({ current }) => current,
    }),
  }),
});

builder.objectType(TransitionBlockedError, {
  name: 'TransitionBlockedError',
  description: 'The current state of the record doesn’t allow the mutation. Nothing was changed.',
  interfaces,
  extensions: HOLDS_RECORDS,
  fields: (t) => ({
    current: t.field({
      type: TransitionSubject,
      description: 'The record in its current state. Null if it can’t be read, or if no single record blocks the mutation.',
      resolve: ({ current }) => current,
    }),
    fromText: t.string({
      description: 'Raw value of the current status from the Workspace API. Null if unknown.',
      resolve: ({ fromText }) => fromText,
    }),
    blockers: t.field({
      type: [Blocker],
      nullable: false,
      description: 'Conditions that block the mutation.',
      resolve: ({ blockers }) => [...blockers],
    }),
  }),
});

const COMMON_ERRORS = [
  ValidationError,
  NotFoundError,
  ForbiddenError,
  RateLimitedError,
  OutcomeUnknownError,
  RejectedError,
  IdempotencyKeyReusedError,
  OperationInProgressError,
] as const;

/** Returns the error types of an operation's result union. `canExpectVersion`: the input can specify the version that a record must have. */
export function getErrorTypes({ versionField, transition }: AnyOperation, canExpectVersion: boolean) {
  return [
    ...COMMON_ERRORS,
    ...(versionField || canExpectVersion ? [VersionConflictError] : []),
    ...(transition ? [TransitionBlockedError] : []),
  ];
}
