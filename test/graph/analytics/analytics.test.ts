import { describe, expect, it } from 'vitest';
import { columnNames, type NamedSelect } from '../../../src/schema/analytics/columnNames.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, createNestedFilter, executeQuery, executeSql, QUERY, SQL } from './queries.ts';

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

describe('analyticsQuery', () => {
  it('returns rows with cells by column name in one call', async () => {
    await executeQuery(testGraph, createCountQuery('ORDERS'));
    const { result, errors, calls } = await executeQuery(
      testGraph,
      REVENUE,
      `status columns { name valueType aggregation bucket field } isTruncated isAggregationComplete timezone resolvedTimeRange { from to }
       generatedAt rows { month: cell(column: "created_at_month") { date text } revenue: cell(column: "sum_total_once") { status money { amount currencyCode } value }
       share: cell(column: "count_2_per_count") { decimal } orders: cell(column: "count") { integer value } mean: cell(column: "mean") { money { amount } } }`,
    );
    expect([errors, calls]).toEqual([undefined, [QUERY]]);
    expect(result).toMatchObject({
      status: 'READY',
      isTruncated: false,
      isAggregationComplete: true,
      timezone: 'Europe/Amsterdam',
      resolvedTimeRange: { from: '2025-12-31T23:00:00Z', to: '2026-12-31T23:00:00Z' },
      generatedAt: '2026-03-02T09:00:00Z',
    });
    expect(result.columns.map(({ name }: { name: string }) => name)).toEqual(columnNames(REVENUE.select as object as NamedSelect));
    expect(result.columns[0]).toEqual({
      name: 'created_at_month',
      valueType: 'DATE',
      aggregation: null,
      bucket: 'MONTH',
      field: 'created_at',
    });
    expect(result.rows.length).toBeGreaterThan(0);
    for (const row of result.rows) {
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

  it('accepts its normalized query and returns the same rows', async () => {
    const first = await executeQuery(testGraph, REVENUE, `normalizedQuery normalizedSql ${ROWS}`);
    expect([first.result.normalizedSql, first.result.normalizedQuery.timeRange]).toEqual([
      null,
      { field: 'created_at', range: { relative: { period: 'THIS_YEAR', offset: 0 } } },
    ]);
    const second = await executeQuery(testGraph, first.result.normalizedQuery, `normalizedQuery ${ROWS}`);
    expect(second.result.rows).toEqual(first.result.rows);
    expect(second.result.normalizedQuery).toEqual(first.result.normalizedQuery);
  });

  it('accepts and returns values of every kind', async () => {
    const compare = (field: string, operator: string, ...values: object[]) => ({ compare: { field, operator, values } });
    const query = {
      entity: 'APPOINTMENTS',
      timeRange: { field: 'starts_at', range: { timestamp: { gte: '2026-01-01T00:00:00Z', lt: '2026-12-31T00:00:00+01:00' } } },
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
    const { result, errors } = await executeQuery(
      testGraph,
      query,
      'normalizedQuery isTruncated rows { at: cell(column: "starts_at") { timestamp } long: cell(column: "duration_hours") { decimal } }',
    );
    expect([errors, result.__typename, result.isTruncated]).toEqual([undefined, 'AnalyticsResult', true]);
    expect(result.rows).toEqual(
      Array(2).fill({ at: { timestamp: expect.stringMatching(/^2026-.*Z$/) }, long: { decimal: expect.stringMatching(/^\d+\.\d+$/) } }),
    );
    expect(result.normalizedQuery.filter.any.slice(0, 4)).toEqual(query.filter.any.slice(0, 4));
    expect(result.normalizedQuery.timeRange.range).toEqual({ timestamp: { gte: '2026-01-01T00:00:00Z', lt: '2026-12-30T23:00:00Z' } });
  });

  it('returns a count of 0 and a null maximum for an empty result', async () => {
    const none = { compare: { field: 'id', operator: 'EQ', values: [{ text: 'none' }] } };
    const measures = [{ count: {} }, { countDistinct: { field: 'customer_id' } }, { max: { field: 'created_at' } }];
    const { result } = await executeQuery(
      testGraph,
      { entity: 'ORDERS', filter: none, select: { aggregate: { measures } } },
      `status rows { cells { status integer timestamp value } }`,
    );
    expect(result.rows[0].cells).toEqual([
      { status: 'READY', integer: '0', timestamp: null, value: '0' },
      { status: 'READY', integer: '0', timestamp: null, value: '0' },
      { status: 'NO_VALUE', integer: null, timestamp: null, value: null },
    ]);
  });

  it('returns UNAVAILABLE with a warning for amounts that aren’t settled', async () => {
    const select = {
      aggregate: { measures: [{ sum: { field: 'total_once' } }], dimensions: [{ field: 'status' }, { field: 'currency' }] },
    };
    const { result } = await executeQuery(
      testGraph,
      { entity: 'ORDERS', select },
      'warnings rows { cell(column: "sum_total_once") { status statusText money { amount } value } }',
    );
    expect(result.rows).toContainEqual({
      cell: { status: 'UNAVAILABLE', statusText: 'ANALYTICS_CELL_STATUS_UNAVAILABLE', money: null, value: null },
    });
    expect(result.warnings).toEqual([expect.stringContaining('aren’t settled')]);
  });

  it('returns an error for an unknown column and suggests a known one', async () => {
    const { result, errors } = await executeQuery(
      testGraph,
      createCountQuery('ORDERS'),
      'rows { good: cell(column: "count") { integer } bad: cell(column: "cuont") { integer } }',
    );
    expect(result.rows).toEqual([{ good: { integer: expect.any(String) }, bad: null }]);
    expect(errors).toMatchObject([
      { message: 'column must be one of count, but is "cuont". Did you mean count?', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('returns a count of 0 for an empty time range', async () => {
    const now = '2026-01-01T00:00:00Z';
    const empty = await executeQuery(
      testGraph,
      createCountQuery('ORDERS', { timeRange: { field: 'created_at', range: { timestamp: { gte: now, lt: now } } } }),
      ROWS,
    );
    expect([empty.result.rows, empty.calls.at(-1)]).toEqual([[{ cells: [{ status: 'READY', value: '0' }] }], QUERY]);
  });

  it('reports an invalid decimal at its path, although the upstream splits it into two parts', async () => {
    const condition = { compare: { field: 'duration_hours', operator: 'EQ', values: [{ decimal: `0.${'0'.repeat(18)}1` }] } };
    for (const [measure, place] of [
      [{ percentile: { field: 'duration_hours', percentile: `0.${'0'.repeat(18)}1` } }, 'percentile.percentile'],
      [{ count: { condition } }, 'count.condition.compare.values.0.decimal'],
    ] as const) {
      const { result } = await executeQuery(testGraph, { entity: 'APPOINTMENTS', select: { aggregate: { measures: [measure] } } });
      expect(result.issues).toMatchObject([
        {
          path: ['query', 'select', 'aggregate', 'measures', '0', ...place.split('.')],
          message: expect.stringMatching(/^must be from 0 to 18/),
        },
      ]);
    }
  });

  it('accepts eight levels of nested conditions in filters, measures, and literals', async () => {
    expect((await executeQuery(testGraph, createCountQuery('ORDERS', { filter: createNestedFilter(8) }))).result.__typename).toBe(
      'AnalyticsResult',
    );
    const conditional = { entity: 'ORDERS', select: { aggregate: { measures: [{ count: { condition: createNestedFilter(8) } }] } } };
    expect((await executeQuery(testGraph, conditional)).result.__typename).toBe('AnalyticsResult');
    const literal = `{ ${'all: [{ '.repeat(7)}compare: { field: "currency", operator: EQ, values: [{ text: "EUR" }] }${' }]'.repeat(7)} }`;
    const { data } = await testGraph.execute(
      `{ analyticsQuery(query: { entity: ORDERS, filter: ${literal}, select: { aggregate: { measures: [{ count: {} }] } } }) { __typename } }`,
    );
    expect(data.analyticsQuery.__typename).toBe('AnalyticsResult');
  });
});

describe('analyticsSql', () => {
  const text =
    "SELECT status, count(*) FROM workorders WHERE svc.timezone('Europe/Amsterdam') GROUP BY status ORDER BY count DESC NULLS LAST LIMIT 20";

  it('returns the same rows as its normalized SQL and query', async () => {
    const { result, errors, calls } = await executeSql(testGraph, text, `normalizedSql normalizedQuery ${ROWS}`);
    expect([errors, calls]).toEqual([undefined, [SQL]]);
    expect((await executeSql(testGraph, result.normalizedSql, ROWS)).result.rows).toEqual(result.rows);
    expect((await executeQuery(testGraph, result.normalizedQuery, ROWS)).result.rows).toEqual(result.rows);
  });

  it('returns a typed query with fractional seconds', async () => {
    const text = `SELECT count(*) FROM orders WHERE svc.timezone('UTC') AND svc.timestamp_range(created_at, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00.5Z') AND created_at > '2026-01-01T00:00:00.000001Z' LIMIT 1`;
    const { result } = await executeSql(testGraph, text, `normalizedQuery ${ROWS}`);
    const { timeRange, filter } = result.normalizedQuery;
    expect(timeRange.range.timestamp).toEqual({ gte: '2026-01-01T00:00:00Z', lt: '2026-02-01T00:00:00.5Z' });
    expect(filter.compare.values).toEqual([{ timestamp: '2026-01-01T00:00:00.000001Z' }]);
    const again = await executeQuery(testGraph, result.normalizedQuery, `normalizedQuery ${ROWS}`);
    expect([again.result.rows, again.result.normalizedQuery]).toEqual([result.rows, result.normalizedQuery]);
  });

  it('returns AnalyticsQueryError with line and column', async () => {
    const { result, errors, calls } = await executeSql(
      testGraph,
      `SELECT status,\n  cuont(*)\nFROM workorders WHERE svc.timezone('UTC') GROUP BY status LIMIT 5`,
    );
    expect([errors, calls]).toEqual([undefined, [SQL]]);
    expect(result).toMatchObject({
      __typename: 'AnalyticsQueryError',
      line: 2,
      column: 3,
      message: expect.stringMatching(/^line 2, column 3: /),
      issues: [{ path: ['sql'], code: 'UNKNOWN_NAME', message: expect.not.stringContaining('line 2') }],
    });
  });

  it('rejects oversized SQL without an upstream call', async () => {
    const long = await executeSql(testGraph, `${text}${' '.repeat(33_000)}`);
    expect([long.result.issues, long.calls]).toMatchObject([[{ path: ['sql'], code: 'TOO_LONG', limit: 32_768 }], []]);
    expect(long.result).toMatchObject({ line: null, column: null });
  });
});

describe('analyticsCatalog', () => {
  it('returns entities, fields, limits, and SQL support, and is cached', async () => {
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
    for (const sql of sqlSupport.examples) expect((await executeSql(testGraph, sql)).result.__typename, sql).toBe('AnalyticsResult');
    expect((await testGraph.recordCalls(() => testGraph.execute(document)))[1]).toEqual([]);
  });
});

describe('API key', () => {
  it('requires the scope by name and doesn’t accept a wildcard', async () => {
    for (const scopes of [
      ['*', 'me:read'],
      ['analytics:*', 'me:read'],
      ['order:read', 'me:read'],
    ]) {
      const key = makeKey(testGraph.sandbox.world, { scopes });
      const { result, errors, calls } = await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', key);
      expect([result, errors, calls]).toMatchObject([null, [{ extensions: { code: 'FORBIDDEN', missingScopes: ['analytics:read'] } }], []]);
    }
  });

  it('returns FORBIDDEN for a member without full access', async () => {
    for (const { result, errors } of [
      await executeQuery(testGraph, createCountQuery('ORDERS'), 'status', 'demo-regional'),
      await executeSql(testGraph, 'SELECT', 'status', 'demo-regional'),
    ])
      expect([result, errors]).toMatchObject([null, [{ extensions: { code: 'FORBIDDEN' } }]]);
  });
});
