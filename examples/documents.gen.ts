// Generated from examples/*.graphql by `npm run codegen`. Do not edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The status of an advanced task. */
export type AdvancedTaskStatus =
  /** Completed. Can be reopened. */
  | 'COMPLETED'
  /** Not completed yet. */
  | 'OPEN'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER';

/** Input of `advancedTaskUpdate`. */
export type AdvancedTaskUpdateInput = {
  /** Advanced task to update. */
  advancedTaskId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** True completes the task, and false reopens it. Omit it to leave the status unchanged. */
  isCompleted?: boolean | null | undefined;
  /** Object of values, keyed by the names of the definition’s fields. A value can be any JSON. Null clears it. */
  values?: unknown;
};

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

/** Whether a result has rows. */
export type AnalyticsResultStatus =
  /** The result has no rows. */
  | 'EMPTY'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** The result has rows. */
  | 'READY';

/** The columns of the result. Specify exactly one field. */
export type AnalyticsSelectInput =
  {   /** Returns measures of groups of rows. */
  aggregate: AnalyticsAggregateInput; records?: never; }
  |  { aggregate?: never;   /** Returns individual rows with these fields. 1–20 field names. */
  records: Array<string>; };

/** The sort direction of a column. Cells without a value come last in both directions. */
export type AnalyticsSortDirection =
  /** Ascending. */
  | 'ASC'
  /** Descending. */
  | 'DESC';

/** A column to sort rows by. */
export type AnalyticsSortInput = {
  /** Name of a column of the result. */
  column: string;
  /** Sort direction. Defaults to ascending. */
  direction?: AnalyticsSortDirection | null | undefined;
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
  /** The template of the problem doesn’t allow resolving it manually. */
  | 'MANUAL_SOLVING_DISABLED'
  /** Another condition blocks the mutation. See `message`. */
  | 'OTHER'
  /** The time isn’t free or can’t be booked. Choose one of `Agenda.availableSlots`. */
  | 'SLOT_UNAVAILABLE'
  /** The mutation isn’t allowed in the current status. See `fromText` for the status and `current` for the record. */
  | 'WRONG_STATUS';

/** The name and registration numbers of a company. Replaces the stored values completely, so omitted parts are removed. Specify at least one part. */
export type CompanyDetailsInput = {
  /** Name of the company. */
  companyName?: string | null | undefined;
  /** Company number in the trade register. */
  registrationNumber?: string | null | undefined;
  /** VAT identification number. */
  vatNumber?: string | null | undefined;
};

/** A custom field to set or clear. */
export type CustomFieldInput = {
  /** Name of the custom field. */
  name: string;
  /** New value. Null clears the field. Omitting it is an error. */
  value?: CustomFieldValueInput | null | undefined;
};

/** A value of a custom field. Specify exactly one field, the one that matches the kind of the custom field. */
export type CustomFieldValueInput =
  {   /** Value of an `ADDRESS` field. */
  address: PostalAddressInput; boolean?: never; company?: never; date?: never; json?: never; money?: never; number?: never; text?: never; }
  |  { address?: never;   /** Value of a `BOOLEAN` field. */
  boolean: boolean; company?: never; date?: never; json?: never; money?: never; number?: never; text?: never; }
  |  { address?: never; boolean?: never;   /** Value of a `COMPANY` field. */
  company: CompanyDetailsInput; date?: never; json?: never; money?: never; number?: never; text?: never; }
  |  { address?: never; boolean?: never; company?: never;   /** Value of a `DATE` field. */
  date: string; json?: never; money?: never; number?: never; text?: never; }
  |  { address?: never; boolean?: never; company?: never; date?: never;   /** Any JSON value, for fields whose format only the client knows. */
  json: unknown; money?: never; number?: never; text?: never; }
  |  { address?: never; boolean?: never; company?: never; date?: never; json?: never;   /** Value of a `MONEY` field, in the currency of its definition. */
  money: MoneyInput; number?: never; text?: never; }
  |  { address?: never; boolean?: never; company?: never; date?: never; json?: never; money?: never;   /** Value of a `NUMBER` field. All digits are preserved. */
  number: string; text?: never; }
  |  { address?: never; boolean?: never; company?: never; date?: never; json?: never; money?: never; number?: never;   /** Value of a `TEXT` or `SELECT` field. */
  text: string; };

/** Input of `customerCustomFieldsUpdate`. */
export type CustomerCustomFieldsUpdateInput = {
  /** Custom fields to set or clear. */
  customFields: Array<CustomFieldInput>;
  /** Global or raw ID of the customer. */
  customerId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
};

/** A time range that includes `from` and excludes `to`. */
export type DateTimeRangeInput = {
  /** Start of the range, inclusive. */
  from: string;
  /** End of the range, exclusive. Must be after `from`. */
  to: string;
};

/** How the value of a discount is expressed. */
export type DiscountKind =
  /** A fixed amount of money. */
  | 'FIXED'
  /** A kind that isn’t in this schema yet. See `kindText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** A percentage of the price. */
  | 'PERCENTAGE';

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
  /** The idempotency key was already used with different input. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The server failed. Its log contains the cause under the request ID. */
  | 'INTERNAL_SERVER_ERROR'
  /** `after` or `before` isn’t a cursor of this list, or the list has changed too much around it. Start from the first page. */
  | 'INVALID_CURSOR'
  /** The idempotency store is unavailable, so the mutation wasn’t sent. */
  | 'LEDGER_UNAVAILABLE'
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
  /** The current state of the record doesn’t allow the mutation. */
  | 'TRANSITION_BLOCKED'
  /** The API key is missing, unknown, expired, or revoked. */
  | 'UNAUTHENTICATED'
  /** The Workspace API returned a response or a stored value that can’t be represented in this schema. */
  | 'UPSTREAM_INVALID_RESPONSE'
  /** The Workspace API didn’t respond to a read in time. */
  | 'UPSTREAM_TIMEOUT'
  /** The Workspace API can’t be reached, or it failed. Nothing was changed. */
  | 'UPSTREAM_UNAVAILABLE'
  /** The record has changed since it was last read. */
  | 'VERSION_CONFLICT';

/** The reason why an API key isn’t allowed to do something. */
export type ForbiddenReason =
  /** The IP addresses that the key can be used from don’t include the address that the Workspace API sees, which is the address of this server. */
  | 'ADDRESS'
  /** The key lacks a scope. Nothing was sent to the Workspace API. */
  | 'MISSING_SCOPE'
  /** The key has the scopes, but its account lacks the permission or access to the record. */
  | 'PERMISSION_OR_RESOURCE'
  /** The Workspace API denied access for an unknown reason: a scope, the permission, or access to the record. The key’s scopes are unknown, have changed, or include a wildcard, or the required scope isn’t documented. */
  | 'UNDETERMINED';

/** The outcome of a mutation that was sent with an idempotency key. */
export type IdempotentOperationState =
  /** The mutation was rejected, and nothing was changed. The key can be used again. */
  | 'FAILED'
  /** The mutation is still running. Query again shortly. */
  | 'IN_FLIGHT'
  /** The mutation was applied. A retry with the same key and input returns its result and has no further effect. */
  | 'SUCCEEDED'
  /** The mutation was sent, but no usable response was received. A retry with the same key and input doesn’t apply it twice, and returns what can be determined about its outcome. */
  | 'UNKNOWN';

/** Input of `inventoryMove`. */
export type InventoryMoveInput = {
  /** Location to move the stock to. */
  destinationLocationId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey: string;
  /** Lines of the move. 1–100 items. */
  lines: Array<InventoryMoveLineInput>;
  /** Notes about the move. Up to 2,000 characters. */
  notes?: string | null | undefined;
  /** Human-readable reference of the move. Up to 200 characters. */
  reference?: string | null | undefined;
};

/** A line of a move: a product, its source location, and the number of units. */
export type InventoryMoveLineInput = {
  /** Product to move. */
  productId: string;
  /** Number of units to move. At least 1. */
  quantity: number;
  /** Location to take the stock from. */
  sourceLocationId: string;
};

/** Input of `inventoryReceiptCreate`. */
export type InventoryReceiptCreateInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey: string;
  /** Location that receives the stock. */
  locationId: string;
  /** Notes about the receipt. Up to 2,000 characters. */
  notes?: string | null | undefined;
  /** Reference on the delivery note. Up to 200 characters. */
  reference?: string | null | undefined;
};

