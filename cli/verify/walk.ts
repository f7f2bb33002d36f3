import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { toPlural } from '../../src/lib/words.ts';
import { findKnownCode } from '../../src/upstream/calls/errorBody.ts';
import { redactName } from '../../src/upstream/contract/comparison.ts';
import type { MessageField, MessageFields } from '../../src/upstream/contract/fields.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import { getServiceName } from '../../src/upstream/contract/overlay.ts';
import type { Caller, CallResult, UnreachedReason } from './caller.ts';
import type { Evidence } from './evidence.ts';
import type { Pool } from './pool.ts';
import { createRequests } from './requests.ts';
import { normalizeName } from './sharedRenames.ts';

/** How a response differs from the envelope in the contract. */
interface ResponseMismatch {
  /** Wire names of members that have another name, by their name in the contract. Empty if an overlay can't correct the difference. */
  readonly renames: Readonly<Record<string, string>>;
  /** Description of the difference, without values. */
  readonly difference: string;
}

/** Whether a value can be an object of a message: at least half of its members have names of the message, ignoring case and underscores. */
function resembles(value: unknown, { fields }: MessageFields): boolean {
  if (!isJsonObject(value)) return false;
  const known = new Set(Object.keys(fields).map(normalizeName));
  const names = Object.keys(value);
  return names.length > 0 && names.filter((name) => known.has(normalizeName(name))).length * 2 >= names.length;
}

function canBeField(value: unknown, { message, list }: MessageField): boolean {
  if (!message) return false;
  // An empty list fits every list field. It only counts as a match if it's the only candidate.
  return list ? Array.isArray(value) && value.every((each) => resembles(each, message)) : resembles(value, message);
}

/** The members of a response that contain the requested record or rows. */
const listDataMembers = ({ page, response }: AnyOperation): readonly string[] =>
  page ? [page.items] : Object.entries(response.fields).flatMap(([name, { message, list }]) => (message && !list ? [name] : []));

/** Null means the same as absence. */
const isPresent = (body: JsonObject, name: string) => body[name] !== undefined && body[name] !== null;

const isErrorBody = (body: JsonObject) => findKnownCode(body) !== null || isJsonObject(body.error) || body.success === false;

function findRenames({ response }: AnyOperation, body: JsonObject, unknown: readonly string[]): Record<string, string> {
  const absent = Object.entries(response.fields).filter(([name, { message }]) => message && !isPresent(body, name));
  const renames: Record<string, string> = {};
  for (const [name, field] of absent) {
    const fitting = unknown.filter((other) => redactName(other) === other && canBeField(body[other], field));
    const [only] = fitting.filter((other) => normalizeName(other) === normalizeName(name)).concat(fitting.length === 1 ? fitting : []);
    if (only !== undefined && !Object.values(renames).includes(only)) renames[name] = only;
  }
  return renames;
}

/** Checks that a successful response contains the record or rows that the contract specifies. Null if it does, or if there is nothing to compare. */
function findMismatch(operation: AnyOperation, body: JsonObject): ResponseMismatch | null {
  const { fields } = operation.response;
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(fields, name));
  const names = listDataMembers(operation);
  if (unknown.length === 0 || names.length === 0) return null;
  const renames = findRenames(operation, body, unknown);
  if (Object.keys(renames).length > 0) return { renames, difference: '' };
  if (names.some((name) => isPresent(body, name))) return null;
  const expected = names.join(' or ');
  if (isErrorBody(body)) return { renames, difference: `an error with a success status instead of ${expected}` };
  const outer = unknown.find((name) => isJsonObject(body[name]) && names.some((inner) => inner in (body[name] as JsonObject)));
  if (outer !== undefined) return { renames, difference: `${expected} is nested in ${redactName(outer)}` };
  const isBareRecord = names.some((name) => !fields[name]?.list && resembles(body, fields[name]?.message as MessageFields));
  return {
    renames,
    difference: isBareRecord
      ? `the record itself instead of an object with ${expected}`
      : `${expected} is missing, but unknown fields are present`,
  };
}

/** Requests per operation, with different IDs, until one returns rows. Chosen: enough to find an owner that has rows. */
const MAX_TRIES = 5;

/** Requests of an operation, and the first response with rows or a record. */
export interface OperationRun {
  readonly operation: AnyOperation;
  readonly requests: Set<string>;
  request: Readonly<Record<string, unknown>> | null;
  response: JsonObject | null;
  status: number | null;
  /** Reason why the last call failed, and its details. */
  reason: UnreachedReason;
  detail: string | null;
}

/** The rows of a response. Null for operations without rows. */
export function getRows({ page }: AnyOperation, response: JsonObject): readonly JsonObject[] | null {
  const rows = page && response[page.items];
  return Array.isArray(rows) ? rows.filter(isJsonObject) : null;
}

/** Whether a response contains data: rows, a record, or a string if the operation returns nothing else. */
function hasData(operation: AnyOperation, response: JsonObject): boolean {
  const rows = getRows(operation, response);
  if (rows !== null && rows.length > 0) return true;
  const members = Object.entries(operation.response.fields);
  if (members.every(({ 1: { message } }) => !message))
    return members.some(([name]) => typeof response[name] === 'string' && response[name] !== '');
  return members.some(([name, { message, list }]) => message && !list && isJsonObject(response[name]));
}

