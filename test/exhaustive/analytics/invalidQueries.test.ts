import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { entityByName } from '../../../sandbox/analytics/entities.ts';
import { QueryGenerator } from '../../sandbox/analytics/oracle/queries.ts';
import { useOracle } from '../../sandbox/analytics/oracle/useOracle.ts';
import { worldArb } from '../../sandbox/analytics/oracle/worlds.ts';
import { INVALID, summarizeError } from '../../sandbox/errors.ts';
import { fc, SEED } from '../../support/seeded.ts';

const RUNS = 5;
const oracle = useOracle();

const compare = (field: string, operator: string, ...values: JsonObject[]) => ({
  compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, ...(values.length > 0 && { values }) },
});
const FILTER = compare('id', 'EQ', { text: 'a1' });
/** A filter with this many levels. */
const nestFilter = (levels: number): JsonObject => (levels === 1 ? FILTER : { all: { children: [nestFilter(levels - 1)] } });
const measure = (aggregation: string, options: JsonObject = {}) => ({ aggregation: `ANALYTICS_AGGREGATION_${aggregation}`, ...options });
const COUNT = measure('COUNT');
const ratio = (options: JsonObject) => measure('RATIO', { numerator: 'a', denominator: 'b', ...options });
const OPERANDS = [measure('COUNT', { id: 'a' }), measure('COUNT', { id: 'b' })];
const period = (name: string, offset = 0) => ({ relative: { period: `ANALYTICS_RELATIVE_PERIOD_${name}`, offset } });
const DAY = { bucket: 'ANALYTICS_TIME_BUCKET_DAY' };
const MEDIAN = { percentile: { unscaled: '5', scale: 1 } };
const YEARS_5 = 157_852_800;

const range = (form: JsonObject, field = 'starts_at') => ({ timeRange: { field, ...form } });
const filter = (invalidFilter: JsonObject) => ({ filter: invalidFilter });
const aggregate = (measures: JsonObject[], dimensions: JsonObject[] = []) => ({
  records: undefined,
  sort: undefined,
  aggregate: { measures, dimensions },
});
const records = (...fields: string[]) => ({ aggregate: undefined, sort: undefined, records: { fields } });

type QueryChange = Readonly<Record<string, unknown>>;
type Rule = readonly [name: string, change: QueryChange, path: string];

