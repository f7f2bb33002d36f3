import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useSandbox } from '../sandbox.ts';
import {
  all,
  any,
  calendar,
  compare,
  createQuery,
  dimension,
  getQueryError,
  measure,
  related,
  relative,
  sendQuery,
  sortBy,
} from './queryHelpers.ts';

const { call } = useSandbox();

const COUNT = measure('COUNT');
const orders = (more: object) => createQuery('orders', more);
const counting = (more: object) => orders({ aggregate: { measures: [COUNT] }, ...more });
const filtered = (filter: object) => counting({ filter });
const aggregating = (aggregate: object, more: object = {}) => orders({ aggregate: { measures: [COUNT], ...aggregate }, ...more });
const measuring = (...measures: readonly object[]) => aggregating({ measures });
const ranging = (timeRange: object) => counting({ timeRange });
const TEXT = { text: 'x' };
const status = compare('status', 'EQ', { text: 'PUBLIC_ORDER_STATUS_OPEN' });
const nested = (levels: number): object => (levels === 1 ? status : all(nested(levels - 1)));
const SECOND = 1_827 * 86_400 + 1;
const MONTH = relative('created_at', 'THIS_MONTH');

/** Queries that each break one rule, with the path and the expectation in the message. */
const REFUSED: readonly (readonly [string, object, string])[] = [
  ['another version', counting({ version: 2 }), 'query.version: must be 1, but is 2'],
  [
    'an unknown root',
    createQuery('invoices', { aggregate: { measures: [COUNT] } }),
    'query.entity: must be an entity of the catalog, but is "invoices"',
  ],
  ['an unknown time zone', counting({ timezone: 'Mars/Olympus' }), 'query.timezone: must be an IANA time zone'],
  ['an offset as a time zone', counting({ timezone: '+02:00' }), 'query.timezone: must be an IANA time zone'],
  ['neither an aggregate nor records', orders({}), 'query: '],
  ['both an aggregate and records', counting({ records: { fields: ['id'] } }), 'query: '],
  ['no semantics', { ...counting({}), semantics: undefined }, 'query.semantics: '],

  [
    'a range over an unknown field',
    ranging(relative('made_at', 'TODAY')),
    'query.time_range.field: must be a field of orders, but is "made_at"',
  ],
  ['a range over a field without timestamps', ranging(relative('status', 'TODAY')), 'query.time_range.field: must be a timestamp field'],
  ['a range without bounds', ranging({ field: 'created_at' }), 'query.time_range: '],
  [
    'an invalid date',
    ranging(calendar('created_at', '2026-02-30', '2026-03-01')),
    'query.time_range.calendar.start_date: must be a calendar date',
  ],
  [
    'dates in the wrong order',
    ranging(calendar('created_at', '2026-03-02', '2026-03-01')),
    'query.time_range.calendar.end_date: must not be before',
  ],
  [
    'dates that span more than five years',
    ranging(calendar('created_at', '2021-01-01', '2026-01-01')),
    'query.time_range.calendar.end_date: must be at most 5 years',
  ],
  [
    'timestamps with seven decimals',
    ranging({ field: 'created_at', timestamp: { start: '2026-01-01T00:00:00.1234567Z', end: '2026-02-01T00:00:00Z' } }),
    'query.time_range.timestamp.start: must be an RFC 3339 timestamp with at most six decimals',
  ],
  [
    'a timestamp without a time zone',
    ranging({ field: 'created_at', timestamp: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00' } }),
    'query.time_range.timestamp.end: must be an RFC 3339 timestamp',
  ],
  [
    'timestamps in the wrong order',
    ranging({ field: 'created_at', timestamp: { start: '2026-02-01T00:00:00Z', end: '2026-01-01T00:00:00Z' } }),
    'query.time_range.timestamp.end: must not be before',
  ],
  [
    'timestamps that span more than five years',
    ranging({ field: 'created_at', timestamp: { start: '2021-01-01T00:00:00Z', end: '2026-01-01T00:00:01Z' } }),
    'query.time_range.timestamp.end: must be at most 5 years',
  ],
  ['an offset below -24', ranging(relative('created_at', 'TODAY', -25)), 'query.time_range.relative.offset: '],
  ['an offset above 24', ranging(relative('created_at', 'TODAY', 25)), 'query.time_range.relative.offset: '],

  ['a filter over an unknown field', filtered(compare('hue', 'EQ', TEXT)), 'query.filter.compare.field: must be a field of orders'],
  [
    'an operator that the type doesn’t support',
    filtered(compare('status', 'GT', TEXT)),
    'query.filter.compare.operator: must be an operator that status supports',
  ],
  ['any operator over an amount', filtered(compare('total_once', 'GT', { integer: '1' })), 'query.filter.compare.operator: '],
  ['IS_NULL over a field that always has a value', filtered(compare('id', 'IS_NULL')), 'query.filter.compare.operator: '],
  ['no value', filtered(compare('id', 'EQ')), 'query.filter.compare.values: must have one value'],
  ['two values', filtered(compare('id', 'EQ', TEXT, TEXT)), 'query.filter.compare.values: must have one value'],
  ['an empty list', filtered(compare('id', 'IN')), 'query.filter.compare.values: must have at least one value'],
  ['a value of IS_NULL', filtered(compare('cancelled_at', 'IS_NULL', TEXT)), 'query.filter.compare.values: must be empty'],
  [
    'a value of another kind',
    filtered(compare('id', 'EQ', { integer: '1' })),
    'query.filter.compare.values[0]: must be text for id, but is integer',
  ],
  [
    'a text for a timestamp',
    filtered(compare('created_at', 'GTE', TEXT)),
    'query.filter.compare.values[0]: must be timestamp or nowOffsetSeconds',
  ],
  ['a value of two kinds', filtered(compare('id', 'EQ', { text: 'x', integer: '1' })), 'query.filter.compare.values[0]: '],
  ['a value without a kind', filtered(compare('id', 'EQ', {})), 'query.filter.compare.values[0]: '],
  [
    'an unknown enum value',
    filtered(compare('status', 'EQ', { text: 'OPEN' })),
    'query.filter.compare.values[0].text: must be a value of status',
  ],
  ['an invalid timestamp', filtered(compare('created_at', 'LT', { timestamp: 'noon' })), 'query.filter.compare.values[0].timestamp: '],
  [
    'the current member for another field',
    filtered(compare('id', 'EQ', { currentMember: true })),
    'query.filter.compare.values[0]: must be text',
  ],
  [
    'a current member that is false',
    createQuery('appointments', { aggregate: { measures: [COUNT] }, filter: compare('member_id', 'EQ', { currentMember: false }) }),
    'query.filter.compare.values[0].current_member: must be true',
  ],
  [
    'a timestamp relative to now for a text',
    filtered(compare('id', 'EQ', { nowOffsetSeconds: '1' })),
    'query.filter.compare.values[0]: must be text',
  ],
  [
    'more than five years from now',
    filtered(compare('created_at', 'LT', { nowOffsetSeconds: `${SECOND}` })),
    'query.filter.compare.values[0].now_offset_seconds: ',
  ],
  [
    'more than five years before now',
    filtered(compare('created_at', 'LT', { nowOffsetSeconds: `-${SECOND}` })),
    'query.filter.compare.values[0].now_offset_seconds: ',
  ],
  ['a filter of two kinds', filtered({ ...status, ...related('customer') }), 'query.filter: '],
  ['an empty filter', filtered({}), 'query.filter: '],
  ['an empty group', filtered(all()), 'query.filter.all.children: '],
  ['nine levels', filtered(nested(9)), `query.filter${'.all.children[0]'.repeat(8)}: must be removed. Filters can have at most 8 levels`],
  [
    '101 filters',
    filtered(any(...Array<object>(100).fill(status))),
    'query.filter.any.children[99]: must be removed. A query can have at most 100 filters',
  ],
  [
    '101 filters, including those of conditions',
    aggregating({ measures: [measure('COUNT', '', { condition: status })] }, { filter: any(...Array<object>(99).fill(status)) }),
    'query.aggregate.measures[0].condition: must be removed. A query can have at most 100 filters',
  ],
  ['an unknown relationship', filtered(related('friends')), 'query.filter.related.relationship: must be a relationship of orders'],
  [
    'three relationships',
    filtered(related('customer', related('orders', related('payments')))),
    'query.filter.related.filter.related.filter.related: must be removed. Filters can follow at most 2',
  ],

  ['no measure', aggregating({ measures: [] }), 'query.aggregate.measures: '],
  ['nine measures', measuring(...Array<object>(9).fill(COUNT)), 'query.aggregate.measures: '],
  [
    'four dimensions',
    aggregating({ dimensions: ['id', 'status', 'currency', 'quote_id'].map((field) => dimension(field)) }),
    'query.aggregate.dimensions: ',
  ],
  [
    'an unknown aggregate field',
    measuring(measure('COUNT_DISTINCT', 'hue')),
    'query.aggregate.measures[0].field: must be a field of orders',
  ],
  ['a count with a field', measuring(measure('COUNT', 'id')), 'query.aggregate.measures[0].field: must be empty'],
  ['a sum without a field', measuring(measure('SUM')), 'query.aggregate.measures[0].field: must be a field of orders, but is ""'],
  [
    'a sum of texts',
    measuring(measure('SUM', 'status')),
    'query.aggregate.measures[0].aggregation: must be an aggregation that status supports',
  ],
  [
    'an amount without its currency',
    measuring(measure('SUM', 'total_once')),
    'query.aggregate.measures[0].field: must have currency as an unbucketed dimension',
  ],
  [
    'a percentile without its value',
    measuring(measure('PERCENTILE_DISC', 'created_at')),
    'query.aggregate.measures[0].percentile: is required with ANALYTICS_AGGREGATION_PERCENTILE_DISC',
  ],
  [
    'a percentile above 1',
    measuring(measure('PERCENTILE_DISC', 'created_at', { percentile: { unscaled: '101', scale: 2 } })),
    'query.aggregate.measures[0].percentile: must be from 0 to 1',
  ],
  [
    'a negative percentile',
    measuring(measure('PERCENTILE_DISC', 'created_at', { percentile: { unscaled: '-1', scale: 2 } })),
    'query.aggregate.measures[0].percentile: must be from 0 to 1',
  ],
  [
    'a maximum with a percentile',
    measuring(measure('MAX', 'created_at', { percentile: { unscaled: '1' } })),
    'query.aggregate.measures[0].percentile: must be omitted with',
  ],
  [
    'a ratio with a field',
    measuring(COUNT, measure('RATIO', 'id', { numerator: 'count', denominator: 'count' })),
    'query.aggregate.measures[1].field: must be empty',
  ],
  [
    'a ratio with a percentile',
    measuring(COUNT, measure('RATIO', '', { numerator: 'count', denominator: 'count', percentile: { unscaled: '1' } })),
    'query.aggregate.measures[1].percentile: must be omitted with',
  ],
  [
    'a ratio with a condition',
    measuring(COUNT, measure('RATIO', '', { numerator: 'count', denominator: 'count', condition: status })),
    'query.aggregate.measures[1].condition: must be omitted with',
  ],
  [
    'a ratio of an unknown measure',
    measuring(COUNT, measure('RATIO', '', { numerator: 'count', denominator: 'total' })),
    'query.aggregate.measures[1].denominator: must be the ID of another measure',
  ],
  [
    'a ratio without a numerator',
    measuring(COUNT, measure('RATIO', '', { denominator: 'count' })),
    'query.aggregate.measures[1].numerator: must be the ID of another measure',
  ],
  [
    'a ratio of a ratio',
    measuring(
      COUNT,
      measure('RATIO', '', { id: 'one', numerator: 'count', denominator: 'count' }),
      measure('RATIO', '', { numerator: 'one', denominator: 'count' }),
    ),
    'query.aggregate.measures[2].numerator: must be the ID of another measure that isn’t a ratio',
  ],
  [
    'a ratio of timestamps',
    measuring(COUNT, measure('MAX', 'created_at'), measure('RATIO', '', { numerator: 'max_created_at', denominator: 'count' })),
    'query.aggregate.measures[2].numerator: must be the ID of another measure that is a number, but max_created_at is TIMESTAMP',
  ],
  [
    'a ratio of amounts',
    aggregating({
      measures: [COUNT, measure('SUM', 'total_once'), measure('RATIO', '', { numerator: 'sum_total_once', denominator: 'count' })],
      dimensions: [dimension('currency')],
    }),
    'query.aggregate.measures[2].numerator: must be the ID of another measure that is a number',
  ],
  [
    'a count with operands',
    measuring(measure('COUNT', '', { numerator: 'count' })),
    'query.aggregate.measures[0].numerator: must be empty',
  ],
  [
    'a condition over an unknown field',
    measuring(measure('COUNT', '', { condition: compare('hue', 'EQ', TEXT) })),
    'query.aggregate.measures[0].condition.compare.field: ',
  ],
  [
    'an amount as a dimension',
    aggregating({ dimensions: [dimension('total_once'), dimension('currency')] }),
    'query.aggregate.dimensions[0].field: must not be an amount',
  ],
  [
    'buckets without a time range',
    aggregating({ dimensions: [dimension('created_at', 'DAY')] }),
    'query.aggregate.dimensions[0].bucket: requires an explicit time_range',
  ],
  [
    'buckets of a text field',
    aggregating({ dimensions: [dimension('status', 'DAY')] }, { timeRange: MONTH }),
    'query.aggregate.dimensions[0].bucket: must be omitted, because',
  ],
  ['an invalid ID', measuring(measure('COUNT', '', { id: 'The total' })), 'query.aggregate.measures[0].id: must be a letter'],
  [
    'a duplicate ID',
    aggregating({ measures: [measure('COUNT', '', { id: 'a' })], dimensions: [{ ...dimension('status'), id: 'a' }] }),
    'query.aggregate.measures[0].id: must be unique',
  ],

  ['no fields', orders({ records: { fields: [] } }), 'query.records.fields: '],
  ['21 fields', orders({ records: { fields: Array<string>(21).fill('id') } }), 'query.records.fields: '],
  ['an unknown record field', orders({ records: { fields: ['id', 'hue'] } }), 'query.records.fields[1]: must be a field of orders'],
  ['a duplicate field', orders({ records: { fields: ['id', 'id'] } }), 'query.records.fields[1]: must be unique, but id occurs twice'],
  ['a sort without a column', counting({ sort: [sortBy('')] }), 'query.sort[0].column: '],
  [
    'a sort by a column that isn’t selected',
    counting({ sort: [sortBy('status')] }),
    'query.sort[0].column: must be a column of the result',
  ],
  ['a limit of 101', counting({ limit: 101 }), 'query.limit: '],
  ['a limit below 0', counting({ limit: -1 }), 'query.limit: '],
  [
    'a query above 32 KiB',
    filtered(compare('id', 'IN', ...Array<object>(600).fill({ text: 'x'.repeat(60) }))),
    'query: must be at most 32768 bytes',
  ],
];

describe('invalid query', () => {
  it.each(REFUSED)(
    'fails for %s',
    spec(
      '4.12.21',
      '4.12.22',
      '4.12.24',
      '4.12.26',
      '4.12.29',
      '4.12.33',
      '4.12.34',
      '4.12.37',
      '4.12.40',
      '4.12.44',
      '4.12.48',
      '4.12.50',
      '4.12.51',
      '4.12.58',
      '4.12.61',
      '4.12.63',
      '4.12.72',
      '4.12.75',
      '8.14',
      '8.15',
      '8.16',
      '8.17',
      '8.18',
      '8.19',
      '8.24',
      '8.25',
    ),
    async (_name, query, message) => {
      // The contract's own rules check the shape. Their messages contain the path in the same way.
      expect(await getQueryError(call, query)).toContain(message);
    },
  );

  it('fails for unknown enum values and unknown operators', spec('4.12.23', '4.12.73'), async () => {
    const measures = [{ aggregation: 'MEDIAN', field: 'created_at' }];
    expect(await getQueryError(call, aggregating({ measures }))).toContain('query.aggregate.measures[0].aggregation');
    expect(await getQueryError(call, filtered(compare('id', 'LIKE', TEXT)))).toContain('query.filter.compare.operator');
    expect(await getQueryError(call, { ...counting({}), semantics: 'ANALYTICS_QUERY_SEMANTICS_AS_OF' })).toContain('query.semantics');
  });

  it('fails for unknown fields at any depth', spec('4.12.3', '4.12.72', '4.12.73', '4.12.75', '7.33'), async () => {
    const having = { having: compare('status', 'EQ', TEXT) };
    expect(await getQueryError(call, counting(having))).toContain('"having"');
    expect(await getQueryError(call, aggregating(having))).toContain('"having"');
    expect(await getQueryError(call, counting({ asOf: '2026-01-01' }))).toContain('"asOf"');
    expect(await getQueryError(call, measuring({ ...COUNT, formula: 'a + b' }))).toContain('"formula"');
    expect(await getQueryError(call, filtered({ sql: 'TRUE' }))).toContain('"sql"');
    const { status } = await call('AnalyticsService/ExecuteSQL', {
      sql: "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1",
      parameters: [],
    });
    expect(status).toBe(400);
    expect((await call('AnalyticsService/ListCatalog', { entity: 'orders' })).status).toBe(400);
  });

  it('fails before execution, even if no rows match', spec('4.12.86'), async () => {
    const nothing = compare('id', 'EQ', { text: 'no such order' });
    expect(await getQueryError(call, aggregating({ measures: [measure('SUM', 'status')] }, { filter: nothing }))).toContain('aggregation');
  });
});

describe('query at the limits', () => {
  it.each([
    ['100 filters', filtered(any(...Array<object>(99).fill(status)))],
    ['eight levels', filtered(nested(8))],
    ['two relationships', filtered(related('customer', related('orders')))],
    ['eight measures', measuring(...Array<object>(8).fill(COUNT))],
    ['three dimensions', aggregating({ dimensions: [dimension('id'), dimension('status'), dimension('currency')] })],
    ['five years of days', ranging(calendar('created_at', '2021-01-01', '2025-12-31'))],
    [
      'five years of timestamps',
      ranging({ field: 'created_at', timestamp: { start: '2021-01-01T00:00:00.123456Z', end: '2026-01-01T00:00:00.123456+00:00' } }),
    ],
    ['offsets of 24', ranging(relative('created_at', 'THIS_YEAR', -24))],
    ['five years from now', filtered(compare('created_at', 'LT', { nowOffsetSeconds: `${SECOND - 1}` }))],
    ['a limit of 100', counting({ limit: 100 })],
    ['an ID of 64 characters', measuring(measure('COUNT', '', { id: `a${'_9'.repeat(31)}b` }))],
  ])('succeeds with %s', spec('4.12.29', '4.12.40', '8.15', '8.16', '8.17', '8.19', '8.24', '8.25'), async (_name, query) => {
    expect((await sendQuery(call, query)).result.status).toBe('ANALYTICS_RESULT_STATUS_READY');
  });
});
