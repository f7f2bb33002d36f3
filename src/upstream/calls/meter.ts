import type { Reservation } from '../traffic/quota.ts';

/** Counts the upstream calls of one document, and bounds them. */
export class Meter {
  readonly limit: number;
  /** Calls that were sent, resends included. */
  sent = 0;
  /** Whether its caller has left, and may be left alone: nothing is read for it any more. */
  hasLeft = false;
  /** What is set aside for it. */
  reservation: Reservation | null = null;
  /** Calls that were sent or are about to be. */
  #claimed = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Makes room for one call; false when there is none. */
  claim(): boolean {
    if (this.#claimed >= this.limit) return false;
    this.#claimed += 1;
    return true;
  }

  /** Gives the room back: the call was not sent. */
  unclaim(): void {
    this.#claimed -= 1;
  }
}
