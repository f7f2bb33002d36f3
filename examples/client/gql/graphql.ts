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
  /** A strategy that isn’t in this schema yet. See `strategyText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Members are assigned in turn. */
  | 'ROUND_ROBIN';

/** Measures to compute for groups of rows. */
export type AnalyticsAggregateInput = {
  /** Fields to group rows by. Up to 3 items. Without dimensions, all rows form one group. */
  dimensions?: Array<AnalyticsDimensionInput> | null | undefined;
  /** Measures to compute. 1–8 items. */
  measures: Array<AnalyticsMeasureInput>;
};

/** A range of whole days in the time zone of the query. Up to five years. */
export type AnalyticsCalendarRangeInput = {
  /** Last day of the range, inclusive. */
  endDate: string;
  /** First day of the range. */
  startDate: string;
};

/** Whether a cell has a value. */
export type AnalyticsCellStatus =
  /** There is no value, as for a sum of no rows or a field that isn’t set. */
  | 'NO_VALUE'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** The cell has a value. */
  | 'READY'
  /** There is a value, but it isn’t known: an amount of records whose prices aren’t settled. */
  | 'UNAVAILABLE';

/** A comparison of a field with values. */
export type AnalyticsComparisonInput = {
  /** Name of the field in `analyticsCatalog`. */
  field: string;
  /** Comparison operator. Must be one of the field’s `operators`. */
  operator: AnalyticsOperator;
  /** Values to compare with. At least one for `IN` and `NOT_IN`, none for `IS_NULL` and `IS_NOT_NULL`, exactly one for other operators. */
  values?: Array<AnalyticsValueInput> | null | undefined;
};

/** A measure that counts rows. */
export type AnalyticsCountInput = {
  /** Includes only rows that match in the measure. Defaults to all rows. */
  condition?: AnalyticsFilterInput | null | undefined;
  /** Name of the column, unique within the query. Defaults to a generated name, such as `count`. */
  name?: string | null | undefined;
};

/** A field to group rows by. */
export type AnalyticsDimensionInput = {
  /** Time interval to group timestamps by. Requires a `timeRange`. Intervals without rows are omitted. */
  bucket?: AnalyticsTimeBucket | null | undefined;
  /** Name of the field. */
  field: string;
  /** Name of the column, unique within the query. Defaults to a generated name, such as `status` or `created_at_month`. */
  name?: string | null | undefined;
};

/** The kind of records that a query reads. */
export type AnalyticsEntity =
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
  /** An entity that isn’t in this schema yet. Only returned, not accepted as input. */
  | 'OTHER'
  /** Payments. */
  | 'PAYMENTS'
  /** Problems. */
  | 'PROBLEMS'
  /** Work orders. An order can have several. */
  | 'WORKORDERS';

/** A measure that aggregates the values of one field. */
export type AnalyticsFieldMeasureInput = {
  /** Includes only rows that match in the measure. Defaults to all rows. */
  condition?: AnalyticsFilterInput | null | undefined;
  /** Name of the field. Its `aggregations` must include the aggregation. */
  field: string;
  /** Name of the column, unique within the query. Defaults to a generated name, such as `sum_total_once`. */
  name?: string | null | undefined;
};

/** A condition on rows. Specify exactly one field. A query can have up to 100 conditions, nested up to 8 levels deep. */
export type AnalyticsFilterInput =
  {   /** Matches if all of these conditions match. */
  all: Array<AnalyticsFilterInput>; any?: never; compare?: never; related?: never; }
  |  { all?: never;   /** Matches if at least one of these conditions matches. */
  any: Array<AnalyticsFilterInput>; compare?: never; related?: never; }
  |  { all?: never; any?: never;   /** Matches if the comparison is true. */
  compare: AnalyticsComparisonInput; related?: never; }
  |  { all?: never; any?: never; compare?: never;   /** Matches if there is a related row that fulfills a condition. A row with several such related rows is still counted once. */
  related: AnalyticsRelatedInput; };

