import { uuid } from './random.ts';
import { Store } from './store.ts';
import { Visibility } from './visibility.ts';

export interface WorldOptions {
  /** A path to keep the data in, `:memory:`, or the bytes of a database, which is copied into memory. */
  readonly data: string | Uint8Array;
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The sandbox's state: its tables, its clock, and its next id. */
export class World {
  readonly store: Store;
  readonly seed: number;
  readonly #clock: () => number;
  #visibility: Visibility | undefined;

  constructor({ data, seed, clock }: WorldOptions) {
    this.store = new Store(data);
    this.seed = seed;
    this.#clock = clock;
    this.store.exec('CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT');
  }

  /** The tables as members see them. All of them must have been made. */
  get visibility(): Visibility {
    this.#visibility ??= new Visibility(this.store);
    return this.#visibility;
  }

  /** Unix time in whole seconds, as the upstream tells it. */
  now(): number {
    return Math.floor(this.#clock() / 1000);
  }

  /** The next number of a named series, from 1. */
  next(series: string): number {
    const row = this.store.get<{ value: number }>(
      'INSERT INTO counters (name, value) VALUES (:series, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
      { series },
    );
    if (!row) throw new Error(`The counter ${series} returned no value.`);
    return row.value;
  }

  /** A new id: a UUID that depends on the seed and on how many were made before, so a run can be repeated. */
  id(): string {
    return uuid(this.seed, `id ${this.next('id')}`);
  }

  close(): void {
    this.store.close();
  }
}