/** Changes to a valid query of appointments that break one rule each, with the path that the error starts with. */
const APPOINTMENT_RULES: readonly Rule[] = [
  ['another version', { version: 2 }, 'query.version: '],
  ['an unknown entity', { entity: 'invoices' }, 'query.entity: '],
  ['no semantics', { semantics: undefined }, 'query.semantics: '],
  ['an unknown time zone', { timezone: 'Europe/Nowhere' }, 'query.timezone: '],
  ['neither aggregate nor records', { aggregate: undefined, records: undefined }, 'query: '],
  ['both aggregate and records', { aggregate: { measures: [COUNT] }, records: { fields: ['id'] } }, 'query: '],
  ['a range without a form', range({}), 'query.time_range: '],
  [
    'a range with two forms',
    range({ ...period('TODAY'), calendar: { startDate: '2026-01-01', endDate: '2026-01-02' } }),
    'query.time_range: ',
  ],
  ['a range of a text field', range(period('TODAY'), 'status'), 'query.time_range.field: '],
  ['a range of an unknown field', range(period('TODAY'), 'paid_at'), 'query.time_range.field: '],
  [
    'a range that ends before it starts',
    range({ calendar: { startDate: '2026-01-02', endDate: '2026-01-01' } }),
    'query.time_range.calendar.end_date: ',
  ],
  [
    'a range of more than five years',
    range({ calendar: { startDate: '2021-01-01', endDate: '2026-01-01' } }),
    'query.time_range.calendar.end_date: ',
  ],
  ['an invalid date', range({ calendar: { startDate: '2026-02-30', endDate: '2026-03-01' } }), 'query.time_range.calendar.start_date: '],
  [
    'timestamps with seven decimal places',
    range({ timestamp: { start: '2026-01-01T00:00:00.1234567Z', end: '2026-01-02T00:00:00Z' } }),
    'query.time_range.timestamp.start: ',
  ],
  [
    'timestamps without an offset',
    range({ timestamp: { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00' } }),
    'query.time_range.timestamp.end: ',
  ],
  [
    'timestamps in the wrong order',
    range({ timestamp: { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' } }),
    'query.time_range.timestamp.end: ',
  ],
  [
    'timestamps more than five years apart',
    range({ timestamp: { start: '2021-01-01T00:00:00Z', end: '2026-01-01T00:00:00.000001Z' } }),
    'query.time_range.timestamp.end: ',
  ],
  ['no period', range({ relative: { offset: -1 } }), 'query.time_range.relative.period: '],
  ['an offset below the minimum', range(period('TODAY', -25)), 'query.time_range.relative.offset: '],
  ['an offset above the maximum', range(period('TODAY', 25)), 'query.time_range.relative.offset: '],
  ['a filter without a form', filter({}), 'query.filter: '],
  ['a filter with two forms', filter({ ...FILTER, related: { relationship: 'customer' } }), 'query.filter: '],
  ['an empty group', filter({ any: { children: [] } }), 'query.filter.any.children: '],
  ['too many filters', filter({ all: { children: Array.from({ length: 100 }, () => FILTER) } }), 'query.filter.all.children[99]: '],
  ['too many filter levels', filter(nestFilter(9)), 'query.filter.all.children[0].all.'],
  [
    'too many relationships in a row',
    filter({
      related: {
        relationship: 'customer',
        filter: { related: { relationship: 'orders', filter: { related: { relationship: 'payments' } } } },
      },
    }),
    'query.filter.related.filter.related.filter',
  ],
  ['an unknown relationship', filter({ related: { relationship: 'orders' } }), 'query.filter.related.relationship: '],
  ['an unknown field', filter(compare('paid_at', 'IS_NULL')), 'query.filter.compare.field: '],
  [
    'a field of the query’s entity inside a relationship',
    filter({ related: { relationship: 'customer', filter: compare('starts_at', 'EQ', { nowOffsetSeconds: '0' }) } }),
    'query.filter.related.filter.compare.field: ',
  ],
  ['no operator', filter({ compare: { field: 'id', values: [{ text: 'a1' }] } }), 'query.filter.compare.operator: '],
  ['an operator for another type', filter(compare('duration_minutes', 'CONTAINS', { integer: '1' })), 'query.filter.compare.operator: '],
  ['a null check of a field that is never null', filter(compare('starts_at', 'IS_NULL')), 'query.filter.compare.operator: '],
  ['no value', filter(compare('id', 'EQ')), 'query.filter.compare.values: '],
  ['too many values', filter(compare('id', 'EQ', { text: 'a1' }, { text: 'a2' })), 'query.filter.compare.values: '],
  ['an unnecessary value', filter(compare('cancelled_at', 'IS_NULL', { nowOffsetSeconds: '0' })), 'query.filter.compare.values: '],
  ['a value without a form', filter(compare('id', 'EQ', {})), 'query.filter.compare.values[0]: '],
  ['a value of another type', filter(compare('id', 'IN', { text: 'a1' }, { integer: '1' })), 'query.filter.compare.values[1]: '],
  ['an unknown enum value', filter(compare('status', 'EQ', { text: 'OPEN' })), 'query.filter.compare.values[0].text: '],
  [
    'a member for a field that isn’t a member',
    filter(compare('customer_id', 'EQ', { currentMember: true })),
    'query.filter.compare.values[0]',
  ],
  [
    'a value that isn’t a member',
    filter(compare('member_id', 'EQ', { currentMember: false })),
    'query.filter.compare.values[0].current_member: ',
  ],
  ['a relative timestamp for a text', filter(compare('id', 'EQ', { nowOffsetSeconds: '1' })), 'query.filter.compare.values[0]'],
  [
    'a relative timestamp that is too far away',
    filter(compare('starts_at', 'LT', { nowOffsetSeconds: String(YEARS_5 + 86_400) })),
    'query.filter.compare.values[0].now_offset_seconds: ',
  ],
  [
    'an invalid condition',
    aggregate([COUNT, measure('COUNT', { condition: compare('id', 'EQ') })]),
    'query.aggregate.measures[1].condition.compare.values: ',
  ],
  ['no measures', aggregate([]), 'query.aggregate.measures: '],
  ['too many measures', aggregate(Array.from({ length: 9 }, () => COUNT)), 'query.aggregate.measures: '],
  [
    'too many dimensions',
    aggregate(
      [COUNT],
      ['id', 'status', 'source', 'agenda_id'].map((field) => ({ field })),
    ),
    'query.aggregate.dimensions: ',
  ],
  ['an unknown dimension', aggregate([COUNT], [{ field: 'hue' }]), 'query.aggregate.dimensions[0].field: '],
  [
    'a bucket without a range',
    { ...aggregate([COUNT], [{ field: 'starts_at', ...DAY }]), timeRange: undefined },
    'query.aggregate.dimensions[0].bucket: ',
  ],
  [
    'a bucket of a text field',
    { ...aggregate([COUNT], [{ field: 'status', ...DAY }]), ...range(period('TODAY')) },
    'query.aggregate.dimensions[0].bucket: ',
  ],
  ['no aggregation', aggregate([{ field: 'id' }]), 'query.aggregate.measures[0].aggregation: '],
  ['an aggregation for another type', aggregate([COUNT, measure('SUM', { field: 'id' })]), 'query.aggregate.measures[1].aggregation: '],
  ['a count of rows with a field', aggregate([measure('COUNT', { field: 'id' })]), 'query.aggregate.measures[0].field: '],
  ['a sum without a field', aggregate([measure('SUM')]), 'query.aggregate.measures[0].field: '],
  [
    'a percentile without a value',
    aggregate([measure('PERCENTILE_DISC', { field: 'duration_minutes' })]),
    'query.aggregate.measures[0].percentile: ',
  ],
  [
    'a percentile above one',
    aggregate([measure('PERCENTILE_DISC', { field: 'duration_minutes', percentile: { unscaled: '11', scale: 1 } })]),
    'query.aggregate.measures[0].percentile',
  ],
  [
    'a sum with a percentile',
    aggregate([measure('SUM', { field: 'duration_minutes', ...MEDIAN })]),
    'query.aggregate.measures[0].percentile: ',
  ],
  ['a ratio with a field', aggregate([...OPERANDS, ratio({ field: 'duration_minutes' })]), 'query.aggregate.measures[2].field: '],
  ['a ratio with a percentile', aggregate([...OPERANDS, ratio(MEDIAN)]), 'query.aggregate.measures[2].percentile: '],
  ['a ratio with a condition', aggregate([...OPERANDS, ratio({ condition: FILTER })]), 'query.aggregate.measures[2].condition: '],
  ['a ratio of an unknown measure', aggregate([...OPERANDS, ratio({ numerator: 'c' })]), 'query.aggregate.measures[2].numerator: '],
  [
    'a ratio of a ratio',
    aggregate([...OPERANDS, ratio({ id: 'r' }), ratio({ denominator: 'r' })]),
    'query.aggregate.measures[3].denominator: ',
  ],
  [
    'a ratio of timestamps',
    aggregate([COUNT, measure('MAX', { field: 'starts_at', id: 'a' }), ratio({ denominator: 'count' })]),
    'query.aggregate.measures[2].numerator: ',
  ],
  ['operands without a ratio', aggregate([COUNT, measure('COUNT', { numerator: 'count' })]), 'query.aggregate.measures[1].numerator: '],
  ['duplicate IDs', aggregate([...OPERANDS, measure('COUNT', { id: 'a' })]), 'query.aggregate.measures[2].id: '],
  ['an invalid ID', aggregate([measure('COUNT', { id: 'so many' })]), 'query.aggregate.measures[0].id: '],
  ['no fields', records(), 'query.records.fields: '],
  ['too many fields', records(...Array.from({ length: 21 }, (_, index) => `f${index}`)), 'query.records.fields: '],
  ['an unknown record field', records('id', 'hue'), 'query.records.fields[1]: '],
  [
    'a sort by a column that isn’t selected',
    { ...records('id'), sort: [{ column: 'id' }, { column: 'status' }] },
    'query.sort[1].column: ',
  ],
  ['a sort by an empty column', { ...records('id'), sort: [{ column: '' }] }, 'query.sort[0].column: '],
  [
    'a sort by a field whose column has another ID',
    { ...aggregate([COUNT], [{ field: 'status', id: 's' }]), sort: [{ column: 'status' }] },
    'query.sort[0].column: ',
  ],
  ['too many rows', { limit: 101 }, 'query.limit: '],
  ['a negative number of rows', { limit: -1 }, 'query.limit: '],
  ['an unknown member of the query', { having: 'count' }, ''],
];

/** Like `APPOINTMENT_RULES`, but for queries of orders, which have amounts. */
const ORDER_RULES: readonly Rule[] = [
  ['a comparison of amounts', filter(compare('total_once', 'GT', { integer: '1' })), 'query.filter.compare.operator: '],
  [
    'amounts without a currency dimension',
    aggregate([COUNT, measure('SUM', { field: 'total_once' })], [{ field: 'status' }]),
    'query.aggregate.measures[1].field: ',
  ],
  ['amounts as a dimension', aggregate([COUNT], [{ field: 'total_once' }]), 'query.aggregate.dimensions[0].field: '],
  [
    'distinct amounts',
    aggregate([measure('COUNT_DISTINCT', { field: 'total_once' })], [{ field: 'currency' }]),
    'query.aggregate.measures[0].aggregation: ',
  ],
  [
    'a ratio of amounts',
    aggregate([COUNT, measure('SUM', { field: 'total_once', id: 'a' }), ratio({ denominator: 'count' })], [{ field: 'currency' }]),
    'query.aggregate.measures[2].numerator: ',
  ],
];

const cases = [
  ...APPOINTMENT_RULES.map((rule) => ['appointments', ...rule] as const),
  ...ORDER_RULES.map((rule) => ['orders', ...rule] as const),
];

describe('query that breaks one rule', () => {
  it.for(cases)('returns the path of the violation, for %s: %s', async ([root, , change, path]) => {
    const [world] = fc.sample(worldArb, { numRuns: 1, seed: SEED });
    const entity = entityByName.get(root);
    if (!world || !entity) throw new Error('There must be a world and a root.');
    const { records } = oracle.enter(world);
    const queries = fc.gen().map((draw) => new QueryGenerator(draw, records).query(entity));
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        // Removes the random filter, which can already have the maximum size. The random buckets require a range, so the range stays.
        const response = await oracle.ask({ ...query, filter: undefined, ...change } as unknown as JsonObject);
        expect(summarizeError(response)).toEqual(INVALID);
        expect(response.body.message.slice(0, path.length)).toBe(path);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('succeeds at each limit', async () => {
    const base = { version: 1, entity: 'appointments', semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE' };
    const accepted: readonly QueryChange[] = [
      { ...filter({ all: { children: Array.from({ length: 99 }, () => FILTER) } }), ...records('id') },
      { ...filter(nestFilter(8)), ...records('id') },
      { ...range({ calendar: { startDate: '2021-01-01', endDate: '2025-12-31' } }), ...records('id') },
      { ...range({ timestamp: { start: '2021-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' } }), ...records('id') },
      { ...range(period('LAST_12_MONTHS', -24)), ...records('id') },
      aggregate(
        Array.from({ length: 8 }, () => COUNT),
        ['id', 'status', 'source'].map((field) => ({ field })),
      ),
      { ...records('id'), limit: 100 },
    ];
    for (const change of accepted) expect((await oracle.ask({ ...base, ...change } as unknown as JsonObject)).status).toBe(200);
  });
});
