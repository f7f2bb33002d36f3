import { workOrderLoader } from '../../loaders/workOrders.ts';
import { GetWorkOrder } from '../../upstream/contract/generated/operations.ts';
import type { PublicWorkOrderStatusJson } from '../../upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import type { WorkOrderLocationRecord, WorkOrderRecord, WorkOrderTaskRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { OWNER, type Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { WorkOrderTemplate } from './workOrderTemplates.ts';

export const WorkOrderStatus = wireEnum<PublicWorkOrderStatusJson>()('WorkOrderStatus', {
  description: 'The status of a work order.',
  prefix: 'PUBLIC_WORK_ORDER_STATUS',
  members: {
    OPEN: 'Not completed yet.',
    COMPLETED: 'Completed. Can’t be updated unless canceling its appointment reopens it.',
    CANCELLED: 'Canceled. Can’t be updated.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const task = new RecordFields<WorkOrderTaskRecord & Part>('WorkOrderTaskRecord');

export const WorkOrderTask = task.type('WorkOrderTask', {
  description: 'A task of a work order without a form, as opposed to an advanced task.',
  key: 'taskId',
  owner: 'WorkOrder',
  fields: (t) => ({
    body: task.requiredText(t, 'body', 'Text of the task.'),
    isCompleted: task.flag(t, 'isCompleted', 'Whether the task is completed.'),
    completedAt: task.dateTime(t, 'completedAt', 'When the task was completed. Null while it is incomplete.'),
  }),
});

const location = new RecordFields<WorkOrderLocationRecord & Part>('WorkOrderLocationRecord');

export const WorkOrderLocation = location.type('WorkOrderLocation', {
  description: 'A location of a customer where work can be done, stored in one of the customer’s custom fields.',
  key: 'locationDataFieldId',
  owner: 'Customer',
  fields: (t) => ({
    label: location.text(t, 'label', 'Human-readable label of the location. Don’t parse it, because its format can change.'),
    isPreferred: location.flag(t, 'isPreferred', 'Whether it is the template’s preferred location.'),
  }),
});

const record = new RecordFields<WorkOrderRecord>('WorkOrderRecord');

export const WorkOrder: Entity<WorkOrderRecord> = entity('WorkOrder', {
  record,
  description: 'Work to be done for a customer.',
  operation: GetWorkOrder,
  loader: workOrderLoader,
  key: 'id',
  // Every step is for an open one.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('OPEN', WorkOrderStatus, status) },
  root: 'Looks up a work order by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    title: record.requiredText(t, 'title', 'Title of the work order. If none was specified, copied from the template at creation.'),
    description: record.text(
      t,
      'description',
      'Description of the work order. If none was specified, copied from the template at creation.',
    ),
    ...record.word(t, 'status', WorkOrderStatus, 'Status of the work order: open, completed or canceled.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'Customer that the work is for.'),
    template: record.edge(
      t,
      'workOrderTemplateId',
      WorkOrderTemplate,
      'Template that the work order was created from. Null if the work order has no template, or the template was deleted.',
      { isDeletable: true },
    ),
    location: t.field({
      type: WorkOrderLocation,
      ...record.mark(
        'location',
        'Location of the work, with the customer’s current data. Null if the location no longer has a value or isn’t visible to the key.',
      ),
      resolve: ({ location: place, customerId }) => place && { ...place, [OWNER]: customerId },
    }),
    createdAt: record.dateTime(t, 'createdAt', 'When the work order was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the work order was last updated.'),
    completedAt: record.dateTime(t, 'completedAt', 'When the work order was completed. Null unless it is completed.'),
    cancelledAt: record.dateTime(t, 'cancelledAt', 'When the work order was canceled. Null unless it is canceled.'),
  }),
});
