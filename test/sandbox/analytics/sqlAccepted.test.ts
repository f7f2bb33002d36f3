import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ENTITIES } from '../../../sandbox/analytics/entities.ts';
import { createCorrelationSql } from '../../../sandbox/analytics/sql/keywords.ts';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { printSql } from '../../../sandbox/analytics/sql/print.ts';
import { SQL_SUPPORT } from '../../../sandbox/analytics/sql/support.ts';
import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsFilterSchema,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  type AnalyticsValueSchema,
  AnalyticsOperator as Operator,
  AnalyticsQuerySemantics as Semantics,
  AnalyticsSortDirection as SortDirection,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { fc } from '../../support/seeded.ts';
import { spec } from '../../support/spec.ts';
import { sqlQuery } from './sqlQueries.ts';

type Init = Exclude<MessageInitShape<typeof AnalyticsQuerySchema>, AnalyticsQuery>;
type Filter = MessageInitShape<typeof AnalyticsFilterSchema>;
type Value = MessageInitShape<typeof AnalyticsValueSchema>;

const COUNT: Init = { aggregate: { measures: [{ aggregation: Aggregation.COUNT }] } };
const createQuery = (init: Init): AnalyticsQuery =>
  create(AnalyticsQuerySchema, {
    version: 1,
    entity: 'orders',
    semantics: Semantics.CURRENT_STATE,
    timezone: 'UTC',
    limit: 10,
    ...(init.records ? {} : COUNT),
    ...init,
  });

const withCondition = (condition: string, entity = 'orders') =>
  `SELECT count(*) FROM ${entity} WHERE svc.timezone('UTC') AND ${condition} LIMIT 10`;
const withGroupBy = (items: string, groups: string) => `SELECT ${items} FROM orders WHERE svc.timezone('UTC') GROUP BY ${groups} LIMIT 10`;
const compare = (field: string, operator: Operator, ...values: Value[]): Filter => ({ compare: { field, operator, values } });
const all = (...children: Filter[]): Filter => ({ all: { children } });
const any = (...children: Filter[]): Filter => ({ any: { children } });
const related = (relationship: string, filter?: Filter): Filter => ({ related: { relationship, ...(filter && { filter }) } });

const A = compare('status', Operator.EQ, { text: 'a' });
const B = compare('status', Operator.NEQ, { text: 'b' });
const C = compare('quote_id', Operator.EQ, { text: 'c' });
const [a, b, c] = ["status = 'a'", "status <> 'b'", "quote_id = 'c'"];
const IN_APPOINTMENTS = { entity: 'appointments' };
const BY_STATUS = { dimensions: [{ field: 'status' }], measures: [{ aggregation: Aggregation.COUNT }] };
const CREATED_MONTH = { field: 'created_at', bucket: TimeBucket.MONTH };

const BUCKETS = {
  day: TimeBucket.DAY,
  week: TimeBucket.WEEK,
  month: TimeBucket.MONTH,
  quarter: TimeBucket.QUARTER,
  year: TimeBucket.YEAR,
};