/** A value that is computed from the rows of each group. Specify exactly one field. */
export type AnalyticsMeasureInput =
  {   /** Mean of a field’s values. Amounts require a dimension of their currency. */
  avg: AnalyticsFieldMeasureInput; count?: never; countDistinct?: never; max?: never; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never;   /** Number of rows. */
  count: AnalyticsCountInput; countDistinct?: never; max?: never; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never;   /** Number of distinct values of a field. */
  countDistinct: AnalyticsFieldMeasureInput; max?: never; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never;   /** Largest value of a field. Amounts require a dimension of their currency. */
  max: AnalyticsFieldMeasureInput; min?: never; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never;   /** Smallest value of a field. Amounts require a dimension of their currency. */
  min: AnalyticsFieldMeasureInput; percentile?: never; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never; min?: never;   /** Percentile of a field’s values. Amounts require a dimension of their currency. */
  percentile: AnalyticsPercentileInput; ratio?: never; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never; min?: never; percentile?: never;   /** One measure divided by another. */
  ratio: AnalyticsRatioInput; sum?: never; }
  |  { avg?: never; count?: never; countDistinct?: never; max?: never; min?: never; percentile?: never; ratio?: never;   /** Sum of a field’s values. Amounts require a dimension of their currency. */
  sum: AnalyticsFieldMeasureInput; };

/** An operator that compares a field with values. */
export type AnalyticsOperator =
  /** Text that contains the value. */
  | 'CONTAINS'
  /** Equal to the value. */
  | 'EQ'
  /** Greater than the value. */
  | 'GT'
  /** Greater than or equal to the value. */
  | 'GTE'
  /** Equal to one of the values. */
  | 'IN'
  /** The field has a value. Accepts no values. */
  | 'IS_NOT_NULL'
  /** The field has no value. Accepts no values. */
  | 'IS_NULL'
  /** Less than the value. */
  | 'LT'
  /** Less than or equal to the value. */
  | 'LTE'
  /** Not equal to the value. */
  | 'NEQ'
  /** Equal to none of the values. */
  | 'NOT_IN'
  /** A value that isn’t in this schema yet. Only returned, not accepted as input. */
  | 'OTHER';

/** A measure that returns the value that a given share of the values doesn’t exceed. */
export type AnalyticsPercentileInput = {
  /** Includes only rows that match in the measure. Defaults to all rows. */
  condition?: AnalyticsFilterInput | null | undefined;
  /** Name of the field. */
  field: string;
  /** Name of the column, unique within the query. Defaults to a generated name, such as `percentile_disc_quantity`. */
  name?: string | null | undefined;
  /** Share of the values, from 0 to 1: 0.95 means 95%. */
  percentile: string;
};

/** A query on the current records of the workspace. Up to 32 KiB. */
export type AnalyticsQueryInput = {
  /** Entity to query. */
  entity: AnalyticsEntity;
  /** Includes only rows that match. Defaults to all rows. */
  filter?: AnalyticsFilterInput | null | undefined;
  /** Maximum number of rows. 1–100, default 100. */
  limit?: number | null | undefined;
  /** Columns of the result. */
  select: AnalyticsSelectInput;
  /** Columns to sort the rows by, in order of precedence. */
  sort?: Array<AnalyticsSortInput> | null | undefined;
  /** Includes only rows in this time range. Defaults to all rows. */
  timeRange?: AnalyticsTimeRangeInput | null | undefined;
  /** Time zone of days and time intervals. Defaults to the time zone of the workspace. */
  timezone?: string | null | undefined;
};

/** A time range. Specify exactly one field. */
export type AnalyticsRangeInput =
  {   /** Range of calendar days. */
  calendar: AnalyticsCalendarRangeInput; relative?: never; timestamp?: never; }
  |  { calendar?: never;   /** Range relative to today. */
  relative: AnalyticsRelativeRangeInput; timestamp?: never; }
  |  { calendar?: never; relative?: never;   /** Range between two timestamps. Up to five years. */
  timestamp: DateTimeRangeInput; };

