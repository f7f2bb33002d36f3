/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The way in which members are assigned to appointments. */
export type AgendaStrategy =
  /** The one who books chooses the member. */
  | 'CHOOSE_USER'
  /** Planners assign members by hand. No time can be booked directly. */
  | 'MANUAL_ROUTING'
  /** A way that this graph does not know: see `strategyText`. */
  | 'OTHER'
  /** Members are picked in turn. */
  | 'ROUND_ROBIN';

/** The input of `appointmentCreate`. */
export type AppointmentCreateInput = {
  /** The agenda: one that `isBookable`. */
  agendaId: string;
  /** The type of appointment: one of `Agenda.allowedTypes`. */
  appointmentTypeId: string;
  /** The customer. */
  customerId: string;
  /** A description for the member who goes, at most 20,000 characters. */
  description?: string | null | undefined;
  /** The minutes that it takes: one of `AppointmentType.allowedDurationMinutes`, at least 1. The default of the type when absent. */
  durationMinutes?: number | null | undefined;
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey?: string | null | undefined;
  /** The member: one who is free. Must be given where the strategy of the agenda is CHOOSE_USER, and left out where members are picked in turn. */
  memberId?: string | null | undefined;
  /** The start. */
  startsAt: string;
  /** The work order that it is for: one of the same customer. It is opened again when the appointment is cancelled. */
  workOrderId?: string | null | undefined;
};

/** The input of `appointmentResultRecord`. */
export type AppointmentResultRecordInput = {
  /** The appointment. */
  appointmentId: string;
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey: string;
  /** Remarks, at most 20,000 characters. */
  notes?: string | null | undefined;
  /** The code of the result: one of `Appointment.resultCodes`. */
  resultCodeId: string;
};

/** The stage of an appointment. */
export type AppointmentStatus =
  /** Called off. */
  | 'CANCELLED'
  /** Over: its result is recorded. */
  | 'COMPLETED'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER'
  /** Planned, and without a result. */
  | 'SCHEDULED';

/** The reason why a step is blocked, for programs. New codes may be added. */
export type BlockerCode =
  /** Appointments of the agenda cannot be made or changed directly: it is inactive, or planners assign members by hand. */
  | 'AGENDA_NOT_BOOKABLE'
  /** The record was made in another calendar: it can only be changed there. */
  | 'EXTERNAL_CALENDAR'
  /** Advanced tasks of the record are incomplete: they come first. */
  | 'INCOMPLETE_ADVANCED_TASKS'
  /** Tasks of the record are incomplete: they come first. */
  | 'INCOMPLETE_TASKS'
  /** The problem cannot be resolved by hand: its template says so. */
  | 'MANUAL_SOLVING_DISABLED'
  /** Something else stands in the way: see `message`. */
  | 'OTHER'
  /** The time is not free, or none that can be booked: choose one of `Agenda.availableSlots`. */
  | 'SLOT_UNAVAILABLE'
  /** The step is not for records of this status: see `fromText`, and `current` for the record. */
  | 'WRONG_STATUS';

