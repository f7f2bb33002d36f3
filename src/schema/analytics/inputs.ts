import type { InputFieldMap, InputRef } from '@pothos/core';
import type { Instant } from '../../lib/instant.ts';
import { builder, type InputFields } from '../kit/builder.ts';
import { DateTimeRangeInput } from '../kit/ranges.ts';
import { SortDirection } from '../kit/sortDirection.ts';
import type { SizeExtensions } from '../kit/valueSizes.ts';
import { AnalyticsEntity, Operator, RelativePeriod, TimeBucket } from './enums.ts';

/** Documented maximum numbers of a query's parts. Limits in the catalog take precedence. */
export const MAX_PARTS = { maxFilterNodes: 100, maxMeasures: 8, maxDimensions: 3, maxProjectedFields: 20 } as const;

/** Maximum number of values in a comparison. Chosen: as many as fit into the maximum size of a query. */
const MAX_COMPARED = 2_700;

const limitItems = (maxItems: number) => ({ maxItems }) satisfies SizeExtensions;

/** Value of `AnalyticsValueInput`: exactly one member is set. */
export interface ValueShape {
  readonly text?: string | null | undefined;
  readonly integer?: string | null | undefined;
  readonly decimal?: string | null | undefined;
  readonly boolean?: boolean | null | undefined;
  readonly timestamp?: Instant | null | undefined;
  readonly date?: string | null | undefined;
  readonly currentMember?: boolean | null | undefined;
  readonly nowOffsetSeconds?: string | null | undefined;
}

/** Defines a `@oneOf` input. Pothos infers a union with one type per member; the code uses a single interface instead. */
const defineOneOfInput = <Shape>(name: string, description: string, fields: (t: InputFields) => InputFieldMap) =>
  builder.inputType(name, { description, isOneOf: true, fields }) as unknown as InputRef<Shape>;

const ValueInput = defineOneOfInput<ValueShape>(
  'AnalyticsValueInput',
  'A value to compare a field with. Specify exactly one field, the one that matches the type of the compared field.',
  (t) => ({
    text: t.string({
      description:
        'Value for a `TEXT` field. Enum values are spelled as in this schema, such as `CANCELLED`: see `AnalyticsField.words`. The spelling of the Workspace API is accepted too.',
    }),
    integer: t.field({ type: 'Int64', description: 'Value for an `INTEGER` field.' }),
    decimal: t.field({ type: 'Decimal', description: 'Value for a `DECIMAL` field.' }),
    boolean: t.boolean({ description: 'Value for a `BOOLEAN` field.' }),
    timestamp: t.field({ type: 'DateTime', description: 'Value for a `TIMESTAMP` field.' }),
    date: t.field({ type: 'Date', description: 'Value for a `DATE` field.' }),
    currentMember: t.boolean({
      description: 'Set to true to compare with the key’s member. Requires a field with `supportsCurrentMember`.',
    }),
    nowOffsetSeconds: t.field({
      type: 'Int64',
      description:
        'Value for a `TIMESTAMP` field, in seconds after the query is executed. Negative values are before it. Within five years.',
    }),
  }),
);

const ComparisonInput = builder.inputType('AnalyticsComparisonInput', {
  description: 'A comparison of a field with values.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'Name of the field in `analyticsCatalog`.' }),
    operator: t.field({
      type: Operator.ref,
      required: true,
      description: 'Comparison operator. Must be one of the field’s `operators`.',
    }),
    values: t.field({
      type: [ValueInput],
      description:
        'Values to compare with. At least one for `IN` and `NOT_IN`, none for `IS_NULL` and `IS_NOT_NULL`, exactly one for other operators.',
      extensions: limitItems(MAX_COMPARED),
    }),
  }),
});

/** Value of `AnalyticsFilterInput`: exactly one member is set. */
export interface FilterShape {
  readonly all?: readonly FilterShape[] | null | undefined;
  readonly any?: readonly FilterShape[] | null | undefined;
  readonly compare?: ComparisonShape | null | undefined;
  readonly related?: RelatedShape | null | undefined;
}

export type ComparisonShape = typeof ComparisonInput.$inferInput;

/** A condition on related rows. */
export interface RelatedShape {
  readonly relationship: string;
  readonly filter?: FilterShape | null | undefined;
}

const FilterInput: InputRef<FilterShape> = defineOneOfInput<FilterShape>(
  'AnalyticsFilterInput',
  'A condition on rows. Specify exactly one field. A query can have up to 100 conditions, nested up to 8 levels deep.',
  (t) => ({
    all: t.field({
      type: [FilterInput],
      description: 'Matches if all of these conditions match.',
      extensions: limitItems(MAX_PARTS.maxFilterNodes),
    }),
    any: t.field({
      type: [FilterInput],
      description: 'Matches if at least one of these conditions matches.',
      extensions: limitItems(MAX_PARTS.maxFilterNodes),
    }),
    compare: t.field({ type: ComparisonInput, description: 'Matches if the comparison is true.' }),
    related: t.field({
      type: RelatedInput,
      description:
        'Matches if there is a related row that fulfills a condition. A row with several such related rows is still counted once.',
    }),
  }),
);

