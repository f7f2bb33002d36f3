import type { HttpResponse } from './http.ts';

/**
 * A fault to inject into calls. At most one fault applies to a call: the first armed one that matches.
 *
 * A timeout at the start of processing is `latencyMs` with status 504. The upstream only documents that such a call can be retried; the status and the code
 * `deadline_exceeded` are chosen. At that point, nothing has happened, whereas `cut: 'after'` loses the response of a call that took effect.
 */
export interface Fault {
  /** Name of the operation, such as `Quote/ConfirmQuote`, or `*` for all operations. */
  readonly operation: string;
  /** API key of the calls that it applies to. Defaults to all. */
  readonly key?: string;
  /** Request ID of a request to the graph, whose calls it applies to. The graph appends a dot and a number for each call. Defaults to all. */
  readonly requestId?: string;
  /** Delays the call before it's handled. The call continues even if the client disconnects in the meantime. */
  readonly latencyMs?: number;
  /** Returns this status instead of handling the call. */
  readonly status?: number;
  /** Body to return with `status`. Without `status`, it replaces the body of the real response, including errors. Can be any text. */
  readonly body?: string;
  readonly contentType?: string;
  /** Seconds, sent as Retry-After with `status`. */
  readonly retryAfter?: number;
  /** Resets the connection, either before the call is handled or after it took effect. */
  readonly cut?: 'before' | 'after';
  /** Number of calls that the fault applies to. Defaults to all. */
  readonly times?: number;
}

/** Where a call comes from. Members are null if the call has none. */
export interface CallSource {
  readonly key: string | null;
  /** Request ID of the call. */
  readonly requestId: string | null;
}

/** Whether a call belongs to the request to the graph with this ID. */
export const belongsTo = ({ requestId }: CallSource, graphRequestId: string): boolean =>
  requestId?.startsWith(`${graphRequestId}.`) ?? false;

const matches = (fault: Fault, operation: string, source: CallSource): boolean =>
  (fault.operation === operation || fault.operation === '*') &&
  (fault.key === undefined || fault.key === source.key) &&
  (fault.requestId === undefined || belongsTo(source, fault.requestId));

/** A fault that still applies to calls. */
export interface ArmedFault {
  readonly fault: Fault;
  /** Number of calls that it still applies to. Null if unlimited. */
  readonly left: number | null;
}

/** The armed faults, with the number of calls that each still applies to. */
export class Faults {
  #armed: ArmedFault[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, left: fault.times ?? null });
  }

  /** Stops a fault from applying to further calls. */
  remove(fault: Fault): void {
    this.#armed = this.#armed.filter((armed) => armed.fault !== fault);
  }

  clear(): void {
    this.#armed = [];
  }

  /** In the order in which the faults were armed. */
  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** The first fault that applies, after counting one use of it. */
  useNext(operation: string, source: CallSource): Fault | undefined {
    const index = this.#armed.findIndex(({ fault }) => matches(fault, operation, source));
    const entry = this.#armed[index];
    if (!entry) return undefined;
    if (entry.left === 1) this.#armed = this.#armed.toSpliced(index, 1);
    else if (entry.left !== null) this.#armed = this.#armed.with(index, { ...entry, left: entry.left - 1 });
    return entry.fault;
  }
}

const CODES: Readonly<Record<number, string>> = {
  408: 'deadline_exceeded',
  429: 'resource_exhausted',
  500: 'internal',
  504: 'deadline_exceeded',
};

/** The response that replaces the handling of a call. */
export function createFaultResponse(status: number, { retryAfter }: Fault): HttpResponse {
  const code = CODES[status] ?? 'unavailable';
  return {
    status,
    body: JSON.stringify({ code, message: 'Injected fault. Nothing was executed; the call can be retried.', details: [] }),
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}

/** The response with the fault's body and content type. */
export const applyFault = (reply: HttpResponse, { body = reply.body, contentType }: Fault): HttpResponse => ({
  status: reply.status,
  body,
  headers: contentType === undefined ? reply.headers : { ...reply.headers, 'content-type': contentType },
});
