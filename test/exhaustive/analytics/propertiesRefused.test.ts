import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { entityByName } from '../../../sandbox/analytics/entities.ts';
import { QueryDraw } from '../../sandbox/analytics/oracle/queries.ts';
import { useOracle } from '../../sandbox/analytics/oracle/useOracle.ts';
import { worldArb } from '../../sandbox/analytics/oracle/worlds.ts';
import { INVALID, refusalOf } from '../../sandbox/refusals.ts';
import { fc, SEED } from '../../support/seeded.ts';

const RUNS = 5;
const oracle = useOracle();

const compare = (field: string, operator: string, ...values: JsonObject[]) => ({
  compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, ...(values.length > 0 && { values }) },
});
const some = compare('id', 'EQ', { text: 'a1' });
/** A filter within so many others. */
const nested = (levels: number): JsonObject => (levels === 1 ? some : { all: { children: [nested(levels - 1)] } });
const measure = (aggregation: string, more: JsonObject = {}) => ({ aggregation: `ANALYTICS_AGGREGATION_${aggregation}`, ...more });
const COUNT = measure('COUNT');
const ratio = (more: JsonObject) => measure('RATIO', { numerator: 'a', denominator: 'b', ...more });
const OPERANDS = [measure('COUNT', { id: 'a' }), measure('COUNT', { id: 'b' })];
const period = (name: string, offset = 0) => ({ relative: { period: `ANALYTICS_RELATIVE_PERIOD_${name}`, offset } });
const day = { bucket: 'ANALYTICS_TIME_BUCKET_DAY' };
const half = { percentile: { unscaled: '5', scale: 1 } };
const YEARS_5 = 157_852_800;

const range = (form: JsonObject, field = 'starts_at') => ({ timeRange: { field, ...form } });
const filter = (broken: JsonObject) => ({ filter: broken });
const aggregate = (measures: JsonObject[], dimensions: JsonObject[] = []) => ({
  records: undefined,
  sort: undefined,
  aggregate: { measures, dimensions },
});
const records = (...fields: string[]) => ({ aggregate: undefined, sort: undefined, records: { fields } });

type Part = Readonly<Record<string, unknown>>;
type Rule = readonly [name: string, part: Part, path: string];

