/** A wait with a deadline. */
export interface Due {
  /** By performance.now(). */
  readonly lateAt: number;
}

/** Enforces the deadlines of many waits with a single timer: every call has a deadline, thousands can be in flight or queued, and few ever reach it. */
export class Deadlines<Item extends Due> {
  readonly #items: () => Iterable<Item>;
  readonly #end: (item: Item) => void;
  /** When to check all items next, by performance.now(). */
  #looksAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `items` returns the items that are still waiting. `end` ends an item whose deadline has passed. */
  constructor(items: () => Iterable<Item>, end: (item: Item) => void) {
    this.#items = items;
    this.#end = end;
  }

  /** Ensures that the items are checked at the deadline of this one. */
  watch({ lateAt }: Due): void {
    if (lateAt >= this.#looksAt) return;
    clearTimeout(this.#timer);
    this.#looksAt = lateAt;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, lateAt - performance.now()));
    // The pending operations themselves keep the process alive.
    this.#timer.unref();
  }

  #look(): void {
    this.#looksAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const item of [...this.#items()]) {
      if (item.lateAt > now) this.watch(item);
      else this.#end(item);
    }
  }
}
