import { describe, expect, it } from 'vitest';
import { columnNames, type NamedSelect } from '../../../src/schema/analytics/columnNames.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ask, askSql, counting, nested, QUERY, SQL } from './ask.ts';

const testGraph = useTestGraph();

/** Orders of this year by month and currency. */
const REVENUE = {
  entity: 'ORDERS',
  timezone: 'Europe/Amsterdam',
  timeRange: { field: 'created_at', range: { relative: { period: 'THIS_YEAR' } } },
  filter: { all: [{ compare: { field: 'status', operator: 'NEQ', values: [{ text: 'PUBLIC_ORDER_STATUS_CANCELLED' }] } }] },
  select: {
    aggregate: {
      measures: [
        { count: {} },
        { sum: { field: 'total_once' } },
        { avg: { field: 'total_once', name: 'mean' } },
        { count: { condition: { related: { relationship: 'customer' } } } },
        { ratio: { numerator: 'count_2', denominator: 'count' } },
      ],
      dimensions: [{ field: 'created_at', bucket: 'MONTH' }, { field: 'currency' }],
    },
  },
  sort: [{ column: 'sum_total_once', direction: 'DESC' }],
  limit: 10,
};

const ROWS = 'rows { cells { status value } }';

describe('a query', () => {
  it('is answered by rows whose cells are found by the names of the columns, in one call', async () => {
    await ask(testGraph, counting('ORDERS'));
    const { answer, errors, calls } = await ask(
      testGraph,
      REVENUE,
      `status columns { name valueType aggregation bucket field } isTruncated isAggregationComplete timezone resolvedTimeRange { from to }
       generatedAt rows { month: cell(column: "created_at_month") { date text } revenue: cell(column: "sum_total_once") { status money { amount currencyCode } value }
       share: cell(column: "count_2_per_count") { decimal } orders: cell(column: "count") { integer value } mean: cell(column: "mean") { money { amount } } }`,
    );
    expect([errors, calls]).toEqual([undefined, [QUERY]]);
    expect(answer).toMatchObject({
      status: 'READY',
      isTruncated: false,
      isAggregationComplete: true,
      timezone: 'Europe/Amsterdam',
      resolvedTimeRange: { from: '2025-12-31T23:00:00Z', to: '2026-12-31T23:00:00Z' },
      generatedAt: '2026-03-02T09:00:00Z',
    });
    expect(answer.columns.map(({ name }: { name: string }) => name)).toEqual(columnNames(REVENUE.select as object as NamedSelect));
    expect(answer.columns[0]).toEqual({
      name: 'created_at_month',
      valueType: 'DATE',
      aggregation: null,
      bucket: 'MONTH',
      field: 'created_at',
    });
    expect(answer.rows.length).toBeGreaterThan(0);
    for (const row of answer.rows) {
      expect(row.month).toEqual({ date: expect.stringMatching(/^2026-0[1-3]-01$/), text: null });
      const { amount } = row.revenue.money;
      expect(row.revenue).toEqual({
        status: 'READY',
        money: { amount: expect.stringMatching(/^\d+\.\d\d$/), currencyCode: 'EUR' },
        value: { amount, currencyCode: 'EUR' },
      });
      expect(row.mean.money.amount).toMatch(/^\d+\.\d{8}$/);
      expect(row.share.decimal).toBe('1.000000');
      expect(row.orders.integer).toBe(row.orders.value);
    }
  });

  it('can be sent again as it was normalized', async () => {
    const first = await ask(testGraph, REVENUE, `normalizedQuery normalizedSql ${ROWS}`);
    expect([first.answer.normalizedSql, first.answer.normalizedQuery.timeRange]).toEqual([
      null,
      { field: 'created_at', range: { relative: { period: 'THIS_YEAR', offset: 0 } } },
    ]);
    const second = await ask(testGraph, first.answer.normalizedQuery, `normalizedQuery ${ROWS}`);
    expect(second.answer.rows).toEqual(first.answer.rows);
    expect(second.answer.normalizedQuery).toEqual(first.answer.normalizedQuery);
  });

  it('takes values of every kind, and answers them', async () => {
    const compare = (field: string, operator: string, ...values: object[]) => ({ compare: { field, operator, values } });
    const query = {
      entity: 'APPOINTMENTS',
      timeRange: { field: 'starts_at', range: { timestamp: { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00+01:00' } } },
      filter: {
        any: [
          compare('starts_at', 'GT', { nowOffsetSeconds: '-86400' }),
          compare('starts_at', 'LTE', { timestamp: '2026-03-02T09:00:00Z' }),
          compare('duration_hours', 'GTE', { decimal: '-0.50' }),
          compare('member_id', 'EQ', { currentMember: true }),
          compare('member_id', 'IS_NOT_NULL'),
        ],
      },
      select: { records: ['id', 'starts_at', 'duration_hours'] },
      limit: 2,
    };
    const { answer, errors } = await ask(
      testGraph,
      query,
      'normalizedQuery isTruncated rows { at: cell(column: "starts_at") { timestamp } long: cell(column: "duration_hours") { decimal } }',
    );
    expect([errors, answer.__typename, answer.isTruncated]).toEqual([undefined, 'AnalyticsResult', true]);
    expect(answer.rows).toEqual(
      Array(2).fill({ at: { timestamp: expect.stringMatching(/^2026-.*Z$/) }, long: { decimal: expect.stringMatching(/^\d+\.\d+$/) } }),
    );
    expect(answer.normalizedQuery.filter.any.slice(0, 4)).toEqual(query.filter.any.slice(0, 4));
    expect(answer.normalizedQuery.timeRange.range).toEqual({ timestamp: { from: '2026-01-01T00:00:00Z', to: '2026-12-30T23:00:00Z' } });
  });

  it('of nothing is a count of zero, and a sum without a value', async () => {
    const none = { compare: { field: 'id', operator: 'EQ', values: [{ text: 'none' }] } };
    const measures = [{ count: {} }, { countDistinct: { field: 'customer_id' } }, { max: { field: 'created_at' } }];
    const { answer } = await ask(
      testGraph,
      { entity: 'ORDERS', filter: none, select: { aggregate: { measures } } },
      `status rows { cells { status integer timestamp value } }`,
    );
    expect(answer.rows[0].cells).toEqual([
      { status: 'READY', integer: '0', timestamp: null, value: '0' },
      { status: 'READY', integer: '0', timestamp: null, value: '0' },
      { status: 'NO_VALUE', integer: null, timestamp: null, value: null },
    ]);
  });

  it('tells amounts that are not known from those that are not there', async () => {
    const select = {
      aggregate: { measures: [{ sum: { field: 'total_once' } }], dimensions: [{ field: 'status' }, { field: 'currency' }] },
    };
    const { answer } = await ask(
      testGraph,
      { entity: 'ORDERS', select },
      'warnings rows { cell(column: "sum_total_once") { status statusText money { amount } value } }',
    );
    expect(answer.rows).toContainEqual({
      cell: { status: 'UNAVAILABLE', statusText: 'ANALYTICS_CELL_STATUS_UNAVAILABLE', money: null, value: null },
    });
    expect(answer.warnings).toEqual([expect.stringContaining('aren’t settled')]);
  });

  it('fails for the cell of a column that it does not have, and names those it has', async () => {
    const { answer, errors } = await ask(
      testGraph,
      counting('ORDERS'),
      'rows { good: cell(column: "count") { integer } bad: cell(column: "cuont") { integer } }',
    );
    expect(answer.rows).toEqual([{ good: { integer: expect.any(String) }, bad: null }]);
    expect(errors).toMatchObject([
      { message: 'column must be one of count, but is "cuont". Did you mean count?', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('of no time at all is a count of zero, as it is in SQL', async () => {
    const now = '2026-01-01T00:00:00Z';
    const empty = await ask(
      testGraph,
      counting('ORDERS', { timeRange: { field: 'created_at', range: { timestamp: { from: now, to: now } } } }),
      ROWS,
    );
    expect([empty.answer.rows, empty.calls.at(-1)]).toEqual([[{ cells: [{ status: 'READY', value: '0' }] }], QUERY]);
  });

  it('is refused by the upstream at the place of the whole decimal, which it takes in two parts', async () => {
    const condition = { compare: { field: 'duration_hours', operator: 'EQ', values: [{ decimal: `0.${'0'.repeat(18)}1` }] } };
    for (const [measure, place] of [
      [{ percentile: { field: 'duration_hours', percentile: `0.${'0'.repeat(18)}1` } }, 'percentile.percentile'],
      [{ count: { condition } }, 'count.condition.compare.values.0.decimal'],
    ] as const) {
      const { answer } = await ask(testGraph, { entity: 'APPOINTMENTS', select: { aggregate: { measures: [measure] } } });
      expect(answer.issues).toMatchObject([
        {
          path: ['query', 'select', 'aggregate', 'measures', '0', ...place.split('.')],
          message: expect.stringMatching(/^must be from 0 to 18/),
        },
      ]);
    }
  });

  it('of eight levels of conditions is answered, also of a measure, and as a literal', async () => {
    expect((await ask(testGraph, counting('ORDERS', { filter: nested(8) }))).answer.__typename).toBe('AnalyticsResult');
    const conditional = { entity: 'ORDERS', select: { aggregate: { measures: [{ count: { condition: nested(8) } }] } } };
    expect((await ask(testGraph, conditional)).answer.__typename).toBe('AnalyticsResult');
    const literal = `{ ${'all: [{ '.repeat(7)}compare: { field: "currency", operator: EQ, values: [{ text: "EUR" }] }${' }]'.repeat(7)} }`;
    const { data } = await testGraph.execute(
      `{ analyticsQuery(query: { entity: ORDERS, filter: ${literal}, select: { aggregate: { measures: [{ count: {} }] } } }) { __typename } }`,
    );
    expect(data.analyticsQuery.__typename).toBe('AnalyticsResult');
  });
});

describe('SQL', () => {
  const text =
    "SELECT status, count(*) FROM workorders WHERE svc.timezone('Europe/Amsterdam') GROUP BY status ORDER BY count DESC NULLS LAST LIMIT 20";

  it('is answered as the query that it stands for, and told written out', async () => {
    const { answer, errors, calls } = await askSql(testGraph, text, `normalizedSql normalizedQuery ${ROWS}`);
    expect([errors, calls]).toEqual([undefined, [SQL]]);
    expect((await askSql(testGraph, answer.normalizedSql, ROWS)).answer.rows).toEqual(answer.rows);
    expect((await ask(testGraph, answer.normalizedQuery, ROWS)).answer.rows).toEqual(answer.rows);
  });

  it('returns a typed query with the fractions of its seconds', async () => {
    const text = `SELECT count(*) FROM orders WHERE svc.timezone('UTC') AND svc.timestamp_range(created_at, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00.5Z') AND created_at > '2026-01-01T00:00:00.000001Z' LIMIT 1`;
    const { answer } = await askSql(testGraph, text, `normalizedQuery ${ROWS}`);
    const { timeRange, filter } = answer.normalizedQuery;
    expect(timeRange.range.timestamp).toEqual({ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00.5Z' });
    expect(filter.compare.values).toEqual([{ timestamp: '2026-01-01T00:00:00.000001Z' }]);
    const again = await ask(testGraph, answer.normalizedQuery, `normalizedQuery ${ROWS}`);
    expect([again.answer.rows, again.answer.normalizedQuery]).toEqual([answer.rows, answer.normalizedQuery]);
  });

  it('is refused as an answer, with its line and column', async () => {
    const { answer, errors, calls } = await askSql(
      testGraph,
      `SELECT status,\n  cuont(*)\nFROM workorders WHERE svc.timezone('UTC') GROUP BY status LIMIT 5`,
    );
    expect([errors, calls]).toEqual([undefined, [SQL]]);
    expect(answer).toMatchObject({
      __typename: 'AnalyticsQueryError',
      line: 2,
      column: 3,
      message: expect.stringMatching(/^line 2, column 3: /),
      issues: [{ path: ['sql'], code: 'UNKNOWN_NAME', message: expect.not.stringContaining('line 2') }],
    });
  });

  it('is refused unsent when it is too long, or blank', async () => {
    const long = await askSql(testGraph, `${text}${' '.repeat(33_000)}`);
    expect([long.answer.issues, long.calls]).toMatchObject([[{ path: ['sql'], code: 'TOO_LONG', limit: 32_768 }], []]);
    expect(long.answer).toMatchObject({ line: null, column: null });
  });
});

describe('the catalog', () => {
  it('tells entities, fields, limits and SQL, and is kept', async () => {
    const document = `{ analyticsCatalog { limits { maxRows } authorizationPolicy fieldlessAggregations sqlSupport { functions aggregations examples }
      entities { entity name fields { name valueType operators aggregations buckets currencyField words isNullable supportsCurrentMember } relationships { name entity entityName } } } }`;
    const { data, errors } = await testGraph.execute(document);
    expect(errors).toBeUndefined();
    const { entities, limits, fieldlessAggregations, sqlSupport } = data.analyticsCatalog;
    expect([limits.maxRows, fieldlessAggregations]).toEqual([100, ['COUNT', 'RATIO']]);
    expect(entities.map(({ entity }: { entity: string }) => entity)).not.toContain('OTHER');
    expect(entities).toHaveLength(8);
    const orders = entities.find(({ name }: { name: string }) => name === 'orders');
    expect(orders.fields.find(({ name }: { name: string }) => name === 'total_once')).toMatchObject({
      valueType: 'MONEY',
      currencyField: 'currency',
      operators: [],
    });
    expect(orders.relationships).toContainEqual({ name: 'customer', entity: 'CUSTOMERS', entityName: 'customers' });
    for (const sql of sqlSupport.examples) expect((await askSql(testGraph, sql)).answer.__typename, sql).toBe('AnalyticsResult');
    expect((await testGraph.recordCalls(() => testGraph.execute(document)))[1]).toEqual([]);
  });
});

describe('a key', () => {
  it('without the scope by name is refused unsent, whatever its wildcards', async () => {
    for (const scopes of [
      ['*', 'me:read'],
      ['analytics:*', 'me:read'],
      ['order:read', 'me:read'],
    ]) {
      const key = makeKey(testGraph.sandbox.world, { scopes });
      const { answer, errors, calls } = await ask(testGraph, counting('ORDERS'), 'status', key);
      expect([answer, errors, calls]).toMatchObject([null, [{ extensions: { code: 'FORBIDDEN', missingScopes: ['analytics:read'] } }], []]);
    }
  });

  it('of a member without full access is refused by the upstream, which gives no partial totals', async () => {
    for (const { answer, errors } of [
      await ask(testGraph, counting('ORDERS'), 'status', 'demo-regional'),
      await askSql(testGraph, 'SELECT', 'status', 'demo-regional'),
    ])
      expect([answer, errors]).toMatchObject([null, [{ extensions: { code: 'FORBIDDEN' } }]]);
  });
});
