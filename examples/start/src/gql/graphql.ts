/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A machine-readable reason why a mutation is blocked. Codes may be added, so handle unknown ones. */
export type BlockerCode =
  /** Appointments of the agenda can’t be created or changed directly, because it’s inactive or planners assign members manually. */
  | 'AGENDA_NOT_BOOKABLE'
  /** The record was created in another calendar and can only be changed there. */
  | 'EXTERNAL_CALENDAR'
  /** The record has incomplete advanced tasks. Complete them first. */
  | 'INCOMPLETE_ADVANCED_TASKS'
  /** The record has incomplete tasks. Complete them first. */
  | 'INCOMPLETE_TASKS'
  /** Fewer units are available than the mutation requires. See `product`, `location`, `availableQuantity` and `requiredQuantity`. */
  | 'INSUFFICIENT_STOCK'
  /** The location is inactive, so its stock can’t be changed. */
  | 'LOCATION_INACTIVE'
  /** The location is virtual and holds no stock. */
  | 'LOCATION_NOT_STOCKED'
  /** The template of the problem doesn’t allow resolving it manually. */
  | 'MANUAL_SOLVING_DISABLED'
  /** Another condition blocks the mutation. See `message`. */
  | 'OTHER'
  /** The product is inactive, so its stock can’t be changed. */
  | 'PRODUCT_INACTIVE'
  /** The product has no stock, because it’s a bundle or never runs out. */
  | 'PRODUCT_NOT_STOCKED'
  /** The time isn’t free or can’t be booked. Choose one of `Agenda.availableSlots`. */
  | 'SLOT_UNAVAILABLE'
  /** The mutation isn’t allowed in the current status. See `fromText` for the status and `current` for the record. */
  | 'WRONG_STATUS';

/** Input of `customerCommentCreate`. */
export type CustomerCommentCreateInput = {
  /** Files of the customer to attach. Up to 20 items. */
  attachmentIds?: Array<string> | null | undefined;
  /** Text of the comment. Up to 20,000 characters. */
  body: string;
  /** Global or raw ID of the customer. */
  customerId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
};

/** A machine-readable error code, as in `extensions.code` of errors and in `code` of errors in a result union. Codes may be added, so handle unknown ones. */
export type ErrorCode =
  /** The HTTP request is malformed. Check its method, headers, and body. */
  | 'BAD_REQUEST'
  /** The input, an argument, or a variable has an invalid value. `issues` lists the invalid values, if known. */
  | 'BAD_USER_INPUT'
  /** The API key isn’t allowed to do this. `missingScopes` lists the scopes that it’s known to lack. */
  | 'FORBIDDEN'
  /** The document isn’t valid GraphQL syntax. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The document doesn’t match the schema, or it exceeds a document limit. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** The idempotency key is too old to retry its mutation, or was created for another storage, so the mutation wasn’t sent. */
  | 'IDEMPOTENCY_KEY_EXPIRED'
  /** The idempotency key was already used with different input. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The server failed. Its log contains the cause under the request ID. */
  | 'INTERNAL_SERVER_ERROR'
  /** `after` or `before` isn’t a cursor of this list, or the list has changed too much around it. Start from the first page. */
  | 'INVALID_CURSOR'
  /** The idempotency store is unavailable, so the mutation wasn’t sent. */
  | 'LEDGER_UNAVAILABLE'
  /** This server doesn’t send live updates. */
  | 'LIVE_UPDATES_DISABLED'
  /** The record doesn’t exist, isn’t visible to the API key, or is beyond the end of a list that the Workspace API cuts off. See `message`. */
  | 'NOT_FOUND'
  /** A mutation with the same idempotency key is still running. */
  | 'OPERATION_IN_PROGRESS'
  /** The document has no operation with the requested name, or it has several and the request doesn’t name one. */
  | 'OPERATION_RESOLUTION_FAILURE'
  /** The mutation was sent, but no usable response was received. It may have been applied. */
  | 'OUTCOME_UNKNOWN'
  /** The server is overloaded and changed nothing. Retry after `retryAfterSeconds`. */
  | 'OVERLOADED'
  /** Only trusted documents are executed. Send the ID of one. */
  | 'PERSISTED_QUERY_ID_REQUIRED'
  /** No document is known by this hash or ID. Apollo clients retry with the full document. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** Only trusted documents are executed, and none of them has this ID. */
  | 'PERSISTED_QUERY_NOT_IN_LIST'
  /** This server doesn’t accept document hashes. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The operation requires too many upstream calls, or its response or variables are too large. Request less data. */
  | 'QUERY_TOO_EXPENSIVE'
  /** The API key has exhausted its rate limit. Wait for `retryAfterSeconds`. */
  | 'RATE_LIMITED'
  /** The Workspace API rejected the request for a reason without a code of its own. */
  | 'REJECTED'
  /** The request body is too large. */
  | 'REQUEST_ENTITY_TOO_LARGE'
  /** The access token can’t currently be verified. Nothing was executed. Retry after `retryAfterSeconds`. */
  | 'SIGN_IN_UNAVAILABLE'
  /** The current state of the record doesn’t allow the mutation. */
  | 'TRANSITION_BLOCKED'
  /** The API key or access token is missing, unknown, expired, or revoked. For access tokens, `reason` says why. */
  | 'UNAUTHENTICATED'
  /** The Workspace API returned a response or a stored value that can’t be represented in this schema. */
  | 'UPSTREAM_INVALID_RESPONSE'
  /** The Workspace API didn’t respond to a read in time. */
  | 'UPSTREAM_TIMEOUT'
  /** The Workspace API can’t be reached, or a read failed. */
  | 'UPSTREAM_UNAVAILABLE'
  /** The Workspace API lacks something in this workspace that the field or argument needs. See `message`. */
  | 'UPSTREAM_UNSUPPORTED'
  /** The record has changed since it was last read. */
  | 'VERSION_CONFLICT';

