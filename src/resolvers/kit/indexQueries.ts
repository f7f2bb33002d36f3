import type { Context } from '../../context.ts';
import { UnsupportedError, UpstreamInvalidError, ValidationError } from '../../failures/failures.ts';
import type { ResponseBudget } from '../../responseBudget.ts';
import type { Fingerprint } from '../../schema/paging/cursors.ts';
import type { TruncatableSlice, Window } from '../../schema/paging/window.ts';
import { checkCatalog, checkCorrections, toWireUse } from '../../schema/search/catalogCheck.ts';
import type { IndexCondition } from '../../schema/search/conditions.ts';
import { COUNT_COLUMN, type Counts, toCounts } from '../../schema/search/facets.ts';
import type { IndexUse } from '../../schema/search/filters.ts';
import { type CellRow, toCellRows } from '../../schema/search/indexes.ts';
import {
  createBudgetError,
  type ExecutionBudget,
  type IndexQuery,
  type IndexRows,
  type KeysetCursor,
  readKeysetPage,
  type Segment,
} from '../../schema/search/keyset.ts';
import { printSql } from '../../schema/search/sql.ts';
import { fromWireResult, getWireColumn, toWireCondition, toWireQuery } from '../../schema/search/wireQueries.ts';
import type { Index } from '../../upstream/contract/fields.ts';
import { ExecuteQuery, ExecuteSQL, ListCatalog } from '../../upstream/contract/generated/operations.ts';
import type { AnalyticsQueryJson } from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { AnalyticsResult, ListCatalogResponse } from '../../upstream/contract/generated/records.ts';

/**
 * Maximum number of executions of all searches of an operation. Chosen: three times the number of analytics fields that an operation can have, because a page
 * needs more than one execution only where many rows have the same sort values, or where a segment ends.
 */
const MAX_EXECUTIONS = 24;

/** Maximum age of a catalog that lacks something, in milliseconds. Chosen: searches can use a new column within seconds. */
const RECHECK_MAX_AGE_MS = 10_000;

/** The executions that the operation has left. Starts again if the operation is executed again, because the first execution has sent its calls. */
class OperationBudget implements ExecutionBudget {
  readonly limit = MAX_EXECUTIONS;
  readonly #budget: ResponseBudget;

  constructor({ responseBudget }: Context) {
    this.#budget = responseBudget;
  }

  get left(): number {
    return MAX_EXECUTIONS - this.#budget.executions;
  }

  take(): void {
    this.#budget.executions += 1;
  }
}

/**
 * Checks a search against the corrections of the contract and the key's catalog, and returns the catalog. Null if the key can't read it; then only the upstream
 * validates the search. A catalog that lacks something is fetched again if it's outdated.
 */
export async function checkUses(
  index: Index,
  uses: readonly IndexUse[],
  { upstream }: Pick<Context, 'upstream'>,
): Promise<ListCatalogResponse | null> {
  const { indexes } = upstream.contract;
  checkCorrections(index, uses, indexes);
  const wireUses = uses.map((use) => toWireUse(use, indexes));
  const fetchCatalog = (maxAgeMs?: number) => upstream.call(ListCatalog, {}, { maxAgeMs }).catch(() => null);
  const known = await fetchCatalog();
  if (!known) return null;
  try {
    checkCatalog(wireUses, known);
    return known;
  } catch {
    const renewed = await fetchCatalog(RECHECK_MAX_AGE_MS);
    if (renewed) checkCatalog(wireUses, renewed);
    return renewed;
  }
}

/** Returns the result in the contract's names. */
async function requireResult(
  response: Promise<{ readonly result: AnalyticsResult | undefined }>,
  index: Index,
  { upstream }: Pick<Context, 'upstream'>,
): Promise<AnalyticsResult> {
  try {
    const { result } = await response;
    if (!result) throw new UpstreamInvalidError('it has no result');
    return fromWireResult(result, index, upstream.contract.indexes);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    // The arguments are valid, so the upstream's rules or its catalog differ from the contract.
    upstream.discard(ListCatalog, {});
    throw new UnsupportedError(`The Workspace API rejected the analytics query of this search: ${error.message}`);
  }
}

