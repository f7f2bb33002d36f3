import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { serviceOf } from '../upstream/contract/overlay.ts';
import type { Caller, Reply, Unreached } from './caller.ts';
import { nameCandidates } from './candidates.ts';
import { misplacedIn } from './envelope.ts';
import type { Evidence } from './evidence.ts';
import type { Pool } from './pool.ts';
import { requestsFor } from './requests.ts';

/** Requests per operation, with different IDs, until one returns rows. Chosen: enough to find an owner that has rows. */
const MAX_TRIES = 5;

/** Requests of an operation, and the first one that returned rows or a record. */
export interface Course {
  readonly operation: AnyOperation;
  readonly asked: Set<string>;
  request: Readonly<Record<string, unknown>> | null;
  answer: JsonObject | null;
  status: number | null;
  /** Reason why the last call failed, and its details. */
  reason: Unreached;
  detail: string | null;
}

/** The rows of a response; null for operations that return none. */
export function rowsIn({ page }: AnyOperation, answer: JsonObject): readonly JsonObject[] | null {
  const rows = page && answer[page.items];
  return Array.isArray(rows) ? rows.filter(isJsonObject) : null;
}

/** Whether a response contains data: rows, a record, or text if the operation returns nothing else. */
function hasData(operation: AnyOperation, answer: JsonObject): boolean {
  const rows = rowsIn(operation, answer);
  if (rows !== null && rows.length > 0) return true;
  const members = Object.entries(operation.response.fields);
  if (members.every(({ 1: { message } }) => !message))
    return members.some(([name]) => typeof answer[name] === 'string' && answer[name] !== '');
  return members.some(([name, { message, list }]) => message && !list && isJsonObject(answer[name]));
}

/** Whether a request refers to a record, which can then be what is missing. */
const namesRecord = ({ request }: AnyOperation) =>
  Object.values(request.fields).some(({ required, refers }) => required && refers !== undefined) || request.exactlyOne !== undefined;

/** Whether the upstream or the connection failed, so that a retry can succeed. */
const hasFailed = ({ reason, status }: { readonly reason: Unreached; readonly status: number | null }) =>
  reason === 'ERROR' && (status === null || status >= 500);

/** Operations without any response before the run is aborted. Chosen: each can take until its timeout. */
const MAX_SILENT = 3;

export interface WalkOptions {
  readonly caller: Caller;
  readonly evidence: Evidence;
  readonly pool: Pool;
  readonly operations: readonly AnyOperation[];
  readonly nowMs: () => number;
  /** Other names of services to try. */
  readonly serviceNames: Readonly<Record<string, readonly string[]>>;
}

/** Sends the reads of the contract breadth-first: those without IDs, then those that use the returned IDs, and so on. */
export class Walk {
  readonly #options: WalkOptions;
  readonly courses: readonly Course[];
  /** Other names of services in paths that were found. */
  readonly services = new Map<string, string>();
  /** Other names of fields that contain rows or records, by message and by their name in the contract. */
  readonly misnamed = new Map<string, Readonly<Record<string, string>>>();
  /** Services that have responded, and those for which all names failed. */
  readonly #answering = new Set<string>();
  readonly #hopeless = new Set<string>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.courses = options.operations.map((operation) => ({
      operation,
      asked: new Set(),
      request: null,
      answer: null,
      status: null,
      reason: 'NO_DATA',
      detail: null,
    }));
  }

  async run(): Promise<void> {
    for (let isMoving = true; isMoving; ) {
      isMoving = false;
      // One request per operation and round, so that no operation exhausts the budget before the others have been sent.
      for (const course of this.courses) {
        if (this.#isSilent) return;
        if (course.answer === null && (await this.#step(course))) isMoving = true;
      }
    }
  }

  get #isSilent(): boolean {
    const asked = this.courses.filter((course) => course.asked.size > 0);
    return asked.length >= MAX_SILENT && asked.every(({ status, answer }) => status === null && answer === null);
  }

  /** Services that have responded, by any name. */
  get answering(): ReadonlySet<string> {
    return this.#answering;
  }

  /** Sends a request that wasn't sent yet. False if there is none. */
  async #step(course: Course): Promise<boolean> {
    const { pool, nowMs, caller } = this.#options;
    const { operation, asked } = course;
    if (asked.size >= MAX_TRIES) return false;
    const request = requestsFor(caller.of(operation), pool, nowMs()).find((each) => !asked.has(JSON.stringify(each)));
    if (!request) return false;
    asked.add(JSON.stringify(request));
    const reply = await this.#askAgain(operation, request);
    if (!('answer' in reply)) {
      // The record can be missing; without a record in the request, the operation is.
      course.reason = reply.isMissing && namesRecord(operation) ? 'NO_DATA' : reply.reason;
      course.status = reply.status;
      course.detail = reply.detail;
      return true;
    }
    this.#answering.add(serviceOf(operation.name));
    this.#see(operation, reply.answer);
    course.status = reply.status;
    if (hasData(operation, reply.answer)) {
      course.request = request;
      course.answer = reply.answer;
    } else course.reason = 'NO_DATA';
    return true;
  }

  /** Sends a request, again if the upstream failed, and again with other names of fields if the response shows them. */
  async #askAgain(operation: AnyOperation, request: object): Promise<Reply> {
    let reply = await this.#ask(operation, request);
    if ('reason' in reply && hasFailed(reply)) reply = await this.#ask(operation, request);
    if (!('answer' in reply)) return reply;
    const misplaced = misplacedIn(operation, reply.answer);
    if (!misplaced) return reply;
    const { renames, told } = misplaced;
    if (Object.keys(renames).length === 0) {
      this.#answering.add(serviceOf(operation.name));
      return { reason: 'UNREADABLE', status: reply.status, code: null, members: [], isMissing: false, detail: told };
    }
    const { name } = operation.response;
    this.misnamed.set(name, { ...this.misnamed.get(name), ...renames });
    this.#options.caller.renameMembers(name, renames);
    return this.#ask(operation, request);
  }

  #see(operation: AnyOperation, answer: JsonObject): void {
    this.#options.evidence.add(operation.response, answer);
    this.#options.pool.add(operation.response, answer);
  }

  /** Sends a request, and tries other names of the service if nothing responds to its own. */
  async #ask(operation: AnyOperation, request: object): Promise<Reply> {
    const { caller, serviceNames } = this.#options;
    const service = serviceOf(operation.name);
    const reply = await caller.ask(operation, request);
    if ('answer' in reply || reply.reason !== 'NOT_SERVED' || this.#answering.has(service) || this.#hopeless.has(service)) return reply;
    // The record can be what is missing.
    if (reply.isMissing && namesRecord(operation)) return reply;
    for (const name of nameCandidates(service, serviceNames[service] ?? [])) {
      const other = await caller.ask(operation, request, name);
      if (!('answer' in other)) continue;
      caller.rename(service, name);
      this.services.set(service, name);
      return other;
    }
    this.#hopeless.add(service);
    return reply;
  }
}
