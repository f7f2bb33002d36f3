import { afterEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ask, CATALOG, counting, nested, QUERY } from './ask.ts';

const clock = new TestClock();
const testGraph = useTestGraph({}, undefined, { upstream: { clock } });

const MINUTE_MS = 60_000;
const compare = (field: string, operator: string, ...values: object[]) => ({ compare: { field, operator, values } });
const filtered = (filter: object, entity = 'ORDERS') => counting(entity, { filter });
const measured = (measures: object[], dimensions: object[] = [], more: object = {}) => ({
  entity: 'ORDERS',
  select: { aggregate: { measures, dimensions } },
  ...more,
});
const during = (range: object, field = 'created_at') => counting('ORDERS', { timeRange: { field, range } });
const related = (...names: string[]) =>
  filtered(
    names.reduceRight<object | undefined>(
      (filter, relationship) => ({ related: { relationship, ...(filter && { filter }) } }),
      undefined,
    ) ?? {},
  );

/** What is refused: the path behind `query`, the code, and a part of the message. */
const REFUSED: readonly (readonly [what: string, query: object, path: string, code: string, message: string])[] = [
  [
    'a field that there is not',
    filtered(compare('statuz', 'EQ', { text: 'x' })),
    'filter.compare.field',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "statuz". Did you mean status?',
  ],
  [
    'a field within conditions',
    filtered({ any: [{ all: [compare('nothing_like_it', 'IS_NULL')] }] }),
    'filter.any.0.all.0.compare.field',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "nothing_like_it". Expected one of id,',
  ],
  [
    'an operator that the field does not take',
    filtered(compare('total_once', 'GT', { integer: '1' })),
    'filter.compare.operator',
    'NOT_ALLOWED',
    'can’t be GT, because total_once can’t be compared.',
  ],
  [
    'a value too many',
    filtered(compare('currency', 'EQ', { text: 'EUR' }, { text: 'USD' })),
    'filter.compare.values',
    'TOO_LONG',
    'must have at most 1 value for EQ, but has 2.',
  ],
  [
    'a timestamp with nanoseconds',
    filtered(compare('created_at', 'GT', { timestamp: '2026-01-01T00:00:00.0000001Z' })),
    'filter.compare.values.0.timestamp',
    'INVALID_FORMAT',
    'must have at most 6 digits of fractional seconds.',
  ],
  [
    'a time range with nanoseconds',
    during({ timestamp: { from: '2026-01-01T00:00:00.000001Z', to: '2026-02-01T00:00:00.0000001Z' } }),
    'timeRange.range.timestamp.to',
    'INVALID_FORMAT',
    'must have at most 6 digits of fractional seconds.',
  ],
  ['no value', filtered(compare('currency', 'IN')), 'filter.compare.values', 'TOO_SHORT', 'at least 1'],
  [
    'a value for none',
    filtered(compare('expected_close_date', 'IS_NULL', { boolean: true }), 'CUSTOMERS'),
    'filter.compare.values',
    'TOO_LONG',
    'must have at most 0 values for IS_NULL, but has 1.',
  ],
  [
    'a value of another kind',
    filtered(compare('created_at', 'GT', { date: '2026-01-01' })),
    'filter.compare.values.0.date',
    'NOT_ALLOWED',
    'doesn’t match created_at, which is TIMESTAMP. Use `timestamp` instead.',
  ],
  [
    'a word without its prefix',
    filtered(compare('status', 'IN', { text: 'open' })),
    'filter.compare.values.0.text',
    'UNKNOWN_NAME',
    'must be a value of status, but is "open". Did you mean OPEN?',
  ],
  [
    'the member for a field of none',
    filtered(compare('currency', 'EQ', { currentMember: true })),
    'filter.compare.values.0.currentMember',
    'NOT_ALLOWED',
    'must be omitted, because currency can’t be compared with the current member.',
  ],
  [
    'no member',
    filtered(compare('member_id', 'EQ', { currentMember: false }), 'APPOINTMENTS'),
    'filter.compare.values.0.currentMember',
    'NOT_ALLOWED',
    'must be true. To compare with another value, omit it.',
  ],
  [
    'a moment more than five years off',
    filtered(compare('created_at', 'GT', { nowOffsetSeconds: '-158200000' })),
    'filter.compare.values.0.nowOffsetSeconds',
    'OUT_OF_RANGE',
    'must be within five years of the current time.',
  ],
  [
    'a moment for a text',
    filtered(compare('currency', 'EQ', { nowOffsetSeconds: '0' })),
    'filter.compare.values.0.nowOffsetSeconds',
    'NOT_ALLOWED',
    'is only for TIMESTAMP fields, but currency is TEXT.',
  ],
  ['a group of nothing', filtered({ all: [] }), 'filter.all', 'TOO_SHORT', 'at least 1'],
  ['nine levels', filtered(nested(9)), 'filter', 'TOO_LONG', 'at most 8 levels of nested conditions'],
  [
    '101 conditions',
    filtered({ any: Array(100).fill(compare('currency', 'EQ', { text: 'EUR' })) }),
    'filter',
    'TOO_LONG',
    'at most 100 conditions',
  ],
  [
    'three relationships',
    related('customer', 'orders', 'customer'),
    'filter.related.filter.related.filter.related',
    'TOO_LONG',
    'must be nested at most 2 levels deep.',
  ],
  [
    'a relationship that there is not',
    related('costumer'),
    'filter.related.relationship',
    'UNKNOWN_NAME',
    'must be a relationship of orders, but is "costumer". Did you mean customer?',
  ],
  [
    'a field of the entity where a relationship led on',
    filtered({ related: { relationship: 'customer', filter: compare('currency', 'EQ', { text: 'EUR' }) } }),
    'filter.related.filter.compare.field',
    'UNKNOWN_NAME',
    'must be a field of customers, but is "currency"',
  ],
  [
    'a time range of a text',
    during({ relative: { period: 'TODAY' } }, 'currency'),
    'timeRange.field',
    'NOT_ALLOWED',
    'must be a TIMESTAMP or DATE field, but currency is TEXT.',
  ],
  [
    'days that end before they begin',
    during({ calendar: { startDate: '2026-02-02', endDate: '2026-02-01' } }),
    'timeRange.range.calendar.endDate',
    'OUT_OF_RANGE',
    'must not be before `startDate`.',
  ],
  [
    'more than five years of days',
    during({ calendar: { startDate: '2020-01-01', endDate: '2025-01-01' } }),
    'timeRange.range.calendar.endDate',
    'OUT_OF_RANGE',
    'must be at most 5 years after `startDate`.',
  ],
  [
    'more than five years of moments',
    during({ timestamp: { from: '2020-01-01T00:00:00Z', to: '2025-01-01T00:00:01Z' } }),
    'timeRange.range.timestamp.to',
    'OUT_OF_RANGE',
    'must be at most 5 years after `from`.',
  ],
  [
    'an offset past 24',
    during({ relative: { period: 'TODAY', offset: -25 } }),
    'timeRange.range.relative.offset',
    'OUT_OF_RANGE',
    'must be between -24 and 24, but is -25.',
  ],
  ['no measures', measured([]), 'select.aggregate.measures', 'TOO_SHORT', 'at least 1'],
  ['nine measures', measured(Array(9).fill({ count: {} })), 'select.aggregate.measures', 'TOO_LONG', 'at most 8'],
  [
    'four dimensions',
    measured(
      [{ count: {} }],
      ['id', 'status', 'currency', 'customer_id'].map((field) => ({ field })),
    ),
    'select.aggregate.dimensions',
    'TOO_LONG',
    'at most 3',
  ],
  [
    'a measure that the field does not take',
    measured([{ sum: { field: 'status' } }]),
    'select.aggregate.measures.0.sum.field',
    'NOT_ALLOWED',
    'must support SUM, but status supports only COUNT_DISTINCT',
  ],
  [
    'an amount without its currency',
    measured([{ sum: { field: 'total_once' } }], [{ field: 'status' }]),
    'select.aggregate.measures.0.sum.field',
    'NOT_ALLOWED',
    'is an amount and requires a dimension of its currency. Add `{field: "currency"}` to `dimensions`.',
  ],
  [
    'a bucket without a time range',
    measured([{ count: {} }], [{ field: 'created_at', bucket: 'DAY' }]),
    'select.aggregate.dimensions.0.bucket',
    'NOT_ALLOWED',
    'requires a `timeRange`. Add one to the query.',
  ],
  [
    'a bucket of a text',
    measured([{ count: {} }], [{ field: 'status', bucket: 'DAY' }], {
      timeRange: { field: 'created_at', range: { relative: { period: 'TODAY' } } },
    }),
    'select.aggregate.dimensions.0.bucket',
    'NOT_ALLOWED',
    'must be omitted, because status can’t be grouped by DAY.',
  ],
  [
    'a ratio of what is not there',
    measured([{ count: {} }, { ratio: { numerator: 'count', denominator: 'cuont' } }]),
    'select.aggregate.measures.1.ratio.denominator',
    'UNKNOWN_NAME',
    'must be another measure of the query that isn’t a ratio, but is "cuont". Did you mean count?',
  ],
  [
    'a ratio of a ratio',
    measured([
      { count: {} },
      { ratio: { name: 'r', numerator: 'count', denominator: 'count' } },
      { ratio: { numerator: 'r', denominator: 'count' } },
    ]),
    'select.aggregate.measures.2.ratio.numerator',
    'UNKNOWN_NAME',
    'must be another measure of the query that isn’t a ratio, but is "r"',
  ],
  [
    'a ratio of moments',
    measured([{ count: {} }, { max: { field: 'created_at' } }, { ratio: { numerator: 'max_created_at', denominator: 'count' } }]),
    'select.aggregate.measures.2.ratio.numerator',
    'NOT_ALLOWED',
    'must be an INTEGER or DECIMAL measure, but max_created_at is TIMESTAMP.',
  ],
  [
    'a percentile past 1',
    measured([{ percentile: { field: 'created_at', percentile: '1.01' } }]),
    'select.aggregate.measures.0.percentile.percentile',
    'OUT_OF_RANGE',
    'must be between 0 and 1, but is 1.01.',
  ],
  [
    'a name given twice',
    measured([{ count: { name: 'n' } }, { countDistinct: { field: 'id', name: 'n' } }]),
    'select.aggregate.measures.1.countDistinct.name',
    'DUPLICATE',
    'must be unique, but another column is also named n.',
  ],
  [
    'a bad condition of a measure',
    measured([{ count: { condition: compare('statuz', 'IS_NULL') } }]),
    'select.aggregate.measures.0.count.condition.compare.field',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "statuz". Did you mean status?',
  ],
  [
    'a sort by what is not shown',
    counting('ORDERS', { sort: [{ column: 'counts' }] }),
    'sort.0.column',
    'UNKNOWN_NAME',
    'must be a column of the result, but is "counts". Did you mean count?',
  ],
  [
    'a field of records that there is not',
    { entity: 'ORDERS', select: { records: ['id', 'totl_once'] } },
    'select.records.1',
    'UNKNOWN_NAME',
    'must be a field of orders, but is "totl_once". Did you mean total_once?',
  ],
  ['no fields of records', { entity: 'ORDERS', select: { records: [] } }, 'select.records', 'TOO_SHORT', 'at least 1'],
  ['21 fields of records', { entity: 'ORDERS', select: { records: Array(21).fill('id') } }, 'select.records', 'TOO_LONG', 'at most 20'],
  ['a limit of none', counting('ORDERS', { limit: 0 }), 'limit', 'OUT_OF_RANGE', 'must be between 1 and 100, but is 0.'],
  ['a limit past 100', counting('ORDERS', { limit: 101 }), 'limit', 'OUT_OF_RANGE', 'must be between 1 and 100, but is 101.'],
  [
    'more than 32 KiB',
    filtered(compare('currency', 'IN', ...Array(2_500).fill({ text: 'EUR' }))),
    '',
    'TOO_LONG',
    'must be at most 32768 bytes as JSON, but is ',
  ],
];

