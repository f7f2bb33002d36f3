import { Pool } from 'undici';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { hashApiKey } from '../../lib/keyHash.ts';

export interface PoolsOptions {
  readonly origin: string;
  /** Maximum number of connections per pool. Also the maximum number of pools if they are separate, because at most as many keys can have calls in flight. */
  readonly connections: number;
  /** Whether each key has its own connections. */
  readonly hasPoolPerKey: boolean;
}

/** Connection pools of the upstream: one for all keys, or one per key. */
export class Pools {
  readonly #options: PoolsOptions;
  /** By key hash. The shared pool has the name ''. */
  readonly #pools: BoundedCache<Pool>;
  /** Evicted pools that close after their last call. */
  readonly #closing = new Set<Pool>();
  #isDestroyed = false;

  constructor(options: PoolsOptions) {
    this.#options = options;
    this.#pools = new BoundedCache({ entries: options.connections, onEvict: (pool) => this.#close(pool) });
  }

  get(apiKey: string): Pool {
    const name = this.#options.hasPoolPerKey ? hashApiKey(apiKey) : '';
    const known = this.#pools.get(name);
    if (known) return known;
    const pool = this.#open();
    this.#pools.set(name, pool);
    return pool;
  }

  /** Closes all pools and aborts the calls in flight. Later calls fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([...this.#pools.values(), ...this.#closing].map((pool) => pool.destroy()));
  }

  #open(): Pool {
    const { origin, connections } = this.#options;
    // No pipelining, because a slow call must not block others.
    const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    if (this.#isDestroyed) void pool.destroy();
    return pool;
  }

  #close(pool: Pool): void {
    this.#closing.add(pool);
    const end = () => this.#closing.delete(pool);
    // `close` rejects if the pool is destroyed in the meantime.
    void pool.close().then(end, end);
  }
}
