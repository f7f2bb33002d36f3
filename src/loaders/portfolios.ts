import type { Session } from '../upstream/client.ts';
import { GetCustomer } from '../upstream/contract/generated/operations.ts';
import type { CustomerRecordJson } from '../upstream/contract/generated/publicapi/v1/customers_pb.ts';
import type { PortfolioRecordJson } from '../upstream/contract/generated/publicapi/v1/portfolios_pb.ts';
import { type Loader, loaderFromGet } from './loader.ts';
import { loaderOver } from './loaderOver.ts';
import type { Loaders } from './loaders.ts';

/** Portfolios by id: customer records, read by the customers' loader so that one record is fetched once. Copies, since a type is pinned on them. */
export const portfolioLoader = (_upstream: Session, loaders: Loaders): Loader<PortfolioRecordJson> =>
  loaderFromGet(
    (id) => loaders.of(loaderOver<CustomerRecordJson>(GetCustomer)).load(id),
    (record) => (record ? { ...record } : undefined),
  );
