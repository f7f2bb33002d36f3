/** What goes wrong with a call. */
export interface Fault {
  /** `Quote/ConfirmQuote`, or `*` for every operation. */
  readonly operation: string;
  /** Waits before the call is handled. */
  readonly latencyMs?: number;
  /** Answers this status instead of handling the call. 429 and 503 carry Retry-After. */
  readonly status?: number;
  /** The body that goes with `status`, or that replaces the true answer when there is no `status`. Any text. */
  readonly body?: string;
  readonly contentType?: string;
  /** Seconds, in Retry-After. */
  readonly retryAfter?: number;
  /** Closes the connection: before the call is handled, or after it took effect. */
  readonly cut?: 'before' | 'after';
  /** How many calls it hits; all when absent. */
  readonly times?: number;
}

/** The faults in force, and how often each may still strike. */
export class Faults {
  #armed: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#armed = [];
  }

  /** The first fault that applies, used up by one. */
  take(operation: string): Fault | undefined {
    const entry = this.#armed.find(({ fault, left }) => left > 0 && (fault.operation === operation || fault.operation === '*'));
    if (!entry) return undefined;
    entry.left -= 1;
    return entry.fault;
  }
}