/** Whether a request refers to a record, so that a 404 can mean that the record is missing. */
const hasRecordId = ({ request }: AnyOperation) =>
  Object.values(request.fields).some(({ required, refers }) => required && refers !== undefined) || request.exactlyOne !== undefined;

/** Other names that a service can have in paths, most likely first. */
function listNameCandidates(service: string): readonly string[] {
  const plural = toPlural(service);
  const names = new Set([plural, `${service}Service`, `${plural}Service`, `Public${service}`]);
  names.delete(service);
  return [...names];
}

/** Operations without any response before the run is aborted. Chosen: each can take as long as the timeout. */
const MAX_SILENT = 3;

export interface WalkOptions {
  readonly caller: Caller;
  readonly evidence: Evidence;
  readonly pool: Pool;
  readonly operations: readonly AnyOperation[];
  readonly nowMs: () => number;
}

/** Sends the reads of the contract breadth-first: those without IDs, then those that use the returned IDs, and so on. */
export class Walk {
  readonly #options: WalkOptions;
  readonly runs: readonly OperationRun[];
  /** Other names of services in paths that a response confirmed. */
  readonly services = new Map<string, string>();
  /** Other names of fields that contain rows or records, by message and by their name in the contract. */
  readonly misnamed = new Map<string, Readonly<Record<string, string>>>();
  /** Services that have responded, and those for which every name failed. */
  readonly #respondingServices = new Set<string>();
  readonly #failedServices = new Set<string>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.runs = options.operations.map((operation) => ({
      operation,
      requests: new Set(),
      request: null,
      response: null,
      status: null,
      reason: 'NO_DATA',
      detail: null,
    }));
  }

  async run(): Promise<void> {
    for (let hasProgress = true; hasProgress; ) {
      hasProgress = false;
      // One request per operation and round, so that no operation exhausts the budget before the others have been sent.
      for (const run of this.runs) {
        if (this.#isSilent) return;
        if (run.response === null && (await this.#step(run))) hasProgress = true;
      }
    }
  }

  get #isSilent(): boolean {
    const started = this.runs.filter((run) => run.requests.size > 0);
    return started.length >= MAX_SILENT && started.every(({ status, response }) => status === null && response === null);
  }

  /** Services that have responded, by any name. */
  get respondingServices(): ReadonlySet<string> {
    return this.#respondingServices;
  }

  /** Sends a request that wasn't sent yet. False if there is none. */
  async #step(run: OperationRun): Promise<boolean> {
    const { pool, nowMs, caller } = this.#options;
    const { operation, requests } = run;
    if (requests.size >= MAX_TRIES) return false;
    const request = createRequests(caller.applyCorrections(operation), pool, nowMs()).find((each) => !requests.has(JSON.stringify(each)));
    if (!request) return false;
    requests.add(JSON.stringify(request));
    const result = await this.#sendWithCorrections(operation, request);
    if (!('response' in result)) {
      // The record may be missing. Without a record in the request, the operation is.
      run.reason = result.isMissing && hasRecordId(operation) ? 'NO_DATA' : result.reason;
      run.status = result.status;
      run.detail = result.detail;
      return true;
    }
    this.#respondingServices.add(getServiceName(operation.name));
    this.#collect(operation, result.response);
    run.status = result.status;
    if (hasData(operation, result.response)) {
      run.request = request;
      run.response = result.response;
    } else run.reason = 'NO_DATA';
    return true;
  }

  /** Sends a request. Sends it again with corrected field names if the response reveals them. */
  async #sendWithCorrections(operation: AnyOperation, request: object): Promise<CallResult> {
    const result = await this.#sendByAnyName(operation, request);
    if (!('response' in result)) return result;
    const mismatch = findMismatch(operation, result.response);
    if (!mismatch) return result;
    const { renames, difference } = mismatch;
    if (Object.keys(renames).length === 0) {
      this.#respondingServices.add(getServiceName(operation.name));
      return { reason: 'UNREADABLE', status: result.status, code: null, members: [], isMissing: false, detail: difference };
    }
    const { name } = operation.response;
    this.misnamed.set(name, { ...this.misnamed.get(name), ...renames });
    this.#options.caller.renameMembers(name, renames);
    return this.#sendByAnyName(operation, request);
  }

  #collect(operation: AnyOperation, response: JsonObject): void {
    this.#options.evidence.add(operation.response, response);
    this.#options.pool.add(operation.response, response);
  }

  /** Sends a request, and tries other names of the service if its path isn't served. */
  async #sendByAnyName(operation: AnyOperation, request: object): Promise<CallResult> {
    const { caller } = this.#options;
    const service = getServiceName(operation.name);
    const result = await caller.send(operation, request);
    if (
      'response' in result ||
      result.reason !== 'NOT_SERVED' ||
      this.#respondingServices.has(service) ||
      this.#failedServices.has(service)
    )
      return result;
    // The record may be missing, rather than the path.
    if (result.isMissing && hasRecordId(operation)) return result;
    for (const name of listNameCandidates(service)) {
      const other = await caller.send(operation, request, name);
      if (!('response' in other)) continue;
      caller.renameService(service, name);
      this.services.set(service, name);
      return other;
    }
    this.#failedServices.add(service);
    return result;
  }
}
