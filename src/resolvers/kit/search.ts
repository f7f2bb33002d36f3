import { type FieldNode, type GraphQLObjectType, type GraphQLResolveInfo, getNamedType, type SelectionSetNode } from 'graphql';
import type { Context } from '../../context.ts';
import { ForbiddenError, UnsupportedError } from '../../failures/failures.ts';
import { builder } from '../../schema/kit/builder.ts';
import type { GetRowColumns, SearchSelection } from '../../schema/kit/costExtensions.ts';
import { ASSUMED, createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { checkLength } from '../../schema/kit/limits.ts';
import { collectFields, type DocumentScope, KEY_FIELDS, type KeyServedExtensions } from '../../schema/kit/lookahead.ts';
import { getMember } from '../../schema/kit/operations.ts';
import { getEntityByName } from '../../schema/kit/registry.ts';
import type { SizeExtensions } from '../../schema/kit/valueSizes.ts';
import { LazyFingerprint } from '../../schema/paging/cursors.ts';
import type { TruncatableSlice, WindowArgs } from '../../schema/paging/window.ts';
import { isKnownColumn } from '../../schema/search/catalogCheck.ts';
import { all, any, compare, type IndexCondition } from '../../schema/search/conditions.ts';
import { MAX_CONDITIONS, MAX_CONDITIONS_WITH_QUERY, requireText } from '../../schema/search/filters.ts';
import type { CellRow } from '../../schema/search/indexes.ts';
import { parseKeysetWindow } from '../../schema/search/keyset.ts';
import { listCustomerUses, type Search, type SearchedText, SearchPage, type SearchSort } from '../../schema/search/searches.ts';
import type { IndexColumns } from '../../upstream/contract/fields.ts';
import { ExecuteQuery, SearchCustomers } from '../../upstream/contract/generated/operations.ts';
import { getRows } from '../../upstream/contract/rows.ts';
import { checkUses, readCounts, readRows } from './indexQueries.ts';
import { connectionArgs } from './lists.ts';

/** Member with the currency of a record's amounts. */
const CURRENCY = 'currency';

const COUNTS: ReadonlySet<string> = new Set(['totalCount', 'facets']);

const getFieldType = (type: GraphQLObjectType, name: string) => getNamedType(type.getFields()[name]?.type) as GraphQLObjectType;

/** Determines what the selection of a search's connection needs. */
function analyzeSelection(
  nodes: readonly FieldNode[],
  connection: GraphQLObjectType,
  columns: IndexColumns,
  scope: DocumentScope,
): SearchSelection {
  const collect = (sets: readonly (SelectionSetNode | undefined)[], type: GraphQLObjectType) =>
    sets.flatMap((set) => (set ? [...collectFields(set, type, scope)] : []));
  const setsOf = (fields: readonly FieldNode[], name: string) =>
    fields.filter((field) => field.name.value === name).map(({ selectionSet }) => selectionSet);
  const fields = collect(
    nodes.map(({ selectionSet }) => selectionSet),
    connection,
  );
  const record = getFieldType(connection, 'nodes');
  const edges = collect(setsOf(fields, 'edges'), getFieldType(connection, 'edges'));
  const selected = collect([...setsOf(fields, 'nodes'), ...setsOf(edges, 'node')], record);
  const names = new Set(selected.map(({ name }) => name.value));
  const values = [...names].filter((name) => {
    const { isServedByKey } = (record.getFields()[name]?.extensions ?? {}) as KeyServedExtensions;
    return !KEY_FIELDS.has(name) && !isServedByKey;
  });
  const isInIndex = (name: string) => {
    const field = record.getFields()[name];
    return field !== undefined && Object.hasOwn(columns, getMember(field) ?? '');
  };
  return {
    hasPage: fields.some(({ name: { value: name } }) => !COUNTS.has(name) && name !== '__typename'),
    hasCounts: fields.some(({ name }) => COUNTS.has(name.value)),
    values,
    uncovered: values.filter((name) => !isInIndex(name)),
  };
}

/** Maximum length of `query`. Chosen: see the limits of filters. */
const MAX_QUERY_LENGTH = 200;

/** Maximum number of customers that `query` finds. Chosen: a page of the upstream's search, so that it takes one call. */
const MAX_CUSTOMERS = 100;

interface SearchArgs extends WindowArgs {
  readonly query?: string | null | undefined;
  readonly filter?: object | null | undefined;
  readonly orderBy?: SearchSort | null | undefined;
  readonly indexOnly: boolean;
}

const REQUIREMENTS = 'Requires the scope `analytics:read` and an account with full access. Without them';

const NEWEST_FIRST: SearchSort = { field: 'CREATED_AT', direction: 'DESC' };

/** Converts `query` to conditions on the searched texts. At least one of them must match. The uses include those of `matchCustomers`. */
function toTextConditions({ index, query: searched }: Pick<Search<object>, 'index' | 'query'>, query: string) {
  const path = ['query'];
  requireText(query, path);
  checkLength(query, MAX_QUERY_LENGTH, path);
  const uses = [...listCustomerUses(index.root, searched)];
  const contains = (root: string, column: string) => {
    uses.push({ root, column, operator: 'ANALYTICS_OPERATOR_CONTAINS', path });
    return compare(column, 'CONTAINS', { text: query });
  };
  const toCondition = (text: SearchedText): IndexCondition => {
    if (typeof text === 'string') return contains(index.root, index.columns[text] ?? '');
    const { relationship, columns } = text;
    uses.push({ root: index.root, relationship, path });
    return { related: { relationship, filter: any(columns.map((column) => contains(index.relationships[relationship] ?? '', column))) } };
  };
  return { query, conditions: searched.texts.map(toCondition), uses };
}

/** Customers that `query` finds, and whether there may be more. */
interface FoundCustomers {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

const NO_CUSTOMERS: FoundCustomers = { ids: [], hasMore: false };

/** Finds customers by the upstream's own search, which knows texts that the index lacks. */
async function findCustomers(query: string, context: Context): Promise<FoundCustomers> {
  const operation = context.upstream.operation(SearchCustomers);
  const paging = { page: 1, pageSize: Math.min(operation.page?.maxSize ?? MAX_CUSTOMERS, MAX_CUSTOMERS) };
  try {
    const response = await context.upstream.call(SearchCustomers, { query, ...paging });
    const { rows, hasMore } = getRows(operation, response, paging);
    const customer = getEntityByName('Customer');
    for (const row of rows) customer?.prime(row, context);
    return { ids: rows.map(({ id }) => id), hasMore };
  } catch (error) {
    // The key isn't allowed to use it.
    if (error instanceof ForbiddenError) return { ids: [], hasMore: true };
    throw error;
  }
}

/** Conditions on the rows that refer to any of these customers. */
const matchCustomers = ({ customers }: Search<object>['query'], ids: readonly string[]): readonly IndexCondition[] =>
  ids.length > 0 ? customers.map((column) => compare(column, 'IN', ...ids.map((text) => ({ text })))) : [];

/** Rejects a page that must be read in descending order, if the upstream can't sort in that order. */
function checkDirection({ direction }: SearchSort, { last }: WindowArgs, { upstream }: Context): void {
  const isBackward = typeof last === 'number';
  if (upstream.contract.sortDirection !== 'ASCENDING' || (direction === 'ASC') !== isBackward) return;
  throw new UnsupportedError(
    isBackward
      ? 'The Workspace API sorts only in ascending order, so `last` isn’t available in that order. Use `first`.'
      : 'The Workspace API sorts only in ascending order, but `orderBy.direction` is `DESC`. Set it to `ASC`.',
  );
}

/** The column that is queried if only keys and edges are selected. */
const KEY_COLUMNS: IndexColumns = { id: 'id' };

/** Columns for the selected fields of records with `indexOnly`. Throws UnsupportedError for fields without a column. */
function selectColumns(
  { values, uncovered }: SearchSelection,
  { target, index }: Pick<Search<object>, 'target' | 'index'>,
  record: GraphQLObjectType,
  columns: IndexColumns,
): IndexColumns {
  if (uncovered.length > 0)
    throw new UnsupportedError(
      `The analytics index ${index.root} of the workspace lacks ${uncovered.join(', ')}. Leave them out, or omit \`indexOnly\`.`,
      uncovered,
    );
  const fields = record.getFields();
  const selected = values.flatMap((name) => (fields[name] && getMember(fields[name])) ?? []);
  const needed = new Set<PropertyKey>([...selected, ...target.key, CURRENCY]);
  return Object.fromEntries(Object.entries(columns).filter(([member]) => needed.has(member)));
}

/** Columns whose values replace records. Null if the records must be read. */
function chooseColumns({ values, uncovered }: SearchSelection, columns: IndexColumns): IndexColumns | null {
  if (values.length === 0) return KEY_COLUMNS;
  return uncovered.length === 0 ? columns : null;
}

const NO_PAGE = { rows: [], offsets: [], hasNextPage: false, hasPreviousPage: false, isTruncated: false };

/** Replaces the rows of a page by records: by rows if there are columns. Leaves out records that no longer exist. Their page is shorter, but its cursors remain valid. */
async function toRecords<RecordShape extends object>(
  { rows, offsets, ...slice }: TruncatableSlice<CellRow, string>,
  { target, toRecord }: Search<RecordShape>,
  columns: IndexColumns | null,
  indexOnly: boolean,
  context: Context,
): Promise<TruncatableSlice<RecordShape, string>> {
  const records = await Promise.all(rows.map((row) => (columns && toRecord(row, columns, indexOnly)) ?? target.load(row.id, context)));
  const [first, last] = [offsets[0], offsets.at(-1)];
  const ends = first === undefined || last === undefined ? undefined : ([first, last] as const);
  const present = records.flatMap((record, position) => (record ? [{ record, offset: offsets[position] as string }] : []));
  return { ...slice, rows: present.map(({ record }) => record), offsets: present.map(({ offset }) => offset), ends };
}

async function resolveSearch<RecordShape extends object>(
  definition: Search<RecordShape>,
  args: SearchArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<SearchPage<RecordShape>> {
  const { index, filter, facetColumns } = definition;
  const orderBy = args.orderBy ?? NEWEST_FIRST;
  const searched = typeof args.query === 'string' ? toTextConditions(definition, args.query) : undefined;
  const filtered = filter.toCondition(args.filter ?? {}, searched ? MAX_CONDITIONS_WITH_QUERY : MAX_CONDITIONS);
  const { segments, uses } = definition.createSegments(orderBy);
  // Without the customers, so that cursors remain valid when others match.
  const bound = { condition: all(filtered.condition, searched && any(searched.conditions)) ?? {}, orderBy };
  const fingerprint = new LazyFingerprint(`${ExecuteQuery.name} ${index.root}`, bound);
  const window = parseKeysetWindow(args, { segments, fingerprint });
  const connection = getNamedType(info.returnType) as GraphQLObjectType;
  const analyze = (columns: IndexColumns) => analyzeSelection(info.fieldNodes, connection, columns, info);
  const { hasPage, hasCounts } = analyze(index.columns);
  const isEmpty = !hasPage && !hasCounts;
  if (hasPage) checkDirection(orderBy, args, context);
  const used = [...filtered.uses, ...(searched?.uses ?? []), ...(hasPage ? uses : [])];
  const catalog = isEmpty ? null : await checkUses(index, used, context);
  const { ids, hasMore } = searched && !isEmpty ? await findCustomers(searched.query, context) : NO_CUSTOMERS;
  const alternatives = searched && any([...searched.conditions, ...matchCustomers(definition.query, ids)]);
  const condition = all(filtered.condition, alternatives);
  const hasColumn = (column: string) => isKnownColumn(index, column, catalog, context.upstream.contract.indexes);
  const count = () => readCounts(index, facetColumns.filter(hasColumn), condition, context);
  if (!hasPage) return new SearchPage(NO_PAGE, fingerprint, count);
  const sortColumns = segments.flatMap(({ keys }) => keys.map(({ column }) => column));
  const available = args.indexOnly ? context.upstream.contract.indexes.listColumns(index) : context.upstream.listRowColumns(index);
  const known = Object.fromEntries(Object.entries(available).filter(([, column]) => hasColumn(column)));
  const selection = analyze(known);
  const record = getFieldType(connection, 'nodes');
  const rowColumns = args.indexOnly
    ? selectColumns(selection, definition as unknown as Search<object>, record, known)
    : chooseColumns(selection, known);
  const columns = [...new Set(['id', ...sortColumns, ...Object.values(rowColumns ?? {})])];
  const slice = await readRows({ index, columns, condition, segments, fingerprint }, window, context);
  const records = await toRecords(slice, definition, rowColumns, args.indexOnly, context);
  return new SearchPage({ ...records, isTruncated: records.isTruncated || hasMore }, fingerprint, count);
}

/** Root connection field that searches all records of the workspace through the analytics index. `lists` are those for keys that can't use it, as Markdown. */
export function search<RecordShape extends object>(search: Search<RecordShape>, description: string, lists: string) {
  const { target, index, filter, query, sortInput, connection } = search;
  const scopes = [...new Set([...ExecuteQuery.scopes, ...target.operation.scopes])];
  return {
    ...createOperationOptions(ExecuteQuery, `${description} ${REQUIREMENTS}, use ${lists}. Newest first by default.`, {
      // The columns of the index.
      tag: [ASSUMED],
      type: connection,
      nullable: true as const,
      args: {
        ...builder.args((t) => ({
          query: t.string({ description: query.description, extensions: { maxLength: MAX_QUERY_LENGTH } satisfies SizeExtensions }),
          filter: t.field({ type: filter.ref, description: 'Returns only items that match the filter.' }),
          orderBy: t.field({
            type: sortInput,
            defaultValue: NEWEST_FIRST,
            description: 'Sort order. Defaults to newest first.',
          }),
        })),
        ...connectionArgs,
        ...builder.args((t) => ({
          last: t.int({ description: 'Returns the last _n_ items. 0–100. Can’t be combined with `first` or `after`.' }),
          indexOnly: t.boolean({
            required: true,
            defaultValue: false,
            description:
              'Reads no record, so that a page takes one call. A field that the index lacks is an error. Values that it doesn’t have at the time, such as totals that aren’t settled, are null with an error.',
          }),
        })),
      },
      extensions: {
        // Index rows are records, so a key always needs the scopes of both, whatever is selected.
        alsoCalls: [target.operation],
        analyzeSearch: (nodes: readonly FieldNode[], type: GraphQLObjectType, getRowColumns: GetRowColumns, scope: DocumentScope) =>
          analyzeSelection(nodes, type, getRowColumns(index), scope),
      },
      resolve: (_root: object, args: SearchArgs, context: Context, info: GraphQLResolveInfo) => resolveSearch(search, args, context, info),
    }),
    authScopes: { operation: { ...ExecuteQuery, scopes } },
  };
}
