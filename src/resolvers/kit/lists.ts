import { isDeepStrictEqual } from 'node:util';
import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { invalidInput } from '../../failures/failures.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { getOwnerType, joinIds } from '../../schema/kit/globalIds.ts';
import { toInputPaths } from '../../schema/kit/inputPaths.ts';
import { getKeyMembers, OWNER, withOwner } from '../../schema/kit/parts.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { RowOrder } from '../../schema/paging/anchors.ts';
import { ConnectionPage, defineConnection } from '../../schema/paging/connections.ts';
import { LazyFingerprint } from '../../schema/paging/cursors.ts';
import { readPages } from '../../schema/paging/pages.ts';
import {
  isAtEnd,
  parseOffsetWindow,
  readPrefix,
  rejectWindowAtEnd,
  sliceCompleteList,
  type WindowArgs,
} from '../../schema/paging/window.ts';
import { withSearch } from '../../schema/search/searches.ts';
import type { Index } from '../../upstream/contract/fields.ts';
import type { Operation } from '../../upstream/contract/operation.ts';
import { getRows, type ListRow } from '../../upstream/contract/rows.ts';
import { checkRequiredFields, findIdField } from './bindInput.ts';
import { type ListFilter, requireParentId } from './filters.ts';
import { countRows } from './listCounts.ts';
import type { Criteria, CriteriaArgs } from './listCriteria.ts';
import { getReferenceLoader } from './referencedRecords.ts';
import { type OffsetPage, readFromAllOwners, readRefined, requirePaging } from './wholeLists.ts';

/** Arguments of a list: text search, filter, sort order, and page. */
export interface ListArgs<Shape> extends WindowArgs {
  readonly query?: string | null | undefined;
  readonly filter?: Shape | null | undefined;
  readonly orderBy?: CriteriaArgs['orderBy'];
}

interface FieldOptions<Node extends object, Shape> {
  readonly description: string;
  /** A sentence about the sort order; defaults to one that says that it’s unknown. */
  readonly order?: string;
  /** Sort value of a row, which increases along the list. Without it, paging fails with `INVALID_CURSOR` if rows have moved in a way that it can’t follow. */
  readonly sortedBy?: (row: Node) => number | undefined;
  /** Type of the rows. An entity's loader is primed with the rows, which are complete records. */
  readonly node: ObjectRef<Types, Node> | Entity<Node>;
  /** Description of `query`: which texts are searched. Without it, the list has no `query` argument. */
  readonly query?: string;
  /** See `declareFilter`. Without it, the list has no `filter` argument. */
  readonly filter?: ListFilter<Shape>;
  /** See `defineCriteria`. */
  readonly criteria?: Criteria<Node>;
  /** Index with all records of the list. It counts those that match the request, if the list isn't read to its end. */
  readonly index?: Index;
}

interface ListOptions<Parent extends object, Request, Response, Shape> extends FieldOptions<ListRow<Response>, Shape> {
  /** Type that has the list. The request field that refers to this type gets the parent's ID. */
  readonly on?: Entity<Parent>;
  /** Completes the request, except for its page, if it needs more than the parent's ID, `query` and `filter`. Cursors are bound to the request. */
  readonly request?: (request: Partial<Request>, parent: Parent, filter: Partial<Shape>) => Partial<Request>;
  /** Primes loaders with each row, if another type's loader loads the rows. Defaults to the entity's loader. */
  readonly prime?: (row: ListRow<Response>, context: Context) => void;
}

/** How the rows of a response are identified, sorted, and assigned to an owner. */
interface RowOptions<Entry> {
  readonly order: RowOrder<Entry>;
  /** Raw ID of the record that the rows are part of. */
  readonly owner: string | undefined;
}

interface PartListOptions<Parent, Request, Response, Part extends object> extends FieldOptions<Part, object> {
  /** Builds the request without its page. Defaults to listing the whole workspace. */
  readonly request?: (parent: Parent) => Partial<Request>;
  /** Whether the list needs only the parent's ID, so that the parent doesn't have to be fetched. */
  readonly isServedByKey: boolean;
  /** Selects the parts of a row that belong to the parent. */
  readonly parts: (row: ListRow<Response>, parent: Parent) => readonly Part[];
  /** Identifies the parent. Cursors are bound to it. */
  readonly parentKey: (parent: Parent) => object;
}