/** Input of `inventoryReceiptLineAdd`. */
export type InventoryReceiptLineAddInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey: string;
  /** Notes about the line. Up to 1,000 characters. */
  notes?: string | null | undefined;
  /** Delivered product. */
  productId: string;
  /** Number of units. At least 1. */
  quantity: number;
  /** Global or raw ID of the receipt. */
  receiptId: string;
};

/** Input of `inventoryReceiptPost`. */
export type InventoryReceiptPostInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey: string;
  /** Global or raw ID of the receipt. */
  receiptId: string;
};

/** The status of an inventory receipt. */
export type InventoryReceiptStatus =
  /** Lines can be added. No stock has changed yet. */
  | 'DRAFT'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** The lines were added to stock. No more lines can be added. */
  | 'POSTED';

/** The status of an invoice. */
export type InvoiceStatus =
  /** Created, but not sent yet. */
  | 'DRAFT'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Sent to the customer. */
  | 'SENT';

/** Whether a member is a person or a program. */
export type MemberKind =
  /** An AI agent, or an account used by a program. */
  | 'AGENT'
  /** A value that isn’t in this schema yet. See `kindText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** A human member. */
  | 'PERSON';

/** An amount of money in the smallest unit of its currency. */
export type MoneyInput = {
  /** Currency of the amount. Defaults to the record’s currency. Other currencies are rejected. */
  currencyCode?: string | null | undefined;
  /** Amount in the smallest unit of the currency, such as cents. For example, `25000` means EUR 250.00. */
  minorUnits: string;
};

/** What a mutation request did. Values may be added, so handle unknown ones. */
export type MutationEffect =
  /** The mutation was applied. */
  | 'DONE'
  /** The response of the Workspace API was lost, but reading the records confirmed that the mutation was applied. */
  | 'RECONCILED'
  /** An earlier request with this idempotency key was successful, and this one had no effect. Records are re-read: a missing record is null, and an unreadable one is null with an error. `recordIds` has the ID of each. */
  | 'REPLAYED'
  /** Nothing was changed. Usually, the record already had the requested state. */
  | 'UNCHANGED';

/** The status of a stock reservation. */
export type OrderReservationStatus =
  /** The stock is reserved. */
  | 'ACTIVE'
  /** The stock was delivered to the customer. */
  | 'CONSUMED'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** The stock was released and is no longer reserved. */
  | 'RELEASED';