/** The code of a failure, for programs: `extensions.code` of errors, and `code` of the members of a result union. New codes may be added. */
export type ErrorCode =
  /** The HTTP request is malformed: its method, headers or body. */
  | 'BAD_REQUEST'
  /** A value in the input, the arguments or the variables breaks a rule: `issues` tells which, where it is known. */
  | 'BAD_USER_INPUT'
  /** The API key may not do this: `missingScopes` tells what it lacks. */
  | 'FORBIDDEN'
  /** The document is no GraphQL. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The document does not fit the schema, or is past a limit of documents. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** The idempotency key was used before with other input. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The server failed. Its log tells why, under the request id. */
  | 'INTERNAL_SERVER_ERROR'
  /** A cursor in `after` or `before` is not of this list. Start from the first page. */
  | 'INVALID_CURSOR'
  /** Idempotency keys cannot be kept now, so the mutation was not sent. */
  | 'LEDGER_UNAVAILABLE'
  /** There is no such record, or the key may not see it. */
  | 'NOT_FOUND'
  /** A mutation with the same idempotency key is still running. */
  | 'OPERATION_IN_PROGRESS'
  /** The document has no operation of the name that is asked for, or several and none is named. */
  | 'OPERATION_RESOLUTION_FAILURE'
  /** The change was sent and no answer came: it may have been made. */
  | 'OUTCOME_UNKNOWN'
  /** The server has too much to do. Nothing was done: ask again after `retryAfterSeconds`. */
  | 'OVERLOADED'
  /** Only trusted documents are executed: send the id of one. */
  | 'PERSISTED_QUERY_ID_REQUIRED'
  /** No document is known by this hash or id. Apollo’s clients send it again with the document. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** Only trusted documents are executed, and none has this id. */
  | 'PERSISTED_QUERY_NOT_IN_LIST'
  /** Documents cannot be named by their hash here. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The operation takes too many calls, or its answer or variables are too large. Ask for less. */
  | 'QUERY_TOO_EXPENSIVE'
  /** The API key has used up its calls. Wait for `retryAfterSeconds`. */
  | 'RATE_LIMITED'
  /** The Workspace API refused for a reason that has no code of its own. */
  | 'REJECTED'
  /** The body of the request is too large. */
  | 'REQUEST_ENTITY_TOO_LARGE'
  /** The state of the record forbids the step. */
  | 'TRANSITION_BLOCKED'
  /** The request has no API key, or one that is unknown, expired or revoked. */
  | 'UNAUTHENTICATED'
  /** An answer of the Workspace API, or a value that it stores, cannot be shown. */
  | 'UPSTREAM_INVALID_RESPONSE'
  /** The Workspace API did not answer a read in time. */
  | 'UPSTREAM_TIMEOUT'
  /** The Workspace API cannot be reached, or failed. Nothing was changed. */
  | 'UPSTREAM_UNAVAILABLE'
  /** The record has changed since it was read. */
  | 'VERSION_CONFLICT';

/** The reason why a key may not do something. */
export type ForbiddenReason =
  /** The key may not be used from the address that the Workspace API sees, which is that of the graph: the addresses that the key allows must include it. */
  | 'ADDRESS'
  /** The key lacks a scope. Nothing was sent. */
  | 'MISSING_SCOPE'
  /** The key has the scopes; the account behind it lacks the permission, or access to this record. */
  | 'PERMISSION_OR_RESOURCE'
  /** A scope, the permission or access to the record is missing, and nobody can say which: the Workspace API does not tell the scopes of this key, has changed them, or does not count a wildcard among them. */
  | 'UNDETERMINED';

/** The input of `problemCreate`. */
export type ProblemCreateInput = {
  /** The customer to link it to. Required when the template has advanced tasks. */
  customerId?: string | null | undefined;
  /** The description; that of the template when absent, at most 20,000 characters. */
  description?: string | null | undefined;
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey?: string | null | undefined;
  /** The portfolio that it belongs to. */
  portfolioId: string;
  /** The template to make it from; a general problem when absent. */
  templateId?: string | null | undefined;
  /** The title, at most 200 characters. That of the template when absent; required without a template. */
  title?: string | null | undefined;
};

/** The input of `problemResolve`. */
export type ProblemResolveInput = {
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey?: string | null | undefined;
  /** The problem. */
  problemId: string;
};

/** The stage of a problem. No step leads back. */
export type ProblemStatus =
  /** Put away. */
  | 'ARCHIVED'
  /** Done with, solved or not. */
  | 'CLOSED'
  /** To be solved. */
  | 'OPEN'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER'
  /** Solved. */
  | 'RESOLVED';

/** The stage of a quote. */
export type QuoteStatus =
  /** Being worked on. */
  | 'CONCEPT'
  /** Accepted: it has become an order. */
  | 'CONFIRMED'
  /** Given up. */
  | 'DISCARDED'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER';

