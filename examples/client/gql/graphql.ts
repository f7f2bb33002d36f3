/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** How members are assigned to appointments. */
export type AgendaStrategy =
  /** The member is chosen when the appointment is booked. */
  | 'CHOOSE_USER'
  /** Planners assign members manually. Slots can’t be booked directly. */
  | 'MANUAL_ROUTING'
  /** A strategy that isn’t in this schema yet. See `strategyText`. */
  | 'OTHER'
  /** Members are assigned in turn. */
  | 'ROUND_ROBIN';

/** Measures of groups of rows. */
export type AnalyticsAggregateInput = {
  /** The fields that rows are grouped by, at most 3; all rows are one group without any. */
  dimensions?: Array<AnalyticsDimensionInput> | null | undefined;
  /** The measures: 1 to 8. */
  measures: Array<AnalyticsMeasureInput>;
};

/** Whole days in the time zone of the query, at most five years of them. */
export type AnalyticsCalendarRangeInput = {
  /** The last day, which is part of it. */
  endDate: string;
  /** The first day. */
  startDate: string;
};

/** Whether a cell has a value. */
export type AnalyticsCellStatus =
  /** There is none: a sum of no rows, or a field that is not set. */
  | 'NO_VALUE'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER'
  /** It has a value. */
  | 'READY'
  /** There is one, and it is not known: an amount of records whose prices are not settled. */
  | 'UNAVAILABLE';

/** A field that is compared with values. */
export type AnalyticsComparisonInput = {
  /** The name of the field in `analyticsCatalog`. */
  field: string;
  /** How it is compared; the field’s `operators` tell those that it takes. */
  operator: AnalyticsOperatorInput;
  /** One value, any number of them for IN and NOT_IN, none for IS_NULL and IS_NOT_NULL. */
  values?: Array<AnalyticsValueInput> | null | undefined;
};

/** The number of rows. */
export type AnalyticsCountInput = {
  /** Only rows of which this holds feed the measure; all when absent. */
  condition?: AnalyticsFilterInput | null | undefined;
  /** The name of its column, which other columns must not have; made from the rest when absent: `count`. */
  name?: string | null | undefined;
};

/** A field that rows are grouped by. */
export type AnalyticsDimensionInput = {
  /** The stretches of time that moments are grouped by, which takes a `timeRange`. Stretches without rows are left out. */
  bucket?: AnalyticsTimeBucketInput | null | undefined;
  /** The name of the field. */
  field: string;
  /** The name of its column, which other columns must not have; made from the rest when absent: `status`, or `created_at_month`. */
  name?: string | null | undefined;
};

/** The records that a query counts. The members of `AnalyticsEntity` that can be sent. */
export type AnalyticsEntityInput =
  /** Appointments. */
  | 'APPOINTMENTS'
  /** Results of appointments. */
  | 'APPOINTMENT_RESULTS'
  /** Customers and portfolios. */
  | 'CUSTOMERS'
  /** Quotes. */
  | 'OFFERS'
  /** Orders. */
  | 'ORDERS'
  /** Payments. */
  | 'PAYMENTS'
  /** Problems. */
  | 'PROBLEMS'
  /** Work orders. One order may have several of them. */
  | 'WORKORDERS';

/** A measure of one field. */
export type AnalyticsFieldMeasureInput = {
  /** Only rows of which this holds feed the measure; all when absent. */
  condition?: AnalyticsFilterInput | null | undefined;
  /** The name of the field; its `aggregations` tell those that it takes. */
  field: string;
  /** The name of its column, which other columns must not have; made from the rest when absent: `sum_total_once`, say. */
  name?: string | null | undefined;
};

/** A condition on rows: exactly one of these. At most 100 of them in a query, at most 8 within each other. */
export type AnalyticsFilterInput =
  {   /** Every one of these holds. */
  all: Array<AnalyticsFilterInput>; any?: never; compare?: never; related?: never; }
  |  { all?: never;   /** At least one of these holds. */
  any: Array<AnalyticsFilterInput>; compare?: never; related?: never; }
  |  { all?: never; any?: never;   /** A field compares so with values. */
  compare: AnalyticsComparisonInput; related?: never; }
  |  { all?: never; any?: never; compare?: never;   /** There is a row that a relationship leads to, of which a condition holds. Rows are counted once all the same. */
  related: AnalyticsRelatedInput; };

