import type DataLoader from 'dataloader';
import type { Session } from '../upstream/client.ts';

type AnyLoader = Pick<DataLoader<never, unknown>, 'clearAll'>;

/** Creates a loader for one request. Uses another loader if both load the same record. */
export type LoaderFactory<Made extends AnyLoader> = (upstream: Session, loaders: Loaders) => Made;

/** Cache of loaders for one request, by factory. A loader is created on first use, because most requests need few. */
export class Loaders {
  readonly #upstream: Session;
  readonly #made = new Map<unknown, AnyLoader>();

  constructor(upstream: Session) {
    this.#upstream = upstream;
  }

  of<Made extends AnyLoader>(make: LoaderFactory<Made>): Made {
    const known = this.#made.get(make);
    if (known) return known as Made;
    const loader = make(this.#upstream, this);
    this.#made.set(make, loader);
    return loader;
  }

  /** Returns the loader for a key. For factories that create several loaders. */
  keyed<Made extends AnyLoader>(key: string, make: () => Made): Made {
    const known = this.#made.get(key);
    if (known) return known as Made;
    const loader = make();
    this.#made.set(key, loader);
    return loader;
  }

  /** Discards all loaded records, which may be outdated after a write. */
  clear(): void {
    for (const loader of this.#made.values()) loader.clearAll();
  }
}