/** The reason why a caller isn’t allowed to do something. */
export type ForbiddenReason =
  /** The account that has signed in isn’t allowed a scope, or its key lacks it. Nothing was sent to the Workspace API. */
  | 'ACCOUNT_SCOPE'
  /** The IP addresses that the key can be used from don’t include the address that the Workspace API sees, which is the address of this server. */
  | 'ADDRESS'
  /** The key lacks a scope. Nothing was sent to the Workspace API. */
  | 'MISSING_SCOPE'
  /** The key has the scopes, but its account lacks the permission or access to the record. */
  | 'PERMISSION_OR_RESOURCE'
  /** The Workspace API denied access for an unknown reason: a scope, the permission, or access to the record. The key’s scopes are unknown, have changed, or include a wildcard, or the required scope isn’t documented. */
  | 'UNDETERMINED'
  /** The account that has signed in is limited to certain scopes, and can’t send writes whose scope isn’t documented. Nothing was sent to the Workspace API. */
  | 'UNDOCUMENTED_SCOPE';

/** Whether and how a failed request can be retried. */
export type RetryAdvice =
  /** The mutation may have been applied, and a retry may apply it again. Check the records before you retry. */
  | 'CHECK_FIRST'
  /** The same request fails again. Change it before you retry. */
  | 'NEVER'
  /** Safe to retry, because nothing was done or a retry has no further effect. Wait for `retryAfterSeconds`, if set. */
  | 'SAFE'
  /** Retry with the same idempotency key, so that the mutation isn’t applied twice. With another key, it may be. */
  | 'SAME_KEY';

/** A machine-readable code of a validation rule. Codes may be added, so handle unknown ones. */
export type ValidationIssueCode =
  /** The text is empty or contains only whitespace. */
  | 'BLANK'
  /** The value can be changed, but not removed. */
  | 'CANNOT_BE_CLEARED'
  /** The value occurs more than once. */
  | 'DUPLICATE'
  /** The text doesn’t have the required format. */
  | 'INVALID_FORMAT'
  /** The text doesn’t follow the grammar of its language. */
  | 'INVALID_SYNTAX'
  /** The value isn’t one of the allowed values, or it can’t be combined with another value. */
  | 'NOT_ALLOWED'
  /** The value violates a rule without a code of its own. See `message`. */
  | 'OTHER'
  /** The value is too small or too large. `limit` is the minimum or maximum, if known. */
  | 'OUT_OF_RANGE'
  /** The value, or a part of it, is missing. */
  | 'REQUIRED'
  /** The source and the destination are the same location. */
  | 'SAME_LOCATION'
  /** The text or list is too long. `limit` is the maximum number of characters or items. */
  | 'TOO_LONG'
  /** The text or list is too short. `limit` is the minimum number of characters or items. */
  | 'TOO_SHORT'
  /** The name doesn’t exist. */
  | 'UNKNOWN_NAME'
  /** The text uses a feature of its language that isn’t supported, such as `LIKE` in analytics SQL. */
  | 'UNSUPPORTED';

