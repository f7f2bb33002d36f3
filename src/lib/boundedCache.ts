export interface Bounds<Value> {
  /** Entries; any number unless given. */
  readonly entries?: number;
  /** Of all entries together. */
  readonly weight: number;
  readonly weightOf: (key: string, value: Value) => number;
}

/** Keeps what was used last, up to a number of entries and a weight. What weighs more than all may is not kept. */
export class BoundedCache<Value extends {}> {
  readonly #bounds: Bounds<Value>;
  /** In the order of use, the last one at the end. */
  readonly #entries = new Map<string, Value>();
  #weight = 0;

  constructor(bounds: Bounds<Value>) {
    this.#bounds = bounds;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#delete(key);
    const { entries = Number.POSITIVE_INFINITY, weight, weightOf } = this.#bounds;
    const added = weightOf(key, value);
    if (added > weight) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < entries && this.#weight + added <= weight) break;
      this.#delete(oldest);
    }
    this.#entries.set(key, value);
    this.#weight += added;
  }

  #delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#bounds.weightOf(key, value);
  }
}
