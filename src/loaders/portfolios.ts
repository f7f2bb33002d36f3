import { GetCustomer } from '../upstream/contract/generated/operations.ts';
import type { CustomerRecord, PortfolioRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromGet } from './loader.ts';
import { loaderForOperation } from './loaderForOperation.ts';
import type { Loaders } from './loaders.ts';

/** Portfolios by ID. They are customer records and use the customers' loader, so that a record is fetched once. Copies, because each record is branded with its type. */
export const portfolioLoader = (_upstream: Session, loaders: Loaders): Loader<PortfolioRecord> =>
  loaderFromGet(
    (id) => loaders.get(loaderForOperation<CustomerRecord>(GetCustomer)).load(id),
    (record) => record && { ...record },
  );