/** The status of an order. */
export type OrderStatus =
  /** Canceled. See `cancellationReason`. */
  | 'CANCELLED'
  /** Delivered. */
  | 'FULFILLED'
  /** Not yet delivered. */
  | 'OPEN'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER';

/** The method by which a payment is collected. */
export type PaymentProvider =
  /** Cash or a bank transfer, recorded manually. */
  | 'MANUAL'
  /** An online payment provider. */
  | 'ONLINE'
  /** A provider that isn’t in this schema yet. See `providerText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** A payment terminal. */
  | 'TERMINAL';

/** The status of a payment. Set by the provider, except for manual payments. */
export type PaymentStatus =
  /** Canceled. */
  | 'CANCELLED'
  /** Not paid in time. */
  | 'EXPIRED'
  /** The provider couldn’t collect the payment. */
  | 'FAILED'
  /** Requested, but nothing received yet. */
  | 'OPEN'
  /** A status that isn’t in this schema yet. See `statusText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Received in full. */
  | 'PAID'
  /** Received in part. */
  | 'PARTIALLY_PAID';

/** An access level of a role in one area. Each level includes the previous ones. */
export type PermissionLevel =
  /** Can do everything. */
  | 'FULL_ACCESS'
  /** No access. */
  | 'NONE'
  /** A value that isn’t in this schema yet. See `levelText` or `delegateUpToText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Can read. */
  | 'READ_ONLY'
  /** Can read and write. */
  | 'READ_WRITE';

/** A postal address. Replaces the stored address completely, so omitted parts are removed. Specify at least one part. `latitude` and `longitude` must be set together. */
export type PostalAddressInput = {
  /** City or town. */
  city?: string | null | undefined;
  /** Country, as free text. */
  country?: string | null | undefined;
  /** Full address in one line. */
  fullAddress?: string | null | undefined;
  /** House number, including any addition. */
  houseNumber?: string | null | undefined;
  /** Latitude in degrees north, from -90 to 90. */
  latitude?: number | null | undefined;
  /** Longitude in degrees east, from -180 to 180. */
  longitude?: number | null | undefined;
  /** Postal or ZIP code. */
  postalCode?: string | null | undefined;
  /** Street name. */
  street?: string | null | undefined;
};

/** The billing interval of a price. */
export type PriceType =
  /** Charged every month. */
  | 'MONTHLY'
  /** Charged once. */
  | 'ONCE'
  /** An interval that isn’t in this schema yet. See `priceTypeText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** Charged every year. */
  | 'YEARLY';

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

/** Input of `quoteConfirm`. */
export type QuoteConfirmInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** Global or raw ID of the quote. */
  quoteId: string;
};

/** Input of `quoteCreate`. */
export type QuoteCreateInput = {
  /** Customer that the quote is for. */
  customerId: string;
  /** Discounts to apply. Up to 20 items. */
  discounts?: Array<QuoteDiscountInput> | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** Lines of the quote. 1–100 items. */
  lines: Array<QuoteLineInput>;
  /** Country whose prices and discounts apply. Defaults to the workspace’s country. Can’t be changed later. */
  pricingCountryCode?: string | null | undefined;
  /** Title of the quote. Can’t be changed later. Up to 200 characters. */
  title?: string | null | undefined;
};

/** A discount to apply to a quote. */
export type QuoteDiscountInput = {
  /** Discount to apply. */
  discountId: string;
};

/** A line of a quote: a product, its quantity, and the price to use. */
export type QuoteLineInput = {
  /** Which of the product’s prices to use. Defaults to the one-off price. */
  priceType?: PriceType | null | undefined;
  /** Product to include. */
  productId: string;
  /** Number of units. At least 1. */
  quantity: number;
};

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

/** Input of `quoteUpdate`. */
export type QuoteUpdateInput = {
  /** All discounts of the quote, replacing the current ones. Send an empty list to remove them. Up to 20 items. */
  discounts: Array<QuoteDiscountInput>;
  /** The `version` of the record that you last read. The mutation fails if the record has changed since. */
  expectedVersion: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice. */
  idempotencyKey?: string | null | undefined;
  /** All lines of the quote, replacing the current ones. 1–100 items. */
  lines: Array<QuoteLineInput>;
  /** Global or raw ID of the quote. */
  quoteId: string;
};

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

/** Who created a role: a member or the product. */
export type RoleKind =
  /** Created by a member. The only kind that `roleUpdate` can change. */
  | 'CUSTOM'
  /** A value that isn’t in this schema yet. See `kindText`. Only returned, not accepted as input. */
  | 'OTHER'
  /** The built-in role of workspace owners. */
  | 'OWNER'
  /** Built in. */
  | 'SYSTEM';

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
  /** The text or list is too long. `limit` is the maximum number of characters or items. */
  | 'TOO_LONG'
  /** The text or list is too short. `limit` is the minimum number of characters or items. */
  | 'TOO_SHORT'
  /** The name doesn’t exist. */
  | 'UNKNOWN_NAME'
  /** The text uses a feature of its language that isn’t supported, such as `LIKE` in analytics SQL. */
  | 'UNSUPPORTED';

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

export type FirstLookQueryVariables = Exact<{ [key: string]: never; }>;


