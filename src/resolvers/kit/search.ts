import { type GraphQLObjectType, type GraphQLResolveInfo, getNamedType } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput, QueryTooExpensiveError, UnsupportedError, UpstreamInvalidError, ValidationError } from '../../failures/failures.ts';
import { builder } from '../../schema/kit/builder.ts';
import { type Fingerprint, LazyFingerprint } from '../../schema/kit/cursors.ts';
import { ASSUMED, createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import type { DocumentScope } from '../../schema/kit/lookahead.ts';
import type { TruncatableSlice, WindowArgs } from '../../schema/kit/window.ts';
import { checkCatalog } from '../../schema/search/catalogCheck.ts';
import { all, any, type Condition, compare } from '../../schema/search/conditions.ts';
import { COUNT_COLUMN, type Counts, toCounts } from '../../schema/search/facets.ts';
import type { IndexUse } from '../../schema/search/filters.ts';
import { type CellRow, toCellRows } from '../../schema/search/indexes.ts';
import { type ExecutionBudget, type IndexQuery, readKeysetPage, type Segment } from '../../schema/search/keyset.ts';
import { type Search, type SearchedText, SearchPage, type SearchSort } from '../../schema/search/searches.ts';
import { analyzeSelection } from '../../schema/search/selections.ts';
import { ExecuteQuery, ListCatalog } from '../../upstream/contract/generated/operations.ts';
import type { AnalyticsQueryJson } from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { AnalyticsResult } from '../../upstream/contract/generated/records.ts';
import { connectionArgs } from './lists.ts';

/**
 * Maximum number of executions of all searches of an operation. Chosen: three times the number of analytics fields that an operation can have, because a page
 * needs more than one execution only where many rows have the same sort values, or where a segment ends.
 */
const MAX_EXECUTIONS = 24;

/** Maximum length of `query`. Chosen: see the limits of filters. */
const MAX_QUERY_LENGTH = 200;

interface SearchArgs extends WindowArgs {
  readonly query?: string | null | undefined;
  readonly filter?: object | null | undefined;
  readonly orderBy?: SearchSort | null | undefined;
}

const NEWEST_FIRST: SearchSort = { field: 'CREATED_AT', direction: 'DESC' };

const budgets = new WeakMap<object, ExecutionBudget>();

/** Returns the executions that the operation has left. */
function getBudget({ upstream }: Context): ExecutionBudget {
  const known = budgets.get(upstream);
  if (known) return known;
  const budget = { left: MAX_EXECUTIONS };
  budgets.set(upstream, budget);
  return budget;
}

/** Converts `query` to a condition on the searched texts. */
function toTextCondition(
  { index, query: { texts } }: Pick<Search<object>, 'index' | 'query'>,
  query: string,
): { readonly condition: Condition; readonly uses: readonly IndexUse[] } {
  const path = ['query'];
  if (query.trim() === '') throw invalidInput(path, 'BLANK', 'must not be blank. Omit it to match everything.');
  if (query.length > MAX_QUERY_LENGTH)
    throw invalidInput(path, 'TOO_LONG', `must have at most ${MAX_QUERY_LENGTH} characters, but has ${query.length}.`, MAX_QUERY_LENGTH);
  const uses: IndexUse[] = [];
  const contains = (root: string, column: string) => {
    uses.push({ root, column, operator: 'ANALYTICS_OPERATOR_CONTAINS', path });
    return compare(column, 'CONTAINS', { text: query });
  };
  const toCondition = (text: SearchedText): Condition => {
    if (typeof text === 'string') return contains(index.root, index.columns[text] ?? '');
    const { relationship, column } = text;
    uses.push({ root: index.root, relationship, path });
    return { related: { relationship, filter: contains(index.relationships[relationship] ?? '', column) } };
  };
  return { condition: any(texts.map(toCondition)), uses };
}

/** Checks a search against the key's catalog. Without one, only the upstream validates it. A catalog that lacks something is fetched again if it's outdated. */
async function checkUses(uses: readonly IndexUse[], { upstream }: Context): Promise<void> {
  const fetchCatalog = (maxAgeMs?: number) => upstream.call(ListCatalog, {}, maxAgeMs).catch(() => null);
  const known = await fetchCatalog();
  if (!known) return;
  try {
    checkCatalog(uses, known);
  } catch {
    const renewed = await fetchCatalog(RECHECK_MAX_AGE_MS);
    if (renewed) checkCatalog(uses, renewed);
  }
}

/** Maximum age of a catalog that lacks something, in milliseconds. Chosen: searches can use a new column within seconds. */
const RECHECK_MAX_AGE_MS = 10_000;

async function execute(query: Partial<AnalyticsQueryJson>, { upstream }: Context): Promise<AnalyticsResult> {
  const base = { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE', timezone: '' } as const;
  try {
    const { result } = await upstream.call(ExecuteQuery, { query: { ...base, ...query } });
    if (!result) throw new UpstreamInvalidError('it has no result');
    return result;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    // The arguments are valid, so the upstream's rules or its catalog differ from the contract.
    upstream.discard(ListCatalog, {});
    throw new UnsupportedError(`The Workspace API rejected the analytics query of this search: ${error.message}`);
  }
}

const toWireQuery = (root: string, columns: readonly string[], { condition, sort, limit }: IndexQuery): Partial<AnalyticsQueryJson> => ({
  entity: root,
  ...(condition && { filter: condition }),
  records: { fields: [...columns] },
  sort: sort.map(({ column, direction }) => ({ column, direction: `ANALYTICS_SORT_DIRECTION_${direction}` as const })),
  limit,
});

/** Reads the number of rows by the values of all facets, in one query. */
async function readCounts(
  root: string,
  facetColumns: readonly string[],
  condition: Condition | undefined,
  context: Context,
): Promise<Counts> {
  const budget = getBudget(context);
  if (budget.left === 0) {
    const message =
      'The searches of this operation need more analytics queries than an operation can execute. Split it into several operations.';
    throw new QueryTooExpensiveError(message, MAX_EXECUTIONS, 'ANALYTICS_QUERIES');
  }
  budget.left -= 1;
  const measures = [{ id: COUNT_COLUMN, aggregation: 'ANALYTICS_AGGREGATION_COUNT' as const }];
  const dimensions = facetColumns.map((column) => ({ id: column, field: column }));
  const result = await execute({ entity: root, ...(condition && { filter: condition }), aggregate: { measures, dimensions } }, context);
  return toCounts(result, facetColumns);
}

/** The rows of a list, and the queries that read them. */
interface RowList {
  readonly root: string;
  readonly columns: readonly string[];
  readonly condition: Condition | undefined;
  readonly segments: readonly Segment[];
  readonly fingerprint: Fingerprint;
}

const readRows = ({ root, columns, ...list }: RowList, args: WindowArgs, context: Context) =>
  readKeysetPage<CellRow>(args, {
    ...list,
    execute: async (query) => {
      const result = await execute(toWireQuery(root, columns, query), context);
      return { rows: toCellRows(result), isTruncated: result.truncated };
    },
    budget: getBudget(context),
  });

/** Replaces rows by records. Leaves out records that no longer exist. Their page is shorter, but its cursors remain valid. */
async function toRecords<RecordShape extends object>(
  { rows, offsets, ...slice }: TruncatableSlice<CellRow, string>,
  getRecord: (row: CellRow) => Promise<RecordShape | null> | RecordShape | null,
): Promise<TruncatableSlice<RecordShape, string>> {
  const records = await Promise.all(rows.map(getRecord));
  const present = records.flatMap((record, index) => (record ? [{ record, offset: offsets[index] as string }] : []));
  return { ...slice, rows: present.map(({ record }) => record), offsets: present.map(({ offset }) => offset) };
}

const NO_PAGE = { rows: [], offsets: [], hasNextPage: false, hasPreviousPage: false, isTruncated: false };

async function resolveSearch<RecordShape extends object>(
  definition: Search<RecordShape>,
  args: SearchArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<SearchPage<RecordShape>> {
  const { target, index, filter, facetColumns } = definition;
  const orderBy = args.orderBy ?? NEWEST_FIRST;
  const filtered = filter.toCondition(args.filter ?? {});
  const searched = typeof args.query === 'string' ? toTextCondition(definition, args.query) : undefined;
  const { segments, uses } = definition.createSegments(orderBy);
  const condition = all(filtered.condition, searched?.condition);
  const { hasPage, isCovered } = analyzeSelection(info.fieldNodes, getNamedType(info.returnType) as GraphQLObjectType, index, info);
  await checkUses([...filtered.uses, ...(searched?.uses ?? []), ...(hasPage ? uses : [])], context);
  const fingerprint = new LazyFingerprint(`${ExecuteQuery.name} ${index.root}`, { condition: condition ?? {}, orderBy });
  const count = () => readCounts(index.root, facetColumns, condition, context);
  if (!hasPage) return new SearchPage(NO_PAGE, fingerprint, count);
  const sortColumns = segments.flatMap(({ keys }) => keys.map(({ column }) => column));
  const columns = isCovered ? Object.values(index.columns) : [...new Set(['id', ...sortColumns])];
  const slice = await readRows({ root: index.root, columns, condition, segments, fingerprint }, args, context);
  const page = await toRecords(slice, (row) => (isCovered ? definition.toRecord(row) : null) ?? target.load(row.id, context));
  return new SearchPage(page, fingerprint, count);
}

/** A root connection field that searches all records of the workspace through the analytics index. */
export function search<RecordShape extends object>(search: Search<RecordShape>, description: string) {
  const { target, index, filter, query, sortInput, connection } = search;
  const scopes = [...new Set([...ExecuteQuery.scopes, ...target.operation.scopes])];
  return {
    ...createOperationOptions(ExecuteQuery, `${description} Newest first by default.`, {
      // The columns of the index.
      tag: [ASSUMED],
      type: connection,
      nullable: true as const,
      args: {
        ...builder.args((t) => ({
          query: t.string({ description: query.description }),
          filter: t.field({ type: filter.ref as never, description: 'Returns only items that match the filter.' }),
          orderBy: t.field({
            type: sortInput as never,
            defaultValue: NEWEST_FIRST as never,
            description: 'Sort order. Defaults to newest first.',
          }),
        })),
        ...connectionArgs,
      },
      extensions: {
        // Index rows are records, so a key always needs the scopes of both, whatever is selected.
        alsoCalls: [target.operation],
        analyzeSearch: (nodes: Parameters<typeof analyzeSelection>[0], type: GraphQLObjectType, scope: DocumentScope) =>
          analyzeSelection(nodes, type, index, scope),
      },
      resolve: (_root: object, args: SearchArgs, context: Context, info: GraphQLResolveInfo) => resolveSearch(search, args, context, info),
    }),
    authScopes: { operation: { ...ExecuteQuery, scopes } },
  };
}
