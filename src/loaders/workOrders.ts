import { GetWorkOrder, ListWorkOrderTemplateLocationFields } from '../upstream/contract/generated/operations.ts';
import type { WorkOrderLocationFieldRecord, WorkOrderRecord } from '../upstream/contract/generated/records.ts';
import type { Session } from '../upstream/session.ts';
import { type Loader, loaderFromGet, loaderFromWholeList } from './loader.ts';

/** Number of tasks that are fetched with a work order. Same as the default of the tasks' list, so that both are one request and the tasks cost no call. */
const TASKS = 25;

export const workOrderLoader = (upstream: Session): Loader<WorkOrderRecord> =>
  loaderFromGet(
    (id) => upstream.call(GetWorkOrder, { id, page: 1, pageSize: TASKS }),
    ({ workOrder }) => workOrder,
  );

/** Location fields by ID. No operation gets one. */
export const workOrderLocationFieldLoader = (upstream: Session): Loader<WorkOrderLocationFieldRecord> =>
  loaderFromWholeList(
    async () => (await upstream.call(ListWorkOrderTemplateLocationFields, {})).locationFields,
    ({ id }) => id,
  );