const RelatedInput: InputRef<RelatedShape> = builder.inputRef<RelatedShape>('AnalyticsRelatedInput').implement({
  description: 'A condition on related rows. All nested conditions apply to the same related row.',
  fields: (t) => ({
    relationship: t.string({
      required: true,
      description: 'Name of the relationship in `analyticsCatalog`. Can be nested up to 2 levels deep.',
    }),
    filter: t.field({ type: FilterInput, description: 'Condition on fields of the related entity. Defaults to any related row.' }),
  }),
});

const CalendarRangeInput = builder.inputType('AnalyticsCalendarRangeInput', {
  description: 'A range of whole days in the time zone of the query. Up to five years.',
  fields: (t) => ({
    startDate: t.field({ type: 'Date', required: true, description: 'First day of the range.' }),
    endDate: t.field({ type: 'Date', required: true, description: 'Last day of the range, inclusive.' }),
  }),
});

const RelativeRangeInput = builder.inputType('AnalyticsRelativeRangeInput', {
  description: 'A time range relative to today, so that a stored query stays useful.',
  fields: (t) => ({
    period: t.field({ type: RelativePeriod, required: true, description: 'Period relative to today.' }),
    offset: t.int({
      description:
        'Number of periods to shift the range by. -24 to 24, default 0. For example, -1 is the previous period. Periods of several days are shifted by their own length.',
    }),
  }),
});

interface RangeShape {
  readonly calendar?: typeof CalendarRangeInput.$inferInput | null | undefined;
  readonly timestamp?: typeof DateTimeRangeInput.$inferInput | null | undefined;
  readonly relative?: typeof RelativeRangeInput.$inferInput | null | undefined;
}

const RangeInput = defineOneOfInput<RangeShape>('AnalyticsRangeInput', 'A time range. Specify exactly one field.', (t) => ({
  calendar: t.field({ type: CalendarRangeInput, description: 'Range of calendar days.' }),
  timestamp: t.field({ type: DateTimeRangeInput, description: 'Range between two timestamps. Up to five years.' }),
  relative: t.field({ type: RelativeRangeInput, description: 'Range relative to today.' }),
}));

const TimeRangeInput = builder.inputType('AnalyticsTimeRangeInput', {
  description: 'Restricts a query to rows whose timestamp or date is in a time range.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'Name of a field of type `TIMESTAMP` or `DATE`.' }),
    range: t.field({ type: RangeInput, required: true, description: 'Time range that the field’s value must be in.' }),
  }),
});

const NAME = 'Name of the column, unique within the query. Defaults to a generated name, such as';
const CONDITION = 'Includes only rows that match in the measure. Defaults to all rows.';

const CountInput = builder.inputType('AnalyticsCountInput', {
  description: 'A measure that counts rows.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`count\`.` }),
    condition: t.field({ type: FilterInput, description: CONDITION }),
  }),
});

const FieldMeasureInput = builder.inputType('AnalyticsFieldMeasureInput', {
  description: 'A measure that aggregates the values of one field.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`sum_total_once\`.` }),
    field: t.string({ required: true, description: 'Name of the field. Its `aggregations` must include the aggregation.' }),
    condition: t.field({ type: FilterInput, description: CONDITION }),
  }),
});

const PercentileInput = builder.inputType('AnalyticsPercentileInput', {
  description: 'A measure that returns the value that a given share of the values doesn’t exceed.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`percentile_disc_quantity\`.` }),
    field: t.string({ required: true, description: 'Name of the field.' }),
    percentile: t.field({ type: 'Decimal', required: true, description: 'Share of the values, from 0 to 1: 0.95 means 95%.' }),
    condition: t.field({ type: FilterInput, description: CONDITION }),
  }),
});

const RatioInput = builder.inputType('AnalyticsRatioInput', {
  description: 'A measure that divides one measure by another.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`won_per_count\`.` }),
    numerator: t.string({
      required: true,
      description: 'Column name of the measure to divide. Must be an `INTEGER` or `DECIMAL` measure of the same query, but not a ratio.',
    }),
    denominator: t.string({ required: true, description: 'Column name of the measure to divide by. The same restrictions apply.' }),
  }),
});

type FieldMeasureShape = typeof FieldMeasureInput.$inferInput;