/** The effect of sending the same request again. */
export type RetryAdvice =
  /** The request may have been done, and a repeat may do it again: look before you send it again. */
  | 'CHECK_FIRST'
  /** The request fails again: change it first. */
  | 'NEVER'
  /** Nothing was done, or a repeat does nothing more: send it again, after `retryAfterSeconds` where that is told. */
  | 'SAFE'
  /** Send it again with the same idempotency key: it is not done twice. With another key it may be. */
  | 'SAME_KEY';

/** Which rule a value breaks, for programs. New codes may be added. */
export type ValidationIssueCode =
  /** The text is empty, or only space. */
  | 'BLANK'
  /** The value can be changed and not be taken away. */
  | 'CANNOT_BE_CLEARED'
  /** The value is given more than once. */
  | 'DUPLICATE'
  /** The text is not in the form that is asked for. */
  | 'INVALID_FORMAT'
  /** The value is none of those that are allowed here, or does not go together with another one. */
  | 'NOT_ALLOWED'
  /** The value breaks a rule that has no code of its own: see `message`. */
  | 'OTHER'
  /** The number is too small or too large: `limit` is the smallest or the largest that is allowed, where that is known. */
  | 'OUT_OF_RANGE'
  /** The value, or a part of it, is missing. */
  | 'REQUIRED'
  /** The text has too many characters, or the list too many entries: `limit` is the most. */
  | 'TOO_LONG'
  /** The text has too few characters, or the list too few entries: `limit` is the least. */
  | 'TOO_SHORT'
  /** Nothing has this name. */
  | 'UNKNOWN_NAME';

/** The input of `workOrderComplete`. */
export type WorkOrderCompleteInput = {
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey?: string | null | undefined;
  /** The work order. */
  workOrderId: string;
};

/** The input of `workOrderCreate`. */
export type WorkOrderCreateInput = {
  /** The customer. */
  customerId: string;
  /** The description, at most 20,000 characters. */
  description?: string | null | undefined;
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey?: string | null | undefined;
  /** The place where the work is done: one of `Customer.workOrderLocations`. May be left out when the template prefers one of them. */
  locationId?: string | null | undefined;
  /** Further tasks, at most 500. */
  tasks?: Array<WorkOrderTaskInput> | null | undefined;
  /** The template to make it from: an active one. */
  templateId?: string | null | undefined;
  /** The title, at most 200 characters. Must be given without a template. */
  title?: string | null | undefined;
};

/** The stage of a work order. */
export type WorkOrderStatus =
  /** Given up. Nothing can be changed any more. */
  | 'CANCELLED'
  /** Done. Nothing can be changed any more. */
  | 'COMPLETED'
  /** To be done. */
  | 'OPEN'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER';

/** A task of a new work order. */
export type WorkOrderTaskInput = {
  /** The text of the task, at most 20,000 characters. */
  body: string;
};

/** The state that a task is to have. */
export type WorkOrderTaskStateInput = {
  /** Whether it is done. */
  isCompleted: boolean;
  /** The task. */
  taskId: string;
};

/** The input of `workOrderUpdate`. */
export type WorkOrderUpdateInput = {
  /** The description, at most 20,000 characters. */
  description?: string | null | undefined;
  /** A key for this act, such as a UUID. Send the same key when you retry, so that the act is done once. */
  idempotencyKey?: string | null | undefined;
  /** The place where the work is done: one of `Customer.workOrderLocations`. */
  locationId?: string | null | undefined;
  /** The tasks to complete, or to take up again, at most 500. The others stay as they are. */
  tasks?: Array<WorkOrderTaskStateInput> | null | undefined;
  /** The title, at most 200 characters. */
  title?: string | null | undefined;
  /** The work order. */
  workOrderId: string;
};

export type FindCustomerQueryVariables = Exact<{
  referenceNumber: string;
}>;


export type FindCustomerQuery = { customersByIdentifier: Array<{ id: string, title: string | null }> };

export type QuotesPageQueryVariables = Exact<{
  customerId: string;
  after?: string | null | undefined;
}>;


