import type { Reply } from './http.ts';

/**
 * A failure to strike calls with. A call is struck by one fault at most: the first armed among those that apply.
 *
 * A timeout at the start of processing is `latencyMs` with status 504: the upstream only says that its answer may be repeated, and
 * the status and the code `deadline_exceeded` are our choice. Nothing has happened by then, whereas `cut: 'after'` loses the answer
 * to something that has.
 */
export interface Fault {
  /** `Quote/ConfirmQuote`, or `*` for every operation. */
  readonly operation: string;
  /** Waits before the call is handled. The call goes on when its client has left meanwhile. */
  readonly latencyMs?: number;
  /** Answers this status instead of handling the call. */
  readonly status?: number;
  /** The body that goes with `status`, or that replaces the true answer's, refusals too, when there is no `status`. Any text. */
  readonly body?: string;
  readonly contentType?: string;
  /** Seconds, sent as Retry-After with `status`. */
  readonly retryAfter?: number;
  /** Resets the connection: before the call is handled, or after it took effect. */
  readonly cut?: 'before' | 'after';
  /** How many calls it hits; all when absent. */
  readonly times?: number;
}

/** A fault that may still strike. */
export interface ArmedFault {
  readonly fault: Fault;
  /** How many more calls it hits; null when there is no end to it. */
  readonly left: number | null;
}

/** The faults in force, and how often each may still strike. */
export class Faults {
  #armed: ArmedFault[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, left: fault.times ?? null });
  }

  clear(): void {
    this.#armed = [];
  }

  /** In the order in which they were armed. */
  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** The first fault that applies, used up by one. */
  take(operation: string): Fault | undefined {
    const index = this.#armed.findIndex(({ fault }) => fault.operation === operation || fault.operation === '*');
    const entry = this.#armed[index];
    if (!entry) return undefined;
    if (entry.left === 1) this.#armed = this.#armed.toSpliced(index, 1);
    else if (entry.left !== null) this.#armed = this.#armed.with(index, { ...entry, left: entry.left - 1 });
    return entry.fault;
  }
}

const CODES: Readonly<Record<number, string>> = { 408: 'deadline_exceeded', 429: 'resource_exhausted', 504: 'deadline_exceeded' };

/** The reply that stands in for the handling of a call. */
export function standIn(status: number, { retryAfter }: Fault): Reply {
  const code = CODES[status] ?? 'unavailable';
  return {
    status,
    body: JSON.stringify({ code, message: 'Injected fault. Nothing was executed; the call can be retried.', details: [] }),
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}

/** The reply as the fault leaves it. */
export const spoilt = (reply: Reply, { body = reply.body, contentType }: Fault): Reply => ({
  status: reply.status,
  body,
  headers: contentType === undefined ? reply.headers : { ...reply.headers, 'content-type': contentType },
});
