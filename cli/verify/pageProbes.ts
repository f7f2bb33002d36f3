import type { JsonObject } from '../../src/lib/json.ts';
import type { AnyOperation, Page } from '../../src/upstream/contract/operation.ts';
import type { CallResult } from './caller.ts';
import type { DriftKind } from './finding.ts';
import { hasStableOrder } from './orderProbes.ts';
import { getRowIdentity, type ProbeContext } from './probes.ts';
import { getRows, type OperationRun } from './walk.ts';

interface PagedRun extends OperationRun {
  readonly request: Readonly<Record<string, unknown>>;
}

const hasRequest = (run: OperationRun): run is PagedRun => run.request !== null;

/** Lists with a page size that can be requested. */
const listPagedRuns = (runs: readonly OperationRun[]): readonly PagedRun[] =>
  runs.filter(hasRequest).filter(({ operation }) => operation.page !== undefined && 'pageSize' in operation.request.fields);

/** Drift in pagination, derived from the position of the first row of page 2 in page 1. */
function findPaginationDrift(position: number, size: number): readonly [DriftKind, string] | null {
  if (position === 0) return ['PAGE_IGNORED', 'page 2 repeats page 1'];
  if (position === 2 * size) return ['PAGE_BASE', 'page 2 is the third page, so pages are numbered from 0'];
  return position === size || (position === -1 && size === 1) ? null : ['PAGE_TURN', 'page 2 doesn’t start where page 1 ends'];
}

/** Checks that a response reports the requested page and size: the graph rejects others. */
function checkEcho(
  { findings }: ProbeContext,
  { name }: AnyOperation,
  response: JsonObject,
  requested: { readonly page: number; readonly pageSize: number },
): void {
  for (const member of ['page', 'pageSize'] as const) {
    const reported = response[member];
    if (typeof reported !== 'number' || reported === requested[member] || (reported === 0 && member === 'pageSize')) continue;
    findings.addDrift(
      name,
      'PAGE_ECHO',
      `requested ${member} ${requested[member]}, but the response reports another value; the graph rejects it`,
    );
  }
}

/** Checks page numbering, page size, and the end of the list: requests a small second page, which must contain the next rows. */
async function probeListPagination(context: ProbeContext, run: PagedRun): Promise<void> {
  const { caller, findings, evidence } = context;
  const { operation, request, response } = run;
  const known = response && getRows(operation, response);
  if (!known || known.length < 2 || !('page' in operation.request.fields)) return;
  // Pages of two rows, if the first page has enough, to detect overlapping pages too.
  const size = known.length < 5 ? 1 : 2;
  const result = await caller.send(operation, { ...request, page: 2, pageSize: size });
  if (!('response' in result)) return;
  const rows = getRows(operation, result.response) ?? [];
  const identities = known.map((row) => getRowIdentity(operation, row));
  const position = rows[0] ? identities.indexOf(getRowIdentity(operation, rows[0])) : -1;
  const { name } = operation;
  if (rows.length > size) {
    findings.unsized.add(name);
    const other = evidence.findOtherName(operation.response, 'pageSize');
    const hint =
      other === undefined ? '' : `; responses name the page size ${other}, so rename pageSize of ${operation.request.name} in an overlay`;
    const detail = `requested ${size === 1 ? '1 row' : `${size} rows`}, received ${rows.length}${hint}`;
    return findings.addDrift(name, 'PAGE_SIZE_IGNORED', detail);
  }
  const drift = findPaginationDrift(position, size);
  if (drift) {
    // In a list without a stable order, any page can start with any row.
    if (!(await hasStableOrder(context, run))) return findings.addUnstableOrder(name);
    // Rows may have been created or deleted since.
    const again = await caller.send(operation, { ...request, pageSize: size });
    const first = 'response' in again ? getRows(operation, again.response)?.[0] : undefined;
    if (first && getRowIdentity(operation, first) === identities[0]) findings.addDrift(name, ...drift);
    return;
  }
  if (position !== size) return;
  findings.addAssumption('pagination styles', name, true);
  checkEcho(context, operation, result.response, { page: 2, pageSize: size });
  // A `hasMore` of another name or type is reported separately.
  const isUnset =
    result.response.hasMore === false ||
    (result.response.hasMore === undefined && evidence.findOtherName(operation.response, 'hasMore') === undefined);
  if (known.length > 2 * size && operation.response.fields.hasMore && isUnset)
    findings.addDrift(name, 'HAS_MORE', 'hasMore isn’t true, but more rows follow');
}

