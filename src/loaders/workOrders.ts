import type { Session } from '../upstream/client.ts';
import { GetWorkOrder, ListWorkOrderTemplateLocationFields } from '../upstream/contract/generated/operations.ts';
import type { WorkOrderLocationFieldRecord, WorkOrderRecord } from '../upstream/contract/generated/records.ts';
import { type Loader, loaderFromGet, loaderFromWholeList } from './loader.ts';

/** The tasks that come with a work order. As many as a list has by default: the same question is asked once, so its tasks cost no call. */
const TASKS = 25;

export const workOrderLoader = (upstream: Session): Loader<WorkOrderRecord> =>
  loaderFromGet(
    (id) => upstream.call(GetWorkOrder, { id, page: 1, pageSize: TASKS }),
    ({ workOrder }) => workOrder,
  );

/** The fields that hold locations: nothing gets one by its id. */
export const workOrderLocationFieldLoader = (upstream: Session): Loader<WorkOrderLocationFieldRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListWorkOrderTemplateLocationFields, {})).locationFields,
    ({ id }) => id,
  );