const ACCEPTED: readonly (readonly [sql: string, query: Init])[] = [
  // Statements
  ["SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 10", {}],
  ["select COUNT ( * )\nfrom ORDERS\twhere Svc . Timezone ( 'UTC' )\r\nlimit 010", {}],
  ["SELECT id, status FROM orders WHERE svc.timezone('UTC') LIMIT 10", { records: { fields: ['id', 'status'] } }],
  [
    "SELECT id FROM orders WHERE svc.timezone('Europe/Amsterdam') LIMIT 1",
    { records: { fields: ['id'] }, timezone: 'Europe/Amsterdam', limit: 1 },
  ],
  ["SELECT id FROM orders WHERE svc.timezone('UTC')LIMIT 100", { records: { fields: ['id'] }, limit: 100 }],
  // Measures
  [
    "SELECT count(DISTINCT status), sum(total_once), avg(total_once), min(created_at), max(created_at) AS last FROM orders WHERE svc.timezone('UTC') LIMIT 10",
    {
      aggregate: {
        measures: [
          { aggregation: Aggregation.COUNT_DISTINCT, field: 'status' },
          { aggregation: Aggregation.SUM, field: 'total_once' },
          { aggregation: Aggregation.AVG, field: 'total_once' },
          { aggregation: Aggregation.MIN, field: 'created_at' },
          { aggregation: Aggregation.MAX, field: 'created_at', id: 'last' },
        ],
      },
    },
  ],
  [
    "SELECT percentile_disc(0.950) WITHIN GROUP (ORDER BY created_at) AS Late, percentile_disc(1) within group (order by created_at) FROM orders WHERE svc.timezone('UTC') LIMIT 10",
    {
      aggregate: {
        measures: [
          { aggregation: Aggregation.PERCENTILE_DISC, field: 'created_at', percentile: { unscaled: 950n, scale: 3 }, id: 'late' },
          { aggregation: Aggregation.PERCENTILE_DISC, field: 'created_at', percentile: { unscaled: 1n, scale: 0 } },
        ],
      },
    },
  ],
  // Dimensions
  [withGroupBy('status, count(*)', 'status'), { aggregate: BY_STATUS }],
  [withGroupBy('status AS state, count(*)', 'state'), { aggregate: { ...BY_STATUS, dimensions: [{ field: 'status', id: 'state' }] } }],
  [withGroupBy('status AS state, count(*)', 'status'), { aggregate: { ...BY_STATUS, dimensions: [{ field: 'status', id: 'state' }] } }],
  [
    withGroupBy('status, currency, count(*)', 'currency, status'),
    { aggregate: { ...BY_STATUS, dimensions: [{ field: 'status' }, { field: 'currency' }] } },
  ],
  [
    withGroupBy("svc.bucket('month', created_at), created_at, count(*)", "svc.bucket('month', created_at), created_at"),
    { aggregate: { ...BY_STATUS, dimensions: [CREATED_MONTH, { field: 'created_at' }] } },
  ],
  [
    withGroupBy("svc.bucket('month', created_at) AS month, count(*)", 'month'),
    { aggregate: { ...BY_STATUS, dimensions: [{ ...CREATED_MONTH, id: 'month' }] } },
  ],
  ...(['day', 'week', 'month', 'quarter', 'year'] as const).map((word): readonly [string, Init] => [
    withGroupBy(`svc.bucket('${word}', created_at), count(*)`, `svc.bucket('${word}', created_at)`),
    { aggregate: { ...BY_STATUS, dimensions: [{ field: 'created_at', bucket: BUCKETS[word] }] } },
  ]),
  // Ranges
  [
    withCondition("svc.calendar_range(created_at, '2026-01-01', '2026-01-31')"),
    { timeRange: { field: 'created_at', calendar: { startDate: '2026-01-01', endDate: '2026-01-31' } } },
  ],
  [
    withCondition(`svc.timestamp_range(created_at, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z') AND ${a}`),
    { timeRange: { field: 'created_at', timestamp: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } }, filter: A },
  ],
  // Groups of conditions
  [withCondition(a), { filter: A }],
  [withCondition(`((${a}))`), { filter: A }],
  [withCondition(`${a} AND ${b}`), { filter: all(A, B) }],
  [withCondition(`(${a} AND ${b})`), { filter: all(A, B) }],
  [withCondition(`${a} AND (${b} AND ${c})`), { filter: all(A, all(B, C)) }],
  [withCondition(`(${a} OR ${b})`), { filter: any(A, B) }],
  [withCondition(`(${a} OR ${b} AND ${c})`), { filter: any(A, all(B, C)) }],
  [withCondition(`(${a} AND ${b} OR ${c})`), { filter: any(all(A, B), C) }],
  [withCondition(`((${a} OR ${b}) AND ${c})`), { filter: all(any(A, B), C) }],
  [withCondition(`(${a} OR (${b} OR ${c}))`), { filter: any(A, any(B, C)) }],
  [withCondition(`(${a} OR ${b} OR ${c}) AND ${a}`), { filter: all(any(A, B, C), A) }],
  [withCondition(`${'('.repeat(32)}${a}${')'.repeat(32)}`), { filter: A }],
  // Comparisons
  [withCondition("status != 'b'"), { filter: B }],
  [withCondition("created_at < 'x'"), { filter: compare('created_at', Operator.LT, { timestamp: 'x' }) }],
  [withCondition("created_at <= 'x'"), { filter: compare('created_at', Operator.LTE, { timestamp: 'x' }) }],
  [withCondition("created_at > 'x'"), { filter: compare('created_at', Operator.GT, { timestamp: 'x' }) }],
  [withCondition("created_at>='x'"), { filter: compare('created_at', Operator.GTE, { timestamp: 'x' }) }],
  [withCondition("status IN ('a')"), { filter: compare('status', Operator.IN, { text: 'a' }) }],
  [withCondition("status NOT IN ('a', 'b')"), { filter: compare('status', Operator.NOT_IN, { text: 'a' }, { text: 'b' }) }],
  [withCondition('cancelled_at IS NULL'), { filter: compare('cancelled_at', Operator.IS_NULL) }],
  [withCondition('cancelled_at IS NOT NULL'), { filter: compare('cancelled_at', Operator.IS_NOT_NULL) }],
  [withCondition("contains(status, '%')"), { filter: compare('status', Operator.CONTAINS, { text: '%' }) }],
  // Values
  [withCondition("status = ''"), { filter: compare('status', Operator.EQ, { text: '' }) }],
  [withCondition("status = ''''"), { filter: compare('status', Operator.EQ, { text: "'" }) }],
  [
    withCondition("status = 'it''s \\n -- /* ; \"x\" $1'"),
    { filter: compare('status', Operator.EQ, { text: 'it\'s \\n -- /* ; "x" $1' }) },
  ],
  [withCondition("status = 'é💥\n'"), { filter: compare('status', Operator.EQ, { text: 'é💥\n' }) }],
  [
    withCondition('member_id = current_member()', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('member_id', Operator.EQ, { currentMember: true }) },
  ],
  [
    withCondition('duration_minutes = 007', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('duration_minutes', Operator.EQ, { integer: 7n }) },
  ],
  [
    withCondition('duration_minutes >=-5', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('duration_minutes', Operator.GTE, { integer: -5n }) },
  ],
  [
    withCondition('duration_minutes != - 5', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('duration_minutes', Operator.NEQ, { integer: -5n }) },
  ],
  [
    withCondition('duration_minutes IN (9223372036854775807, -9223372036854775808)', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('duration_minutes', Operator.IN, { integer: 2n ** 63n - 1n }, { integer: -(2n ** 63n) }) },
  ],
  [
    withCondition('duration_hours = -0.50', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('duration_hours', Operator.EQ, { decimal: { unscaled: -50n, scale: 2 } }) },
  ],
  [
    withCondition('duration_hours = 2', 'appointments'),
    { ...IN_APPOINTMENTS, filter: compare('duration_hours', Operator.EQ, { decimal: { unscaled: 2n, scale: 0 } }) },
  ],
  [
    withCondition('manual_solving_disabled = TRUE', 'problems'),
    { entity: 'problems', filter: compare('manual_solving_disabled', Operator.EQ, { boolean: true }) },
  ],
  [
    withCondition('manual_solving_disabled <> false', 'problems'),
    { entity: 'problems', filter: compare('manual_solving_disabled', Operator.NEQ, { boolean: false }) },
  ],
  // Relationships
  [withCondition('EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id)'), { filter: related('payments') }],
  [withCondition(`exists(select 1 from Payments where Payments . order_id=Orders.ID and ${a})`), { filter: related('payments', A) }],
  [
    withCondition(`EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id AND ${a} AND (${a} OR ${b}))`),
    { filter: related('payments', all(A, any(A, B))) },
  ],
  [
    withCondition('EXISTS (SELECT 1 FROM customers WHERE customers.id = problems.customer_id)', 'problems'),
    { entity: 'problems', filter: related('customer') },
  ],
  [
    withCondition('EXISTS (SELECT 1 FROM customers WHERE customers.id = problems.portfolio_id)', 'problems'),
    { entity: 'problems', filter: related('portfolio') },
  ],
  [
    withCondition(
      'EXISTS (SELECT 1 FROM orders WHERE orders.customer_id = customers.id AND EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id))',
      'customers',
    ),
    { entity: 'customers', filter: related('orders', related('customer')) },
  ],
  // Sort
  [
    "SELECT id, status, currency FROM orders WHERE svc.timezone('UTC') ORDER BY id, status ASC, currency DESC NULLS LAST LIMIT 10",
    {
      records: { fields: ['id', 'status', 'currency'] },
      sort: [{ column: 'id' }, { column: 'status', direction: SortDirection.ASC }, { column: 'currency', direction: SortDirection.DESC }],
    },
  ],
];

