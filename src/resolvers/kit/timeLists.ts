import type { Context } from '../../context.ts';
import { builder } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { toInputPaths } from '../../schema/kit/inputPaths.ts';
import { DateTimeRangeInput, toTimeSpan } from '../../schema/kit/ranges.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { ConnectionPage, defineConnection } from '../../schema/paging/connections.ts';
import { LazyFingerprint } from '../../schema/paging/cursors.ts';
import { decodeTimePosition, readTimeWindow } from '../../schema/paging/timeSpans.ts';
import { parseWindow } from '../../schema/paging/window.ts';
import { withSearch } from '../../schema/search/searches.ts';
import type { Operation } from '../../upstream/contract/operation.ts';
import { getRows, type ListRow } from '../../upstream/contract/rows.ts';
import type { ListFilter } from './filters.ts';
import { buildSearchArgs, connectionArgs, type ListArgs } from './lists.ts';

interface TimeListOptions<Response, Shape, Argument extends string> {
  readonly description: string;
  readonly order: string;
  /** Type of the rows, which are complete records. */
  readonly node: Entity<ListRow<Response>>;
  readonly filter: ListFilter<Shape>;
  /** Name and description of the argument with the time range. */
  readonly between: readonly [name: Argument, description: string];
  /** Start of a row, in Unix seconds as a string. */
  readonly getStart: (row: ListRow<Response>) => string | undefined;
}

/** A root connection field over a list operation that returns the first rows of a time range. Further rows are read with shorter time ranges. */
export function listByTimeRange<Request, Response, Shape, const Argument extends string>(
  operation: Operation<Request, Response>,
  { description, order, node, filter, between: [argument, argumentDescription], getStart }: TimeListOptions<Response, Shape, Argument>,
) {
  const { page } = operation;
  if (page?.kind !== 'WINDOW') throw new Error(`${operation.name} isn’t listed by time range.`);
  const args = builder.args((t) => ({
    [argument]: t.field({ type: DateTimeRangeInput, required: true, description: argumentDescription }),
  }));
  return createOperationOptions(operation, `${withSearch(description, node.name)} ${order}`, {
    type: defineConnection(node.ref),
    nullable: true as const,
    args: { ...args, ...(buildSearchArgs(undefined, filter) as object), ...connectionArgs },
    resolve: async (_root: object, givenArgs: object, context: Context): Promise<ConnectionPage<ListRow<Response>>> => {
      const listArgs = givenArgs as ListArgs<Shape> & Readonly<Record<Argument, Parameters<typeof toTimeSpan>[0]>>;
      const span = toTimeSpan(listArgs[argument], argument);
      const request = filter.toRequest(listArgs.filter ?? {});
      const fingerprint = new LazyFingerprint(operation.name, { ...request, ...span });
      const window = parseWindow(listArgs, fingerprint, decodeTimePosition);
      const { maxSize, fromField = '', toField = '' } = context.upstream.operation(operation).page ?? page;
      try {
        const slice = await readTimeWindow(
          span,
          window,
          { maxSize, startOf: (row: ListRow<Response>) => Number(getStart(row) ?? Number.NaN) },
          async ({ from, to }, pageSize) => {
            const sent = { ...request, [fromField]: String(from), [toField]: String(to), pageSize };
            const { rows, isTruncated } = getRows(operation, await context.upstream.call(operation, sent as Request), { pageSize });
            return { rows, hasMore: isTruncated ?? rows.length >= pageSize };
          },
        );
        for (const row of slice.rows) node.prime(row, context);
        return new ConnectionPage(slice, fingerprint, { isTruncated: slice.isTruncated });
      } catch (error) {
        throw toInputPaths(error, listArgs, (path) => {
          if (path[0] === fromField) return [argument, 'gte'];
          return path[0] === toField ? [argument, 'lt'] : filter.toArgumentPath(path);
        });
      }
    },
  });
}