/** A value that is made of the rows of each group: exactly one of these. */
export type AnalyticsMeasureInput =
  {   /** The mean. Amounts need a dimension of their currency. */
  avg: AnalyticsFieldMeasureInput; count?: never; countDistinct?: never; max?: never; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never;   /** The number of rows. */
  count: AnalyticsCountInput; countDistinct?: never; max?: never; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never;   /** The number of different values. */
  countDistinct: AnalyticsFieldMeasureInput; max?: never; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never;   /** The largest value. Amounts need a dimension of their currency. */
  max: AnalyticsFieldMeasureInput; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never;   /** The smallest value. Amounts need a dimension of their currency. */
  min: AnalyticsFieldMeasureInput; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never; min?: never;   /** A percentile. Amounts need a dimension of their currency. */
  percentile: AnalyticsPercentileInput; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never; min?: never; percentile?: never;   /** One measure divided by another. */
  ratio: AnalyticsRatioInput; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never; min?: never; percentile?: never; ratio?: never;   /** The sum. Amounts need a dimension of their currency. */
  sum: AnalyticsFieldMeasureInput; };

/** A way to compare a field with values. Input values of `AnalyticsOperator`. */
export type AnalyticsOperatorInput =
  /** A text that has the one value in it. */
  | 'CONTAINS'
  /** Equal to the one value. */
  | 'EQ'
  /** Greater than the one value. */
  | 'GT'
  /** Greater than the one value, or equal to it. */
  | 'GTE'
  /** Equal to any of the values. */
  | 'IN'
  /** With a value; takes no values. */
  | 'IS_NOT_NULL'
  /** Without a value; takes no values. */
  | 'IS_NULL'
  /** Less than the one value. */
  | 'LT'
  /** Less than the one value, or equal to it. */
  | 'LTE'
  /** Not equal to the one value. */
  | 'NEQ'
  /** Equal to none of the values. */
  | 'NOT_IN';

/** The value that a share of the values does not exceed. */
export type AnalyticsPercentileInput = {
  /** Only rows of which this holds feed the measure; all when absent. */
  condition?: AnalyticsFilterInput | null | undefined;
  /** The name of the field. */
  field: string;
  /** The name of its column, which other columns must not have; made from the rest when absent: `percentile_disc_quantity`, say. */
  name?: string | null | undefined;
  /** The share, from 0 to 1: 0.95 is 95 %. */
  percentile: string;
};

/** A question about the records of the workspace as they are now, of at most 32 KiB. */
export type AnalyticsQueryInput = {
  /** The records that are counted, or shown. */
  entity: AnalyticsEntityInput;
  /** Only rows of which this holds; all when absent. */
  filter?: AnalyticsFilterInput | null | undefined;
  /** The most rows, 1 to 100; 100 when absent. */
  limit?: number | null | undefined;
  /** The columns of the result. */
  select: AnalyticsSelectInput;
  /** The order of the rows, the first column first. */
  sort?: Array<AnalyticsSortInput> | null | undefined;
  /** Only rows of this time; all when absent. */
  timeRange?: AnalyticsTimeRangeInput | null | undefined;
  /** The zone of days and of stretches of time; that of the workspace when absent. */
  timezone?: string | null | undefined;
};

/** A stretch of time: exactly one of these. */
export type AnalyticsRangeInput =
  {   /** From one day to another. */
  calendar: AnalyticsCalendarRangeInput; relative?: never; timestamp?: never; }
  |  { calendar?: never;   /** A period that moves with today. */
  relative: AnalyticsRelativeRangeInput; timestamp?: never; }
  |  { calendar?: never; relative?: never;   /** From one moment to another, at most five years later. */
  timestamp: DateTimeRangeInput; };

