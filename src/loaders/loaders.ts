import type DataLoader from 'dataloader';
import type { Session } from '../upstream/session.ts';

type AnyLoader = Pick<DataLoader<never, unknown>, 'clearAll'>;

/** Creates a loader for one request. Uses another loader if both load the same record. */
export type LoaderFactory<Result extends AnyLoader> = (upstream: Session, loaders: Loaders) => Result;

/** Cache of loaders for one request, by factory. A loader is created on first use, because most requests need few. */
export class Loaders {
  readonly #upstream: Session;
  readonly #loaders = new Map<unknown, AnyLoader>();

  constructor(upstream: Session) {
    this.#upstream = upstream;
  }

  get<Result extends AnyLoader>(create: LoaderFactory<Result>): Result {
    const known = this.#loaders.get(create);
    if (known) return known as Result;
    const loader = create(this.#upstream, this);
    this.#loaders.set(create, loader);
    return loader;
  }

  /** Returns the loader for a key. For factories that create several loaders. */
  getKeyed<Result extends AnyLoader>(key: string, create: () => Result): Result {
    const known = this.#loaders.get(key);
    if (known) return known as Result;
    const loader = create();
    this.#loaders.set(key, loader);
    return loader;
  }

  /** Discards all loaded records, which may be outdated after a write. */
  clear(): void {
    for (const loader of this.#loaders.values()) loader.clearAll();
  }
}
