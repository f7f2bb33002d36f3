import type { InputFieldMap, InputRef } from '@pothos/core';
import { builder, type InputFields } from '../kit/builder.ts';
import { DateTimeRangeInput } from '../kit/ranges.ts';
import { AnalyticsEntityInput, Operator, RelativePeriod, SortDirection, TimeBucket } from './words.ts';

/** A value as callers give it: exactly one member. */
export interface GivenValue {
  readonly text?: string | null | undefined;
  readonly integer?: string | null | undefined;
  readonly decimal?: string | null | undefined;
  readonly boolean?: boolean | null | undefined;
  /** Unix seconds. */
  readonly timestamp?: string | null | undefined;
  readonly date?: string | null | undefined;
  readonly currentMember?: boolean | null | undefined;
  readonly nowOffsetSeconds?: string | null | undefined;
}

/** An input of which exactly one member is given. Pothos tells a type for each member, of which none is the shape that code goes through. */
const oneOf = <Shape>(name: string, description: string, fields: (t: InputFields) => InputFieldMap) =>
  builder.inputType(name, { description, isOneOf: true, fields: fields as never }) as unknown as InputRef<Shape>;

const ValueInput = oneOf<GivenValue>(
  'AnalyticsValueInput',
  'A value to compare a field with: exactly one of these, of the kind of the field.',
  (t) => ({
    text: t.string({ description: 'For TEXT. Words of enums are as the Workspace API spells them: see `AnalyticsField.words`.' }),
    integer: t.field({ type: 'Int64', description: 'For INTEGER.' }),
    decimal: t.field({ type: 'Decimal', description: 'For DECIMAL.' }),
    boolean: t.boolean({ description: 'For BOOLEAN.' }),
    timestamp: t.field({ type: 'DateTime', description: 'For TIMESTAMP.' }),
    date: t.field({ type: 'Date', description: 'For DATE.' }),
    currentMember: t.boolean({ description: 'True: the member behind the key, for fields that say `supportsCurrentMember`.' }),
    nowOffsetSeconds: t.field({
      type: 'Int64',
      description: 'For TIMESTAMP: so many seconds after the query is executed, or before it where negative; within five years.',
    }),
  }),
);

const ComparisonInput = builder.inputType('AnalyticsComparisonInput', {
  description: 'A field that is compared with values.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'The name of the field in `analyticsCatalog`.' }),
    operator: t.field({
      type: Operator.input,
      required: true,
      description: 'How it is compared; the field’s `operators` tell those that it takes.',
    }),
    values: t.field({
      type: [ValueInput],
      description: 'One value, any number of them for IN and NOT_IN, none for IS_NULL and IS_NOT_NULL.',
    }),
  }),
});

/** A filter as callers give it: exactly one member. */
export interface GivenFilter {
  readonly all?: readonly GivenFilter[] | null | undefined;
  readonly any?: readonly GivenFilter[] | null | undefined;
  readonly compare?: GivenComparison | null | undefined;
  readonly related?: GivenRelated | null | undefined;
}

export type GivenComparison = typeof ComparisonInput.$inferInput;

/** A condition on rows that a relationship leads to. */
export interface GivenRelated {
  readonly relationship: string;
  readonly filter?: GivenFilter | null | undefined;
}

const FilterInput: InputRef<GivenFilter> = oneOf<GivenFilter>(
  'AnalyticsFilterInput',
  'A condition on rows: exactly one of these. At most 100 of them in a query, at most 8 within each other.',
  (t) => ({
    all: t.field({ type: [FilterInput], description: 'Every one of these holds.' }),
    any: t.field({ type: [FilterInput], description: 'At least one of these holds.' }),
    compare: t.field({ type: ComparisonInput, description: 'A field compares so with values.' }),
    related: t.field({
      type: RelatedInput,
      description: 'There is a row that a relationship leads to, of which a condition holds. Rows are counted once all the same.',
    }),
  }),
);

const RelatedInput: InputRef<GivenRelated> = builder.inputRef<GivenRelated>('AnalyticsRelatedInput').implement({
  description: 'A row that a relationship leads to. All conditions within it are of the same row.',
  fields: (t) => ({
    relationship: t.string({
      required: true,
      description: 'The name of the relationship in `analyticsCatalog`; at most 2 within each other.',
    }),
    filter: t.field({ type: FilterInput, description: 'The condition, on fields of the entity that it leads to; any row when absent.' }),
  }),
});

