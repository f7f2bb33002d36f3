import type { Operation } from '../upstream/contract/operation.ts';
import { getRows, type ListRow } from '../upstream/contract/rows.ts';
import type { Session } from '../upstream/session.ts';
import { createUnlistedError, Loader } from './loader.ts';

/** Maximum number of pages that are read to find records. Chosen: a scan doesn't suit a list of more than 1,000 records. */
const MAX_PAGES = 10;

/**
 * Reads a page of a list, as large as its operation allows. `hasMore`: whether there is a next page. `isTruncated`: whether rows are omitted that no page contains.
 * A full prefix counts as truncated if the upstream doesn't report it.
 */
export async function readLargestPage<Request, Response>(
  upstream: Session,
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  page = 1,
) {
  const { kind, maxSize: pageSize = 0 } = upstream.operation(operation).page ?? {};
  const paging = { ...(kind === 'PAGE' && { page }), ...(kind !== 'WHOLE' && { pageSize }) };
  const response = await upstream.call(operation, { ...request, ...paging } as Request);
  const { rows, hasMore, isTruncated = kind === 'PREFIX' && rows.length >= pageSize } = getRows(operation, response, paging);
  return { response, rows, hasMore: hasMore && kind === 'PAGE', isTruncated };
}

/** Creates a loader for records that no operation gets by ID. Scans their list page by page, until it has found all of them. */
export const loaderFromScan = <Request, Response>(
  upstream: Session,
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
): Loader<ListRow<Response>> =>
  new Loader<ListRow<Response>>(async (ids) => {
    const missing = new Set(ids);
    const found = new Map<string, ListRow<Response>>();
    let hasMore = true;
    let count = 0;
    for (let page = 1; hasMore && missing.size > 0 && page <= MAX_PAGES; page += 1) {
      const read = await readLargestPage(upstream, operation, request, page);
      for (const row of read.rows) {
        const { id } = row as { readonly id?: string };
        if (id !== undefined && missing.delete(id)) found.set(id, row);
      }
      ({ hasMore } = read);
      count += read.rows.length;
    }
    return ids.map((id) => found.get(id) ?? (hasMore ? createUnlistedError(id, count) : null));
  });
