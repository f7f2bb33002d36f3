import { createUuid } from './random.ts';
import type { Snapshot } from './snapshot.ts';
import { Store } from './store.ts';
import { Visibility } from './visibility.ts';

export interface WorldOptions {
  /** Path of the database, `:memory:`, or the snapshot of another world's store. */
  readonly data: string | Snapshot;
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** State of the sandbox: its tables, its clock, and its ID sequence. */
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

  /** Visibility rules for members. All tables must exist. */
  get visibility(): Visibility {
    this.#visibility ??= new Visibility(this.store);
    return this.#visibility;
  }

  /** Current time in whole Unix seconds. */
  now(): number {
    return Math.floor(this.#clock() / 1000);
  }

  /** Next number of a named sequence, starting from 1. */
  next(series: string): number {
    const row = this.store.get<{ value: number }>(
      'INSERT INTO counters (name, value) VALUES (:series, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
      { series },
    );
    if (!row) throw new Error(`The counter ${series} returned no value.`);
    return row.value;
  }

  /** A new UUID. It depends on the seed and the number of earlier IDs, so that runs are reproducible. */
  id(): string {
    return createUuid(this.seed, `id ${this.next('id')}`);
  }

  close(): void {
    this.store.close();
  }
}
