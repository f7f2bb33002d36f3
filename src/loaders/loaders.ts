import type DataLoader from 'dataloader';
import type { Session } from '../upstream/client.ts';
import { discountLoader, productLoader } from './catalog.ts';
import { contactLoader } from './contacts.ts';
import { customerLoader } from './customers.ts';
import { dataFieldLoader } from './dataFields.ts';
import { locationLoader } from './inventory.ts';
import { journeyStatusLoader } from './journey.ts';
import { orderLoader } from './orders.ts';
import { portfolioLoader } from './portfolios.ts';
import { quoteLoader } from './quotes.ts';
import { receiptLoader } from './receipts.ts';

type AnyLoader = Pick<DataLoader<never, unknown>, 'clearAll'>;

/** One loader per kind of record that can be read by id, for one request. Each is made when it is first asked for: most requests need few. */
export class Loaders {
  readonly #upstream: Session;
  readonly #made = new Map<unknown, AnyLoader>();

  constructor(upstream: Session) {
    this.#upstream = upstream;
  }

  get contacts() {
    return this.#of(contactLoader);
  }
  get customers() {
    return this.#of(customerLoader);
  }
  get dataFields() {
    return this.#of(dataFieldLoader);
  }
  get discounts() {
    return this.#of(discountLoader);
  }
  get journeyStatuses() {
    return this.#of(journeyStatusLoader);
  }
  get locations() {
    return this.#of(locationLoader);
  }
  get orders() {
    return this.#of(orderLoader);
  }
  get portfolios() {
    return this.#of(portfolioLoader);
  }
  get products() {
    return this.#of(productLoader);
  }
  get quotes() {
    return this.#of(quoteLoader);
  }
  get receipts() {
    return this.#of(receiptLoader);
  }

  /** Forgets everything: after a change, what was read before may no longer hold. */
  clear(): void {
    for (const loader of this.#made.values()) loader.clearAll();
  }

  #of<Made extends AnyLoader>(make: (upstream: Session, loaders: Loaders) => Made): Made {
    const known = this.#made.get(make);
    if (known) return known as Made;
    const loader = make(this.#upstream, this);
    this.#made.set(make, loader);
    return loader;
  }
}