interface ReferencedOptions<Parent, Node extends object> extends FieldOptions<Node, object> {
  readonly node: Entity<Node>;
  /** IDs of the records, as the parent contains them. */
  readonly ids: (parent: Parent) => readonly string[];
}

/** Default description of the sort order, if it isn't documented. */
export const UNKNOWN_ORDER = 'Sort order is unspecified.';

/** Reads one window of a list operation, in as few calls as its paging allows. */
async function readList<Request, Response>(
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  { window, fingerprint }: OffsetPage,
  context: Context,
  { order, owner }: RowOptions<ListRow<Response>>,
): Promise<ConnectionPage<ListRow<Response>>> {
  const page = requirePaging(context.upstream.operation(operation));
  const read = async (paging: { readonly page?: number; readonly pageSize?: number }) => {
    const { rows, ...ends } = getRows(operation, await context.upstream.call(operation, { ...request, ...paging } as Request), paging);
    return { rows: owner === undefined ? rows : withOwner(owner, rows), ...ends };
  };

  if (page.kind === 'WHOLE') {
    const { rows } = await read({});
    return new ConnectionPage(sliceCompleteList(window, rows, order), fingerprint, { totalCount: rows.length });
  }
  if (page.kind === 'PREFIX') {
    const slice = await readPrefix(window, { maxSize: page.maxSize, ...order }, (pageSize) => read({ pageSize }));
    return new ConnectionPage(slice, fingerprint, slice);
  }
  if (isAtEnd(window)) {
    const { rows, hasMore } = await read({ page: 1, pageSize: page.maxSize });
    if (hasMore) rejectWindowAtEnd(window);
    return new ConnectionPage(sliceCompleteList(window, rows, order), fingerprint, { totalCount: rows.length });
  }
  const slice = await readPages(window, { maxSize: page.maxSize, maxPage: page.maxPage, ...order }, (number, pageSize) =>
    read({ page: number, pageSize }),
  );
  return new ConnectionPage(slice, fingerprint, slice);
}

/**
 * Reads one window of the parts of a list that the upstream returns in one call. `totalCount` counts the parts. `isTruncated` refers to the list: if the
 * upstream truncates it, the parts of the other rows are missing.
 */
async function readParts<Request, Response, Part>(
  operation: Operation<Request, Response>,
  request: Partial<Request>,
  selectParts: (row: ListRow<Response>) => readonly Part[],
  owner: object,
  args: WindowArgs,
  context: Context,
  order: RowOrder<Part>,
): Promise<ConnectionPage<Part>> {
  if (requirePaging(operation).kind === 'PAGE') throw new Error(`${operation.name} doesn’t return its whole list at once.`);
  const fingerprint = new LazyFingerprint(operation.name, { ...request, partsOf: owner });
  const window = parseOffsetWindow(args, fingerprint);
  const { rows, isTruncated } = await readLargestPage(context.upstream, operation, request as Request);
  if (isTruncated) rejectWindowAtEnd(window);
  const parts = rows.flatMap(selectParts);
  const totalCount = isTruncated ? undefined : parts.length;
  return new ConnectionPage(sliceCompleteList(window, parts, order), fingerprint, { totalCount, isTruncated });
}

/** Connection arguments, with forward paging first. */
export const connectionArgs = builder.args((t) => {
  const { first, after, last, before } = t.connectionArgs();
  return { first, after, last, before };
});

/** Arguments of a list other than those of the page: `query` for text search, `filter` for everything else, and `orderBy`. `order`: the default order, as a sentence. */
export const buildSearchArgs = <Shape>(
  query: string | undefined,
  filter: ListFilter<Shape> | undefined,
  { orderBy }: Pick<Criteria<object>, 'orderBy'> = {},
  order = '',
) =>
  builder.args((t) => ({
    ...(query && { query: t.string({ description: query }) }),
    ...(filter && { filter: t.field({ type: filter.ref, description: 'Returns only items that match the filter.' }) }),
    ...(orderBy && {
      orderBy: t.field({ type: orderBy, description: `Sort order. Defaults to ${order.charAt(0).toLowerCase()}${order.slice(1)}` }),
    }),
  }));

const getRef = <Node extends object>(node: ObjectRef<Types, Node> | Entity<Node>): ObjectRef<Types, Node> =>
  'ref' in node ? node.ref : node;

/** Sentence about lists that an index counts. */
const COUNTED = ' `totalCount` costs 10 calls unless the list is read to its end.';