describe('a query that breaks a rule', () => {
  it.each(REFUSED)('is refused unsent, with its place: %s', async (_what, query, path, code, message) => {
    await ask(testGraph, counting('ORDERS'));
    const { answer, errors, calls } = await ask(testGraph, query);
    expect([errors, calls]).toEqual([undefined, []]);
    expect(answer).toMatchObject({
      __typename: 'AnalyticsQueryError',
      issues: [{ path: ['query', ...path.split('.').filter(Boolean)], code, message: expect.stringContaining(message) }],
      line: null,
      column: null,
    });
  });

  it('is told everything that is wrong at once, up to twenty', async () => {
    await ask(testGraph, counting('ORDERS'));
    const unknown = (count: number) => filtered({ any: Array.from({ length: count }, (_, index) => compare(`x${index}`, 'IS_NULL')) });
    expect((await ask(testGraph, unknown(3))).answer.issues).toHaveLength(3);
    expect((await ask(testGraph, unknown(30))).answer.issues).toHaveLength(20);
  });

  it.each([
    ['two kinds of value', '{ compare: { field: "id", operator: EQ, values: [{ text: "x", integer: "1" }] } }'],
    ['two kinds of condition', '{ all: [], any: [] }'],
    ['none', '{}'],
  ])('cannot be written with %s', async (_what, filter) => {
    const query = `{ analyticsQuery(query: { entity: ORDERS, filter: ${filter}, select: { records: ["id"] } }) { __typename } }`;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['GRAPHQL_VALIDATION_FAILED', []]);
  });

  it('is refused before it is read when it nests very deep, as a variable and in the document', async () => {
    const query = 'query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename } }';
    const given = (levels: number) => testGraph.recordCalls(() => testGraph.execute(query, { query: filtered(nested(levels)) }));
    const [moderate] = await given(12);
    expect(moderate.data.analyticsQuery.__typename).toBe('AnalyticsQueryError');
    for (const levels of [40, 400]) {
      const [{ errors }, calls] = await given(levels);
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

describe('the catalog behind the checks', () => {
  afterEach(() => testGraph.sandbox.faults.clear());
  const unknown = filtered(compare('statuz', 'IS_NULL'));

  it('is read once in five minutes for each key', async () => {
    clock.now += 6 * MINUTE_MS;
    expect((await ask(testGraph, counting('ORDERS'))).calls).toEqual([CATALOG, QUERY]);
    clock.now += 4 * MINUTE_MS;
    expect((await ask(testGraph, counting('ORDERS'))).calls).toEqual([QUERY]);
    clock.now += 2 * MINUTE_MS;
    expect((await ask(testGraph, counting('ORDERS'))).calls).toEqual([CATALOG, QUERY]);
    expect((await ask(testGraph, counting('ORDERS'), 'status', 'demo-reader')).calls).toEqual([CATALOG, QUERY]);
  });

  it('remains cached after a write of the key', async () => {
    clock.now += 6 * MINUTE_MS;
    await ask(testGraph, counting('ORDERS'));
    const { data } = await testGraph.execute('mutation { contactCreate(input: { lastName: "Adler" }) { __typename } }');
    expect(data.contactCreate.__typename).toBe('ContactCreatePayload');
    expect((await ask(testGraph, counting('ORDERS'))).calls).toEqual([QUERY]);
  });

  it('is read anew before it refuses a query, unless it was read seconds ago', async () => {
    clock.now += 6 * MINUTE_MS;
    await ask(testGraph, counting('ORDERS'));
    clock.now += MINUTE_MS;
    expect((await ask(testGraph, unknown)).calls).toEqual([CATALOG]);
    expect((await ask(testGraph, unknown)).calls).toEqual([]);
  });

  it('is done without where it cannot be read: the upstream decides, and its refusal has the place in the input', async () => {
    clock.now += 6 * MINUTE_MS;
    testGraph.sandbox.faults.add({ operation: CATALOG, status: 500 });
    const { answer, calls } = await ask(testGraph, measured([{ count: {} }, { max: { field: 'nothing', name: 'most' } }]));
    expect(calls.at(-1)).toBe(QUERY);
    expect(answer).toMatchObject({
      __typename: 'AnalyticsQueryError',
      issues: [
        {
          path: ['query', 'select', 'aggregate', 'measures', '1', 'max', 'field'],
          message: expect.stringContaining('must be a field of orders'),
        },
      ],
    });
  });
});

describe('a catalog that is out of date', () => {
  const stale = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const answer = await usual(request);
      return request.path.endsWith('ListCatalog') ? { ...answer, body: answer.body.replaceAll('"created_at"', '"made_at"') } : answer;
    }),
  });

  it('is forgotten once the upstream refuses what it says', async () => {
    const query = { entity: 'ORDERS', select: { records: ['made_at'] } };
    const { answer, calls } = await ask(stale, query);
    expect([answer.issues[0].path, calls]).toEqual([
      ['query', 'select', 'records', '0'],
      [CATALOG, QUERY],
    ]);
    expect((await ask(stale, query)).calls).toEqual([CATALOG, QUERY]);
    expect((await ask(stale, counting('ORDERS'))).calls).toEqual([CATALOG, QUERY]);
    expect((await ask(stale, counting('ORDERS'))).calls).toEqual([QUERY]);
  });
});