const CalendarRangeInput = builder.inputType('AnalyticsCalendarRangeInput', {
  description: 'Whole days in the time zone of the query, at most five years of them.',
  fields: (t) => ({
    startDate: t.field({ type: 'Date', required: true, description: 'The first day.' }),
    endDate: t.field({ type: 'Date', required: true, description: 'The last day, which is part of it.' }),
  }),
});

const RelativeRangeInput = builder.inputType('AnalyticsRelativeRangeInput', {
  description: 'A stretch of time that moves with today, so that a stored query stays of use.',
  fields: (t) => ({
    period: t.field({ type: RelativePeriod, required: true, description: 'The period.' }),
    offset: t.int({
      description:
        'Whole periods that it is moved by, -24 to 24: -1 is the one before. Those of so many days are moved by their own length. 0 when absent.',
    }),
  }),
});

interface GivenRange {
  readonly calendar?: typeof CalendarRangeInput.$inferInput | null | undefined;
  readonly timestamp?: typeof DateTimeRangeInput.$inferInput | null | undefined;
  readonly relative?: typeof RelativeRangeInput.$inferInput | null | undefined;
}

const RangeInput = oneOf<GivenRange>('AnalyticsRangeInput', 'A stretch of time: exactly one of these.', (t) => ({
  calendar: t.field({ type: CalendarRangeInput, description: 'From one day to another.' }),
  timestamp: t.field({ type: DateTimeRangeInput, description: 'From one moment to another, at most five years later.' }),
  relative: t.field({ type: RelativeRangeInput, description: 'A period that moves with today.' }),
}));

const TimeRangeInput = builder.inputType('AnalyticsTimeRangeInput', {
  description: 'The rows of which a moment or a day lies in a stretch of time.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'The name of the field, of kind TIMESTAMP or DATE.' }),
    range: t.field({ type: RangeInput, required: true, description: 'The stretch of time.' }),
  }),
});

const NAME = 'The name of its column, which other columns must not have; made from the rest when absent:';
const CONDITION = 'Only rows of which this holds feed the measure; all when absent.';

const CountInput = builder.inputType('AnalyticsCountInput', {
  description: 'The number of rows.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`count\`.` }),
    condition: t.field({ type: FilterInput, description: CONDITION }),
  }),
});

const FieldMeasureInput = builder.inputType('AnalyticsFieldMeasureInput', {
  description: 'A measure of one field.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`sum_total_once\`, say.` }),
    field: t.string({ required: true, description: 'The name of the field; its `aggregations` tell those that it takes.' }),
    condition: t.field({ type: FilterInput, description: CONDITION }),
  }),
});

const PercentileInput = builder.inputType('AnalyticsPercentileInput', {
  description: 'The value that a share of the values does not exceed.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`percentile_disc_quantity\`, say.` }),
    field: t.string({ required: true, description: 'The name of the field.' }),
    percentile: t.field({ type: 'Decimal', required: true, description: 'The share, from 0 to 1: 0.95 is 95 %.' }),
    condition: t.field({ type: FilterInput, description: CONDITION }),
  }),
});

const RatioInput = builder.inputType('AnalyticsRatioInput', {
  description: 'One measure divided by another.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`won_per_count\`, say.` }),
    numerator: t.string({
      required: true,
      description: 'The column of a measure beside it, of kind INTEGER or DECIMAL, that is no ratio.',
    }),
    denominator: t.string({ required: true, description: 'The column of another one, to divide by.' }),
  }),
});

type GivenFieldMeasure = typeof FieldMeasureInput.$inferInput;

/** A measure as callers give it: exactly one member. */
export interface GivenMeasure {
  readonly count?: typeof CountInput.$inferInput | null | undefined;
  readonly countDistinct?: GivenFieldMeasure | null | undefined;
  readonly sum?: GivenFieldMeasure | null | undefined;
  readonly avg?: GivenFieldMeasure | null | undefined;
  readonly min?: GivenFieldMeasure | null | undefined;
  readonly max?: GivenFieldMeasure | null | undefined;
  readonly percentile?: typeof PercentileInput.$inferInput | null | undefined;
  readonly ratio?: typeof RatioInput.$inferInput | null | undefined;
}