export type ListCustomersQueryVariables = Exact<{ [key: string]: never; }>;


export type ListCustomersQuery = { customers: { nodes: Array<{ id: string, title: string | null }> } | null };

export type AddCommentMutationVariables = Exact<{
  input: CustomerCommentCreateInput;
}>;


export type AddCommentMutation = { customerCommentCreate:
    | { __typename: 'CustomerCommentCreatePayload', comment: { id: string, body: string } | null }
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice, candidates: Array<
        | { __typename: 'ActionRequest', id: string, rawId: string }
        | { __typename: 'Appointment', id: string, rawId: string }
        | { __typename: 'Customer', id: string, rawId: string }
        | { __typename: 'MemberInvitation', id: string, rawId: string }
        | { __typename: 'Problem', id: string, rawId: string }
        | { __typename: 'ProblemComment', id: string, rawId: string }
        | { __typename: 'Product', id: string, rawId: string }
        | { __typename: 'Quote', id: string, rawId: string }
        | { __typename: 'WorkOrder', id: string, rawId: string }
      > | null }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
   | null };

type Failure_ForbiddenError_Fragment = { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_IdempotencyKeyReusedError_Fragment = { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_NotFoundError_Fragment = { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_OperationInProgressError_Fragment = { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_OutcomeUnknownError_Fragment = { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice, candidates: Array<
    | { __typename: 'ActionRequest', id: string, rawId: string }
    | { __typename: 'Appointment', id: string, rawId: string }
    | { __typename: 'Customer', id: string, rawId: string }
    | { __typename: 'MemberInvitation', id: string, rawId: string }
    | { __typename: 'Problem', id: string, rawId: string }
    | { __typename: 'ProblemComment', id: string, rawId: string }
    | { __typename: 'Product', id: string, rawId: string }
    | { __typename: 'Quote', id: string, rawId: string }
    | { __typename: 'WorkOrder', id: string, rawId: string }
  > | null };

type Failure_RateLimitedError_Fragment = { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_RejectedError_Fragment = { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_TransitionBlockedError_Fragment = { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
    | { __typename: 'ActionRequest' }
    | { __typename: 'Appointment' }
    | { __typename: 'Customer', id: string }
    | { __typename: 'InventoryReceipt', id: string }
    | { __typename: 'Invoice' }
    | { __typename: 'Order', id: string, version: string | null }
    | { __typename: 'Payment' }
    | { __typename: 'Problem' }
    | { __typename: 'Quote', id: string, version: string | null }
    | { __typename: 'WorkOrder' }
   | null };

type Failure_ValidationError_Fragment = { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> };

type Failure_VersionConflictError_Fragment = { __typename: 'VersionConflictError', expectedVersion: string, currentVersion: string | null, code: ErrorCode, message: string, retry: RetryAdvice, current:
    | { __typename: 'Order', id: string, version: string | null }
    | { __typename: 'Quote', id: string, version: string | null }
   | null };

export type FailureFragment =
  | Failure_ForbiddenError_Fragment
  | Failure_IdempotencyKeyReusedError_Fragment
  | Failure_NotFoundError_Fragment
  | Failure_OperationInProgressError_Fragment
  | Failure_OutcomeUnknownError_Fragment
  | Failure_RateLimitedError_Fragment
  | Failure_RejectedError_Fragment
  | Failure_TransitionBlockedError_Fragment
  | Failure_ValidationError_Fragment
  | Failure_VersionConflictError_Fragment
;

export const FailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<FailureFragment, unknown>;
export const ListCustomersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListCustomers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]} as unknown as DocumentNode<ListCustomersQuery, ListCustomersQueryVariables>;
export const AddCommentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddComment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CustomerCommentCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customerCommentCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CustomerCommentCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"comment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"body"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<AddCommentMutation, AddCommentMutationVariables>;