/** A measure that divides one measure by another. */
export type AnalyticsRatioInput = {
  /** Column name of the measure to divide by. The same restrictions apply. */
  denominator: string;
  /** Name of the column, unique within the query. Defaults to a generated name, such as `won_per_count`. */
  name?: string | null | undefined;
  /** Column name of the measure to divide. Must be an `INTEGER` or `DECIMAL` measure of the same query, but not a ratio. */
  numerator: string;
};

/** A condition on related rows. All nested conditions apply to the same related row. */
export type AnalyticsRelatedInput = {
  /** Condition on fields of the related entity. Defaults to any related row. */
  filter?: AnalyticsFilterInput | null | undefined;
  /** Name of the relationship in `analyticsCatalog`. Can be nested up to 2 levels deep. */
  relationship: string;
};

/** A time range relative to today, in the time zone of the query. */
export type AnalyticsRelativePeriod =
  /** The last 7 days, including today. */
  | 'LAST_7_DAYS'
  /** The last 12 calendar months, including the current one. */
  | 'LAST_12_MONTHS'
  /** The last 30 days, including today. */
  | 'LAST_30_DAYS'
  /** The last 90 days, including today. */
  | 'LAST_90_DAYS'
  /** The current month. */
  | 'THIS_MONTH'
  /** The current calendar quarter. */
  | 'THIS_QUARTER'
  /** The current week, starting on Monday. */
  | 'THIS_WEEK'
  /** The current year. */
  | 'THIS_YEAR'
  /** The current day. */
  | 'TODAY';

/** A time range relative to today, so that a stored query stays useful. */
export type AnalyticsRelativeRangeInput = {
  /** Number of periods to shift the range by. -24 to 24, default 0. For example, -1 is the previous period. Periods of several days are shifted by their own length. */
  offset?: number | null | undefined;
  /** Period relative to today. */
  period: AnalyticsRelativePeriod;
};

/** The columns of the result. Specify exactly one field. */
export type AnalyticsSelectInput =
  {   /** Returns measures of groups of rows. */
  aggregate: AnalyticsAggregateInput; records?: never; }
  |  { aggregate?: never;   /** Returns individual rows with these fields. 1–20 field names. */
  records: Array<string>; };

/** A column to sort rows by. */
export type AnalyticsSortInput = {
  /** Name of a column of the result. */
  column: string;
  /** Sort direction. Defaults to ascending. Cells without a value come last in both directions. */
  direction?: SortDirection | null | undefined;
};

/** A time interval that timestamps are grouped by, in the time zone of the query. */
export type AnalyticsTimeBucket =
  /** Calendar days. */
  | 'DAY'
  /** Calendar months. */
  | 'MONTH'
  /** A value that isn’t in this schema yet. See `bucketText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Calendar quarters. */
  | 'QUARTER'
  /** Weeks starting on Monday. */
  | 'WEEK'
  /** Calendar years. */
  | 'YEAR';

/** Restricts a query to rows whose timestamp or date is in a time range. */
export type AnalyticsTimeRangeInput = {
  /** Name of a field of type `TIMESTAMP` or `DATE`. */
  field: string;
  /** Time range that the field’s value must be in. */
  range: AnalyticsRangeInput;
};