/** Value of `AnalyticsMeasureInput`: exactly one member is set. */
export interface MeasureShape {
  readonly count?: typeof CountInput.$inferInput | null | undefined;
  readonly countDistinct?: FieldMeasureShape | null | undefined;
  readonly sum?: FieldMeasureShape | null | undefined;
  readonly avg?: FieldMeasureShape | null | undefined;
  readonly min?: FieldMeasureShape | null | undefined;
  readonly max?: FieldMeasureShape | null | undefined;
  readonly percentile?: typeof PercentileInput.$inferInput | null | undefined;
  readonly ratio?: typeof RatioInput.$inferInput | null | undefined;
}

const MeasureInput = defineOneOfInput<MeasureShape>(
  'AnalyticsMeasureInput',
  'A value that is computed from the rows of each group. Specify exactly one field.',
  (t) => ({
    count: t.field({ type: CountInput, description: 'Number of rows.' }),
    countDistinct: t.field({ type: FieldMeasureInput, description: 'Number of distinct values of a field.' }),
    sum: t.field({ type: FieldMeasureInput, description: 'Sum of a field’s values. Amounts require a dimension of their currency.' }),
    avg: t.field({ type: FieldMeasureInput, description: 'Mean of a field’s values. Amounts require a dimension of their currency.' }),
    min: t.field({ type: FieldMeasureInput, description: 'Smallest value of a field. Amounts require a dimension of their currency.' }),
    max: t.field({ type: FieldMeasureInput, description: 'Largest value of a field. Amounts require a dimension of their currency.' }),
    percentile: t.field({
      type: PercentileInput,
      description: 'Percentile of a field’s values. Amounts require a dimension of their currency.',
    }),
    ratio: t.field({ type: RatioInput, description: 'One measure divided by another.' }),
  }),
);

const DimensionInput = builder.inputType('AnalyticsDimensionInput', {
  description: 'A field to group rows by.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`status\` or \`created_at_month\`.` }),
    field: t.string({ required: true, description: 'Name of the field.' }),
    bucket: t.field({
      type: TimeBucket.ref,
      description: 'Time interval to group timestamps by. Requires a `timeRange`. Intervals without rows are omitted.',
    }),
  }),
});

const AggregateInput = builder.inputType('AnalyticsAggregateInput', {
  description: 'Measures to compute for groups of rows.',
  fields: (t) => ({
    measures: t.field({
      type: [MeasureInput],
      required: true,
      description: 'Measures to compute. 1–8 items.',
      extensions: limitItems(MAX_PARTS.maxMeasures),
    }),
    dimensions: t.field({
      type: [DimensionInput],
      description: 'Fields to group rows by. Up to 3 items. Without dimensions, all rows form one group.',
      extensions: limitItems(MAX_PARTS.maxDimensions),
    }),
  }),
});

interface SelectShape {
  readonly aggregate?: typeof AggregateInput.$inferInput | null | undefined;
  readonly records?: readonly string[] | null | undefined;
}

const SelectInput = defineOneOfInput<SelectShape>('AnalyticsSelectInput', 'The columns of the result. Specify exactly one field.', (t) => ({
  aggregate: t.field({ type: AggregateInput, description: 'Returns measures of groups of rows.' }),
  records: t.stringList({
    description: 'Returns individual rows with these fields. 1–20 field names.',
    extensions: limitItems(MAX_PARTS.maxProjectedFields),
  }),
}));

const SortInput = builder.inputType('AnalyticsSortInput', {
  description: 'A column to sort rows by.',
  fields: (t) => ({
    column: t.string({ required: true, description: 'Name of a column of the result.' }),
    direction: t.field({
      type: SortDirection,
      description: 'Sort direction. Defaults to ascending. Cells without a value come last in both directions.',
    }),
  }),
});

export const QueryInput = builder.inputType('AnalyticsQueryInput', {
  description: 'A query on the current records of the workspace. Up to 32 KiB.',
  fields: (t) => ({
    entity: t.field({ type: AnalyticsEntity, required: true, description: 'Entity to query.' }),
    timezone: t.field({
      type: 'TimeZone',
      description: 'Time zone of days and time intervals. Defaults to the time zone of the workspace.',
    }),
    timeRange: t.field({ type: TimeRangeInput, description: 'Includes only rows in this time range. Defaults to all rows.' }),
    filter: t.field({ type: FilterInput, description: 'Includes only rows that match. Defaults to all rows.' }),
    select: t.field({ type: SelectInput, required: true, description: 'Columns of the result.' }),
    sort: t.field({ type: [SortInput], description: 'Columns to sort the rows by, in order of precedence.' }),
    limit: t.int({ description: 'Maximum number of rows. 1–100, default 100.' }),
  }),
});

export type QueryShape = typeof QueryInput.$inferInput;
export type DimensionShape = typeof DimensionInput.$inferInput;
export type TimeRangeShape = typeof TimeRangeInput.$inferInput;
