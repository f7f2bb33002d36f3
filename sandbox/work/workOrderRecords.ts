import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicWorkOrderStatus as Status,
  WorkOrderRecordSchema,
  WorkOrderTaskRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import type { CallContext } from '../kernel/call.ts';
import { type RowOf, table } from '../kernel/table.ts';
import type { TimelineEntry } from '../kernel/timeline.ts';
import { findLocation } from './locations.ts';
import { getWorkOrderTemplate } from './workOrderTemplates.ts';

export const workOrderTable = table('work_orders', WorkOrderRecordSchema, {
  also: { workspace_id: 'TEXT', location_data_field_id: 'TEXT' },
  indexes: {
    work_orders_by_age: 'workspace_id, created_at, id',
    work_orders_of_customer: 'workspace_id, customer_id, created_at DESC, id',
  },
});

export const workOrderTaskTable = table('work_order_tasks', WorkOrderTaskRecordSchema, {
  names: { taskId: 'id' },
  also: { work_order_id: 'TEXT', position: 'INTEGER' },
  references: { work_order_id: workOrderTable },
  indexes: { tasks_of_work_order: 'work_order_id, position' },
});

/** `work_order_template_id` is empty for work orders without a template. */
export type WorkOrderRow = RowOf<typeof workOrderTable>;
export type WorkOrderTaskRow = RowOf<typeof workOrderTaskTable>;

/** Looks up a work order by ID. Throws if the workspace doesn't contain it. */
export const getWorkOrder = (call: CallContext, id: string): WorkOrderRow => workOrderTable.getOrThrow(call, id, 'work order');

/** Converts a row to a work order. The location is the customer's current one, if the caller can see it. */
export function toWorkOrder(call: CallContext, row: WorkOrderRow): MessageInitShape<typeof WorkOrderRecordSchema> {
  const template = row.work_order_template_id === '' ? undefined : getWorkOrderTemplate(call, row.work_order_template_id);
  const customer = getCustomer(call, row.customer_id);
  const location = findLocation(call, customer, row.location_data_field_id, template?.preferred_location_data_field_id);
  return { ...workOrderTable.read(row), ...(location && { location }) };
}

/** Whether the work order has reached a final status. */
export const isTerminal = ({ status }: WorkOrderRow): boolean => status !== Status.OPEN;

/** A timeline event for a step of a work order. */
export const createWorkOrderEvent = ({ id, title }: Pick<WorkOrderRow, 'id' | 'title'>, step: string): TimelineEntry => ({
  eventType: `work_order_${step}`,
  entityType: 'work_order',
  entityId: id,
  summary: `The work order ${title} was ${step}.`,
});