/** A value to compare a field with. Specify exactly one field, the one that matches the type of the compared field. */
export type AnalyticsValueInput =
  {   /** Value for a `BOOLEAN` field. */
  boolean: boolean; currentMember?: never; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never;   /** Set to true to compare with the key’s member. Requires a field with `supportsCurrentMember`. */
  currentMember: boolean; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never;   /** Value for a `DATE` field. */
  date: string; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never;   /** Value for a `DECIMAL` field. */
  decimal: string; integer?: never; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never;   /** Value for an `INTEGER` field. */
  integer: string; nowOffsetSeconds?: never; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never; integer?: never;   /** Value for a `TIMESTAMP` field, in seconds after the query is executed. Negative values are before it. Within five years. */
  nowOffsetSeconds: string; text?: never; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never;   /** Value for a `TEXT` field. Enum values are spelled as in this schema, such as `CANCELLED`: see `AnalyticsField.words`. The spelling of the Workspace API is accepted too. */
  text: string; timestamp?: never; }
  |  { boolean?: never; currentMember?: never; date?: never; decimal?: never; integer?: never; nowOffsetSeconds?: never; text?: never;   /** Value for a `TIMESTAMP` field. */
  timestamp: string; };

/** The type of a field or column. Determines which field of `AnalyticsCell` contains the value. */
export type AnalyticsValueType =
  /** True or false. */
  | 'BOOLEAN'
  /** A calendar date. Time intervals are represented by their first day. */
  | 'DATE'
  /** An exact decimal number. */
  | 'DECIMAL'
  /** A whole number. */
  | 'INTEGER'
  /** An amount of money. */
  | 'MONEY'
  /** A value that isn’t in this schema yet. See `valueTypeText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Text, or an enum value as spelled in this schema, such as `CANCELLED`. */
  | 'TEXT'
  /** A point in time. */
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
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
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
  /** Global or raw ID of the appointment. */
  appointmentId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
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
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Scheduled. No result is recorded yet. */
  | 'SCHEDULED';

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

