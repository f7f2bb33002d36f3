/** A wait that has to end by a moment. */
export interface Due {
  /** By performance.now(). */
  readonly lateAt: number;
}

/** Deadlines of many waits, with a single timer: every call has a deadline, thousands may be under way or queue, and hardly any of them comes to it. */
export class Deadlines<Item extends Due> {
  readonly #items: () => Iterable<Item>;
  readonly #end: (item: Item) => void;
  /** When to look at all of them next, by performance.now(). */
  #looksAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `items` are those that have not ended, `end` ends one of them. */
  constructor(items: () => Iterable<Item>, end: (item: Item) => void) {
    this.#items = items;
    this.#end = end;
  }

  /** Has another one looked at when it is late. */
  watch({ lateAt }: Due): void {
    if (lateAt >= this.#looksAt) return;
    clearTimeout(this.#timer);
    this.#looksAt = lateAt;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, lateAt - performance.now()));
    // The process is kept alive by the things that are waited for.
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