/** Executes a query in the upstream's names, and returns its result in the contract's names. */
export function executeQuery(
  query: Partial<AnalyticsQueryJson>,
  index: Index,
  context: Pick<Context, 'upstream'>,
): Promise<AnalyticsResult> {
  const base = { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE', timezone: '' } as const;
  return requireResult(context.upstream.call(ExecuteQuery, { query: { ...base, ...query } }), index, context);
}

/** Executes the query of a page: in SQL, if only that can sort in its order. */
function executePage(index: Index, columns: readonly string[], query: IndexQuery, context: Context): Promise<AnalyticsResult> {
  const { indexes, sortDirection } = context.upstream.contract;
  const needsSql = sortDirection === 'SQL' && query.sort.some(({ direction }) => direction === 'DESC');
  if (!needsSql) return executeQuery(toWireQuery(index, columns, query, indexes), index, context);
  return requireResult(context.upstream.call(ExecuteSQL, { sql: printSql(index, columns, query, indexes) }), index, context);
}

/** Takes an execution from the operation's budget. */
function takeExecution(context: Context): void {
  const budget = new OperationBudget(context);
  if (budget.left <= 0) throw createBudgetError(budget.limit);
  budget.take();
}

/**
 * Reads the number of rows by the values of all columns, in one query. If there are too many combinations of values, reads only the total, in another one.
 * `columns` are the facets' columns that the upstream has.
 */
export async function readCounts(
  index: Index,
  columns: readonly string[],
  condition: IndexCondition | undefined,
  context: Context,
): Promise<Counts> {
  const { indexes } = context.upstream.contract;
  takeExecution(context);
  const measures = [{ id: COUNT_COLUMN, aggregation: 'ANALYTICS_AGGREGATION_COUNT' as const }];
  const dimensions = columns.map((column) => {
    const field = getWireColumn(index, column, indexes);
    return { id: field, field };
  });
  const query = {
    entity: indexes.require(index.root).root,
    ...(condition && { filter: toWireCondition(condition, index, indexes) }),
    aggregate: { measures, dimensions },
  };
  const result = await executeQuery(query, index, context);
  if (result.truncated && columns.length > 0) {
    const requireColumn = () => {
      throw new UnsupportedError(
        'The matching records have more combinations of values than an analytics query returns. Use a narrower filter.',
      );
    };
    return { ...(await readCounts(index, [], condition, context)), requireColumn };
  }
  return toCounts(result, columns, (column) => {
    if (!columns.includes(column))
      throw new UnsupportedError(`The analytics catalog of the workspace doesn’t contain ${index.root}.${column}.`);
  });
}

/** The rows of a list, and the queries that read them. */
interface RowList {
  readonly index: Index;
  readonly columns: readonly string[];
  readonly condition: IndexCondition | undefined;
  readonly segments: readonly Segment[];
  readonly fingerprint: Fingerprint;
}

/** Reads the rows that match, up to the limit of the query, with one call. */
export async function readMatching(
  index: Index,
  columns: readonly string[],
  query: IndexQuery,
  context: Context,
): Promise<IndexRows<CellRow>> {
  const result = await executePage(index, columns, query, context);
  return { rows: toCellRows(result), isTruncated: result.truncated };
}

/** Reads a page of rows. */
export const readRows = (
  { index, columns, ...list }: RowList,
  window: Window<KeysetCursor>,
  context: Context,
): Promise<TruncatableSlice<CellRow, string>> =>
  readKeysetPage<CellRow>(window, {
    ...list,
    execute: (query) => readMatching(index, columns, query, context),
    budget: new OperationBudget(context),
  });
