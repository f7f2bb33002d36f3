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
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER';

/** Input of `advancedTaskUpdate`. */
export type AdvancedTaskUpdateInput = {
  /** Advanced task to update. */
  advancedTaskId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
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

/** The records that a query counts. */
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
  /** Records that this graph does not know. */
  | 'OTHER'
  /** Payments. */
  | 'PAYMENTS'
  /** Problems. */
  | 'PROBLEMS'
  /** Work orders. One order may have several of them. */
  | 'WORKORDERS';

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

/** Whether a result has rows. */
export type AnalyticsResultStatus =
  /** There are none. */
  | 'EMPTY'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER'
  /** There are rows. */
  | 'READY';

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
  /** The customer. */
  customerId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
};

/** A stretch of time: from `from` up to, not including, `to`. */
export type DateTimeRangeInput = {
  /** The beginning. */
  from: string;
  /** The end, which must be after `from` and is not part of it. */
  to: string;
};

/** The way in which a discount is counted. */
export type DiscountKind =
  /** As an amount of money. */
  | 'FIXED'
  /** In a way that this graph does not know: see `kindText`. */
  | 'OTHER'
  /** As a percentage. */
  | 'PERCENTAGE';

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

/** The outcome of a mutation with an idempotency key. */
export type IdempotentOperationState =
  /** The mutation was refused, and nothing was done. The key may be used again. */
  | 'FAILED'
  /** The mutation is running. Ask again soon. */
  | 'IN_FLIGHT'
  /** The mutation was done. The same mutation with the same key and input is answered, and does nothing. */
  | 'SUCCEEDED'
  /** The mutation was sent, and no answer came. The same mutation with the same key and input does nothing twice, and tells what can be found out. */
  | 'UNKNOWN';

/** Input of `inventoryMove`. */
export type InventoryMoveInput = {
  /** Location to move the stock to. */
  destinationLocationId: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
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
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
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
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey: string;
  /** Notes about the line. Up to 1,000 characters. */
  notes?: string | null | undefined;
  /** Delivered product. */
  productId: string;
  /** Number of units. At least 1. */
  quantity: number;
  /** The receipt. */
  receiptId: string;
};

/** Input of `inventoryReceiptPost`. */
export type InventoryReceiptPostInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey: string;
  /** The receipt. */
  receiptId: string;
};

/** The status of an inventory receipt. */
export type InventoryReceiptStatus =
  /** Lines can be added. No stock has changed yet. */
  | 'DRAFT'
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER'
  /** The lines were added to stock. No more lines can be added. */
  | 'POSTED';

/** The stage of an invoice. */
export type InvoiceStatus =
  /** Made, and not sent yet. */
  | 'DRAFT'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER'
  /** Sent to the customer. */
  | 'SENT';

/** Whether a member is a person or a program. */
export type MemberKind =
  /** An AI agent, or an account used by a program. */
  | 'AGENT'
  /** A value that isn’t in this schema yet. See `kindText`. */
  | 'OTHER'
  /** A human member. */
  | 'PERSON';

/** An amount of money. */
export type MoneyInput = {
  /** The currency; that of the record when absent. Another one than that of the record is refused. */
  currencyCode?: string | null | undefined;
  /** In the smallest unit of the currency, such as cents: 25000 is EUR 250.00. */
  minorUnits: string;
};

/** The effect of one request. An enum may get further members: have a default case. */
export type MutationEffect =
  /** The act is done. */
  | 'DONE'
  /** The answer of the Workspace API was lost; reading has shown that the act is done. */
  | 'RECONCILED'
  /** An earlier request with this idempotency key did the act; this one did nothing. The records are shown as they are now. */
  | 'REPLAYED'
  /** Everything was so already: nothing was changed. */
  | 'UNCHANGED';

/** The status of a stock reservation. */
export type OrderReservationStatus =
  /** The stock is reserved. */
  | 'ACTIVE'
  /** The stock was delivered to the customer. */
  | 'CONSUMED'
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER'
  /** The stock was released and is no longer reserved. */
  | 'RELEASED';

/** The stage of an order. */
export type OrderStatus =
  /** Cancelled. */
  | 'CANCELLED'
  /** Delivered. */
  | 'FULFILLED'
  /** To be delivered. */
  | 'OPEN'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER';

/** The way in which a payment is collected. */
export type PaymentProvider =
  /** Cash or a bank transfer, which a person records. */
  | 'MANUAL'
  /** An online payment provider. */
  | 'ONLINE'
  /** A provider that this graph does not know: see `providerText`. */
  | 'OTHER'
  /** A payment terminal. */
  | 'TERMINAL';

/** The stage of a payment. All but those of manual payments are set by the provider. */
export type PaymentStatus =
  /** Called off. */
  | 'CANCELLED'
  /** Not paid in time. */
  | 'EXPIRED'
  /** The provider could not collect it. */
  | 'FAILED'
  /** Asked for, and nothing received yet. */
  | 'OPEN'
  /** A state that this graph does not know: see `statusText`. */
  | 'OTHER'
  /** Received in full. */
  | 'PAID'
  /** A part was received. */
  | 'PARTIALLY_PAID';

