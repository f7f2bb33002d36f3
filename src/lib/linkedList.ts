/** A node of a linked list. It can be in one list at a time. */
export interface LinkedNode<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * Doubly linked list in insertion order, with removal in constant time. Used instead of a Set if the list lives as long as the process and changes with every
 * call: each table that a Set outgrows refers to the next one, and once a table is in the old generation, minor garbage collections retain all later tables
 * with everything that was in them.
 */
export class LinkedList<Item extends LinkedNode<Item>> implements Iterable<Item> {
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

  /** Removes an item. Does nothing if it isn't in the list. */
  remove(item: Item): void {
    const { previous, next } = item;
    if (!previous && this.#first !== item) return;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    // A removed item must not keep the others in memory.
    item.previous = undefined;
    item.next = undefined;
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let item = this.#first; item; item = item.next) yield item;
  }
}
