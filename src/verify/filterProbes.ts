import type { JsonObject } from '../lib/json.ts';
import type { MessageField } from '../upstream/contract/fields.ts';
import { enums } from '../upstream/contract/generated/messages.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { createUnknownId, type ProbeContext } from './probes.ts';
import { getRows, type OperationRun } from './walk.ts';

const PAGING = new Set(['page', 'pageSize']);

/** The member of the rows that contains the filtered value. Undefined if the rows don't contain it. */
export function findFilteredMember({ response, page }: AnyOperation, name: string, filter: MessageField): string | undefined {
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
export const isFilter = (name: string, { kind }: MessageField, { page, keyField }: AnyOperation) =>
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
