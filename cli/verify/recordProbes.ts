import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import type { MessageFields } from '../../src/upstream/contract/fields.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import type { CallResult } from './caller.ts';
import { createUnknownId, getRowIdentity, type ProbeContext } from './probes.ts';
import { getRows, type OperationRun } from './walk.ts';

/** Whether a value isn't a default, which proto-JSON omits. */
const hasValue = (value: unknown) =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined &&
      value !== null &&
      value !== '' &&
      value !== 0 &&
      value !== '0' &&
      value !== false &&
      !/_UNSPECIFIED$/.test(String(value));

/** Paths of fields that are absent, shorter, or truncated in a row compared with the complete record. */
function findMissingMembers(message: MessageFields, complete: JsonObject, row: JsonObject, path = ''): readonly string[] {
  return Object.entries(message.fields).flatMap(([name, { message: inner }]) => {
    const [full, part] = [complete[name], row[name]];
    const memberPath = `${path}${name}`;
    if (!hasValue(full)) return [];
    if (!hasValue(part) || (typeof full === 'string' && typeof part === 'string' && full !== part && isTruncated(full, part)))
      return [memberPath];
    if (Array.isArray(full) && Array.isArray(part)) {
      if (part.length < full.length) return [memberPath];
      const entries = full.flatMap((each, index) =>
        inner && isJsonObject(each) && isJsonObject(part[index]) ? findMissingMembers(inner, each, part[index], `${memberPath}.`) : [],
      );
      return [...new Set(entries)];
    }
    return inner && isJsonObject(full) && isJsonObject(part) ? findMissingMembers(inner, full, part, `${memberPath}.`) : [];
  });
}

/** Whether a string is the beginning of another, with or without an ellipsis. */
const isTruncated = (full: string, part: string) => full.startsWith(part.replace(/(\.\.\.|…)$/, ''));

/** The field of a response that contains the record, for operations that get one by ID. */
function findRecordMember({ request, response, page }: AnyOperation): readonly [string, MessageFields] | null {
  const required = Object.values(request.fields).filter(({ required: isRequired }) => isRequired);
  if (required.length !== 1 || required[0]?.refers === undefined) return null;
  for (const [name, { message, list }] of Object.entries(response.fields))
    if (message && !list && name !== page?.items && message.entity === required[0].refers) return [name, message];
  return null;
}

/** The ID field of a request that gets a record. */
const getIdField = ({ request }: AnyOperation) => Object.entries(request.fields).find(([, { required }]) => required)?.[0] ?? 'id';

/** Checks that rows of a list are complete records: gets the record of the first row, which must not contain more. */
async function probeCompleteness(
  { caller, findings, runs }: ProbeContext,
  get: AnyOperation,
  member: string,
  record: MessageFields,
): Promise<void> {
  const lists = runs.filter(
    ({ operation, response }) => response !== null && operation.response.fields[operation.page?.items ?? '']?.message === record,
  );
  const chosen = lists.find(({ operation }) => operation.name === get.cover?.list) ?? lists[0];
  const row = chosen?.response && getRows(chosen.operation, chosen.response)?.[0];
  if (!chosen || !row) return;
  const result = await caller.send(get, { [getIdField(get)]: getRowIdentity(chosen.operation, row) });
  const complete = 'response' in result ? result.response[member] : undefined;
  if (!isJsonObject(complete)) return;
  const more = findMissingMembers(record, complete, row);
  const list = chosen.operation.name;
  findings.compared.add(list);
  const isCover = caller.applyCorrections(get).cover?.list === list;
  if (isCover) findings.addAssumption('covering lists', get.name, more.length === 0);
  if (more.length === 0) return;
  // Either the overlay declares it, or the list differs from the list of one owner, which is the same finding.
  if (caller.hasNoCoveringList(get) || caller.hasNoCoveringList(chosen.operation) || findings.uncovered.has(list)) return;
  findings.addDrift(isCover ? get.name : list, 'SUMMARY_ROWS', `rows of ${list} lack ${more.join(', ')}, which ${get.name} returns`);
  findings.uncovered.add(get.name);
}

