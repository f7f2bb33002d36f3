import { builder } from '../kit/builder.ts';
import { defineWireEnum, describeUpstreamValues, describeValues, requireKnownMember } from '../kit/enums.ts';

/** Documented entities. The upstream's names are the same in lower case. */
const ENTITIES = {
  CUSTOMERS: 'Customers and portfolios.',
  APPOINTMENTS: 'Appointments.',
  ORDERS: 'Orders.',
  OFFERS: 'Quotes.',
  WORKORDERS: 'Work orders. An order can have several.',
  PROBLEMS: 'Problems.',
  PAYMENTS: 'Payments.',
  APPOINTMENT_RESULTS: 'Results of appointments.',
  OTHER: 'An entity that isn’t in this schema yet.',
} as const;

export type EntityMember = keyof typeof ENTITIES;

export const AnalyticsEntity = builder.enumType('AnalyticsEntity', {
  description: 'The kind of records that a query reads.',
  values: describeUpstreamValues(ENTITIES),
});

/** Converts an entity of an input to the upstream's name. Throws ValidationError with its path for `OTHER`. */
export const toEntityName = (member: EntityMember, path: readonly string[]): string => requireKnownMember(member, path).toLowerCase();

/** Converts the upstream's name of an entity. `OTHER` for an unknown one. */
export function toEntityMember(name: string): EntityMember {
  const member = name.toUpperCase();
  return member in ENTITIES ? (member as EntityMember) : 'OTHER';
}

export const ValueType = defineWireEnum('AnalyticsValueType', 'AnalyticsFieldType', {
  description: 'The type of a field or column. Determines which field of `AnalyticsCell` contains the value.',
  members: {
    TEXT: 'Text, or an enum value as spelled in this schema, such as `CANCELLED`.',
    INTEGER: 'A whole number.',
    DECIMAL: 'An exact decimal number.',
    MONEY: 'An amount of money.',
    BOOLEAN: 'True or false.',
    TIMESTAMP: 'A point in time.',
    DATE: 'A calendar date. Time intervals are represented by their first day.',
    OTHER: 'A value that isn’t in this schema yet. See `valueTypeText`.',
  },
});

export const Operator = defineWireEnum('AnalyticsOperator', 'AnalyticsOperator', {
  description: 'An operator that compares a field with values.',
  members: {
    EQ: 'Equal to the value.',
    NEQ: 'Not equal to the value.',
    LT: 'Less than the value.',
    LTE: 'Less than or equal to the value.',
    GT: 'Greater than the value.',
    GTE: 'Greater than or equal to the value.',
    IN: 'Equal to one of the values.',
    NOT_IN: 'Equal to none of the values.',
    CONTAINS: 'Text that contains the value.',
    IS_NULL: 'The field has no value. Accepts no values.',
    IS_NOT_NULL: 'The field has a value. Accepts no values.',
    OTHER: 'A value that isn’t in this schema yet.',
  },
});

export const Aggregation = defineWireEnum('AnalyticsAggregation', 'AnalyticsAggregation', {
  description: 'A function that computes one value from many rows.',
  members: {
    COUNT: 'Number of rows. 0 if no rows match.',
    COUNT_DISTINCT: 'Number of distinct values.',
    SUM: 'Sum of the values. Has no value if there are no rows.',
    AVG: 'Mean of the values.',
    MIN: 'Smallest value.',
    MAX: 'Largest value.',
    PERCENTILE_DISC: 'Discrete percentile: one of the values, which the given share of the values doesn’t exceed.',
    RATIO: 'One measure divided by another. Has no value if the divisor is 0 or has no value.',
    OTHER: 'A value that isn’t in this schema yet.',
  },
});

export const TimeBucket = defineWireEnum('AnalyticsTimeBucket', 'AnalyticsTimeBucket', {
  description: 'A time interval that timestamps are grouped by, in the time zone of the query.',
  members: {
    DAY: 'Calendar days.',
    WEEK: 'Weeks starting on Monday.',
    MONTH: 'Calendar months.',
    QUARTER: 'Calendar quarters.',
    YEAR: 'Calendar years.',
    OTHER: 'A value that isn’t in this schema yet. See `bucketText`.',
  },
});

export const ResultStatus = defineWireEnum('AnalyticsResultStatus', 'AnalyticsResultStatus', {
  description: 'Whether a result has rows.',
  members: {
    READY: 'The result has rows.',
    EMPTY: 'The result has no rows.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const CellStatus = defineWireEnum('AnalyticsCellStatus', 'AnalyticsCellStatus', {
  description: 'Whether a cell has a value.',
  members: {
    READY: 'The cell has a value.',
    NO_VALUE: 'There is no value, as for a sum of no rows or a field that isn’t set.',
    UNAVAILABLE: 'There is a value, but it isn’t known: an amount of records whose prices aren’t settled.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
  renamed: { NO_VALUE: 'NULL' },
});

/** Documented periods, without the upstream's prefix. */
const PERIODS = {
  TODAY: 'The current day.',
  THIS_WEEK: 'The current week, starting on Monday.',
  THIS_MONTH: 'The current month.',
  THIS_QUARTER: 'The current calendar quarter.',
  THIS_YEAR: 'The current year.',
  LAST_7_DAYS: 'The last 7 days, including today.',
  LAST_30_DAYS: 'The last 30 days, including today.',
  LAST_90_DAYS: 'The last 90 days, including today.',
  LAST_12_MONTHS: 'The last 12 calendar months, including the current one.',
} as const;

/** A time range relative to today. It isn't part of responses, so it has no `OTHER`. */
export const RelativePeriod = builder.enumType('AnalyticsRelativePeriod', {
  description: 'A time range relative to today, in the time zone of the query.',
  values: describeValues(PERIODS),
});
