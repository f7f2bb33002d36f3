/** A link of a chain; in no more than one at a time. */
export interface Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * Doubly linked list, in the order in which items came; each may leave at no cost. Not a Set, where the list lives as long as the process and its items change
 * with every call: each table that a Set outgrows refers to the next, and once a table is old, minor garbage collections keep all that come after it, with
 * all that was in them.
 */
export class Chain<Item extends Linked<Item>> implements Iterable<Item> {
  #first: Item | undefined;
  #last: Item | undefined;

  get first(): Item | undefined {
    return this.#first;
  }

  get last(): Item | undefined {
    return this.#last;
  }

  add(item: Item): void {
    item.previous = this.#last;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Removes an item; one that is not in the chain is left as it is. */
  remove(item: Item): void {
    const { previous, next } = item;
    if (!previous && this.#first !== item) return;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    // An item that has left must not keep the others in memory.
    item.previous = undefined;
    item.next = undefined;
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let item = this.#first; item; item = item.next) yield item;
  }
}