/** Maximum number of rows in a page of this size, derived from the response. Null if unknown. */
async function findAllowedSize(
  { caller, findings }: ProbeContext,
  result: CallResult,
  { operation, request }: PagedRun,
  requested: number,
) {
  if (!('response' in result)) return null;
  const { pageSize, hasMore } = result.response;
  const rows = getRows(operation, result.response)?.length ?? 0;
  if (typeof pageSize === 'number' && pageSize > 0 && pageSize < requested) {
    if (pageSize !== rows || hasMore !== false) return pageSize;
    findings.addDrift(
      operation.name,
      'PAGE_ECHO',
      'pageSize is the number of returned rows instead of the requested size; the graph rejects it',
    );
    return requested;
  }
  if (hasMore !== true || rows === 0 || rows >= requested) return requested;
  // More rows follow a page that isn't full: it was truncated, unless the next page is empty.
  const next = 'page' in operation.request.fields ? await caller.send(operation, { ...request, page: 2, pageSize: requested }) : null;
  if (next && 'response' in next && getRows(operation, next.response)?.length === 0) {
    findings.addDrift(operation.name, 'HAS_MORE', 'hasMore is true, but no rows follow');
    return requested;
  }
  return rows;
}

/** Finds the largest accepted size by binary search. Null if the run reaches a limit. */
async function findLargestAcceptedSize(
  { caller }: ProbeContext,
  { operation, request }: PagedRun,
  below: number,
  known: number | undefined,
) {
  let [accepted, rejected] = [1, below];
  while (rejected - accepted > 1) {
    // Lists of one upstream tend to share a maximum, so the maximum of another list is tried first, then one more.
    const guesses = known === undefined ? [] : [known, known + 1].filter((size) => size > accepted && size < rejected);
    const size = guesses[0] ?? Math.floor((accepted + rejected) / 2);
    const result = await caller.send(operation, { ...request, pageSize: size });
    if ('response' in result) accepted = size;
    else if (result.reason === 'REFUSED') rejected = size;
    else return null;
  }
  return accepted;
}

/** Checks that the maximum page size of the contract is accepted, and finds the actual one otherwise. */
async function probePageSize(context: ProbeContext, run: PagedRun): Promise<void> {
  const { caller, findings } = context;
  const { operation, request } = run;
  const { maxSize } = caller.applyCorrections(operation).page as Page;
  if (maxSize < 2) return;
  const result = await caller.send(operation, { ...request, pageSize: maxSize });
  const cap =
    'response' in result || result.reason !== 'REFUSED'
      ? await findAllowedSize(context, result, run, maxSize)
      : await findLargestAcceptedSize(context, run, maxSize, [...findings.caps.values()][0]);
  if (cap === null) return;
  if (cap < maxSize) {
    findings.addDrift(operation.name, 'PAGE_CAP', `a page contains at most ${cap} rows, expected ${maxSize}`);
    findings.caps.set(operation.name, cap);
  }
  findings.addAssumption('maximum page sizes', operation.name, cap >= maxSize);
}

/** Checks the pagination of all lists that returned rows. */
export async function probePagination(context: ProbeContext): Promise<void> {
  for (const run of listPagedRuns(context.runs)) await probeListPagination(context, run);
}

/** Checks the maximum page sizes of all lists. */
export async function probePageSizes(context: ProbeContext): Promise<void> {
  for (const run of listPagedRuns(context.runs)) if (!context.findings.unsized.has(run.operation.name)) await probePageSize(context, run);
}