const MeasureInput = oneOf<GivenMeasure>(
  'AnalyticsMeasureInput',
  'A value that is made of the rows of each group: exactly one of these.',
  (t) => ({
    count: t.field({ type: CountInput, description: 'The number of rows.' }),
    countDistinct: t.field({ type: FieldMeasureInput, description: 'The number of different values.' }),
    sum: t.field({ type: FieldMeasureInput, description: 'The sum. Amounts need a dimension of their currency.' }),
    avg: t.field({ type: FieldMeasureInput, description: 'The mean. Amounts need a dimension of their currency.' }),
    min: t.field({ type: FieldMeasureInput, description: 'The smallest value. Amounts need a dimension of their currency.' }),
    max: t.field({ type: FieldMeasureInput, description: 'The largest value. Amounts need a dimension of their currency.' }),
    percentile: t.field({ type: PercentileInput, description: 'A percentile. Amounts need a dimension of their currency.' }),
    ratio: t.field({ type: RatioInput, description: 'One measure divided by another.' }),
  }),
);

const DimensionInput = builder.inputType('AnalyticsDimensionInput', {
  description: 'A field that rows are grouped by.',
  fields: (t) => ({
    name: t.string({ description: `${NAME} \`status\`, or \`created_at_month\`.` }),
    field: t.string({ required: true, description: 'The name of the field.' }),
    bucket: t.field({
      type: TimeBucket.input,
      description: 'The stretches of time that moments are grouped by, which takes a `timeRange`. Stretches without rows are left out.',
    }),
  }),
});

const AggregateInput = builder.inputType('AnalyticsAggregateInput', {
  description: 'Measures of groups of rows.',
  fields: (t) => ({
    measures: t.field({ type: [MeasureInput], required: true, description: 'The measures: 1 to 8.' }),
    dimensions: t.field({
      type: [DimensionInput],
      description: 'The fields that rows are grouped by, at most 3; all rows are one group without any.',
    }),
  }),
});

interface GivenSelect {
  readonly aggregate?: typeof AggregateInput.$inferInput | null | undefined;
  readonly records?: readonly string[] | null | undefined;
}

const SelectInput = oneOf<GivenSelect>('AnalyticsSelectInput', 'The columns of the result: exactly one of these.', (t) => ({
  aggregate: t.field({ type: AggregateInput, description: 'Measures of groups of rows.' }),
  records: t.stringList({ description: 'Fields of single rows, at most 20, by their names.' }),
}));

const SortInput = builder.inputType('AnalyticsSortInput', {
  description: 'A column that rows are sorted by.',
  fields: (t) => ({
    column: t.string({ required: true, description: 'The name of a column of the result.' }),
    direction: t.field({ type: SortDirection, description: 'The order; rising when absent.' }),
  }),
});

export const QueryInput = builder.inputType('AnalyticsQueryInput', {
  description: 'A question about the records of the workspace as they are now, of at most 32 KiB.',
  fields: (t) => ({
    entity: t.field({ type: AnalyticsEntityInput, required: true, description: 'The records that are counted, or shown.' }),
    timezone: t.field({ type: 'TimeZone', description: 'The zone of days and of stretches of time; that of the workspace when absent.' }),
    timeRange: t.field({ type: TimeRangeInput, description: 'Only rows of this time; all when absent.' }),
    filter: t.field({ type: FilterInput, description: 'Only rows of which this holds; all when absent.' }),
    select: t.field({ type: SelectInput, required: true, description: 'The columns of the result.' }),
    sort: t.field({ type: [SortInput], description: 'The order of the rows, the first column first.' }),
    limit: t.int({ description: 'The most rows, 1 to 100; 100 when absent.' }),
  }),
});

export type GivenQuery = typeof QueryInput.$inferInput;
export type GivenDimension = typeof DimensionInput.$inferInput;
export type GivenTimeRange = typeof TimeRangeInput.$inferInput;
