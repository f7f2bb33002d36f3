// Generated from src/ by `npm run codegen`. Do not edit.
export const FAILURE_TYPES = {
  "BAD_USER_INPUT": "ValidationError",
  "NOT_FOUND": "NotFoundError",
  "FORBIDDEN": "ForbiddenError",
  "RATE_LIMITED": "RateLimitedError",
  "OUTCOME_UNKNOWN": "OutcomeUnknownError",
  "REJECTED": "RejectedError",
  "IDEMPOTENCY_KEY_REUSED": "IdempotencyKeyReusedError",
  "OPERATION_IN_PROGRESS": "OperationInProgressError",
  "VERSION_CONFLICT": "VersionConflictError",
  "TRANSITION_BLOCKED": "TransitionBlockedError"
} as const;
