import type { Context } from '../../context.ts';
import { invalidInput, UpstreamInvalidError, ValidationError, type ValidationIssue } from '../../failures/failures.ts';
import { Catalog } from '../../schema/analytics/catalog.ts';
import { findIssues } from '../../schema/analytics/check.ts';
import { EnumTranslator } from '../../schema/analytics/enumTranslator.ts';
import { QueryInput, type QueryShape } from '../../schema/analytics/inputs.ts';
import {
  CATALOG,
  ENTITY,
  NORMALIZED_SQL,
  type NormalizedResult,
  QueryResult,
  RejectedQuery,
  translateEnumValues,
} from '../../schema/analytics/results.ts';
import { getRejectionCode } from '../../schema/analytics/sqlRejections.ts';
import { tokenizeSql } from '../../schema/analytics/sqlTokens.ts';
import { countRows, WireQuery } from '../../schema/analytics/wireQuery.ts';
import { getSqlEntity, type SqlPosition, translateSqlEnumValues, WireSql } from '../../schema/analytics/wireSql.ts';
import { builder } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { toInputPaths } from '../../schema/kit/inputPaths.ts';
import { countJsonBytes } from '../../schema/kit/jsonValues.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import type { SizeExtensions } from '../../schema/kit/valueSizes.ts';
import { ExecuteQuery, ExecuteSQL, ListCatalog } from '../../upstream/contract/generated/operations.ts';
import type { AnalyticsResult, ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { findBrokenRules, getDocumentedRules } from '../../upstream/contract/rules.ts';

/** Name of the `analyticsQuery` argument, and first element of the paths of its issues. */
const QUERY = 'query';

/** Maximum size of a query as sent, in bytes. Source: the upstream's limits. */
const MAX_QUERY_BYTES = 32 * 1024;

/** Maximum age of a catalog that rejects a query, in milliseconds. Chosen: queries can use a new field within seconds. */
const RECHECK_MAX_AGE_MS = 10_000;

/** Fetches the key's catalog. Null if it can't be read; then only the upstream validates the query. */
const fetchCatalog = ({ upstream }: Context, maxAgeMs?: number): Promise<ListCatalogResponse | null> =>
  upstream.call(ListCatalog, {}, { maxAgeMs }).catch(() => null);

/** Checks a query against the catalog. A catalog that would reject the query is fetched again, unless it's seconds old. */
async function checkAgainstCatalog(query: QueryShape, context: Context) {
  const first = await fetchCatalog(context);
  if (findIssues(query, first, [QUERY]).length === 0) return { issues: [], catalog: first };
  const catalog = await fetchCatalog(context, RECHECK_MAX_AGE_MS);
  return { issues: findIssues(query, catalog, [QUERY]), catalog };
}

/** Replaces enum values by the upstream's spelling. Rejects the query if the enum of a value is unknown. */
async function resolveEnumValues(
  query: QueryShape,
  catalog: ListCatalogResponse | null,
  context: Context,
): Promise<QueryShape | RejectedQuery> {
  const inputs = new EnumTranslator(catalog);
  const spelled = inputs.translateQuery(query, [QUERY]);
  if (inputs.unresolved.length === 0) return spelled;
  if (catalog) return createRejectedQuery(inputs.unresolved);
  // Only the catalog says which enum these values belong to, so the query fails if the catalog can't be read.
  return resolveEnumValues(query, await context.upstream.call(ListCatalog, {}), context);
}

function checkSize({ query }: WireQuery): readonly ValidationIssue[] {
  const bytes = countJsonBytes(query);
  if (bytes <= MAX_QUERY_BYTES) return [];
  return invalidInput([QUERY], 'TOO_LONG', `must be at most ${MAX_QUERY_BYTES} bytes as JSON, but is ${bytes} bytes.`, MAX_QUERY_BYTES)
    .issues;
}

/** Rejects descending order if the upstream's typed queries have no direction. They aren't converted to SQL, which can't express all of them. */
function checkDirections({ sort }: QueryShape, { upstream }: Context): readonly ValidationIssue[] {
  if (upstream.contract.sortDirection === 'TYPED') return [];
  const problem = 'can’t be `DESC`, because the Workspace API sorts typed queries only in ascending order. Use `analyticsSql`.';
  return (sort ?? []).flatMap(({ direction }, index) =>
    direction === 'DESC' ? invalidInput([QUERY, 'sort', String(index), 'direction'], 'NOT_ALLOWED', problem).issues : [],
  );
}

const createRejectedQuery = (issues: readonly ValidationIssue[]) => new RejectedQuery(new ValidationError(issues).message, issues);

/** Converts the upstream's rejection to the names of the input. Throws any other error. */
function toRejectedQuery(error: unknown, wire: WireQuery, query: QueryShape): RejectedQuery {
  if (!(error instanceof ValidationError)) throw error;
  const { issues } = toInputPaths(error, { [QUERY]: query }, (path) => wire.toInputPath(path)) as ValidationError;
  return createRejectedQuery(issues.map((issue) => (issue.path.length > 0 ? issue : { ...issue, path: [QUERY] })));
}

/** Returns the result. Throws UpstreamInvalidError if the response lacks it, because an empty result would hide that the query failed. */
function requireResult(result: AnalyticsResult | undefined): AnalyticsResult {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) throw new UpstreamInvalidError('it has no result');
  return result;
}

/** Converts a query to the contract's form, or rejects it if this isn't possible. */
function toWireQuery(query: QueryShape): WireQuery | RejectedQuery {
  try {
    return new WireQuery(query, [QUERY]);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return createRejectedQuery(error.issues);
  }
}

