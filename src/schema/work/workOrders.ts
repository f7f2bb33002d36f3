import { workOrderLoader } from '../../loaders/workOrders.ts';
import { GetWorkOrder } from '../../upstream/contract/generated/operations.ts';
import type {
  PublicWorkOrderStatusJson,
  WorkOrderLocationRecordJson,
  WorkOrderRecordJson,
  WorkOrderTaskRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { Customer } from '../customers/customers.ts';
import { entity } from '../kit/entities.ts';
import { isOtherThan, wireEnum } from '../kit/enums.ts';
import { OWNER, type Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { WorkOrderTemplate } from './workOrderTemplates.ts';

export const WorkOrderStatus = wireEnum<PublicWorkOrderStatusJson>()('WorkOrderStatus', {
  description: 'The stage of a work order.',
  prefix: 'PUBLIC_WORK_ORDER_STATUS',
  members: {
    OPEN: 'To be done.',
    COMPLETED: 'Done. Nothing can be changed any more.',
    CANCELLED: 'Given up. Nothing can be changed any more.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const task = new RecordFields<WorkOrderTaskRecordJson & Part>('WorkOrderTaskRecord');

export const WorkOrderTask = task.type('WorkOrderTask', {
  description: 'A plain task of a work order.',
  key: 'taskId',
  owner: 'WorkOrder',
  fields: (t) => ({
    body: task.requiredText(t, 'body', 'The text of the task.'),
    isCompleted: task.flag(t, 'isCompleted', 'Whether it is done.'),
    completedAt: task.dateTime(t, 'completedAt', 'The moment at which it was done; null while it is not.'),
  }),
});

const location = new RecordFields<WorkOrderLocationRecordJson & Part>('WorkOrderLocationRecord');

export const WorkOrderLocation = location.type('WorkOrderLocation', {
  description: 'A location of a customer where work can be done: the value of one of its custom fields.',
  key: 'locationDataFieldId',
  owner: 'Customer',
  fields: (t) => ({
    label: location.text(t, 'label', 'Text for people to choose by. Take nothing out of it: its form may change.'),
    isPreferred: location.flag(t, 'isPreferred', 'Whether it is the one that the template prefers.'),
  }),
});

const record = new RecordFields<WorkOrderRecordJson>('WorkOrderRecord');

export const WorkOrder: Entity<WorkOrderRecordJson> = entity('WorkOrder', {
  record,
  description: 'Work to be done at a customer.',
  operation: GetWorkOrder,
  loader: workOrderLoader,
  key: 'id',
  // Every step is for an open one.
  state: { of: ({ status }) => status, isClosed: ({ status }) => isOtherThan('OPEN', WorkOrderStatus, status) },
  root: 'The work order of this id; null when there is none.',
  fields: (t) => ({
    title: record.requiredText(t, 'title', 'The title: its own, or that of the template when it was made.'),
    description: record.text(t, 'description', 'The description: its own, or that of the template when it was made.'),
    ...record.word(t, 'status', WorkOrderStatus, 'The stage of the work order: open, completed or cancelled.'),
    customer: record.requiredEdge(t, 'customerId', Customer, 'The customer.'),
    template: record.edge(t, 'workOrderTemplateId', WorkOrderTemplate, 'The template that it was made from; null for none.'),
    location: t.field({
      type: WorkOrderLocation,
      ...record.mark(
        'location',
        'The place where the work is done, as the customer has it now; null when it has no value any more, or the key may not see it.',
      ),
      resolve: ({ location: place, customerId }) => (place ? { ...place, [OWNER]: customerId ?? '' } : null),
    }),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    completedAt: record.dateTime(t, 'completedAt', 'The moment of completion; null unless it is completed.'),
    cancelledAt: record.dateTime(t, 'cancelledAt', 'The moment of cancellation; null unless it is cancelled.'),
  }),
});
