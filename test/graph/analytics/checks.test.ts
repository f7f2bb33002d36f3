import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, createNestedFilter, executeQuery } from './queries.ts';

const testGraph = useTestGraph();

const compare = (field: string, operator: string, ...values: object[]) => ({ compare: { field, operator, values } });
const createFilterQuery = (filter: object, entity = 'ORDERS') => createCountQuery(entity, { filter });
const createMeasureQuery = (measures: object[], dimensions: object[] = [], more: object = {}) => ({
  entity: 'ORDERS',
  select: { aggregate: { measures, dimensions } },
  ...more,
});
const createRangeQuery = (range: object, field = 'created_at') => createCountQuery('ORDERS', { timeRange: { field, range } });
const createRelatedQuery = (...names: string[]) =>
  createFilterQuery(
    names.reduceRight<object | undefined>(
      (filter, relationship) => ({ related: { relationship, ...(filter && { filter }) } }),
      undefined,
    ) ?? {},
  );

/** Invalid queries: the path relative to `query`, the code, and a part of the message. */
const INVALID_QUERIES: readonly (readonly [what: string, query: object, path: string, code: string, message: string])[] = [
  [
    'an unknown field',
    createFilterQuery(compare('statuz', 'EQ', { text: 'x' })),
    'filter.compare.field',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "statuz". Did you mean status?',
  ],
  [
    'an unknown field in nested conditions',
    createFilterQuery({ any: [{ all: [compare('nothing_like_it', 'IS_NULL')] }] }),
    'filter.any.0.all.0.compare.field',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "nothing_like_it". Expected one of id,',
  ],
  [
    'an operator that the field doesn’t support',
    createFilterQuery(compare('total_once', 'GT', { integer: '1' })),
    'filter.compare.operator',
    'NOT_ALLOWED',
    'can’t be GT, because total_once can’t be compared.',
  ],
  [
    'too many values',
    createFilterQuery(compare('currency', 'EQ', { text: 'EUR' }, { text: 'USD' })),
    'filter.compare.values',
    'TOO_LONG',
    'must have at most 1 value for EQ, but has 2.',
  ],
  [
    'a timestamp with nanoseconds',
    createFilterQuery(compare('created_at', 'GT', { timestamp: '2026-01-01T00:00:00.0000001Z' })),
    'filter.compare.values.0.timestamp',
    'INVALID_FORMAT',
    'must have at most 6 digits of fractional seconds.',
  ],
  [
    'a time range with nanoseconds',
    createRangeQuery({ timestamp: { gte: '2026-01-01T00:00:00.000001Z', lt: '2026-02-01T00:00:00.0000001Z' } }),
    'timeRange.range.timestamp.lt',
    'INVALID_FORMAT',
    'must have at most 6 digits of fractional seconds.',
  ],
  ['no values', createFilterQuery(compare('currency', 'IN')), 'filter.compare.values', 'TOO_SHORT', 'at least 1'],
  [
    'a value for an operator without values',
    createFilterQuery(compare('expected_close_date', 'IS_NULL', { boolean: true }), 'CUSTOMERS'),
    'filter.compare.values',
    'TOO_LONG',
    'must have at most 0 values for IS_NULL, but has 1.',
  ],
  [
    'a value of another type',
    createFilterQuery(compare('created_at', 'GT', { date: '2026-01-01' })),
    'filter.compare.values.0.date',
    'NOT_ALLOWED',
    'doesn’t match created_at, which is TIMESTAMP. Use `timestamp` instead.',
  ],
  [
    'an unknown enum value',
    createFilterQuery(compare('status', 'IN', { text: 'open' })),
    'filter.compare.values.0.text',
    'UNKNOWN_NAME',
    'must be a value of status, but is "open". Did you mean OPEN?',
  ],
  [
    'the current member for a field that isn’t a member',
    createFilterQuery(compare('currency', 'EQ', { currentMember: true })),
    'filter.compare.values.0.currentMember',
    'NOT_ALLOWED',
    'must be omitted, because currency can’t be compared with the current member.',
  ],
  [
    'currentMember: false',
    createFilterQuery(compare('member_id', 'EQ', { currentMember: false }), 'APPOINTMENTS'),
    'filter.compare.values.0.currentMember',
    'NOT_ALLOWED',
    'must be true. To compare with another value, omit it.',
  ],
  [
    'a timestamp more than five years away',
    createFilterQuery(compare('created_at', 'GT', { nowOffsetSeconds: '-158200000' })),
    'filter.compare.values.0.nowOffsetSeconds',
    'OUT_OF_RANGE',
    'must be within five years of the current time.',
  ],
  [
    'a relative timestamp for a text field',
    createFilterQuery(compare('currency', 'EQ', { nowOffsetSeconds: '0' })),
    'filter.compare.values.0.nowOffsetSeconds',
    'NOT_ALLOWED',
    'is only for TIMESTAMP fields, but currency is TEXT.',
  ],
  ['an empty group', createFilterQuery({ all: [] }), 'filter.all', 'TOO_SHORT', 'at least 1'],
  ['nine levels of conditions', createFilterQuery(createNestedFilter(9)), 'filter', 'TOO_LONG', 'at most 8 levels of nested conditions'],
  [
    '101 conditions',
    createFilterQuery({ any: Array(100).fill(compare('currency', 'EQ', { text: 'EUR' })) }),
    'filter',
    'TOO_LONG',
    'at most 100 conditions',
  ],
  [
    'three nested relationships',
    createRelatedQuery('customer', 'orders', 'customer'),
    'filter.related.filter.related.filter.related',
    'TOO_LONG',
    'must be nested at most 2 levels deep.',
  ],
  [
    'an unknown relationship',
    createRelatedQuery('costumer'),
    'filter.related.relationship',
    'UNKNOWN_NAME',
    'must be a relationship of orders, but is "costumer". Did you mean customer?',
  ],
  [
    'a field of the base entity in a related filter',
    createFilterQuery({ related: { relationship: 'customer', filter: compare('currency', 'EQ', { text: 'EUR' }) } }),
    'filter.related.filter.compare.field',
    'UNKNOWN_NAME',
    'must be a field of customers, but is "currency"',
  ],
  [
    'a time range of a text field',
    createRangeQuery({ relative: { period: 'TODAY' } }, 'currency'),
    'timeRange.field',
    'NOT_ALLOWED',
    'must be a TIMESTAMP or DATE field, but currency is TEXT.',
  ],
  [
    'a calendar range that ends before it starts',
    createRangeQuery({ calendar: { startDate: '2026-02-02', endDate: '2026-02-01' } }),
    'timeRange.range.calendar.endDate',
    'OUT_OF_RANGE',
    'must not be before `startDate`.',
  ],
  [
    'a calendar range of more than five years',
    createRangeQuery({ calendar: { startDate: '2020-01-01', endDate: '2025-01-01' } }),
    'timeRange.range.calendar.endDate',
    'OUT_OF_RANGE',
    'must be at most 5 years after `startDate`.',
  ],
  [
    'a timestamp range of more than five years',
    createRangeQuery({ timestamp: { gte: '2020-01-01T00:00:00Z', lt: '2025-01-01T00:00:01Z' } }),
    'timeRange.range.timestamp.lt',
    'OUT_OF_RANGE',
    'must be at most 5 years after `gte`.',
  ],
  [
    'an offset below -24',
    createRangeQuery({ relative: { period: 'TODAY', offset: -25 } }),
    'timeRange.range.relative.offset',
    'OUT_OF_RANGE',
    'must be between -24 and 24, but is -25.',
  ],
  ['no measures', createMeasureQuery([]), 'select.aggregate.measures', 'TOO_SHORT', 'at least 1'],
  ['nine measures', createMeasureQuery(Array(9).fill({ count: {} })), 'select.aggregate.measures', 'TOO_LONG', 'at most 8'],
  [
    'four dimensions',
    createMeasureQuery(
      [{ count: {} }],
      ['id', 'status', 'currency', 'customer_id'].map((field) => ({ field })),
    ),
    'select.aggregate.dimensions',
    'TOO_LONG',
    'at most 3',
  ],
  [
    'a measure that the field doesn’t support',
    createMeasureQuery([{ sum: { field: 'status' } }]),
    'select.aggregate.measures.0.sum.field',
    'NOT_ALLOWED',
    'must support SUM, but status supports only COUNT_DISTINCT',
  ],
  [
    'an amount without a currency dimension',
    createMeasureQuery([{ sum: { field: 'total_once' } }], [{ field: 'status' }]),
    'select.aggregate.measures.0.sum.field',
    'NOT_ALLOWED',
    'is an amount and requires a dimension of its currency. Add `{field: "currency"}` to `dimensions`.',
  ],
  [
    'a bucket without a time range',
    createMeasureQuery([{ count: {} }], [{ field: 'created_at', bucket: 'DAY' }]),
    'select.aggregate.dimensions.0.bucket',
    'NOT_ALLOWED',
    'requires a `timeRange`. Add one to the query.',
  ],
  [
    'a bucket of a text field',
    createMeasureQuery([{ count: {} }], [{ field: 'status', bucket: 'DAY' }], {
      timeRange: { field: 'created_at', range: { relative: { period: 'TODAY' } } },
    }),
    'select.aggregate.dimensions.0.bucket',
    'NOT_ALLOWED',
    'must be omitted, because status can’t be grouped by DAY.',
  ],
  [
    'a ratio of an unknown measure',
    createMeasureQuery([{ count: {} }, { ratio: { numerator: 'count', denominator: 'cuont' } }]),
    'select.aggregate.measures.1.ratio.denominator',
    'UNKNOWN_NAME',
    'must be another measure of the query that isn’t a ratio, but is "cuont". Did you mean count?',
  ],
  [
    'a ratio of a ratio',
    createMeasureQuery([
      { count: {} },
      { ratio: { name: 'r', numerator: 'count', denominator: 'count' } },
      { ratio: { numerator: 'r', denominator: 'count' } },
    ]),
    'select.aggregate.measures.2.ratio.numerator',
    'UNKNOWN_NAME',
    'must be another measure of the query that isn’t a ratio, but is "r"',
  ],
  [
    'a ratio of timestamps',
    createMeasureQuery([{ count: {} }, { max: { field: 'created_at' } }, { ratio: { numerator: 'max_created_at', denominator: 'count' } }]),
    'select.aggregate.measures.2.ratio.numerator',
    'NOT_ALLOWED',
    'must be an INTEGER or DECIMAL measure, but max_created_at is TIMESTAMP.',
  ],
  [
    'a percentile above 1',
    createMeasureQuery([{ percentile: { field: 'created_at', percentile: '1.01' } }]),
    'select.aggregate.measures.0.percentile.percentile',
    'OUT_OF_RANGE',
    'must be between 0 and 1, but is 1.01.',
  ],
  [
    'a duplicate name',
    createMeasureQuery([{ count: { name: 'n' } }, { countDistinct: { field: 'id', name: 'n' } }]),
    'select.aggregate.measures.1.countDistinct.name',
    'DUPLICATE',
    'must be unique, but another column is also named n.',
  ],
  [
    'an invalid condition of a measure',
    createMeasureQuery([{ count: { condition: compare('statuz', 'IS_NULL') } }]),
    'select.aggregate.measures.0.count.condition.compare.field',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "statuz". Did you mean status?',
  ],
  [
    'a sort by an unknown column',
    createCountQuery('ORDERS', { sort: [{ column: 'counts' }] }),
    'sort.0.column',
    'UNKNOWN_NAME',
    'must be a column of the result, but is "counts". Did you mean count?',
  ],
  [
    'an unknown record field',
    { entity: 'ORDERS', select: { records: ['id', 'totl_once'] } },
    'select.records.1',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "totl_once". Did you mean total_once?',
  ],
  ['no record fields', { entity: 'ORDERS', select: { records: [] } }, 'select.records', 'TOO_SHORT', 'at least 1'],
  ['21 record fields', { entity: 'ORDERS', select: { records: Array(21).fill('id') } }, 'select.records', 'TOO_LONG', 'at most 20'],
  ['a limit of 0', createCountQuery('ORDERS', { limit: 0 }), 'limit', 'OUT_OF_RANGE', 'must be between 1 and 100, but is 0.'],
  ['a limit above 100', createCountQuery('ORDERS', { limit: 101 }), 'limit', 'OUT_OF_RANGE', 'must be between 1 and 100, but is 101.'],
  [
    'more than 32 KiB',
    createFilterQuery(compare('currency', 'IN', ...Array(2_500).fill({ text: 'EUR' }))),
    '',
    'TOO_LONG',
    'must be at most 32768 bytes as JSON, but is ',
  ],
];