async function executeQuery(query: QueryShape, context: Context): Promise<NormalizedResult | RejectedQuery> {
  const unresolved = toWireQuery(query);
  if (unresolved instanceof RejectedQuery) return unresolved;
  const oversized = checkSize(unresolved);
  const documented = oversized.length > 0 ? oversized : findIssues(query, null, [QUERY]);
  if (documented.length > 0) return createRejectedQuery(documented);
  const directions = checkDirections(query, context);
  if (directions.length > 0) return createRejectedQuery(directions);
  const { issues, catalog } = await checkAgainstCatalog(query, context);
  if (issues.length > 0) return createRejectedQuery(issues);
  const spelled = await resolveEnumValues(query, catalog, context);
  if (spelled instanceof RejectedQuery) return spelled;
  const wire = new WireQuery(spelled, [QUERY]);
  try {
    const { result } = await context.upstream.call(ExecuteQuery, { query: wire.query });
    const { entity = '' } = wire.query;
    return { ...translateEnumValues(requireResult(result), entity), [ENTITY]: entity, [CATALOG]: () => Promise.resolve(catalog) };
  } catch (error) {
    // The query passed the check against the catalog, so the catalog may be outdated.
    if (error instanceof ValidationError) context.upstream.discard(ListCatalog, {});
    return toRejectedQuery(error, wire, query);
  }
}

/** Position at the start of the upstream's error text about SQL. */
const POSITION_PREFIX = /^line (\d+), column (\d+):\s*/;

async function toRejectedSql(error: unknown, sent: WireSql, context: Context): Promise<RejectedQuery> {
  if (!(error instanceof ValidationError)) throw error;
  const [line, column] =
    POSITION_PREFIX.exec(error.issues[0]?.message ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const position = line && column ? sent.toOriginalPosition({ line, column }) : null;
  const code = position ? await getRejectionCode(sent, position, () => fetchCatalog(context)) : 'OTHER';
  const issues = error.issues.map((each) => ({
    ...each,
    code: each.code === 'OTHER' ? code : each.code,
    message: each.message.replace(POSITION_PREFIX, ''),
  }));
  return createRejectedSql(issues, position);
}

function createRejectedSql(found: readonly ValidationIssue[], position: SqlPosition | null): RejectedQuery {
  const issues = found.map((each) => ({ ...each, path: ['sql'] }));
  const prefix = position ? `line ${position.line}, column ${position.column}: ` : '';
  const message = prefix + new ValidationError(issues.map((each) => ({ ...each, path: [] }))).message;
  return new RejectedQuery(message, issues, position?.line, position?.column);
}

async function executeSql(sql: string, context: Context): Promise<NormalizedResult | RejectedQuery> {
  // Before the SQL is split into tokens. The translated SQL is checked again when it's sent.
  const oversized = findBrokenRules({ sql }, getDocumentedRules(context.upstream.operation(ExecuteSQL).request));
  if (oversized.length > 0) return createRejectedSql(oversized, null);
  const tokens = tokenizeSql(sql);
  const converted = new WireSql(sql, tokens, null);
  const sent = converted.isConverted ? new WireSql(sql, tokens, await fetchCatalog(context)) : converted;
  try {
    const { result, normalizedSql } = await context.upstream.call(ExecuteSQL, { sql: sent.sql });
    const entity = getSqlEntity(tokens) ?? '';
    return {
      ...translateEnumValues(requireResult(result), entity),
      [ENTITY]: entity,
      [CATALOG]: () => fetchCatalog(context),
      [NORMALIZED_SQL]: normalizedSql && translateSqlEnumValues(normalizedSql),
    };
  } catch (error) {
    return toRejectedSql(error, sent, context);
  }
}

builder.queryFields((t) => ({
  analyticsCatalog: t.field(
    createOperationOptions(
      ListCatalog,
      'Entities and fields that `analyticsQuery` and `analyticsSql` can use. Requires a key with the scope `analytics:read` by name, and an account with full access.',
      {
        type: Catalog,
        nullable: true as const,
        extensions: NULL_ONLY_WITH_ERROR,
        resolve: (_root: unknown, _args: object, { upstream }: Context) => upstream.call(ListCatalog, {}),
      },
    ),
  ),

  analyticsQuery: t.field(
    createOperationOptions(
      ExecuteQuery,
      'Runs an analytics query on the current records of the workspace. An operation can execute up to 8 analytics queries, including those of searches. Each costs 10 calls and can take 45 seconds.',
      {
        type: QueryResult,
        nullable: true as const,
        extensions: {
          ...NULL_ONLY_WITH_ERROR,
          countListItems: ({ query }: { readonly query: QueryShape }) => ({ rows: countRows(query) }),
        },
        args: { [QUERY]: t.arg({ type: QueryInput, required: true, description: 'Query to run.' }) },
        resolve: (_root: unknown, { query }: { readonly query: QueryShape }, context: Context) => executeQuery(query, context),
      },
    ),
  ),

  analyticsSql: t.field(
    createOperationOptions(
      ExecuteSQL,
      'Runs an analytics query written in a subset of SQL: see `AnalyticsCatalog.sqlSupport`. Conditional measures, ratios and relative times are only supported by `analyticsQuery`.',
      {
        type: QueryResult,
        nullable: true as const,
        extensions: NULL_ONLY_WITH_ERROR,
        args: {
          sql: t.arg.string({
            required: true,
            description: 'SQL statement. Up to 32 KiB.',
            extensions: { maxLength: MAX_QUERY_BYTES } satisfies SizeExtensions,
          }),
        },
        resolve: (_root: unknown, { sql }: { readonly sql: string }, context: Context) => executeSql(sql, context),
      },
    ),
  ),
}));