describe('parseSql', () => {
  it.each(ACCEPTED)('parses %s', spec('4.12.77', '4.12.79', '4.12.80'), (sql, query) => {
    expect(parseSql(sql).query).toEqual(createQuery(query));
  });

  it('reverses the formatting of a query', () => {
    fc.assert(
      fc.property(sqlQuery, (query) => {
        expect(parseSql(printSql(query)).query).toEqual(query);
      }),
      { numRuns: 500 },
    );
  });

  it('parses equivalent spellings to queries with the same normalized SQL', () => {
    for (const [sql] of ACCEPTED) {
      const printed = printSql(parseSql(sql).query);
      expect(printSql(parseSql(printed).query)).toBe(printed);
    }
  });

  it.each(SQL_SUPPORT.examples ?? [])('parses the example in the catalog: %s', spec('4.12.5'), (example) => {
    expect(parseSql(example).query.entity).not.toBe('');
  });

  it.each<[string, Init]>([
    ['a relative range', { timeRange: { field: 'created_at', relative: { period: 1 } } }],
    ['a measure with a condition', { aggregate: { measures: [{ aggregation: Aggregation.COUNT, condition: A }] } }],
    ['the aggregation', { aggregate: { measures: [{ aggregation: Aggregation.RATIO, numerator: 'a', denominator: 'b' }] } }],
    ['a value of this kind', { filter: compare('created_at', Operator.GT, { nowOffsetSeconds: 5n }) }],
    ['the name "Total"', { aggregate: { measures: [{ aggregation: Aggregation.COUNT, id: 'Total' }] } }],
    ['the name "left"', { aggregate: { measures: [{ aggregation: Aggregation.COUNT, id: 'left' }] } }],
    ['a group without filters', { filter: all() }],
  ])('can’t express %s', spec('4.12.71'), (part, init) => {
    expect(() => printSql(createQuery(init))).toThrow(`SQL can’t express ${part}`);
  });

  it('omits a group with only one filter', () => {
    expect(printSql(createQuery({ filter: all(any(A)) }))).toBe(withCondition(a));
  });
});

const relationships = ENTITIES.flatMap((entity) => entity.relationships.map((relationship) => ({ entity, relationship })));

describe('join condition', () => {
  it.each(relationships)('can be written: $entity.name to $relationship.name', spec('4.12.81'), ({ entity, relationship }) => {
    const condition = createCorrelationSql(entity, relationship);
    const sql = withCondition(`EXISTS (SELECT 1 FROM ${relationship.entity} WHERE ${condition})`, entity.name);
    expect(parseSql(sql).query.filter).toEqual(createQuery({ filter: related(relationship.name) }).filter);
  });

  it.each(relationships)('refers only to fields of the two roots: $entity.name to $relationship.name', ({ entity, relationship }) => {
    const known = ENTITIES.filter(({ name }) => name === entity.name || name === relationship.entity).flatMap(({ name, fields }) =>
      fields.map((field) => `${name}.${field.name}`),
    );
    const named = createCorrelationSql(entity, relationship).match(/\w+\.\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(1);
    expect(known).toEqual(expect.arrayContaining(named));
    // Without aliases, SQL couldn't distinguish a root from itself in a relationship.
    expect(relationship.entity).not.toBe(entity.name);
  });
});
