import type { Session } from '../upstream/client.ts';
import { GetWorkOrder, ListWorkOrderTemplateLocationFields } from '../upstream/contract/generated/operations.ts';
import type { WorkOrderLocationFieldRecordJson } from '../upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import type { WorkOrderRecordJson } from '../upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { type Loader, loaderFromGet, loaderFromList } from './loader.ts';

/** The tasks that come with a work order. As many as a list has by default: the same question is asked once, so its tasks cost no call. */
const TASKS = 25;

export const workOrderLoader = (upstream: Session): Loader<WorkOrderRecordJson> =>
  loaderFromGet(
    (id) => upstream.call(GetWorkOrder, { id, page: 1, pageSize: TASKS }),
    ({ workOrder }) => workOrder,
  );

/** The fields that hold locations: nothing gets one by its id. */
export const workOrderLocationFieldLoader = (upstream: Session): Loader<WorkOrderLocationFieldRecordJson> =>
  loaderFromList(
    async () => (await upstream.call(ListWorkOrderTemplateLocationFields, {})).locationFields ?? [],
    ({ id }) => id,
  );
