import { workOrderLocationFieldLoader } from '../../loaders/workOrders.ts';
import { GetWorkOrderTemplate, ListWorkOrderTemplateLocationFields } from '../../upstream/contract/generated/operations.ts';
import type {
  PublicWorkOrderTemplateStatusJson,
  WorkOrderLocationFieldRecordJson,
  WorkOrderTemplateRecordJson,
  WorkOrderTemplateTaskRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

export const WorkOrderTemplateStatus = wireEnum<PublicWorkOrderTemplateStatusJson>()('WorkOrderTemplateStatus', {
  description: 'Whether work orders can be made from a template.',
  prefix: 'PUBLIC_WORK_ORDER_TEMPLATE_STATUS',
  members: {
    ACTIVE: 'Work orders can be made from it.',
    ARCHIVED: 'No work order is made from it any more. Those that were stay as they are.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const field = new RecordFields<WorkOrderLocationFieldRecordJson>('WorkOrderLocationFieldRecord');

export const WorkOrderLocationField: Entity<WorkOrderLocationFieldRecordJson> = entity('WorkOrderLocationField', {
  record: field,
  description:
    'A custom field that holds a location. Its id is not the name that `CustomFieldDefinition` has: nothing tells which belong together.',
  operation: ListWorkOrderTemplateLocationFields,
  loader: workOrderLocationFieldLoader,
  key: 'id',
  fields: (t) => ({
    label: field.text(t, 'label', 'The name that people see.'),
  }),
});

const task = new RecordFields<WorkOrderTemplateTaskRecordJson>('WorkOrderTemplateTaskRecord');

const WorkOrderTemplateTask = task.type('WorkOrderTemplateTask', {
  description: 'A task that work orders of a template begin with.',
  fields: (t) => ({
    body: task.requiredText(t, 'body', 'The text of the task.'),
  }),
});

const record = new RecordFields<WorkOrderTemplateRecordJson>('WorkOrderTemplateRecord');

export const WorkOrderTemplate: Entity<WorkOrderTemplateRecordJson> = entity('WorkOrderTemplate', {
  record,
  description: 'A pattern that work orders are made from.',
  operation: GetWorkOrderTemplate,
  key: 'id',
  root: 'The template of this id, archived or not; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the template.'),
    ...record.word(t, 'status', WorkOrderTemplateStatus, 'Whether work orders can be made from it.'),
    title: record.text(t, 'title', 'The title that work orders inherit.'),
    description: record.text(t, 'description', 'The description that work orders inherit.'),
    tasks: record.list(t, 'tasks', WorkOrderTemplateTask, 'The tasks that work orders begin with.'),
    preferredLocationField: record.edge(
      t,
      'preferredLocationDataFieldId',
      WorkOrderLocationField,
      'The field of the customer in which the location is found, unless a work order names another one.',
    ),
    requiresLocation: record.flag(
      t,
      'requiresLocationOverride',
      'Whether every work order must name its location. It speaks of the preferred field, which cannot be used; when false, a customer without a value in that field still needs a location to be named: see `Customer.workOrderLocations`.',
    ),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    archivedAt: record.dateTime(t, 'archivedAt', 'The moment at which it was archived; null while it is active.'),
  }),
});
