import { Chain, type Linked } from './chain.ts';
import { type Clock, msLeftOf, type Span, spanOf, systemClock } from './clock.ts';

/** Bounds of a cache; each holds where it is given. */
export interface CacheBounds<Value> {
  /** Entries. */
  readonly entries?: number;
  /** Weight of all entries together, each as `weightOf` says when it is set: bytes or characters, say. */
  readonly weight?: { readonly max: number; readonly weightOf: (key: string, value: Value) => number };
  /** Milliseconds from when an entry is set, by the monotonic clock. */
  readonly ttlMs?: number;
}

export interface CacheOptions<Value> extends CacheBounds<Value> {
  readonly clock?: Clock;
  /** Told of each entry that had to make room for another one. */
  readonly onEvict?: (value: Value) => void;
}

interface Entry<Value> extends Linked<Entry<Value>> {
  readonly key: string;
  readonly value: Value;
  readonly weight: number;
  /** Null where entries have no time. */
  readonly kept: Span | null;
}

/**
 * Cache of what was used last (LRU). An entry that is heavier than all may be is not kept. The order of use is a chain and not that of the map: a read that
 * deletes and sets a key again would have the map grow a new table every so many reads.
 */
export class BoundedCache<Value extends {}> {
  readonly #options: CacheOptions<Value>;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<Value>>();
  /** The entry that was used last at the end. */
  readonly #order = new Chain<Entry<Value>>();
  #weight = 0;

  constructor(options: CacheOptions<Value>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.kept !== null && msLeftOf(entry.kept, this.#clock.monotonicMs()) === 0) {
      this.#remove(entry);
      return undefined;
    }
    if (this.#order.last !== entry) {
      this.#order.remove(entry);
      this.#order.add(entry);
    }
    return entry.value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const { weight: bound, ttlMs } = this.#options;
    const weight = bound ? bound.weightOf(key, value) : 0;
    if (bound && weight > bound.max) return;
    this.#makeRoom(weight);
    const kept = ttlMs === undefined ? null : spanOf(this.#clock.monotonicMs(), ttlMs);
    const entry: Entry<Value> = { key, value, weight, kept, previous: undefined, next: undefined };
    this.#entries.set(key, entry);
    this.#order.add(entry);
    this.#weight += weight;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#remove(entry);
  }

  /** Deletes the entries of which this holds. Looks at all of them. */
  deleteWhere(isOut: (value: Value) => boolean): void {
    for (const entry of [...this.#order]) if (isOut(entry.value)) this.#remove(entry);
  }

  /** The values, the one that was not used for longest first. */
  *values(): Iterable<Value> {
    for (const { value } of this.#order) yield value;
  }

  #makeRoom(added: number): void {
    const { entries = Number.POSITIVE_INFINITY, weight, onEvict } = this.#options;
    const maxWeight = weight?.max ?? Number.POSITIVE_INFINITY;
    for (let oldest = this.#order.first; oldest; oldest = this.#order.first) {
      if (this.#entries.size < entries && this.#weight + added <= maxWeight) return;
      this.#remove(oldest);
      onEvict?.(oldest.value);
    }
  }

  #remove(entry: Entry<Value>): void {
    this.#entries.delete(entry.key);
    this.#order.remove(entry);
    this.#weight -= entry.weight;
  }
}