export type FirstLookQuery = { viewer: { workspace: { id: string, name: string } | null }, customersByIdentifier: Array<{ id: string, title: string | null, quotes: { nodes: Array<{ id: string, referenceNumber: string | null, status: QuoteStatus, totalOnce: { amount: string, currencyCode: string }, lines: Array<{ id: string, quantity: number, product: { id: string, name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } }> };

export type CustomerOrdersStockQueryVariables = Exact<{
  customerId: string;
}>;


export type CustomerOrdersStockQuery = { customer: { id: string, title: string | null, customerName: string | null, quotes: { nodes: Array<{ id: string, title: string | null, version: string, lines: Array<{ id: string, quantity: number, product: { id: string, name: string, inventoryBalances: { nodes: Array<{ id: string, onHand: number, available: number, location: { id: string, name: string } }> } } }> }> }, orders: { nodes: Array<{ id: string, referenceNumber: string | null, status: OrderStatus, totalOnce: { amount: string, currencyCode: string }, lines: Array<{ id: string, quantity: number, product: { id: string, name: string, inventoryBalances: { nodes: Array<{ id: string, onHand: number, available: number, location: { id: string, name: string } }> } } }> }> } } | null };

export type StockFragment = { id: string, name: string, inventoryBalances: { nodes: Array<{ id: string, onHand: number, available: number, location: { id: string, name: string } }> } };

export type CatalogDiscountsQueryVariables = Exact<{
  query?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type CatalogDiscountsQuery = { products: { nodes: Array<{ id: string, name: string, sku: string | null, priceOnce: { amount: string, currencyCode: string } | null, priceMonthly: { amount: string, currencyCode: string } | null, countryPrices: Array<{ countryCode: string | null, priceOnceMinorUnits: string, vatRate: string }>, discounts: { isTruncated: boolean, nodes: Array<{ id: string, priceType: PriceType, countryCode: string | null, value: { kind: DiscountKind, percentage: string | null, amount: { amount: string, currencyCode: string } | null } | null, discount: { id: string, name: string, isActive: boolean } }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type QuoteCreateMutationVariables = Exact<{
  input: QuoteCreateInput;
}>;


export type QuoteCreateMutation = { quoteCreate:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'QuoteCreatePayload', effect: MutationEffect, quote: { id: string, rawId: string, version: string, status: QuoteStatus, lines: Array<{ id: string, productName: string, quantity: number, priceType: PriceType, total: { amount: string, currencyCode: string } }>, discounts: Array<{ name: string | null, amountOnce: { amount: string } }>, totalOnce: { amount: string, currencyCode: string }, totalMonthly: { amount: string } } | null }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
   };

export type QuoteUpdateMutationVariables = Exact<{
  input: QuoteUpdateInput;
}>;


export type QuoteUpdateMutation = { quoteUpdate:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'QuoteUpdatePayload', effect: MutationEffect, quote: { id: string, version: string, lines: Array<{ id: string, productName: string, quantity: number }>, totalOnce: { amount: string, currencyCode: string } } | null }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'VersionConflictError', expectedVersion: string, currentVersion: string | null, code: ErrorCode, message: string, retry: RetryAdvice, current:
        | { id: string, status: QuoteStatus, lines: Array<{ id: string, productName: string, quantity: number }> }
        | Record<PropertyKey, never>
       | null }
   };

export type QuoteConfirmMutationVariables = Exact<{
  input: QuoteConfirmInput;
}>;


export type QuoteConfirmMutation = { quoteConfirm:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'QuoteConfirmPayload', quote: { id: string, status: QuoteStatus, version: string } | null, order: { id: string, referenceNumber: string | null, status: OrderStatus, totalOnce: { amount: string, currencyCode: string }, cancellationImpact: { canCancel: boolean, refundable: { amount: string } } } | null }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', fromText: string | null, code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }> }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
   };

export type ReceiptCreateMutationVariables = Exact<{
  input: InventoryReceiptCreateInput;
}>;


export type ReceiptCreateMutation = { inventoryReceiptCreate:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'InventoryReceiptCreatePayload', receipt: { id: string, rawId: string, status: InventoryReceiptStatus | null, reference: string | null, location: { id: string, name: string } } | null }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
   };

export type ReceiptPostMutationVariables = Exact<{
  line: InventoryReceiptLineAddInput;
  post: InventoryReceiptPostInput;
}>;


export type ReceiptPostMutation = { inventoryReceiptLineAdd:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'InventoryReceiptLineAddPayload', line: { id: string, quantity: number } | null }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
  , inventoryReceiptPost:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'InventoryReceiptPostPayload', receipt: { id: string, status: InventoryReceiptStatus | null, postedAt: string | null, lines: { nodes: Array<{ id: string, quantity: number, product: { id: string, name: string, inventoryBalances: { nodes: Array<{ id: string, onHand: number, location: { id: string, name: string } }> } } }> } } | null }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
   };

export type StockMoveMutationVariables = Exact<{
  input: InventoryMoveInput;
}>;


export type StockMoveMutation = { inventoryMove:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'InventoryMovePayload', operationId: string, movements: { nodes: Array<{ id: string, quantityDelta: number, product: { id: string }, location: { id: string } }> } }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
   };

