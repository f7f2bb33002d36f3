import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import type { MessageField } from '../../src/upstream/contract/fields.ts';
import { enums } from '../../src/upstream/contract/generated/messages.ts';
import { GetCustomer } from '../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import type { Pool } from './pool.ts';
import { createUnknownId, getRowIdentity, type ProbeContext } from './probes.ts';
import { getRows, type OperationRun } from './walk.ts';

const PAGING = new Set(['page', 'pageSize']);

/** The member of the rows that contains the filtered value. Undefined if the rows don't contain it. */
function findFilteredMember({ response, page }: AnyOperation, name: string, filter: MessageField): string | undefined {
  const row = response.fields[page?.items ?? '']?.message?.fields ?? {};
  const same = row[name];
  if (same && same.kind === filter.kind && same.refers === filter.refers && !same.list) return name;
  if (filter.kind !== 'enum') return undefined;
  return Object.entries(row).find(([, { type, list }]) => type === filter.type && !list)?.[0];
}

/** A value that no row has, and a check for rows that such a filter must exclude. */
interface UnmatchedValue {
  readonly value: unknown;
  readonly isWrong: (row: JsonObject) => boolean;
}

function createUnmatchedValue(
  operation: AnyOperation,
  name: string,
  filter: MessageField,
  rows: readonly JsonObject[],
): UnmatchedValue | null {
  if (filter.kind === 'string' && !filter.pattern) {
    const value = createUnknownId();
    return { value, isWrong: () => true };
  }
  const member = filter.kind === 'enum' ? findFilteredMember(operation, name, filter) : undefined;
  if (member === undefined) return null;
  const present = new Set(rows.map((row) => row[member]));
  const other = (enums[filter.type ?? ''] ?? []).find(({ name: value }) => !value.endsWith('_UNSPECIFIED') && !present.has(value));
  return other ? { value: other.name, isWrong: (row) => row[member] !== other.name } : null;
}

/** Whether a field of a request is a list filter by string, enum value, or ID. */
const isFilter = (name: string, { kind }: MessageField, { page, keyField }: AnyOperation) =>
  !PAGING.has(name) && name !== page?.fromField && name !== page?.toField && name !== keyField && (kind === 'string' || kind === 'enum');

/** Checks that a list requested for an owner only returns rows of this owner. */
function checkOwner({ findings }: ProbeContext, { operation, request, response }: OperationRun): void {
  if (!request || !response) return;
  const rows = getRows(operation, response) ?? [];
  for (const [name, value] of Object.entries(request)) {
    const field = operation.request.fields[name];
    const member = field && isFilter(name, field, operation) ? findFilteredMember(operation, name, field) : undefined;
    if (member === undefined) continue;
    if (rows.some((row) => row[member] !== undefined && row[member] !== '' && row[member] !== value))
      findings.addDrift(`${operation.request.name}.${name}`, 'FILTER_IGNORED', 'also returns rows of other owners');
  }
}

/** Filters by a value that no row has. If rows are returned anyway, the filter is ignored. */
async function probeFilter({ caller, findings }: ProbeContext, run: OperationRun, name: string, filter: MessageField): Promise<void> {
  const { operation, request, response } = run;
  const unmatched = createUnmatchedValue(operation, name, filter, (response && getRows(operation, response)) ?? []);
  if (!unmatched) return;
  const result = await caller.send(operation, { ...request, [name]: unmatched.value });
  const coordinate = `${operation.request.name}.${name}`;
  // A rejection shows that the filter is evaluated, but not how.
  if (!('response' in result)) {
    if (result.isMissing || result.reason === 'REFUSED') findings.addAssumption('request fields', coordinate, true);
    return;
  }
  const wrong = (getRows(operation, result.response) ?? []).filter(unmatched.isWrong);
  if (wrong.length > 0) findings.addDrift(coordinate, 'FILTER_IGNORED', 'returns rows for a value that none of them has');
  findings.addAssumption('request fields', coordinate, wrong.length === 0);
}

/** Checks the filters of all lists that returned rows. Skips enums whose values differ, because the upstream would reject the contract's values. */
export async function probeFilters(context: ProbeContext): Promise<void> {
  const lists = context.runs.filter(({ operation, request }) => request !== null && operation.page !== undefined);
  const drifting = context.evidence.driftingEnums;
  for (const run of lists) checkOwner(context, run);
  for (const run of lists) {
    const { operation } = run;
    for (const [name, filter] of Object.entries(operation.request.fields)) {
      if (!isFilter(name, filter, operation) || operation.request.exactlyOne?.includes(name)) continue;
      if (!drifting.has(filter.type ?? '')) await probeFilter(context, run, name, filter);
    }
  }
}

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
