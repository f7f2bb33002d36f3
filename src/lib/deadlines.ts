/** A wait with a deadline. */
export interface HasDeadline {
  /** A value of performance.now(). */
  readonly deadline: number;
}

/** Enforces the deadlines of many waits with a single timer: every call has a deadline, thousands can be in flight or queued, and few ever reach it. */
export class Deadlines<Item extends HasDeadline> {
  readonly #items: () => Iterable<Item>;
  readonly #end: (item: Item) => void;
  /** When to check all items next: a value of performance.now(). */
  #nextCheckAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `items` returns the items that are still waiting. `end` ends an item whose deadline has passed. */
  constructor(items: () => Iterable<Item>, end: (item: Item) => void) {
    this.#items = items;
    this.#end = end;
  }

  /** Ensures that the items are checked at the deadline of this one. */
  watch({ deadline }: HasDeadline): void {
    if (deadline >= this.#nextCheckAt) return;
    clearTimeout(this.#timer);
    this.#nextCheckAt = deadline;
    this.#timer = setTimeout(() => this.#checkExpired(), Math.max(0, deadline - performance.now()));
    // The pending operations themselves keep the process alive.
    this.#timer.unref();
  }

  #checkExpired(): void {
    this.#nextCheckAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const item of [...this.#items()]) {
      if (item.deadline > now) this.watch(item);
      else this.#end(item);
    }
  }
}