/** Options of a connection field. Scopes, paging and annotations are derived from the operation. */
function connectionField<Parent, Node extends object, Shape>(
  operation: Operation<never, unknown>,
  { description, order = UNKNOWN_ORDER, node, query, filter, criteria, index }: FieldOptions<Node, Shape>,
  isServedByKey: boolean,
  read: (parent: Parent, args: ListArgs<Shape>, context: Context) => Promise<ConnectionPage<Node>>,
) {
  const identifyCount = (args: ListArgs<Shape>) =>
    args.query || criteria?.countRows(args) !== undefined ? undefined : JSON.stringify(args.filter ?? {});
  const { kind } = requirePaging(operation);
  if (criteria && kind === 'PREFIX')
    throw new Error(`${operation.name} can’t have criteria, because it only returns the start of its list.`);
  return createOperationOptions(operation, `${withSearch(description, node.name)}${index ? COUNTED : ''} ${order}`, {
    type: defineConnection(getRef(node)),
    nullable: true as const,
    args: { ...(buildSearchArgs(query, filter, criteria, order) as object), ...connectionArgs },
    extensions: { isServedByKey, ...(criteria && kind === 'PAGE' && { countRows: criteria.countRows }), ...(index && { identifyCount }) },
    resolve: read,
  });
}

/** Creates a function that identifies rows by their key. It returns undefined for a row that lacks a part of the key. */
const createIdentify =
  (key: readonly PropertyKey[]) =>
  (row: object): string | undefined => {
    const parts = key.map((member) => (row as Readonly<Record<PropertyKey, unknown>>)[member]);
    return parts.length > 0 && parts.every(Boolean) ? joinIds(parts.map(String)) : undefined;
  };

/** Defines how the rows of a list are identified and sorted. */
function createRowOrder<Node extends object>({ node, sortedBy }: Pick<FieldOptions<Node, object>, 'node' | 'sortedBy'>): RowOrder<Node> {
  const key = getKeyMembers(node.name);
  return { identify: key.length > 0 ? createIdentify(key) : undefined, getRank: sortedBy };
}

/** Binds a list's arguments and parent to the request of its operation. Throws at startup if a required field of the request isn't set. */
function bindRequest<Parent extends object, Request, Response, Shape>(
  operation: Operation<Request, Response>,
  { on, filter, request }: ListOptions<Parent, Request, Response, Shape>,
): (parent: Parent, args: ListArgs<Shape>) => Partial<Request> {
  const wire = on && findIdField(operation, on.name);
  const fields = filter?.fields ?? {};
  if (!request) checkRequiredFields(operation, fields, wire === undefined ? [] : [wire]);
  const filterMember = Object.entries(fields).find(([, bound]) => bound.wireName === wire)?.[0] ?? '';
  return (parent, args) => {
    const conditions = args.filter ?? {};
    const filtered = filter?.toRequest(conditions) ?? {};
    const bound = {
      ...('query' in operation.request.fields && { query: args.query ?? '' }),
      ...filtered,
      ...(on && wire !== undefined && { [wire]: requireParentId(on.getId(parent), on.name, filtered[wire], filterMember) }),
    } as Partial<Request>;
    return request ? request(bound, parent, conditions) : bound;
  };
}

/** A connection field over a list operation. The request is derived from the parent, `query` and `filter`. */
export function list<Parent extends object, Request, Response, Shape = object>(
  operation: Operation<Request, Response>,
  options: ListOptions<Parent, Request, Response, Shape>,
) {
  const { on, node, filter, criteria, index } = options;
  const entity = 'ref' in node ? node : undefined;
  const { prime = entity?.prime } = options;
  const createRequest = bindRequest(operation, options);
  const key = getKeyMembers(node.name);
  const order = createRowOrder(options);
  const ownerField = on && (index || operation.parts) && findIdField(operation, on.name);
  const isOwned = on !== undefined && (key.includes(OWNER) || getOwnerType(node.name) === on.name);
  const readUnrefined = async (request: Omit<Request, 'page' | 'pageSize'>, args: WindowArgs, context: Context, owner?: string) => {
    const fingerprint = new LazyFingerprint(operation.name, request);
    const page = { window: parseOffsetWindow(args, fingerprint), fingerprint };
    const read = operation.parts && (await readFromAllOwners(operation, request, page, context, { order, parent: ownerField }));
    return read ?? readList(operation, request, page, context, { order, owner });
  };
  return connectionField(
    operation,
    options,
    on !== undefined && !options.request,
    async (parent: Parent, args: ListArgs<Shape>, context) => {
      const refinement = criteria?.compile(args);
      const request = createRequest(parent, args) as Omit<Request, 'page' | 'pageSize'>;
      const owner = isOwned ? on.getId(parent) : undefined;
      try {
        const connection = refinement
          ? await readRefined(operation, request, args, context, { order, parent: ownerField }, refinement)
          : await readUnrefined(request, args, context, owner);
        if (prime) for (const row of connection.nodes) prime(row, context);
        if (index) connection.countInIndex = () => countRows(index, request, ownerField, context);
        return connection;
      } catch (error) {
        throw toInputPaths(error, args, (path) => filter?.toArgumentPath(path) ?? path);
      }
    },
  );
}

