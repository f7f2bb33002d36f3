import { type Clock, createTimeRange, getRemainingMs, systemClock, type TimeRange } from './clock.ts';
import { LinkedList, type LinkedNode } from './linkedList.ts';

/** Limits of a cache. All are optional; every limit that is set applies. */
export interface CacheLimits<Value, Name = string> {
  /** Maximum number of entries. */
  readonly entries?: number;
  /** Maximum total weight, such as bytes. `weightOf` is called once per entry, when it is set. */
  readonly weight?: { readonly max: number; readonly weightOf: (key: Name, value: Value) => number };
  /** Time to live in milliseconds, from when the entry was set, by the monotonic clock. */
  readonly ttlMs?: number;
}

export interface CacheOptions<Value, Name = string> extends CacheLimits<Value, Name> {
  readonly clock?: Clock;
  /** Called for each entry that is evicted to make room. Not called for deleted or expired entries. */
  readonly onEvict?: (value: Value) => void;
}

interface Entry<Value, Name> extends LinkedNode<Entry<Value, Name>> {
  readonly key: Name;
  readonly value: Value;
  readonly weight: number;
  /** Null if the cache has no time to live. */
  readonly lifetime: TimeRange | null;
}

/**
 * LRU cache with optional limits on entries, total weight, and age. An entry that exceeds the weight limit by itself isn't stored. Recency is
 * tracked in a linked list rather than in the map's insertion order, because deleting and re-adding a key on every read makes the map rehash
 * repeatedly.
 */
export class BoundedCache<Value extends {}, Name = string> {
  readonly #options: CacheOptions<Value, Name>;
  readonly #clock: Clock;
  readonly #entries = new Map<Name, Entry<Value, Name>>();
  /** Least recently used first. */
  readonly #recency = new LinkedList<Entry<Value, Name>>();
  #weight = 0;

  constructor(options: CacheOptions<Value, Name>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Name): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.lifetime !== null && getRemainingMs(entry.lifetime, this.#clock.monotonicMs()) === 0) {
      this.#remove(entry);
      return undefined;
    }
    if (this.#recency.last !== entry) {
      this.#recency.remove(entry);
      this.#recency.add(entry);
    }
    return entry.value;
  }

  set(key: Name, value: Value): void {
    this.delete(key);
    const { weight: limit, ttlMs } = this.#options;
    const weight = limit ? limit.weightOf(key, value) : 0;
    if (limit && weight > limit.max) return;
    this.#evictFor(weight);
    const lifetime = ttlMs === undefined ? null : createTimeRange(this.#clock.monotonicMs(), ttlMs);
    const entry: Entry<Value, Name> = { key, value, weight, lifetime, previous: undefined, next: undefined };
    this.#entries.set(key, entry);
    this.#recency.add(entry);
    this.#weight += weight;
  }

  delete(key: Name): void {
    const entry = this.#entries.get(key);
    if (entry) this.#remove(entry);
  }

  /** Deletes all entries that match the predicate. O(n). */
  deleteWhere(predicate: (value: Value) => boolean): void {
    for (const entry of [...this.#recency]) if (predicate(entry.value)) this.#remove(entry);
  }

  /** Values, least recently used first. */
  *values(): Iterable<Value> {
    for (const { value } of this.#recency) yield value;
  }

  /** Evicts least recently used entries until an entry of this weight fits. */
  #evictFor(weight: number): void {
    const { entries: maxEntries = Number.POSITIVE_INFINITY, weight: limit, onEvict } = this.#options;
    const maxWeight = limit?.max ?? Number.POSITIVE_INFINITY;
    for (let oldest = this.#recency.first; oldest; oldest = this.#recency.first) {
      if (this.#entries.size < maxEntries && this.#weight + weight <= maxWeight) return;
      this.#remove(oldest);
      onEvict?.(oldest.value);
    }
  }

  #remove(entry: Entry<Value, Name>): void {
    this.#entries.delete(entry.key);
    this.#recency.remove(entry);
    this.#weight -= entry.weight;
  }
}
