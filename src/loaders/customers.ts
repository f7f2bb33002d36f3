import type { Session } from '../upstream/client.ts';
import { GetCustomer } from '../upstream/contract/generated/operations.ts';
import type { CustomerRecordJson } from '../upstream/contract/generated/publicapi/v1/customers_pb.ts';
import { byId, type Loader } from './loader.ts';

/** Customers by id, and portfolios too: both live in one id space. */
export const customerLoader = (upstream: Session): Loader<CustomerRecordJson> =>
  byId(
    (id) => upstream.call(GetCustomer, { id }),
    ({ customer }) => customer,
  );
