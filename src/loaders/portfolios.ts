import type { Session } from '../upstream/client.ts';
import { GetCustomer } from '../upstream/contract/generated/operations.ts';
import type { CustomerRecord, PortfolioRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromGet } from './loader.ts';
import { loaderOver } from './loaderOver.ts';
import type { Loaders } from './loaders.ts';

/** Portfolios by id: customer records, read by the customers' loader so that one record is fetched once. Copies, since a type is pinned on them. */
export const portfolioLoader = (_upstream: Session, loaders: Loaders): Loader<PortfolioRecord> =>
  loaderFromGet(
    (id) => loaders.of(loaderOver<CustomerRecord>(GetCustomer)).load(id),
    (record) => record && { ...record },
  );
