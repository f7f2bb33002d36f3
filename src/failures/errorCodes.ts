/** Each `code` of an error, with its description: source of the `ErrorCode` enum in the schema, and of the type below. */
export const ERROR_CODES = {
  BAD_USER_INPUT: 'The input, an argument, or a variable has an invalid value. `issues` lists the invalid values, if known.',
  INVALID_CURSOR: '`after` or `before` isn’t a cursor of this list, or the list has changed too much around it. Start from the first page.',
  UNAUTHENTICATED: 'The API key or access token is missing, unknown, expired, or revoked. For access tokens, `reason` says why.',
  FORBIDDEN: 'The API key isn’t allowed to do this. `missingScopes` lists the scopes that it’s known to lack.',
  NOT_FOUND:
    'The record doesn’t exist, isn’t visible to the API key, or is beyond the end of a list that the Workspace API cuts off. See `message`.',
  RATE_LIMITED: 'The API key has exhausted its rate limit. Wait for `retryAfterSeconds`.',
  VERSION_CONFLICT: 'The record has changed since it was last read.',
  TRANSITION_BLOCKED: 'The current state of the record doesn’t allow the mutation.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was already used with different input.',
  OPERATION_IN_PROGRESS: 'A mutation with the same idempotency key is still running.',
  OUTCOME_UNKNOWN: 'The mutation was sent, but no usable response was received. It may have been applied.',
  REJECTED: 'The Workspace API rejected the request for a reason without a code of its own.',
  UPSTREAM_UNAVAILABLE: 'The Workspace API can’t be reached, or a read failed.',
  UPSTREAM_TIMEOUT: 'The Workspace API didn’t respond to a read in time.',
  UPSTREAM_INVALID_RESPONSE: 'The Workspace API returned a response or a stored value that can’t be represented in this schema.',
  UPSTREAM_UNSUPPORTED: 'The Workspace API lacks something in this workspace that the field or argument needs. See `message`.',
  IDEMPOTENCY_KEY_EXPIRED:
    'The idempotency key is too old to retry its mutation, or was created for another storage, so the mutation wasn’t sent.',
  LEDGER_UNAVAILABLE: 'The idempotency store is unavailable, so the mutation wasn’t sent.',
  QUERY_TOO_EXPENSIVE: 'The operation requires too many upstream calls, or its response or variables are too large. Request less data.',
  SIGN_IN_UNAVAILABLE: 'The access token can’t currently be verified. Nothing was executed. Retry after `retryAfterSeconds`.',
  OVERLOADED: 'The server is overloaded and changed nothing. Retry after `retryAfterSeconds`.',
  LIVE_UPDATES_DISABLED: 'This server doesn’t send live updates.',
  BAD_REQUEST: 'The HTTP request is malformed. Check its method, headers, and body.',
  REQUEST_ENTITY_TOO_LARGE: 'The request body is too large.',
  GRAPHQL_PARSE_FAILED: 'The document isn’t valid GraphQL syntax.',
  GRAPHQL_VALIDATION_FAILED: 'The document doesn’t match the schema, or it exceeds a document limit.',
  OPERATION_RESOLUTION_FAILURE:
    'The document has no operation with the requested name, or it has several and the request doesn’t name one.',
  PERSISTED_QUERY_NOT_FOUND: 'No document is known by this hash or ID. Apollo clients retry with the full document.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'This server doesn’t accept document hashes.',
  PERSISTED_QUERY_NOT_IN_LIST: 'Only trusted documents are executed, and none of them has this ID.',
  PERSISTED_QUERY_ID_REQUIRED: 'Only trusted documents are executed. Send the ID of one.',
  INTERNAL_SERVER_ERROR: 'The server failed. Its log contains the cause under the request ID.',
} as const satisfies Readonly<Record<string, string>>;

/** The code of a failure: in `extensions.code` of errors and in `code` of the members of a result union. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Codes of failures that the upstream or the connection to it caused, rather than the client. */
export const UPSTREAM_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'OUTCOME_UNKNOWN',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_INVALID_RESPONSE',
]);

/** Each `code` of a validation issue, with its description: source of the `ValidationIssueCode` enum, and of the type below. */
export const ISSUE_CODES = {
  REQUIRED: 'The value, or a part of it, is missing.',
  BLANK: 'The text is empty or contains only whitespace.',
  TOO_LONG: 'The text or list is too long. `limit` is the maximum number of characters or items.',
  TOO_SHORT: 'The text or list is too short. `limit` is the minimum number of characters or items.',
  OUT_OF_RANGE: 'The value is too small or too large. `limit` is the minimum or maximum, if known.',
  INVALID_FORMAT: 'The text doesn’t have the required format.',
  DUPLICATE: 'The value occurs more than once.',
  UNKNOWN_NAME: 'The name doesn’t exist.',
  INVALID_SYNTAX: 'The text doesn’t follow the grammar of its language.',
  UNSUPPORTED: 'The text uses a feature of its language that isn’t supported, such as `LIKE` in analytics SQL.',
  CANNOT_BE_CLEARED: 'The value can be changed, but not removed.',
  SAME_LOCATION: 'The source and the destination are the same location.',
  NOT_ALLOWED: 'The value isn’t one of the allowed values, or it can’t be combined with another value.',
  OTHER: 'The value violates a rule without a code of its own. See `message`.',
} as const satisfies Readonly<Record<string, string>>;

/** The violated rule, as a machine-readable code. */
export type IssueCode = keyof typeof ISSUE_CODES;

/** Each `code` of a blocker, with its description: source of the `BlockerCode` enum, and of the type below. */
export const BLOCKER_CODES = {
  WRONG_STATUS: 'The mutation isn’t allowed in the current status. See `fromText` for the status and `current` for the record.',
  INCOMPLETE_TASKS: 'The record has incomplete tasks. Complete them first.',
  INCOMPLETE_ADVANCED_TASKS: 'The record has incomplete advanced tasks. Complete them first.',
  MANUAL_SOLVING_DISABLED: 'The template of the problem doesn’t allow resolving it manually.',
  EXTERNAL_CALENDAR: 'The record was created in another calendar and can only be changed there.',
  AGENDA_NOT_BOOKABLE:
    'Appointments of the agenda can’t be created or changed directly, because it’s inactive or planners assign members manually.',
  SLOT_UNAVAILABLE: 'The time isn’t free or can’t be booked. Choose one of `Agenda.availableSlots`.',
  INSUFFICIENT_STOCK:
    'Fewer units are available than the mutation requires. See `product`, `location`, `availableQuantity` and `requiredQuantity`.',
  PRODUCT_INACTIVE: 'The product is inactive, so its stock can’t be changed.',
  PRODUCT_NOT_STOCKED: 'The product has no stock, because it’s a bundle or never runs out.',
  LOCATION_INACTIVE: 'The location is inactive, so its stock can’t be changed.',
  LOCATION_NOT_STOCKED: 'The location is virtual and holds no stock.',
  OTHER: 'Another condition blocks the mutation. See `message`.',
} as const satisfies Readonly<Record<string, string>>;

/** The reason why a transition is blocked, as a machine-readable code. */
export type BlockerCode = keyof typeof BLOCKER_CODES;
