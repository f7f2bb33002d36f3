/** Each `code` of an error, with its description: source of the `ErrorCode` enum in the schema, and of the type below. */
export const ERROR_CODES = {
  BAD_USER_INPUT: 'A value in the input, the arguments or the variables breaks a rule: `issues` tells which, where it is known.',
  INVALID_CURSOR: 'A cursor in `after` or `before` is not of this list. Start from the first page.',
  UNAUTHENTICATED: 'The request has no API key, or one that is unknown, expired or revoked.',
  FORBIDDEN: 'The API key may not do this: `missingScopes` tells what it lacks.',
  NOT_FOUND: 'There is no such record, or the key may not see it.',
  RATE_LIMITED: 'The API key has used up its calls. Wait for `retryAfterSeconds`.',
  VERSION_CONFLICT: 'The record has changed since it was read.',
  TRANSITION_BLOCKED: 'The state of the record forbids the step.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used before with other input.',
  OPERATION_IN_PROGRESS: 'A mutation with the same idempotency key is still running.',
  OUTCOME_UNKNOWN: 'The change was sent and no answer came: it may have been made.',
  REJECTED: 'The Workspace API refused for a reason that has no code of its own.',
  UPSTREAM_UNAVAILABLE: 'The Workspace API cannot be reached, or failed. Nothing was changed.',
  UPSTREAM_TIMEOUT: 'The Workspace API did not answer a read in time.',
  UPSTREAM_INVALID_RESPONSE: 'An answer of the Workspace API, or a value that it stores, cannot be shown.',
  LEDGER_UNAVAILABLE: 'Idempotency keys cannot be kept now, so the mutation was not sent.',
  QUERY_TOO_EXPENSIVE: 'The operation takes too many calls, or its answer or variables are too large. Ask for less.',
  OVERLOADED: 'The server has too much to do. Nothing was done: ask again after `retryAfterSeconds`.',
  BAD_REQUEST: 'The HTTP request is malformed: its method, headers or body.',
  REQUEST_ENTITY_TOO_LARGE: 'The body of the request is too large.',
  GRAPHQL_PARSE_FAILED: 'The document is no GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema, or is past a limit of documents.',
  OPERATION_RESOLUTION_FAILURE: 'The document has no operation of the name that is asked for, or several and none is named.',
  PERSISTED_QUERY_NOT_FOUND: 'No document is known by this hash or id. Apollo’s clients send it again with the document.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'Documents cannot be named by their hash here.',
  PERSISTED_QUERY_NOT_IN_LIST: 'Only trusted documents are executed, and none has this id.',
  PERSISTED_QUERY_ID_REQUIRED: 'Only trusted documents are executed: send the id of one.',
  INTERNAL_SERVER_ERROR: 'The server failed. Its log tells why, under the request id.',
} as const satisfies Readonly<Record<string, string>>;

/** The code of a failure: in `extensions.code` of errors and in `code` of the members of a result union. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Each `code` of a validation issue, with its description: source of the `ValidationIssueCode` enum, and of the type below. */
export const ISSUE_CODES = {
  REQUIRED: 'The value, or a part of it, is missing.',
  BLANK: 'The text is empty, or only space.',
  TOO_LONG: 'The text has too many characters, or the list too many entries: `limit` is the most.',
  TOO_SHORT: 'The text has too few characters, or the list too few entries: `limit` is the least.',
  OUT_OF_RANGE: 'The number is too small or too large: `limit` is the smallest or the largest that is allowed, where that is known.',
  INVALID_FORMAT: 'The text is not in the form that is asked for.',
  DUPLICATE: 'The value is given more than once.',
  UNKNOWN_NAME: 'Nothing has this name.',
  CANNOT_BE_CLEARED: 'The value can be changed and not be taken away.',
  NOT_ALLOWED: 'The value is none of those that are allowed here, or does not go together with another one.',
  OTHER: 'The value breaks a rule that has no code of its own: see `message`.',
} as const satisfies Readonly<Record<string, string>>;

/** Which rule a value breaks, for programs. */
export type IssueCode = keyof typeof ISSUE_CODES;

/** Each `code` of a blocker, with its description: source of the `BlockerCode` enum, and of the type below. */
export const BLOCKER_CODES = {
  WRONG_STATUS: 'The step is not for records of this status: see `fromText`, and `current` for the record.',
  INCOMPLETE_TASKS: 'Tasks of the record are incomplete: they come first.',
  INCOMPLETE_ADVANCED_TASKS: 'Advanced tasks of the record are incomplete: they come first.',
  MANUAL_SOLVING_DISABLED: 'The problem cannot be resolved by hand: its template says so.',
  EXTERNAL_CALENDAR: 'The record was made in another calendar: it can only be changed there.',
  AGENDA_NOT_BOOKABLE: 'Appointments of the agenda cannot be made or changed directly: it is inactive, or planners assign members by hand.',
  SLOT_UNAVAILABLE: 'The time is not free, or none that can be booked: choose one of `Agenda.availableSlots`.',
  OTHER: 'Something else stands in the way: see `message`.',
} as const satisfies Readonly<Record<string, string>>;

/** The reason why a step is blocked, for programs. */
export type BlockerCode = keyof typeof BLOCKER_CODES;
