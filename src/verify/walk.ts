import type { AnyOperation } from '../upstream/contract/operation.ts';
import { serviceOf } from '../upstream/contract/overlay.ts';
import type { Caller, Reply, Unreached } from './caller.ts';
import { nameCandidates } from './candidates.ts';
import { misplacedIn } from './envelope.ts';
import type { Evidence } from './evidence.ts';
import { isObject, type Json } from './json.ts';
import type { Pool } from './pool.ts';
import { requestsFor } from './requests.ts';

/** Times that an operation is asked, with other ids each, until it answers rows. Ours. */
const MAX_TRIES = 5;

/** Course of an operation: the requests that it was asked with, and the first that was answered with rows, or a record. */
export interface Course {
  readonly operation: AnyOperation;
  readonly asked: Set<string>;
  request: Readonly<Record<string, unknown>> | null;
  answer: Json | null;
  status: number | null;
  /** Reason of the last call that was not answered, and more of it. */
  reason: Unreached;
  detail: string | null;
}

/** The rows of an answer; null for an operation that answers none. */
export function rowsIn({ page }: AnyOperation, answer: Json): readonly Json[] | null {
  const rows = page && answer[page.items];
  return Array.isArray(rows) ? rows.filter(isObject) : null;
}

/** Whether an answer shows what was asked for: rows, a record, or text of an operation that answers nothing else. */
function hasData(operation: AnyOperation, answer: Json): boolean {
  const rows = rowsIn(operation, answer);
  if (rows !== null && rows.length > 0) return true;
  const members = Object.entries(operation.response.fields);
  if (members.every(({ 1: { message } }) => !message))
    return members.some(([name]) => typeof answer[name] === 'string' && answer[name] !== '');
  return members.some(([name, { message, list }]) => message && !list && isObject(answer[name]));
}

/** Whether a request names a record, which may then be what is missing. */
const namesRecord = ({ request }: AnyOperation) =>
  Object.values(request.fields).some(({ required, refers }) => required && refers !== undefined) || request.exactlyOne !== undefined;

/** Whether the upstream, or the way to it, fell over: then a second try may go well. */
const hasFailed = ({ reason, status }: { readonly reason: Unreached; readonly status: number | null }) =>
  reason === 'ERROR' && (status === null || status >= 500);

/** Operations that are asked of an upstream that does not answer at all, before the run is given up. Ours: each may take until its time is over. */
const MAX_SILENT = 3;

export interface WalkOptions {
  readonly caller: Caller;
  readonly evidence: Evidence;
  readonly pool: Pool;
  readonly operations: readonly AnyOperation[];
  readonly nowMs: () => number;
  /** Further names that services may go by. */
  readonly serviceNames: Readonly<Record<string, readonly string[]>>;
}

/** Walks the reads of the contract breadth first: those that need no id, then those that the ids of their answers can be asked with, and so on. */
export class Walk {
  readonly #options: WalkOptions;
  readonly courses: readonly Course[];
  /** Names in paths that services turned out to go by. */
  readonly services = new Map<string, string>();
  /** Names of members that hold rows or records, by message and by the contract's name. */
  readonly misnamed = new Map<string, Readonly<Record<string, string>>>();
  /** Services that have answered by the name that they have; and those of which no name is left to try. */
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
      // Of each round everybody has one turn, so that no list uses the budget up before the next has been asked.
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

  /** Services that answer, by whichever name. */
  get answering(): ReadonlySet<string> {
    return this.#answering;
  }

  /** Asks once with a request that was not asked yet. False when there is none. */
  async #step(course: Course): Promise<boolean> {
    const { pool, nowMs, caller } = this.#options;
    const { operation, asked } = course;
    if (asked.size >= MAX_TRIES) return false;
    const request = requestsFor(caller.of(operation), pool, nowMs()).find((each) => !asked.has(JSON.stringify(each)));
    if (!request) return false;
    asked.add(JSON.stringify(request));
    const reply = await this.#askAgain(operation, request);
    if (!('answer' in reply)) {
      // A record may be what is not there; of an operation that names none, the operation is.
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

  /** Asks, once more where the upstream has failed, and once more by other names of members where its answer shows them. */
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

  #see(operation: AnyOperation, answer: Json): void {
    this.#options.evidence.add(operation.response, answer);
    this.#options.pool.add(operation.response, answer);
  }

  /** Asks, and looks for the service under other names where nothing answers to its own. */
  async #ask(operation: AnyOperation, request: object): Promise<Reply> {
    const { caller, serviceNames } = this.#options;
    const service = serviceOf(operation.name);
    const reply = await caller.ask(operation, request);
    if ('answer' in reply || reply.reason !== 'NOT_SERVED' || this.#answering.has(service) || this.#hopeless.has(service)) return reply;
    // The record may be what is not there.
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
