import type { Context } from '../../context.ts';
import { loadOwnerRows } from '../../loaders/covering/ownersList.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import type { RowOrder } from '../../schema/paging/anchors.ts';
import { ConnectionPage } from '../../schema/paging/connections.ts';
import { type Fingerprint, LazyFingerprint } from '../../schema/paging/cursors.ts';
import { readAllPages } from '../../schema/paging/pages.ts';
import { parseOffsetWindow, sliceCompleteList, type Window, type WindowArgs } from '../../schema/paging/window.ts';
import type { AnyOperation, Operation, Page } from '../../upstream/contract/operation.ts';
import type { ListRow } from '../../upstream/contract/rows.ts';
import type { Refinement } from './listCriteria.ts';

/** How the rows of a list are identified and sorted, and which request field has the ID of the object that has the list. */
interface OwnedListOptions<Entry> {
  readonly order: RowOrder<Entry>;
  readonly parent: string | undefined;
}

/** A requested window, with the fingerprint of its list. */
export interface OffsetPage {
  readonly window: Window;
  readonly fingerprint: Fingerprint;
}

/** Returns the paging of a list. Throws at startup if it needs a time range. */
export function requirePaging({ name, page }: AnyOperation): Page {
  if (!page) throw new Error(`${name} is not a list in the contract.`);
  if (page.kind === 'WINDOW') throw new Error(`${name} requires a time range, which a connection doesn’t have.`);
  return page;
}

/** Maximum number of pages of a list that is read as a whole. Chosen: a thousand rows, more than most customers have. */
const MAX_WHOLE_PAGES = 10;

/** Reads a list as a whole, and returns one window of the rows that match, in their sort order. Equal calls within a request are sent once. */
export async function readRefined<Request, Response>(
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  args: WindowArgs,
  { upstream, loaders }: Context,
  { order: { identify = () => undefined }, parent }: OwnedListOptions<ListRow<Response>>,
  { key, refine, getRank, createTooLongError }: Refinement<ListRow<Response>>,
): Promise<ConnectionPage<ListRow<Response>>> {
  const { maxSize, maxPage = MAX_WHOLE_PAGES } = requirePaging(upstream.operation(operation));
  const maxPages = Math.min(maxPage, MAX_WHOLE_PAGES);
  const fingerprint = new LazyFingerprint(operation.name, { ...request, refinement: key });
  const window = parseOffsetWindow(args, fingerprint);
  const all =
    (await loadOwnerRows(operation, request, parent, identify, upstream, loaders)) ??
    (await readAllPages({ maxSize, identify }, maxPages, (page) => readLargestPage(upstream, operation, request, page)));
  if (!all) throw createTooLongError(maxPages * maxSize);
  const rows = refine(all, identify);
  return new ConnectionPage(sliceCompleteList(window, rows, { identify, getRank }), fingerprint, { totalCount: rows.length });
}

/** Reads the window from the list of all owners, if this takes fewer calls for the owners that are requested together. Otherwise undefined. */
export async function readFromAllOwners<Request, Response>(
  operation: Operation<Request, Response>,
  request: Omit<Request, 'page' | 'pageSize'>,
  { window, fingerprint }: OffsetPage,
  { upstream, loaders }: Context,
  { order, parent }: OwnedListOptions<ListRow<Response>>,
): Promise<ConnectionPage<ListRow<Response>> | undefined> {
  const rows = await loadOwnerRows(operation, request, parent, order.identify, upstream, loaders);
  if (!rows) return undefined;
  return new ConnectionPage(sliceCompleteList(window, rows, order), fingerprint, { totalCount: rows.length });
}