/**
 * A root connection field over two operations: one lists everything, the other searches for the text of `query`. Both return the same records. `filter` applies
 * to the list only, because search results can't be filtered.
 */
export function searchableList<Request, Response, SearchRequest, SearchResponse, Shape = object>(
  operation: Operation<Request, Response>,
  search: Operation<SearchRequest, SearchResponse>,
  { filter, criteria, ...options }: FieldOptions<ListRow<Response>, Shape> & { readonly query: string },
) {
  const all = list<object, Request, Response, Shape>(operation, { ...options, ...(filter && { filter }), ...(criteria && { criteria }) });
  // The cast is safe: both operations return the same record.
  const found = list<object, SearchRequest, SearchResponse>(search, options as never) as typeof all;
  return {
    ...all,
    extensions: { ...all.extensions, alsoCalls: [search] },
    resolve: (root: object, args: ListArgs<Shape>, context: Context) => {
      if (!args.query) return all.resolve(root, args, context);
      if (Object.values(args.filter ?? {}).some((value) => value !== null && value !== undefined))
        throw invalidInput(['filter'], 'NOT_ALLOWED', 'can’t be combined with `query`, because search results can’t be filtered.');
      return found.resolve(root, args, context);
    },
  };
}

/** A connection field over the parts of a list's rows that belong to one parent. Parents with equal requests share one call. */
export function listOfParts<Parent, Request, Response, Part extends object>(
  operation: Operation<Request, Response>,
  options: PartListOptions<Parent, Request, Response, Part>,
) {
  const order = createRowOrder(options);
  const field = connectionField(operation, options, options.isServedByKey, (parent: Parent, args: ListArgs<object>, context) =>
    readParts(
      operation,
      options.request?.(parent) ?? {},
      (row) => options.parts(row, parent),
      options.parentKey(parent),
      args,
      context,
      order,
    ),
  );
  // Parents whose requests differ don't share a response.
  return { ...field, extensions: { ...field.extensions, ...(!options.request && { sharedCall: operation }) } };
}

/** A connection field over the records that a parent refers to by ID. `operation` lists all records of their type, and is called if that saves calls. */
export function listReferenced<Parent, Request, Response>(
  operation: Operation<Request, Response>,
  options: ReferencedOptions<Parent, ListRow<Response>>,
) {
  const { node, ids: getIds } = options;
  // The list operation's scopes guard the field, whichever operation is called.
  if (!isDeepStrictEqual(operation.scopes, node.operation.scopes))
    throw new Error(`${operation.name} and ${node.operation.name} need different scopes.`);
  const field = connectionField(operation, options, false, async (parent: Parent, args: ListArgs<object>, context) => {
    const ids = [...new Set(getIds(parent))];
    const fingerprint = new LazyFingerprint(`${operation.name} by ID`, { ids });
    const {
      rows: selected,
      offsets,
      getAnchor,
      ...ends
    } = sliceCompleteList(parseOffsetWindow(args, fingerprint), ids, { identify: (id) => id });
    const loader = getReferenceLoader(operation, node, context);
    const loaded = await Promise.all(selected.map((id) => loader.load(id)));
    const found = loaded.flatMap((row, index) => (row ? [{ row, index }] : []));
    const slice = {
      rows: found.map(({ row }) => row),
      offsets: found.map(({ index }) => offsets[index] ?? 0),
      getAnchor: (index: number) => getAnchor?.(found[index]?.index ?? 0),
      ...ends,
    };
    return new ConnectionPage(slice, fingerprint, { totalCount: selected.length === ids.length ? found.length : undefined });
  });
  return { ...field, extensions: { ...field.extensions, sharedCall: operation, readsMissingRows: true } };
}