export type BackordersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type BackordersQuery = { inventoryBackorders: { nodes: Array<{ id: string, reference: string | null, expectedArrivalAt: string | null, destinationLocation: { id: string, name: string }, lines: Array<{ id: string, quantity: number, product: { id: string, name: string } }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type WhatBecameOfItQueryVariables = Exact<{
  key: string;
}>;


export type WhatBecameOfItQuery = { idempotentOperation: { state: IdempotentOperationState, startedAt: string, settledAt: string | null, expiresAt: string } | null };

export type CustomFieldsMutationVariables = Exact<{
  input: CustomerCustomFieldsUpdateInput;
}>;


export type CustomFieldsMutation = { customerCustomFieldsUpdate:
    | { __typename: 'CustomerCustomFieldsUpdatePayload', customer: { id: string, budget: { money: { amount: string, currencyCode: string } | null } | null, preferredDate: { date: string | null } | null, siteAddress: { address: { fullAddress: string | null } | null } | null, accessNotes: { text: string | null } | null } | null }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice, issues: Array<{ path: Array<string>, message: string }> }
   };

export type OrderPageQueryVariables = Exact<{
  orderId: string;
}>;


export type OrderPageQuery = { order: { id: string, version: string, status: OrderStatus, referenceNumber: string | null, createdAt: string, customer: { id: string, customerName: string | null, email: string | null, phone: string | null, contact: { id: string, firstName: string | null, lastName: string } | null }, quote: { id: string, title: string | null } | null, totalOnce: { amount: string, currencyCode: string }, totalMonthly: { amount: string, currencyCode: string }, totalYearly: { amount: string, currencyCode: string }, paid: { amount: string, currencyCode: string }, refunded: { amount: string, currencyCode: string }, lines: Array<{ id: string, productName: string, quantity: number, unitPrice: { amount: string, currencyCode: string }, total: { amount: string, currencyCode: string }, product: { id: string, name: string, sku: string | null, inventoryBalances: { nodes: Array<{ id: string, onHand: number, available: number, location: { id: string, name: string } }> } } }>, reservations: { nodes: Array<{ id: string, status: OrderReservationStatus, quantity: number, product: { id: string, name: string }, location: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean } }, cancellationImpact: { canCancel: boolean, releasedQuantity: number, blockers: Array<{ code: BlockerCode, message: string }>, refundable: { amount: string, currencyCode: string } } } | null };

export type PriceFragment = { amount: string, currencyCode: string };

export type OrderBillingQueryVariables = Exact<{
  orderId: string;
  accountingIntegrationId: string;
}>;


export type OrderBillingQuery = { order: { id: string, referenceNumber: string | null, version: string, paid: { amount: string, currencyCode: string }, refunded: { amount: string, currencyCode: string }, payments: { nodes: Array<{ id: string, status: PaymentStatus, provider: PaymentProvider, paidAt: string | null, amount: { amount: string, currencyCode: string }, received: { amount: string, currencyCode: string }, refundable: { amount: string, currencyCode: string } }>, pageInfo: { hasNextPage: boolean } }, refunds: { nodes: Array<{ id: string, reason: string | null, createdAt: string | null, amount: { amount: string, currencyCode: string }, payment: { id: string } | null }>, pageInfo: { hasNextPage: boolean } }, invoice: { id: string, status: InvoiceStatus, number: string | null, orderVersion: string, sentAt: string | null, totalOnce: { amount: string, currencyCode: string } } | null, proFormas: { nodes: Array<{ id: string, referenceNumber: string | null, orderVersion: string, createdAt: string }>, pageInfo: { hasNextPage: boolean } }, customer: { id: string, accountingIntegrations: { nodes: Array<{ id: string, name: string | null, canCreateInvoices: boolean, canSendInvoices: boolean }> } } } | null };

export type AmountFragment = { amount: string, currencyCode: string };

export type PeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type PeopleQuery = { members: { isTruncated: boolean, nodes: Array<{ id: string, displayName: string, kind: MemberKind, isOwner: boolean, roles: { nodes: Array<{ id: string, name: string }> }, teams: { nodes: Array<{ id: string, name: string, color: string | null }> } }>, pageInfo: { hasNextPage: boolean } }, roles: { isTruncated: boolean, nodes: Array<{ id: string, name: string, kind: RoleKind, access: { board: { level: PermissionLevel }, inventory: { level: PermissionLevel }, member: { level: PermissionLevel, delegateUpTo: PermissionLevel } } }>, pageInfo: { hasNextPage: boolean } }, memberInvitations: { isTruncated: boolean, nodes: Array<{ id: string, email: string, expiresAt: string | null, inviter: { id: string } | null, roles: { nodes: Array<{ id: string, name: string }> } }>, pageInfo: { hasNextPage: boolean } } };

export type ResolveProblemMutationVariables = Exact<{
  task: AdvancedTaskUpdateInput;
  problem: ProblemResolveInput;
}>;


export type ResolveProblemMutation = { advancedTaskUpdate:
    | { __typename: 'AdvancedTaskUpdatePayload', effect: MutationEffect, task: { id: string, status: AdvancedTaskStatus, values: unknown, definition: { id: string, name: string, fields: Array<{ name: string, label: string | null, isRequired: boolean }> } } | null }
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
  , problemResolve:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'ProblemResolvePayload', effect: MutationEffect, problem: { id: string, title: string, status: ProblemStatus, resolvedAt: string | null, portfolio: { id: string, title: string | null }, comments: Array<{ id: string, body: string, author: { displayName: string } | null }>, advancedTasks: { nodes: Array<{ id: string, status: AdvancedTaskStatus }> } } | null }
    | { __typename: 'RateLimitedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'RejectedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'TransitionBlockedError', code: ErrorCode, message: string, retry: RetryAdvice, blockers: Array<{ code: BlockerCode, message: string }> }
    | { __typename: 'ValidationError', code: ErrorCode, message: string, retry: RetryAdvice }
   };

export type CustomerWorkQueryVariables = Exact<{
  customerId: string;
  templateId: string;
}>;


export type CustomerWorkQuery = { customer: { id: string, title: string | null, problems: { nodes: Array<{ id: string, title: string, status: ProblemStatus }>, pageInfo: { hasNextPage: boolean } }, workOrders: { isTruncated: boolean, nodes: Array<{ id: string, title: string, status: WorkOrderStatus, location: { id: string, label: string | null } | null, template: { id: string, name: string } | null, tasks: { nodes: Array<{ id: string, body: string, isCompleted: boolean }>, pageInfo: { hasNextPage: boolean } } }>, pageInfo: { hasNextPage: boolean } }, appointments: { nodes: Array<{ id: string, status: AppointmentStatus, startsAt: string, agenda: { id: string, name: string, timeZone: string | null }, member: { id: string, displayName: string } | null }> }, workOrderLocations: Array<{ id: string, label: string | null, isPreferred: boolean }> } | null };

export type PlannerDayQueryVariables = Exact<{
  agendaId: string;
  appointmentTypeId: string;
}>;


export type PlannerDayQuery = { agendas: Array<{ id: string, name: string, strategy: AgendaStrategy, timeZone: string | null, isBookable: boolean, allowedTypes: Array<{ id: string, name: string, defaultDurationMinutes: number }> | null }>, appointments: { isTruncated: boolean, nodes: Array<{ id: string, startsAt: string, endsAt: string | null, agenda: { id: string, name: string }, appointmentType: { id: string, name: string }, member: { id: string, displayName: string } | null, customer: { id: string, title: string | null, customerName: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, agenda: { id: string, timeZone: string | null, availableSlots: Array<{ startsAt: string, endsAt: string | null, members: Array<{ id: string, displayName: string }> }> } | null };

export type ActionRequestsQueryVariables = Exact<{ [key: string]: never; }>;


export type ActionRequestsQuery = { actionRequests: { nodes: Array<{ id: string, title: string, createdAt: string, customer: { id: string, customerName: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, emailTemplates: { nodes: Array<{ id: string, name: string, subject: string | null, isPublished: boolean }>, pageInfo: { hasNextPage: boolean } }, documentTemplates: { nodes: Array<{ id: string, name: string, isPublished: boolean }>, pageInfo: { hasNextPage: boolean } } };

export type AnalyticsQueryVariables = Exact<{
  now: AnalyticsQueryInput;
  before: AnalyticsQueryInput;
}>;


export type AnalyticsQuery = { now:
    | { message: string, issues: Array<{ path: Array<string>, code: ValidationIssueCode, message: string }> }
    | { status: AnalyticsResultStatus, isTruncated: boolean, warnings: Array<string>, resolvedTimeRange: { from: string | null, to: string | null } | null, rows: Array<{ month: { date: string | null }, orders: { integer: string | null }, open: { status: AnalyticsCellStatus, decimal: string | null }, revenue: { status: AnalyticsCellStatus, money: { amount: string, currencyCode: string } | null } }> }
  , before:
    | { message: string, issues: Array<{ path: Array<string>, code: ValidationIssueCode, message: string }> }
    | { status: AnalyticsResultStatus, isTruncated: boolean, warnings: Array<string>, resolvedTimeRange: { from: string | null, to: string | null } | null, rows: Array<{ month: { date: string | null }, orders: { integer: string | null }, open: { status: AnalyticsCellStatus, decimal: string | null }, revenue: { status: AnalyticsCellStatus, money: { amount: string, currencyCode: string } | null } }> }
   };

type Figures_AnalyticsQueryError_Fragment = { message: string, issues: Array<{ path: Array<string>, code: ValidationIssueCode, message: string }> };

type Figures_AnalyticsResult_Fragment = { status: AnalyticsResultStatus, isTruncated: boolean, warnings: Array<string>, resolvedTimeRange: { from: string | null, to: string | null } | null, rows: Array<{ month: { date: string | null }, orders: { integer: string | null }, open: { status: AnalyticsCellStatus, decimal: string | null }, revenue: { status: AnalyticsCellStatus, money: { amount: string, currencyCode: string } | null } }> };

export type FiguresFragment =
  | Figures_AnalyticsQueryError_Fragment
  | Figures_AnalyticsResult_Fragment
;

export type AnalyticsSqlQueryVariables = Exact<{
  sql: string;
}>;


export type AnalyticsSqlQuery = { analyticsSql:
    | { message: string, line: number | null, column: number | null }
    | { normalizedSql: string | null, normalizedQuery: unknown, columns: Array<{ name: string, valueType: AnalyticsValueType }>, rows: Array<{ cells: Array<{ value: unknown }> }> }
  , analyticsCatalog: { entities: Array<{ entity: AnalyticsEntity, name: string, fields: Array<{ name: string, valueType: AnalyticsValueType, words: Array<string> }> }>, sqlSupport: { functions: Array<string>, examples: Array<string> } } };

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

export const StockFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Stock"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Product"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inventoryBalances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"onHand"}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}}]}}]}}]} as unknown as DocumentNode<StockFragment, unknown>;
export const PriceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Price"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Money"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]} as unknown as DocumentNode<PriceFragment, unknown>;
export const AmountFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Money"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]} as unknown as DocumentNode<AmountFragment, unknown>;
export const FiguresFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Figures"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"resolvedTimeRange"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"month"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"created_at_month","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"date"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"orders"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"count","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"integer"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"open"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"open_per_count","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"decimal"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"revenue"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"revenue","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"money"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<FiguresFragment, unknown>;
export const FailureFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Failure"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"limit"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotFoundError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"missingId"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ForbiddenError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"missingScopes"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RateLimitedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OperationInProgressError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryAfterSeconds"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Customer"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Order"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"OutcomeUnknownError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyKey"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RejectedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reasonCode"}},{"kind":"Field","name":{"kind":"Name","value":"httpStatus"}}]}}]}}]} as unknown as DocumentNode<FailureFragment, unknown>;
export const FirstLookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FirstLook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workspace"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"customersByIdentifier"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"by"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"referenceNumber"},"value":{"kind":"StringValue","value":"C-000001","block":false}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"quotes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"2"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FirstLookQuery, FirstLookQueryVariables>;
export const CustomerOrdersStockDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CustomerOrdersStock"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"customerName"}},{"kind":"Field","name":{"kind":"Name","value":"quotes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"CONCEPT"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Stock"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"orders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Stock"}}]}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Stock"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Product"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inventoryBalances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"onHand"}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}}]}}]}}]} as unknown as DocumentNode<CustomerOrdersStockQuery, CustomerOrdersStockQueryVariables>;
export const CatalogDiscountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CatalogDiscounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"5"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"products"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"priceOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"priceMonthly"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"countryPrices"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"countryCode"}},{"kind":"Field","name":{"kind":"Name","value":"priceOnceMinorUnits"}},{"kind":"Field","name":{"kind":"Name","value":"vatRate"}}]}},{"kind":"Field","name":{"kind":"Name","value":"discounts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"value"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"percentage"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"priceType"}},{"kind":"Field","name":{"kind":"Name","value":"countryCode"}},{"kind":"Field","name":{"kind":"Name","value":"discount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<CatalogDiscountsQuery, CatalogDiscountsQueryVariables>;
export const QuoteCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QuoteCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quoteCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"effect"}},{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"productName"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"priceType"}},{"kind":"Field","name":{"kind":"Name","value":"total"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"discounts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"amountOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalMonthly"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<QuoteCreateMutation, QuoteCreateMutationVariables>;
export const QuoteUpdateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QuoteUpdate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteUpdateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quoteUpdate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteUpdatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"effect"}},{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"productName"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflictError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expectedVersion"}},{"kind":"Field","name":{"kind":"Name","value":"currentVersion"}},{"kind":"Field","name":{"kind":"Name","value":"current"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Quote"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"productName"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<QuoteUpdateMutation, QuoteUpdateMutationVariables>;
export const QuoteConfirmDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QuoteConfirm"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteConfirmInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quoteConfirm"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"QuoteConfirmPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"Field","name":{"kind":"Name","value":"order"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cancellationImpact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canCancel"}},{"kind":"Field","name":{"kind":"Name","value":"refundable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fromText"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<QuoteConfirmMutation, QuoteConfirmMutationVariables>;
export const ReceiptCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReceiptCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceiptCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inventoryReceiptCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceiptCreatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receipt"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rawId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reference"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<ReceiptCreateMutation, ReceiptCreateMutationVariables>;
export const ReceiptPostDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReceiptPost"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"line"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceiptLineAddInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"post"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceiptPostInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inventoryReceiptLineAdd"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"line"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceiptLineAddPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"line"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"inventoryReceiptPost"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"post"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryReceiptPostPayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receipt"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"postedAt"}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inventoryBalances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"onHand"}}]}}]}}]}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<ReceiptPostMutation, ReceiptPostMutationVariables>;
export const StockMoveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StockMove"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryMoveInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inventoryMove"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryMovePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operationId"}},{"kind":"Field","name":{"kind":"Name","value":"movements"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantityDelta"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<StockMoveMutation, StockMoveMutationVariables>;
export const BackordersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Backorders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"10"}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inventoryBackorders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"OPEN"}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reference"}},{"kind":"Field","name":{"kind":"Name","value":"expectedArrivalAt"}},{"kind":"Field","name":{"kind":"Name","value":"destinationLocation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<BackordersQuery, BackordersQueryVariables>;
export const WhatBecameOfItDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WhatBecameOfIt"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"idempotentOperation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"operation"},"value":{"kind":"StringValue","value":"inventoryMove","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"settledAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}}]} as unknown as DocumentNode<WhatBecameOfItQuery, WhatBecameOfItQueryVariables>;
export const CustomFieldsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CustomFields"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CustomerCustomFieldsUpdateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customerCustomFieldsUpdate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CustomerCustomFieldsUpdatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","alias":{"kind":"Name","value":"budget"},"name":{"kind":"Name","value":"customField"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"budget","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"money"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"preferredDate"},"name":{"kind":"Name","value":"customField"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"preferred_date","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"date"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"siteAddress"},"name":{"kind":"Name","value":"customField"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"site_address","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fullAddress"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"accessNotes"},"name":{"kind":"Name","value":"customField"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"access_notes","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ValidationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<CustomFieldsMutation, CustomFieldsMutationVariables>;
export const OrderPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OrderPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"customer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"customerName"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"quote"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalMonthly"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalYearly"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"paid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refunded"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"productName"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"unitPrice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"inventoryBalances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"onHand"}},{"kind":"Field","name":{"kind":"Name","value":"available"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"reservations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}},{"kind":"Field","name":{"kind":"Name","value":"product"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"cancellationImpact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"canCancel"}},{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refundable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Price"}}]}},{"kind":"Field","name":{"kind":"Name","value":"releasedQuantity"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Price"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Money"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]} as unknown as DocumentNode<OrderPageQuery, OrderPageQueryVariables>;
export const OrderBillingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OrderBilling"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"accountingIntegrationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"order"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"paid"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refunded"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"payments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"received"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refundable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"paidAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"refunds"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"amount"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"payment"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"invoice"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"accountingIntegrationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"accountingIntegrationId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"orderVersion"}},{"kind":"Field","name":{"kind":"Name","value":"totalOnce"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sentAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"proFormas"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"referenceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"orderVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"customer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"accountingIntegrations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"canCreateInvoices"}},{"kind":"Field","name":{"kind":"Name","value":"canSendInvoices"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amount"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Money"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]} as unknown as DocumentNode<OrderBillingQuery, OrderBillingQueryVariables>;
export const PeopleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"People"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"members"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"25"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"isOwner"}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"teams"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"color"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"board"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"level"}}]}},{"kind":"Field","name":{"kind":"Name","value":"inventory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"level"}}]}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"delegateUpTo"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memberInvitations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"inviter"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<PeopleQuery, PeopleQueryVariables>;
export const ResolveProblemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResolveProblem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"task"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AdvancedTaskUpdateInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"problem"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemResolveInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"advancedTaskUpdate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"task"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AdvancedTaskUpdatePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"values"}},{"kind":"Field","name":{"kind":"Name","value":"definition"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"isRequired"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"problemResolve"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"problem"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProblemResolvePayload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"problem"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"resolvedAt"}},{"kind":"Field","name":{"kind":"Name","value":"portfolio"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"comments"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"author"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"advancedTasks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TransitionBlockedError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blockers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"retry"}}]}}]}}]}}]} as unknown as DocumentNode<ResolveProblemMutation, ResolveProblemMutationVariables>;
export const CustomerWorkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CustomerWork"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"templateId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"customer"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"customerId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workOrders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"OPEN"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tasks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"isCompleted"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"appointments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"agenda"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}}]}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workOrderLocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"templateId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"templateId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"isPreferred"}}]}}]}}]}}]} as unknown as DocumentNode<CustomerWorkQuery, CustomerWorkQueryVariables>;
export const PlannerDayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlannerDay"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agendaId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"appointmentTypeId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agendas"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"strategy"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"isBookable"}},{"kind":"Field","name":{"kind":"Name","value":"allowedTypes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"defaultDurationMinutes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"appointments"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"scheduledBetween"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"from"},"value":{"kind":"StringValue","value":"2026-01-01T00:00:00Z","block":false}},{"kind":"ObjectField","name":{"kind":"Name","value":"to"},"value":{"kind":"StringValue","value":"2036-01-01T00:00:00Z","block":false}}]}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"SCHEDULED"}}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}},{"kind":"Field","name":{"kind":"Name","value":"agenda"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"appointmentType"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"customer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"customerName"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agenda"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agendaId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"availableSlots"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"day"},"value":{"kind":"StringValue","value":"2030-03-10","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"appointmentTypeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"appointmentTypeId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}},{"kind":"Field","name":{"kind":"Name","value":"members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}}]}}]}}]}}]}}]} as unknown as DocumentNode<PlannerDayQuery, PlannerDayQueryVariables>;
export const ActionRequestsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ActionRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actionRequests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"PENDING"}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"customer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"customerName"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"emailTemplates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"isPublished"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"documentTemplates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"isPublished"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}}]} as unknown as DocumentNode<ActionRequestsQuery, ActionRequestsQueryVariables>;
export const AnalyticsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Analytics"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"now"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"before"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"now"},"name":{"kind":"Name","value":"analyticsQuery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"now"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Figures"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"before"},"name":{"kind":"Name","value":"analyticsQuery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"before"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Figures"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Figures"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"resolvedTimeRange"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"month"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"created_at_month","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"date"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"orders"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"count","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"integer"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"open"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"open_per_count","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"decimal"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"revenue"},"name":{"kind":"Name","value":"cell"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"column"},"value":{"kind":"StringValue","value":"revenue","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"money"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyCode"}}]}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<AnalyticsQuery, AnalyticsQueryVariables>;
export const AnalyticsSqlDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AnalyticsSql"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sql"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"analyticsSql"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"sql"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sql"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"columns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"valueType"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cells"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"normalizedSql"}},{"kind":"Field","name":{"kind":"Name","value":"normalizedQuery"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AnalyticsQueryError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"analyticsCatalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entities"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entity"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"valueType"}},{"kind":"Field","name":{"kind":"Name","value":"words"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"sqlSupport"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"functions"}},{"kind":"Field","name":{"kind":"Name","value":"examples"}}]}}]}}]}}]} as unknown as DocumentNode<AnalyticsSqlQuery, AnalyticsSqlQueryVariables>;