/** A time range. */
export type DateTimeRangeInput = {
  /** Start of the range, inclusive. */
  gte: string;
  /** End of the range, exclusive. Must be after `gte`. */
  lt: string;
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

/** Input of `problemCreate`. */
export type ProblemCreateInput = {
  /** Customer to link to the problem. Required if the template has advanced tasks. */
  customerId?: string | null | undefined;
  /** Description of the problem. Defaults to the template’s description. Up to 20,000 characters. */
  description?: string | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
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
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** Global or raw ID of the problem. */
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
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
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
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER';

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

/** A sort direction. Rows without a value come last in both directions. */
export type SortDirection =
  /** Ascending. */
  | 'ASC'
  /** Descending. */
  | 'DESC';

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

/** Input of `workOrderComplete`. */
export type WorkOrderCompleteInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** Global or raw ID of the work order. */
  workOrderId: string;
};

/** Input of `workOrderCreate`. */
export type WorkOrderCreateInput = {
  /** Customer that the work is for. */
  customerId: string;
  /** Description of the work order. Up to 20,000 characters. */
  description?: string | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
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
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
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
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** Location of the work. Must be one of `Customer.workOrderLocations`. */
  locationId?: string | null | undefined;
  /** Tasks to complete or reopen. Other tasks stay unchanged. Up to 500 items. */
  tasks?: Array<WorkOrderTaskStateInput> | null | undefined;
  /** Title of the work order. Up to 200 characters. */
  title?: string | null | undefined;
  /** Global or raw ID of the work order. */
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
    | { __typename: 'QuoteConfirmPayload', order: { referenceNumber: string | null, totalOnce: { amount: string, currencyCode: string } } | null }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
    | { __typename: 'ProblemCreatePayload', problem: { id: string } | null }
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
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
    | { __typename: 'WorkOrderCreatePayload', workOrder: { id: string, tasks: { nodes: Array<{ id: string }> } } | null }
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
    | { __typename: 'AppointmentCreatePayload', appointment: { id: string, startsAt: string, member: { displayName: string } | null, resultCodes: Array<{ id: string, name: string, isSuccess: boolean }> } | null }
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
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
    | { __typename: 'AppointmentResultRecordPayload', appointment: { status: AppointmentStatus } | null }
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
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
    | { __typename: 'WorkOrderUpdatePayload', workOrder: { id: string } | null }
   };

export type CompleteWorkMutationVariables = Exact<{
  input: WorkOrderCompleteInput;
}>;


export type CompleteWorkMutation = { workOrderComplete:
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
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
    | { __typename: 'WorkOrderCompletePayload', workOrder: { status: WorkOrderStatus } | null }
   };

export type SolveProblemMutationVariables = Exact<{
  input: ProblemResolveInput;
}>;


export type SolveProblemMutation = { problemResolve:
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
    | { __typename: 'ProblemResolvePayload', problem: { status: ProblemStatus } | null }
    | { __typename: 'RateLimitedError', retryAfterSeconds: number | null, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', reasonCode: string | null, httpStatus: number, code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, path: Array<string>, message: string }>, current:
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
export const FailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<FailureFragment, unknown>;
export const FindCustomerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindCustomer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customersByIdentifier"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]} as unknown as DocumentNode<FindCustomerQuery, FindCustomerQueryVariables>;
export const QuotesPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"QuotesPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quotes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<QuotesPageQuery, QuotesPageQueryVariables>;
export const ConfirmQuoteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ConfirmQuote"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"quoteId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quoteConfirm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"quoteId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"quoteId"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteConfirmPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<ConfirmQuoteMutation, ConfirmQuoteMutationVariables>;
export const RevenueDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Revenue"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"now"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"now"},"name":{"kind":"Name","value":"analyticsQuery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"now"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RevenueResult"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"before"},"name":{"kind":"Name","value":"analyticsQuery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RevenueResult"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RevenueResult"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"valueType"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cells"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]} as unknown as DocumentNode<RevenueQuery, RevenueQueryVariables>;
export const FindPortfolioDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindPortfolio"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customersByIdentifier"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"referenceNumber"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rawId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workOrderLocations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}}]}}]}}]}}]} as unknown as DocumentNode<FindPortfolioQuery, FindPortfolioQueryVariables>;
export const ReportProblemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReportProblem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problemCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<ReportProblemMutation, ReportProblemMutationVariables>;
export const OrderWorkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"OrderWork"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrderCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrder"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tasks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<OrderWorkMutation, OrderWorkMutationVariables>;
export const AgendasDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Agendas"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agendas"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"strategy"}},{"kind":"Field","name":{"kind":"Name","value":"isBookable"}},{"kind":"Field","name":{"kind":"Name","value":"allowedTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<AgendasQuery, AgendasQueryVariables>;
export const SlotsOfDayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SlotsOfDay"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agendaId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"appointmentTypeId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"day"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Date"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agenda"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agendaId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"availableSlots"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"day"},"value":{"kind":"Variable","name":{"kind":"Name","value":"day"}}},{"kind":"Argument","name":{"kind":"Name","value":"appointmentTypeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"appointmentTypeId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startsAt"}}]}}]}}]}}]} as unknown as DocumentNode<SlotsOfDayQuery, SlotsOfDayQueryVariables>;
export const BookVisitDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"BookVisit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointmentCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resultCodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isSuccess"}}]}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<BookVisitMutation, BookVisitMutationVariables>;
export const RecordVisitDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RecordVisit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentResultRecordInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointmentResultRecord"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AppointmentResultRecordPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"appointment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<RecordVisitMutation, RecordVisitMutationVariables>;
export const CompleteTasksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CompleteTasks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderUpdateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrderUpdate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderUpdatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrder"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<CompleteTasksMutation, CompleteTasksMutationVariables>;
export const CompleteWorkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CompleteWork"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCompleteInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrderComplete"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WorkOrderCompletePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workOrder"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<CompleteWorkMutation, CompleteWorkMutationVariables>;
export const SolveProblemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SolveProblem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemResolveInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problemResolve"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemResolvePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Failure"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"candidates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<SolveProblemMutation, SolveProblemMutationVariables>;