import type { Session } from '../upstream/client.ts';
import { GetOrder } from '../upstream/contract/generated/operations.ts';
import type { OrderRecordJson } from '../upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { byId, type Loader } from './loader.ts';

export const orderLoader = (upstream: Session): Loader<OrderRecordJson> =>
  byId(
    (id) => upstream.call(GetOrder, { id }),
    ({ order }) => order,
  );
