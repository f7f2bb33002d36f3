import { type Area, createCase, post } from './case.ts';

const RESULT = `__typename
  ... on AnalyticsResult {
    status isTruncated isAggregationComplete timezone generatedAt normalizedSql normalizedQuery resolvedTimeRange { from to }
    columns { name valueType aggregation bucket field }
    rows { cells { status value text integer decimal date money { amount currencyCode } } }
  }
  ... on AnalyticsQueryError { message line column issues { path code limit message } }`;

const QUERY = `query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { ${RESULT} } }`;
const SQL = `query ($sql: String!) { analyticsSql(sql: $sql) { ${RESULT} } }`;

const counting = (entity: string, more: object = {}) => ({ entity, select: { aggregate: { measures: [{ count: {} }] } }, ...more });

const QUERIES: Readonly<Record<string, object>> = {
  'a count': counting('ORDERS'),
  'sums by month': {
    entity: 'ORDERS',
    timezone: 'Europe/Amsterdam',
    timeRange: { field: 'created_at', range: { relative: { period: 'THIS_YEAR' } } },
    filter: { all: [{ compare: { field: 'status', operator: 'NEQ', values: [{ text: 'PUBLIC_ORDER_STATUS_CANCELLED' }] } }] },
    select: {
      aggregate: {
        measures: [{ count: {} }, { sum: { field: 'total_once' } }, { avg: { field: 'total_once', name: 'mean' } }],
        dimensions: [{ field: 'created_at', bucket: 'MONTH' }, { field: 'currency' }],
      },
    },
    sort: [{ column: 'sum_total_once', direction: 'DESC' }],
    limit: 10,
  },
  'a ratio': {
    entity: 'ORDERS',
    select: {
      aggregate: {
        measures: [
          { count: {} },
          { count: { condition: { related: { relationship: 'customer' } } } },
          { ratio: { numerator: 'count_2', denominator: 'count' } },
        ],
      },
    },
  },
  records: { entity: 'ORDERS', select: { records: ['status', 'total_once', 'created_at'] }, limit: 3 },
  'an unknown field': { entity: 'ORDERS', select: { records: ['nothing'] } },
  'an unknown entity': counting('NOTHING'),
  'an unknown time zone': counting('ORDERS', { timezone: 'Mars/Olympus' }),
  'no selection': { entity: 'ORDERS', select: {} },
  'two selections': { entity: 'ORDERS', select: { records: ['status'], aggregate: { measures: [{ count: {} }] } } },
  'too high a limit': counting('ORDERS', { limit: 1_000_000 }),
};

const STATEMENTS: Readonly<Record<string, string>> = {
  'a count': "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1",
  groups: 'SELECT status, count(*) AS orders FROM orders GROUP BY status ORDER BY orders DESC LIMIT 5',
  'a syntax error': 'SELECT',
  'an unknown table': 'SELECT count(*) FROM nothing LIMIT 1',
  'a write': 'DELETE FROM orders',
  'blank SQL': ' ',
};

const RECORDS = `query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { ... on AnalyticsResult { rows {
  cell(column: "customer_id") { text }
  keys: record { __typename id }
  customer: record(column: "customer_id") { __typename ... on CustomerRecord { title } }
  status: record(column: "status") { id }
} } } }`;

const CATALOG = `{ analyticsCatalog {
  entities { name fields { name } }
  limits { __typename }
  sqlSupport { __typename }
} }`;

export const analytics: Area = {
  name: 'analytics',
  cases: [
    ...Object.entries(QUERIES).map(([title, query]) => createCase(`query: ${title}`, post(QUERY, { query }))),
    ...Object.entries(STATEMENTS).map(([title, sql]) => createCase(`SQL: ${title}`, post(SQL, { sql }))),
    createCase(
      'records of rows',
      post(RECORDS, { query: { entity: 'ORDERS', select: { records: ['id', 'customer_id', 'status'] }, limit: 2 } }),
    ),
    createCase('catalog', post(CATALOG)),
    createCase('query as demo-creator', post(QUERY, { query: counting('ORDERS') }, 'demo-creator')),
    createCase('SQL as demo-warehouse', post(SQL, { sql: STATEMENTS['a count'] }, 'demo-warehouse')),
  ],
};
