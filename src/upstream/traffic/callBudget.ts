import type { Admission } from './admission.ts';

/** Budget of a request: the upstream calls that it may make, and those that it has made. */
export class CallBudget {
  readonly limit: number;
  /** Calls that were sent, resends included. */
  sent = 0;
  /** Whether the caller of the request has left, and nothing is read for it any more. */
  isDisconnected = false;
  /** Admission to the quota of its key. Null if the request needs none. */
  admission: Admission | null = null;
  /** Calls that the operation has requested, including those that were coalesced. */
  requested = 0;
  /** Predicted number of values in the request's response. */
  values = 0;
  /** Number of calls that earlier executions of the operation suggest. */
  expectedCalls = 1;
  /** Turn of the event loop in which the request was last resumed, and that which it waits for. See `Turns`. */
  resumedIn = 0;
  turn: Promise<void> | null = null;
  #counted = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts a call that is about to be sent; false when the budget is used up. */
  tryConsume(): boolean {
    if (this.#counted >= this.limit) return false;
    this.#counted += 1;
    return true;
  }

  /** Whether the operation may request more calls than it has so far. */
  get mayCallAgain(): boolean {
    return this.requested < (this.admission?.predicted ?? Number.POSITIVE_INFINITY);
  }

  /** Values that the response to one call resolves, on average. */
  get valuesPerCall(): number {
    return this.values / (this.mayCallAgain ? this.expectedCalls : this.requested);
  }

  /** Calls that were sent or are about to be. */
  get counted(): number {
    return this.#counted;
  }

  /** Calls that may still be counted. */
  get left(): number {
    return this.limit - this.#counted;
  }

  /** Gives a call back that was counted and was not sent. */
  release(): void {
    this.#counted -= 1;
  }
}
