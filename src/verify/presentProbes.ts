import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { MessageField } from '../upstream/contract/fields.ts';
import { GetCustomer } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { findFilteredMember, isFilter } from './filterProbes.ts';
import type { Pool } from './pool.ts';
import { getRowIdentity, type ProbeContext } from './probes.ts';
import { getRows, type OperationRun } from './walk.ts';

/** A filter with a value that a row has. */
interface PresentValue {
  readonly run: OperationRun;
  readonly name: string;
  readonly member: string;
  readonly value: string;
}

/** Values to filter by: the last ID, or every returned enum value, because a filter may support only some of them. */
function listPresentValues(run: OperationRun, name: string, filter: MessageField): readonly PresentValue[] {
  const { operation, response } = run;
  const member = filter.kind === 'enum' || filter.refers !== undefined ? findFilteredMember(operation, name, filter) : undefined;
  if (member === undefined || !response) return [];
  const values = (getRows(operation, response) ?? []).map((row) => row[member]);
  const present = values.filter((each): each is string => typeof each === 'string' && each !== '' && !each.endsWith('_UNSPECIFIED'));
  const requested = filter.kind === 'enum' ? present : present.slice(-1);
  return [...new Set(requested)].map((value) => ({ run, name, member, value }));
}

/** Filters by a value that rows have: the list must return such rows and no others. */
async function probePresent({ caller, findings }: ProbeContext, { run, name, member, value }: PresentValue): Promise<void> {
  const { operation, request } = run;
  const result = await caller.send(operation, { ...request, [name]: value });
  const coordinate = `${operation.request.name}.${name}`;
  if (!('response' in result)) {
    if (result.reason === 'REFUSED') findings.addDrift(coordinate, 'FILTER_EMPTY', 'rejects a value that a row has');
    return;
  }
  const rows = getRows(operation, result.response) ?? [];
  if (rows.length === 0) findings.addDrift(coordinate, 'FILTER_EMPTY', 'returns no rows for a value that a row has');
  else if (rows.some((row) => row[member] !== undefined && row[member] !== value))
    findings.addDrift(coordinate, 'FILTER_IGNORED', 'also returns rows with other values');
}

/** The filters of the lists that returned rows, each with a value that a row has. Excludes filters that were already part of the request. */
function listPresentFilters({ runs, evidence }: ProbeContext): readonly PresentValue[] {
  const drifting = evidence.driftingEnums;
  return runs.flatMap((run) => {
    const { operation, request } = run;
    if (!request || !operation.page) return [];
    return Object.entries(operation.request.fields).flatMap(([name, filter]) => {
      const isOpen = isFilter(name, filter, operation) && !(name in request) && !operation.request.exactlyOne?.includes(name);
      return isOpen && !drifting.has(filter.type ?? '') ? listPresentValues(run, name, filter) : [];
    });
  });
}

/** All rows of a list. Null if they don't fit on one page. */
async function fetchCompleteList(
  { caller }: ProbeContext,
  operation: AnyOperation,
  request: object,
): Promise<readonly JsonObject[] | null> {
  const { maxSize = 1 } = caller.applyCorrections(operation).page ?? {};
  const result = await caller.send(operation, { ...request, pageSize: maxSize });
  return 'response' in result && result.response.hasMore !== true ? getRows(operation, result.response) : null;
}

/** Checks that the list of all owners contains the rows of the list of one owner. */
async function probeSubset(context: ProbeContext, { operation, request, response }: OperationRun, owner: string): Promise<void> {
  if (!request || owner in request || !response) return;
  const values = (getRows(operation, response) ?? []).map((row) => row[owner]);
  const value = values.find((each) => typeof each === 'string' && each !== '');
  if (value === undefined) return;
  const [all, own] = [
    await fetchCompleteList(context, operation, request),
    await fetchCompleteList(context, operation, { ...request, [owner]: value }),
  ];
  if (!all || !own) return;
  const known = new Set(all.map((row) => JSON.stringify([getRowIdentity(operation, row), Object.keys(row).sort()])));
  const isSubset = own.every((row) => known.has(JSON.stringify([getRowIdentity(operation, row), Object.keys(row).sort()])));
  context.findings.addAssumption('lists that are subsets of another list', operation.name, isSubset);
  if (isSubset) return;
  context.findings.addDrift(
    operation.name,
    'PARTS',
    `the list of one ${owner} has other rows, or rows with more fields, than the full list`,
  );
  context.findings.uncovered.add(operation.name);
}

/** Checks that a time range is applied: one second of a year ago must return at most one row. */
async function probeWindow({ caller, findings }: ProbeContext, { operation, request }: OperationRun): Promise<void> {
  const { fromField, toField } = operation.page ?? {};
  if (!request || fromField === undefined || toField === undefined) return;
  const start = Number(request[fromField]);
  const result = await caller.send(operation, { ...request, [toField]: String(start + 1) });
  if ('response' in result && (getRows(operation, result.response)?.length ?? 0) > 1)
    findings.addDrift(`${operation.request.name}.${toField}`, 'FILTER_IGNORED', 'returns several rows for one second, a year ago');
}

/** Checks that a customer is found by the ID of a portfolio, because the graph reads portfolios that way. */
async function probePortfolio({ caller, findings }: ProbeContext, pool: Pool): Promise<void> {
  const [id] = pool.getIds('Portfolio');
  if (id === undefined) return;
  const result = await caller.send(GetCustomer, { id });
  if ('response' in result)
    return findings.addFact('portfolios', isJsonObject(result.response.customer) ? 'readable as customers' : 'not returned as customers');
  if (result.isMissing) findings.addDrift(GetCustomer.name, 'NOT_FOUND', 'no customer is found by a portfolio ID');
}

/** Probes requests that use returned values: filters, time ranges, lists that are subsets of others, and portfolios. */
export async function probePresentValues(context: ProbeContext, pool: Pool): Promise<void> {
  for (const present of listPresentFilters(context)) await probePresent(context, present);
  for (const run of context.runs) await probeWindow(context, run);
  for (const run of context.runs)
    for (const owner of context.caller.applyCorrections(run.operation).parts?.owners ?? []) await probeSubset(context, run, owner);
  await probePortfolio(context, pool);
}
