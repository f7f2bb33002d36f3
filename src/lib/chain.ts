/** What may stand in a chain, one at a time. */
export interface Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * What is there, in the order in which it came; each may leave at no cost. No Set, where there is one for as long as the process and its entries change with
 * every call: each table that a Set outgrows refers to the next, and once one of them is old, minor garbage collections keep all that come after, with
 * what was in them.
 */
export class Chain<Item extends Linked<Item>> implements Iterable<Item> {
  #first: Item | undefined;
  #last: Item | undefined;

  get first(): Item | undefined {
    return this.#first;
  }

  add(item: Item): void {
    item.previous = this.#last;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** What is not there is left as it is. */
  remove(item: Item): void {
    const { previous, next } = item;
    if (!previous && this.#first !== item) return;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    // What has left must not keep the others.
    item.previous = undefined;
    item.next = undefined;
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let item = this.#first; item; item = item.next) yield item;
  }
}