export type QuotesPageQuery = { customer: { quotes: { nodes: Array<{ id: string, referenceNumber: string | null, title: string | null, status: QuoteStatus, totalOnce: { amount: string, currencyCode: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ConfirmQuoteMutationVariables = Exact<{
  quoteId: string;
}>;


export type ConfirmQuoteMutation = { quoteConfirm:
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'QuoteConfirmPayload', order: { referenceNumber: string | null, totalOnce: { amount: string, currencyCode: string } } }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
   };

export type FindPortfolioQueryVariables = Exact<{
  referenceNumber: string;
}>;


export type FindPortfolioQuery = { customersByIdentifier: Array<{ rawId: string, title: string | null, contact: { id: string } | null, workOrderLocations: Array<{ id: string, label: string | null }> }> };

export type ReportProblemMutationVariables = Exact<{
  input: ProblemCreateInput;
}>;


export type ReportProblemMutation = { problemCreate:
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ProblemCreatePayload', problem: { id: string } }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
   };

export type OrderWorkMutationVariables = Exact<{
  input: WorkOrderCreateInput;
}>;


export type OrderWorkMutation = { workOrderCreate:
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
    | { __typename: 'WorkOrderCreatePayload', workOrder: { id: string, tasks: { nodes: Array<{ id: string }> } } }
   };

export type AgendasQueryVariables = Exact<{ [key: string]: never; }>;


export type AgendasQuery = { agendas: Array<{ id: string, name: string, strategy: AgendaStrategy, isBookable: boolean, allowedTypes: Array<{ id: string, name: string }> | null }> };

export type SlotsOfDayQueryVariables = Exact<{
  agendaId: string;
  appointmentTypeId: string;
  day: string;
}>;


export type SlotsOfDayQuery = { agenda: { availableSlots: Array<{ startsAt: string }> } | null };

export type BookVisitMutationVariables = Exact<{
  input: AppointmentCreateInput;
}>;


export type BookVisitMutation = { appointmentCreate:
    | { __typename: 'AppointmentCreatePayload', appointment: { id: string, startsAt: string, member: { displayName: string } | null, resultCodes: Array<{ id: string, name: string, isSuccess: boolean }> } }
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
   };

export type RecordVisitMutationVariables = Exact<{
  input: AppointmentResultRecordInput;
}>;


export type RecordVisitMutation = { appointmentResultRecord:
    | { __typename: 'AppointmentResultRecordPayload', appointment: { status: AppointmentStatus } }
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
   };

export type CompleteTasksMutationVariables = Exact<{
  input: WorkOrderUpdateInput;
}>;


export type CompleteTasksMutation = { workOrderUpdate:
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
    | { __typename: 'WorkOrderUpdatePayload', workOrder: { id: string } }
   };

export type CompleteWorkMutationVariables = Exact<{
  input: WorkOrderCompleteInput;
}>;


export type CompleteWorkMutation = { workOrderComplete:
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
    | { __typename: 'WorkOrderCompletePayload', workOrder: { status: WorkOrderStatus } }
   };

export type SolveProblemMutationVariables = Exact<{
  input: ProblemResolveInput;
}>;


export type SolveProblemMutation = { problemResolve:
    | { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ProblemResolvePayload', problem: { status: ProblemStatus } }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
        | { __typename: 'ActionRequest' }
        | { __typename: 'Appointment' }
        | { __typename: 'Customer', id: string }
        | { __typename: 'InventoryReceipt', id: string }
        | { __typename: 'Invoice' }
        | { __typename: 'Order', id: string, version: string }
        | { __typename: 'Payment' }
        | { __typename: 'Problem' }
        | { __typename: 'Quote', id: string, version: string }
        | { __typename: 'WorkOrder' }
       | null }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> }
   };

type Failure_ForbiddenError_Fragment = { __typename: 'ForbiddenError', reason: ForbiddenReason, missingScopes: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_IdempotencyKeyReusedError_Fragment = { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_NotFoundError_Fragment = { __typename: 'NotFoundError', missingId: string | null, path: Array<string>, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_OperationInProgressError_Fragment = { __typename: 'OperationInProgressError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_OutcomeUnknownError_Fragment = { __typename: 'OutcomeUnknownError', operation: string, idempotencyKey: string | null, startedAt: string, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_RateLimitedError_Fragment = { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_RejectedError_Fragment = { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice };

type Failure_TransitionBlockedError_Fragment = { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }>, current:
    | { __typename: 'ActionRequest' }
    | { __typename: 'Appointment' }
    | { __typename: 'Customer', id: string }
    | { __typename: 'InventoryReceipt', id: string }
    | { __typename: 'Invoice' }
    | { __typename: 'Order', id: string, version: string }
    | { __typename: 'Payment' }
    | { __typename: 'Problem' }
    | { __typename: 'Quote', id: string, version: string }
    | { __typename: 'WorkOrder' }
   | null };

type Failure_ValidationError_Fragment = { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, code: ValidationIssueCode, limit: number | null, message: string }> };

type Failure_VersionConflictError_Fragment = { __typename: 'VersionConflictError', expectedVersion: string, currentVersion: string | null, code: ErrorCode, message: string, retry: RetryAdvice, current:
    | { __typename: 'Order', id: string, version: string }
    | { __typename: 'Quote', id: string, version: string }
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

export const FailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<FailureFragment, unknown>;
export const FindCustomerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindCustomer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customersByIdentifier"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]} as unknown as DocumentNode<FindCustomerQuery, FindCustomerQueryVariables>;
export const QuotesPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"QuotesPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quotes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<QuotesPageQuery, QuotesPageQueryVariables>;
export const ConfirmQuoteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ConfirmQuote"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"quoteId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quoteConfirm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"quoteId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"quoteId"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteConfirmPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<ConfirmQuoteMutation, ConfirmQuoteMutationVariables>;
export const FindPortfolioDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindPortfolio"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customersByIdentifier"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rawId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workOrderLocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}}]}}]}}]}}]} as unknown as DocumentNode<FindPortfolioQuery, FindPortfolioQueryVariables>;
export const ReportProblemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReportProblem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problemCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<ReportProblemMutation, ReportProblemMutationVariables>;
export const OrderWorkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OrderWork"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrderCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrder"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tasks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<OrderWorkMutation, OrderWorkMutationVariables>;
export const AgendasDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Agendas"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agendas"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"strategy"}},{"kind":"Field","name":{"kind":"Name","value":"isBookable"}},{"kind":"Field","name":{"kind":"Name","value":"allowedTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<AgendasQuery, AgendasQueryVariables>;
export const SlotsOfDayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SlotsOfDay"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agendaId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"appointmentTypeId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"day"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Date"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agenda"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agendaId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"availableSlots"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"day"},"value":{"kind":"Variable","name":{"kind":"Name","value":"day"}}},{"kind":"Argument","name":{"kind":"Name","value":"appointmentTypeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"appointmentTypeId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startsAt"}}]}}]}}]}}]} as unknown as DocumentNode<SlotsOfDayQuery, SlotsOfDayQueryVariables>;
export const BookVisitDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BookVisit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointmentCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resultCodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSuccess"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<BookVisitMutation, BookVisitMutationVariables>;
export const RecordVisitDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RecordVisit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentResultRecordInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointmentResultRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentResultRecordPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<RecordVisitMutation, RecordVisitMutationVariables>;
export const CompleteTasksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CompleteTasks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderUpdateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrderUpdate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderUpdatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrder"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<CompleteTasksMutation, CompleteTasksMutationVariables>;
export const CompleteWorkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CompleteWork"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCompleteInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrderComplete"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCompletePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrder"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<CompleteWorkMutation, CompleteWorkMutationVariables>;
export const SolveProblemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SolveProblem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemResolveInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problemResolve"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemResolvePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<SolveProblemMutation, SolveProblemMutationVariables>;