/** Difference between the response to an unknown ID and the contract. Null if there is none, or if the response is inconclusive. */
function describeUnknownIdDrift(result: CallResult, member: string, get: AnyOperation): string | null {
  if ('response' in result) {
    if (isJsonObject(result.response[member])) return 'returns a record for an unknown ID';
    return get.emptyIfMissing ? null : `responds to an unknown ID with status ${result.status} and no error, expected 404 not_found`;
  }
  const { status, code, isMissing, reason, members } = result;
  if (status === null || isMissing || reason === 'BUDGET') return null;
  const body = `${code ?? 'no known error code'}, body with ${members.join(', ') || 'no known fields'}`;
  return `responds to an unknown ID with status ${status} (${body}), expected 404 not_found`;
}

/** Reads an ID that doesn't exist. The graph returns null only for `not_found`; anything else becomes an error of the whole field. */
async function probeUnknownId({ caller, findings }: ProbeContext, { operation: get, member: [member] }: RecordGet): Promise<void> {
  const request = { [getIdField(get)]: createUnknownId() };
  let result = await caller.send(get, request);
  // The failure can be temporary.
  if ('reason' in result && result.reason === 'ERROR') result = await caller.send(get, request);
  const drift = describeUnknownIdDrift(result, member, caller.applyCorrections(get));
  if (drift !== null) findings.addDrift(get.name, 'NOT_FOUND', drift);
  else if (result.status === 404) findings.addAssumption('HTTP statuses', '404', true);
}

/** An operation that gets a record by ID, and returned one. */
interface RecordGet {
  readonly operation: AnyOperation;
  readonly run: OperationRun;
  readonly member: readonly [string, MessageFields];
}

const listGets = ({ runs }: ProbeContext): readonly RecordGet[] =>
  runs.flatMap((run) => {
    const member = run.response === null ? null : findRecordMember(run.operation);
    return member ? [{ operation: run.operation, run, member }] : [];
  });

/** Checks that a get returned the requested record. False only if it returned another one. */
function isRequestedRecord({ findings }: ProbeContext, { operation, run, member: [name, { fields, entity }] }: RecordGet): boolean {
  const key = Object.entries(fields).find(([, { refers }]) => refers !== undefined && refers === entity)?.[0];
  const record = run.response?.[name];
  const id = key !== undefined && isJsonObject(record) ? record[key] : undefined;
  if (typeof id !== 'string' || id === '' || id === run.request?.[getIdField(operation)]) return true;
  findings.addDrift(operation.name, 'OTHER_RECORD', 'returns a record with another ID than requested');
  return false;
}

/** Checks that the rows of covering lists are complete records. */
export async function probeCoveringLists(context: ProbeContext): Promise<void> {
  for (const get of listGets(context))
    if (get.operation.cover && isRequestedRecord(context, get)) await probeCompleteness(context, get.operation, ...get.member);
}

/** Checks the responses to unknown IDs, and the rows of lists that aren't the covering list of a get. */
export async function probeRecords(context: ProbeContext): Promise<void> {
  const gets = listGets(context).filter((get) => isRequestedRecord(context, get));
  for (const get of gets) await probeUnknownId(context, get);
  for (const { operation, member } of gets) if (!operation.cover) await probeCompleteness(context, operation, ...member);
}

/** Compares the rows of lists without a get with other responses: reports fields that all rows of a list lack, but that the same message has elsewhere. */
export function checkRows({ caller, evidence, findings, runs }: ProbeContext): void {
  for (const { operation, response: body } of runs) {
    const { name, page, response } = operation;
    const message = response.fields[page?.items ?? '']?.message;
    const rows = (body && getRows(operation, body)) ?? [];
    if (!message || rows.length === 0 || findings.compared.has(name) || findings.uncovered.has(name) || caller.hasNoCoveringList(operation))
      continue;
    const missing = Object.keys(message.fields).filter(
      (field) => evidence.isAlwaysWritten(message, field) && rows.every((row) => row[field] === undefined),
    );
    if (missing.length === 0) continue;
    findings.addDrift(name, 'SUMMARY_ROWS', `rows lack ${missing.join(', ')}, which other responses contain`);
    findings.uncovered.add(name);
  }
}
