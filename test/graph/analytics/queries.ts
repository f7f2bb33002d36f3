import type { useTestGraph } from '../../support/testGraph.ts';

type Environment = Pick<ReturnType<typeof useTestGraph>, 'executeAs' | 'recordCalls'>;

/** Upstream operations. */
export const CATALOG = 'AnalyticsService/ListCatalog';
export const QUERY = 'AnalyticsService/ExecuteQuery';
export const SQL = 'AnalyticsService/ExecuteSQL';

const ERROR = '... on AnalyticsQueryError { message line column issues { path code limit message } }';

/** Executes an analytics query, as `demo-owner` by default. Returns its field, errors, upstream calls, and cost. `selection` is the selection of the result. */
export async function executeQuery(testGraph: Environment, query: object, selection = 'status', key = 'demo-owner') {
  const document = `query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename ... on AnalyticsResult { ${selection} } ${ERROR} } }`;
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, { query }));
  return { result: data?.analyticsQuery, errors, calls, cost };
}

/** Like `executeQuery`, for SQL. */
export async function executeSql(testGraph: Environment, sql: string, selection = 'status', key = 'demo-owner') {
  const document = `query ($sql: String!) { analyticsSql(sql: $sql) { __typename ... on AnalyticsResult { ${selection} } ${ERROR} } }`;
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, { sql }));
  return { result: data?.analyticsSql, errors, calls, cost };
}

/** Creates a query that counts the rows of an entity. */
export const createCountQuery = (entity: string, more: object = {}) => ({
  entity,
  select: { aggregate: { measures: [{ count: {} }] } },
  ...more,
});

/** Creates a filter with the given number of nested levels and a comparison at the bottom. */
export function createNestedFilter(levels: number): object {
  const compare = { compare: { field: 'currency', operator: 'EQ', values: [{ text: 'EUR' }] } };
  return Array.from({ length: levels - 1 }).reduce<object>((filter) => ({ all: [filter] }), compare);
}
