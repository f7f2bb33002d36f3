import { workOrderLocationFieldLoader } from '../../loaders/workOrders.ts';
import { GetWorkOrderTemplate, ListWorkOrderTemplateLocationFields } from '../../upstream/contract/generated/operations.ts';
import type { PublicWorkOrderTemplateStatusJson } from '../../upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import type {
  WorkOrderLocationFieldRecord,
  WorkOrderTemplateRecord,
  WorkOrderTemplateTaskRecord,
} from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

export const WorkOrderTemplateStatus = wireEnum<PublicWorkOrderTemplateStatusJson>()('WorkOrderTemplateStatus', {
  description: 'The status of a work order template.',
  prefix: 'PUBLIC_WORK_ORDER_TEMPLATE_STATUS',
  members: {
    ACTIVE: 'Work orders can be created from the template.',
    ARCHIVED: 'No more work orders can be created from the template. Existing ones are unaffected.',
    OTHER: 'A status that isn’t in this schema yet. See `statusText`.',
  },
});

const field = new RecordFields<WorkOrderLocationFieldRecord>('WorkOrderLocationFieldRecord');

export const WorkOrderLocationField: Entity<WorkOrderLocationFieldRecord> = entity('WorkOrderLocationField', {
  record: field,
  description:
    'A custom field that holds a location. Its ID isn’t the `name` of its `CustomFieldDefinition`, and the Workspace API doesn’t link the two.',
  operation: ListWorkOrderTemplateLocationFields,
  loader: workOrderLocationFieldLoader,
  key: 'id',
  fields: (t) => ({
    label: field.text(t, 'label', 'Display name of the field.'),
  }),
});

const task = new RecordFields<WorkOrderTemplateTaskRecord>('WorkOrderTemplateTaskRecord');

const WorkOrderTemplateTask = task.type('WorkOrderTemplateTask', {
  description: 'A task that a template adds to its work orders.',
  fields: (t) => ({
    body: task.requiredText(t, 'body', 'Text of the task.'),
  }),
});

const record = new RecordFields<WorkOrderTemplateRecord>('WorkOrderTemplateRecord');

export const WorkOrderTemplate: Entity<WorkOrderTemplateRecord> = entity('WorkOrderTemplate', {
  record,
  description: 'A template for work orders: their default texts, tasks, and location.',
  operation: GetWorkOrderTemplate,
  key: 'id',
  root: 'Looks up a work order template by ID, active or archived. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the template.'),
    ...record.word(t, 'status', WorkOrderTemplateStatus, 'Status of the template: active or archived.'),
    title: record.text(t, 'title', 'Title that work orders inherit.'),
    description: record.text(t, 'description', 'Description that work orders inherit.'),
    tasks: record.list(t, 'tasks', WorkOrderTemplateTask, 'Tasks that new work orders start with.'),
    preferredLocationField: record.edge(
      t,
      'preferredLocationDataFieldId',
      WorkOrderLocationField,
      'Custom field of the customer that holds the location, unless a work order specifies another field. Null if the template has no such field, or the field was deleted.',
      { isDeletable: true },
    ),
    requiresLocation: record.flag(
      t,
      'requiresLocationOverride',
      'Whether work orders must specify a location because the preferred field can’t be used. If false, one is still required for customers without a value in that field. See `Customer.workOrderLocations`.',
    ),
    createdAt: record.dateTime(t, 'createdAt', 'When the template was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the template was last updated.'),
    archivedAt: record.dateTime(t, 'archivedAt', 'When the template was archived. Null while it is active.'),
  }),
});
