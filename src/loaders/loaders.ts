import type DataLoader from 'dataloader';
import type { Session } from '../upstream/client.ts';

type AnyLoader = Pick<DataLoader<never, unknown>, 'clearAll'>;

/** Makes the loader of a kind of record for one request; from another loader where both show the same record. */
export type LoaderFactory<Made extends AnyLoader> = (upstream: Session, loaders: Loaders) => Made;

/** Cache of loaders for one request, keyed by their factories. Each is made when it is first asked for: most requests need few. */
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

  /** A loader under a key of its own, where a factory makes several. */
  keyed<Made extends AnyLoader>(key: string, make: () => Made): Made {
    const known = this.#made.get(key);
    if (known) return known as Made;
    const loader = make();
    this.#made.set(key, loader);
    return loader;
  }

  /** Forgets everything: after a change, what was read before may no longer hold. */
  clear(): void {
    for (const loader of this.#made.values()) loader.clearAll();
  }
}
