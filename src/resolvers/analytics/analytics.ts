import type { Context } from '../../context.ts';
import { invalidInput, UpstreamInvalidError, ValidationError, type ValidationIssue } from '../../failures.ts';
import { Catalog } from '../../schema/analytics/catalog.ts';
import { issuesOf } from '../../schema/analytics/check.ts';
import { type GivenQuery, QueryInput } from '../../schema/analytics/inputs.ts';
import { NORMALIZED_SQL, QueryResult, RefusedQuery, type Result } from '../../schema/analytics/results.ts';
import { WireQuery } from '../../schema/analytics/wire.ts';
import { builder } from '../../schema/kit/builder.ts';
import { jsonBytes } from '../../schema/kit/jsonValues.ts';
import { calling } from '../../schema/kit/marks.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { ExecuteQuery, ExecuteSQL, ListCatalog } from '../../upstream/contract/generated/operations.ts';
import type { AnalyticsResult, ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { located } from '../kit/namedField.ts';

/** The argument of `analyticsQuery`: paths begin with it. */
const QUERY = 'query';

/** The longest query in bytes, as it is sent. Source: the upstream's limits. */
const MAX_QUERY_BYTES = 32 * 1024;

/** How old a catalog may be that refuses a query, in milliseconds. Ours: a field that is new is seen by the next query but a few. */
const RECHECK_MS = 10_000;

/** The catalog of the key; null where it cannot be read: then the upstream decides. */
const catalogFor = ({ upstream }: Context, maxAgeMs?: number): Promise<ListCatalogResponse | null> =>
  upstream.call(ListCatalog, {}, maxAgeMs).catch(() => null);

/** What a query breaks of the rules that are known. A catalog that would refuse it is read anew, unless it is some seconds old only. */
async function knownIssues(query: GivenQuery, context: Context): Promise<readonly ValidationIssue[]> {
  const documented = issuesOf(query, null, [QUERY]);
  if (documented.length > 0) return documented;
  const issues = issuesOf(query, await catalogFor(context), [QUERY]);
  return issues.length > 0 ? issuesOf(query, await catalogFor(context, RECHECK_MS), [QUERY]) : issues;
}

function tooLong({ query }: WireQuery): readonly ValidationIssue[] {
  const bytes = jsonBytes(query);
  if (bytes <= MAX_QUERY_BYTES) return [];
  return invalidInput([QUERY], 'TOO_LONG', `must be at most ${MAX_QUERY_BYTES} bytes as JSON, but is ${bytes} bytes.`, MAX_QUERY_BYTES)
    .issues;
}

const refusedFor = (issues: readonly ValidationIssue[]) => new RefusedQuery(new ValidationError(issues).message, issues);

/** The refusal of a query by the upstream, by the names of the input. Any other failure is thrown. */
function refusedQuery(error: unknown, wire: WireQuery, query: GivenQuery): RefusedQuery {
  if (!(error instanceof ValidationError)) throw error;
  const issues = error.issues.map((issue) => {
    if (issue.path.length > 0) return { ...issue, path: wire.toInputPath(issue.path) };
    const told = located(issue, { [QUERY]: query }, (path) => wire.toInputPath(path));
    return told.path.length > 0 ? told : { ...told, path: [QUERY] };
  });
  return refusedFor(issues);
}

/** The result in an answer. Without one, nothing is known: no empty result stands for a query that has failed. */
function resultIn(result: AnalyticsResult | undefined): AnalyticsResult {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) throw new UpstreamInvalidError('it has no result');
  return result;
}

/** The query in the contract's form, or the refusal of one that has no such form. */
function wireOf(query: GivenQuery): WireQuery | RefusedQuery {
  try {
    return new WireQuery(query, [QUERY]);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return refusedFor(error.issues);
  }
}

async function executeQuery(query: GivenQuery, context: Context): Promise<Result | RefusedQuery> {
  const wire = wireOf(query);
  if (wire instanceof RefusedQuery) return wire;
  const problems = tooLong(wire);
  const issues = problems.length > 0 ? problems : await knownIssues(query, context);
  if (issues.length > 0) return refusedFor(issues);
  try {
    const { result } = await context.upstream.call(ExecuteQuery, { query: wire.query });
    return resultIn(result);
  } catch (error) {
    // It has passed by the catalog, which may be out of date.
    if (error instanceof ValidationError) context.upstream.discard(ListCatalog, {});
    return refusedQuery(error, wire, query);
  }
}

/** The place that begins the upstream's words on SQL. */
const PLACE = /^line (\d+), column (\d+):\s*/;

function refusedSql(error: unknown): RefusedQuery {
  if (!(error instanceof ValidationError)) throw error;
  const [issue] = error.issues;
  const place = PLACE.exec(issue?.message ?? '');
  const issues = error.issues.map((each) => ({ ...each, path: ['sql'], message: each.message.replace(PLACE, '') }));
  const message = new ValidationError(error.issues.map((each) => ({ ...each, path: [] }))).message;
  return place ? new RefusedQuery(message, issues, Number(place[1]), Number(place[2])) : new RefusedQuery(message, issues);
}

async function executeSql(sql: string, { upstream }: Context): Promise<Result | RefusedQuery> {
  try {
    const { result, normalizedSql } = await upstream.call(ExecuteSQL, { sql });
    return { ...resultIn(result), [NORMALIZED_SQL]: normalizedSql };
  } catch (error) {
    return refusedSql(error);
  }
}

builder.queryFields((t) => ({
  analyticsCatalog: t.field(
    calling(
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
    calling(
      ExecuteQuery,
      'Runs an analytics query on the current records of the workspace. An operation can select `analyticsQuery` and `analyticsSql` up to 4 times in total. Each costs 10 calls and can take 45 seconds.',
      {
        type: QueryResult,
        nullable: true as const,
        extensions: NULL_ONLY_WITH_ERROR,
        args: { [QUERY]: t.arg({ type: QueryInput, required: true, description: 'Query to run.' }) },
        resolve: (_root: unknown, { query }: { readonly query: GivenQuery }, context: Context) => executeQuery(query, context),
      },
    ),
  ),

  analyticsSql: t.field(
    calling(
      ExecuteSQL,
      'Runs an analytics query written in a subset of SQL: see `AnalyticsCatalog.sqlSupport`. Conditional measures, ratios and relative times are only supported by `analyticsQuery`.',
      {
        type: QueryResult,
        nullable: true as const,
        extensions: NULL_ONLY_WITH_ERROR,
        args: { sql: t.arg.string({ required: true, description: 'SQL statement. Up to 32 KiB.' }) },
        resolve: (_root: unknown, { sql }: { readonly sql: string }, context: Context) => executeSql(sql, context),
      },
    ),
  ),
}));
