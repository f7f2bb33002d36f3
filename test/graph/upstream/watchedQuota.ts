import { setImmediate as turn } from 'node:timers/promises';
import { MemoryQuota, type Reservation, type Reserved } from '../../../src/upstream/traffic/quota.ts';

/** Tells when something has happened so many times more. */
class Count {
  #count = 0;
  #watches: { readonly at: number; readonly resolve: () => void }[] = [];

  add(): void {
    this.#count += 1;
    for (const { at, resolve } of this.#watches) if (this.#count >= at) resolve();
  }

  more(times: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watches.push({ at: this.#count + times, resolve });
    return promise;
  }
}

/** A quota that tells how far requests have come. */
export class WatchedQuota extends MemoryQuota {
  readonly #asked = new Count();
  readonly #admitted = new Count();
  readonly #released = new Count();

  override getBlockedMs(keyHash: string): number {
    this.#asked.add();
    return super.getBlockedMs(keyHash);
  }

  override reserve(keyHash: string, calls: number, maxWaitMs: number, spare?: number): Reserved {
    this.#admitted.add();
    return super.reserve(keyHash, calls, maxWaitMs, spare);
  }

  override release(reservation: Reservation): void {
    this.#released.add();
    super.release(reservation);
  }

  /** Fulfilled when one more document has ended, or its caller has left. */
  ended(): Promise<void> {
    return this.#released.more(1);
  }

  /** Fulfilled when it has been asked so many times more whether a call may go: the last thing before the call takes its turn, or waits for it. */
  asked(times: number): Promise<void> {
    return this.#asked.more(times);
  }

  /** Fulfilled when so many more documents have been admitted. */
  admitted(times: number): Promise<void> {
    return this.#admitted.more(times);
  }

  /** Fulfilled when one more document has been admitted, and has done all that it does before it waits for an answer. */
  async started(): Promise<void> {
    await this.#admitted.more(1);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}
