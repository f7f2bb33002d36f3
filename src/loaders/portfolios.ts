import type { CustomerRecordJson } from '../upstream/generated/publicapi/v1/customers_pb.ts';
import type { PortfolioRecordJson } from '../upstream/generated/publicapi/v1/portfolios_pb.ts';
import { byId, type Loader } from './loader.ts';

/** Portfolios by id: customer records, read by the customers' loader so that one record is fetched once. Copies, since a type is pinned on them. */
export const portfolioLoader = (customers: Loader<CustomerRecordJson>): Loader<PortfolioRecordJson> =>
  byId(
    (id) => customers.load(id),
    (record) => (record ? { ...record } : undefined),
  );