/** One measure divided by another. */
export type AnalyticsRatioInput = {
  /** The column of another one, to divide by. */
  denominator: string;
  /** The name of its column, which other columns must not have; made from the rest when absent: `won_per_count`, say. */
  name?: string | null | undefined;
  /** The column of a measure beside it, of kind INTEGER or DECIMAL, that is no ratio. */
  numerator: string;
};

/** A row that a relationship leads to. All conditions within it are of the same row. */
export type AnalyticsRelatedInput = {
  /** The condition, on fields of the entity that it leads to; any row when absent. */
  filter?: AnalyticsFilterInput | null | undefined;
  /** The name of the relationship in `analyticsCatalog`; at most 2 within each other. */
  relationship: string;
};

/** A stretch of time that moves with today, in the time zone of the query. */
export type AnalyticsRelativePeriod =
  /** Seven days, of which today is the last. */
  | 'LAST_7_DAYS'
  /** Twelve whole months, of which this one is the last. */
  | 'LAST_12_MONTHS'
  /** Thirty days, of which today is the last. */
  | 'LAST_30_DAYS'
  /** Ninety days, of which today is the last. */
  | 'LAST_90_DAYS'
  /** This month. */
  | 'THIS_MONTH'
  /** This quarter of the year. */
  | 'THIS_QUARTER'
  /** This week, from Monday. */
  | 'THIS_WEEK'
  /** This year. */
  | 'THIS_YEAR'
  /** This day. */
  | 'TODAY';

/** A stretch of time that moves with today, so that a stored query stays of use. */
export type AnalyticsRelativeRangeInput = {
  /** Whole periods that it is moved by, -24 to 24: -1 is the one before. Those of so many days are moved by their own length. 0 when absent. */
  offset?: number | null | undefined;
  /** The period. */
  period: AnalyticsRelativePeriod;
};

/** The columns of the result: exactly one of these. */
export type AnalyticsSelectInput =
  {   /** Measures of groups of rows. */
  aggregate: AnalyticsAggregateInput; records?: never; }
  |  { aggregate?: never;   /** Fields of single rows, at most 20, by their names. */
  records: Array<string>; };

/** The order of a column. Cells without a value come last either way. */
export type AnalyticsSortDirection =
  /** Rising. */
  | 'ASC'
  /** Falling. */
  | 'DESC';

/** A column that rows are sorted by. */
export type AnalyticsSortInput = {
  /** The name of a column of the result. */
  column: string;
  /** The order; rising when absent. */
  direction?: AnalyticsSortDirection | null | undefined;
};

/** The stretches of time that moments are grouped by, in the time zone of the query. Input values of `AnalyticsTimeBucket`. */
export type AnalyticsTimeBucketInput =
  /** Days. */
  | 'DAY'
  /** Months. */
  | 'MONTH'
  /** Quarters of a year. */
  | 'QUARTER'
  /** Weeks, from Monday. */
  | 'WEEK'
  /** Years. */
  | 'YEAR';

/** The rows of which a moment or a day lies in a stretch of time. */
export type AnalyticsTimeRangeInput = {
  /** The name of the field, of kind TIMESTAMP or DATE. */
  field: string;
  /** The stretch of time. */
  range: AnalyticsRangeInput;
};

/** A value to compare a field with: exactly one of these, of the kind of the field. */
export type AnalyticsValueInput =
  {   /** For BOOLEAN. */
  boolean: boolean; currentMember?: never; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never;   /** True: the member behind the key, for fields that say `supportsCurrentMember`. */
  currentMember: boolean; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never;   /** For DATE. */
  date: string; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never;   /** For DECIMAL. */
  decimal: string; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never;   /** For INTEGER. */
  integer: string; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never; integer?: never;   /** For TIMESTAMP: so many seconds after the query is executed, or before it where negative; within five years. */
  nowOffsetSeconds: string; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never;   /** For TEXT. Words of enums are as the Workspace API spells them: see `AnalyticsField.words`. */
  text: string; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never;   /** For TIMESTAMP. */
  timestamp: string; };

