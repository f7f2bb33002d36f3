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

/** One loader per kind of record that can be read by id, for one request. */
export function createLoaders(upstream: Session) {
  const customers = customerLoader(upstream);
  return {
    contacts: contactLoader(upstream),
    customers,
    dataFields: dataFieldLoader(upstream),
    discounts: discountLoader(upstream),
    journeyStatuses: journeyStatusLoader(upstream),
    locations: locationLoader(upstream),
    orders: orderLoader(upstream),
    portfolios: portfolioLoader(customers),
    products: productLoader(upstream),
    quotes: quoteLoader(upstream),
    receipts: receiptLoader(upstream),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

/** Forgets everything: after a change, what was read before may no longer hold. */
export function clearLoaders(loaders: Loaders): void {
  for (const loader of Object.values(loaders)) loader.clearAll();
}