describe('invalid query', () => {
  it.each(INVALID_QUERIES)('rejects %s without an upstream call and reports its path', async (_what, query, path, code, message) => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    const { result, errors, calls } = await executeQuery(testGraph, query);
    expect([errors, calls]).toEqual([undefined, []]);
    expect(result).toMatchObject({
      __typename: 'AnalyticsQueryError',
      issues: [{ path: ['query', ...path.split('.').filter(Boolean)], code, message: expect.stringContaining(message) }],
      line: null,
      column: null,
    });
  });

  it('reports all issues at once, up to 20', async () => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    const unknown = (count: number) =>
      createFilterQuery({ any: Array.from({ length: count }, (_, index) => compare(`x${index}`, 'IS_NULL')) });
    expect((await executeQuery(testGraph, unknown(3))).result.issues).toHaveLength(3);
    expect((await executeQuery(testGraph, unknown(30))).result.issues).toHaveLength(20);
  });

  it.each([
    ['two kinds of value', '{ compare: { field: "id", operator: EQ, values: [{ text: "x", integer: "1" }] } }'],
    ['two kinds of condition', '{ all: [], any: [] }'],
    ['no condition', '{}'],
  ])('fails validation with %s', async (_what, filter) => {
    const query = `{ analyticsQuery(query: { entity: ORDERS, filter: ${filter}, select: { records: ["id"] } }) { __typename } }`;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['GRAPHQL_VALIDATION_FAILED', []]);
  });

  it('rejects deeply nested variables and literals before validation', async () => {
    const query = 'query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename } }';
    const execute = (levels: number) =>
      testGraph.recordCalls(() => testGraph.execute(query, { query: createFilterQuery(createNestedFilter(levels)) }));
    const [moderate] = await execute(12);
    expect(moderate.data.analyticsQuery.__typename).toBe('AnalyticsQueryError');
    for (const levels of [40, 400]) {
      const [{ errors }, calls] = await execute(levels);
      expect([errors, calls]).toMatchObject([
        [{ message: expect.stringContaining('32 levels'), extensions: { code: 'BAD_USER_INPUT' } }],
        [],
      ]);
    }
    const literal = `${'{ all: ['.repeat(60)}{ all: [] }${'] }'.repeat(60)}`;
    const { errors } = await testGraph.execute(
      `{ analyticsQuery(query: { entity: ORDERS, filter: ${literal}, select: { records: ["id"] } }) { __typename } }`,
    );
    expect(errors?.[0]?.extensions.code).toBe('GRAPHQL_PARSE_FAILED');
  });
});