/** One rule each: the parts of a query of appointments, valid but for them, that break it, and where the refusal says so. */
const OF_APPOINTMENTS: readonly Rule[] = [
  ['another version', { version: 2 }, 'query.version: '],
  ['a root that is none', { entity: 'invoices' }, 'query.entity: '],
  ['no semantics', { semantics: undefined }, 'query.semantics: '],
  ['a zone that is none', { timezone: 'Europe/Nowhere' }, 'query.timezone: '],
  ['neither aggregate nor records', { aggregate: undefined, records: undefined }, 'query: '],
  ['both aggregate and records', { aggregate: { measures: [COUNT] }, records: { fields: ['id'] } }, 'query: '],
  ['a range without a form', range({}), 'query.time_range: '],
  [
    'a range with two forms',
    range({ ...period('TODAY'), calendar: { startDate: '2026-01-01', endDate: '2026-01-02' } }),
    'query.time_range: ',
  ],
  ['a range over a text', range(period('TODAY'), 'status'), 'query.time_range.field: '],
  ['a range over a field that is none', range(period('TODAY'), 'paid_at'), 'query.time_range.field: '],
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
  ['a day that is none', range({ calendar: { startDate: '2026-02-30', endDate: '2026-03-01' } }), 'query.time_range.calendar.start_date: '],
  [
    'moments of seven decimals',
    range({ timestamp: { start: '2026-01-01T00:00:00.1234567Z', end: '2026-01-02T00:00:00Z' } }),
    'query.time_range.timestamp.start: ',
  ],
  [
    'moments without a zone',
    range({ timestamp: { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00' } }),
    'query.time_range.timestamp.end: ',
  ],
  [
    'moments in the wrong order',
    range({ timestamp: { start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' } }),
    'query.time_range.timestamp.end: ',
  ],
  [
    'moments more than five years apart',
    range({ timestamp: { start: '2021-01-01T00:00:00Z', end: '2026-01-01T00:00:00.000001Z' } }),
    'query.time_range.timestamp.end: ',
  ],
  ['no period', range({ relative: { offset: -1 } }), 'query.time_range.relative.period: '],
  ['an offset below the least', range(period('TODAY', -25)), 'query.time_range.relative.offset: '],
  ['an offset above the greatest', range(period('TODAY', 25)), 'query.time_range.relative.offset: '],
  ['a filter without a form', filter({}), 'query.filter: '],
  ['a filter with two forms', filter({ ...some, related: { relationship: 'customer' } }), 'query.filter: '],
  ['a group of none', filter({ any: { children: [] } }), 'query.filter.any.children: '],
  [
    'more filters than a query may have',
    filter({ all: { children: Array.from({ length: 100 }, () => some) } }),
    'query.filter.all.children[99]: ',
  ],
  ['more levels than filters may have', filter(nested(9)), 'query.filter.all.children[0].all.'],
  [
    'more hops than a filter may lead over',
    filter({
      related: {
        relationship: 'customer',
        filter: { related: { relationship: 'orders', filter: { related: { relationship: 'payments' } } } },
      },
    }),
    'query.filter.related.filter.related.filter',
  ],
  ['a relationship that is none', filter({ related: { relationship: 'orders' } }), 'query.filter.related.relationship: '],
  ['a field that is none', filter(compare('paid_at', 'IS_NULL')), 'query.filter.compare.field: '],
  [
    'a field of the root inside a relationship',
    filter({ related: { relationship: 'customer', filter: compare('starts_at', 'EQ', { nowOffsetSeconds: '0' }) } }),
    'query.filter.related.filter.compare.field: ',
  ],
  ['no operator', filter({ compare: { field: 'id', values: [{ text: 'a1' }] } }), 'query.filter.compare.operator: '],
  ['an operator of another type', filter(compare('duration_minutes', 'CONTAINS', { integer: '1' })), 'query.filter.compare.operator: '],
  ['a null where none can be', filter(compare('starts_at', 'IS_NULL')), 'query.filter.compare.operator: '],
  ['no value', filter(compare('id', 'EQ')), 'query.filter.compare.values: '],
  ['too many values', filter(compare('id', 'EQ', { text: 'a1' }, { text: 'a2' })), 'query.filter.compare.values: '],
  ['a value without need', filter(compare('cancelled_at', 'IS_NULL', { nowOffsetSeconds: '0' })), 'query.filter.compare.values: '],
  ['a value without a form', filter(compare('id', 'EQ', {})), 'query.filter.compare.values[0]: '],
  ['a value of another type', filter(compare('id', 'IN', { text: 'a1' }, { integer: '1' })), 'query.filter.compare.values[1]: '],
  ['a word that is none', filter(compare('status', 'EQ', { text: 'OPEN' })), 'query.filter.compare.values[0].text: '],
  ['a member where none is', filter(compare('customer_id', 'EQ', { currentMember: true })), 'query.filter.compare.values[0]'],
  ['no member at all', filter(compare('member_id', 'EQ', { currentMember: false })), 'query.filter.compare.values[0].current_member: '],
  ['a moment from now for a text', filter(compare('id', 'EQ', { nowOffsetSeconds: '1' })), 'query.filter.compare.values[0]'],
  [
    'a moment too far from now',
    filter(compare('starts_at', 'LT', { nowOffsetSeconds: String(YEARS_5 + 86_400) })),
    'query.filter.compare.values[0].now_offset_seconds: ',
  ],
  [
    'a condition that breaks a rule',
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
  ['a dimension that is none', aggregate([COUNT], [{ field: 'colour' }]), 'query.aggregate.dimensions[0].field: '],
  [
    'a bucket without a range',
    { ...aggregate([COUNT], [{ field: 'starts_at', ...day }]), timeRange: undefined },
    'query.aggregate.dimensions[0].bucket: ',
  ],
  [
    'a bucket of texts',
    { ...aggregate([COUNT], [{ field: 'status', ...day }]), ...range(period('TODAY')) },
    'query.aggregate.dimensions[0].bucket: ',
  ],
  ['no aggregation', aggregate([{ field: 'id' }]), 'query.aggregate.measures[0].aggregation: '],
  ['an aggregation of another type', aggregate([COUNT, measure('SUM', { field: 'id' })]), 'query.aggregate.measures[1].aggregation: '],
  ['a count of rows with a field', aggregate([measure('COUNT', { field: 'id' })]), 'query.aggregate.measures[0].field: '],
  ['a sum without a field', aggregate([measure('SUM')]), 'query.aggregate.measures[0].field: '],
  [
    'a percentile without one',
    aggregate([measure('PERCENTILE_DISC', { field: 'duration_minutes' })]),
    'query.aggregate.measures[0].percentile: ',
  ],
  [
    'a percentile above one',
    aggregate([measure('PERCENTILE_DISC', { field: 'duration_minutes', percentile: { unscaled: '11', scale: 1 } })]),
    'query.aggregate.measures[0].percentile',
  ],
  [
    'a percentile of a sum',
    aggregate([measure('SUM', { field: 'duration_minutes', ...half })]),
    'query.aggregate.measures[0].percentile: ',
  ],
  ['a ratio with a field', aggregate([...OPERANDS, ratio({ field: 'duration_minutes' })]), 'query.aggregate.measures[2].field: '],
  ['a ratio with a percentile', aggregate([...OPERANDS, ratio(half)]), 'query.aggregate.measures[2].percentile: '],
  ['a ratio with a condition', aggregate([...OPERANDS, ratio({ condition: some })]), 'query.aggregate.measures[2].condition: '],
  ['a ratio of what is not there', aggregate([...OPERANDS, ratio({ numerator: 'c' })]), 'query.aggregate.measures[2].numerator: '],
  [
    'a ratio of a ratio',
    aggregate([...OPERANDS, ratio({ id: 'r' }), ratio({ denominator: 'r' })]),
    'query.aggregate.measures[3].denominator: ',
  ],
  [
    'a ratio of moments',
    aggregate([COUNT, measure('MAX', { field: 'starts_at', id: 'a' }), ratio({ denominator: 'count' })]),
    'query.aggregate.measures[2].numerator: ',
  ],
  ['operands without a ratio', aggregate([COUNT, measure('COUNT', { numerator: 'count' })]), 'query.aggregate.measures[1].numerator: '],
  ['ids that are there twice', aggregate([...OPERANDS, measure('COUNT', { id: 'a' })]), 'query.aggregate.measures[2].id: '],
  ['an id that is no name', aggregate([measure('COUNT', { id: 'so many' })]), 'query.aggregate.measures[0].id: '],
  ['no fields', records(), 'query.records.fields: '],
  ['too many fields', records(...Array.from({ length: 21 }, (_, index) => `f${index}`)), 'query.records.fields: '],
  ['a field that is not there', records('id', 'colour'), 'query.records.fields[1]: '],
  ['an order by no column', { ...records('id'), sort: [{ column: 'id' }, { column: 'status' }] }, 'query.sort[1].column: '],
  ['an order by nothing', { ...records('id'), sort: [{ column: '' }] }, 'query.sort[0].column: '],
  [
    'an order by a field whose column has another id',
    { ...aggregate([COUNT], [{ field: 'status', id: 's' }]), sort: [{ column: 'status' }] },
    'query.sort[0].column: ',
  ],
  ['too many rows', { limit: 101 }, 'query.limit: '],
  ['fewer rows than none', { limit: -1 }, 'query.limit: '],
  ['a field of the contract that is none', { having: 'count' }, ''],
];

/** The same for queries of orders, which have amounts. */
const OF_ORDERS: readonly Rule[] = [
  ['amounts that are compared', filter(compare('total_once', 'GT', { integer: '1' })), 'query.filter.compare.operator: '],
  [
    'amounts without their currency',
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
  ...OF_APPOINTMENTS.map((rule) => ['appointments', ...rule] as const),
  ...OF_ORDERS.map((rule) => ['orders', ...rule] as const),
];

describe('a query that breaks one rule', () => {
  it.for(cases)('is refused with the path: of %s, %s', async ([root, , part, path]) => {
    const [world] = fc.sample(worldArb, { numRuns: 1, seed: SEED });
    const entity = entityByName.get(root);
    if (!world || !entity) throw new Error('There must be a world and a root.');
    const { records } = oracle.enter(world);
    const queries = fc.gen().map((draw) => new QueryDraw(draw, records).query(entity));
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        // A filter of its own may be as large as can be, and buckets take a range.
        const answer = await oracle.ask({ ...query, filter: undefined, ...part } as unknown as JsonObject);
        expect(refusalOf(answer)).toEqual(INVALID);
        expect(answer.body.message.slice(0, path.length)).toBe(path);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('is answered when it keeps to the limits', async () => {
    const base = { version: 1, entity: 'appointments', semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE' };
    const full: readonly Part[] = [
      { ...filter({ all: { children: Array.from({ length: 99 }, () => some) } }), ...records('id') },
      { ...filter(nested(8)), ...records('id') },
      { ...range({ calendar: { startDate: '2021-01-01', endDate: '2025-12-31' } }), ...records('id') },
      { ...range({ timestamp: { start: '2021-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' } }), ...records('id') },
      { ...range(period('LAST_12_MONTHS', -24)), ...records('id') },
      aggregate(
        Array.from({ length: 8 }, () => COUNT),
        ['id', 'status', 'source'].map((field) => ({ field })),
      ),
      { ...records('id'), limit: 100 },
    ];
    for (const part of full) expect((await oracle.ask({ ...base, ...part } as unknown as JsonObject)).status).toBe(200);
  });
});
