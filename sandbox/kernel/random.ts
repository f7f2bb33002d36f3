import { createHash } from 'node:crypto';

/** Pseudorandom numbers that depend only on the seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Next number in [0, 1). Uses Mulberry32, which is small, and good enough for demo data. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, inclusive. */
  nextInteger(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.nextInteger(0, values.length - 1)];
    if (value === undefined) throw new Error('Can’t pick from an empty list.');
    return value;
  }

  /** Returns true with the given probability. */
  nextBoolean(probability: number): boolean {
    return this.next() < probability;
  }
}

/** The UUID derived from a name and a seed. */
export function createUuid(seed: number, name: string): string {
  const hex = createHash('sha256').update(`${seed}:${name}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
