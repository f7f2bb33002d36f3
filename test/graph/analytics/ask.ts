import type { useTestGraph } from '../../support/testGraph.ts';

type Environment = Pick<ReturnType<typeof useTestGraph>, 'executeAs' | 'recordCalls'>;

/** Operations of the upstream. */
export const CATALOG = 'AnalyticsService/ListCatalog';
export const QUERY = 'AnalyticsService/ExecuteQuery';
export const SQL = 'AnalyticsService/ExecuteSQL';

const ERROR = '... on AnalyticsQueryError { message line column issues { path code limit message } }';

/** Asks a query as `demo-owner` unless another key is given; answers its field, the errors and the upstream calls. `result`: the selection of the result. */
export async function ask(testGraph: Environment, query: object, result = 'status', key = 'demo-owner') {
  const document = `query ($query: AnalyticsQueryInput!) { analyticsQuery(query: $query) { __typename ... on AnalyticsResult { ${result} } ${ERROR} } }`;
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, { query }));
  return { answer: data?.analyticsQuery, errors, calls, cost };
}

/** The same for SQL. */
export async function askSql(testGraph: Environment, sql: string, result = 'status', key = 'demo-owner') {
  const document = `query ($sql: String!) { analyticsSql(sql: $sql) { __typename ... on AnalyticsResult { ${result} } ${ERROR} } }`;
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document, { sql }));
  return { answer: data?.analyticsSql, errors, calls, cost };
}

/** A query that counts the rows of an entity. */
export const counting = (entity: string, more: object = {}) => ({ entity, select: { aggregate: { measures: [{ count: {} }] } }, ...more });

/** A filter that nests groups so deep, with a comparison at the bottom. */
export function nested(levels: number): object {
  const compare = { compare: { field: 'currency', operator: 'EQ', values: [{ text: 'EUR' }] } };
  return Array.from({ length: levels - 1 }).reduce<object>((filter) => ({ all: [filter] }), compare);
}
