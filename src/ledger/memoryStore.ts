import type { LedgerEntry, LedgerStore } from './ledger.ts';

/** How long an entry is kept, in milliseconds: a day, as Stripe and Shopify keep theirs. */
const TTL_MS = 24 * 60 * 60 * 1000;
/** Entries held at a time. Ours: past it the oldest that succeeded go; unknown outcomes stay, since repeating those is the greater harm. */
const MAX_ENTRIES = 100_000;

/** Keeps the ledger in this process: it forgets when the process ends, and two processes do not see each other's entries. */
export class MemoryLedgerStore implements LedgerStore {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async claim(ids: readonly string[], entry: LedgerEntry): Promise<LedgerEntry | undefined> {
    this.#sweep();
    const found = ids.map((id) => this.#entries.get(id)).find((each) => each !== undefined);
    if (!found) await this.settle(ids, entry);
    return found;
  }

  async settle(ids: readonly string[], entry: LedgerEntry): Promise<void> {
    for (const id of ids) this.#entries.set(id, entry);
  }

  async release(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#entries.delete(id);
  }

  /** Entries lie in the order they were made, so the old ones come first. */
  #sweep(): void {
    for (const [id, { state, startedAt }] of this.#entries) {
      const isOld = this.#now() - startedAt.getTime() > TTL_MS;
      if (!isOld && this.#entries.size < MAX_ENTRIES) return;
      if (state === 'SUCCEEDED' || (isOld && state === 'UNKNOWN')) this.#entries.delete(id);
    }
  }
}
