import type { InputObjectRef, ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { UpstreamInvalidError } from '../../failures.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { ConnectionPage, connectionOf } from '../../schema/kit/connections.ts';
import { calling } from '../../schema/kit/marks.ts';
import { ownedBy } from '../../schema/kit/records.ts';
import { cutWhole, LateFingerprint, readPages, readPrefix, toWindow, type WindowArgs } from '../../schema/kit/window.ts';
import type { AnyOperation, Operation, Page } from '../../upstream/contract/operation.ts';

type Row<Response> = NonNullable<
  { [Key in keyof Response]: NonNullable<Response[Key]> extends readonly (infer Item)[] ? Item : never }[keyof Response]
> &
  object;

/** Arguments of a list: the text to find, what its rows are to fit, and a page. */
export interface ListArgs<Filter> extends WindowArgs {
  readonly query?: string | null | undefined;
  readonly filter?: Filter | null | undefined;
}

/** Same arguments, with defaults: no text finds everything, and an empty filter leaves nothing out. */
interface Asked<Filter> {
  readonly query: string;
  readonly filter: Partial<Filter>;
}

interface FieldOptions<Node extends object, Filter extends object> {
  readonly description: string;
  /** A sentence; the default is that nothing is known of it. */
  readonly order?: string;
  /** The type of the rows. */
  readonly node: ObjectRef<Types, Node>;
  /** In which texts `query` is looked for; without it the list takes no `query`. */
  readonly query?: string;
  /** The input type of `filter`, for all but text; see `filterInput`. Without it the list takes no `filter`. */
  readonly filter?: InputObjectRef<Types, Filter>;
  /** The list is served by its parent's id alone. */
  readonly isServedByKey?: boolean;
}

interface ListOptions<Parent, Request, Response, Filter extends object> extends FieldOptions<Row<Response>, Filter> {
  /** The request without its page: the list's parent and filters, which is what its cursors are bound to. */
  readonly request: (parent: Parent, asked: Asked<Filter>) => Omit<Request, 'page' | 'pageSize'>;
  /** The member that tells rows apart. */
  readonly identify?: (row: Row<Response>) => unknown;
  /** The raw id of what the rows are part of, for types whose ids are unique only within that. */
  readonly owner?: (parent: Parent) => string | undefined;
  /** Called with every row: hands whole records to their loader. */
  readonly prime?: (row: Row<Response>, context: Context) => void;
}

/** How the rows of an answer are treated. */
interface RowOptions<Entry> {
  readonly identify: ((row: Entry) => unknown) | undefined;
  /** Raw id of what the rows are part of. */
  readonly owner: string | undefined;
}

interface PartsOptions<Parent, Response, Part extends object> extends FieldOptions<Part, object> {
  /** The parts of a row that belong to the parent. */
  readonly parts: (row: Row<Response>, parent: Parent) => readonly Part[];
  /** The key that tells the lists of two parents apart: cursors are bound to it. */
  readonly of: (parent: Parent) => object;
}

/** Order of the lists of which neither the contract nor the upstream's documentation tells it. */
export const UNKNOWN_ORDER = 'In an order of the Workspace API’s choosing.';

const isRecord = (row: unknown) => typeof row === 'object' && row !== null && !Array.isArray(row);

/** The rows and the end mark of one answer. Fails when the answer has no list where the contract promises one. */
function rowsOf<Response>(
  operation: Operation<never, Response>,
  answer: Response,
  asked: { readonly page?: number; readonly pageSize?: number } = {},
) {
  const name = operation.page?.items ?? '';
  const body = answer as Record<string, unknown>;
  const rows = body[name] ?? [];
  if (!Array.isArray(rows)) throw new UpstreamInvalidError(`${name} is not a list`);
  if (!rows.every(isRecord)) throw new UpstreamInvalidError(`${name} has an entry that is no record`);
  // An upstream that does not know `page` would answer the first one for ever, and pages of another size would leave rows out or repeat them.
  for (const member of ['page', 'pageSize'] as const) {
    const told = body[member];
    if (asked[member] === undefined || typeof told !== 'number' || told === 0 || told === asked[member]) continue;
    throw new UpstreamInvalidError(`${member} ${asked[member]} was asked for and ${member} ${told} answered`);
  }
  return { rows: rows as Row<Response>[], hasMore: body.hasMore === true };
}

function pagingOf({ name, page }: AnyOperation): Page {
  if (!page) throw new Error(`${name} is not a list in the contract.`);
  if (page.kind === 'WINDOW') throw new Error(`${name} is read by a stretch of time, which a connection does not ask for.`);
  return page;
}

/** Reads one window of a list operation, in the fewest calls that its paging allows. */
async function readList<Request, Response>(
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  args: WindowArgs,
  context: Context,
  { identify, owner }: RowOptions<Row<Response>>,
): Promise<ConnectionPage<Row<Response>>> {
  const page = pagingOf(context.upstream.operation(operation));
  const fingerprint = new LateFingerprint(operation.name, request);
  const read = async (paging: { readonly page?: number; readonly pageSize?: number }) => {
    const { rows, hasMore } = rowsOf(operation, await context.upstream.call(operation, { ...request, ...paging } as Request), paging);
    return { rows: owner === undefined ? rows : ownedBy(owner, rows), hasMore };
  };

  if (page.kind === 'WHOLE') {
    // Refuse bad cursors before asking.
    toWindow(args, fingerprint, 0);
    const { rows } = await read({});
    const window = toWindow(args, fingerprint, rows.length);
    return new ConnectionPage(cutWhole(window, rows), fingerprint, { totalCount: rows.length });
  }
  const window = toWindow(args, fingerprint);
  if (page.kind === 'PREFIX') {
    const slice = await readPrefix(window, page.maxSize, async (pageSize) => (await read({ pageSize })).rows);
    return new ConnectionPage(slice, fingerprint, { isTruncated: slice.isTruncated });
  }
  const slice = await readPages(window, { maxSize: page.maxSize, maxPage: page.maxPage, identify }, (number, pageSize) =>
    read({ page: number, pageSize }),
  );
  return new ConnectionPage(slice, fingerprint, { isTruncated: slice.isTruncated });
}

/**
 * Reads one window of the parts of what a list operation answers at once. `isTruncated` is that of the list: parts of rows that cannot be read are
 * missing.
 */
async function readParts<Response, Part>(
  operation: Operation<{ readonly pageSize?: number }, Response>,
  partsOf: (row: Row<Response>) => readonly Part[],
  owner: object,
  args: WindowArgs,
  context: Context,
): Promise<ConnectionPage<Part>> {
  const { kind, maxSize } = pagingOf(context.upstream.operation(operation));
  if (kind !== 'PREFIX') throw new Error(`${operation.name} does not answer its list at once.`);
  const fingerprint = new LateFingerprint(operation.name, { partsOf: owner });
  const window = toWindow(args, fingerprint);
  const { rows } = rowsOf(operation, await context.upstream.call(operation, { pageSize: maxSize }));
  return new ConnectionPage(cutWhole(window, rows.flatMap(partsOf)), fingerprint, { isTruncated: rows.length >= maxSize });
}

/** In the order in which people read them. */
const connectionArgs = builder.args((t) => {
  const { first, after, last, before } = t.connectionArgs();
  return { first, after, last, before };
});

/** The arguments besides those of the page, for all lists alike: text is `query`, everything else is in `filter`. */
const findingArgs = <Filter extends object>(query: string | undefined, filter: InputObjectRef<Types, Filter> | undefined) =>
  builder.args((t) => ({
    ...(query && { query: t.string({ description: query }) }),
    ...(filter && { filter: t.field({ type: filter, description: 'Which ones; all when absent.' }) }),
  }));

/** The options of a connection field: scopes, paging and marks come from the operation. */
function connectionField<Parent, Node extends object, Filter extends object>(
  operation: Operation<never, unknown>,
  { description, order = UNKNOWN_ORDER, node, query, filter, isServedByKey = false }: FieldOptions<Node, Filter>,
  read: (parent: Parent, args: ListArgs<Filter>, context: Context) => Promise<ConnectionPage<Node>>,
) {
  return calling(operation, `${description} ${order}`, {
    type: connectionOf(node, pagingOf(operation)),
    nullable: true as const,
    args: { ...(findingArgs(query, filter) as object), ...connectionArgs },
    extensions: { isServedByKey },
    resolve: read,
  });
}

/** A connection field over a list operation. */
export const list = <Parent, Request, Response, Filter extends object = object>(
  operation: Operation<Request, Response>,
  options: ListOptions<Parent, Request, Response, Filter>,
) =>
  connectionField(operation, options, async (parent: Parent, args: ListArgs<Filter>, context) => {
    const { request, owner, identify, prime } = options;
    const asked = request(parent, { query: args.query ?? '', filter: args.filter ?? {} });
    const connection = await readList(operation, asked, args, context, { identify, owner: owner?.(parent) });
    if (prime) for (const { node: row } of connection.edges) prime(row, context);
    return connection;
  });

/** A connection field over parts of the rows of a list operation: those of one parent. All parents are served by the same call. */
export function listOfParts<Parent, Response, Part extends object>(
  operation: Operation<{ readonly pageSize?: number }, Response>,
  options: PartsOptions<Parent, Response, Part>,
) {
  const field = connectionField(operation, options, (parent: Parent, args: ListArgs<object>, context) =>
    readParts(operation, (row) => options.parts(row, parent), options.of(parent), args, context),
  );
  return { ...field, extensions: { ...field.extensions, looksIn: operation } };
}