/** The kind of the values of a field or a column, and the field of `AnalyticsCell` that holds them. */
export type AnalyticsValueType =
  /** True or false. */
  | 'BOOLEAN'
  /** A calendar day, and the first day of a stretch of time. */
  | 'DATE'
  /** An exact decimal number. */
  | 'DECIMAL'
  /** A whole number. */
  | 'INTEGER'
  /** An amount of money. */
  | 'MONEY'
  /** A kind that this graph does not know. */
  | 'OTHER'
  /** Text, and words of enums as the Workspace API spells them. */
  | 'TEXT'
  /** A moment. */
  | 'TIMESTAMP';

/** Input of `appointmentCreate`. */
export type AppointmentCreateInput = {
  /** Agenda to book in. Must be one that `isBookable`. */
  agendaId: string;
  /** Type of appointment. Must be one of `Agenda.allowedTypes`. */
  appointmentTypeId: string;
  /** Customer that the appointment is with. */
  customerId: string;
  /** Description for the assigned member. Up to 20,000 characters. */
  description?: string | null | undefined;
  /** Duration in minutes. Must be one of `AppointmentType.allowedDurationMinutes`. Defaults to the type’s default duration. At least 1. */
  durationMinutes?: number | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** Member to assign, who must be free. Required if the agenda’s strategy is `CHOOSE_USER`. Must be omitted if it is `ROUND_ROBIN`. */
  memberId?: string | null | undefined;
  /** When the appointment starts. */
  startsAt: string;
  /** Work order that the appointment is for. Must belong to the same customer. Reopened if the appointment is canceled. */
  workOrderId?: string | null | undefined;
};

/** Input of `appointmentResultRecord`. */
export type AppointmentResultRecordInput = {
  /** The appointment. */
  appointmentId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey: string;
  /** Notes about the result. Up to 20,000 characters. */
  notes?: string | null | undefined;
  /** Result code. Must be one of `Appointment.resultCodes`. */
  resultCodeId: string;
};

/** The status of an appointment. */
export type AppointmentStatus =
  /** Canceled. */
  | 'CANCELLED'
  /** Completed. Its result is recorded. */
  | 'COMPLETED'
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER'
  /** Scheduled. No result is recorded yet. */
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

/** A stretch of time: from `from` up to, not including, `to`. */
export type DateTimeRangeInput = {
  /** The beginning. */
  from: string;
  /** The end, which must be after `from` and is not part of it. */
  to: string;
};

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

/** Input of `problemCreate`. */
export type ProblemCreateInput = {
  /** Customer to link to the problem. Required if the template has advanced tasks. */
  customerId?: string | null | undefined;
  /** Description of the problem. Defaults to the template’s description. Up to 20,000 characters. */
  description?: string | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** Portfolio that the problem belongs to. */
  portfolioId: string;
  /** Template to create the problem from. Without one, creates a general problem. */
  templateId?: string | null | undefined;
  /** Title of the problem. Defaults to the template’s title. Required without a template. Up to 200 characters. */
  title?: string | null | undefined;
};

/** Input of `problemResolve`. */
export type ProblemResolveInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** The problem. */
  problemId: string;
};

/** The status of a problem. A problem can’t return to an earlier status. */
export type ProblemStatus =
  /** Archived. Can’t be restored. */
  | 'ARCHIVED'
  /** Closed, whether it was resolved or not. Can’t be reopened. */
  | 'CLOSED'
  /** Not resolved yet. */
  | 'OPEN'
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER'
  /** Resolved. Can still be closed or archived. */
  | 'RESOLVED';

/** The status of a quote. */
export type QuoteStatus =
  /** A draft: can still be changed. Called a concept quote in the Workspace API. */
  | 'CONCEPT'
  /** Accepted: an order has been created. */
  | 'CONFIRMED'
  /** Discarded. Can’t be confirmed anymore. */
  | 'DISCARDED'
  /** A status that isn’t in this schema yet. See `statusText`. */
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

/** Input of `workOrderComplete`. */
export type WorkOrderCompleteInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** The work order. */
  workOrderId: string;
};

