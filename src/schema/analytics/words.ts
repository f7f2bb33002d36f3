import type {
  AnalyticsAggregationJson,
  AnalyticsCellStatusJson,
  AnalyticsFieldTypeJson,
  AnalyticsOperatorJson,
  AnalyticsResultStatusJson,
  AnalyticsTimeBucketJson,
} from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { builder } from '../kit/builder.ts';
import { described, wireEnum } from '../kit/enums.ts';

/** The documented roots by the upstream's names. */
const ENTITIES = {
  CUSTOMERS: 'Customers and portfolios.',
  APPOINTMENTS: 'Appointments.',
  ORDERS: 'Orders.',
  OFFERS: 'Quotes.',
  WORKORDERS: 'Work orders. One order may have several of them.',
  PROBLEMS: 'Problems.',
  PAYMENTS: 'Payments.',
  APPOINTMENT_RESULTS: 'Results of appointments.',
} as const;

export type EntityMember = keyof typeof ENTITIES;

/** A root of the upstream: its name is the member's in small letters. */
export const AnalyticsEntity = builder.enumType('AnalyticsEntity', {
  description: 'The records that a query counts.',
  values: { ...described(ENTITIES), OTHER: { description: 'Records that this graph does not know.' } },
});

export const AnalyticsEntityInput = builder.enumType('AnalyticsEntityInput', {
  description: 'The records that a query counts. The members of `AnalyticsEntity` that can be sent.',
  values: described(ENTITIES),
});

/** The upstream's name of a root. */
export const entityName = (member: EntityMember): string => member.toLowerCase();

/** The member for a name; `OTHER` for a root that this graph does not know. */
export function entityMember(name: string | undefined): EntityMember | 'OTHER' {
  const member = (name ?? '').toUpperCase();
  return member in ENTITIES ? (member as EntityMember) : 'OTHER';
}

export const ValueType = wireEnum<AnalyticsFieldTypeJson>()('AnalyticsValueType', {
  description: 'The kind of the values of a field or a column, and the field of `AnalyticsCell` that holds them.',
  prefix: 'ANALYTICS_FIELD_TYPE',
  members: {
    TEXT: 'Text, and words of enums as the Workspace API spells them.',
    INTEGER: 'A whole number.',
    DECIMAL: 'An exact decimal number.',
    MONEY: 'An amount of money.',
    BOOLEAN: 'True or false.',
    TIMESTAMP: 'A moment.',
    DATE: 'A calendar day, and the first day of a stretch of time.',
    OTHER: 'A kind that this graph does not know.',
  },
});

export const Operator = wireEnum<AnalyticsOperatorJson>()('AnalyticsOperator', {
  description: 'A way to compare a field with values.',
  prefix: 'ANALYTICS_OPERATOR',
  members: {
    EQ: 'Equal to the one value.',
    NEQ: 'Not equal to the one value.',
    LT: 'Less than the one value.',
    LTE: 'Less than the one value, or equal to it.',
    GT: 'Greater than the one value.',
    GTE: 'Greater than the one value, or equal to it.',
    IN: 'Equal to any of the values.',
    NOT_IN: 'Equal to none of the values.',
    CONTAINS: 'A text that has the one value in it.',
    IS_NULL: 'Without a value; takes no values.',
    IS_NOT_NULL: 'With a value; takes no values.',
    OTHER: 'A way that this graph does not know.',
  },
});

export const Aggregation = wireEnum<AnalyticsAggregationJson>()('AnalyticsAggregation', {
  description: 'A way to make one value of many rows.',
  prefix: 'ANALYTICS_AGGREGATION',
  members: {
    COUNT: 'The number of rows; 0 for none.',
    COUNT_DISTINCT: 'The number of different values.',
    SUM: 'The sum of the values; no value for no rows.',
    AVG: 'The mean of the values.',
    MIN: 'The smallest value.',
    MAX: 'The largest value.',
    PERCENTILE_DISC: 'The value that so large a share of the values does not exceed: one of them.',
    RATIO: 'One measure divided by another; no value where that is 0 or has none.',
    OTHER: 'A way that this graph does not know.',
  },
});

export const TimeBucket = wireEnum<AnalyticsTimeBucketJson>()('AnalyticsTimeBucket', {
  description: 'The stretches of time that moments are grouped by, in the time zone of the query.',
  prefix: 'ANALYTICS_TIME_BUCKET',
  members: {
    DAY: 'Days.',
    WEEK: 'Weeks, from Monday.',
    MONTH: 'Months.',
    QUARTER: 'Quarters of a year.',
    YEAR: 'Years.',
    OTHER: 'Stretches that this graph does not know.',
  },
});

export const ResultStatus = wireEnum<AnalyticsResultStatusJson>()('AnalyticsResultStatus', {
  description: 'Whether a result has rows.',
  prefix: 'ANALYTICS_RESULT_STATUS',
  members: {
    READY: 'There are rows.',
    EMPTY: 'There are none.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

export const CellStatus = wireEnum<AnalyticsCellStatusJson>()('AnalyticsCellStatus', {
  description: 'Whether a cell has a value.',
  prefix: 'ANALYTICS_CELL_STATUS',
  members: {
    READY: 'It has a value.',
    NO_VALUE: 'There is none: a sum of no rows, or a field that is not set.',
    UNAVAILABLE: 'There is one, and it is not known: an amount of records whose prices are not settled.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
  renamed: { NO_VALUE: 'NULL' },
});

/** The documented periods, without the upstream's prefix. */
const PERIODS = {
  TODAY: 'This day.',
  THIS_WEEK: 'This week, from Monday.',
  THIS_MONTH: 'This month.',
  THIS_QUARTER: 'This quarter of the year.',
  THIS_YEAR: 'This year.',
  LAST_7_DAYS: 'Seven days, of which today is the last.',
  LAST_30_DAYS: 'Thirty days, of which today is the last.',
  LAST_90_DAYS: 'Ninety days, of which today is the last.',
  LAST_12_MONTHS: 'Twelve whole months, of which this one is the last.',
} as const;

/** A period that moves with time. No answer has it, so that it has no `OTHER`. */
export const RelativePeriod = builder.enumType('AnalyticsRelativePeriod', {
  description: 'A stretch of time that moves with today, in the time zone of the query.',
  values: described(PERIODS),
});

/** The order of a column. No answer has it, so that it has no `OTHER`. */
export const SortDirection = builder.enumType('AnalyticsSortDirection', {
  description: 'The order of a column. Cells without a value come last either way.',
  values: described({ ASC: 'Rising.', DESC: 'Falling.' }),
});
