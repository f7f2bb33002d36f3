import type { Reservation } from './quota.ts';

/** Budget of a request: the upstream calls that it may make, and those that it has made. */
export class CallBudget {
  readonly limit: number;
  /** Calls that were sent, resends included. */
  sent = 0;
  /** Whether the caller of the request has left, and nothing is read for it any more. */
  isDisconnected = false;
  /** Calls that are set aside for the request in the quota of its key. */
  reservation: Reservation | null = null;
  /** Calls that were sent or are about to be. */
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

  /** Calls that may still be counted. */
  get left(): number {
    return this.limit - this.#counted;
  }

  /** Gives a call back that was counted and was not sent. */
  release(): void {
    this.#counted -= 1;
  }
}