/** Input of `workOrderCreate`. */
export type WorkOrderCreateInput = {
  /** Customer that the work is for. */
  customerId: string;
  /** Description of the work order. Up to 20,000 characters. */
  description?: string | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** Location of the work. Must be one of `Customer.workOrderLocations`. Optional if the template prefers one of them. */
  locationId?: string | null | undefined;
  /** Tasks to add after those of the template. Up to 500 items. */
  tasks?: Array<WorkOrderTaskInput> | null | undefined;
  /** Template to create the work order from. Must be active. */
  templateId?: string | null | undefined;
  /** Title of the work order. Required without a template. Up to 200 characters. */
  title?: string | null | undefined;
};

/** The status of a work order. */
export type WorkOrderStatus =
  /** Canceled. Can’t be updated. */
  | 'CANCELLED'
  /** Completed. Can’t be updated unless canceling its appointment reopens it. */
  | 'COMPLETED'
  /** Not completed yet. */
  | 'OPEN'
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER';

/** A task of a new work order. */
export type WorkOrderTaskInput = {
  /** Text of the task. Up to 20,000 characters. */
  body: string;
};

/** A task and whether it should be completed. */
export type WorkOrderTaskStateInput = {
  /** Whether the task is completed. False reopens it. */
  isCompleted: boolean;
  /** Task to complete or reopen. */
  taskId: string;
};

/** Input of `workOrderUpdate`. */
export type WorkOrderUpdateInput = {
  /** Description of the work order. Up to 20,000 characters. */
  description?: string | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** Location of the work. Must be one of `Customer.workOrderLocations`. */
  locationId?: string | null | undefined;
  /** Tasks to complete or reopen. Other tasks stay unchanged. Up to 500 items. */
  tasks?: Array<WorkOrderTaskStateInput> | null | undefined;
  /** Title of the work order. Up to 200 characters. */
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

export type RevenueQueryVariables = Exact<{
  now: AnalyticsQueryInput;
  before: AnalyticsQueryInput;
}>;


export type RevenueQuery = { now:
    | { __typename: 'AnalyticsQueryError', message: string }
    | { __typename: 'AnalyticsResult', isTruncated: boolean, timezone: string | null, columns: Array<{ name: string, valueType: AnalyticsValueType }>, rows: Array<{ cells: Array<{ status: AnalyticsCellStatus, value: unknown }> }> }
  , before:
    | { __typename: 'AnalyticsQueryError', message: string }
    | { __typename: 'AnalyticsResult', isTruncated: boolean, timezone: string | null, columns: Array<{ name: string, valueType: AnalyticsValueType }>, rows: Array<{ cells: Array<{ status: AnalyticsCellStatus, value: unknown }> }> }
   };

type RevenueResult_AnalyticsQueryError_Fragment = { __typename: 'AnalyticsQueryError', message: string };

type RevenueResult_AnalyticsResult_Fragment = { __typename: 'AnalyticsResult', isTruncated: boolean, timezone: string | null, columns: Array<{ name: string, valueType: AnalyticsValueType }>, rows: Array<{ cells: Array<{ status: AnalyticsCellStatus, value: unknown }> }> };

export type RevenueResultFragment =
  | RevenueResult_AnalyticsQueryError_Fragment
  | RevenueResult_AnalyticsResult_Fragment
;

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

export const RevenueResultFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RevenueResult"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"valueType"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cells"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]} as unknown as DocumentNode<RevenueResultFragment, unknown>;
export const FailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<FailureFragment, unknown>;
export const FindCustomerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindCustomer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customersByIdentifier"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]} as unknown as DocumentNode<FindCustomerQuery, FindCustomerQueryVariables>;
export const QuotesPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"QuotesPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quotes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<QuotesPageQuery, QuotesPageQueryVariables>;
export const ConfirmQuoteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ConfirmQuote"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"quoteId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quoteConfirm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"quoteId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"quoteId"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteConfirmPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<ConfirmQuoteMutation, ConfirmQuoteMutationVariables>;
export const RevenueDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Revenue"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"now"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"now"},"name":{"kind":"Name","value":"analyticsQuery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"now"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RevenueResult"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"before"},"name":{"kind":"Name","value":"analyticsQuery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RevenueResult"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RevenueResult"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"valueType"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cells"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]} as unknown as DocumentNode<RevenueQuery, RevenueQueryVariables>;
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