/** An access level of a role in one area. Each level includes the previous ones. */
export type PermissionLevel =
  /** Can do everything. */
  | 'FULL_ACCESS'
  /** No access. */
  | 'NONE'
  /** A value that isn’t in this schema yet. See `levelText` or `delegateUpToText`. */
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
  /** Every month. */
  | 'MONTHLY'
  /** Once. */
  | 'ONCE'
  /** A rhythm that this graph does not know: see `priceTypeText`. */
  | 'OTHER'
  /** Every year. */
  | 'YEARLY';

/** The billing interval of a price. Input values of `PriceType`. */
export type PriceTypeInput =
  /** Every month. */
  | 'MONTHLY'
  /** Once. */
  | 'ONCE'
  /** Every year. */
  | 'YEARLY';

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

/** Input of `quoteConfirm`. */
export type QuoteConfirmInput = {
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** The quote. */
  quoteId: string;
};

/** Input of `quoteCreate`. */
export type QuoteCreateInput = {
  /** Customer that the quote is for. */
  customerId: string;
  /** Discounts to apply. Up to 20 items. */
  discounts?: Array<QuoteDiscountInput> | null | undefined;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
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
  priceType?: PriceTypeInput | null | undefined;
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
  /** A status that isn’t in this schema yet. See `statusText`. */
  | 'OTHER';

/** Input of `quoteUpdate`. */
export type QuoteUpdateInput = {
  /** All discounts of the quote, replacing the current ones. Send an empty list to remove them. Up to 20 items. */
  discounts: Array<QuoteDiscountInput>;
  /** The `version` of the record that you last read. The mutation fails if the record has changed since. */
  expectedVersion: string;
  /** Unique key of the intended operation, such as a UUID. Retry with the same key so that the mutation is applied only once. */
  idempotencyKey?: string | null | undefined;
  /** All lines of the quote, replacing the current ones. 1–100 items. */
  lines: Array<QuoteLineInput>;
  /** The quote. */
  quoteId: string;
};

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

/** Who created a role: a member or the product. */
export type RoleKind =
  /** Created by a member. The only kind that `roleUpdate` can change. */
  | 'CUSTOM'
  /** A value that isn’t in this schema yet. See `kindText`. */
  | 'OTHER'
  /** The built-in role of workspace owners. */
  | 'OWNER'
  /** Built in. */
  | 'SYSTEM';

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


export type CatalogDiscountsQuery = { products: { nodes: Array<{ id: string, name: string, sku: string | null, priceOnce: { amount: string, currencyCode: string } | null, priceMonthly: { amount: string, currencyCode: string } | null, countryPrices: Array<{ countryCode: string | null, priceOnceMinorUnits: string, vatRate: string }>, discounts: { isTruncated: boolean, nodes: Array<{ id: string, priceType: PriceType, countryCode: string | null, value: { kind: DiscountKind, percentage: string | null, amount: { amount: string, currencyCode: string } | null } | null, discount: { id: string, name: string, isActive: boolean } | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type QuoteCreateMutationVariables = Exact<{
  input: QuoteCreateInput;
}>;


export type QuoteCreateMutation = { quoteCreate:
    | { __typename: 'ForbiddenError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'IdempotencyKeyReusedError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'NotFoundError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OperationInProgressError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'OutcomeUnknownError', code: ErrorCode, message: string, retry: RetryAdvice }
    | { __typename: 'QuoteCreatePayload', effect: MutationEffect, quote: { id: string, rawId: string, version: string, status: QuoteStatus, lines: Array<{ id: string, productName: string, quantity: number, priceType: PriceType, total: { amount: string, currencyCode: string } }>, discounts: Array<{ name: string | null, amountOnce: { amount: string } }>, totalOnce: { amount: string, currencyCode: string }, totalMonthly: { amount: string } } }
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
    | { __typename: 'QuoteUpdatePayload', effect: MutationEffect, quote: { id: string, version: string, lines: Array<{ id: string, productName: string, quantity: number }>, totalOnce: { amount: string, currencyCode: string } } }
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
    | { __typename: 'QuoteConfirmPayload', quote: { id: string, status: QuoteStatus, version: string }, order: { id: string, referenceNumber: string | null, status: OrderStatus, totalOnce: { amount: string, currencyCode: string }, cancellationImpact: { canCancel: boolean, refundable: { amount: string } } } }
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
    | { __typename: 'InventoryReceiptLineAddPayload', line: { id: string, quantity: number } }
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
    | { __typename: 'CustomerCustomFieldsUpdatePayload', customer: { id: string, budget: { money: { amount: string, currencyCode: string } | null } | null, preferredDate: { date: string | null } | null, siteAddress: { address: { fullAddress: string | null } | null } | null, accessNotes: { text: string | null } | null } }
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
    | { __typename: 'AdvancedTaskUpdatePayload', effect: MutationEffect, task: { id: string, status: AdvancedTaskStatus, values: unknown, definition: { id: string, name: string, fields: Array<{ name: string, label: string | null, isRequired: boolean }> } } }
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
    | { __typename: 'ProblemResolvePayload', effect: MutationEffect, problem: { id: string, title: string, status: ProblemStatus, resolvedAt: string | null, portfolio: { id: string, title: string | null }, comments: Array<{ id: string, body: string, author: { displayName: string } | null }>, advancedTasks: { nodes: Array<{ id: string, status: AdvancedTaskStatus }> } } }
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