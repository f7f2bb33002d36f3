import { Pool } from 'undici';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { keyHashOf } from '../../lib/keyHash.ts';

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
  /** By key hash; the pool of all keys by ''. */
  readonly #pools: BoundedCache<Pool>;
  /** Those that are to end with their last call. */
  readonly #closing = new Set<Pool>();
  #isDestroyed = false;

  constructor(options: PoolsOptions) {
    this.#options = options;
    this.#pools = new BoundedCache({ entries: options.connections, onEvict: (pool) => this.#close(pool) });
  }

  of(apiKey: string): Pool {
    const name = this.#options.areSeparate ? keyHashOf(apiKey) : '';
    const known = this.#pools.get(name);
    if (known) return known;
    const pool = this.#open();
    this.#pools.set(name, pool);
    return pool;
  }

  /** Ends all of them, and the calls in flight. Calls that follow fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([...this.#pools.values(), ...this.#closing].map((pool) => pool.destroy()));
  }

  #open(): Pool {
    const { origin, connections } = this.#options;
    // No pipelining: one slow call must not hold up another.
    const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    if (this.#isDestroyed) void pool.destroy();
    return pool;
  }

  #close(pool: Pool): void {
    this.#closing.add(pool);
    const end = () => this.#closing.delete(pool);
    // A close fails when the pool is destroyed meanwhile.
    void pool.close().then(end, end);
  }
}
