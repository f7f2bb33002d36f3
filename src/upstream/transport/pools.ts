import { Pool } from 'undici';
import { credentialOf } from '../../lib/credential.ts';

export interface PoolsOptions {
  readonly origin: string;
  /** Of one pool; and pools at a time, when they are separate: as many keys may have calls under way. */
  readonly connections: number;
  /** Whether each key has connections of its own. */
  readonly areSeparate: boolean;
}

/** The connections to the upstream: one pool for all keys, or one for each. */
export class Pools {
  readonly #options: PoolsOptions;
  /** By credential; the pool of all keys by ''. Those that were used last are at the end. */
  readonly #pools = new Map<string, Pool>();
  /** Those that are to end with their last call. */
  readonly #closing = new Set<Pool>();

  constructor(options: PoolsOptions) {
    this.#options = options;
  }

  of(apiKey: string): Pool {
    const name = this.#options.areSeparate ? credentialOf(apiKey) : '';
    const pool = this.#pools.get(name) ?? this.#open();
    this.#pools.delete(name);
    this.#pools.set(name, pool);
    if (this.#pools.size > this.#options.connections) this.#closeOldest();
    return pool;
  }

  /** Ends all of them with what is under way. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#pools.values(), ...this.#closing].map((pool) => pool.destroy()));
  }

  #open(): Pool {
    const { origin, connections } = this.#options;
    // No pipelining: one slow call must not hold up another.
    return new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  }

  #closeOldest(): void {
    for (const [name, pool] of this.#pools) {
      this.#pools.delete(name);
      this.#closing.add(pool);
      const end = () => this.#closing.delete(pool);
      // A close fails when the pool is destroyed meanwhile.
      void pool.close().then(end, end);
      return;
    }
  }
}
