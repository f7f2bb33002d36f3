import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import type { Context } from '../context.ts';
import { builder, type Types } from '../schema/builder.ts';
import { ConnectionPage, connectionOf } from '../schema/connections.ts';
import { describe } from '../schema/records.ts';
import { cutWhole, LateFingerprint, readPages, readPrefix, toWindow, type WindowArgs } from '../schema/window.ts';
import { UpstreamInvalidError } from '../upstream/errors.ts';
import type { Operation } from '../upstream/operation.ts';

type Row<Response> = NonNullable<
  { [Key in keyof Response]: NonNullable<Response[Key]> extends readonly (infer Item)[] ? Item : never }[keyof Response]
> &
  object;

interface ListOptions<Parent, Request, Response, Args extends InputFieldMap> {
  readonly description: string;
  /** The type of the rows. */
  readonly node: ObjectRef<Types, Row<Response>>;
  readonly args?: Args;
  /** The request without its page: the list's parent and filters, which is what its cursors are bound to. */
  readonly request: (parent: Parent, args: InputShapeFromFields<Args>) => Omit<Request, 'page' | 'pageSize'>;
  /** The member that tells rows apart. */
  readonly identify?: (row: Row<Response>) => unknown;
  /** Called with every row: hands whole records to their loader. */
  readonly prime?: (row: Row<Response>, context: Context) => void;
  /** The list is served by its parent's id alone. */
  readonly isServedByKey?: boolean;
}

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
  if (!Array.isArray(rows)) throw new UpstreamInvalidError(operation.name, `${name} is not a list`);
  if (!rows.every(isRecord)) throw new UpstreamInvalidError(operation.name, `${name} has an entry that is no record`);
  // An upstream that does not know `page` would answer the first one for ever, and pages of another size would leave rows out or repeat them.
  for (const member of ['page', 'pageSize'] as const) {
    const told = body[member];
    if (asked[member] === undefined || typeof told !== 'number' || told === 0 || told === asked[member]) continue;
    throw new UpstreamInvalidError(operation.name, `${member} ${asked[member]} was asked for and ${member} ${told} answered`);
  }
  return { rows: rows as Row<Response>[], hasMore: body.hasMore === true };
}

/** Reads one window of a list operation, in the fewest calls that its paging allows. */
async function readList<Request, Response>(
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  args: WindowArgs,
  context: Context,
  identify?: (row: Row<Response>) => unknown,
): Promise<ConnectionPage<Row<Response>>> {
  const page = operation.page;
  if (!page) throw new Error(`${operation.name} is not a list in the contract.`);
  const fingerprint = new LateFingerprint(operation.name, request);
  const call = (paging: object) => context.upstream.call(operation, { ...request, ...paging } as Request);

  if (page.kind === 'WHOLE') {
    // Refuse bad cursors before asking.
    toWindow(args, fingerprint, 0);
    const { rows } = rowsOf(operation, await call({}));
    const window = toWindow(args, fingerprint, rows.length);
    return new ConnectionPage(cutWhole(window, rows), fingerprint, { totalCount: rows.length });
  }
  const window = toWindow(args, fingerprint);
  if (page.kind === 'PREFIX') {
    const slice = await readPrefix(window, page.maxSize, async (pageSize) => rowsOf(operation, await call({ pageSize })).rows);
    return new ConnectionPage(slice, fingerprint, { isTruncated: slice.isTruncated });
  }
  const slice = await readPages(window, { maxSize: page.maxSize, maxPage: page.maxPage, identify }, async (number, pageSize) =>
    rowsOf(operation, await call({ page: number, pageSize }), { page: number, pageSize }),
  );
  return new ConnectionPage(slice, fingerprint);
}

/** In the order in which people read them. */
const connectionArgs = builder.args((t) => {
  const { first, after, last, before } = t.connectionArgs();
  return { first, after, last, before };
});

/** The options of a connection field over a list operation: scopes, paging and marks come from the operation. */
export function list<Parent, Request, Response, Args extends InputFieldMap = Record<never, never>>(
  operation: Operation<Request, Response>,
  options: ListOptions<Parent, Request, Response, Args>,
) {
  const { description, node, args, request, identify, prime, isServedByKey = false } = options;
  return {
    ...describe(operation, description),
    type: connectionOf(node, { isPrefix: operation.page?.kind === 'PREFIX' }),
    nullable: true as const,
    args: { ...((args ?? {}) as Args), ...connectionArgs },
    authScopes: { operation },
    extensions: { isServedByKey },
    resolve: async (parent: Parent, allArgs: WindowArgs & InputShapeFromFields<Args>, context: Context) => {
      const connection = await readList(operation, request(parent, allArgs), allArgs, context, identify);
      if (prime) for (const { node: row } of connection.edges) prime(row, context);
      return connection;
    },
  };
}
