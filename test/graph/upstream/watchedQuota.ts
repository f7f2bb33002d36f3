import { setImmediate as turn } from 'node:timers/promises';
import { MemoryQuota, type QuotaKey, type Reservation, type Reserved } from '../../../src/upstream/traffic/quota.ts';

/** Counts events and resolves promises when a number of further events has occurred. */
class EventCount {
  #count = 0;
  #watches: { readonly at: number; readonly resolve: () => void }[] = [];

  add(): void {
    this.#count += 1;
    for (const { at, resolve } of this.#watches) if (this.#count >= at) resolve();
  }

  waitFor(times: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watches.push({ at: this.#count + times, resolve });
    return promise;
  }
}

/** A quota that reports the progress of requests. */
export class WatchedQuota extends MemoryQuota {
  readonly #requested = new EventCount();
  readonly #admitted = new EventCount();
  readonly #released = new EventCount();
  readonly #keys = new Map<string, QuotaKey>();

  override getBlockedMs(key: QuotaKey): number {
    this.#requested.add();
    return super.getBlockedMs(key);
  }

  override reserve(key: QuotaKey, calls: number, maxWaitMs: number, spare?: number): Reserved {
    this.#admitted.add();
    this.#keys.set(key.hash, key);
    return super.reserve(key, calls, maxWaitMs, spare);
  }

  override release(reservation: Reservation): void {
    this.#released.add();
    super.release(reservation);
  }

  /** Number of calls that are reserved for the operations of an API key. Undefined before the first one. */
  countReserved(keyHash: string): number | undefined {
    return this.#keys.get(keyHash)?.quota?.reserved;
  }

  /** Resolves when one more operation has finished or its client has disconnected. */
  waitForEnded(): Promise<void> {
    return this.#released.waitFor(1);
  }

  /** Resolves after the given number of further checks whether a key is blocked, the last step before a call acquires a permit or waits. */
  waitForChecked(times: number): Promise<void> {
    return this.#requested.waitFor(times);
  }

  /** Resolves when the given number of further operations have been admitted. */
  waitForAdmitted(times: number): Promise<void> {
    return this.#admitted.waitFor(times);
  }

  /** Resolves when one more operation has been admitted and has done everything that precedes waiting for a response. */
  async waitForStarted(): Promise<void> {
    await this.#admitted.waitFor(1);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}
