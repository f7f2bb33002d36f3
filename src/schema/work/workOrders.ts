import { workOrderLoader } from '../../loaders/workOrders.ts';
import { GetWorkOrder } from '../../upstream/contract/generated/operations.ts';
import type { WorkOrderLocationRecord, WorkOrderRecord, WorkOrderTaskRecord } from '../../upstream/contract/generated/records.ts';
import { Customer } from '../customers/customers.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum, hasOtherStatus } from '../kit/enums.ts';
import { OWNER, type OwnedPart } from '../kit/parts.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';
import { WorkOrderTemplate } from './workOrderTemplates.ts';

export const WorkOrderStatus = defineWireEnum('WorkOrderStatus', 'PublicWorkOrderStatus', {
  description: 'The status of a work order.',
  members: {
    OPEN: 'Not completed yet.',
    COMPLETED: 'Completed. Can’t be updated unless canceling its appointment reopens it.',
    CANCELLED: 'Canceled. Can’t be updated.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

export const WorkOrderTask = defineRecordType<WorkOrderTaskRecord & OwnedPart>('WorkOrderTask', {
  record: 'WorkOrderTaskRecord',
  description: 'A task of a work order without a form, as opposed to an advanced task.',
  key: 'taskId',
  owner: 'WorkOrder',
  fields: (f) => ({
    body: f.requiredString('body', 'Text of the task.'),
    isCompleted: f.boolean('isCompleted', 'Whether the task is completed.'),
    completedAt: f.dateTime('completedAt', 'When the task was completed. Null while it is incomplete.'),
  }),
});

export const WorkOrderLocation = defineRecordType<WorkOrderLocationRecord & OwnedPart>('WorkOrderLocation', {
  record: 'WorkOrderLocationRecord',
  description: 'A location of a customer where work can be done, stored in one of the customer’s custom fields.',
  key: 'locationDataFieldId',
  owner: 'Customer',
  fields: (f) => ({
    label: f.string('label', 'Human-readable label of the location. Don’t parse it, because its format can change.'),
    isPreferred: f.boolean('isPreferred', 'Whether it is the template’s preferred location.'),
  }),
});

export const WorkOrder: Entity<WorkOrderRecord> = defineEntity('WorkOrder', {
  record: 'WorkOrderRecord',
  description: 'Work to be done for a customer.',
  operation: GetWorkOrder,
  loader: workOrderLoader,
  key: 'id',
  // All transitions start from an open work order.
  state: { getStatus: ({ status }) => status, isTerminal: ({ status }) => hasOtherStatus('OPEN', WorkOrderStatus, status) },
  root: 'Looks up a work order by ID. Null if it doesn’t exist.',
  fields: (f, t) => ({
    title: f.requiredString('title', 'Title of the work order. If none was specified, copied from the template at creation.'),
    description: f.string('description', 'Description of the work order. If none was specified, copied from the template at creation.'),
    ...f.enumWithText('status', WorkOrderStatus, 'Status of the work order: open, completed or canceled.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the work is for.'),
    template: f.edge(
      'workOrderTemplateId',
      WorkOrderTemplate,
      'Template that the work order was created from. Null if the work order has no template, or the template was deleted.',
      { isDeletable: true },
    ),
    location: t.field({
      type: WorkOrderLocation,
      ...f.annotate(
        'location',
        'Location of the work, with the customer’s current data. Null if the location no longer has a value or isn’t visible to the key.',
      ),
      resolve: ({ location: place, customerId }) => place && { ...place, [OWNER]: customerId },
    }),
    createdAt: f.dateTime('createdAt', 'When the work order was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the work order was last updated.'),
    completedAt: f.dateTime('completedAt', 'When the work order was completed. Null unless it is completed.'),
    cancelledAt: f.dateTime('cancelledAt', 'When the work order was canceled. Null unless it is canceled.'),
  }),
});
