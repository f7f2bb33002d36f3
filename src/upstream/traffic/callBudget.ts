import type { Admission } from './admission.ts';

/** A request's budget of upstream calls. */
export class CallBudget {
  readonly limit: number;
  /** Number of attempts that were sent, including retries. */
  sent = 0;
  /** Whether the client has disconnected, so that nothing more is read for it. */
  isDisconnected = false;
  /** Admission to the quota of its key. Null if the request needs none. */
  admission: Admission | null = null;
  /** Calls that the operation has requested, including those that were coalesced. */
  requested = 0;
  /** Predicted number of values in the request's response. */
  values = 0;
  /** Number of calls that the operation is expected to send, based on earlier executions. */
  expectedCalls = 1;
  /** Turn of the event loop in which the request was last resumed, and the turn that it waits for. See `Turns`. */
  resumedIn = 0;
  turn: Promise<void> | null = null;
  #counted = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts a call that is about to be sent. False if the budget is exhausted. */
  tryConsume(): boolean {
    if (this.#counted >= this.limit) return false;
    this.#counted += 1;
    return true;
  }

  /** Whether the operation may request more calls than it has so far. */
  get mayCallAgain(): boolean {
    return this.requested < (this.admission?.predicted ?? Number.POSITIVE_INFINITY);
  }

  /** Average number of values that the response to one call resolves. */
  get valuesPerCall(): number {
    return this.values / (this.mayCallAgain ? this.expectedCalls : this.requested);
  }

  /** Calls that were sent or are about to be. */
  get counted(): number {
    return this.#counted;
  }

  /** Number of calls that can still be counted. */
  get left(): number {
    return this.limit - this.#counted;
  }

  /** Releases a call that was counted but not sent. */
  release(): void {
    this.#counted -= 1;
  }
}
